import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { taxClasses } from '#store/catalogue/tax-class.ts'
import { chargesOfRest } from '#store/orders/order-charges.ts'
import type { LineRow, OrderRow } from '#store/orders/rules.ts'
import { type TaxTerms, taxKinds } from '#store/tax/compute-tax.ts'
import { amountsLeft } from './amounts-left.ts'
import { creditNoteAmounts, invoiceAmounts, type RefundLine } from './document-data.ts'

const sum = (cents: number[]) => cents.reduce((total, each) => total + each, 0)
const rates: TaxTerms['rates'] = { standard: 190_000, reduced: 70_000, zero: 0 }
type Product = { totalCents: number; taxClass: (typeof taxClasses)[number] }

/** A paid order of these products, and its invoice. */
function invoiceOf(products: Product[], deliveryCents: number, terms: TaxTerms | null) {
  const rows = products.map((product, nth) => ({ _id: `${nth}`, ...product }))
  const { order, lines } = chargesOfRest({ deliveryCents, taxTerms: terms }, rows)
  const lineRows = rows.map((row, nth) => {
    const { includedTaxCents = 0, taxCents = 0 } = lines[nth] ?? {}
    const charged = { includedTaxCents, taxCents, chargedCents: row.totalCents - includedTaxCents + taxCents }
    return {
      ...row,
      ...charged,
      productName: `Product ${row._id}`,
      quantity: 1,
      unitPriceCents: row.totalCents,
      reductionCents: 0,
      isReleased: false,
    }
  }) as unknown as LineRow[]
  return { order, lineRows, invoice: invoiceAmounts({ ...order, taxTerms: terms } as OrderRow, lineRows, []) }
}

type Amounts = ReturnType<typeof invoiceAmounts>

/** Rows and rates add up to the document, and the rows of a rate to the rate (EN 16931: BR-CO-10, BR-CO-13, BR-CO-15, BR-S-08). */
function assertAddsUp({ lines, taxes, netCents, taxCents, totalCents }: Amounts, said: () => string) {
  assert.equal(netCents + taxCents, totalCents, said())
  for (const { ratePpm, ...rate } of taxes) {
    const ofRate = lines.filter((line) => line.ratePpm === ratePpm)
    assert.deepEqual(
      { netCents: sum(ofRate.map((line) => line.netCents)), taxCents: sum(ofRate.map((line) => line.taxCents)) },
      rate,
      said(),
    )
  }
  assert.equal(sum(taxes.map((rate) => rate.netCents + rate.taxCents)), totalCents, said())
  assert.equal(sum(lines.map((line) => line.netCents + line.taxCents)), totalCents, said())
  assert.ok(
    lines.every((line) => line.netCents >= 0 && line.taxCents >= 0 && taxes.some(({ ratePpm }) => ratePpm === line.ratePpm)),
    said(),
  )
}

const product = fc.record({ totalCents: fc.integer({ min: 1, max: 100_000 }), taxClass: fc.constantFrom(...taxClasses) })
const terms = fc.record({
  kind: fc.constantFrom(...taxKinds),
  pricesIncludeTax: fc.boolean(),
  rates: fc.constant(rates),
  sentence: fc.constant(null),
})
const paidOrder = fc.record({
  products: fc.array(product, { minLength: 1, maxLength: 6 }),
  deliveryCents: fc.nat({ max: 5000 }),
  terms,
  refunds: fc.array(fc.record({ of: fc.nat(), share: fc.integer({ min: 1, max: 100 }) }), { maxLength: 6 }),
})

test('an invoice is of what the buyer pays, and what of it is for no product is the delivery, at the rates of the goods', () => {
  const { invoice } = invoiceOf(
    [
      { totalCents: 10_000, taxClass: 'standard' },
      { totalCents: 10_000, taxClass: 'reduced' },
    ],
    1000,
    { kind: 'domestic', pricesIncludeTax: false, rates, sentence: null },
  )
  assert.deepEqual(
    invoice.lines.map(({ kind, name, ratePpm, netCents, taxCents }) => [kind, name, ratePpm, netCents, taxCents]),
    [
      ['goods', 'Product 0', 190_000, 10_000, 1900],
      ['goods', 'Product 1', 70_000, 10_000, 700],
      ['delivery', 'Delivery', 190_000, 500, 95],
      ['delivery', 'Delivery', 70_000, 500, 35],
    ],
  )
  assert.deepEqual([invoice.netCents, invoice.taxCents, invoice.totalCents], [21_000, 2730, 23_730])
})

