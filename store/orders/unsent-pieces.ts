import type { OrderLine } from './order-contract.ts'

/* Pieces of a paid line that went back into stock before they were sent, and so are not sent any more. The database counts likewise: `unsent_for_good`. */

type CountedLine = Pick<OrderLine, 'quantity' | 'sent' | 'cancelled' | 'restocked' | 'returnedRestocked'>

const unsentForGood = ({ cancelled, restocked, returnedRestocked }: CountedLine, restock = 0): number =>
  Math.max(cancelled, restocked + restock - returnedRestocked)

/** How many pieces of a line of a paid order are back in stock unsent, beside those that were cancelled. */
export const takenOffDelivery = (line: CountedLine): number =>
  Math.max(0, Math.min(unsentForGood(line), line.quantity - line.sent) - line.cancelled)

/** How many pieces of a line of a paid order are not sent any more, for whatever reason. */
export const notSentAnyMore = (line: CountedLine & Pick<OrderLine, 'chargedCents' | 'refundedCents'>): number =>
  line.chargedCents > 0 && line.refundedCents === line.chargedCents ? line.quantity - line.sent : line.cancelled + takenOffDelivery(line)

/** How many pieces that are to be sent come off the delivery when so many go back into stock without a return. */
export const comingOffDelivery = (line: CountedLine & Pick<OrderLine, 'toSend'>, restock: number): number =>
  Math.min(line.toSend, unsentForGood(line, restock) - unsentForGood(line))
