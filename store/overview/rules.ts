import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { StockLevel } from '#store/catalogue/contract.ts'
import { countOrdersNeedingAttention } from '#store/orders/attention.ts'
import { countBankWork } from '#store/orders/bank/list-entries.ts'
import { countInvoicesWithoutVatId } from '#store/orders/documents/seller.ts'
import { countOverdueInvoices } from '#store/orders/on-account/receivables.ts'
import { returns } from '#store/orders/returns/table.ts'
import { countOrdersToSend } from '#store/orders/shipments/to-send.ts'
import { SearchQuery } from '#store/search/contract.ts'
import type { LiveSearchIndex } from '#store/search/live-index.ts'
import { parseSearchQuery } from '#store/search/parsed-query.ts'
import { searchInSql } from '#store/search/search-in-sql.ts'
import type { AttentionCounts, Period, PeriodTotals, Revenue } from './contract.ts'
import { type PeriodRanges, periodRanges } from './period-ranges.ts'

type EventSource = { rows: SQL; countSql: SQL }

/**
 * For each event type, the query of timestamps and amounts, and how orders are counted: an order can have several refunds, but at most one
 * of the other events. Refunds are dated by when they were requested, as on the order itself.
 */
const eventSources = {
  placed: { rows: sql`select placed_at as at, 0 as cents from orders`, countSql: sql`count(*)` },
  paid: {
    rows: sql`select settled_at as at, amount_cents as cents from payments p join orders o on o.payment_id = p.id where p.state = 'succeeded'`,
    countSql: sql`count(*)`,
  },
  refunded: {
    rows: sql`select asked_at as at, amount_cents as cents, o.id as order_id from refunds r
      join orders o on o.id = r.order_id and o.payment_id = r.payment_id where r.state <> 'failed' and amount_cents > 0`,
    countSql: sql`count(distinct order_id)`,
  },
} satisfies Record<string, EventSource>

/** The revenue of a period and of the previous one, read in one snapshot. */
export function revenue(db: Database, period: Period): Promise<Revenue> {
  return db.transaction(
    async (tx) => {
      const { rows } = await tx.execute<{ at: string; any: boolean }>(sql`select now() as at, exists (select from orders) as any`)
      const asOf = new Date(rows[0]?.at ?? Number.NaN)
      const ranges = periodRanges(period, asOf)
      const totals = new Map<string, PeriodTotals>()
      const of = (key: string) => totals.get(key) ?? { placed: 0, paid: 0, takenCents: 0, refunded: 0, refundedCents: 0 }
      for (const { key, orders } of await sumBySteps(tx, eventSources.placed, ranges)) totals.set(key, { ...of(key), placed: orders })
      for (const { key, orders, cents } of await sumBySteps(tx, eventSources.paid, ranges))
        totals.set(key, { ...of(key), paid: orders, takenCents: cents })
      for (const { key, orders, cents } of await sumBySteps(tx, eventSources.refunded, ranges))
        totals.set(key, { ...of(key), refunded: orders, refundedCents: cents })
      const steps = ranges.steps.map((step) => ({ ...step, ...of(step.from) }))
      return {
        asOf: asOf.toISOString(),
        from: steps[0]?.from ?? '',
        to: steps.at(-1)?.to ?? '',
        total: of('now'),
        before: of('before'),
        steps,
        everOrdered: rows[0]?.any ?? false,
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

type StepTotals = { key: string; orders: number; cents: number }

/** Totals per step, keyed by its first day, and of the whole periods, keyed `now` and `before`. An order counts once in each. */
async function sumBySteps(
  tx: Database,
  { rows: events, countSql }: EventSource,
  { current, previous, steps, stepStarts }: PeriodRanges,
): Promise<StepTotals[]> {
  const firstDays = sql.param(steps.map(({ from }) => from))
  const starts = sql.param(stepStarts.map((start) => start.toISOString()))
  const { rows } = await tx.execute<{ key: string; orders: number; cents: string }>(sql`
    select coalesce((${firstDays}::text[])[step], case when is_now then 'now' else 'before' end) as key,
      ${countSql}::integer as orders, coalesce(sum(cents), 0) as cents
    from (
      select happened.*, at >= ${current.start} as is_now,
        case when at >= ${current.start} then width_bucket(at, ${starts}::timestamptz[]) end as step
      from (${events}) happened
      where (at >= ${current.start} and at < ${current.end}) or (at >= ${previous.start} and at < ${previous.end})
    ) within
    group by grouping sets ((is_now), (is_now, step))
    having not (grouping(step) = 0 and step is null)`)
  return rows.map(({ key, orders, cents }) => ({ key, orders, cents: Number(cents) }))
}

/** Counts of what may need an admin. Products are counted with the search of Manage Products, so that both agree. */
export async function attentionCounts(db: Database, search: LiveSearchIndex): Promise<AttentionCounts> {
  const asOf = new Date().toISOString()
  const count = async (stock?: StockLevel) => {
    const query = parseSearchQuery(SearchQuery.parse({ stock, limit: 1, facets: 'no' }))
    return (search.search(query) ?? (await searchInSql(db, query))).total
  }
  const orderCounts = await countOrdersNeedingAttention(db)
  const bank = await countBankWork(db)
  return {
    asOf,
    unpaid: orderCounts.unpaid,
    holdEndsToday: orderCounts['hold ends today'],
    cardDeclined: orderCounts['card declined'],
    toBeLookedAt: orderCounts['to be looked at'],
    checking: orderCounts.checking,
    refundUnderWay: orderCounts['refund under way'],
    toSend: (await countOrdersToSend(db)).ready,
    openReturns: await db.$count(returns, eq(returns.status, 'open')),
    bankEntries: bank.waiting,
    refundsToTransfer: bank.refunds,
    overdueInvoices: await countOverdueInvoices(db),
    invoicesWithoutVatId: await countInvoicesWithoutVatId(db),
    outOfStock: await count('out'),
    lowOnStock: await count('low'),
    products: await count(),
  }
}
