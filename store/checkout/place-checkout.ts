import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { retryAfterDeadlock } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatCents } from '#shared/money.ts'
import { describeCart } from '#store/cart/cart-lines.ts'
import { type CartVisitor, lockCart } from '#store/cart/rules.ts'
import { withWrongCodeLimit } from '#store/catalogue/pricing/discount-codes.ts'
import { type ChargeSettings, chargeSettingsOf } from '#store/delivery/charge-settings.ts'
import type { Buyer } from '#store/orders/buyer.ts'
import { findExceededBuyerLimit, hashBuyerNetwork } from '#store/orders/buyer-limits.ts'
import { assertSameRequest, type CheckoutRequest, type OrderToReplace } from '#store/orders/details/rules.ts'
import type { PlaceInTurn } from '#store/orders/keyed-limiter.ts'
import { assertCreditFits } from '#store/orders/on-account/credits.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { findOrderById } from '#store/orders/order-queries.ts'
import { assertPayable, explainRefusal, stockChangedError } from '#store/orders/order-refusals.ts'
import type { OrderPolicy } from '#store/orders/place-order.ts'
import { type CartToOrder, findCartToOrder } from './cart-to-order.ts'
import { type ComputedCharges, computeCharges } from './charges.ts'
import type { CheckoutBody } from './contract.ts'
import { checkoutRefusals, insertCheckout, orderOf } from './insert-checkout.ts'
import { withoutBlanks } from './order-details.ts'
import { assertCartCanBePlaced, cartEmptyError } from './placeable-cart.ts'
import { type PricedCart, priceCart } from './priced-cart.ts'

export type CheckoutInput = z.output<typeof CheckoutBody>

export type CheckoutContext = {
  terms: OrderPolicy
  requestKey: string | undefined
  /** the widest network that the client may have all of */
  network: string
  /** a place at the database for the order, see `createPlacingLimiter` */
  inTurn: PlaceInTurn
  /** ends an unpaid order at the card provider and in the books; throws where it cannot be ended, or is paid */
  endOrder: (order: OrderToReplace) => Promise<void>
}

/** `paymentId`: of the card payment that was inserted with the order; `isNew`: false where an earlier request with this key has placed it. */
export type PlacedCheckout = { order: Order; paymentId: string | undefined; isNew: boolean }

/** How often placing begins again where the cart, its prices or the settings have changed since they were read. */
const maxTries = 6

/**
 * Places all that is in a visitor's cart as one order, in the place of an unpaid order of the cart that asks for any of these products, if there
 * is one. That one is ended first, once it is known that nothing speaks against the new one. The cart stays as it is until an order of it is paid.
 * What the order costs is computed of what was read without a lock; one statement then places it, if all of that is still so.
 * @throws {HttpError} 409 the cart is empty, has changed, or cannot be delivered there, or costs another total than the expected one; 400 the
 *   discount code cannot be used, or a guest has named no e-mail; 401 a guest asks for the cart of an account; 422 the key was
 *   used with another body; besides these like `placeOrder` and `endOrder`
 */
export async function placeCheckout(
  db: Database,
  buyer: Buyer,
  visitor: CartVisitor,
  typed: CheckoutInput,
  { terms, requestKey, network, inTurn, endOrder }: CheckoutContext,
): Promise<PlacedCheckout> {
  const body = withoutBlanks(typed)
  const codeUser = { id: buyer.id, network: hashBuyerNetwork(network) }
  const request: CheckoutRequest = {
    key: requestKey,
    hash: createHash('sha256').update(JSON.stringify(body)).digest('base64url'),
  }
  let refused: Costs | undefined
  for (let tries = 1; tries <= maxTries; tries++) {
    const cart = await findCartOrPlaced(db, buyer, visitor, request)
    if ('order' in cart) return cart
    if (cart.replaced.length > 0) await endReplacedOrders(cart)
    else {
      const placed = await limitingCodes(() => place(cart))
      if (placed) return placed
    }
  }
  throw stockChangedError()

  async function endReplacedOrders(cart: CartToOrder): Promise<void> {
    const costs = await limitingCodes(() => settleCosts(db, cart, body, codeUser.network))
    if (body.paymentMethod === 'on_account') await assertCreditFits(db, buyer.id, costs.charges.tax.totalCents)
    await assertCanReplace(db, buyer, costs, terms, codeUser.network)
    for (const order of cart.replaced) await endOrder(order)
  }

  /** @returns undefined where something has changed since it was read */
  async function place(cart: CartToOrder): Promise<PlacedCheckout | undefined> {
    const costs = await settleCosts(db, cart, body, codeUser.network)
    const order = orderOf(body, costs)
    if (refused && isSame(costs, refused)) {
      const refusal = await explainRefusal(db, buyer, order, terms.buyerLimits, codeUser.network, checkoutRefusals)
      throw refusal === 'total changed' ? stockChangedError() : refusal
    }
    refused = costs
    return inTurn(order.lines.length, () =>
      retryAfterDeadlock(() => insertCheckout(db, buyer, order, terms, { costs, body, request, network: codeUser.network })),
    )
  }

  /** A wrong code is counted, whatever becomes of the order. */
  function limitingCodes<Result>(work: () => Promise<Result>): Promise<Result> {
    return body.discountCode === undefined ? work() : withWrongCodeLimit(db, codeUser, work)
  }
}

