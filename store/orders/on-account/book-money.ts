import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatCents } from '#shared/money.ts'
import type { User } from '#store/identity/contract.ts'
import { assertNotToCome } from '#store/orders/bank/assert-not-to-come.ts'
import { insertTransferPayment } from '#store/orders/bank/book-entry.ts'
import { insertEntryByHand } from '#store/orders/bank/entry-by-hand.ts'
import { bankAssignments } from '#store/orders/bank/table.ts'
import { appendEvent } from '#store/orders/order-history.ts'
import { findOrderIdOfLine } from '#store/orders/order-queries.ts'
import { lockOrder, type OrderRow } from '#store/orders/rules.ts'
import type { BookingFields } from './contract.ts'
import { balanceOf, findAskedPaybacks } from './paybacks.ts'
import { appendPayback, settlePayback } from './settle-payback.ts'

/** Money of orders on account that has come or gone by bank, as the owner writes it down. */

type Booked = { tx: Database; order: OrderRow; doer: { actor: 'admin'; userId: string } }

/**
 * Writes down money that has come for an order on account, which its payment status follows.
 * @param id of the order, or of one of its lines
 * @returns the id of the order
 * @throws {HttpError} 404 no such order; 400 more than it owes, or a day to come; 409 it is not on account, or owes another amount than was seen
 */
export const bookPayment = (
  db: Database,
  owner: User,
  id: string,
  { amountCents, on, note, owedCentsSeen }: BookingFields,
): Promise<string> =>
  booking(db, owner, id, on, async ({ tx, order, doer }) => {
    const owedCents = Math.max(0, await balanceOf(tx, order._id))
    assertSeen(owedCents, owedCentsSeen)
    if (amountCents > owedCents) throw tooLargeError(`Order ${order.number} owes ${formatCents(owedCents)}: write down at most that`)
    const entryId = await insertEntryByHand(tx, owner, { bookedOn: on, amountCents, text: note })
    const paymentId = await insertTransferPayment(tx, order, { amountCents, isSurplus: false, bookedOn: on })
    await tx.insert(bankAssignments).values({ entryId, paymentId, amountCents, assignedBy: owner.id })
    const paid = await lockOrder(tx, order._id)
    await appendEvent(tx, paid, { event: 'paid', doer, amountCents, note: `By bank on ${on}${note && `: ${note}`}` })
  })

/**
 * Writes down that money of an order on account was transferred back, of what was asked for.
 * @throws {HttpError} like `bookPayment`
 */
export const bookPayback = (
  db: Database,
  owner: User,
  id: string,
  { amountCents, on, note, owedCentsSeen }: BookingFields,
): Promise<string> =>
  booking(db, owner, id, on, async ({ tx, order, doer }) => {
    const asked = await findAskedPaybacks(tx, order._id)
    const askedCents = asked.reduce((sum, each) => sum + each.amountCents, 0)
    assertSeen(askedCents, owedCentsSeen)
    if (amountCents > askedCents)
      throw tooLargeError(`${formatCents(askedCents)} of order ${order.number} are to be given back: write down at most that`)
    let rest = amountCents
    for (const refund of asked) {
      const cents = Math.min(rest, refund.amountCents)
      if (cents > 0) await settlePayback(tx, refund, cents, { doneOn: on, doneBy: owner.id })
      rest -= cents
    }
    await appendPayback(tx, order, { amountCents, doneOn: on, note, doer })
  })

async function booking(db: Database, owner: User, id: string, on: string, book: (booked: Booked) => Promise<void>): Promise<string> {
  const orderId = await findOrderIdOfLine(db, id)
  assertNotToCome('on', on)
  await db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order.paymentMethod !== 'on_account')
      throw new HttpError(409, `Order ${order.number} is not on account`, undefined, { code: 'order_not_on_account' })
    await book({ tx, order, doer: { actor: 'admin', userId: owner.id } })
  })
  return orderId
}

function assertSeen(cents: number, seen: number | undefined): void {
  if (seen === undefined || seen === cents) return
  throw new HttpError(409, `Meanwhile it is ${formatCents(cents)}: look at it again`, undefined, { code: 'amount_changed' })
}

const tooLargeError = (message: string) => new HttpError(400, message, { amountCents: message }, { code: 'amount_too_large' })
