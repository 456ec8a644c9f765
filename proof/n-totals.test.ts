import assert from 'node:assert/strict'
import { test } from 'node:test'
import { taxClasses } from '#store/catalogue/tax-class.ts'
import { chargedBesideGoods, chargesOfRest, chargesOfRestUpTo, computeOrderCharges } from '#store/orders/order-charges.ts'
import { costOfFirstPieces, orderTotals } from '#store/orders/order-totals.ts'
import { computeTax, type TaxTerms, taxKinds } from '#store/tax/compute-tax.ts'
import { sampleSize } from './full-run.ts'
import { pickRandom } from './generated-queries.ts'
import { seededRandom } from './seeded-random.ts'

const sum = (cents: number[]) => cents.reduce((total, each) => total + each, 0)

test('N3 an order adds up to the cent: lines, delivery and tax are its total, by lines and by rates, on net and gross prices, and so is what is left of it and what its pieces have cost', (t) => {
  const random = seededRandom(5)
  const { below, coin } = random
  const upTo = (most: number) => below(1 + Math.min(most, 10 ** (1 + below(7))))
  const orders = sampleSize(5000, 300_000)
  let lineCount = 0
  for (let nth = 0; nth < orders; nth++) {
    const lines = Array.from({ length: 1 + below(coin() ? 3 : 20) }, () => {
      const [unitPriceCents, quantity] = [1 + upTo(50_000), 1 + upTo(100)]
      const reductionCents = coin() ? 0 : below(unitPriceCents * quantity - quantity + 1)
      return { unitPriceCents, quantity, reductionCents, taxClass: pickRandom([...taxClasses], random) }
    })
    const amounts = lines.map(({ unitPriceCents, quantity, reductionCents, taxClass }) => ({
      amountCents: unitPriceCents * quantity - reductionCents,
      taxClass,
    }))
    const rates = { standard: upTo(300_000), reduced: upTo(150_000), zero: 0 }
    const terms: TaxTerms = { kind: pickRandom([...taxKinds], random), pricesIncludeTax: coin(), rates, sentence: null }
    const deliveryCents = coin() ? 0 : upTo(10_000)
    const said = () => JSON.stringify({ lines, terms, deliveryCents })

    const charges = computeOrderCharges(amounts, deliveryCents, terms)
    const { totalCents, goodsCents } = orderTotals(lines, charges)
    const tax = computeTax({ lines: amounts, deliveryCents }, terms)
    const charged = charges.lines.map(({ amountCents, includedTaxCents, taxCents }) => amountCents - includedTaxCents + taxCents)
    assert.equal(totalCents, tax.totalCents, said())
    assert.equal(totalCents, goodsCents + chargedBesideGoods(charges), said())
    assert.equal(totalCents, sum(charged) + tax.deliveryNetCents + tax.deliveryTaxCents, said())
    assert.equal(sum(charges.taxes.map(({ taxCents }) => taxCents)), charges.taxCents, said())
    if (terms.kind !== 'none') assert.equal(sum(charges.taxes.map(({ netCents, taxCents }) => netCents + taxCents)), totalCents, said())
    assert.ok(
      charged.every((cents, at) => cents >= 0 && (charges.lines[at]?.taxCents ?? -1) >= 0),
      said(),
    )
    if (terms.pricesIncludeTax && charges.taxCents > 0) assert.equal(totalCents, goodsCents + deliveryCents, said())

    const order = { deliveryCents, taxTerms: charges.terms }
    const rows = amounts.map(({ amountCents, taxClass }, at) => ({ _id: `${at}`, totalCents: amountCents, taxClass }))
    assert.equal(chargesOfRest(order, rows).order.totalCents, totalCents, said())
    const kept = rows.filter((_, at) => at > 0)
    const rest = chargesOfRest(order, kept)
    const restCharged = sum(
      kept.map((row, at) => row.totalCents - (rest.lines[at]?.includedTaxCents ?? 0) + (rest.lines[at]?.taxCents ?? 0)),
    )
    assert.ok(rest.order.totalCents >= restCharged, said())
    const dearer = { ...order, deliveryCents: deliveryCents + (coin() ? 0 : upTo(5000)) } // as where it was free from an amount on
    assert.ok(chargesOfRestUpTo(totalCents, dearer, kept).order.totalCents <= totalCents, said())

    const [{ quantity } = { quantity: 1 }] = lines
    const line = { chargedCents: charged[0] ?? 0, quantity }
    const parts = Array.from({ length: quantity }, (_, piece) => costOfFirstPieces(line, piece + 1) - costOfFirstPieces(line, piece))
    assert.ok(sum(parts) === line.chargedCents && parts.every((part) => part >= 0), said())
    lineCount += lines.length
  }
  t.diagnostic(`${orders} orders of ${lineCount} lines`)
})
