import { widestClientNetwork } from '#platform/client-network.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import { type InProcessApi, registerPageQuery } from '#platform/in-process-api.ts'
import { centsToAmount, lineTotal } from '#shared/money.ts'
import { cartTokenOf, setCartCookies } from '#store/cart/cart-tokens.ts'
import { visitorOf } from '#store/cart/change-cart.ts'
import type { CartVisitor } from '#store/cart/rules.ts'
import type { Guards } from '#store/identity/guards.ts'
import { type Buyer, type Viewer, viewerKey } from '#store/orders/buyer.ts'
import { hashBuyerNetwork } from '#store/orders/buyer-limits.ts'
import { type BuyerQueue, createBuyerLimiter } from '#store/orders/keyed-limiter.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { createOrderLink } from '#store/orders/order-link.ts'
import { providerResponseTimeoutMs } from '#store/orders/payments/card-provider.ts'
import { openFirstPayment } from '#store/orders/payments/first-payment.ts'
import { openPayment } from '#store/orders/payments/rules.ts'
import { findDeliveredCountries } from './charges.ts'
import { checkOut, estimateCheckout, listCheckoutCountries, showCheckoutDefaults, showCheckoutForm, showLastOrder } from './contract.ts'
import { destinationAfter, destinationCookie } from './destination-cookie.ts'
import { readCheckoutForm } from './form-state.ts'
import { findLastOrder, findOtherUnpaidOrders } from './last-order.ts'
import { orderedCookie } from './ordered-cookie.ts'
import { createCheckoutPlacer, type PlacingDeps } from './place-in-turn.ts'
import { estimate, findDefaults } from './rules.ts'

type Deps = PlacingDeps &
  BuyerQueue & {
    guards: Guards
    inProcessApi: InProcessApi
    publicUrl: string
    /** signs the links to orders of guests */
    secret: string
  }

export function registerCheckoutRoutes(app: HttpApp, deps: Deps) {
  registerCheckoutQueries(app, deps)
  registerCheckOut(app, deps)
}

/** What the page of the checkout asks before an order is placed, and after. */
function registerCheckoutQueries(app: HttpApp, { db, guards, inProcessApi, secret }: Deps) {
  registerPageQuery(app, inProcessApi, listCheckoutCountries, async () => ({ countries: await findDeliveredCountries(db) }))

  app.route({
    ...estimateCheckout,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return estimate(db, await visitorOf(request, guards), request.query, hashBuyerNetwork(widestClientNetwork(request.ip)))
    },
  })

  inProcessApi.answer(estimateCheckout, ({ query: { discountCode: _, ...query }, cookies }) =>
    estimate(db, { userId: undefined, token: cartTokenOf(cookies) }, query, ''),
  )

  // What was typed without a script is found by cookies alone.
  inProcessApi.answer(showCheckoutForm, ({ cookies }) => readCheckoutForm(db, cookies))
  app.route({
    ...showCheckoutForm,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return readCheckoutForm(db, request.headers.cookie)
    },
  })
  const answerLastOrder = async (visitor: CartVisitor, cookies: string | undefined) => ({
    order: await findLastOrder(db, visitor, { secret, cookies }),
    others: await findOtherUnpaidOrders(db, visitor, { secret, cookies }),
  })
  inProcessApi.answer(showLastOrder, ({ cookies }) => answerLastOrder({ userId: undefined, token: cartTokenOf(cookies) }, cookies))
  app.route({
    ...showLastOrder,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return answerLastOrder(await visitorOf(request, guards), request.headers.cookie)
    },
  })

  app.route({ ...showCheckoutDefaults, onRequest: guards.signedIn, handler: ({ user }) => findDefaults(db, user) })
}

function registerCheckOut(app: HttpApp, deps: Deps) {
  const { db, guards, cards, events, publicUrl, secret, ...terms } = deps
  const place = createCheckoutPlacer(deps)
  const paying = createBuyerLimiter(terms, 4)

  app.route({
    ...checkOut,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async (request, reply) => {
      const network = widestClientNetwork(request.ip)
      const visitor = await visitorOf(request, guards)
      const { name, email = '' } = request.body
      const buyer: Buyer = visitor.userId === undefined ? { id: null, name, email } : request.user
      const requestKey = request.headers['idempotency-key']
      const { order, paymentId } = await place(buyer, visitor, request.body, { network, requestKey })
      const viewer: Viewer = buyer.id === null ? { role: 'guest', orderId: order._id } : request.user
      const destination = destinationAfter(request.headers.cookie, request.body.deliverTo)
      const isSecure = publicUrl.startsWith('https:')
      reply.header('set-cookie', destinationCookie(destination, { isSecure }))
      if (order.paymentMethod !== 'card') setCartCookies(reply, { token: undefined, lineCount: 0, isSecure })
      if (buyer.id === null) reply.header('set-cookie', orderedCookie(secret, order._id, { isSecure }))
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

  /** The order stands, whatever the card provider says: its payment page asks again. */
  async function openPaymentIfPossible(viewer: Viewer, order: Order, paymentId: string | undefined): Promise<string | null> {
    if (order.orderStatus !== 'open' || order.paymentMethod !== 'card') return null
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
