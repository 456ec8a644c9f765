import { createHash } from 'node:crypto'
import { and, asc, eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { conflictError, HttpError } from '#platform/http-error.ts'
import { enforceRateLimit } from '#platform/rate-limits.ts'
import { formatNumber } from '#shared/format-number.ts'
import { isBuyerOf, type Viewer } from '#store/orders/buyer.ts'
import { formatItem, joinItems } from '#store/orders/order-contract.ts'
import { appendEvent, type EventActor, lastEventOf } from '#store/orders/order-history.ts'
import { findOrder } from '#store/orders/order-queries.ts'
import { lockOrder, type OrderRow } from '#store/orders/rules.ts'
import { orderLines } from '#store/orders/table.ts'
import type { AskForReturnBody, Return } from './contract.ts'
import { findReturnById, findReturnsOfOrder, returnablePieces, returnNotFoundError } from './find-returns.ts'
import { formatReturnNumber, type ReturnCause, type ReturnReason } from './return-reasons.ts'
import { returnLines, returns } from './table.ts'

/** The returns that can be asked for of one order in a day: each writes a mail. */
const askedPerDay = { max: 10, seconds: 24 * 3600 }

/**
 * Writes down that a buyer, or an admin for them, asks for a return of pieces that were sent, with the mail about it.
 * @param id of the order, or of one of its lines
 * @param requestKey the Idempotency-Key: the same request again is the same return
 * @returns isNew: false for such a repetition, where nothing has changed
 * @throws {HttpError} 404 no such order or line; 400 a line is named twice; 409 more than was sent and is not in a return already;
 *   422 the key was used for something else; 429 too many of them
 */
export async function askForReturn(
  db: Database,
  viewer: Viewer,
  id: string,
  body: AskForReturnBody,
  requestKey: string | undefined,
): Promise<{ asked: Return; isNew: boolean }> {
  const { _id: orderId } = await findOrder(db, viewer, id)
  const requestHash = createHash('sha256').update(JSON.stringify(body)).digest('base64url')
  const request = requestKey === undefined ? undefined : { requestKey, requestHash }
  const doer = await doerOf(db, viewer, orderId)
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    const askedBefore = request && (await findByRequest(tx, orderId, request))
    if (askedBefore) return { asked: askedBefore, isNew: false }
    const asked = await openReturn(tx, order, { cause: 'asked', ...body, doer, request })
    await enforceRateLimit(tx, `returns of ${orderId}`, askedPerDay, 'Too many returns of this order')
    return { asked, isNew: true }
  })
}

/** Who acts on an order: its buyer, with the members of their company, or else an admin. */
export const doerOf = async (db: Database, viewer: Viewer, orderId: string): Promise<EventActor> =>
  viewer.role === 'guest'
    ? { actor: 'buyer', userId: null }
    : { actor: (await isBuyerOf(db, viewer, orderId)) ? 'buyer' : 'admin', userId: viewer.id }

type Request = { requestKey: string; requestHash: string }

async function findByRequest(tx: Database, orderId: string, { requestKey, requestHash }: Request): Promise<Return | undefined> {
  const [found] = await tx
    .select({ _id: returns._id, hash: returns.requestHash })
    .from(returns)
    .where(and(eq(returns.orderId, orderId), eq(returns.requestKey, requestKey)))
  if (!found) return undefined
  if (found.hash !== requestHash)
    throw new HttpError(422, 'This Idempotency-Key was used for another return', undefined, { code: 'idempotency_key_reused' })
  return findReturnById(tx, found._id)
}

export type NewReturn = {
  cause: ReturnCause
  /** `reason`: null where none is asked for */
  lines: { _id: string; quantity: number; reason: ReturnReason | null }[]
  note?: string | undefined
  doer: EventActor
  /** of a withdrawal: the day until which the law wants the money back, `YYYY-MM-DD` */
  moneyDueOn?: string | undefined
  request?: Request | undefined
}

/**
 * Opens a return of pieces of an order that the caller has locked, with its event and the buyer's mail.
 * @throws {HttpError} 404 a line is of another order; 400 it is named twice; 409 more of it than was sent and is not in a return already
 */
