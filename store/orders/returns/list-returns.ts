import { and, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { orders } from '#store/orders/table.ts'
import type { ReturnList, ReturnsPage, ReturnsQuery } from './admin-contract.ts'
import { findReturns } from './find-returns.ts'
import { readReturnNumber } from './return-reasons.ts'
import { returnLines, returns } from './table.ts'

/** Whether pieces of a return are still to be sent to the buyer again. A condition on `returns`. */
const hasToResend = sql`${returns._id} in (select ${returnLines.returnId} from ${returnLines} where ${returnLines.resent} < ${returnLines.toBuyer})`

const lists: Record<ReturnList, SQL | undefined> = { open: eq(returns.status, 'open'), 'to resend': hasToResend, all: undefined }

/** A page of returns: all of them newest first, the others oldest first. */
export async function listReturns(db: Database, { list, q, limit, cursor }: ReturnsQuery): Promise<ReturnsPage> {
  const isFalling = list === 'all'
  const after = cursor === undefined ? undefined : (isFalling ? lt : gt)(returns.number, Number(cursor))
  const where = q ? isNamed(q) : and(lists[list], after)
  const found = await findReturns(db, where, { limit: limit + 1, isFalling }) // one more to detect a next page
  const page = found.slice(0, limit)
  return {
    returns: page,
    next: found.length > limit ? `${page.at(-1)?.number}` : null,
    counts: { open: await db.$count(returns, lists.open), toResend: await countToResend(db) },
  }
}

export const countToResend = (db: Database): Promise<number> => db.$count(returns, hasToResend)

/** "R1001" and "1001" are a return, "#1001" an order. */
function isNamed(q: string): SQL {
  const ofOrder = q.startsWith('#')
  const number = readReturnNumber(q.replace(/^#/, ''))
  if (number === undefined) return sql`false`
  return ofOrder ? sql`${orders.number} = ${number}` : eq(returns.number, number)
}