test('whatever is ordered and goes back in whatever parts, each document adds up, and once all has gone back the credit notes are the invoice', () => {
  fc.assert(
    fc.property(paidOrder, ({ products, deliveryCents, terms, refunds }) => {
      const said = () => JSON.stringify({ products, deliveryCents, terms, refunds })
      const { order, lineRows, invoice } = invoiceOf(products, deliveryCents, terms.kind === 'none' ? null : terms)
      assert.equal(invoice.totalCents, order.totalCents, said())
      assertAddsUp(invoice, said)

      const left = lineRows.map(({ chargedCents }) => chargedCents)
      const chargedDelivery = order.totalCents - sum(left)
      left.push(chargedDelivery)
      const notes: Amounts[] = []
      const giveBack = (lines: RefundLine[]) => {
        const note = creditNoteAmounts(invoice, notes, lines)
        assertAddsUp(note, said)
        assert.equal(note.totalCents, sum(lines.map(({ amountCents }) => amountCents)), said())
        notes.push(note)
      }
      const refundLine = (nth: number, amountCents: number): RefundLine => ({
        orderLineId: lineRows[nth]?._id ?? null,
        ...{ amountCents, pieces: 0, restock: 0, isDelivery: nth === lineRows.length },
      })
      for (const { of, share } of refunds) {
        const nth = of % left.length
        const amountCents = Math.floor(((left[nth] ?? 0) * share) / 100)
        if (amountCents === 0) continue
        left[nth] = (left[nth] ?? 0) - amountCents
        giveBack([refundLine(nth, amountCents)])
      }
      giveBack(left.map((amountCents, nth) => refundLine(nth, amountCents)).filter(({ amountCents }) => amountCents > 0))
      for (const { ratePpm, netCents, taxCents } of invoice.taxes) {
        const back = notes.flatMap(({ taxes }) => taxes).filter((rate) => rate.ratePpm === ratePpm)
        assert.deepEqual([sum(back.map((rate) => rate.netCents)), sum(back.map((rate) => rate.taxCents))], [netCents, taxCents], said())
      }
    }),
    { numRuns: 300, seed: 5 },
  )
})

test('whatever goes back before and after a correction, the two documents of it are what is left, by rate and row', () => {
  const freeRefunds = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 2 })
  let corrections = 0
  fc.assert(
    fc.property(paidOrder, freeRefunds, ({ products, deliveryCents, terms, refunds }, free) => {
      const said = () => JSON.stringify({ products, deliveryCents, terms, refunds, free })
      const { lineRows, invoice } = invoiceOf(products, deliveryCents, terms.kind === 'none' ? null : terms)
      const notes: Amounts[] = []
      const leftCents = lineRows.map(({ chargedCents }) => chargedCents)
      for (const { of, share } of refunds) {
        const nth = of % leftCents.length
        const amountCents = Math.floor(((leftCents[nth] ?? 0) * share) / 100)
        if (amountCents === 0) continue
        leftCents[nth] = (leftCents[nth] ?? 0) - amountCents
        notes.push(
          creditNoteAmounts(invoice, notes, [
            { orderLineId: lineRows[nth]?._id ?? null, amountCents, pieces: 0, restock: 0, isDelivery: false },
          ]),
        )
      }
      for (const share of free) {
        const rest = invoice.totalCents - sum(notes.map(({ totalCents }) => totalCents))
        const amountCents = Math.floor((rest * share) / 100)
        if (amountCents > 0)
          notes.push(creditNoteAmounts(invoice, notes, [{ orderLineId: null, amountCents, pieces: 0, restock: 0, isDelivery: false }]))
      }
      const restCents = invoice.totalCents - sum(notes.map(({ totalCents }) => totalCents))
      const left = amountsLeft(invoice, notes)
      if (restCents === 0) return assert.equal(left, null, said())
      if (!left) return assert.fail(said())
      corrections++
      assert.equal(left.totalCents, restCents, said())
      assertAddsUp(left, said)
      assert.ok(
        left.lines.every(({ quantity }) => quantity > 0),
        said(),
      )
      for (const { ratePpm, netCents, taxCents } of invoice.taxes) {
        const at = (documents: Amounts[]) => documents.flatMap(({ taxes }) => taxes).filter((rate) => rate.ratePpm === ratePpm)
        const backAtRate: Amounts['taxes'] = at(notes)
        const leftAtRate: Amounts['taxes'] = at([left])
        assert.deepEqual(
          [netCents - sum(backAtRate.map((rate) => rate.netCents)), taxCents - sum(backAtRate.map((rate) => rate.taxCents))],
          [sum(leftAtRate.map((rate) => rate.netCents)), sum(leftAtRate.map((rate) => rate.taxCents))],
          said(),
        )
      }
      const all = creditNoteAmounts(
        left,
        [],
        left.lines
          .map((line) => ({
            orderLineId: line.orderLineId,
            amountCents: line.netCents + line.taxCents,
            pieces: 0,
            restock: 0,
            isDelivery: line.kind === 'delivery',
          }))
          .filter(({ orderLineId, isDelivery }) => orderLineId !== null || isDelivery)
          .reduce(mergeDelivery, []),
      )
      assert.deepEqual([all.netCents, all.taxCents], [left.netCents, left.taxCents], said())
    }),
    { numRuns: 300, seed: 7 },
  )
  assert.ok(corrections > 200, `${corrections} corrections`)
})

