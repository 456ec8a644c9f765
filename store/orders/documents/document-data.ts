import type { Cents } from '#shared/money.ts'
import type { PostalAddress } from '#shared/postal-address.ts'
import { splitInProportion } from '#shared/split-in-proportion.ts'
import type { OrderDetails } from '#store/orders/details/contract.ts'
import type { BankAccount } from '#store/orders/payment-methods/contract.ts'
import type { LineRow, OrderRow } from '#store/orders/rules.ts'
import type { refundLines } from '#store/orders/table.ts'
import { type ComputedTax, isUntaxed, type RatePpm, type TaxKind } from '#store/tax/compute-tax.ts'
import type { DocumentKind, Seller } from './contract.ts'

/** A row of a document. `price`: money of a product, or of all, that goes back without pieces. Amounts are what the buyer pays, or gets back. */
export type DocumentLine = {
  kind: 'goods' | 'delivery' | 'price'
  /** of `order_lines`; null: of none */
  orderLineId: string | null
  name: string
  sku: string | null
  mpn: string | null
  /** the buyer's own number of the product */
  partNumber: string | null
  quantity: number
  /** at a price as the shop shows it, with or without tax; null: there is none, or the amounts do not follow from it */
  unitPriceCents: Cents | null
  reductionCents: Cents
  reductionReason: string | null
  ratePpm: RatePpm
  netCents: Cents
  taxCents: Cents
}

/** A buyer as documents name them. */
export type DocumentBuyer = {
  name: string
  company: string | null
  vatId: string | null
  /** null: the order has a text for it, which is in `addressText` */
  address: PostalAddress | null
  addressText: string | null
}

type Rates = ComputedTax['byRate']

/** All that a document says, as it was when it was issued. */
export type DocumentData = {
  kind: DocumentKind
  number: string
  /** the day in the shop's time zone, like the others: 2026-11-26 */
  issuedOn: string
  corrects: { number: string; kind: DocumentKind; issuedOn: string } | null
  order: { number: number; placedOn: string }
  currency: string
  seller: Seller
  buyer: DocumentBuyer
  deliverTo: { name: string; address: PostalAddress } | null
  /** the days between which the goods were promised to arrive; null: none were */
  delivery: { earliest: string; latest: string } | null
  poNumber: string | null
  buyerReference: string | null
  tax: { kind: TaxKind; sentence: string | null; pricesIncludeTax: boolean }
  lines: DocumentLine[]
  taxes: Rates
  netCents: Cents
  taxCents: Cents
  totalCents: Cents
  /** how it was paid, or where the money went back to */
  payment: { card: string | null; paidOn: string }
  /** of a document of an order on account: nothing was paid by it. The account is null where the owner has named none; of other documents it is left out */
  onAccount?: { sentOn: string; dueOn: string | null; parcel: number | null; account: BankAccount | null; reference: string }
}

export type DocumentAmounts = Pick<DocumentData, 'lines' | 'taxes' | 'netCents' | 'taxCents' | 'totalCents'>

const sumOf = <Field extends string>(rows: Record<Field, Cents>[], field: Field): Cents => rows.reduce((sum, row) => sum + row[field], 0)
const grossOf = ({ netCents, taxCents }: { netCents: Cents; taxCents: Cents }): Cents => netCents + taxCents

const amountsOf = (lines: DocumentLine[], taxes: Rates): DocumentAmounts => {
  const [netCents, taxCents] = [sumOf(taxes, 'netCents'), sumOf(taxes, 'taxCents')]
  return { lines, taxes, netCents, taxCents, totalCents: netCents + taxCents }
}

/**
 * The amounts of the invoice of an order. What of it is taxed at a rate and charged for no product is the delivery, so net and tax of the rows add
 * up to those of the rates (EN 16931, BR-S-08 and BR-CO-10).
 */
export function invoiceAmounts(order: OrderRow, rows: LineRow[], partNumbers: OrderDetails['partNumbers']): DocumentAmounts {
  const counted = rows.filter(({ isReleased }) => !isReleased)
  const taxes = order.taxes.length > 0 ? order.taxes : [{ ratePpm: 0, netCents: order.totalCents, taxCents: 0 }]
  const goods = counted.map(
    (line): DocumentLine => ({
      kind: 'goods',
      orderLineId: line._id,
      name: line.productName,
      sku: line.sku,
      mpn: line.mpn,
      partNumber: partNumbers.find(({ productId }) => productId === line.toolId)?.partNumber ?? null,
      quantity: line.quantity,
      unitPriceCents: hasPricesAsShown(order) ? line.unitPriceCents : null,
      reductionCents: hasPricesAsShown(order) ? line.reductionCents : 0,
      reductionReason: line.reductionReason,
      ratePpm: rateOf(line, order),
      netCents: line.chargedCents - line.taxCents,
      taxCents: line.taxCents,
    }),
  )
  const delivery = taxes.flatMap(({ ratePpm, netCents, taxCents }) => {
    const ofRate = goods.filter((line) => line.ratePpm === ratePpm)
    const rest = { netCents: netCents - sumOf(ofRate, 'netCents'), taxCents: taxCents - sumOf(ofRate, 'taxCents') }
    return grossOf(rest) === 0 ? [] : [{ ...plainLine('delivery', 'Delivery'), ratePpm, ...rest }]
  })
  return amountsOf([...goods, ...delivery], taxes)
}

/** From prices with tax it was taken out where there is none: then no amount is a price of the shop. */
const hasPricesAsShown = ({ taxTerms }: OrderRow) => !(taxTerms?.pricesIncludeTax && isUntaxed(taxTerms.kind))

