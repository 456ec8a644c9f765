import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Purchase } from '#store/orders/contract.ts'
import {
  cancelPurchase,
  confirmIntent,
  createProduct,
  createTestStoreWithCards,
  dropWebhooks,
  getOrderAsAdmin,
  intentIdFromSecret,
  openPayment,
  openPaymentIntent,
  placePaidOrder,
  placePurchase,
  recordPayment,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import type { ApiResponse, Store } from '#test/store.ts'
import { fullRunOnly, sampleSize } from './full-run.ts'

/** How many requests the card provider has had for payment intents, by what was asked. */
function countQuestions({ cards }: Store): Map<string, number> {
  const counted = new Map<string, number>()
  cards.stripe.on('request', ({ method, path }: { method: string; path: string }) => {
    const what = `${method} ${path.replace(/pi_\w+/, 'ID').replace(/\?.*/, '')}`
    counted.set(what, (counted.get(what) ?? 0) + 1)
  })
  return counted
}

const total = (counted: Map<string, number>) => [...counted.values()].reduce((sum, each) => sum + each, 0)
const statuses = (answers: ApiResponse[]) => {
  const counted = new Map<number, number>()
  for (const { statusCode } of answers) counted.set(statusCode, (counted.get(statusCode) ?? 0) + 1)
  return [...counted].map(([status, times]) => `${times} x ${status}`).join(', ')
}
const assertToldToWait = (answer: ApiResponse) => {
  assert.equal(answer.statusCode, 429, answer.body)
  assert.match(answer.headers['retry-after']?.toString() ?? '', /^[1-9]\d*$/)
  assert.match(answer.json().message, /: wait \d+ minutes, then try again$/)
}
/** Eight requests at a time. */
async function inEights(times: number, ask: (nth: number) => Promise<ApiResponse>): Promise<ApiResponse[]> {
  const answers: ApiResponse[] = []
  let nth = 0
  const connection = async () => {
    while (nth < times) answers.push(await ask(nth++))
  }
  await Promise.all(Array.from({ length: 8 }, connection))
  return answers
}

test('H10 an account that opens payments without end has few questions put to the card provider', fullRunOnly, async (t) => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store, { pieces: 1000 })
  const orders: Purchase[] = []
  const counted = countQuestions(store)
  for (let nth = 0; nth < 10; nth++) {
    const order = await placePurchase(store, { toolId })
    await openPaymentIntent(store, order)
    orders.push(order)
  }
  const from = performance.now()
  const answers = await inEights(sampleSize(70, 10_000), (nth) => {
    const order = orders[nth % orders.length]
    assert.ok(order)
    return openPayment(store.customer, order)
  })
  const seconds = (performance.now() - from) / 1000
  t.diagnostic(
    `${answers.length} requests for 10 orders in ${seconds.toFixed(1)} s: ${statuses(answers)}; ${total(counted)} questions to the provider`,
  )
  assert.equal(total(counted), 60, 'an account asks sixty times in an hour')
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) assertToldToWait(answer)
})

test('H10 new orders do not bring new intents without end: placing, paying and cancelling are all counted', async (t) => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store, { pieces: 1000 })
  const counted = countQuestions(store)
  const answers: ApiResponse[] = []
  const from = performance.now()
  for (let nth = 0; nth < sampleSize(32, 1000); nth++) {
    const body = { toolId, productName: 'Drill', productQuantity: 1, productCost: 30, buyerAddress: '1 Road' }
    const placed = await store.customer.request('POST', '/purchase', body)
    answers.push(placed)
    if (placed.statusCode !== 201) continue
    answers.push(await openPayment(store.customer, placed.json()), await cancelPurchase(store.customer, placed.json()))
  }
  const made = counted.get('POST /v1/payment_intents') ?? 0
  t.diagnostic(
    `${statuses(answers)} in ${((performance.now() - from) / 1000).toFixed(1)} s: ${made} intents made, ${total(counted)} questions to the provider`,
  )
  assert.equal(made, 30, 'as many as orders in an hour')
})

test('H10 one order asks the provider at most twenty times in an hour by each way: opening its payment, saying that it is paid, cancelling it', async (t) => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  const counted = countQuestions(store)
  const opened = await inEights(sampleSize(24, 50), () => openPayment(store.customer, order))
  assert.deepEqual(
    new Set(opened.filter(({ statusCode }) => statusCode === 200).map((answer) => intentIdFromSecret(answer.json().clientSecret))),
    new Set([intentId]),
  )
  opened.filter(({ statusCode }) => statusCode !== 200).forEach(assertToldToWait)
  assert.equal(total(counted), 19, 'the first was before')

  const hints = await inEights(sampleSize(24, 5000), () => recordPayment(store.customer, order, intentId))
  assert.equal(total(counted), 19 + 20)
  hints.filter(({ statusCode }) => statusCode !== 402).forEach(assertToldToWait)

  const busy = sandboxControls(store).calls.inject(
    { method: 'POST', path: '/v1/payment_intents/:id/cancel', times: Infinity },
    { answer: 'rate_limit' },
  )
  const cancelled = await inEights(sampleSize(24, 30), () => cancelPurchase(store.customer, order))
  busy.remove()
  assert.equal(total(counted), 19 + 20 + 20)
  cancelled.filter(({ statusCode }) => statusCode !== 503).forEach(assertToldToWait)
  t.diagnostic(
    `opened ${opened.length + 1} times, ${statuses(opened)}; said to be paid ${hints.length} times, ${statuses(hints)}; cancelled ${cancelled.length} times, ${statuses(cancelled)}; ${total(counted) + 1} questions`,
  )
})

test('H10 who has paid and said so too often before is not forgotten: the store asks by itself', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  await inEights(20, () => recordPayment(store.customer, order, intentId))
  dropWebhooks(store)
  await confirmIntent(store, intentId)
  assertToldToWait(await recordPayment(store.customer, order, intentId))
  assert.equal((await getOrderAsAdmin(store, order)).checking, true)
  await store.jobs.runAllOnce()
  assert.equal((await getOrderAsAdmin(store, order)).paid, true)
})

test('H10 who says every minute that an unpaid order is paid makes the store ask by itself three times in an hour, no more', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  await inEights(20, () => recordPayment(store.customer, order, intentId))
  const counted = countQuestions(store)
  for (let minute = 0; minute < 10; minute++) {
    assertToldToWait(await recordPayment(store.customer, order, intentId))
    await store.jobs.runAllOnce()
  }
  assert.equal(counted.get('GET /v1/payment_intents/ID') ?? 0, 3)
})

test('H10 an order whose payment stands in the books is told to be paid without a question', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store)
  await waitForWebhooks(store)
  const counted = countQuestions(store)
  const times = sampleSize(24, 100)
  const answers = await inEights(times, () => recordPayment(store.customer, order, intentId))
  assert.deepEqual(statuses(answers), `${times} x 200`)
  assert.equal(total(counted), 0)
})
