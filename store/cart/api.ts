import type { HttpApp } from '#platform/http.ts'
import { type InProcessApi, registerPageQuery } from '#platform/in-process-api.ts'
import { cartTokenOf } from './cart-tokens.ts'
import { type CartDeps, createCartChanger, limitLists, visitorOf } from './change-cart.ts'
import {
  addCartLine,
  addOrderToCart,
  addSharedCart,
  changeCartLine,
  joinCart,
  markCartSeen,
  pasteIntoCart,
  removeCartLine,
  shareCart,
  showCart,
  showSharedCart,
} from './contract.ts'
import { putPastedLines } from './pasted-lines.ts'
import { markSeen, putIntoCart, removeFromCart } from './put-into-cart.ts'
import { putOrderIntoCart } from './reordered-lines.ts'
import { findCart, readCart } from './rules.ts'
import { registerSavedCartRoutes } from './saved-cart-routes.ts'
import { putSharedCart, readSharedCart, shareCart as share } from './shared-carts.ts'

/** Long because it registers one route after the other, each independent of the others. */
export function registerCartRoutes(app: HttpApp, deps: CartDeps & { inProcessApi: InProcessApi }) {
  const { db, guards, inProcessApi, publicUrl } = deps
  const change = createCartChanger(deps)

  inProcessApi.answer(showCart, async ({ cookies }) => readCart(db, await findCart(db, { userId: undefined, token: cartTokenOf(cookies) })))
  app.route({
    ...showCart,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return readCart(db, await findCart(db, await visitorOf(request, guards)))
    },
  })

  app.route({
    ...addCartLine,
    handler: async (request, reply) => {
      const added = await change(request, reply, (tx, cart) => putIntoCart(tx, cart, { ...request.body, isAdded: true }))
      return added.cart
    },
  })
  app.route({
    ...changeCartLine,
    handler: async (request, reply) => {
      const line = { productId: request.params.productId, quantity: request.body.quantity, isAdded: false }
      return (await change(request, reply, (tx, cart) => putIntoCart(tx, cart, line))).cart
    },
  })
  app.route({
    ...removeCartLine,
    handler: async (request, reply) =>
      (await change(request, reply, (tx, cart) => removeFromCart(tx, cart, request.params.productId))).cart,
  })
  app.route({ ...markCartSeen, handler: async (request, reply) => (await change(request, reply, markSeen)).cart })

  app.route({
    ...joinCart,
    onRequest: guards.signedIn,
    handler: async (request, reply) => (await change(request, reply, async () => {}, { remembersBrowser: true })).cart,
  })

  app.route({
    ...pasteIntoCart,
    handler: async (request, reply) => {
      await limitLists(db, request)
      const { cart, result } = await change(request, reply, (tx, cart) => putPastedLines(tx, cart, request.body.text))
      return { cart, ...result }
    },
  })

  app.route({
    ...addOrderToCart,
    onRequest: guards.signedIn,
    handler: async (request, reply) => {
      await limitLists(db, request)
      const { params, user } = request
      const { cart, result } = await change(request, reply, (tx, cart) => putOrderIntoCart(tx, cart, user, params.id))
      return { cart, ...result }
    },
  })

  app.route({
    ...shareCart,
    handler: async (request, reply) => {
      await limitLists(db, request)
      const found = await findCart(db, await visitorOf(request, guards))
      const token = await share(db, found?.cartId)
      return reply.code(201).send({ token, url: `${publicUrl}/cart/shared/${token}` })
    },
  })
  registerPageQuery(app, inProcessApi, showSharedCart, ({ params }) => readSharedCart(db, params.token))
  app.route({
    ...addSharedCart,
    handler: async (request, reply) => {
      await limitLists(db, request)
      const { cart, result } = await change(request, reply, (tx, cart) => putSharedCart(tx, cart, request.params.token))
      return { cart, ...result }
    },
  })
  registerSavedCartRoutes(app, deps, change)
}
