import { type SQL, sql } from 'drizzle-orm'
import type { Cents } from '#shared/money.ts'
import type { TaxClass } from '#store/catalogue/tax-class.ts'
import { sellsByBasketOnlySql } from '#store/delivery/sale-terms.ts'
import { type ComputedTax, computeTax, type TaxTerms } from '#store/tax/compute-tax.ts'
import { noCharges, type OrderCharges } from './order-totals.ts'
import type { LineRow, OrderRow } from './rules.ts'

/* Delivery and tax of an order, beside its goods. */

type ChargedLine = { amountCents: Cents; taxClass: TaxClass; includedTaxCents: Cents; taxCents: Cents }

/** What is charged for these lines, which cost this after their reductions. */
export type ComputedOrderCharges = OrderCharges & { terms: TaxTerms | null; taxes: ComputedTax['byRate']; lines: ChargedLine[] }

/** Computes delivery and tax of lines. `terms` of the kind `none` tax nothing, and stand in no order. */
export function computeOrderCharges(
  lines: { amountCents: Cents; taxClass: TaxClass }[],
  deliveryCents: Cents,
  terms: TaxTerms,
  tax: ComputedTax = computeTax({ lines, deliveryCents }, terms),
): ComputedOrderCharges {
  const amountCents = lines.reduce((sum, line) => sum + line.amountCents, deliveryCents)
  return {
    deliveryCents,
    includedTaxCents: amountCents - tax.netCents,
    taxCents: tax.taxCents,
    terms: terms.kind === 'none' ? null : terms,
    taxes: tax.byRate,
    lines: lines.map((line, nth) => ({
      ...line,
      includedTaxCents: line.amountCents - (tax.lineNetCents[nth] ?? 0),
      taxCents: tax.lineTaxCents[nth] ?? 0,
    })),
  }
}

type TaxedOrder = Pick<OrderRow, 'deliveryCents' | 'taxTerms'>
type TaxedLine = Pick<LineRow, '_id' | 'totalCents' | 'taxClass'>

/**
 * What an order and each of its lines cost when these are all that is left of it: the tax is computed anew, by the terms of the order, since it
 * is rounded once on the sum of each rate.
 */
export function chargesOfRest({ deliveryCents, taxTerms }: TaxedOrder, lines: TaxedLine[]) {
  const goodsCents = lines.reduce((sum, { totalCents }) => sum + totalCents, 0)
  const amounts = lines.map(({ totalCents, taxClass }) => ({ amountCents: totalCents, taxClass: taxClass ?? 'standard' }))
  const charges = taxTerms ? computeOrderCharges(amounts, deliveryCents, taxTerms) : { ...noCharges, deliveryCents, taxes: [], lines: [] }
  const { includedTaxCents, taxCents, taxes } = charges
  return {
    order: { goodsCents, deliveryCents, includedTaxCents, taxCents, taxes, totalCents: goodsCents + chargedBesideGoods(charges) },
    lines: lines.map(({ _id }, nth) => ({
      _id,
      includedTaxCents: charges.lines[nth]?.includedTaxCents ?? 0,
      taxCents: charges.lines[nth]?.taxCents ?? 0,
    })),
  }
}

/**
 * The same, where no more may be due than before. Without a line, the delivery of the others may cost more, or be taxed at a higher rate: it
 * then costs as much less as it has to. Without delivery the rest never costs more than the whole.
 */
export function chargesOfRestUpTo(maxTotalCents: Cents, order: TaxedOrder, lines: TaxedLine[]): ReturnType<typeof chargesOfRest> {
  const chargesWith = (deliveryCents: Cents) => chargesOfRest({ ...order, deliveryCents }, lines)
  const rest = chargesWith(order.deliveryCents)
  if (rest.order.totalCents <= maxTotalCents) return rest
  let [fitting, tooMuch] = [0, order.deliveryCents]
  while (tooMuch - fitting > 1) {
    const between = Math.floor((fitting + tooMuch) / 2)
    if (chargesWith(between).order.totalCents <= maxTotalCents) fitting = between
    else tooMuch = between
  }
  return chargesWith(fitting)
}

/** What the order costs beside its goods. */
export const chargedBesideGoods = ({ deliveryCents, includedTaxCents, taxCents }: OrderCharges): Cents =>
  deliveryCents - includedTaxCents + taxCents

/** What the buyer pays for the delivery with its tax: what is charged beside the goods, and for none of the lines. */
const chargedForDelivery = (charges: ComputedOrderCharges): Cents =>
  charges.lines.reduce((rest, line) => rest + line.includedTaxCents - line.taxCents, chargedBesideGoods(charges))

/**
 * The parts of the statement that places an order which are about its charges. They were computed of what each line costs, so the order is
 * placed only if each still costs that. An order without charges has the shorter statement, and is placed only while the shop sets none.
 */
export function chargesSql(charges: ComputedOrderCharges | undefined) {
  if (!charges) return { ...emptyParts, besideGoodsCents: 0, charges: { ...noCharges, chargedDeliveryCents: 0 } }
  const { deliveryCents, includedTaxCents, taxCents, terms, taxes, lines } = charges
  const column = (values: (string | number)[], type: string): SQL => sql`, ${sql.param(values)}::${sql.raw(type)}[]`
  return {
    besideGoodsCents: chargedBesideGoods(charges),
    charges: { deliveryCents, includedTaxCents, taxCents, chargedDeliveryCents: chargedForDelivery(charges) },
    /** of `unnest`, and their names */
    askedValues: sql.join([
      ...[
        column(
          lines.map(({ amountCents }) => amountCents),
          'integer',
        ),
        column(
          lines.map(({ taxClass }) => taxClass),
          'text',
        ),
      ],
      ...[
        column(
          lines.map((line) => line.includedTaxCents),
          'integer',
        ),
        column(
          lines.map((line) => line.taxCents),
          'integer',
        ),
      ],
    ]),
    askedNames: sql`, expected_cents, tax_class, included_tax_cents, tax_cents`,
    isAsExpected: sql` and bool_and(cost_cents - reduction_cents = expected_cents)`,
    orderColumns: sql`, delivery_cents, included_tax_cents, tax_cents, tax_terms, taxes`,
    orderValues: sql`, ${deliveryCents}::integer, ${includedTaxCents}::integer, ${taxCents}::integer,
      ${terms === null ? null : JSON.stringify(terms)}::jsonb, ${JSON.stringify(taxes)}::jsonb`,
    lineColumns: sql`, tax_class, included_tax_cents, tax_cents`,
    lineValues: terms === null ? sql`, null, included_tax_cents, tax_cents` : sql`, tax_class, included_tax_cents, tax_cents`,
  }
}

const nothing = sql``
const emptyParts = {
  ...{ askedValues: nothing, askedNames: nothing, isAsExpected: sql` and not ${sellsByBasketOnlySql}` },
  ...{ orderColumns: nothing, orderValues: nothing, lineColumns: nothing, lineValues: nothing },
}
