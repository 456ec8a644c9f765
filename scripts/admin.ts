import path from 'node:path'
import { CannotStart, startOrSayWhy } from '#platform/cannot-start.ts'
import { onDatabase } from '#platform/command.ts'
import type { Database } from '#platform/database.ts'
import { readSettings } from '#platform/settings.ts'
import { demote, listAccounts, makeAdmin } from '#store/identity/rules.ts'

const usage = 'npm run admin -- list | make EMAIL | demote EMAIL'

/** What the owner may do to the admins, with a line that says what was done. */
const acts: Record<string, (db: Database, email: string) => Promise<string>> = {
  list: async (db) =>
    (await listAccounts(db))
      .filter(({ role }) => role === 'admin')
      .map(({ email }) => email)
      .join('\n'),
  make: async (db, email) => ((await makeAdmin(db, email)) > 0 ? `${email} is an admin now` : `${email} was an admin already`),
  demote: async (db, email) => {
    await demote(db, email)
    return `${email} is no admin any more, and was signed out everywhere`
  },
}

await startOrSayWhy(async () => {
  const [word = '', email = ''] = process.argv.slice(2)
  const act = acts[word]
  if (!act || (word === 'list') !== (email === '')) throw new CannotStart(usage)
  const migrations = path.join(import.meta.dirname, '../migrations')
  console.log(await onDatabase(readSettings(process.env), migrations, (db) => act(db, email.trim().toLowerCase())))
})
