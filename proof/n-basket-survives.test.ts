import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { cartIn, changeProduct, noticesIn, openBrowser, quantitiesIn, signInWith } from '#test/cart-actions.ts'
import { sendCheckout, typed } from '#test/checkout-actions.ts'
import { createProduct, createTestStoreWithCards } from '#test/order-actions.ts'
import { createSecondInstance } from '#test/second-instance.ts'
import { anEmptyStore } from '#test/store.ts'
import { sampleSize } from './full-run.ts'
import { seededRandom } from './seeded-random.ts'

/*
 * What a basket survives besides what store/cart/cart.test.ts shows: there stand changed prices, stock and minimums and removed products ("what
 * has changed since a line was put in ..."), the sign-in ("signing in joins the basket ..."), other devices and the sign-out (the same), two
 * tabs ("two tabs that add ..."), and weeks ("a basket of a visitor is kept for 60 days ..."). In store/checkout/checkout.test.ts stands the
 * order that is placed, replaced, paid and expired.
 */

const nobody = { token: async () => undefined }

test('N4 whatever of a basket was acknowledged is in it after the store was killed, and nothing is in it twice', async (t) => {
  await using store = await anEmptyStore()
  const products = [await createProduct(store, { pieces: 100_000 }), await createProduct(store, { name: 'Saw', pieces: 100_000 })]
  const { below, coin } = seededRandom(6)
  const kills = sampleSize(2, 40)
  let instance = await createSecondInstance(store)
  const shoppers = [
    { actor: store.customer, jar: new Map<string, string>(), least: [0, 0], most: [0, 0] },
    { actor: nobody, jar: new Map<string, string>(), least: [0, 0], most: [0, 0] },
  ]
  type Shopper = (typeof shoppers)[number]
  const ask = async ({ actor, jar }: Shopper, method: 'GET' | 'POST', path: string, body?: object) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await instance.request(actor, method, path, body, cookie ? { cookie } : {})
    for (const { name, value } of answer.cookies as { name: string; value: string }[]) jar.set(name, value)
    return answer
  }
  const add = async (shopper: Shopper) => {
    const [nth, quantity] = [coin() ? 1 : 0, 1 + below(3)]
    shopper.most[nth] = (shopper.most[nth] ?? 0) + quantity // it may have been done, whatever became of the answer
    const added = await ask(shopper, 'POST', '/cart/lines', { productId: products[nth], quantity })
    if (added.statusCode === 200) shopper.least[nth] = (shopper.least[nth] ?? 0) + quantity
  }
  for (const shopper of shoppers) await add(shopper) // each has a basket, and the browser its cookie

  for (let kill = 0; kill < kills; kill++) {
    const under = Promise.all(
      shoppers.flatMap((shopper) => Array.from({ length: 3 }, () => add(shopper).catch(() => {}))), // whoever asked has no answer
    )
    await pause(below(30))
    await instance.crash()
    await under
    instance = await createSecondInstance(store)
    for (const shopper of shoppers) {
      const { lines } = cartIn(await ask(shopper, 'GET', '/cart'))
      for (const [nth, id] of products.entries()) {
        const quantity = lines.find(({ productId }) => productId === id)?.quantity ?? 0
        const [least = 0, most = 0] = [shopper.least[nth], shopper.most[nth]]
        assert.ok(quantity >= least && quantity <= most, `${quantity} pieces of ${least} to ${most}`)
        shopper.least[nth] = shopper.most[nth] = quantity
      }
    }
  }
  await instance[Symbol.asyncDispose]()
  t.diagnostic(`${kills} kills, ${kills * 6} times something was put in meanwhile`)
})

test('N4 when the session has ended the browser keeps the basket, orders it for nobody, and has it once after the next sign-in, as all devices have', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = [await createProduct(store), await createProduct(store, { name: 'Saw' })]
  const atHome = await signInWith(openBrowser(store.visitor), store.customer)
  await atHome.add(drill, 2)
  const atWork = await signInWith(openBrowser(store.visitor), store.customer)
  await atWork.add(saw, 1)

  await store.db.execute(sql`update sessions set expires_at = now() - interval '1 minute'`)
  assert.equal((await atHome.request('GET', '/cart')).statusCode, 401, 'the old token opens nothing')
  const withoutToken = openBrowser(store.visitor)
  for (const [name, value] of atHome.jar) withoutToken.jar.set(name, value)
  const found = cartIn(await withoutToken.request('GET', '/cart'))
  assert.deepEqual([quantitiesIn(found), found.isOfAccount], [{ Drill: 2, Saw: 1 }, true])
  assert.deepEqual(quantitiesIn(cartIn(await withoutToken.add(drill, 1))), { Drill: 3, Saw: 1 })
  const refused = await withoutToken.request('POST', '/checkout', { ...typed, email: 'else@shop.example' })
  assert.equal(refused.statusCode, 401)
  assert.equal((await sendCheckout(store.customer)).statusCode, 401)

  const signedIn = await store.visitor.request('POST', '/auth/sign-in/email', {
    ...{ email: store.customer.email, password: 'correct horse battery' },
  })
  const { token } = signedIn.json()
  const again = { ...store.customer, token: async () => token as string }
  const asAgain: typeof again.request = (method, path, body, headers) =>
    store.visitor.request(method, path, body, { authorization: `Bearer ${token}`, ...headers })
  const back = await signInWith(withoutToken, { ...again, request: asAgain })
  const { token: newToken } = (
    await asAgain('PUT', `/user/${store.customer.email}`, { email: store.customer.email }, { cookie: back.cookie() })
  ).json()
  const elsewhere = await store.visitor.request('GET', '/cart', undefined, { authorization: `Bearer ${newToken}` })
  assert.deepEqual(quantitiesIn(cartIn(elsewhere)), { Drill: 3, Saw: 1 }, 'not twice')
})

test('N4 a price that goes up and back down again is no change, and stock that is gone keeps the line until there is some', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 12.35 })
  const browser = openBrowser(store.visitor)
  await browser.add(drill, 3)
  await changeProduct(store, drill, { price: 15 })
  await changeProduct(store, drill, { price: 12.35 })
  assert.deepEqual(noticesIn(cartIn(await browser.request('GET', '/cart'))), [])
  await changeProduct(store, drill, { pieces: 0, price: 9 })
  const gone = cartIn(await browser.request('GET', '/cart'))
  assert.deepEqual([quantitiesIn(gone), noticesIn(gone), gone.canBeOrdered], [{ Drill: 3 }, ['Out of stock', 'Was $12.35, now $9'], false])
  assert.equal(gone.lines[0]?.orderableQuantity, null)
  await store.admin.request('DELETE', `/tools/${drill}`)
  assert.deepEqual(noticesIn(cartIn(await browser.request('GET', '/cart'))), ['No longer sold'])
  await store.admin.request('PUT', `/tools/restored/${drill}`)
  await changeProduct(store, drill, { pieces: 5 })
  const back = cartIn(await browser.request('GET', '/cart'))
  assert.deepEqual([quantitiesIn(back), back.canBeOrdered, back.totals.totalCents], [{ Drill: 3 }, true, 2700])
})
