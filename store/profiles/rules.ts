import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { type AdminLimit, enforceAdminLimit } from '#store/identity/admin-limits.ts'
import type { User } from '#store/identity/contract.ts'
import { isOwner } from '#store/identity/rules.ts'
import { users } from '#store/identity/table.ts'
import type { Profile, profileForm } from './contract.ts'
import { recordProfileChange } from './profile-changes.ts'
import { type ProfileFields, profileChanges, profiles } from './table.ts'

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

/** Changes of others' profiles by all admins who are no owners together. It also bounds how many overwritten profiles are kept. */
const othersProfileLimit: AdminLimit = {
  key: 'profile changes by admins',
  window: { max: 20, seconds: 3600 },
  what: 'Admins who are no owners have changed 20 profiles of others within an hour, which is as many as they can together',
}

/**
 * @param by the account itself, or an admin, whose changes are recorded
 * @throws {HttpError} 404 when there is no such account; 403 an admin who is no owner, at an owner's profile; 429 more than admins who are no
 *   owners can change of others within an hour
 */
export async function saveProfile(db: Database, by: User, email: string, form: z.output<typeof profileForm>): Promise<Profile> {
  if (by.email !== email) {
    if ((await isOwner(db, email)) && !(await isOwner(db, by.email)))
      throw new HttpError(403, "An owner's profile is changed by owners only")
    await enforceAdminLimit(db, by, othersProfileLimit)
  }
  const { picture, education, location, phone, linkedIn } = form
  return db.transaction((tx) => writeProfile(tx, by, eq(users.email, email), { picture, education, location, phone, linkedIn }))
}

/** Puts the fields back that a change has overwritten. @throws {HttpError} 404 no such change, or its account was removed */
export function undoProfileChange(db: Database, owner: User, id: number): Promise<Profile> {
  return db.transaction(async (tx) => {
    const [change] = await tx
      .select({ userId: profileChanges.userId, before: profileChanges.before })
      .from(profileChanges)
      .where(eq(profileChanges._id, id))
    if (!change) throw new HttpError(404, 'There is no such change')
    return writeProfile(tx, owner, eq(users.id, change.userId), change.before)
  })
}

/** Writes fields of a profile, and records what others than the account itself overwrite. @throws {HttpError} 404 no such account */
async function writeProfile(tx: Database, by: User, account: SQL, fields: Partial<ProfileFields>): Promise<Profile> {
  // Locked before the profile is read, so that of changes at one moment each records what it overwrites.
  const [locked] = await tx
    .select({ userId: users.id })
    .from(users)
    .where(and(account, isNull(users.removedAt)))
    .for('no key update')
  const [found] = await tx.select(profileColumns).from(users).leftJoin(profiles, eq(profiles.userId, users.id)).where(account)
  if (!locked || !found) throw new HttpError(404, 'There is no such account')
  const { userId } = locked
  const { name, email, ...before } = found
  const after = { ...before, ...fields }
  if (by.id !== userId) await recordProfileChange(tx, { userId, byUserId: by.id, before, after })
  await tx
    .insert(profiles)
    .values({ userId, ...after })
    .onConflictDoUpdate({ target: profiles.userId, set: after })
  return { name, email, ...after }
}
