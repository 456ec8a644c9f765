import { and, eq, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
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

/** @throws {HttpError} 404 when there is no such account */
export async function saveProfile(db: Database, email: string, form: z.output<typeof profileForm>): Promise<Profile> {
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
