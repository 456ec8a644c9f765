import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { orderHistory, orderLines, orders, refunds } from '#store/orders/table.ts'
import type { OrderReturns, Return, ReturnDecision, ReturnLine } from './contract.ts'
import { returnDecisions, returnLines, returns } from './table.ts'

export const returnNotFoundError = () => new HttpError(404, 'There is no such return')

/** The returns of an order, oldest first. Who may see the order is for the caller. */
export const findReturnsOfOrder = (db: Database, orderId: string): Promise<Return[]> => findReturns(db, eq(returns.orderId, orderId))

/** @throws {HttpError} 404 */
export async function findReturnById(db: Database, id: string): Promise<Return> {
  const [found] = await findReturns(db, eq(returns._id, id))
  if (!found) throw returnNotFoundError()
  return found
}

/** @param where a condition on `returns` and `orders` */
export async function findReturns(
  db: Database,
  where: SQL | undefined,
  { limit = 1000, isFalling = false }: { limit?: number; isFalling?: boolean } = {},
): Promise<Return[]> {
  const found = await db
    .select({
      _id: returns._id,
      number: returns.number,
      orderId: returns.orderId,
      orderNumber: orders.number,
      buyerName: orders.buyerName,
      cause: returns.cause,
      status: returns.status,
      note: returns.note,
      askedAt: returns.askedAt,
      moneyDueOn: returns.moneyDueOn,
    })
    .from(returns)
    .innerJoin(orders, eq(orders._id, returns.orderId))
    .where(where)
    .orderBy(isFalling ? desc(returns.number) : asc(returns.number))
    .limit(limit)
  if (found.length === 0) return []
  const lines = await findLines(
    db,
    found.map(({ _id }) => _id),
  )
  return found.map((each) => ({
    ...each,
    lines: lines.filter(({ returnId }) => returnId === each._id).map(({ returnId: _, ...line }) => line),
  }))
}

async function findLines(db: Database, returnIds: string[]): Promise<(ReturnLine & { returnId: string })[]> {
  const lines = await db
    .select({
      returnId: returnLines.returnId,
      _id: returnLines.orderLineId,
      productName: orderLines.productName,
      quantity: returnLines.quantity,
      reason: returnLines.reason,
      arrived: returnLines.arrived,
      resent: returnLines.resent,
      toResend: sql<number>`${returnLines.toBuyer} - ${returnLines.resent}`,
      mustRefund: returnLines.mustRefund,
    })
    .from(returnLines)
    .innerJoin(orderLines, eq(orderLines._id, returnLines.orderLineId))
    .where(inArray(returnLines.returnId, returnIds))
    .orderBy(asc(orderLines.position))
  const decisions = await findDecisions(db, inArray(returnDecisions.returnId, returnIds))
  return lines.map(({ mustRefund, ...line }) => {
    const ofLine = decisions.filter(({ returnId, lineId }) => returnId === line.returnId && lineId === line._id)
    return {
      ...line,
      toDecide: line.arrived - sumOf(ofLine.filter(({ hasArrived }) => hasArrived)),
      toRefund: Math.max(0, mustRefund - sumOf(ofLine.filter(({ outcome }) => outcome === 'refund'))),
      decisions: ofLine.map(({ returnId: _, lineId: __, ...decision }) => decision),
    }
  })
}

const sumOf = (decisions: { quantity: number }[]): number => decisions.reduce((sum, { quantity }) => sum + quantity, 0)

type DecisionOfLine = ReturnDecision & { returnId: string; lineId: string }

/** @param where a condition on `return_decisions` */
export const findDecisions = (db: Database, where: SQL): Promise<DecisionOfLine[]> =>
  db
    .select({
      returnId: returnDecisions.returnId,
      lineId: returnDecisions.orderLineId,
      quantity: returnDecisions.quantity,
      outcome: returnDecisions.outcome,
      hasArrived: returnDecisions.hasArrived,
      isRestocked: returnDecisions.isRestocked,
      reason: returnDecisions.reason,
      refund: refunds.state,
      decidedAt: orderHistory.at,
    })
    .from(returnDecisions)
    .innerJoin(orderHistory, eq(orderHistory._id, returnDecisions.eventId))
    .leftJoin(refunds, eq(refunds._id, returnDecisions.refundId))
    .where(where)
    .orderBy(asc(returnDecisions._id))

/** Pieces of a line that were sent and are not in a return: see `returnable_pieces` in the database. On `order_lines`. */
export const returnablePieces = sql<number>`returnable_pieces(${orderLines._id})`

/** The lines of an order of which something can be returned. Stays correct until the transaction ends if the caller has locked the order. */
export const findReturnable = (db: Database, orderId: string): Promise<OrderReturns['returnable']> =>
  db
    .select({ _id: orderLines._id, productName: orderLines.productName, pieces: returnablePieces })
    .from(orderLines)
    .where(and(eq(orderLines.orderId, orderId), sql`${returnablePieces} > 0`))
    .orderBy(asc(orderLines.position))
