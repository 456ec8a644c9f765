import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#platform/database.ts'
import { escapeHtml } from '#platform/escape-html.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import { productNotFoundError } from '#store/catalogue/rules.ts'
import { settleQuantity } from '#store/catalogue/settle-quantity.ts'
import { termsOf } from './cart-lines.ts'
import { type CartDeps, createCartChanger, limitLists } from './change-cart.ts'
import { changeCartLine, NewCartLine, type PastedLine, pasteIntoCart } from './contract.ts'
import { acceptFormFields, fieldsOf } from './form-fields.ts'
import { putPastedLines } from './pasted-lines.ts'
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
        const { text } = pasteIntoCart.schema.body.parse(fieldsOf(request))
        await limitLists(db, request)
        const { result } = await change(request, reply, (tx, cart) => putPastedLines(tx, cart, text))
        if (result.notAdded.length > 0) return sendNotAdded(reply, result)
      }),
    )

    forms.post<{ Params: { token: string } }>('/cart/shared/:token', hidden, (request, reply) =>
      showingRefusal(request, reply, async () => {
        await limitLists(db, request)
        const { result } = await change(request, reply, (tx, cart) => putSharedCart(tx, cart, request.params.token))
        if (result.notAdded.length > 0) return sendNotAdded(reply, result)
      }),
    )
  })
}

async function findSmallestOrder(tx: Database, productId: string, userId: string | null): Promise<number> {
  const [product] = await findOfferedProducts(tx, [productId], userId)
  if (!product?.isForSale) throw productNotFoundError()
  return settleQuantity(termsOf(product), product.minimum_order_quantity).quantity ?? product.minimum_order_quantity
}

/** Leads to the basket, which is told what was refused: the page has the words for it, so that no address can make it say anything else. */
async function showingRefusal(request: FastifyRequest, reply: FastifyReply, act: () => Promise<unknown>): Promise<FastifyReply> {
  try {
    await act()
    return reply.sent ? reply : reply.redirect('/cart', 303)
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

/** Lists the lines that were not put into the basket, to be corrected and sent once more. */
function sendNotAdded(reply: FastifyReply, { added, notAdded }: { added: number; notAdded: PastedLine[] }): FastifyReply {
  const rows = notAdded.map(({ text, reason }) => `<li><code>${escapeHtml(text)}</code>: ${escapeHtml(reason)}</li>`).join('')
  const texts = escapeHtml(notAdded.map(({ text }) => text).join('\n'))
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    })
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Not in your basket</title><main><h1>${notAdded.length} of ${added + notAdded.length} lines are not in your basket</h1><ul>${rows}</ul><form method="post" action="/cart/paste"><p><label>Correct them and try again<br><textarea name="text" rows="10" cols="50">${texts}</textarea></label></p><button>Put into the basket</button></form><p><a href="/cart">To your basket</a></p></main></html>`,
    )
}
