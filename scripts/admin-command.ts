import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Database } from '#platform/database.ts'
import { StartupError } from '#platform/startup-error.ts'
import { withDatabase } from '#platform/with-database.ts'
import { EmailParams } from '#store/identity/contract.ts'
import { listAccounts, makeAdmin, makeOwner, type PreviousRole, restoreUser, revokeAdmin } from '#store/identity/rules.ts'
import { createSignInProvider } from '#store/identity/sign-in-provider.ts'

const usage = 'npm run admin -- list | make EMAIL [--unverified] | demote EMAIL | owner EMAIL | restore EMAIL'

/** Commands for managing admins. Each returns a line with its result. Owners are notified by email. */
const adminCommands: Record<string, (db: Database, email: string, options: { unverified: boolean }) => Promise<string>> = {
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
    await revokeAdmin(db, email)
    return `${email} is no admin any more, and was signed out everywhere`
  },
  owner: async (db, email) => {
    // Used only to hash a password, so it needs no permanent secret and no origins.
    const provider = createSignInProvider(db, { secret: randomBytes(32).toString('base64url'), origins: [], sendEmail: () => {} })
    const { was, password } = await makeOwner(db, provider, email)
    return password ? `${email} is an owner now, with the password ${password}  (shown this once)` : ownerMessages[was](email)
  },
  restore: async (db, email) => {
    await restoreUser(db, email)
    return `${email} can sign in again, as a customer`
  },
}

const ownerMessages: Record<PreviousRole, (email: string) => string> = {
  owner: (email) => `${email} was an owner already`,
  admin: (email) => `${email} is an owner now`,
  customer: (email) => `${email} is an owner now`,
  removed: (email) => `${email} was removed, is back, and is an owner now: it signs in with the password it had`,
  nobody: (email) => `${email} has an account now, and is an owner`,
}

/**
 * Runs the `npm run admin` command with these arguments.
 * @returns the result, for the console
 * @throws {StartupError} with the error message of the command, or with the usage
 */
export async function runAdminCommand(
  settings: Parameters<typeof withDatabase>[0],
  [name = '', email = '', option]: string[],
): Promise<string> {
  const command = adminCommands[name]
  const unverified = name === 'make' && option === '--unverified'
  if (!command || (name === 'list') !== (email === '') || (option !== undefined && !unverified)) throw new StartupError(usage)
  const target = name === 'list' ? { email: '' } : EmailParams.safeParse({ email }).data
  if (!target) throw new StartupError(`${email} is no e-mail address`)
  const migrations = path.join(import.meta.dirname, '../migrations')
  return withDatabase(settings, migrations, (db) => command(db, target.email, { unverified }))
}
