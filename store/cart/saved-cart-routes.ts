import type { HttpApp } from '#platform/http.ts'
import { type CartDeps, type ChangeCart, limitLists } from './change-cart.ts'
import { addSavedCart, deleteSavedCart, listSavedCarts, saveCart } from './contract.ts'
import { listSavedCarts as list, putSavedCart, deleteSavedCart as remove, saveCart as save } from './saved-carts.ts'

export function registerSavedCartRoutes(app: HttpApp, { db, guards }: Pick<CartDeps, 'db' | 'guards'>, change: ChangeCart) {
  app.route({ ...listSavedCarts, onRequest: guards.signedIn, handler: ({ user }) => list(db, user.id) })
  app.route({
    ...saveCart,
    onRequest: guards.signedIn,
    handler: async (request, reply) => {
      await limitLists(db, request)
      const { user, body } = request
      const { result } = await change(request, reply, (tx, cart) => save(tx, cart, user.id, body.name))
      return reply.code(201).send(result)
    },
  })
  app.route({
    ...addSavedCart,
    onRequest: guards.signedIn,
    handler: async (request, reply) => {
      await limitLists(db, request)
      const { user, params } = request
      const { cart, result } = await change(request, reply, (tx, cart) => putSavedCart(tx, cart, user.id, params.id))
      return { cart, ...result }
    },
  })
  app.route({
    ...deleteSavedCart,
    onRequest: guards.signedIn,
    handler: async ({ user, params }) => {
      await remove(db, user.id, params.id)
      return list(db, user.id)
    },
  })
}
