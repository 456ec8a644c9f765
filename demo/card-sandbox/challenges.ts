import type Stripe from 'stripe'
import { findTestCard } from './cards.ts'
import type { Db } from './ledger.ts'
import { type ApiResponse, jsonResponse, newId, resourceMissingError } from './wire.ts'

/*
 * 3-D Secure: the bank asks the buyer for authentication before a card is charged. A challenge is stored until it is answered. Its id is
 * only visible in the intent's next_action, so it grants access to the challenge without an API key.
 */

/**
 * Creates a challenge.
 * @returns the next_action: authentication in the browser library, or, with `return_url`, on a separate page that redirects back
 */
export async function create(
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

/** The pending challenge; 404 when it has ended or does not exist. */
export async function find(db: Db, id: string) {
  const { rows } = await db.query<{ intent_id: string; method_id: string; return_url: string | null }>(
    'select intent_id, method_id, return_url from sandbox.challenges where id = $1',
    [id],
  )
  if (!rows[0]) throw resourceMissingError('challenge', id, 'challenge')
  return rows[0]
}

/** Deletes the pending challenges of an intent. */
export async function deleteForIntent(tx: Db, intentId: string): Promise<void> {
  await tx.query('delete from sandbox.challenges where intent_id = $1', [intentId])
}

/** The details shown to the buyer: amount in cents, currency and card. */
export async function describe(db: Db, id: string): Promise<ApiResponse> {
  const { intent_id, method_id } = await find(db, id)
  const { rows } = await db.query<{ intent: Stripe.PaymentIntent; card: string }>(
    `select intents.object as intent, card from sandbox.intents, sandbox.payment_methods as methods
     where intents.id = $1 and methods.id = $2`,
    [intent_id, method_id],
  )
  const [row] = rows
  if (!row) throw resourceMissingError('challenge', id, 'challenge')
  const { brand, last4 } = findTestCard(row.card)
  return jsonResponse(200, { object: 'challenge', amount: row.intent.amount, currency: row.intent.currency, brand, last4 })
}
