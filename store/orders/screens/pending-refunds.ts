import type { OrderHistoryEntry } from '#store/orders/contract.ts'

type RefundEvent = Pick<OrderHistoryEntry, 'event' | 'amountCents'>

/** The events that record a refund request to the provider, and the events that record its outcome. */
const refundRequestEvents: ReadonlySet<OrderHistoryEntry['event']> = new Set(['refund asked', 'late payment'])
const refundOutcomeEvents: ReadonlySet<OrderHistoryEntry['event']> = new Set([
  'partly refunded',
  'refunded',
  'cancelled',
  'line cancelled',
  'refund failed',
])

/**
 * The amount of an order's requested refunds whose outcome is not in its history yet. An outcome is matched to the oldest open request of
 * the same amount; a refund that the owner made in the provider's dashboard has no request.
 * @param history oldest first
 * @returns in cents
 */
export function pendingRefundCents(history: RefundEvent[]): number {
  const open: number[] = []
  for (const { event, amountCents } of history) {
    if (amountCents === null) continue
    const index = open.indexOf(amountCents)
    if (refundRequestEvents.has(event)) open.push(amountCents)
    else if (refundOutcomeEvents.has(event) && index >= 0) open.splice(index, 1)
  }
  return open.reduce((sum, cents) => sum + cents, 0)
}

/** The history without the refund requests whose outcome is known: the outcome event makes them redundant. */
export function withoutAnsweredRefundRequests<Entry extends RefundEvent>(history: Entry[]): Entry[] {
  const outcomes = history.map((entry, index) => ({ entry, index })).filter(({ entry }) => refundOutcomeEvents.has(entry.event))
  const matched = new Set<number>()
  return history.filter((entry, index) => {
    if (entry.event !== 'refund asked') return true
    const outcome = outcomes.find((each) => each.index > index && !matched.has(each.index) && each.entry.amountCents === entry.amountCents)
    if (outcome) matched.add(outcome.index)
    return !outcome
  })
}
