import { formatNumber } from '#shared/format-number.ts'
import type { Cents } from '#shared/money.ts'
import type { PostalAddress } from '#shared/postal-address.ts'
import { splitInProportion } from '#shared/split-in-proportion.ts'
import type { OrderDetails } from '#store/orders/details/contract.ts'
import type { BankAccount } from '#store/orders/payment-methods/contract.ts'
import type { LineRow, OrderRow } from '#store/orders/rules.ts'
import type { PaymentMethod } from '#store/orders/statuses.ts'
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

/** The days on which the goods were sent, or between which they were promised to arrive; where neither is known, the month of the invoice. */
export type Supply = { from: string; to: string; by: 'sent' | 'promise' | 'month' }

/** All that a document says, as it was when it was issued. */
export type DocumentData = {
  /** a pro forma is none of the documents that are kept */
  kind: DocumentKind | 'pro forma'
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
  /** undefined in documents from before it was kept: see `supplyOf` */
  supply?: Supply
  /** of the credit note and of the invoice that are issued together, as the words of an invoice were wrong: no money moves */
  isCorrection?: true
  poNumber: string | null
  buyerReference: string | null
  tax: { kind: TaxKind; sentence: string | null; pricesIncludeTax: boolean }
  lines: DocumentLine[]
  taxes: Rates
  netCents: Cents
  taxCents: Cents
  totalCents: Cents
  /** how it was paid, or where the money went back to */
  payment: {
    card: string | null
    /** of a pro forma the last day to pay */
    paidOn: string
    /** by which it was paid; undefined: by card, before there were others */
    method?: PaymentMethod
    /** what of the total was not paid, as an owner has accepted less; left out where all was */
    writtenOffCents?: Cents
    /** where a pro forma is to be transferred to; null: the shop names no account */
    transfer?: { holder: string; iban: string; bic: string; bankName: string; reference: string } | null
  }
  /** of a document of an order on account: nothing was paid by it. The account is null where the owner has named none; of other documents it is left out */
  onAccount?: { sentOn: string; dueOn: string | null; parcel: number | null; account: BankAccount | null; reference: string }
}

export type DocumentAmounts = Pick<DocumentData, 'lines' | 'taxes' | 'netCents' | 'taxCents' | 'totalCents'>

export const sumOf = <Field extends string>(rows: Record<Field, Cents>[], field: Field): Cents =>
  rows.reduce((sum, row) => sum + row[field], 0)
export const grossOf = ({ netCents, taxCents }: { netCents: Cents; taxCents: Cents }): Cents => netCents + taxCents

export const amountsOf = (lines: DocumentLine[], taxes: Rates): DocumentAmounts => {
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

export type RefundLine = Pick<typeof refundLines.$inferSelect, 'orderLineId' | 'amountCents' | 'pieces' | 'restock' | 'isDelivery'>
type PartOfRefund = Omit<DocumentLine, 'netCents' | 'taxCents'> & { grossCents: Cents }

/**
 * The amounts of the credit note of a refund. What goes back of the delivery is split over the rates in proportion to what is left of it, and an
 * amount that is for nothing in particular likewise over what is left of all. The tax at a rate is the same share of all that has gone back of it
 * as it is of the invoice, less what earlier credit notes have given back, so that with all of the money all of the tax goes back.
 * @param invoice what is billed for the order
 * @param earlier the credit notes for it that stand
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

function partOfProduct({ lines }: DocumentAmounts, { orderLineId, amountCents, pieces, restock }: RefundLine): PartOfRefund[] {
  const line = lines.find(isOfLine(orderLineId))
  if (!line || amountCents === 0) return []
  const { netCents: _net, taxCents: _tax, ...rest } = line
  const product = { ...rest, unitPriceCents: null, reductionCents: 0, reductionReason: null, grossCents: amountCents }
  const quantity = pieces > 0 || !isCostOf(line, restock, amountCents) ? pieces : restock
  if (quantity > 0 && line.kind === 'goods') return [{ ...product, quantity }]
  const what = restock > 0 ? `${formatNumber(restock)} x ${line.name}` : line.name
  return [{ ...product, kind: 'price', quantity: 1, name: line.kind === 'goods' ? `Part of the price of ${what}` : line.name }]
}

export const isOfLine =
  (orderLineId: string | null) =>
  (line: DocumentLine): boolean =>
    orderLineId !== null && line.orderLineId === orderLineId

/** Whether an amount is what pieces of a row cost, which may be a cent away from their share. */
const isCostOf = (line: DocumentLine, pieces: number, amountCents: Cents): boolean =>
  Math.abs(amountCents - (grossOf(line) * pieces) / line.quantity) <= 1

/** The price of some pieces of a row, and what a code has taken off them: none where their amount does not follow from it. */
export function priceOfPart(
  line: DocumentLine,
  part: Pick<DocumentLine, 'quantity' | 'netCents' | 'taxCents'>,
): Pick<DocumentLine, 'unitPriceCents' | 'reductionCents' | 'reductionReason'> {
  const { unitPriceCents, reductionReason } = line
  const none = { unitPriceCents: null, reductionCents: 0, reductionReason: null }
  if (unitPriceCents === null) return none
  const isWithTax = unitPriceCents * line.quantity - line.reductionCents === grossOf(line)
  const reductionCents = unitPriceCents * part.quantity - (isWithTax ? grossOf(part) : part.netCents)
  if (reductionCents === 0) return { ...none, unitPriceCents }
  return line.reductionCents > 0 && reductionCents > 0 ? { unitPriceCents, reductionCents, reductionReason } : none
}

export const isAt = (ratePpm: RatePpm) => (line: { ratePpm: RatePpm }) => line.ratePpm === ratePpm

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
    const taxBackCents = Math.max(0, (paidCents === 0 ? 0 : Math.round((backCents * taxCents) / paidCents)) - sumOf(before, 'taxCents'))
    const shares = splitInProportion(
      taxBackCents,
      ofRate.map((part) => part.grossCents),
    )
    taxes.push({ ratePpm, netCents: grossCents - taxBackCents, taxCents: taxBackCents })
    for (const [nth, { grossCents: gross, ...part }] of ofRate.entries()) {
      const share = shares[nth] ?? 0
      const row = { ...part, netCents: gross - share, taxCents: share }
      const billed = part.kind === 'goods' ? invoice.lines.find(isOfLine(part.orderLineId)) : undefined
      lines.push(billed ? { ...row, ...priceOfPart(billed, row) } : row)
    }
  }
  return amountsOf(lines, taxes)
}