const rateOf = ({ taxClass }: LineRow, { taxTerms }: OrderRow): RatePpm =>
  taxTerms === null || isUntaxed(taxTerms.kind) ? 0 : taxTerms.rates[taxClass ?? 'standard']

const plainLine = (kind: DocumentLine['kind'], name: string) => ({
  ...{ kind, name, orderLineId: null, sku: null, mpn: null, partNumber: null },
  ...{ quantity: 1, unitPriceCents: null, reductionCents: 0, reductionReason: null },
})

export type RefundLine = Pick<typeof refundLines.$inferSelect, 'orderLineId' | 'amountCents' | 'pieces' | 'isDelivery'>
type PartOfRefund = Omit<DocumentLine, 'netCents' | 'taxCents'> & { grossCents: Cents }

/**
 * The amounts of the credit note of a refund. What goes back of the delivery is split over the rates in proportion to what is left of it, and an
 * amount that is for nothing in particular likewise over what is left of all. The tax at a rate is the same share of all that has gone back of it
 * as it is of the invoice, less what earlier credit notes have given back, so that with all of the money all of the tax goes back.
 * @param invoice of the order
 * @param earlier the credit notes of the order that stand
 */
export function creditNoteAmounts(invoice: DocumentAmounts, earlier: DocumentAmounts[], refunded: RefundLine[]): DocumentAmounts {
  const before = earlier.flatMap(({ lines }) => lines)
  const goods = refunded.flatMap((line) => partOfProduct(invoice, line))
  const deliveryCents = sumOf(
    refunded.filter(({ isDelivery }) => isDelivery),
    'amountCents',
  )
  const delivery = splitOverRates(
    invoice,
    deliveryCents,
    (ratePpm) => grossAt(invoice, ratePpm, 'delivery') - sumGross(before, ratePpm, 'delivery'),
  )
  const freeCents = sumOf(
    refunded.filter(({ orderLineId, isDelivery }) => orderLineId === null && !isDelivery),
    'amountCents',
  )
  const named = [...goods, ...delivery.map((each) => ({ ...plainLine('delivery', 'Delivery'), ...each }))]
  const free = splitOverRates(
    invoice,
    freeCents,
    (ratePpm) => grossAt(invoice, ratePpm) - sumGross(before, ratePpm) - sumOf(named.filter(isAt(ratePpm)), 'grossCents'),
  )
  return taxed(invoice, earlier, [...named, ...free.map((each) => ({ ...plainLine('price', 'Part of the price'), ...each }))])
}

function partOfProduct({ lines }: DocumentAmounts, { orderLineId, amountCents, pieces }: RefundLine): PartOfRefund[] {
  const line = lines.find((each) => each.orderLineId !== null && each.orderLineId === orderLineId)
  if (!line || amountCents === 0) return []
  const { netCents: _net, taxCents: _tax, ...rest } = line
  const product = { ...rest, unitPriceCents: null, reductionCents: 0, reductionReason: null, grossCents: amountCents }
  return [
    pieces > 0 ? { ...product, quantity: pieces } : { ...product, kind: 'price', quantity: 1, name: `Part of the price of ${line.name}` },
  ]
}

const isAt = (ratePpm: RatePpm) => (line: { ratePpm: RatePpm }) => line.ratePpm === ratePpm

const sumGross = (lines: DocumentLine[], ratePpm: RatePpm, kind?: DocumentLine['kind']): Cents =>
  lines
    .filter((line) => line.ratePpm === ratePpm && (kind === undefined || line.kind === kind))
    .reduce((sum, line) => sum + grossOf(line), 0)

const grossAt = ({ lines }: DocumentAmounts, ratePpm: RatePpm, kind?: DocumentLine['kind']): Cents => sumGross(lines, ratePpm, kind)

/** @param leftAt what is left at a rate, which no share exceeds */
function splitOverRates({ taxes }: DocumentAmounts, amountCents: Cents, leftAt: (ratePpm: RatePpm) => Cents) {
  if (amountCents === 0) return []
  const left = taxes.map(({ ratePpm }) => Math.max(0, leftAt(ratePpm)))
  // Refunds in the provider's dashboard may be for more than is left of what they say.
  const weights =
    sumOf(
      left.map((cents) => ({ cents })),
      'cents',
    ) === 0
      ? left.map((_, nth) => (nth === 0 ? 1 : 0))
      : left
  return splitInProportion(amountCents, weights)
    .map((grossCents, nth) => ({ grossCents, ratePpm: taxes[nth]?.ratePpm ?? 0 }))
    .filter(({ grossCents }) => grossCents > 0)
}

function taxed(invoice: DocumentAmounts, earlier: DocumentAmounts[], parts: PartOfRefund[]): DocumentAmounts {
  const lines: DocumentLine[] = []
  const taxes: Rates = []
  for (const { ratePpm, netCents, taxCents } of invoice.taxes) {
    const ofRate = parts.filter(isAt(ratePpm))
    const grossCents = sumOf(ofRate, 'grossCents')
    if (grossCents === 0) continue
    const before = earlier.flatMap((note) => note.taxes).filter(isAt(ratePpm))
    const backCents = before.reduce((sum, each) => sum + grossOf(each), grossCents)
    const paidCents = netCents + taxCents
    const taxBackCents = Math.max(0, Math.round((backCents * taxCents) / paidCents) - sumOf(before, 'taxCents'))
    const shares = splitInProportion(
      taxBackCents,
      ofRate.map((part) => part.grossCents),
    )
    taxes.push({ ratePpm, netCents: grossCents - taxBackCents, taxCents: taxBackCents })
    for (const [nth, { grossCents: gross, ...part }] of ofRate.entries()) {
      const share = shares[nth] ?? 0
      lines.push({ ...part, netCents: gross - share, taxCents: share })
    }
  }
  return amountsOf(lines, taxes)
}
