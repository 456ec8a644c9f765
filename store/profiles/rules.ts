import { and, eq, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { type AdminLimit, enforceAdminLimit } from '#store/identity/admin-limits.ts'
import type { User } from '#store/identity/contract.ts'
import { isOwner } from '#store/identity/rules.ts'
import { users } from '#store/identity/table.ts'
import type { Profile, profileForm } from './contract.ts'
import { profiles } from './table.ts'

const textOrEmpty = (column: (typeof profiles)['picture' | 'education' | 'location' | 'phone' | 'linkedIn']) =>
  sql<string>`coalesce(${column}, '')`

const profileColumns = {
  name: users.name,
  email: users.email,
  picture: textOrEmpty(profiles.picture),
  education: textOrEmpty(profiles.education),
  location: textOrEmpty(profiles.location),
  phone: textOrEmpty(profiles.phone),
  linkedIn: textOrEmpty(profiles.linkedIn),
}

/** The profile of an account as a list of one, with empty fields if never saved. Empty list if there is no account with this e-mail. */
export const listProfilesByEmail = (db: Database, email: string): Promise<Profile[]> =>
  db
    .select(profileColumns)
    .from(users)
    .leftJoin(profiles, eq(profiles.userId, users.id))
    .where(and(eq(users.email, email), isNull(users.removedAt)))

/** Changes of others' profiles by all admins who are no owners together: what stood there before is kept nowhere. */
const othersProfileLimit: AdminLimit = {
  key: 'profile changes by admins',
  window: { max: 20, seconds: 3600 },
  what: 'Admins who are no owners have changed 20 profiles of others within an hour, which is as many as they can together',
}

/**
 * @param by the account itself, or an admin
 * @throws {HttpError} 404 when there is no such account; 403 an admin who is no owner, at an owner's profile; 429 more than admins who are no
 *   owners can change of others within an hour
 */
export async function saveProfile(db: Database, by: User, email: string, form: z.output<typeof profileForm>): Promise<Profile> {
  if (by.email !== email) {
    if ((await isOwner(db, email)) && !(await isOwner(db, by.email)))
      throw new HttpError(403, "An owner's profile is changed by owners only")
    await enforceAdminLimit(db, by, othersProfileLimit)
  }
  const [account] = await db
    .select({ userId: users.id, name: users.name, email: users.email })
    .from(users)
    .where(and(eq(users.email, email), isNull(users.removedAt)))
  if (!account) throw new HttpError(404, 'There is no such account')
  const { picture, education, location, phone, linkedIn } = form
  const fields = { picture, education, location, phone, linkedIn }
  await db
    .insert(profiles)
    .values({ userId: account.userId, ...fields })
    .onConflictDoUpdate({ target: profiles.userId, set: fields })
  return { name: account.name, email: account.email, ...fields }
}
