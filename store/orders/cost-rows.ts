import { type Cents, formatCents } from '#shared/money.ts'
import { formatRate } from '#store/tax/rate-text.ts'
import type { OrderDetails } from './details/contract.ts'
import type { Order, OrderLine } from './order-contract.ts'

// Without zod and database: screens and mails say the same.

type CostedOrder = Pick<Order, 'goodsCents' | 'deliveryCents' | 'includedTaxCents' | 'taxCents' | 'taxes' | 'totalCents'> &
  Pick<Order, 'refundedCents' | 'refundedDeliveryCents' | 'refundedTaxes' | 'paidAt'> &
  Partial<Pick<Order, 'paymentMethod'>> & {
    lines: Pick<OrderLine, 'inTotal' | 'reductionCents' | 'reductionReason'>[]
  }

/** A row of what an order costs. `included`: the amount is a part of one that stands above it; `total`: it is the sum of what does. */
export type CostRow = { label: string; amountCents: Cents; kind: 'part' | 'included' | 'total' }

/** What was chosen at the checkout of the order; null: no checkout has placed it. */
type Chosen = Pick<OrderDetails, 'deliveryMethod'> | null

/** What an order costs and what has gone back of it, from the goods to what is kept. Each place that says what an order costs says these rows. */
export const costRows = (order: CostedOrder, chosen: Chosen): CostRow[] => [
  ...costParts(order, chosen),
  { label: order.paidAt ? 'Total paid' : 'Total', amountCents: order.totalCents, kind: 'total' },
  ...refundRows(order),
]

/**
 * What a line costs in a list of the lines of an order: before what a discount code takes off, which is one of the rows below them. So the lines add up
 * to the first row, and the rows to the total.
 */
export const listedLineCents = ({ totalCents, reductionCents }: Pick<OrderLine, 'totalCents' | 'reductionCents'>): Cents =>
  totalCents + reductionCents

/** What of that row is for a line of several: so much less of the line can go back. Null where the code takes nothing off it. */
export const reductionShareText = ({ reductionCents, reductionReason }: Pick<OrderLine, 'reductionCents' | 'reductionReason'>) =>
  reductionCents > 0 ? `${formatCents(reductionCents)} of the reduction by the code ${reductionReason}` : null

/**
 * What makes up the total of an order, beside its lines: empty where it is the sum of what they cost, nothing is taxed and no delivery was chosen. One that
 * was is said also where it is free.
 */
export function costParts(order: CostedOrder, chosen: Chosen): CostRow[] {
  const { goodsCents, deliveryCents, includedTaxCents, taxCents, taxes } = order
  const reduced = order.lines.filter(({ inTotal, reductionCents }) => inTotal && reductionCents > 0)
  const reductionCents = reduced.reduce((sum, line) => sum + line.reductionCents, 0)
  const hasDelivery = deliveryCents > 0 || Boolean(chosen?.deliveryMethod)
  if (!hasDelivery && taxes.length === 0 && reductionCents === 0) return []
  const [code] = reduced.map(({ reductionReason }) => reductionReason)
  return [
    part('Goods', goodsCents + reductionCents),
    ...(reductionCents > 0 ? [part(`Reduction by the code ${code}`, -reductionCents)] : []),
    ...(hasDelivery ? [part('Delivery', deliveryCents)] : []),
    ...(includedTaxCents > 0 && taxCents === 0 ? [part('Tax taken out of the prices', -includedTaxCents)] : []),
    ...taxRows(taxes, includedTaxCents > 0 && taxCents > 0),
  ]
}

/** The amount of a row; undefined where it costs nothing, which is said as "free". */
export const chargedCentsOf = ({ amountCents, kind }: CostRow): Cents | undefined =>
  amountCents === 0 && kind === 'part' ? undefined : amountCents

/** What has gone back, what of it was for the delivery, the tax that is in it by rate, and what is left: empty where nothing has. */
function refundRows({ totalCents, refundedCents, refundedDeliveryCents, refundedTaxes, paidAt, paymentMethod }: CostedOrder): CostRow[] {
  if (refundedCents === 0) return []
  const isOnAccount = paymentMethod === 'on_account'
  // Refunds in the provider's dashboard may leave less than was recorded for the delivery.
  const deliveryCents = Math.min(refundedDeliveryCents, refundedCents)
  return [
    part(isOnAccount ? 'Credited' : 'Refunded', -refundedCents),
    ...(deliveryCents > 0 ? [included(`including delivery${refundedTaxes.length > 0 ? ' and its tax' : ''}`, -deliveryCents)] : []),
    ...taxRows(refundedTaxes, true).map((row) => ({ ...row, amountCents: -row.amountCents })),
    isOnAccount
      ? { label: 'Total after the credit', amountCents: totalCents - refundedCents, kind: 'total' }
      : { label: 'Paid after the refund', amountCents: paidAt ? totalCents - refundedCents : 0, kind: 'total' }, // of a part, all goes back
  ]
}

const part = (label: string, amountCents: Cents): CostRow => ({ label, amountCents, kind: 'part' })
const included = (label: string, amountCents: Cents): CostRow => ({ label, amountCents, kind: 'included' })

const taxRows = (taxes: Order['taxes'], isIncluded: boolean): CostRow[] =>
  taxes
    .filter(({ taxCents }) => taxCents > 0)
    .map(({ ratePpm, netCents, taxCents }) => ({
      label: `${isIncluded ? 'including ' : ''}${formatRate(ratePpm)} tax on ${formatCents(netCents)}`,
      amountCents: taxCents,
      kind: isIncluded ? 'included' : 'part',
    }))
