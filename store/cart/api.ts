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
  showPastedList,
  showSharedCart,
} from './contract.ts'
import { findPastedList } from './pasted-form.ts'
import { putPastedLines } from './pasted-lines.ts'
import { markSeen, putIntoCart, removeFromCart } from './put-into-cart.ts'
import { putOrderIntoCart } from './reordered-lines.ts'
import { findCart, readCart } from './rules.ts'
import { registerSavedCartRoutes } from './saved-cart-routes.ts'
import { putSharedCart, readSharedCart, shareCart as share } from './shared-carts.ts'

type Deps = CartDeps & { inProcessApi: InProcessApi }
type ChangeCart = ReturnType<typeof createCartChanger>

export function registerCartRoutes(app: HttpApp, deps: Deps) {
  const change = createCartChanger(deps)
  registerCartReads(app, deps)
  registerLineRoutes(app, deps, change)
  registerListRoutes(app, deps, change)
  registerSavedCartRoutes(app, deps, change)
}

function registerCartReads(app: HttpApp, { db, guards, inProcessApi }: Deps) {
  inProcessApi.answer(showCart, async ({ cookies }) => readCart(db, await findCart(db, { userId: undefined, token: cartTokenOf(cookies) })))
  app.route({
    ...showCart,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return readCart(db, await findCart(db, await visitorOf(request, guards)))
    },
  })

  // Forms without a script find the basket by its cookie alone.
  const showPasted = async (cookies: string | undefined) => {
    const found = await findCart(db, { userId: undefined, token: cartTokenOf(cookies) })
    return { list: await findPastedList(db, found?.cartId) }
  }
  inProcessApi.answer(showPastedList, ({ cookies }) => showPasted(cookies))
  app.route({
    ...showPastedList,
    handler: (request, reply) => {
      reply.header('cache-control', 'no-store')
      return showPasted(request.headers.cookie)
    },
  })

  registerPageQuery(app, inProcessApi, showSharedCart, ({ params }) => readSharedCart(db, params.token))
}

function registerLineRoutes(app: HttpApp, { guards }: Deps, change: ChangeCart) {
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
}

/** Whole lists of lines: pasted, of an earlier order, or of a shared basket. */
function registerListRoutes(app: HttpApp, { db, guards, publicUrl }: Deps, change: ChangeCart) {
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
  app.route({
    ...addSharedCart,
    handler: async (request, reply) => {
      await limitLists(db, request)
      const { cart, result } = await change(request, reply, (tx, cart) => putSharedCart(tx, cart, request.params.token))
      return { cart, ...result }
    },
  })
}
