import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { tooManyRequestsError } from '#platform/rate-limits.ts'
import { formatCents } from '#shared/money.ts'
import { appendAskAnOwner } from '#store/identity/admin-limits.ts'
import type { User } from '#store/identity/contract.ts'
import { recordAdminActivityNotice } from '#store/identity/owner-notices.ts'

/** Refunds, cancellations of paid orders among them, of all admins who are no owners together, within an hour. A refund cannot be undone. */
const hourlyLimit = { refunds: 20, cents: 2_000_000 }
/** Owners are told of an admin who has refunded more than this within an hour. */
const unnoticed = { refunds: 5, cents: 500_000 }

/** A refund that failed has given nothing back, so it is not counted. */
const recentRefunds = (ofUser: SQL) => sql`
  select refunds.id, asked_at, amount_cents from refunds
  where actor = 'admin' and state <> 'failed' and asked_at > now() - interval '1 hour' and ${ofUser}`

/**
 * Makes refunds of admins who are no owners wait for each other until the end of the transaction, so that concurrent ones cannot all pass
 * with the same count. Call it before an order is locked.
 */
export const serializeAdminRefunds = (tx: Database) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('refunds by admins', 0))`)

/**
 * @param amountCents of the refund that an admin who is no owner is about to record
 * @throws {HttpError} 429, with the time to wait, unless waiting would not help
 */
export async function assertWithinAdminRefundLimit(tx: Database, amountCents: number): Promise<void> {
  const together = `Admins who are no owners can make ${hourlyLimit.refunds} refunds and give back ${formatCents(hourlyLimit.cents)} within an hour together`
  if (amountCents > hourlyLimit.cents) throw appendAskAnOwner(new HttpError(429, `${together}: give back less at a time`))
  // Newest first, the refund that reaches the limit together with those after it: once it is an hour old, there is room again.
  const { rows } = await tx.execute<{ seconds_left: number }>(sql`
    select ceil(extract(epoch from asked_at + interval '1 hour' - now()))::integer as seconds_left
    from (
      select asked_at, count(*) over newest_first as refunds, sum(amount_cents) over newest_first as cents
      from (${recentRefunds(sql`user_id in (select id from users where not owner)`)}) as recent
      window newest_first as (order by asked_at desc, id rows unbounded preceding)
    ) as counted
    where refunds >= ${hourlyLimit.refunds} or cents + ${amountCents} > ${hourlyLimit.cents}
    order by asked_at desc limit 1`)
  const [blocking] = rows
  if (blocking) throw appendAskAnOwner(tooManyRequestsError(together, blocking.seconds_left))
}

/** Queues the mail to owners if this admin's refunds of the last hour, the one just recorded among them, are many or large. */
export async function notifyOwnersOfManyRefunds(tx: Database, admin: User): Promise<void> {
  const { rows } = await tx.execute<{ refunds: number; cents: number }>(sql`
    select count(*)::integer as refunds, coalesce(sum(amount_cents), 0)::float8 as cents
    from (${recentRefunds(sql`user_id = ${admin.id}`)}) as recent`)
  const [done] = rows
  if (!done || (done.refunds <= unnoticed.refunds && done.cents <= unnoticed.cents)) return
  await recordAdminActivityNotice(tx, {
    event: 'many refunds',
    by: admin.email,
    extent: done.cents,
    detail: `${done.refunds === 1 ? '1 refund' : `${done.refunds} refunds`} of ${formatCents(done.cents)} in all`,
  })
}
