import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import { productNotFoundError } from '#store/catalogue/rules.ts'
import { settleQuantity } from '#store/catalogue/settle-quantity.ts'
import { termsOf } from './cart-lines.ts'
import { type CartDeps, createCartChanger, limitLists } from './change-cart.ts'
import { changeCartLine, NewCartLine } from './contract.ts'
import { acceptFormFields, fieldsOf } from './form-fields.ts'
import { keepPastedList, putPastedForm } from './pasted-form.ts'
import { markSeen, putIntoCart, removeFromCart } from './put-into-cart.ts'
import { putSharedCart } from './shared-carts.ts'
import { findOfferedProducts } from './stored-lines.ts'

/**
 * What the forms of the basket send where no script runs, or none has loaded yet. Each is followed by the basket's page, which says why
 * something was refused.
 */
export function registerCartForms(app: HttpApp, deps: CartDeps) {
  const { db } = deps
  const change = createCartChanger(deps)
  app.register(async (forms) => {
    acceptFormFields(forms)
    const hidden = { schema: { hide: true } }

    forms.post('/cart/add', hidden, (request, reply) =>
      showingRefusal(request, reply, async () => {
        const { productId, quantity } = NewCartLine.partial({ quantity: true }).parse(fieldsOf(request))
        await change(request, reply, async (tx, cart) => {
          const asked = quantity ?? (await findSmallestOrder(tx, productId, cart.userId))
          await putIntoCart(tx, cart, { productId, quantity: asked, isAdded: true })
        })
      }),
    )

    forms.post('/cart/change', hidden, (request, reply) =>
      showingRefusal(request, reply, async () => {
        const { productId, quantity, remove } = fieldsOf(request)
        const params = changeCartLine.schema.params.parse({ productId })
        if (remove) return change(request, reply, (tx, cart) => removeFromCart(tx, cart, params.productId))
        const line = { ...params, ...changeCartLine.schema.body.parse({ quantity }), isAdded: false }
        return change(request, reply, (tx, cart) => putIntoCart(tx, cart, line))
      }),
    )

    forms.post('/cart/seen', hidden, (request, reply) => showingRefusal(request, reply, () => change(request, reply, markSeen)))

    forms.post('/cart/paste', hidden, (request, reply) =>
      showingRefusal(request, reply, async () => {
        const text = `${fieldsOf(request).text ?? ''}`.replaceAll('\0', '') // NUL stands in no text of the database
        if (text.trim() === '') return '/cart?refused=list_empty'
        await limitLists(db, request)
        await change(request, reply, (tx, cart) => putPastedForm(tx, cart, text))
        return pastedUrl
      }),
    )

    forms.post<{ Params: { token: string } }>('/cart/shared/:token', hidden, (request, reply) =>
      showingRefusal(request, reply, async () => {
        await limitLists(db, request)
        const { result } = await change(request, reply, async (tx, cart) => {
          const put = await putSharedCart(tx, cart, request.params.token)
          await keepPastedList(tx, cart.cartId, { ...put, text: '', problem: null })
          return put
        })
        if (result.notAdded.length > 0) return pastedUrl
      }),
    )
  })
}

async function findSmallestOrder(tx: Database, productId: string, userId: string | null): Promise<number> {
  const [product] = await findOfferedProducts(tx, [productId], userId)
  if (!product?.isForSale) throw productNotFoundError()
  return settleQuantity(termsOf(product), product.minimum_order_quantity).quantity ?? product.minimum_order_quantity
}

/** What has become of a list is read from the database, and said beside its form. */
const pastedUrl = '/cart?pasted=list#pasted'

/**
 * Leads to the page that is returned, else to the basket, which is told what was refused: it has the words for that, so that no address can make it
 * say anything else.
 */
async function showingRefusal(request: FastifyRequest, reply: FastifyReply, act: () => Promise<unknown>): Promise<FastifyReply> {
  try {
    const next = await act()
    return reply.redirect(typeof next === 'string' ? next : '/cart', 303)
  } catch (error) {
    const isMistyped = error instanceof Error && error.name === 'ZodError'
    if (!isMistyped && !(error instanceof HttpError)) throw error
    const { productId, quantity } = fieldsOf(request)
    const query = new URLSearchParams({ refused: error instanceof HttpError ? error.code : 'invalid_request' })
    if (typeof productId === 'string') query.set('product', productId.slice(0, 36))
    if (typeof quantity === 'string') query.set('quantity', quantity.slice(0, 20))
    return reply.redirect(`/cart?${query}`, 303)
  }
}
