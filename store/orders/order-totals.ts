import { type Cents, lineTotal } from '#shared/money.ts'
import { splitInProportion } from '#shared/split-in-proportion.ts'

type PricedLine = { unitPriceCents: Cents; quantity: number; reductionCents?: Cents }

/** The amounts of an order, in cents. */
export function orderTotals(lines: PricedLine[], deliveryCents = 0, taxCents = 0) {
  const goodsCents = lines.reduce((sum, line) => sum + lineTotal(line.unitPriceCents, line.quantity) - (line.reductionCents ?? 0), 0)
  return { goodsCents, deliveryCents, taxCents, totalCents: goodsCents + deliveryCents + taxCents }
}

/** What the first `pieces` of a line's pieces have cost, in cents rounded half up: refunds of all of them add up to the whole line. */
export const costOfFirstPieces = ({ totalCents, quantity }: { totalCents: number; quantity: number }, pieces: number): number =>
  Math.round((totalCents * pieces) / quantity)

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