/**
 * The order that an earlier request with this key has placed, or else the cart.
 * @throws {HttpError} 409 the cart is empty; 422 the key was used with another body; besides these like `assertBuyer`
 */
async function findCartOrPlaced(
  db: Database,
  buyer: Buyer,
  visitor: CartVisitor,
  request: CheckoutRequest,
): Promise<PlacedCheckout | CartToOrder> {
  const cart = await findJoinedCart(db, visitor, request)
  assertBuyer(buyer, cart)
  if (!cart) throw cartEmptyError()
  const orderId = assertSameRequest(cart.placedBefore, request)
  return orderId === undefined ? cart : { order: await findOrderById(db, orderId), paymentId: undefined, isNew: false }
}

/** What refuses the new order is to leave the unpaid one as it is. @throws {HttpError} like `placeOrder`, for its total and the buyer's limits */
async function assertCanReplace(
  db: Database,
  buyer: Buyer,
  { cart, priced, charges }: Costs,
  { buyerLimits }: OrderPolicy,
  network: string,
): Promise<void> {
  const { totalCents } = charges.tax
  assertPayable(totalCents)
  const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)
  const amounts = {
    lines: priced.lines.length,
    pieces: sum(priced.lines.map(({ quantity }) => quantity)) - sum(cart.replaced.map(({ pieces }) => pieces)),
    totalCents: totalCents - sum(cart.replaced.map((order) => order.totalCents)),
    replacedOrders: cart.replaced.length,
  }
  const over = buyerLimits && (await findExceededBuyerLimit(db, buyer.id, buyerLimits, amounts, network))
  if (over) throw over
}

/** @throws {HttpError} 401 a guest asks for the cart of an account; 400 a guest has named no e-mail */
function assertBuyer(buyer: Buyer, cart: CartToOrder | undefined): void {
  if (buyer.id !== null) return
  if (cart?.userId) throw new HttpError(401, 'This basket is that of an account: sign in to order it')
  if (!buyer.email) throw new HttpError(400, 'Enter your e-mail', { email: 'Enter your e-mail' })
}

/** The visitor's cart, once a cart that their browser has filled before signing in is joined to that of the account. */
async function findJoinedCart(db: Database, visitor: CartVisitor, request: CheckoutRequest): Promise<CartToOrder | undefined> {
  const cart = await findCartToOrder(db, visitor, request)
  const isWhole = visitor.userId === undefined || visitor.token === undefined || (cart && !cart.hasOther)
  if (isWhole) return cart
  await retryAfterDeadlock(() => db.transaction((tx) => lockCart(tx, visitor)))
  return findCartToOrder(db, visitor, request)
}

/** What a cart costs its buyer at the destination, and of what this was computed. */
export type Costs = { cart: CartToOrder; settings: ChargeSettings; priced: PricedCart; charges: ComputedCharges }

/** @throws {HttpError} where the cart cannot be placed so, or costs another total than the one that the buyer was shown */
async function settleCosts(db: Database, cart: CartToOrder, body: CheckoutInput, network: string): Promise<Costs> {
  const { deliverTo, vatId, deliveryMethod, discountCode, expectedTotalCents } = body
  const described = describeCart(cart.lines, { isOfAccount: cart.userId !== null })
  assertCartCanBePlaced(described, { isTotalExpected: expectedTotalCents !== undefined })
  const priced = await priceCart(db, cart, { discountCode, network })
  const settings = await chargeSettingsOf(db, cart.settingsVersion)
  const charges = computeCharges(settings, priced.lines, { ...deliverTo, vatId }, deliveryMethod)
  const problem = charges.problem ?? (deliveryMethod && charges.method?.id !== deliveryMethod ? methodGoneMessage : null)
  if (problem) throw new HttpError(409, problem, { deliveryMethod: problem }, { code: 'not_deliverable' })
  const { totalCents } = charges.tax
  if (expectedTotalCents !== undefined && expectedTotalCents !== totalCents)
    throw new HttpError(409, `The order now costs ${formatCents(totalCents)}`, undefined, {
      code: 'total_changed',
      details: { totalCents },
    })
  return { cart, settings, priced, charges }
}

export const methodGoneMessage = 'This delivery is not offered for your basket any more: choose another one'

/** Whether both were computed of the same. */
const isSame = (one: Costs, other: Costs): boolean =>
  JSON.stringify([one.cart.version, one.settings.version, one.priced]) ===
  JSON.stringify([other.cart.version, other.settings.version, other.priced])