/** A refund has one row for the delivery, whatever its rates. */
const mergeDelivery = (rows: RefundLine[], row: RefundLine): RefundLine[] => {
  const at = rows.findIndex(({ isDelivery }) => isDelivery && row.isDelivery)
  const before = rows[at]
  return before ? rows.with(at, { ...before, amountCents: before.amountCents + row.amountCents }) : [...rows, row]
}

test('rows of which more went back at a rate than was billed leave no negative amount in what is left', () => {
  const { invoice, lineRows } = invoiceOf(
    [
      { totalCents: 1000, taxClass: 'standard' },
      { totalCents: 1000, taxClass: 'reduced' },
    ],
    0,
    { kind: 'domestic', pricesIncludeTax: true, rates, sentence: null },
  )
  const none = { pieces: 0, restock: 0, isDelivery: false }
  const free = creditNoteAmounts(invoice, [], [{ ...none, orderLineId: null, amountCents: 1000 }])
  const ofLine = creditNoteAmounts(invoice, [free], [{ ...none, orderLineId: lineRows[0]?._id ?? null, amountCents: 700 }])
  const left = amountsLeft(invoice, [free, ofLine]) ?? assert.fail()
  assertAddsUp(left, () => JSON.stringify(left))
  assert.deepEqual(
    left.lines.map(({ name, netCents, taxCents }) => [name, netCents + taxCents]),
    [['Product 1', 300]],
  )
})

test('pieces that went back are none of the row that is left, and a price without pieces is the rest of a price', () => {
  const { invoice, lineRows } = invoiceOf([{ totalCents: 3000, taxClass: 'standard' }], 0, {
    kind: 'domestic',
    pricesIncludeTax: true,
    rates,
    sentence: null,
  })
  const [row = assert.fail()] = invoice.lines
  const billed = { ...invoice, lines: [{ ...row, quantity: 3, unitPriceCents: 1000 }] }
  const giveBack = (pieces: number, amountCents: number) =>
    amountsLeft(billed, [
      creditNoteAmounts(billed, [], [{ orderLineId: lineRows[0]?._id ?? null, pieces, restock: 0, amountCents, isDelivery: false }]),
    ])
  const shown = (left: Amounts | null) =>
    left?.lines.map(({ kind, name, quantity, unitPriceCents }) => [kind, name, quantity, unitPriceCents])
  assert.deepEqual(shown(giveBack(1, 1000)), [['goods', 'Product 0', 2, 1000]])
  assert.deepEqual(shown(giveBack(1, 900)), [['goods', 'Product 0', 2, null]])
  assert.deepEqual(shown(giveBack(3, 2500)), [['price', 'Rest of the price of Product 0', 1, null]])
})

test('an amount that is for nothing in particular is split over what is left of each rate, with its tax', () => {
  const { invoice } = invoiceOf(
    [
      { totalCents: 10_000, taxClass: 'standard' },
      { totalCents: 10_000, taxClass: 'reduced' },
    ],
    0,
    { kind: 'domestic', pricesIncludeTax: true, rates, sentence: null },
  )
  const note = creditNoteAmounts(invoice, [], [{ orderLineId: null, amountCents: 1000, pieces: 0, restock: 0, isDelivery: false }])
  assert.deepEqual(
    note.lines.map(({ name, ratePpm, netCents, taxCents }) => [name, ratePpm, netCents + taxCents, taxCents]),
    [
      ['Part of the price', 190_000, 500, 80],
      ['Part of the price', 70_000, 500, 33],
    ],
  )
})

test('more money than is left of an invoice whose first rate is of nothing is credited without tax', () => {
  const goods = { kind: 'goods', name: 'Gift', sku: null, mpn: null, partNumber: null, quantity: 1, unitPriceCents: null } as const
  const line = { ...goods, reductionCents: 0, reductionReason: null }
  const taxes = [
    { ratePpm: 0, netCents: 0, taxCents: 0 },
    { ratePpm: 190_000, netCents: 100, taxCents: 19 },
  ]
  const lines = taxes.map((rate, nth) => ({ ...line, ...rate, orderLineId: `${nth}` }))
  const invoice = { lines, taxes, netCents: 100, taxCents: 19, totalCents: 119 }
  const refunded = { orderLineId: null, amountCents: 5, pieces: 0, restock: 0, isDelivery: false }
  const note = creditNoteAmounts(invoice, [invoice], [refunded])
  assert.deepEqual([note.netCents, note.taxCents, note.totalCents], [5, 0, 5])
})
