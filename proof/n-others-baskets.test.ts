import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Endpoint } from '#shared/endpoint.ts'
import * as cart from '#store/cart/contract.ts'
import * as checkout from '#store/checkout/contract.ts'
import * as orderDetails from '#store/orders/details/contract.ts'
import { cartIn, openBrowser, quantitiesIn, signInWith } from '#test/cart-actions.ts'
import { berlin } from '#test/checkout-actions.ts'
import { holderOfLink } from '#test/guest-actions.ts'
import { createProduct, createTestStoreWithCards } from '#test/order-actions.ts'
import type { Actor } from '#test/store.ts'
import { isFullRun } from './full-run.ts'
import { seededRandom } from './seeded-random.ts'

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())

/** What nobody may see who is not Ada, or the guest: each word stands in what is theirs alone. */
const secrets = /Private|Byron|Invaliden|PO-77|Engines|ada@shop|gwen@mail/i

const isEndpoint = (said: unknown): said is Endpoint => typeof said === 'object' && said !== null && 'method' in said && 'schema' in said
const endpoints = [cart, checkout, orderDetails].flatMap((contract) => Object.values<unknown>(contract).filter(isEndpoint))

type Knocked = { drill: string; orderId: string; shared: string; savedId: string }
/** What is sent to each route, so that it would do something; a new route of the basket or the checkout needs a row. */
const requests: Record<string, (given: Knocked) => { path?: string; body?: object }> = {
  'GET /cart': () => ({}),
  'POST /cart/lines': ({ drill }) => ({ body: { productId: drill, quantity: 1 } }),
  'PUT /cart/lines/:productId': ({ drill }) => ({ path: `/cart/lines/${drill}`, body: { quantity: 1 } }),
  'DELETE /cart/lines/:productId': ({ drill }) => ({ path: `/cart/lines/${drill}` }),
  'POST /cart/seen': () => ({}),
  'POST /cart/join': () => ({}),
  'POST /cart/paste': () => ({ body: { text: 'none 1' } }),
  'POST /cart/orders/:id': ({ orderId }) => ({ path: `/cart/orders/${orderId}` }),
  'POST /cart/share': () => ({}),
  'GET /cart/shared/:token': ({ shared }) => ({ path: `/cart/shared/${shared}` }),
  'POST /cart/shared/:token': ({ shared }) => ({ path: `/cart/shared/${shared}` }),
  'GET /cart/saved': () => ({}),
  'POST /cart/saved': () => ({ body: { name: 'Spares' } }),
  'POST /cart/saved/:id': ({ savedId }) => ({ path: `/cart/saved/${savedId}` }),
  'DELETE /cart/saved/:id': ({ savedId }) => ({ path: `/cart/saved/${savedId}` }),
  'GET /checkout/countries': () => ({}),
  'GET /checkout/estimate': () => ({ path: '/checkout/estimate?country=DE' }),
  'GET /checkout/defaults': () => ({}),
  'GET /cart/pasted': () => ({}),
  'GET /checkout/form': () => ({}),
  'GET /checkout/last-order': () => ({}),
  'POST /checkout': () => ({ body: { name: 'Mallory', email: 'mallory@mail.example', deliverTo: { ...berlin, line1: '1 Road' } } }),
  'GET /orders/:id/details': ({ orderId }) => ({ path: `/orders/${orderId}/details` }),
}

