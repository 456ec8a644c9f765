import type Stripe from 'stripe'
import { testCard } from './cards.ts'
import type { Db } from './ledger.ts'
import { type Answer, answer, missing, newId } from './wire.ts'

/*
 * 3-D Secure: the buyer's bank asks the buyer before a card is charged. A challenge is in the ledger while it waits for an answer; its id
 * is known only to who may see the intent's next_action, so it opens the question without a key.
 */

/** Begins a challenge, and says where it is answered: by the browser's library, or on a page of its own where `return_url` says the way back. */
export async function begin(
  tx: Db,
  origin: string,
  intentId: string,
  methodId: string,
  { return_url, use_stripe_sdk }: { return_url?: string | undefined; use_stripe_sdk?: boolean | undefined },
): Promise<Stripe.PaymentIntent.NextAction> {
  const id = newId('payatt')
  const redirected = return_url !== undefined && !use_stripe_sdk
  await tx.query('insert into sandbox.challenges (id, intent_id, method_id, return_url) values ($1, $2, $3, $4)', [
    id,
    intentId,
    methodId,
    redirected ? return_url : null,
  ])
  const url = `${origin}/3d_secure/${id}`
  return redirected
    ? { type: 'redirect_to_url', redirect_to_url: { return_url, url } }
    : { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', source: id, stripe_js: url } }
}

/** The challenge that waits for an answer; 404 when it is over or never was. */
export async function find(db: Db, id: string) {
  const { rows } = await db.query<{ intent_id: string; method_id: string; return_url: string | null }>(
    'select intent_id, method_id, return_url from sandbox.challenges where id = $1',
    [id],
  )
  if (!rows[0]) throw missing('challenge', id, 'challenge')
  return rows[0]
}

/** Nobody is asked about this intent any more. */
export async function end(tx: Db, intentId: string): Promise<void> {
  await tx.query('delete from sandbox.challenges where intent_id = $1', [intentId])
}

/** What the buyer is asked about: so many cents, with which card. */
export async function question(db: Db, id: string): Promise<Answer> {
  const { intent_id, method_id } = await find(db, id)
  const { rows } = await db.query<{ intent: Stripe.PaymentIntent; card: string }>(
    `select intents.object as intent, card from sandbox.intents, sandbox.payment_methods as methods
     where intents.id = $1 and methods.id = $2`,
    [intent_id, method_id],
  )
  const [row] = rows
  if (!row) throw missing('challenge', id, 'challenge')
  const { brand, last4 } = testCard(row.card)
  return answer(200, { object: 'challenge', amount: row.intent.amount, currency: row.intent.currency, brand, last4 })
}
