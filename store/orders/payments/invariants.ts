import { sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Database } from '#platform/database.ts'
import { type CardProvider, readAllPages } from './card-provider.ts'
import { databaseInvariants } from './database-invariants.ts'
import { retrieveIntent } from './settle.ts'

/** A condition that must always hold in the books, and the rows that violate it. */
export type Invariant = { description: string; violations: string[] }

/**
 * Checks the books, in one read-only snapshot, for consistency with themselves and with the card provider's ledger.
 * @param cards without it the comparison with the provider is left out
 * @param beforeReadingAgain awaited where the ledgers differ, before the payments that differ are read again
 * @throws {HttpError} 503 the provider does not answer
 */
export async function checkInvariants(
  db: Database,
  cards?: CardProvider,
  beforeReadingAgain: () => Promise<void> = async () => {},
): Promise<Invariant[]> {
  const { checked, settled } = await db.transaction(
    async (tx) => {
      const checked: Invariant[] = []
      for (const [sentence, statements] of databaseInvariants) {
        const faults: string[] = []
        for (const statement of statements)
          for (const { fault } of (await tx.execute<{ fault: string }>(statement)).rows) faults.push(fault)
        checked.push({ description: sentence, violations: faults })
      }
      return { checked, settled: await readSettledPayments(tx) }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  return cards ? [...checked, await compareWithProvider(db, cards, settled, beforeReadingAgain)] : checked
}

/** Compares the books with the card provider's ledger: see `checkInvariants`. @param settled what the books say, from `readSettledPayments` */
export async function compareWithProvider(
  db: Database,
  cards: CardProvider,
  settled: SettledPayment[],
  beforeReadingAgain: () => Promise<void> = async () => {},
): Promise<Invariant> {
  // After the transaction: the provider's lists can take longer than the database lets a transaction wait.
  const differing = await findDifferingIntents(settled, cards)
  if (differing.length > 0) await beforeReadingAgain()
  const faults = await compareAgain(db, cards, differing.slice(0, maxReadAgain))
  const rest = differing.length - maxReadAgain
  return {
    description: "The money in the card provider's ledger is the money in the books, both ways",
    violations: rest > 0 ? [...faults, `And ${rest} more differ, which were not read again`] : faults,
  }
}

type SettledPayment = { _id: string; intentId: string; amountCents: number; refundedCents: number }
type IntentAtProvider = { receivedCents: number; refundedCents: number }

/** More differ where the ledger is another one, such as after an old copy was restored. Each is read again by two requests. */
const maxReadAgain = 100

/** Payments without an intent are a fault of the books alone. */
export async function readSettledPayments(tx: Database, intentId?: string): Promise<SettledPayment[]> {
  const { rows } = await tx.execute<SettledPayment>(
    sql`select id as "_id", intent_id as "intentId", amount_cents as "amountCents", refunded_cents as "refundedCents" from payments
      where state = 'succeeded' and ${intentId === undefined ? sql`intent_id is not null` : sql`intent_id = ${intentId}`}`,
  )
  return rows
}

/**
 * Compares in both directions: every charge and refund of the provider with the books, and every one in the books with the provider.
 * @returns the intents that differ. As the books and the provider's lists are read one after the other, one that is paid or refunded
 *   meanwhile is among them
 */
async function findDifferingIntents(settled: SettledPayment[], cards: CardProvider): Promise<string[]> {
  const missing = new Map(settled.map((payment) => [payment.intentId, payment]))
  const differing: string[] = []
  const refunded = await refundedCentsByIntent(cards)
  for await (const intent of readAllPages(cards.stripe.paymentIntents.list({ limit: 100 }))) {
    if (!isPaymentOfStore(intent)) continue
    const atProvider = { receivedCents: intent.amount_received, refundedCents: refunded.get(intent.id) ?? 0 }
    if (findLedgerFault(intent.id, missing.get(intent.id), atProvider)) differing.push(intent.id)
    missing.delete(intent.id)
  }
  return [...differing, ...missing.keys()]
}

/**
 * Reads these intents again, the provider first, since it knows of a payment or refund before the books do.
 * @returns the faults of those that still differ
 */
async function compareAgain(db: Database, cards: CardProvider, intentIds: string[]): Promise<string[]> {
  const faults: string[] = []
  for (const intentId of intentIds) {
    const atProvider = await readIntentAtProvider(cards, intentId)
    const [payment] = await readSettledPayments(db, intentId)
    const fault = findLedgerFault(intentId, payment, atProvider)
    if (fault) faults.push(fault)
  }
  return faults
}

function findLedgerFault(
  intentId: string,
  payment: SettledPayment | undefined,
  atProvider: IntentAtProvider | undefined,
): string | undefined {
  if (!atProvider) return payment && `The provider has not taken the money of the payment ${payment._id} (${intentId})`
  const { receivedCents, refundedCents } = atProvider
  if (!payment) return `The provider took ${receivedCents} cents by ${intentId}; the books do not know`
  if (payment.amountCents !== receivedCents)
    return `The provider took ${receivedCents} cents by ${intentId}, the books say ${payment.amountCents}`
  if (payment.refundedCents !== refundedCents)
    return `The provider gave ${refundedCents} cents of ${intentId} back, the books say ${payment.refundedCents}`
  return undefined
}

/** The provider's account may have payments that are not of this store. */
const isPaymentOfStore = ({ status, metadata }: Stripe.PaymentIntent) => status === 'succeeded' && Boolean(metadata.payment_id)

async function readIntentAtProvider(cards: CardProvider, intentId: string): Promise<IntentAtProvider | undefined> {
  const intent = await retrieveIntent(cards, intentId)
  if (!intent || !isPaymentOfStore(intent)) return undefined
  const refunded = await refundedCentsByIntent(cards, { payment_intent: intentId })
  return { receivedCents: intent.amount_received, refundedCents: refunded.get(intentId) ?? 0 }
}

async function refundedCentsByIntent(cards: CardProvider, which: { payment_intent?: string } = {}): Promise<Map<string, number>> {
  const cents = new Map<string, number>()
  for await (const { payment_intent, status, amount } of readAllPages(cards.stripe.refunds.list({ limit: 100, ...which }))) {
    if (typeof payment_intent !== 'string' || status === 'failed' || status === 'canceled') continue
    cents.set(payment_intent, (cents.get(payment_intent) ?? 0) + amount)
  }
  return cents
}
