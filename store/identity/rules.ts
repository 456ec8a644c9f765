import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { SignInProvider } from './provider.ts'
import { accounts, users } from './table.ts'

/** Is this account an admin? An address without an account is not. */
export async function isAdmin(db: Database, email: string): Promise<boolean> {
  const [user] = await db.select({ role: users.role }).from(users).where(eq(users.email, email))
  return user?.role === 'admin'
}

/**
 * The first start makes the first admin: while there is none, this e-mail is made one, or promoted if it has an account.
 * @returns the password that it generated, to be shown this once; nothing when the password was given, an admin exists or one was promoted
 */
export function makeFirstAdmin(db: Database, provider: SignInProvider, first: { email: string; password: string | undefined }) {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${users} in share row exclusive mode`) // two first starts at once make one admin
    const admins = await tx.$count(users, eq(users.role, 'admin'))
    if (admins > 0) return undefined

    const promoted = await tx.update(users).set({ role: 'admin', emailVerified: true }).where(eq(users.email, first.email))
    if (promoted.rowCount) return undefined

    const password = first.password ?? randomBytes(9).toString('base64url')
    const id = crypto.randomUUID()
    const { password: passwords } = await provider.$context
    await tx.insert(users).values({ id, email: first.email, name: 'Store owner', emailVerified: true, role: 'admin' })
    await tx
      .insert(accounts)
      .values({ id: crypto.randomUUID(), accountId: id, providerId: 'credential', userId: id, password: await passwords.hash(password) })
    return first.password ? undefined : password
  })
}
