import type Stripe from 'stripe'
import { z } from 'zod'
import { findTestCard } from './cards.ts'
import * as charges from './charges.ts'
import { type EventRequest, recordEvent } from './events.ts'
import { expand, expandObject } from './expand.ts'
import type { Db } from './ledger.ts'
import { type ListResource, listPage, paginationParams } from './pagination.ts'
import { type ApiResponse, invalidRequestError, jsonResponse, newId, nowSeconds, resourceMissingError } from './wire.ts'

export const DisputeRetrieveParams = z.strictObject({ expand })

export const DisputeListParams = z.strictObject({
  ...paginationParams,
  payment_intent: z.string().optional(),
  charge: z.string().optional(),
  expand,
})

const EVIDENCE_DUE_SECONDS = 9 * 24 * 3600

/** Disputes a charge: it is no longer refundable, and the shop must submit evidence. Does nothing when the charge was already refunded. */
export async function open(tx: Db, chargeId: string): Promise<void> {
  const charge = await charges.lock(tx, chargeId)
  if (!charge || charge.disputed || charge.refunded) return
  const { disputed: reason = 'general', brand } = findTestCard(await charges.cardTokenOf(tx, charge))
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
      due_by: nowSeconds() + EVIDENCE_DUE_SECONDS,
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
  await charges.save(tx, { ...charge, disputed: true })
  await recordEvent(tx, 'charge.dispute.created', dispute, null)
}

/** Accepts a dispute, which is then lost; 400 when it is already closed. */
export async function close(tx: Db, cause: EventRequest, id: string, params: z.output<typeof DisputeRetrieveParams>): Promise<ApiResponse> {
  const { rows } = await tx.query<{ object: Stripe.Dispute }>('select object from sandbox.disputes where id = $1 for update', [id])
  const dispute = rows[0]?.object
  if (!dispute) throw resourceMissingError('dispute', id, 'dispute')
  if (dispute.status !== 'needs_response') throw invalidRequestError('This dispute is already closed')
  const lost: Stripe.Dispute = { ...dispute, status: 'lost' }
  await tx.query('update sandbox.disputes set object = $2 where id = $1', [id, lost])
  await recordEvent(tx, 'charge.dispute.closed', lost, cause, { status: dispute.status })
  return jsonResponse(200, await expandObject(tx, lost, params.expand))
}

const DISPUTES: ListResource = { table: 'disputes', kind: 'dispute', url: '/v1/disputes', object: 'object' }

/** The disputes of an intent or a charge, or all disputes, newest first. */
export function list(db: Db, params: z.output<typeof DisputeListParams>): Promise<ApiResponse> {
  const filter = { intent_id: params.payment_intent, charge_id: params.charge }
  return listPage<Stripe.Dispute>(db, DISPUTES, params, filter, (dispute) => expandObject(db, dispute, params.expand, 'data.'))
}

/** The dispute; 404 when there is none. */
export async function retrieve(db: Db, id: string, params: z.output<typeof DisputeRetrieveParams>): Promise<ApiResponse> {
  const { rows } = await db.query<{ object: Stripe.Dispute }>('select object from sandbox.disputes where id = $1', [id])
  if (!rows[0]) throw resourceMissingError('dispute', id, 'dispute')
  return jsonResponse(200, await expandObject(db, rows[0].object, params.expand))
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
