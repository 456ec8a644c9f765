import type { Database } from '#platform/database.ts'
import { retryAfterDeadlock } from '#platform/database-errors.ts'
import type { SessionHooks } from '#store/identity/sign-in-services.ts'
import type { PaymentHook } from '#store/orders/payments/payment-hook.ts'
import { cartTokenOf, clearCartCookies, setCartCookies } from './cart-tokens.ts'
import { findCart, forgetBrowser, lockCart, readCart } from './rules.ts'

/** Tells the browser how many lines the cart of a buyer has, once a payment may have taken some out. Fails nothing. */
export const createCartPaymentHook = (db: Database, { publicUrl }: { publicUrl: string }): PaymentHook =>
  async function paymentRecorded(request, reply) {
    const token = cartTokenOf(request.headers.cookie)
    if (token === undefined) return // a program
    try {
      const { lines } = await readCart(db, await findCart(db, { userId: undefined, token }))
      setCartCookies(reply, { token: undefined, lineCount: lines.length, isSecure: publicUrl.startsWith('https:') })
    } catch (error) {
      request.log.error({ err: error }, 'A browser was not told how many lines its basket has after a payment')
    }
  }

/**
 * A sign-in joins the cart of the browser to that of the account, and the browser knows it from then on. A sign-out makes the browser forget it.
 * Neither fails when the cart does: the next change of the cart joins it, too.
 */
export function createCartSessionHooks(db: Database, { publicUrl }: { publicUrl: string }): SessionHooks {
  return {
    async signedIn(request, reply) {
      const visitor = { userId: request.user.id, token: cartTokenOf(request.headers.cookie) }
      const join = () =>
        db.transaction(async (tx) => {
          const found = await lockCart(tx, visitor, { remembersBrowser: true })
          return { token: found.newToken, lineCount: (await readCart(tx, found)).lines.length }
        })
      try {
        setCartCookies(reply, { ...(await retryAfterDeadlock(join)), isSecure: publicUrl.startsWith('https:') })
      } catch (error) {
        request.log.error({ err: error }, 'The baskets of a browser and an account were not joined')
      }
    },
    async signedOut(request, reply) {
      const token = cartTokenOf(request.headers.cookie)
      if (token === undefined) return
      clearCartCookies(reply)
      await forgetBrowser(db, token).catch((error) => request.log.error({ err: error }, 'A browser keeps the basket of an account'))
    },
  }
}
