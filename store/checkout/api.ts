import { widestClientNetwork } from '#platform/client-network.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import { type InProcessApi, registerPageQuery } from '#platform/in-process-api.ts'
import { centsToAmount, lineTotal } from '#shared/money.ts'
import { visitorOf } from '#store/cart/change-cart.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { Guards } from '#store/identity/guards.ts'
import { type Buyer, type Viewer, viewerKey } from '#store/orders/buyer.ts'
import { type BuyerQueue, createBuyerLimiter, type PlacingLimiter } from '#store/orders/keyed-limiter.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { createOrderLink } from '#store/orders/order-link.ts'
import { type CardProvider, providerResponseTimeoutMs } from '#store/orders/payments/card-provider.ts'
import { endUnpaidOrder } from '#store/orders/payments/end-order.ts'
import { openFirstPayment } from '#store/orders/payments/first-payment.ts'
import { limitProviderRequests } from '#store/orders/payments/provider-request-limits.ts'
import { openPayment } from '#store/orders/payments/rules.ts'
import type { OrderPolicy } from '#store/orders/place-order.ts'
import { findDeliveredCountries } from './charges.ts'
import { checkOut, estimateCheckout, listCheckoutCountries, showCheckoutDefaults } from './contract.ts'
import { placeCheckout } from './place-checkout.ts'
import { estimate, findDefaults } from './rules.ts'

type Deps = OrderPolicy &
  BuyerQueue & {
    db: Database
    guards: Guards
    cards: CardProvider
    events: DomainEvents
    inProcessApi: InProcessApi
    placing: PlacingLimiter
    publicUrl: string
    /** signs the links to orders of guests */
    secret: string
  }

export function registerCheckoutRoutes(app: HttpApp, deps: Deps) {
  const { db, guards, cards, events, inProcessApi, placing, publicUrl, secret, ...terms } = deps
  const paying = createBuyerLimiter(terms, 4)

  registerPageQuery(app, inProcessApi, listCheckoutCountries, async () => ({ countries: await findDeliveredCountries(db) }))

  app.route({
    ...estimateCheckout,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return estimate(db, await visitorOf(request, guards), request.query, widestClientNetwork(request.ip))
    },
  })

  app.route({ ...showCheckoutDefaults, onRequest: guards.signedIn, handler: ({ user }) => findDefaults(db, user) })

  app.route({
    ...checkOut,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async (request, reply) => {
      const network = widestClientNetwork(request.ip)
      const visitor = await visitorOf(request, guards)
      const { name, email = '' } = request.body
      const buyer: Buyer = visitor.userId === undefined ? { id: null, name, email } : request.user
      const { order, paymentId } = await placing.run({ buyer: buyer.id ?? `guests from ${network}`, network }, (inTurn) =>
        placeCheckout(db, buyer, visitor, request.body, {
          ...{ terms, network, requestKey: request.headers['idempotency-key'], inTurn },
          endOrder: (order) => replaceOrder(buyer, order),
        }),
      )
      const viewer: Viewer = buyer.id === null ? { role: 'guest', orderId: order._id } : request.user
      if (paymentId !== undefined) events.orderPlaced()
      return reply.code(201).send({
        ...order,
        totals: totalsOfOrder(order),
        link: buyer.id === null ? publicUrl + createOrderLink(secret, order._id) : null,
        clientSecret: await paying.run(viewerKey(viewer), () => openPaymentIfPossible(viewer, order, paymentId)),
        publishableKey: cards.publishableKey,
        cardLibrary: cards.libraryUrl,
      })
    },
  })

  /** @throws {HttpError} 409 it is paid; 429 orders were cancelled too often; 503 the card provider does not answer */
  async function replaceOrder(buyer: Buyer, { _id, number }: { _id: string; number: number }): Promise<void> {
    await limitProviderRequests(db, terms.buyerLimits, 'cancel', _id)
    const end = { to: 'cancelled', doer: { actor: 'buyer', userId: buyer.id }, note: replacedNote, isMailed: false } as const
    const state = await endUnpaidOrder(db, cards, _id, end).finally(events.orderChanged)
    if (state === 'cancelled' || state === 'expired') return
    const message = `Your basket is ordered and paid already, as order ${number}`
    throw new HttpError(409, message, undefined, { code: 'order_not_open' })
  }

  /** The order stands, whatever the card provider says: its payment page asks again. */
  async function openPaymentIfPossible(viewer: Viewer, order: Order, paymentId: string | undefined): Promise<string | null> {
    if (order.orderStatus !== 'open') return null
    const asked = { orderId: order._id, productCost: centsToAmount(order.totalCents) }
    try {
      return paymentId === undefined
        ? await openPayment(db, cards, viewer, asked, terms.buyerLimits, events.paymentSettled)
        : await openFirstPayment(db, cards, order, paymentId, terms.buyerLimits)
    } catch (error) {
      if (error instanceof HttpError) return null
      throw error
    }
  }
}

const replacedNote = 'You have ordered your basket anew'

function totalsOfOrder({ lines, deliveryCents, taxCents, totalCents }: Order) {
  const counted = lines.filter(({ inTotal }) => inTotal)
  return {
    goodsCents: counted.reduce((sum, { unitPriceCents, quantity }) => sum + lineTotal(unitPriceCents, quantity), 0),
    reductionCents: counted.reduce((sum, { reductionCents }) => sum + reductionCents, 0),
    deliveryCents,
    taxCents,
    totalCents,
  }
}
