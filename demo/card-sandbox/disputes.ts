import type Stripe from 'stripe'
import { z } from 'zod'
import { testCard } from './cards.ts'
import * as charges from './charges.ts'
import { type Cause, record } from './events.ts'
import { expand, expanded } from './expand.ts'
import type { Db } from './ledger.ts'
import { page, paging, type Shelf } from './listing.ts'
import { type Answer, answer, invalid, missing, newId, nowSeconds } from './wire.ts'

export const DisputeRetrieved = z.strictObject({ expand })

export const DisputesListed = z.strictObject({ ...paging, payment_intent: z.string().optional(), charge: z.string().optional(), expand })

const SHOP_HAS_SECONDS = 9 * 24 * 3600

/** The buyer contests a charge: it cannot be refunded any more, and the shop is asked for evidence. A charge given back meanwhile is left alone. */
export async function open(tx: Db, chargeId: string): Promise<void> {
  const charge = await charges.locked(tx, chargeId)
  if (!charge || charge.disputed || charge.refunded) return
  const { disputed: reason = 'general', brand } = testCard(await charges.cardOf(tx, charge))
  const networkCode = reason === 'fraudulent' ? '10.4' : '13.1'
  const dispute: Stripe.Dispute = {
    id: newId('du'),
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: nowSeconds(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: nowSeconds() + SHOP_HAS_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    network_reason_code: networkCode,
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand, case_type: 'chargeback', network: brand, network_reason_code: networkCode },
      type: 'card',
    },
    reason,
    status: 'needs_response',
  }
  await tx.query('insert into sandbox.disputes (id, charge_id, intent_id, object) values ($1, $2, $3, $4)', [
    dispute.id,
    charge.id,
    charge.payment_intent,
    dispute,
  ])
  await charges.keep(tx, { ...charge, disputed: true })
  await record(tx, 'charge.dispute.created', dispute, null)
}

/** The shop gives in: the dispute is lost. Refuses one that is over already. */
export async function close(tx: Db, cause: Cause, id: string, wish: z.output<typeof DisputeRetrieved>): Promise<Answer> {
  const { rows } = await tx.query<{ object: Stripe.Dispute }>('select object from sandbox.disputes where id = $1 for update', [id])
  const dispute = rows[0]?.object
  if (!dispute) throw missing('dispute', id, 'dispute')
  if (dispute.status !== 'needs_response') throw invalid('This dispute is already closed')
  const lost: Stripe.Dispute = { ...dispute, status: 'lost' }
  await tx.query('update sandbox.disputes set object = $2 where id = $1', [id, lost])
  await record(tx, 'charge.dispute.closed', lost, cause, { status: dispute.status })
  return answer(200, await expanded(tx, lost, wish.expand))
}

const DISPUTES: Shelf = { table: 'disputes', kind: 'dispute', url: '/v1/disputes', object: 'object' }

/** The disputes of an intent or a charge, or all, the newest first. */
export function list(db: Db, asked: z.output<typeof DisputesListed>): Promise<Answer> {
  const only = { intent_id: asked.payment_intent, charge_id: asked.charge }
  return page<Stripe.Dispute>(db, DISPUTES, asked, only, (dispute) => expanded(db, dispute, asked.expand, 'data.'))
}

/** One dispute as it stands (404 when there is none). */
export async function retrieve(db: Db, id: string, wish: z.output<typeof DisputeRetrieved>): Promise<Answer> {
  const { rows } = await db.query<{ object: Stripe.Dispute }>('select object from sandbox.disputes where id = $1', [id])
  if (!rows[0]) throw missing('dispute', id, 'dispute')
  return answer(200, await expanded(db, rows[0].object, wish.expand))
}

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
}
