import { type SQL, sql } from 'drizzle-orm'
import { loweredDays } from './lowered-price.ts'

const shownSince = sql`now() - make_interval(days => ${sql.raw(`${loweredDays}`)})`

/** What a product is shown as lowered from, held against its kept changes, which `price_by_history` reads from the beginning. */
export const pricesAreLoweredFrom: [sentence: string, faults: SQL[]] = [
  'A price is shown as lowered from what its kept changes make the lowest of the 30 days before',
  [
    sql`select format('%s is shown as lowered from %s cents, its changes make it %s', name, coalesce(shown::text, 'none'), coalesce(due::text, 'none')) as fault
        from tools t, price_by_history(t.id) h,
          lateral (select case when t.lowered_at > ${shownSince} then t.lowered_from_cents end as shown,
            case when h.lowered_at > ${shownSince} and h.price_cents = t.price_cents then h.lowered_from_cents end as due) of_product
        where (t.lowered_at > ${shownSince} or t.id in (select tool_id from product_history where field = 'price' and at > ${shownSince}))
          and (shown is distinct from due or (shown is not null and t.lowered_at <> h.lowered_at))`,
  ],
]