test("N5 nobody sees or changes another's basket, what they typed at the checkout or what they share, by any route of both, with a made-up cookie, another's, another's token or the link of another order", async (t) => {
  const store = opened.use(await createTestStoreWithCards())
  const secret = await createProduct(store, { name: 'Private drill' })
  const drill = await createProduct(store, { name: 'Saw' })
  const random = seededRandom(8)
  const order = { name: 'Ada Byron', deliverTo: berlin, company: 'Engines', poNumber: 'PO-77' }

  /** Somebody with a basket, an order and a shared link, all of which say what is secret. */
  async function openVictim(actor: Actor, isAccount: boolean) {
    const browser = isAccount ? await signInWith(openBrowser(store.visitor), actor) : openBrowser(store.visitor)
    await browser.add(secret, 3)
    const placed = await browser.request('POST', '/checkout', { ...order, email: 'gwen@mail.example' })
    assert.equal(placed.statusCode, 201, placed.body)
    const shared = await browser.request('POST', '/cart/share')
    const savedId: string = isAccount ? (await actor.request('POST', '/cart/saved', { name: 'Private' })).json()._id : crypto.randomUUID()
    return { browser, savedId, orderId: placed.json()._id as string, shared: shared.json().token as string }
  }
  const victims = [await openVictim(store.customer, true), await openVictim(store.visitor, false)]
  const mallory = store.otherCustomer
  const ofMallory = openBrowser(store.visitor)
  await ofMallory.add(drill, 1)
  const malloryPlaced = await ofMallory.request('POST', '/checkout', { name: 'Mallory', email: 'm@mail.example', deliverTo: berlin })
  assert.equal(malloryPlaced.statusCode, 201, malloryPlaced.body)

  const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_'
  const text = (length: number, of = alphabet) => Array.from({ length }, () => of[random.below(of.length)]).join('')
  const nearly = (token: string) => {
    const at = random.below(token.length)
    return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
  }
  const [ofAda, ofGuest] = victims.map(({ browser }) => browser.jar.get('nucleus.cart') ?? '')
  const cookies: Record<string, string | undefined> = {
    'no cookie': undefined,
    'a made-up cookie': `nucleus.cart=${text(32)}`,
    "Ada's cookie but for a character": `nucleus.cart=${nearly(ofAda ?? '')}`,
    "the guest's cookie but for a character": `nucleus.cart=${nearly(ofGuest ?? '')}`,
    'no token at all': 'nucleus.cart=; nucleus.cart-lines=3',
    'SQL in it': `nucleus.cart=' or true --`,
    'their own cookie': ofMallory.cookie(),
  }
  const callers: Record<string, Actor> = {
    nobody: store.visitor,
    'another account': mallory,
    'a made-up token': {
      ...store.visitor,
      request: (method, path, body, headers) =>
        store.visitor.request(method, path, body, { authorization: `Bearer ${text(32)}`, ...headers }),
    },
    'the link of another order': holderOfLink(store, malloryPlaced.json()),
    'a made-up link': holderOfLink(store, malloryPlaced.json(), text(64, '0123456789abcdef')),
  }
  // Ada's cookie is her browser's: of somebody else who has signed in there it shows nothing of hers.
  const tries = [
    ...Object.entries(callers).flatMap(([caller, actor]) =>
      Object.entries(cookies).map(([what, cookie]) => ({ caller, actor, what, cookie })),
    ),
    { caller: 'another account', actor: mallory, what: "Ada's cookie", cookie: `nucleus.cart=${ofAda}` },
  ]

  let asked = 0
  for (const { orderId, shared, savedId } of victims)
    for (const { caller, actor, what, cookie } of tries)
      for (const { method, url } of endpoints) {
        const row = requests[`${method} ${url}`]
        assert.ok(row, `${method} ${url} has no row here`)
        if (!isFullRun && random.below(8) > 0) continue
        const isShared = url === '/cart/shared/:token'
        const { path = url, body } = row({ drill, orderId, savedId, shared: isShared ? text(32, '0123456789abcdef') : shared })
        const answer = await actor.request(method, path, body, cookie === undefined ? {} : { cookie })
        const said = `${caller} with ${what}: ${method} ${path}: ${answer.statusCode} ${answer.body.slice(0, 300)}`
        assert.ok(answer.statusCode < 500, said)
        assert.doesNotMatch(answer.body, secrets, said)
        const made = answer.cookies.find(({ name }) => name === 'nucleus.cart')?.value
        assert.ok(!made || !cookie?.includes(made), `${said}: no cookie that somebody has made up is taken on`)
        asked++
      }
  assert.deepEqual(
    (await store.customer.request('GET', '/cart/saved')).json().map(({ name }: { name: string }) => name),
    ['Private'],
  )
  for (const { browser, shared } of victims) {
    assert.deepEqual(quantitiesIn(cartIn(await browser.request('GET', '/cart'))), { 'Private drill': 3 }, 'nothing of theirs has changed')
    const link = await store.visitor.request('GET', `/cart/shared/${shared}`)
    assert.deepEqual(quantitiesIn(cartIn(link)), { 'Private drill': 3 }, 'a link shows what is in the basket')
    assert.doesNotMatch(link.body, /Byron|Invaliden|PO-77|Engines|@/i, 'and nothing of whose it is')
  }
  t.diagnostic(`${endpoints.length} routes, ${tries.length} strangers, ${asked} requests, 0 of them answered with anything of others`)
})
