import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { widestClientNetwork } from '#platform/client-network.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import { enforceNetworkRateLimit, refuseRateLimitedNetwork } from '#platform/rate-limits.ts'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import { assertFromThisSite, cartTokenOf, setCartCookies } from '#store/cart/cart-tokens.ts'
import { acceptFormFields, fieldsOf } from '#store/cart/form-fields.ts'
import { type CartVisitor, findCart } from '#store/cart/rules.ts'
import { hashBuyerNetwork } from '#store/orders/buyer-limits.ts'
import { type BuyerQueue, createBuyerLimiter } from '#store/orders/keyed-limiter.ts'
import { createOrderLink } from '#store/orders/order-link.ts'
import { providerResponseTimeoutMs } from '#store/orders/payments/card-provider.ts'
import { checkTyped } from './check-typed.ts'
import type { CheckoutFormRefusal } from './contract.ts'
import { destinationAfter, destinationCookie } from './destination-cookie.ts'
import { draftTokenOf, findDraft, saveDraft } from './drafts.ts'
import { errorsByField, findFormFaults, wrongFieldsMessage } from './form-state.ts'
import { orderedCookie } from './ordered-cookie.ts'
import { createCheckoutPlacer, type PlacingDeps } from './place-in-turn.ts'
import { type CheckoutForm, readTypedCheckout } from './typed-checkout.ts'

type Deps = PlacingDeps &
  BuyerQueue & {
    publicUrl: string
    /** signs the links to orders of guests */
    secret: string
  }

type FindFaults = () => Promise<CheckoutFormRefusal | null>
/** `empties`: the order has taken all lines out of the basket */
type Outcome = { orderId?: string; empties?: boolean; refusal?: CheckoutFormRefusal | null }

/** Of one network within a day, whatever basket its cookie names. */
const formLimit = { max: 600, seconds: 86_400 }

/** The parts of the page that its buttons lead back to. */
const parts = ['deliver-to', 'delivery', 'code']

/**
 * What the checkout sends where no script runs: a press of any of its buttons keeps what was typed and is followed by the page with the costs
 * of now, or by that of the order. Only a visitor's basket: an account orders with its access token, which no form sends.
 */
export function registerCheckoutForms(app: HttpApp, deps: Deps) {
  const { db, publicUrl, secret } = deps
  const place = createCheckoutPlacer(deps)
  const [ofBasket, ofNetwork] = [createBuyerLimiter(deps, 1), createBuyerLimiter(deps, 3)] // as changes of baskets have them
  const isSecure = publicUrl.startsWith('https:')
  app.register(async (forms) => {
    acceptFormFields(forms)
    const options = { schema: { hide: true }, config: { responseTimeoutMs: providerResponseTimeoutMs } }
    forms.post('/checkout', options, async (request, reply) => {
      try {
        assertFromThisSite(request)
        refuseRateLimitedNetwork(db, 'checkout forms', request.ip, formLimit)
        const network = widestClientNetwork(request.ip)
        const basket = cartTokenOf(request.headers.cookie) ?? network
        return reply.redirect(await ofBasket.run(basket, () => ofNetwork.run(network, () => answer(request, reply))), 303)
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        return reply.redirect(`/checkout?${new URLSearchParams({ refused: error.code })}`, 303)
      }
    })
  })

  /** @returns the page that follows */
  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const cookies = request.headers.cookie
    const visitor: CartVisitor = { userId: undefined, token: cartTokenOf(cookies) }
    await enforceNetworkRateLimit(db, 'checkout forms', request.ip, formLimit)
    const cart = await findCart(db, visitor)
    if (!cart || cart.userId !== null) return '/checkout' // the page says that it is empty, or whose it is
    const fields = fieldsOf(request)
    const typed = readTypedCheckout(fields)
    const network = hashBuyerNetwork(widestClientNetwork(request.ip))
    const findFaults = () => findFormFaults(db, visitor, typed, network)
    const isOrder = fields.send === 'order'
    const sent: Outcome = isOrder ? await orderTyped(place, { request, visitor, typed, findFaults }) : { refusal: await findFaults() }
    const refusal = sent.refusal ?? null
    const orderId = sent.orderId ?? (await findOrderOfDraft(db, cart.cartId, cookies))
    await saveDraft(db, reply, { cartId: cart.cartId, isSecure, typed, refusal, network, orderId })
    if (sent.orderId !== undefined) {
      if (sent.empties) setCartCookies(reply, { token: undefined, lineCount: 0, isSecure })
      reply.header('set-cookie', destinationCookie(destinationAfter(cookies, typed.deliverTo), { isSecure }))
      reply.header('set-cookie', orderedCookie(secret, sent.orderId, { isSecure }))
      return `${createOrderLink(secret, sent.orderId)}?pay=1`
    }
    if (refusal) return '/checkout?refused=form#refused'
    return `/checkout${parts.includes(`${fields.send}`) ? `#${fields.send}` : ''}`
  }
}

/** The order that the session has placed with what it had typed before, while ordering the basket again replaces it. */
async function findOrderOfDraft(db: Database, cartId: string, cookies: string | undefined): Promise<string | null> {
  const token = draftTokenOf(cookies)
  return (token === undefined ? undefined : await findDraft(db, cartId, token))?.orderId ?? null
}

type FormToOrder = { request: FastifyRequest; visitor: CartVisitor; typed: CheckoutForm; findFaults: FindFaults }

/** Places the basket as it was typed, at the total that the page has shown. */
async function orderTyped(
  place: ReturnType<typeof createCheckoutPlacer>,
  { request, visitor, typed, findFaults }: FormToOrder,
): Promise<Outcome> {
  const { body, issues } = checkTyped(typed, { isVisitor: true })
  if (!body?.email) {
    const errors = { ...(await findFaults())?.errors, ...errorsByField(issues) }
    return { refusal: { code: 'invalid_request', message: wrongFieldsMessage, errors } }
  }
  const fields = fieldsOf(request)
  const shownTotal = parseWholeNumber(`${fields.expectedTotalCents}`)
  if (Number.isNaN(shownTotal)) return { refusal: { code: 'total_changed', message: 'This is what it costs', errors: {} } }
  const input = { ...body, expectedTotalCents: shownTotal }
  const { name, email } = body
  const requestKey = fields.key === undefined ? undefined : keyOf(`${fields.key}`, input)
  try {
    const { order } = await place({ id: null, name, email }, visitor, input, { network: widestClientNetwork(request.ip), requestKey })
    return { orderId: order._id, empties: order.paymentMethod !== 'card' }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return { refusal: { code: error.code, message: error.message, errors: error.errors ?? {} } }
  }
}

/**
 * The key of a request: the same form, sent twice, is one order. With something else typed on a page that the browser has kept it is another
 * request, which replaces the order of the first.
 */
const keyOf = (key: string, input: object): string =>
  createHash('sha256')
    .update(JSON.stringify([key, input]))
    .digest('base64url')
