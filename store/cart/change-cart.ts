import type { FastifyReply, FastifyRequest } from 'fastify'
import { widestClientNetwork } from '#platform/client-network.ts'
import type { Database } from '#platform/database.ts'
import { retryAfterDeadlock } from '#platform/database-errors.ts'
import { enforceNetworkRateLimit } from '#platform/rate-limits.ts'
import type { Guards } from '#store/identity/guards.ts'
import { type BuyerQueue, createBuyerLimiter } from '#store/orders/keyed-limiter.ts'
import { describeCart } from './cart-lines.ts'
import { assertFromThisSite, cartTokenOf, setCartCookies } from './cart-tokens.ts'
import type { Cart } from './contract.ts'
import type { LockedCart } from './put-into-cart.ts'
import { type CartVisitor, lockCart } from './rules.ts'
import { readLines } from './stored-lines.ts'

export type CartDeps = BuyerQueue & { db: Database; guards: Guards; publicUrl: string }

/** Of one network within a day. People without an account write rows here: 100 lists have up to 10,000, which are kept for 60 days. */
const changeLimit = { max: 3000, seconds: 86_400 }
const listLimit = { max: 100, seconds: 86_400 }

export type ChangeCart = ReturnType<typeof createCartChanger>

/**
 * Changes the visitor's cart in one transaction, and answers how it is then. The browser is told its cart by cookies. A cart has one change at a
 * time and a network a few: what waits for the lock of a cart holds a connection, and hundreds of changes of one would hold all.
 */
export function createCartChanger({ db, guards, publicUrl, ...queue }: CartDeps) {
  const [ofCart, ofNetwork] = [createBuyerLimiter(queue, 1), createBuyerLimiter(queue, 3)]
  const isSecure = publicUrl.startsWith('https:')
  return async function changeCart<Result>(
    request: FastifyRequest,
    reply: FastifyReply,
    change: (tx: Database, cart: LockedCart) => Promise<Result>,
    options: { remembersBrowser?: boolean } = {},
  ): Promise<{ cart: Cart; result: Result }> {
    const visitor = await visitorOf(request, guards)
    const network = widestClientNetwork(request.ip)
    const changeLocked = () =>
      db.transaction(async (tx) => {
        const found = await lockCart(tx, visitor, options)
        const locked = { ...found, lines: await readLines(tx, found) } // after the lock: nobody else changes them from now on
        const result = await change(tx, locked)
        return { cart: describeCart(locked.lines, { isOfAccount: found.userId !== null }), result, token: found.newToken }
      })
    const countAndChange = async () => {
      await enforceNetworkRateLimit(db, 'basket changes', request.ip, changeLimit)
      return retryAfterDeadlock(changeLocked)
    }
    const basket = visitor.userId ?? visitor.token ?? network
    const { cart, result, token } = await ofCart.run(basket, () => ofNetwork.run(network, countAndChange))
    setCartCookies(reply, { token, lineCount: cart.lines.length, isSecure })
    return { cart, result }
  }
}

/** A list has many lines, so it is counted apart. @throws {HttpError} 429 */
export const limitLists = (db: Database, { ip }: FastifyRequest) => enforceNetworkRateLimit(db, 'lists put into baskets', ip, listLimit)

/** The account of the access token, if one is sent, and the token of the browser's cookie. @throws {HttpError} 401 the session has ended */
export async function visitorOf(request: FastifyRequest, guards: Guards): Promise<CartVisitor> {
  const token = cartTokenOf(request.headers.cookie)
  if (request.headers.authorization !== undefined) return { userId: (await guards.findUser(request)).id, token }
  if (request.method !== 'GET') assertFromThisSite(request)
  return { userId: undefined, token }
}
