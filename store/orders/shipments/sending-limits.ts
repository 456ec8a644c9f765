import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { tooManyRequestsError } from '#platform/rate-limits.ts'
import { formatNumber } from '#shared/format-number.ts'
import { appendAskAnOwner } from '#store/identity/admin-limits.ts'
import type { User } from '#store/identity/contract.ts'
import { recordAdminActivityNotice } from '#store/identity/owner-notices.ts'
import { isOwner } from '#store/identity/rules.ts'

/** Parcels that all admins who are no owners together can mark as sent within an hour: each is a mail to a buyer, and completes orders. */
export const hourlyShipments = 300
/** Owners are told of an admin who has marked more than this as sent within an hour. */
const unnoticedShipments = 100

/** Those that were taken back are counted, too: their mails have gone out. */
const recentShipments = (ofUser: SQL) => sql`from shipments where sent_at > now() - interval '1 hour' and ${ofUser}`

/**
 * Makes admins who are no owners wait for each other until the end of the transaction, so that concurrent ones cannot all pass with the same count.
 * Call it before an order is locked.
 * @returns whether the limit is for this admin
 */
export async function serializeLimitedSending(tx: Database, admin: User): Promise<boolean> {
  if (await isOwner(tx, admin.email)) return false
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('shipments by admins', 0))`)
  return true
}

/** @throws {HttpError} 429, with the time to wait, where another shipment would be one too many */
export async function assertWithinSendingLimit(tx: Database): Promise<void> {
  const { rows } = await tx.execute<{ seconds_left: number }>(sql`
    select ceil(extract(epoch from sent_at + interval '1 hour' - now()))::integer as seconds_left
    ${recentShipments(sql`sent_by in (select id from users where not owner)`)}
    order by sent_at desc offset ${hourlyShipments - 1} limit 1`)
  const [blocking] = rows
  if (!blocking) return
  const together = `Admins who are no owners can mark ${formatNumber(hourlyShipments)} parcels as sent within an hour together`
  throw appendAskAnOwner(tooManyRequestsError(together, blocking.seconds_left))
}

/** Queues the mail to owners if this admin's shipments of the last hour, the one just written among them, are many. */
export async function notifyOwnersOfManyShipments(tx: Database, admin: User): Promise<void> {
  const { rows } = await tx.execute<{ sent: number }>(sql`select count(*)::integer as sent ${recentShipments(sql`sent_by = ${admin.id}`)}`)
  const sent = rows[0]?.sent ?? 0
  if (sent <= unnoticedShipments) return
  await recordAdminActivityNotice(tx, { event: 'many shipments', by: admin.email, extent: sent, detail: `${formatNumber(sent)} parcels` })
}
