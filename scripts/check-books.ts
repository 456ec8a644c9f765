import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCardSandbox } from '#demo/card-sandbox/sandbox.ts'
import { readSettings, type Settings } from '#platform/settings.ts'
import { exitOnStartupError, StartupError } from '#platform/startup-error.ts'
import { withDatabase } from '#platform/with-database.ts'
import { type CardProvider, connectSandbox, connectStripe } from '#store/orders/payments/card-provider.ts'
import { checkInvariants } from '#store/orders/payments/invariants.ts'

/**
 * `npm run check:books`: checks the accounting invariants and prints the result of each. Exits with 1 if one is violated. Read-only: may be
 * run on a live store at any time.
 */
const recheckAfterSeconds = 70

await exitOnStartupError(async () => {
  const settings = readSettings(process.env)
  const migrations = path.join(import.meta.dirname, '../migrations')
  const checked = await withDatabase(settings, migrations, async (db, connectionString) => {
    await using opened = new AsyncDisposableStack()
    const cards = await cardProvider(settings, connectionString, opened)
    // Awaited here: the sandbox closes at the end of this function.
    return await checkInvariants(db, cards, async () => {
      // A payment is in the provider's ledger before it is in ours; within a minute it is in both.
      console.log("The card provider's ledger is not ours, or something is under way: looking again in a minute")
      await sleep(recheckAfterSeconds * 1000)
    })
  })
  for (const { description, violations } of checked) {
    console.log(`${violations.length === 0 ? 'right' : 'WRONG'}  ${description}`)
    for (const fault of violations) console.log(`         ${fault}`)
  }
  if (checked.some(({ violations }) => violations.length > 0)) throw new StartupError('The books are wrong')
  console.log('The books are right')
})

/** In demo mode, starts a read-only card sandbox on the ledger in the database, whether the store runs or not. */
async function cardProvider({ stripe }: Settings, connectionString: string, opened: AsyncDisposableStack): Promise<CardProvider> {
  if (stripe) return connectStripe(stripe)
  const sandbox = await openCardSandbox({ connectionString, port: 0 })
  opened.defer(() => sandbox.close())
  return connectSandbox(sandbox)
}
