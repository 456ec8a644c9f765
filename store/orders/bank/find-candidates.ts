import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { orderDetails } from '#store/orders/details/table.ts'
import { maxOrderNumber } from '#store/orders/order-contract.ts'
import { orders } from '#store/orders/table.ts'
import { type Candidate, plainNumbers, referencedNumbers } from './find-match.ts'

/** What is still to be paid of an order: a column of `orders`. What went back of it is not asked for again, unless it is on account, where more than is owed goes back. */
export const dueCentsSql = sql<number>`greatest(0, orders.total_cents - orders.written_off_cents - credited_cents_of(orders.id)
  - (select coalesce(sum(payments.amount_cents - case orders.payment_method when 'on_account' then payments.refunded_cents else 0 end), 0)
    from payments where payments.order_id = orders.id and payments.state = 'succeeded' and not payments.is_surplus))::integer`

const select = (db: Database) =>
  db
    .select({
      _id: orders._id,
      number: orders.number,
      buyerName: orders.buyerName,
      company: orderDetails.company,
      orderStatus: orders.orderStatus,
      paymentMethod: orders.paymentMethod,
      totalCents: orders.totalCents,
      dueCents: dueCentsSql,
    })
    .from(orders)
    .leftJoin(orderDetails, eq(orderDetails.orderId, orders._id))

/** The orders that a text names by a reference or by their number. */
export async function findNamedOrders(db: Database, text: string): Promise<Candidate[]> {
  const numbers = [...new Set([...referencedNumbers(text), ...plainNumbers(text)])]
    .filter((number) => number >= 1 && number <= maxOrderNumber)
    .slice(0, 50)
  return numbers.length === 0 ? [] : select(db).where(inArray(orders.number, numbers))
}

const owesOnAccountSql = sql`${orders.paymentMethod} = 'on_account' and ${orders.paymentStatus} in ('unpaid', 'partly_paid') and ${orders.orderStatus} in ('placed', 'completed')`

const maxProposals = 5

/** Orders that may be meant: those that await just this amount, by the name of the payer first. */
export function proposeOrders(db: Database, { amountCents, payerName }: { amountCents: number; payerName: string }): Promise<Candidate[]> {
  const awaits = sql`(${orders.orderStatus} = 'open' and ${orders.paymentMethod} = 'bank_transfer' or ${owesOnAccountSql})`
  const words = payerName.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
  const names = sql`lower(concat_ws(' ', ${orders.buyerName}, ${orderDetails.name}, ${orderDetails.company}))`
  const isNamed = sql`exists (select from unnest(${sql.param(words)}::text[]) as word where position(word in ${names}) > 0)`
  return select(db)
    .where(and(awaits, sql`(${dueCentsSql} = ${amountCents}::bigint or ${isNamed})`))
    .orderBy(sql`(${dueCentsSql} = ${amountCents}::bigint) desc`, sql`${isNamed} desc`, orders.number)
    .limit(maxProposals)
}

/** Orders that await just this amount, by whatever method: more than so many are as good as many. */
export const findAwaiting = (db: Database, amountCents: number): Promise<Candidate[]> =>
  select(db)
    .where(
      and(
        or(and(eq(orders.orderStatus, 'open'), sql`${orders.totalCents} = ${amountCents}::bigint`), owesOnAccountSql),
        sql`${dueCentsSql} = ${amountCents}::bigint`,
      ),
    )
    .limit(maxCompared)
const maxCompared = 1000

export async function findOrderByNumber(db: Database, number: number): Promise<Candidate | undefined> {
  const [found] = await select(db).where(eq(orders.number, number))
  return found
}
