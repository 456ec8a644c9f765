import { and, eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { conflictError, HttpError } from '#platform/http-error.ts'
import { formatNumber } from '#shared/format-number.ts'
import { type AdminLimit, enforceAdminLimit } from '#store/identity/admin-limits.ts'
import type { User } from '#store/identity/contract.ts'
import { formatItem, joinItems } from '#store/orders/order-contract.ts'
import { appendEvent } from '#store/orders/order-history.ts'
import { lockOrder } from '#store/orders/rules.ts'
import type { ReceiveReturnBody } from './admin-contract.ts'
import type { Return, ReturnLine } from './contract.ts'
import { findReturnById } from './find-returns.ts'
import { formatReturnNumber } from './return-reasons.ts'
import { returnLines } from './table.ts'

/** What is counted as arrived once more is one more mail to the buyer. */
const arrivalCorrectionLimit: AdminLimit = {
  key: 'corrections of arrived pieces by admins',
  window: { max: 60, seconds: 3600 },
  what: 'Admins who are no owners have corrected 60 returns within an hour to fewer pieces, which is as often as they can together',
}

/**
 * Writes down how many pieces of each line of a return have arrived so far, with the buyer's mail about those that are new.
 * @throws {HttpError} 404 no such return, or no line of it; 400 a line is named twice; 409 it is not open, or it has more or fewer pieces;
 *   429 admins have corrected too many
 */
export async function receiveReturn(db: Database, admin: User, id: string, { lines }: ReceiveReturnBody): Promise<Return> {
  const { orderId } = await findReturnById(db, id)
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    const asked = await findReturnById(tx, id)
    assertOpen(asked)
    const changed = lines.map(({ _id, arrived }, index) => ({ line: findLineOf(asked, _id, lines, index), arrived, index }))
    for (const { line, arrived, index } of changed) assertPossible(line, arrived, `lines.${index}.arrived`)
    const really = changed.filter(({ line, arrived }) => arrived !== line.arrived)
    if (really.length === 0) return asked
    if (really.some(({ line, arrived }) => arrived < line.arrived)) await enforceAdminLimit(tx, admin, arrivalCorrectionLimit)
    for (const { line, arrived } of really)
      await tx
        .update(returnLines)
        .set({ arrived })
        .where(and(eq(returnLines.returnId, id), eq(returnLines.orderLineId, line._id)))
    const more = really.filter(({ line, arrived }) => arrived > line.arrived)
    await appendEvent(tx, order, {
      event: 'return arrived',
      doer: { actor: 'admin', userId: admin.id },
      note: formatReturnNumber(asked.number),
      items:
        more.length > 0
          ? joinItems(more.map(({ line, arrived }) => formatItem({ ...line, quantity: arrived - line.arrived })))
          : joinItems(really.map(({ line, arrived }) => `in all ${formatItem({ ...line, quantity: arrived })}`)),
      mail: more.length > 0,
    })
    return findReturnById(tx, id)
  })
}

/** @throws {HttpError} 409 */
export function assertOpen({ status, number }: Return): void {
  if (status === 'open') return
  const why = status === 'closed' ? 'is decided already' : 'was cancelled by the buyer'
  throw conflictError(`Return ${formatReturnNumber(number)} ${why}`, 'return_not_open')
}

/** @param index of this line among all that are named @throws {HttpError} 404, or 400 where one before it is the same */
function findLineOf({ lines }: Return, _id: string, named: { _id: string }[], index: number): ReturnLine {
  const line = lines.find((line) => line._id === _id)
  if (!line) throw lineNotFoundError()
  if (named.findIndex((other) => other._id === _id) !== index) throw new HttpError(400, 'This line is named twice')
  return line
}

export const lineNotFoundError = () => new HttpError(404, 'There is no such line in this return')

function assertPossible(line: ReturnLine, arrived: number, field: string): void {
  const { productName, arrived: before, toDecide } = line
  const most = line.quantity - turnedDownOf(line)
  const decided = before - toDecide
  const message =
    arrived > most
      ? `This return is for ${formatItem({ productName, quantity: most })}: what came besides has to be asked for first`
      : arrived < decided
        ? `${formatNumber(decided)} of ${productName} ${decided === 1 ? 'is' : 'are'} decided already, so no fewer have arrived`
        : undefined
  if (message) throw conflictError(message, 'more_than_asked', { [field]: message })
}

/** Pieces that were refused before they came. */
export const turnedDownOf = ({ decisions }: ReturnLine): number =>
  decisions.reduce((sum, { hasArrived, quantity }) => sum + (hasArrived ? 0 : quantity), 0)
