import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { retryAfterDeadlock } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatCents } from '#shared/money.ts'
import { formatPostalAddress } from '#shared/postal-address.ts'
import { type CartVisitor, countCartLines, type FoundCart, findCart, lockCart, markSeen, readCart } from '#store/cart/rules.ts'
import { withWrongCodeLimit } from '#store/catalogue/pricing/discount-codes.ts'
import type { Buyer } from '#store/orders/buyer.ts'
import { findExceededBuyerLimit, hashBuyerNetwork } from '#store/orders/buyer-limits.ts'
import { type CheckoutRequest, findOpenOrdersOfCart, findOrderOfRequest, insertOrderDetails } from '#store/orders/details/rules.ts'
import type { PlaceInTurn } from '#store/orders/keyed-limiter.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { findOrderById } from '#store/orders/order-queries.ts'
import { assertPayable, orderRefusalWording, type RequestedOrder, stockChangedError } from '#store/orders/order-refusals.ts'
import { type OrderPolicy, placeOrder } from '#store/orders/place-order.ts'
import { countryOfVatId } from '#store/tax/vat-id.ts'
import { type ComputedCharges, computeCharges } from './charges.ts'
import type { CheckoutBody } from './contract.ts'
import { describeDetails, withoutBlanks } from './order-details.ts'
import { assertCartCanBePlaced } from './placeable-cart.ts'
import { type PricedCart, priceCart } from './priced-cart.ts'

export type CheckoutInput = z.output<typeof CheckoutBody>

type CheckoutContext = {
  terms: OrderPolicy
  requestKey: string | undefined
  /** the widest network that the client may have all of */
  network: string
  /** a place at the database for the order, see `createPlacingLimiter` */
  inTurn: PlaceInTurn
  /** ends an unpaid order at the card provider and in the books; throws where it cannot be ended, or is paid */
  endOrder: (order: { _id: string; number: number }) => Promise<void>
}

/** How often placing begins again where another request for the same cart has placed it meanwhile. */
const maxTries = 3

/**
 * Places all that is in a visitor's cart as one order, in the place of the cart's unpaid order, if it has one. That one is ended first, once it
 * is known that nothing speaks against the new one. The cart stays as it is until an order of it is paid.
 * @returns isNew: false where an earlier request with this key has placed the order
 * @throws {HttpError} 409 the cart is empty, has changed, or cannot be delivered there, or costs another total than the expected one; 400 the
 *   VAT id or the discount code cannot be used; 422 the key was used with another body; besides these like `placeOrder` and `endOrder`
 */
