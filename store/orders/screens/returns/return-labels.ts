import type { Return, ReturnDecision, ReturnLine } from '#store/orders/returns/contract.ts'
import type { ReturnOutcome, ReturnReason } from '#store/orders/returns/return-reasons.ts'

/* What returns are called on screens. */

export const reasonLabels: Record<ReturnReason, string> = {
  'not wanted': 'I do not want it',
  defective: 'It does not work',
  'damaged on the way': 'It was damaged on the way',
  'wrong product': 'It is not what I ordered',
  'not as described': 'It is not as described',
  other: 'Another reason',
}

export const outcomeLabels: Record<ReturnOutcome, string> = {
  refund: 'Money back',
  replacement: 'Replacement',
  repair: 'Repair',
  refused: 'Refused',
}

/** Where a return stands, in one word or two. */
export function returnState({ status, lines }: Return): { kind: 'good' | 'bad' | 'neutral'; text: string } {
  if (status === 'taken back') return { kind: 'neutral', text: 'Cancelled by the buyer' }
  if (lines.some(({ toResend }) => toResend > 0)) return { kind: 'neutral', text: 'To be sent again' }
  if (status === 'closed') return { kind: 'good', text: 'Decided' }
  const arrived = lines.reduce((sum, line) => sum + line.arrived, 0)
  return { kind: 'neutral', text: arrived === 0 ? 'Not here yet' : 'Arrived' }
}

const refundTexts = { asked: 'on its way', pending: 'on its way', succeeded: 'given back', failed: 'did not go through' }

/** "Money back: given back", "Refused: Scratched" */
export function decisionText({ outcome, refund, hasArrived, reason }: ReturnDecision): string {
  const more = outcome === 'refund' ? (refund ? refundTexts[refund] : 'it had gone back before') : reason
  const sent = outcome === 'refused' ? (hasArrived ? ' It is sent back.' : ' It is not to be sent.') : ''
  return `${outcomeLabels[outcome]}${more ? `: ${more}${sent && '.'}` : ''}${sent}`
}

/** Where pieces went that stayed here, after the words of `decisionText`. */
export const stockText = ({ outcome, isRestocked }: ReturnDecision): string =>
  outcome === 'refund' || outcome === 'replacement' ? (isRestocked ? ', into stock' : ', written off') : ''

export const undecided = ({ quantity, decisions }: ReturnLine): number =>
  quantity - decisions.reduce((sum, decision) => sum + decision.quantity, 0)
