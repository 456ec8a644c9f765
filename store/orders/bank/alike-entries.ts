import { sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { bankEntries } from './table.ts'

type KeyedEntry = { key: string; bookedOn: string; amountCents: number }

/**
 * Refuses entries that are most likely known by other words: the same statement as CSV and as CAMT, or with other columns, says each of them in
 * another way. Locks the entries of accounts, so that of two such files at once the second sees the first.
 * @throws {HttpError} 409 entries that are new have the day and the amount of others that stand there, and that the file does not say
 */
export async function assertNoneAlike(tx: Database, iban: string, entries: KeyedEntry[]): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('entries of the bank', 0))`)
  const [days, amounts] = [entries.map(({ bookedOn }) => bookedOn), entries.map(({ amountCents }) => amountCents)]
  const asked = sql`select day, cents from unnest(${sql.param(days)}::date[], ${sql.param(amounts)}::bigint[]) as asked (day, cents)`
  const standing = await tx
    .select({ key: bankEntries.key, bookedOn: bankEntries.bookedOn, amountCents: bankEntries.amountCents })
    .from(bankEntries)
    .where(sql`${bankEntries.iban} = ${iban} and (${bankEntries.bookedOn}, ${bankEntries.amountCents}) in (${asked})`)
  const [said, known] = [new Set(entries.map(({ key }) => key)), new Set(standing.map(({ key }) => key))]
  const others = new Set(standing.filter(({ key }) => !said.has(key)).map(dayAndAmount))
  const alike = entries.filter((entry) => !known.has(entry.key) && others.has(dayAndAmount(entry))).length
  if (alike === 0) return
  throw new HttpError(
    409,
    `${alike === 1 ? '1 entry has' : `${alike} entries have`} the day and the amount of others that stand here already, in other words or with another reference. It may be the same money, such as of a statement in another format. Import only what is new or, if all of it has come besides, say so`,
    undefined,
    { code: 'entries_alike' },
  )
}

const dayAndAmount = ({ bookedOn, amountCents }: Omit<KeyedEntry, 'key'>) => `${bookedOn} ${amountCents}`
