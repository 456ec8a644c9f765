import { and, eq, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { Refusal } from '#platform/refusal.ts'
import { users } from '#store/identity/table.ts'
import type { Profile, profileForm } from './contract.ts'
import { profiles } from './table.ts'

const told = (column: (typeof profiles)['picture' | 'education' | 'location' | 'phone' | 'linkedIn']) =>
  sql<string>`coalesce(${column}, '')`

const asProfile = {
  name: users.name,
  email: users.email,
  picture: told(profiles.picture),
  education: told(profiles.education),
  location: told(profiles.location),
  phone: told(profiles.phone),
  linkedIn: told(profiles.linkedIn),
}

/** The profile of this account as a list of one; whoever has told nothing yet has an empty one. An e-mail without an account has none. */
export const listOf = (db: Database, email: string): Promise<Profile[]> =>
  db
    .select(asProfile)
    .from(users)
    .leftJoin(profiles, eq(profiles.userId, users.id))
    .where(and(eq(users.email, email), isNull(users.removedAt)))

/** @throws {Refusal} 404 when there is no such account */
export async function save(db: Database, email: string, form: z.output<typeof profileForm>): Promise<Profile> {
  const [account] = await db
    .select({ userId: users.id, name: users.name, email: users.email })
    .from(users)
    .where(and(eq(users.email, email), isNull(users.removedAt)))
  if (!account) throw new Refusal(404, 'There is no such account')
  const { picture, education, location, phone, linkedIn } = form
  const said = { picture, education, location, phone, linkedIn }
  await db
    .insert(profiles)
    .values({ userId: account.userId, ...said })
    .onConflictDoUpdate({ target: profiles.userId, set: said })
  return { name: account.name, email: account.email, ...said }
}
