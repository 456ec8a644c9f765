import { and, desc, eq, isNull, ne, or } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { Refusal } from '#platform/refusal.ts'
import type { User } from '#store/identity/contract.ts'
import { orders, payments } from '#store/orders/table.ts'
import { ask, type CardProvider } from './card-provider.ts'

type Payment = typeof payments.$inferSelect

const alreadyPaid = () => new Refusal(409, 'This order is paid already')

/**
 * Opens the payment of an order at the card provider, or finds the one that is open. Saved first, asked then: however often this is
 * called, and wherever it breaks off, an order has one payment, and its id is the provider's idempotency key.
 * @param wish `productCost` in whole dollars is only compared; without `orderId` the buyer's newest unpaid order of that cost is meant
 * @returns the intent's client secret, for the browser's card form
 * @throws {Refusal} 404 not the buyer's order; 409 paid already, or another cost; 503 the provider does not answer
 */
export async function open(
  db: Database,
  cards: CardProvider,
  buyer: User,
  wish: { orderId?: string | undefined; productCost: number },
): Promise<string> {
  const orderId = wish.orderId ?? (await newestUnpaid(db, buyer, wish.productCost))
  const payment = await db.transaction(async (tx) => {
    const [order] = await tx
      .select()
      .from(orders)
      .where(and(eq(orders._id, orderId), eq(orders.buyerId, buyer.id)))
      .for('update')
    if (!order) throw new Refusal(404, 'There is no such order')
    if (order.productCost !== wish.productCost) throw new Refusal(409, `This order costs $${order.productCost}`)

    if (order.paymentId) {
      const [opened] = await tx.select().from(payments).where(eq(payments._id, order.paymentId))
      if (opened?.state === 'succeeded') throw alreadyPaid()
      if (opened) return opened
    }
    const [opened] = await tx
      .insert(payments)
      .values({ amountCents: order.productCost * 100 })
      .returning()
    if (!opened) throw new Error('The new payment was not returned')
    await tx.update(orders).set({ paymentId: opened._id }).where(eq(orders._id, order._id))
    return opened
  })

  const intent = payment.intentId
    ? await ask(cards.stripe.paymentIntents.retrieve(payment.intentId))
    : await createIntent(db, cards, payment, orderId)
  if (intent.status === 'succeeded') {
    await settle(db, cards, intent.id)
    throw alreadyPaid()
  }
  if (intent.status === 'canceled') {
    await giveUp(db, payment)
    return open(db, cards, buyer, { ...wish, orderId })
  }
  if (!intent.client_secret) throw new Error(`The card provider gave no client secret for ${intent.id}`)
  return intent.client_secret
}

async function createIntent(db: Database, cards: CardProvider, payment: Payment, orderId: string) {
  const intent = await ask(
    cards.stripe.paymentIntents.create(
      {
        amount: payment.amountCents,
        currency: payment.currency,
        allowed_payment_method_types: ['card'],
        metadata: { payment_id: payment._id, order_id: orderId },
      },
      { idempotencyKey: payment._id },
    ),
  )
  await db
    .update(payments)
    .set({ intentId: intent.id })
    .where(and(eq(payments._id, payment._id), isNull(payments.intentId)))
  return intent
}

/** A payment whose intent was canceled at the provider takes no card any more: its order goes free for another. */
function giveUp(db: Database, { _id }: Payment): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.update(orders).set({ paymentId: null }).where(eq(orders.paymentId, _id))
    await tx
      .update(payments)
      .set({ state: 'canceled' })
      .where(and(eq(payments._id, _id), eq(payments.state, 'open')))
  })
}

/**
 * The only way to paid: asks the provider whether this intent took the money of the payment it was opened for, and if so says so in
 * the books. Safe to call any number of times, from the browser's hint and from the webhook.
 * @returns whether the payment has succeeded, now or before
 */
export async function settle(db: Database, cards: CardProvider, intentId: string): Promise<boolean> {
  const [payment] = await db.select().from(payments).where(eq(payments.intentId, intentId))
  if (!payment) return false
  if (payment.state === 'succeeded') return true

  const intent = await ask(cards.stripe.paymentIntents.retrieve(intentId))
  const taken =
    intent.status === 'succeeded' &&
    intent.amount_received === payment.amountCents &&
    intent.currency === payment.currency &&
    intent.metadata.payment_id === payment._id
  if (!taken) return false

  await db
    .update(payments)
    .set({ state: 'succeeded', settledAt: new Date() })
    .where(and(eq(payments._id, payment._id), eq(payments.state, 'open')))
  return true
}

/**
 * The browser's hint that an order was paid with this intent. A hint only: the provider is asked.
 * @throws {Refusal} 404 not the buyer's order; 409 the intent is not this order's; 402 the provider has not taken the money
 */
export async function record(db: Database, cards: CardProvider, buyer: User, orderId: string, transectionId: string): Promise<void> {
  const [order] = await db
    .select({ intentId: payments.intentId })
    .from(orders)
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(and(eq(orders._id, orderId), eq(orders.buyerId, buyer.id)))
  if (!order) throw new Refusal(404, 'There is no such order')
  if (order.intentId !== transectionId) throw new Refusal(409, 'This transaction does not belong to this order')
  if (!(await settle(db, cards, transectionId))) throw new Refusal(402, 'The card provider has not taken the money for this order')
}

async function newestUnpaid(db: Database, buyer: User, productCost: number): Promise<string> {
  const [order] = await db
    .select({ _id: orders._id })
    .from(orders)
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(
      and(eq(orders.buyerId, buyer.id), eq(orders.productCost, productCost), or(isNull(payments.state), ne(payments.state, 'succeeded'))),
    )
    .orderBy(desc(orders.number))
    .limit(1)
  if (!order) throw new Refusal(409, `You have no unpaid order of $${productCost}`)
  return order._id
}
