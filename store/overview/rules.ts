import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { Question } from '#store/catalogue/contract.ts'
import { readQuestion } from '#store/catalogue/search/asked.ts'
import { askInSql } from '#store/catalogue/search/in-sql.ts'
import type { Search } from '#store/catalogue/search/live-index.ts'
import { countWaiting } from '#store/orders/rules.ts'
import type { Attention, Figures, Period, Takings } from './contract.ts'
import { type Spans, spansOf } from './spans.ts'

type Happening = { rows: SQL; count: SQL }

/**
 * What happened when, with how much money, and how its orders are counted: only refunds come several times to one. Refunds count from when
 * they were asked, as an order says of itself.
 */
const happenings = {
  placed: { rows: sql`select placed_at as at, 0 as cents from orders`, count: sql`count(*)` },
  paid: {
    rows: sql`select settled_at as at, amount_cents as cents from payments p join orders o on o.payment_id = p.id where p.state = 'succeeded'`,
    count: sql`count(*)`,
  },
  refunded: {
    rows: sql`select asked_at as at, amount_cents as cents, o.id as order_id from refunds r
      join orders o on o.id = r.order_id and o.payment_id = r.payment_id where r.state <> 'failed'`,
    count: sql`count(distinct order_id)`,
  },
} satisfies Record<string, Happening>

/** The takings of a period and of the one before, read at one moment. */
export function takings(db: Database, period: Period): Promise<Takings> {
  return db.transaction(
    async (tx) => {
      const { rows } = await tx.execute<{ at: string; any: boolean }>(sql`select now() as at, exists (select from orders) as any`)
      const asOf = new Date(rows[0]?.at ?? Number.NaN)
      const spans = spansOf(period, asOf)
      const sums = new Map<string, Figures>()
      const of = (key: string) => sums.get(key) ?? { placed: 0, paid: 0, takenCents: 0, refunded: 0, refundedCents: 0 }
      for (const { key, orders } of await sum(tx, happenings.placed, spans)) sums.set(key, { ...of(key), placed: orders })
      for (const { key, orders, cents } of await sum(tx, happenings.paid, spans))
        sums.set(key, { ...of(key), paid: orders, takenCents: cents })
      for (const { key, orders, cents } of await sum(tx, happenings.refunded, spans))
        sums.set(key, { ...of(key), refunded: orders, refundedCents: cents })
      const steps = spans.steps.map((step) => ({ ...step, ...of(step.from) }))
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

type Sum = { key: string; orders: number; cents: number }

/** Sums by step, under the step's first day, and for the whole as `now` and `before`. An order counts once in each. */
async function sum(tx: Database, { rows: happening, count }: Happening, { now, before, unit }: Spans): Promise<Sum[]> {
  const { rows } = await tx.execute<{ key: string; orders: number; cents: string }>(sql`
    select coalesce(step::date::text, case when is_now then 'now' else 'before' end) as key,
      ${count}::integer as orders, coalesce(sum(cents), 0) as cents
    from (
      select happened.*, at >= ${now.begins} as is_now,
        case when at >= ${now.begins} then date_trunc(${unit}, at at time zone 'utc') end as step
      from (${happening}) happened
      where (at >= ${now.begins} and at < ${now.ends}) or (at >= ${before.begins} and at < ${before.ends})
    ) within
    group by grouping sets ((is_now), (is_now, step))
    having not (grouping(step) = 0 and step is null)`)
  return rows.map(({ key, orders, cents }) => ({ key, orders, cents: Number(cents) }))
}

/** What may need an admin. Products are counted where Manage Products finds them, so both say the same. */
export async function attention(db: Database, search: Search): Promise<Attention> {
  const asOf = new Date().toISOString()
  const count = async (stock?: 'out' | 'low') => {
    const asked = readQuestion(Question.parse({ stock, limit: 1, facets: 'no' }))
    return (search.ask(asked) ?? (await askInSql(db, asked))).total
  }
  const waiting = await countWaiting(db)
  return {
    asOf,
    unpaid: waiting.unpaid,
    holdEndsToday: waiting['hold ends today'],
    cardDeclined: waiting['card declined'],
    toBeLookedAt: waiting['to be looked at'],
    checking: waiting.checking,
    refundUnderWay: waiting['refund under way'],
    outOfStock: await count('out'),
    lowOnStock: await count('low'),
    products: await count(),
  }
}