export async function openReturn(tx: Database, order: OrderRow, asked: NewReturn): Promise<Return> {
  const { cause, note, moneyDueOn, request, doer } = asked
  const lines = await findAskedLines(tx, order._id, asked.lines)
  const [row] = await tx
    .insert(returns)
    .values({ orderId: order._id, cause, note: note || null, moneyDueOn, ...request })
    .returning({ _id: returns._id, number: returns.number })
  if (!row) throw new Error('The new return was not returned')
  await tx.insert(returnLines).values(
    lines.map(({ _id, quantity, reason }) => {
      const mustRefund = cause === 'withdrawal' ? quantity : 0
      return { returnId: row._id, orderLineId: _id, quantity, reason, mustRefund }
    }),
  )
  await appendEvent(tx, order, {
    event: 'return asked',
    doer,
    note: formatReturnNumber(row.number),
    items: joinItems(lines.map(formatItem)),
    mail: true,
  })
  await tx
    .update(returns)
    .set({ eventId: lastEventOf(order._id) })
    .where(eq(returns._id, row._id))
  return findReturnById(tx, row._id)
}

type AskedLine = NewReturn['lines'][number] & { productName: string }

/** The lines that are asked for, in the order of the order. */
async function findAskedLines(tx: Database, orderId: string, asked: NewReturn['lines']): Promise<AskedLine[]> {
  const lines = await tx
    .select({
      _id: orderLines._id,
      productName: orderLines.productName,
      sent: orderLines.sent,
      returnable: returnablePieces,
    })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId))
    .orderBy(asc(orderLines.position))
  for (const [index, { _id, quantity }] of asked.entries()) {
    const line = lines.find((line) => line._id === _id)
    if (!line) throw new HttpError(404, 'There is no such line in this order')
    const field = `lines.${index}.quantity`
    if (asked.findIndex((other) => other._id === _id) !== index)
      throw new HttpError(400, 'This line is named twice', { [field]: 'This line is named twice' })
    if (quantity > line.returnable) throw await moreThanSentError(tx, orderId, field, line)
  }
  return lines.flatMap(({ _id, productName }) => {
    const line = asked.find((line) => line._id === _id)
    return line ? [{ ...line, productName }] : []
  })
}

type SentLine = { _id: string; productName: string; sent: number; returnable: number }

async function moreThanSentError(tx: Database, orderId: string, field: string, line: SentLine): Promise<HttpError> {
  const others = (await findReturnsOfOrder(tx, orderId)).filter(
    ({ status, lines }) => status !== 'taken back' && lines.some(({ _id }) => _id === line._id),
  )
  const what = line.returnable === 0 ? 'Nothing' : `Only ${formatNumber(line.returnable)}`
  const why =
    line.sent === 0
      ? 'it was not sent yet'
      : [`${formatNumber(line.sent)} sent`, ...others.map(({ number }) => `see return ${formatReturnNumber(number)}`)].join(', ')
  const message = `${what} of ${line.productName} can be returned: ${why}`
  return conflictError(message, 'more_than_sent', { [field]: message })
}

/**
 * Takes a return back that its buyer has asked for, as long as nothing of it has arrived.
 * @throws {HttpError} 404 no such order or return; 409 it is of a withdrawal, something has arrived, or it is closed
 */
export async function takeBackReturn(db: Database, viewer: Viewer, { id, returnId }: { id: string; returnId: string }): Promise<Return> {
  const { _id: orderId } = await findOrder(db, viewer, id)
  const doer = await doerOf(db, viewer, orderId)
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    const asked = await findReturnById(tx, returnId)
    if (asked.orderId !== orderId) throw returnNotFoundError()
    if (asked.status === 'taken back') return asked
    const number = formatReturnNumber(asked.number)
    if (asked.moneyDueOn !== null)
      throw conflictError(`Return ${number} comes of a withdrawal, which cannot be cancelled`, 'return_of_withdrawal')
    if (asked.status === 'closed') throw conflictError(`Return ${number} is decided, so it cannot be cancelled`, 'return_not_open')
    if (asked.lines.some(({ arrived, decisions }) => arrived > 0 || decisions.length > 0))
      throw conflictError(
        `Pieces of return ${number} have arrived or are decided, so it cannot be cancelled: write to us`,
        'return_arrived',
      )
    await tx.update(returns).set({ status: 'taken back' }).where(eq(returns._id, returnId))
    const items = joinItems(asked.lines.map(formatItem))
    await appendEvent(tx, order, { event: 'return taken back', doer, note: number, items })
    return findReturnById(tx, returnId)
  })
}
