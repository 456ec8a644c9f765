import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { CannotStart } from '#platform/cannot-start.ts'
import { onDatabase } from '#platform/command.ts'
import type { Database } from '#platform/database.ts'
import { ByEmail } from '#store/identity/contract.ts'
import { openSignInProvider } from '#store/identity/provider.ts'
import { type Before, demote, listAccounts, makeAdmin, makeOwner, restoreUser } from '#store/identity/rules.ts'

const usage = 'npm run admin -- list | make EMAIL [--unverified] | demote EMAIL | owner EMAIL | restore EMAIL'

/** What may be done to the admins on the store's machine, with a line that says what was done. The store mails it to the owners. */
const acts: Record<string, (db: Database, email: string, options: { unverified: boolean }) => Promise<string>> = {
  list: async (db) =>
    (await listAccounts(db))
      .filter(({ role }) => role === 'admin')
      .map(({ email, owner }) => (owner ? `${email}  owner` : email))
      .join('\n'),
  make: async (db, email, { unverified }) => {
    const made = await makeAdmin(db, email, undefined, { provenOnly: !unverified })
    return made > 0 ? `${email} is an admin now` : `${email} was an admin already`
  },
  demote: async (db, email) => {
    await demote(db, email)
    return `${email} is no admin any more, and was signed out everywhere`
  },
  owner: async (db, email) => {
    // Hashes a password and answers nobody: it needs no secret that lasts, and no address.
    const provider = openSignInProvider(db, { secret: randomBytes(32).toString('base64url'), origins: [], post: () => {} })
    const { was, password } = await makeOwner(db, provider, email)
    return password ? `${email} is an owner now, with the password ${password}  (shown this once)` : ownerWords[was](email)
  },
  restore: async (db, email) => {
    await restoreUser(db, email)
    return `${email} can sign in again, as a customer`
  },
}

const ownerWords: Record<Before, (email: string) => string> = {
  owner: (email) => `${email} was an owner already`,
  admin: (email) => `${email} is an owner now`,
  customer: (email) => `${email} is an owner now`,
  removed: (email) => `${email} was removed, is back, and is an owner now: it signs in with the password it had`,
  nobody: (email) => `${email} has an account now, and is an owner`,
}

/**
 * What the owner's command does with these words on the store that the settings name.
 * @returns the line that says what was done
 * @throws {CannotStart} in the words of what was refused, or how the command is written
 */
export async function administer(settings: Parameters<typeof onDatabase>[0], [word = '', email = '', option]: string[]): Promise<string> {
  const act = acts[word]
  const unverified = word === 'make' && option === '--unverified'
  if (!act || (word === 'list') !== (email === '') || (option !== undefined && !unverified)) throw new CannotStart(usage)
  const about = word === 'list' ? { email: '' } : ByEmail.safeParse({ email }).data
  if (!about) throw new CannotStart(`${email} is no e-mail address`)
  const migrations = path.join(import.meta.dirname, '../migrations')
  return onDatabase(settings, migrations, (db) => act(db, about.email, { unverified }))
}
