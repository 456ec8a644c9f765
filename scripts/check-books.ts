import path from 'node:path'
import { openCardSandbox } from '#demo/card-sandbox/sandbox.ts'
import { CannotStart, startOrSayWhy } from '#platform/cannot-start.ts'
import { onDatabase } from '#platform/command.ts'
import { readSettings, type Settings } from '#platform/settings.ts'
import { checkBooks, type Invariant } from '#store/payments/books.ts'
import { type CardProvider, connectSandbox, connectStripe } from '#store/payments/card-provider.ts'

/**
 * `npm run check:books`: says of each thing that must be true of the books whether it is, and ends with 1 when one is not. It reads only,
 * and may be run on a live store at any time.
 */
const underWaySeconds = 70

await startOrSayWhy(async () => {
  const settings = readSettings(process.env)
  const migrations = path.join(import.meta.dirname, '../migrations')
  const checked = await onDatabase(settings, migrations, async (db, connectionString) => {
    await using opened = new AsyncDisposableStack()
    const cards = await cardProvider(settings, connectionString, opened)
    const first = await checkBooks(db, cards)
    if (isRight(first) || !isRight(first.filter(({ comparesLedgers }) => !comparesLedgers))) return first
    // Money that was taken this moment is in the provider's ledger before it is in ours: within a minute it is in both.
    console.log("The card provider's ledger is not ours, or something is under way: looking again in a minute")
    await new Promise((wait) => setTimeout(wait, underWaySeconds * 1000))
    return checkBooks(db, cards)
  })
  for (const { sentence, faults } of checked) {
    console.log(`${faults.length === 0 ? 'right' : 'WRONG'}  ${sentence}`)
    for (const fault of faults) console.log(`         ${fault}`)
  }
  if (!isRight(checked)) throw new CannotStart('The books are wrong')
  console.log('The books are right')
})

function isRight(checked: Invariant[]): boolean {
  return checked.every(({ faults }) => faults.length === 0)
}

/** A demo's ledger lies in its database: a sandbox that only reads it answers, whether the store runs or not. */
async function cardProvider({ stripe }: Settings, connectionString: string, opened: AsyncDisposableStack): Promise<CardProvider> {
  if (stripe) return connectStripe(stripe)
  const sandbox = await openCardSandbox({ connectionString, port: 0 })
  opened.defer(() => sandbox.close())
  return connectSandbox(sandbox)
}
