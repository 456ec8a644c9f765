import { sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { storeTimeZone } from '#shared/time-zone.ts'
import type { Statement } from './contract.ts'

type Row = { on: string; what: Statement['entries'][number]['what']; order_number: number; number: string | null; cents: number }

/**
 * What has happened on the account of a company within days: invoices and credit notes as they were issued, and money as the bank has it.
 * @param period days of the shop, both included
 */
export async function readStatement(db: Database, companyId: string, { from, to }: { from: string; to: string }): Promise<Statement> {
  const { rows } = await db.execute<Row>(sql`
    with mine as (select id, number from orders where company_id = ${companyId} and payment_method = 'on_account')
    select day::text as "on", what, mine.number as order_number, entries.number, cents::integer from (
      select order_id, issued_on as day, 1 as place, kind as what, number, case kind when 'invoice' then total_cents else -total_cents end as cents from documents
        where order_id in (select id from mine)
      union all select order_id, (settled_at at time zone ${storeTimeZone()})::date, 2, 'payment', null, -amount_cents from payments
        where order_id in (select id from mine) and state = 'succeeded' and not is_surplus
      union all select refunds.order_id, done_on, 3, 'paid back', null, refunds.amount_cents from transfer_refunds
        join refunds on refunds.id = transfer_refunds.refund_id join payments on payments.id = payment_id
        where refunds.order_id in (select id from mine) and not is_surplus
      union all select order_id, (at at time zone ${storeTimeZone()})::date, 4, 'written off', null, -amount_cents from order_history
        where order_id in (select id from mine) and event = 'shortfall accepted'
    ) entries join mine on mine.id = order_id where day <= ${to}::date order by day, place, entries.number, mine.number`)
  const balanced = withEffectiveWriteOffs(rows)
  const before = balanced.filter(({ on }) => on < from)
  const openingCents = before.reduce((sum, { cents }) => sum + cents, 0)
  let balanceCents = openingCents
  const entries = balanced
    .filter(({ on }) => on >= from)
    .map(({ order_number: orderNumber, ...row }) => {
      balanceCents += row.cents
      return { ...row, orderNumber, balanceCents }
    })
  return { from, to, openingCents, entries, closingCents: balanceCents }
}

/**
 * What is written off of an order counts as far as anything is left to pay, as in `balance_of`: where it is credited afterwards, the write-off is
 * smaller by so much. @param rows in the order of days
 */
function withEffectiveWriteOffs(rows: Row[]): Row[] {
  const orders = new Map<number, { leftCents: number; writtenOffCents: number; effectiveCents: number }>()
  return rows.flatMap((row) => {
    const order = orders.get(row.order_number) ?? { leftCents: 0, writtenOffCents: 0, effectiveCents: 0 }
    orders.set(row.order_number, order)
    const isWriteOff = row.what === 'written off'
    if (isWriteOff) order.writtenOffCents -= row.cents
    else order.leftCents += row.cents
    const effectiveCents = Math.min(order.writtenOffCents, Math.max(0, order.leftCents))
    const changeCents = order.effectiveCents - effectiveCents
    order.effectiveCents = effectiveCents
    const own = isWriteOff ? [] : [row]
    if (changeCents === 0) return own
    const what = changeCents < 0 ? 'written off' : 'write-off not needed'
    return [...own, { ...row, what, number: null, cents: changeCents }]
  })
}
