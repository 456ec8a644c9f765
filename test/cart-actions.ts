import assert from 'node:assert/strict'
import type { LightMyRequestResponse } from 'fastify'
import type { Cart } from '#store/cart/contract.ts'
import type { Actor, Store } from './store.ts'

/** A browser that keeps its cookies: of a visitor, or of somebody who has signed in. */
export function openBrowser(person: Actor) {
  const jar = new Map<string, string>()
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const request: Actor['request'] = async (method, path, body, headers = {}) => {
    const response = await person.request(method, path, body, { ...(jar.size > 0 && { cookie: cookie() }), ...headers })
    for (const { name, value, maxAge } of response.cookies as { name: string; value: string; maxAge?: number }[])
      if (maxAge === 0) jar.delete(name)
      else jar.set(name, value)
    return response
  }
  return { request, jar, cookie, add: (productId: string, quantity: number) => request('POST', '/cart/lines', { productId, quantity }) }
}

export type Browser = ReturnType<typeof openBrowser>

/** The cart in an answer, which must not be a refusal. */
export function cartIn(response: LightMyRequestResponse): Cart {
  assert.ok(response.statusCode < 300, response.body)
  const body = response.json()
  return body.cart ?? body
}

export const quantitiesIn = (cart: Cart) => Object.fromEntries(cart.lines.map(({ productName, quantity }) => [productName, quantity]))
export const noticesIn = (cart: Cart) => cart.lines.flatMap(({ notices }) => notices.map(({ message }) => message))

/** Signs in: the same person, with the cookies that this browser has so far. */
export async function signInWith(browser: Browser, person: Actor): Promise<Browser> {
  const signedIn = openBrowser(person)
  for (const [name, value] of browser.jar) signedIn.jar.set(name, value)
  const taken = await signedIn.request('PUT', `/user/${person.email}`, { email: person.email })
  assert.equal(taken.statusCode, 200, taken.body)
  return signedIn
}

export async function changeProduct(
  store: Store,
  id: string,
  changes: { price?: number; pieces?: number; minimum?: number },
): Promise<void> {
  const now = (await store.visitor.request('GET', `/tools/${id}`)).json()
  const body = {
    price: changes.price ?? now.price,
    minimum_order_quantity: changes.minimum ?? now.minimum_order_quantity,
    available_quantity: changes.pieces ?? now.available_quantity,
  }
  const changed = await store.admin.request('PUT', `/tools/${id}`, body)
  assert.equal(changed.statusCode, 200, changed.body)
}
