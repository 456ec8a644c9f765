import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database } from '#platform/database.ts'
import { users } from '#store/identity/table.ts'
import { maxProfileChangesListed, type ProfileChange, profileFieldNames } from './contract.ts'
import { type ProfileFields, profileChanges } from './table.ts'

/** How long it can be seen what was overwritten: personal data is kept no longer than it takes to notice a wrong change. */
const keptDays = 90

/** Records the fields that a change of somebody else's profile overwrites. Must run in the transaction of the change. */
export async function recordProfileChange(
  tx: Database,
  { userId, byUserId, before, after }: { userId: string; byUserId: string; before: ProfileFields; after: ProfileFields },
): Promise<void> {
  const overwritten = profileFieldNames.filter((field) => before[field] !== after[field])
  if (overwritten.length === 0) return
  await tx
    .insert(profileChanges)
    .values({ userId, byUserId, before: Object.fromEntries(overwritten.map((field) => [field, before[field]])) })
}

const admins = alias(users, 'admins')

/** The newest changes first, at most `maxProfileChangesListed`, without those of removed accounts. @param before the id of a change: those that were made before it */
export const listProfileChanges = (db: Database, before?: number): Promise<ProfileChange[]> =>
  db
    .select({
      _id: profileChanges._id,
      email: users.email,
      before: profileChanges.before,
      by: admins.email,
      at: profileChanges.at,
    })
    .from(profileChanges)
    .innerJoin(users, eq(users.id, profileChanges.userId))
    .leftJoin(admins, eq(admins.id, profileChanges.byUserId))
    .where(and(isNull(users.removedAt), before === undefined ? undefined : lt(profileChanges._id, before)))
    .orderBy(desc(profileChanges._id))
    .limit(maxProfileChangesListed)

/** Deletes what is older than `keptDays`. */
export async function deleteOldProfileChanges(db: Database): Promise<void> {
  await db.delete(profileChanges).where(lt(profileChanges.at, sql`now() - make_interval(days => ${keptDays})`))
}
