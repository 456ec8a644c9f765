import type { Database } from '#platform/database.ts'
import { conflictError, HttpError } from '#platform/http-error.ts'
import { formatNumber } from '#shared/format-number.ts'
import type { User } from '#store/identity/contract.ts'
import type { SendOrderBody, Shipment } from '#store/orders/shipments/contract.ts'
import { assertNotBlocked, insertShipment, sendOnce } from '#store/orders/shipments/rules.ts'
import type { Return } from './contract.ts'
import { findReturnById } from './find-returns.ts'
import { lineNotFoundError } from './receive-return.ts'
import { formatReturnNumber } from './return-reasons.ts'

/**
 * Writes down that pieces of a return have been sent to the buyer again, with the mail about it: repaired and refused ones, and others in place of
 * returned ones. It costs nothing, and the order is as complete as before.
 * @param requestKey the admin's Idempotency-Key: the same request again is the same shipment
 * @returns isNew: false for such a repetition, where nothing has changed
 * @throws {HttpError} 404 no such return, or no line of it; 400 a line is named twice; 409 the order is held back or under review, or fewer pieces
 *   are to be sent; 422 the key was used for something else
 */
export async function sendReturn(
  db: Database,
  admin: User,
  id: string,
  body: SendOrderBody,
  requestKey: string | undefined,
): Promise<{ shipment: Shipment; isNew: boolean }> {
  const { orderId } = await findReturnById(db, id)
  return sendOnce(db, admin, { orderId, requestKey, asked: { returnId: id, ...body } }, async (tx, order, { request, isLimited }) => {
    await assertNotBlocked(tx, order)
    const asked = await findReturnById(tx, id)
    const of = { _id: id, text: formatReturnNumber(asked.number) }
    return insertShipment(tx, admin, orderId, { ...body, packed: findPieces(asked, body.lines), request, isLimited, of })
  })
}

function findPieces({ lines }: Return, asked: SendOrderBody['lines']) {
  for (const [index, { _id, quantity }] of asked.entries()) {
    const line = lines.find((line) => line._id === _id)
    if (!line) throw lineNotFoundError()
    if (asked.findIndex((other) => other._id === _id) !== index) throw new HttpError(400, 'This line is named twice')
    if (quantity <= line.toResend) continue
    const message = `${line.toResend === 0 ? 'Nothing' : `Only ${formatNumber(line.toResend)}`} of ${line.productName} is to be sent to the buyer again`
    throw conflictError(message, 'more_than_left', { [`lines.${index}.quantity`]: message })
  }
  return lines.flatMap(({ _id, productName }) => {
    const line = asked.find((line) => line._id === _id)
    return line ? [{ ...line, productName }] : []
  })
}
