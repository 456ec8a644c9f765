import { type Cents, lineTotal } from '#shared/money.ts'
import { splitInProportion } from '#shared/split-in-proportion.ts'

type PricedLine = { unitPriceCents: Cents; quantity: number; reductionCents?: Cents }
/** What is charged beside the goods: see the columns of `orders`. */
export type OrderCharges = { deliveryCents: Cents; includedTaxCents: Cents; taxCents: Cents }

export const noCharges: OrderCharges = { deliveryCents: 0, includedTaxCents: 0, taxCents: 0 }

/** The amounts of an order, in cents. */
export function orderTotals(lines: PricedLine[], { deliveryCents, includedTaxCents, taxCents }: OrderCharges = noCharges) {
  const goodsCents = lines.reduce((sum, line) => sum + lineTotal(line.unitPriceCents, line.quantity) - (line.reductionCents ?? 0), 0)
  const totalCents = goodsCents + deliveryCents - includedTaxCents + taxCents
  return { goodsCents, deliveryCents, includedTaxCents, taxCents, totalCents }
}

/** What the first `pieces` of a line's pieces have cost, in cents rounded half up: refunds of all of them add up to the whole line. */
export const costOfFirstPieces = ({ chargedCents, quantity }: { chargedCents: number; quantity: number }, pieces: number): number =>
  Math.round((chargedCents * pieces) / quantity)

/**
 * Shares an amount out to lines in proportion to what is left of each, by largest remainder: the shares add up to the amount, and none is
 * more than is left.
 * @param left cents left of each line
 * @throws {RangeError} the amount is more than is left of all
 */
export function splitAmountOverLines(amountCents: number, left: number[]): number[] {
  const total = left.reduce((sum, cents) => sum + cents, 0)
  if (amountCents > total) throw new RangeError(`${amountCents} cents cannot be shared out to ${total}`)
  return splitInProportion(amountCents, left)
}
