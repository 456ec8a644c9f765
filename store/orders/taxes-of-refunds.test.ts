import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { taxClasses } from '#store/catalogue/tax-class.ts'
import type { TaxTerms } from '#store/tax/compute-tax.ts'
import { chargesOfRest } from './order-charges.ts'
import { taxesOfRefunds } from './taxes-of-refunds.ts'

const rates: TaxTerms['rates'] = { standard: 190_000, reduced: 70_000, zero: 0 }
const net: TaxTerms = { kind: 'domestic', pricesIncludeTax: false, rates, sentence: null }
type Amount = { totalCents: number; taxClass: (typeof taxClasses)[number] }

/** An order of these lines, with what goes back of each. */
function refunded(amounts: Amount[], deliveryCents: number, terms: TaxTerms, back: (charged: number, nth: number) => number) {
  const charges = chargesOfRest(
    { deliveryCents, taxTerms: terms },
    amounts.map((amount, nth) => ({ _id: `${nth}`, ...amount })),
  )
  const lines = amounts.map(({ totalCents, taxClass }, nth) => {
    const { includedTaxCents = 0, taxCents = 0 } = charges.lines[nth] ?? {}
    const chargedCents = totalCents - includedTaxCents + taxCents
    return { chargedCents, taxClass, inTotal: true, refundedCents: back(chargedCents, nth) }
  })
  const chargedDelivery = charges.order.totalCents - sum(lines.map(({ chargedCents }) => chargedCents))
  return { order: charges.order, lines, chargedDelivery }
}
const sum = (cents: number[]) => cents.reduce((total, each) => total + each, 0)

test('the tax that goes back is of the rates of the lines, of those of the delivery, and of what is left of each for other amounts', () => {
  const amounts: Amount[] = [
    { totalCents: 10_000, taxClass: 'standard' },
    { totalCents: 10_000, taxClass: 'reduced' },
  ]
  const { order, lines } = refunded(amounts, 1000, net, (charged, nth) => (nth === 0 ? charged / 2 : 0))
  const taxesOf = (refundedCents: number, refundedDeliveryCents: number) =>
    taxesOfRefunds({ taxes: order.taxes, refundedCents, refundedDeliveryCents }, lines, net)
  assert.deepEqual(taxesOf(5950, 0), [{ ratePpm: 190_000, netCents: 5000, taxCents: 950 }])
  assert.deepEqual(taxesOf(5950 + 1130, 1130), [
    { ratePpm: 190_000, netCents: 5500, taxCents: 1045 },
    { ratePpm: 70_000, netCents: 500, taxCents: 35 },
  ])
  assert.deepEqual(
    taxesOf(5950 + 1130 + 1000, 1130).map(({ netCents, taxCents }) => netCents + taxCents),
    [6545 + 357, 535 + 643],
    'in proportion to 5950 and 10,700 that are left',
  )
  assert.deepEqual(taxesOfRefunds({ taxes: [], refundedCents: 100, refundedDeliveryCents: 0 }, lines, null), [])
})

test('whatever goes back, its taxes add up to it and are no more than was paid at each rate; with all of the money all of the tax', () => {
  const line = fc.record({
    totalCents: fc.integer({ min: 1, max: 100_000 }),
    taxClass: fc.constantFrom(...taxClasses),
    back: fc.nat({ max: 100 }),
  })
  const asked = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
    delivery: fc.nat({ max: 5000 }),
    gross: fc.boolean(),
    free: fc.nat({ max: 100 }),
  })
  fc.assert(
    fc.property(asked, ({ lines: askedLines, delivery, gross, free }) => {
      const terms = { ...net, pricesIncludeTax: gross }
      const { order, lines, chargedDelivery } = refunded(askedLines, delivery, terms, (charged, nth) =>
        Math.floor((charged * (askedLines[nth]?.back ?? 0)) / 100),
      )
      const refundedDeliveryCents = free % 2 ? chargedDelivery : 0
      const ofParts = sum(lines.map(({ refundedCents }) => refundedCents)) + refundedDeliveryCents
      const refundedCents = ofParts + Math.floor(((order.totalCents - ofParts) * free) / 100)
      const taxes = taxesOfRefunds({ taxes: order.taxes, refundedCents, refundedDeliveryCents }, lines, terms)
      if (order.taxCents > 0) assert.equal(sum(taxes.map(({ netCents, taxCents }) => netCents + taxCents)), refundedCents)
      for (const { ratePpm, netCents, taxCents } of taxes) {
        const paid = order.taxes.find((tax) => tax.ratePpm === ratePpm)
        assert.ok(
          paid && netCents >= 0 && taxCents >= 0 && taxCents <= paid.taxCents && netCents + taxCents <= paid.netCents + paid.taxCents,
        )
      }
      const all = taxesOfRefunds({ taxes: order.taxes, refundedCents: order.totalCents, refundedDeliveryCents }, lines, terms)
      if (order.taxCents > 0)
        assert.deepEqual(
          all,
          order.taxes.filter(({ netCents, taxCents }) => netCents + taxCents > 0),
        )
    }),
    { seed: 20_261_126, numRuns: 300 },
  )
})
