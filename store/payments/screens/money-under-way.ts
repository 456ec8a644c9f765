import type { HistoryLine } from '#store/orders/contract.ts'

type Line = Pick<HistoryLine, 'event' | 'amountCents'>

/** What tells of money that the store has asked the provider to give back, and what tells how that ended. */
const asks: ReadonlySet<HistoryLine['event']> = new Set(['refund asked', 'late payment'])
const ends: ReadonlySet<HistoryLine['event']> = new Set(['partly refunded', 'refunded', 'cancelled', 'refund failed'])

/**
 * How much of an order's money the store has asked to give back without an answer from the provider so far, as its history tells it.
 * Each end belongs to an ask of the same amount; what the owner gives back at the provider's own site was never asked here.
 * @param history oldest first
 * @returns in cents
 */
export function centsUnderWay(history: Line[]): number {
  const open: number[] = []
  for (const { event, amountCents } of history) {
    if (amountCents === null) continue
    const place = open.indexOf(amountCents)
    if (asks.has(event)) open.push(amountCents)
    else if (ends.has(event) && place >= 0) open.splice(place, 1)
  }
  return open.reduce((sum, cents) => sum + cents, 0)
}

/** The history without what was asked and has been answered since: the answer tells it all. */
export function withoutAnsweredAsks<Told extends Line>(history: Told[]): Told[] {
  const answers = history.map((line, place) => ({ line, place })).filter(({ line }) => ends.has(line.event))
  const taken = new Set<number>()
  return history.filter((line, place) => {
    if (line.event !== 'refund asked') return true
    const answer = answers.find((each) => each.place > place && !taken.has(each.place) && each.line.amountCents === line.amountCents)
    if (answer) taken.add(answer.place)
    return !answer
  })
}
