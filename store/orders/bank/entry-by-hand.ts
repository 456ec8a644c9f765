import { randomUUID } from 'node:crypto'
import type { Database } from '#platform/database.ts'
import type { User } from '#store/identity/contract.ts'
import { findBankAccount } from '#store/orders/payment-methods/rules.ts'
import { bankEntries } from './table.ts'

type Entry = { bookedOn: string; amountCents: number; text: string }

/** Writes an entry of the account that an owner has seen, and of which the caller says in the same transaction what it is for. @returns its id */
export async function insertEntryByHand(tx: Database, owner: User, entry: Entry): Promise<string> {
  const account = await findBankAccount(tx)
  const [row] = await tx
    .insert(bankEntries)
    .values({
      ...{ ...entry, leftCents: entry.amountCents, iban: account?.iban ?? '' },
      ...{ key: `by hand: ${randomUUID()}`, addedBy: owner.id, matchedAt: new Date() },
    })
    .returning({ _id: bankEntries._id })
  if (!row) throw new Error('The new entry was not returned')
  return row._id
}