export async function placeCheckout(
  db: Database,
  buyer: Buyer,
  visitor: CartVisitor,
  typed: CheckoutInput,
  { terms, requestKey, network, inTurn, endOrder }: CheckoutContext,
): Promise<{ order: Order; isNew: boolean }> {
  const body = withoutBlanks(typed)
  const codeUser = { id: buyer.id, network: hashBuyerNetwork(network) }
  const request: CheckoutRequest = {
    key: requestKey,
    hash: createHash('sha256').update(JSON.stringify(body)).digest('base64url'),
  }
  if (body.vatId && countryOfVatId(body.vatId) === undefined) {
    const message = 'This is no VAT id: it begins with the letters of its country, such as DE136695976'
    throw new HttpError(400, message, { vatId: message })
  }
  for (let tries = 1; tries <= maxTries; tries++) {
    const placedBefore = await replaceUnpaidOrder()
    const placed = placedBefore
      ? { orderId: placedBefore, isNew: false }
      : await limitingCodes(async () => inTurn(await countCartLines(db, visitor), place))
    if (placed) return { order: await findOrderById(db, placed.orderId), isNew: placed.isNew }
  }
  throw stockChangedError()

  /** Ends the unpaid order of the cart. @returns the order that an earlier request with this key has placed */
  async function replaceUnpaidOrder(): Promise<string | undefined> {
    const cart = await findCart(db, visitor)
    if (!cart) return undefined
    const unpaid = await findOpenOrdersOfCart(db, cart.cartId) // first: an order that the same request places meanwhile is not among them
    const placedBefore = await findOrderOfRequest(db, cart.cartId, request)
    if (placedBefore) return placedBefore
    if (unpaid.length > 0) await assertCanReplace(cart, unpaid)
    for (const order of unpaid) await endOrder(order)
  }

  /** What refuses the new order is to leave the old one as it is. */
  async function assertCanReplace(cart: Omit<FoundCart, 'newToken'>, unpaid: { totalCents: number; pieces: number }[]): Promise<void> {
    const { priced, charges } = await limitingCodes(() => settleCosts(db, cart, body, codeUser.network))
    const { totalCents } = charges.tax
    assertPayable(totalCents)
    const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)
    const amounts = {
      lines: priced.lines.length,
      pieces: sum(priced.lines.map(({ quantity }) => quantity)) - sum(unpaid.map(({ pieces }) => pieces)),
      totalCents: totalCents - sum(unpaid.map((order) => order.totalCents)),
      replacedOrders: unpaid.length,
    }
    const over = terms.buyerLimits && (await findExceededBuyerLimit(db, buyer.id, terms.buyerLimits, amounts, codeUser.network))
    if (over) throw over
  }

  /** @returns undefined where the cart has an unpaid order again, placed by another request */
  function place(): Promise<{ orderId: string; isNew: boolean } | undefined> {
    return retryAfterDeadlock(() =>
      db.transaction(async (tx) => {
        const cart = await lockCart(tx, visitor)
        const placedBefore = await findOrderOfRequest(tx, cart.cartId, request)
        if (placedBefore) return { orderId: placedBefore, isNew: false }
        if ((await findOpenOrdersOfCart(tx, cart.cartId)).length > 0) return undefined
        const { priced, charges } = await settleCosts(tx, cart, body, codeUser.network)
        const { order, options } = placementOf(body, priced, charges)
        const placed = await placeOrder(tx, buyer, order, terms, { network, countsCodes: false }, options)
        const details = describeDetails(body, { ...charges, lines: priced.lines })
        await insertOrderDetails(tx, { orderId: placed.order._id, cartId: cart.cartId, request, details })
        await markSeen(tx, cart)
        return { orderId: placed.order._id, isNew: true }
      }),
    )
  }

  /** A wrong code counts also where the transaction that has found it wrong is rolled back. */
  function limitingCodes<Result>(work: () => Promise<Result>): Promise<Result> {
    return body.discountCode === undefined ? work() : withWrongCodeLimit(db, codeUser, work)
  }
}

type Costs = { priced: PricedCart; charges: ComputedCharges }

/**
 * What the cart costs its buyer at the destination.
 * @throws {HttpError} where it cannot be placed so, or costs another total than the one that the buyer was shown
 */
async function settleCosts(db: Database, found: Omit<FoundCart, 'newToken'>, body: CheckoutInput, network: string): Promise<Costs> {
  const { deliverTo, vatId, deliveryMethod, discountCode, expectedTotalCents } = body
  const cart = await readCart(db, found)
  assertCartCanBePlaced(cart, { isTotalExpected: expectedTotalCents !== undefined })
  const priced = await priceCart(db, found, cart, { discountCode, network })
  const charges = await computeCharges(db, priced.lines, { ...deliverTo, vatId }, deliveryMethod)
  const problem = charges.problem ?? (deliveryMethod && charges.method?.id !== deliveryMethod ? methodGoneMessage : null)
  if (problem) throw new HttpError(409, problem, { deliveryMethod: problem }, { code: 'not_deliverable' })
  const { totalCents } = charges.tax
  if (expectedTotalCents !== undefined && expectedTotalCents !== totalCents)
    throw new HttpError(409, `The order now costs ${formatCents(totalCents)}`, undefined, {
      code: 'total_changed',
      details: { totalCents },
    })
  return { priced, charges }
}

const methodGoneMessage = 'This delivery is not offered for your basket any more: choose another one'

/** What the order is placed with. The total is that of `settleCosts`, so where `placeOrder` finds another one, prices change at this moment. */
function placementOf(body: CheckoutInput, priced: PricedCart, charges: ComputedCharges) {
  const { deliverTo, name, company, phone, discountCode } = body
  const order: RequestedOrder = {
    lines: priced.lines.map(({ productId, quantity }) => ({ productId, quantity })),
    buyerAddress: formatPostalAddress(deliverTo, { name, company }).join('\n'),
    phone_number: phone,
    country: deliverTo.country,
    discountCode,
    expectedTotalCents: priced.lines.reduce((sum, { amountCents }) => sum + amountCents, 0),
    charges: charges.ofOrder,
  }
  return { order, options: { refusals: { ...orderRefusalWording, totalChangedError: stockChangedError } } }
}
