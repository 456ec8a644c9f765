import { type Cents, formatCents } from '#shared/money.ts'
import { formatRate } from '#store/tax/rate-text.ts'
import type { Order } from './order-contract.ts'

// Without zod and database: screens and mails say the same.

type ChargedOrder = Pick<Order, 'goodsCents' | 'deliveryCents' | 'includedTaxCents' | 'taxCents' | 'taxes'>
/** A line of a bill between the goods and the total. `isIncluded`: the amount is a part of what stands above it. */
export type ChargeLine = { label: string; amountCents: Cents; isIncluded: boolean }

/** What makes up the total of an order, beside its lines: empty where it is their sum, and nothing is taxed. */
export function chargeLines({ goodsCents, deliveryCents, includedTaxCents, taxCents, taxes }: ChargedOrder): ChargeLine[] {
  if (deliveryCents === 0 && taxes.length === 0) return []
  const isIncluded = includedTaxCents > 0 && taxCents > 0
  return [
    { label: 'Goods', amountCents: goodsCents, isIncluded: false },
    ...(deliveryCents > 0 ? [{ label: 'Delivery', amountCents: deliveryCents, isIncluded: false }] : []),
    ...(includedTaxCents > 0 && taxCents === 0
      ? [{ label: 'Tax taken out of the prices', amountCents: -includedTaxCents, isIncluded: false }]
      : []),
    ...taxes
      .filter((tax) => tax.taxCents > 0)
      .map((tax) => ({
        label: `${isIncluded ? 'including ' : ''}${formatRate(tax.ratePpm)} tax on ${formatCents(tax.netCents)}`,
        amountCents: tax.taxCents,
        isIncluded,
      })),
  ]
}
