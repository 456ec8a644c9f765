import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import { orders } from '#store/orders/table.ts'
import { type OrderWithdrawal, type showWithdrawalPage, type TypedWithdrawal, WithdrawalBody } from './contract.ts'
import { typedBefore } from './typed-cookie.ts'
import { findWithdrawable, piecesOf } from './withdrawable.ts'
import { createWithdrawalPage, readWithdrawalToken } from './withdrawal-link.ts'

/** From what of an order its buyer can withdraw, and has withdrawn. Who may see it is for the caller. */
export async function findOrderWithdrawal(db: Database, secret: string, orderId: string): Promise<OrderWithdrawal & { page: string }> {
  const { order, withdrawn, isByLaw, until, lines, refusal } = await findWithdrawable(db, orderId)
  return {
    withdrawal: refusal
      ? null
      : {
          ...{ until, isByLaw, isWhole: order.orderStatus === 'open' },
          lines: lines.map(({ _id, productName, inReturns, ...pieces }) => ({
            ...{ _id, productName, quantity: piecesOf(pieces) },
            inReturns: inReturns.map(({ number, quantity }) => ({ returnNumber: number, quantity })),
          })),
        },
    why: refusal?.message ?? null,
    withdrawn,
    page: createWithdrawalPage(secret, orderId),
  }
}

type WithdrawalPage = z.output<(typeof showWithdrawalPage.schema.response)[200]>

/**
 * What the page with this token shows to the browser of these cookies.
 * @throws {HttpError} 404 the store has not made the token
 */
export async function readWithdrawalPage(
  db: Database,
  secret: string,
  token: string,
  cookies: string | undefined,
): Promise<WithdrawalPage> {
  const orderId = readWithdrawalToken(secret, token)
  const [order] = orderId === undefined ? [] : await db.select().from(orders).where(eq(orders._id, orderId))
  if (!order) throw new HttpError(404, 'There is no order at this address')
  const found = await findOrderWithdrawal(db, secret, order._id)
  const lineIds = found.withdrawal?.lines.map(({ _id }) => _id) ?? []
  const typed = typedBefore(cookies, token, lineIds)
  return {
    ...found,
    ...{ orderNumber: order.number, placedAt: order.placedAt },
    typed: typed ?? { name: order.buyerName, email: order.buyerEmail, pieces: {} },
    isTyped: typed !== undefined,
    errors: typed ? findErrors(typed, found) : {},
  }
}

type TypedBody = { name: string; email: string; lines?: { _id: string; quantity: number }[] }

/** The body that was typed; without pieces, all that can be withdrawn from. Lines of which none are meant are left out. */
export function toBody({ name, email, pieces }: TypedWithdrawal): TypedBody {
  const lines = Object.entries(pieces).flatMap(([_id, typed]) => {
    const quantity = parseWholeNumber(typed.trim() === '' ? '0' : typed)
    return quantity === 0 ? [] : [{ _id, quantity: Number.isNaN(quantity) ? -1 : quantity }]
  })
  return { name, email, ...(Object.keys(pieces).length > 0 && { lines }) }
}

/** What is wrong with what was typed, by field: `pieces.<id of the line>` of one line, `pieces` of all. */
export function findErrors(typed: TypedWithdrawal, { withdrawal }: Pick<OrderWithdrawal, 'withdrawal'>): Record<string, string> {
  const body = toBody(typed)
  const errors: Record<string, string> = {}
  for (const { path, message } of WithdrawalBody.safeParse(body).error?.issues ?? []) {
    const [field, index] = path
    const id = field === 'lines' ? body.lines?.[Number(index)]?._id : undefined
    const key = field === 'lines' ? (id === undefined ? 'pieces' : `pieces.${id}`) : String(field)
    errors[key] ??= message
  }
  for (const { _id, quantity } of body.lines ?? []) {
    const left = withdrawal?.lines.find((line) => line._id === _id)?.quantity ?? 0
    if (quantity > left) errors[`pieces.${_id}`] = `At most ${left}`
    if (quantity < 0) errors[`pieces.${_id}`] = 'Enter a whole number of pieces'
  }
  return errors
}
