import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { users } from '#store/identity/table.ts'
import { orders, payments } from '#store/orders/table.ts'
import { checkOut, putIntoCart, sendCheckout, typed } from '#test/checkout-actions.ts'
import { createProduct, createTestStoreWithCards } from '#test/order-actions.ts'
import { setUpTransfers, transferSettings } from '#test/transfer-actions.ts'
import { creditorReference, findIbanProblem, formatIban, normalizeIban, orderNumberOfReference } from './iban.ts'

const day = 24 * 3600_000
const daysHeld = ({ placedAt, holdUntil }: { placedAt: string; holdUntil: string }) => (Date.parse(holdUntil) - Date.parse(placedAt)) / day

test('an IBAN is right by its check digits and by the length of its country', () => {
  for (const iban of ['DE89 3704 0044 0532 0130 00', 'gb82 west 1234 5698 7654 32', 'NL91ABNA0417164300', 'FR1420041010050500013M02606'])
    assert.equal(findIbanProblem(normalizeIban(iban)), undefined, iban)
  for (const iban of [
    '',
    'DE',
    'DE88 3704 0044 0532 0130 00',
    'DE89 3704 0044 0532 0103 00',
    'DE89 3704 0044 0532 0130',
    'XX00!',
    'DE89370400440532013000000',
  ])
    assert.ok(findIbanProblem(normalizeIban(iban)), iban)
  assert.equal(formatIban('DE89370400440532013000'), 'DE89 3704 0044 0532 0130 00')
})

test('a reference leads to its order, and one with a wrong or exchanged character to none', () => {
  assert.equal(creditorReference(1001).length, 8)
  for (const number of [1, 42, 1001, 99_999, 2_147_483_647]) {
    const reference = creditorReference(number)
    assert.equal(orderNumberOfReference(reference), number)
    for (let at = 2; at < reference.length; at++) {
      const other = (Number(reference[at]) + 1) % 10
      assert.equal(orderNumberOfReference(reference.slice(0, at) + other + reference.slice(at + 1)), undefined, reference)
      if (at + 1 < reference.length && reference[at] !== reference[at + 1])
        assert.equal(
          orderNumberOfReference(reference.slice(0, at) + reference[at + 1] + reference[at] + reference.slice(at + 2)),
          undefined,
        )
    }
  }
})

test('only owners switch methods on and off; what is wrong is said at its field, and one method stays on', async () => {
  await using store = await createTestStoreWithCards()
  const save = (body: object) => store.admin.request('PUT', '/payment-settings', body)
  const errorsOf = async (body: object) => (await save({ ...transferSettings, ...body })).json().errors
  assert.match((await errorsOf({ iban: 'DE88370400440532013000' })).iban, /check digits/)
  assert.match((await errorsOf({ iban: '' })).iban, /Transfers need it/)
  assert.match((await errorsOf({ holder: '' })).holder, /Transfers need it/)
  assert.match((await errorsOf({ bic: 'NOBIC' })).bic, /8 or 11/)
  assert.match((await errorsOf({ holdDays: 31 })).holdDays, /At most 30/)
  assert.match((await errorsOf({ holdDays: 0 })).holdDays, /At least one/)
  assert.match((await errorsOf({ card: false, bankTransfer: false })).card, /Leave one method on/)
  const saved = await save({ ...transferSettings, iban: 'de89 3704 0044 0532 0130 00' })
  assert.equal(saved.json().iban, transferSettings.iban)
  assert.deepEqual((await store.admin.request('GET', '/payment-settings')).json(), transferSettings)
  assert.equal((await store.customer.request('PUT', '/payment-settings', transferSettings)).statusCode, 403)
})

test('an order by transfer is held for days where the e-mail is verified, has no card payment, and empties the basket', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const drill = await createProduct(store)
  await store.customer.token()
  await putIntoCart(store.customer, { [drill]: 2 })
  const early = await checkOut(store.customer, { paymentMethod: 'bank_transfer' })
  assert.ok(daysHeld(early) <= 1.01, 'not verified')
  await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, store.customer.email))
  await putIntoCart(store.customer, { [drill]: 3 })
  const order = await checkOut(store.customer, { paymentMethod: 'bank_transfer' })
  assert.deepEqual(order.replaces, [], 'the first order waits for its money and is not replaced')
  assert.equal(order.paymentMethod, 'bank_transfer')
  assert.equal(order.clientSecret, null)
  assert.equal(Math.round(daysHeld(order)), 7)
  assert.deepEqual((await store.customer.request('GET', '/cart')).json().lines, [])
  assert.equal(await store.db.$count(payments, eq(payments.orderId, order._id)), 0)
  assert.equal((await store.customer.request('GET', `/orders/${order._id}`)).json().paymentMethod, 'bank_transfer')
})

test('the same request again is the same order, although it has emptied the basket', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  await putIntoCart(store.customer, { [await createProduct(store)]: 2 })
  const key = { 'idempotency-key': 'one' }
  const first = await checkOut(store.customer, { paymentMethod: 'bank_transfer' }, key)
  const again = await checkOut(store.customer, { paymentMethod: 'bank_transfer' }, key)
  assert.equal(again._id, first._id)
})

test('a method that is off is refused in words, and where none is said the first that is on is taken', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  await putIntoCart(store.customer, { [drill]: 1 })
  const refused = await sendCheckout(store.customer, { paymentMethod: 'bank_transfer' })
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'payment_method_off'])
  assert.match(refused.json().message, /Bank transfer is not offered now/)
  assert.equal((await store.customer.request('GET', '/cart')).json().lines.length, 1)
  assert.equal((await sendCheckout(store.customer, { paymentMethod: 'on_account' })).json().code, 'payment_method_off')
  await setUpTransfers(store, { card: false })
  assert.equal((await sendCheckout(store.customer, { paymentMethod: 'card' })).json().code, 'payment_method_off')
  assert.equal((await checkOut(store.customer)).paymentMethod, 'bank_transfer')
  const { paymentMethods } = (await store.visitor.request('GET', '/checkout/estimate?country=DE')).json()
  assert.deepEqual(paymentMethods, [{ method: 'bank_transfer', problem: null, holdDays: 7 }])
})

test('what waits for a transfer counts for what its buyer and their network may hold', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const { buyerLimits } = store.orderPolicy
  const drill = await createProduct(store, { pieces: 100_000, dollars: 1 })
  const visitor = store.visitorFrom('192.0.2.7')
  const cookie = async () => {
    const added = await visitor.request('POST', '/cart/lines', { productId: drill, quantity: buyerLimits?.heldPieces ?? 0 })
    return {
      cookie: [added.headers['set-cookie']]
        .flat()
        .map((each) => `${each}`.split(';')[0])
        .join('; '),
    }
  }
  const order = async () =>
    visitor.request('POST', '/checkout', { ...typed, email: 'gwen@mail.example', paymentMethod: 'bank_transfer' }, await cookie())
  const placed = await order()
  assert.equal(placed.statusCode, 201, placed.body)
  assert.ok(daysHeld(placed.json()) <= 1.01, 'a guest whose e-mail nobody has shown to be theirs')
  assert.equal((await order()).json().code, 'over_buyer_limit')
  assert.equal(await store.db.$count(orders), 1)
})
