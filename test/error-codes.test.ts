import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOpenApiDocument } from '#proof/openapi-document.ts'
import { tokenFromEmail } from '#proof/token-from-email.ts'
import { type ErrorCode, errorCodeDescriptions, errorCodes } from '#shared/error-codes.ts'
import {
  cancelPurchase,
  confirmIntent,
  createProduct,
  createTestStoreWithCards,
  expireHold,
  openPayment,
  openPaymentIntent,
  placePaidOrder,
  placePurchase,
  recordPayment,
  refundPurchase,
  sandboxControls,
  waitForWebhooks,
} from './order-actions.ts'
import { type ApiResponse, anEmptyStore, type Store, testPassword } from './store.ts'

// Codes that say nothing but the status, also of what never reaches a route, stand in platform/http.test.ts.

const unknownId = '00000000-0000-4000-8000-000000000000'

function assertRefused(answer: ApiResponse, status: number, code: ErrorCode) {
  assert.deepEqual([answer.statusCode, answer.json().code], [status, code], answer.body)
}

test('the OpenAPI document lists every error code with what it means, and every call refers to the list', async () => {
  await using store = await anEmptyStore()
  const { calls, components } = await readOpenApiDocument(store)
  const { enum: listed, description } = components.schemas.ErrorCode as { enum?: unknown[]; description?: string }
  assert.deepEqual(listed, errorCodes)
  for (const [code, means] of Object.entries(errorCodeDescriptions)) assert.ok(description?.includes(`\`${code}\`: ${means}`), code)
  for (const { method, path, responses } of calls) {
    const { properties, required } = responses.default ?? {}
    assert.deepEqual(
      [properties?.code, required],
      [{ $ref: '#/components/schemas/ErrorCode' }, ['message', 'code']],
      `${method} ${path}: ${JSON.stringify(responses.default)}`,
    )
  }
})

test('the OpenAPI document says who may call POST /purchase and the history of a product, and with which code each refusal of theirs comes', async () => {
  await using store = await anEmptyStore()
  const { paths, components } = (await store.visitor.request('GET', '/openapi.json')).json()
  const { description: ordering } = paths['/api/purchase'].post
  for (const [status, codes] of Object.entries({
    400: ['below_minimum', 'not_a_multiple', 'costs_too_little', 'costs_too_much', 'invalid_request'],
    401: ['not_signed_in'],
    404: ['not_found'],
    409: ['price_changed', 'stock_too_low', 'stock_changed', 'ambiguous_product', 'over_buyer_limit'],
    422: ['idempotency_key_reused'],
    429: ['over_buyer_limit'],
  })) {
    const said = ordering
      .split(/\n\n|(?=With 4)/)
      .filter((line: string) => new RegExp(`[Ww]ith ${status}`).test(line))
      .join()
    for (const code of codes) assert.ok(said.includes(`\`${code}\``), `${status} ${code}: ${said}`)
  }
  const { description: history } = paths['/api/tools/{id}/history'].get
  for (const words of ['For admins', '401 `not_signed_in`', '403 `forbidden`', '404 `not_found`']) assert.ok(history.includes(words), words)
  assert.match(
    components.schemas.ToolHistoryEntry.properties.importId.description,
    /`_id` of the import .* null for a change on the screens/,
  )
})

test('a refused call has a code that follows from its status, where none tells more', async () => {
  await using store = await anEmptyStore()
  const { visitor, customer } = store
  const oneNetwork = store.visitorFrom('10.99.0.1')
  assertRefused(await customer.request('POST', '/reviews', { rating: 'many' }), 400, 'invalid_request')
  assertRefused(await visitor.request('GET', '/user'), 401, 'not_signed_in')
  assertRefused(await visitor.request('GET', '/user', undefined, { authorization: 'Bearer of-an-ended-session' }), 401, 'not_signed_in')
  assertRefused(await customer.request('GET', '/user'), 403, 'forbidden')
  assertRefused(await visitor.request('GET', '/nowhere'), 404, 'not_found')
  assertRefused(await visitor.request('GET', `/tools/${unknownId}`), 404, 'not_found')
  assertRefused(await customer.request('POST', '/reviews', { about: 'x'.repeat(300_000) }), 413, 'body_too_large')
  assertRefused(await customer.request('POST', '/reviews', '<a/>', { 'content-type': 'application/xml' }), 415, 'unsupported_media_type')
  const asked = await Promise.all(
    Array.from({ length: 11 }, () => oneNetwork.request('POST', '/auth/request-password-reset', { email: 'nobody@shop.example' })),
  )
  for (const answer of asked.filter(({ statusCode }) => statusCode !== 200)) assertRefused(answer, 429, 'too_many_requests')
  assert.equal(asked.filter(({ statusCode }) => statusCode === 429).length, 1)
})

test('a refused change of accounts, or sign-in, has a code of its own', async () => {
  await using store = await anEmptyStore()
  const { visitor, customer, admin } = store
  const signIn = (email: string) => visitor.request('POST', '/auth/sign-in/email', { email, password: 'another password' })
  await customer.token()
  for (const { email } of [customer, { email: 'nobody@shop.example' }]) assertRefused(await signIn(email), 401, 'invalid_credentials')
  const again = { name: 'Ada', email: customer.email, password: testPassword }
  assertRefused(await visitor.request('POST', '/auth/sign-up/email', again), 422, 'email_taken')
  const [verification] = await store.emailsTo(customer.email)
  const verify = (token: string) => visitor.request('POST', '/auth/verify-email', { token })
  assertRefused(await verify(tokenFromEmail(verification)), 409, 'password_required')
  assertRefused(await verify('x'), 400, 'invalid_link')
  const reset = { newPassword: 'correct horse battery staple', token: 'x' }
  assertRefused(await visitor.request('POST', '/auth/reset-password', reset), 400, 'invalid_link')

  const owner = await anOwner(store)
  assertRefused(await admin.request('DELETE', `/user/${admin.email}`), 409, 'own_account')
  assertRefused(await owner.request('DELETE', `/user/${admin.email}`), 409, 'owner_protected')
  assertRefused(await admin.request('DELETE', `/user/admin/${admin.email}`), 409, 'last_owner')
  assertRefused(await admin.request('PUT', `/user/restored/${customer.email}`), 409, 'account_not_removed')
  assert.equal((await admin.request('DELETE', `/user/${customer.email}`)).statusCode, 200)
  assertRefused(await admin.request('PUT', `/user/admin/${customer.email}`), 404, 'account_removed')
})

/** Another admin, who is no owner. */
async function anOwner({ admin, otherCustomer }: Store) {
  await otherCustomer.token()
  assert.equal((await admin.request('PUT', `/user/admin/${otherCustomer.email}`)).statusCode, 200)
  return otherCustomer
}

test('a refused order says by its code what would have to change', async () => {
  await using store = await anEmptyStore({
    buyerLimits: { openOrders: 1, heldPieces: 1_000_000, heldCents: 100_000_000, ordersPerHour: 1_000 },
  })
  const toolId = await createProduct(store, { dollars: 30, pieces: 40, minimum: 5 })
  const wish = { toolId, productName: 'Drill', productQuantity: 5, productCost: 150, buyerAddress: '1 Road' }
  const order = (changed: object, key?: string) =>
    store.customer.request('POST', '/purchase', { ...wish, ...changed }, key ? { 'idempotency-key': key } : {})
  assertRefused(await order({ productQuantity: 4, productCost: 120 }), 400, 'below_minimum')
  assertRefused(await order({ productQuantity: 41, productCost: 1230 }), 409, 'stock_too_low')
  assertRefused(await order({ productCost: 145 }), 409, 'price_changed')
  const [washer, nut, board] = [
    await createProduct(store, { name: 'Washer', dollars: 0.01 }),
    await createProduct(store, { name: 'Nut', dollars: 0.01 }),
    await createProduct(store, { name: 'Board', dollars: 999_999 }),
  ]
  const orderLines = (...products: string[]) => {
    const lines = products.map((productId) => ({ productId, quantity: productId === toolId ? 5 : 1 }))
    return store.customer.request('POST', '/orders', { buyerAddress: '1 Road', lines })
  }
  assertRefused(await order({ toolId: washer, productQuantity: 40, productCost: 0.4 }), 400, 'costs_too_little')
  assertRefused(await orderLines(washer, nut), 400, 'costs_too_little')
  assertRefused(await order({ toolId: board, productQuantity: 2, productCost: 1_999_998 }), 400, 'costs_too_much')
  assertRefused(await orderLines(board, toolId), 400, 'costs_too_much')
  assertRefused(await order({ productQuantity: 0 }), 400, 'invalid_request')
  const placed = await order({}, 'key')
  assert.equal(placed.statusCode, 201, placed.body)
  assertRefused(await order({ buyerAddress: '2 Road' }, 'key'), 422, 'idempotency_key_reused')
  assertRefused(await order({}), 409, 'over_buyer_limit')
  await createProduct(store, { dollars: 30, pieces: 40, minimum: 5 })
  assertRefused(await order({ toolId: undefined }), 409, 'ambiguous_product')
  assertRefused(await store.admin.request('POST', `/purchase/${placed.json()._id}/looked-at`), 409, 'nothing_to_acknowledge')
  const change = { price: 30, minimum_order_quantity: 5, available_quantity: 0, available_quantity_seen: 40 }
  assertRefused(await store.admin.request('PUT', `/tools/${toolId}`, change), 409, 'stock_changed')
})

test('a refused payment, cancellation or refund says by its code how the order stands', async () => {
  await using store = await createTestStoreWithCards()
  const { customer, admin } = store
  const unpaid = await placePurchase(store)
  assertRefused(await openPayment(customer, { ...unpaid, productCost: 29 }), 409, 'amount_mismatch')
  const intentId = await openPaymentIntent(store, unpaid)
  assertRefused(await recordPayment(customer, unpaid, intentId), 402, 'payment_required')
  assertRefused(await recordPayment(customer, unpaid, 'pi_another'), 409, 'payment_mismatch')
  assertRefused(await refundPurchase(admin, unpaid), 409, 'order_not_paid')
  const away = sandboxControls(store).calls.inject({ times: Infinity }, { reset: 'before' })
  assertRefused(await recordPayment(customer, unpaid, intentId), 503, 'payment_being_checked')
  assertRefused(await cancelPurchase(customer, unpaid), 503, 'provider_unavailable')
  away.remove()
  assert.equal((await cancelPurchase(customer, unpaid)).statusCode, 200)
  assertRefused(await openPayment(customer, unpaid), 409, 'order_not_open')
  const overdue = await placePurchase(store)
  await expireHold(store, overdue)
  assertRefused(await openPayment(customer, overdue), 409, 'order_not_open')

  const late = await placePurchase(store)
  const noAnswer = sandboxControls(store).calls.inject({ path: '/v1/payment_intents', times: Infinity }, { reset: 'committed' })
  assertRefused(await openPayment(customer, late), 503, 'provider_unavailable')
  noAnswer.remove()
  assert.equal((await cancelPurchase(customer, late)).statusCode, 200)
  const [intent] = (await store.cards.stripe.paymentIntents.list({ limit: 1 })).data
  await confirmIntent(store, intent?.id ?? '')
  await waitForWebhooks(store)
  assertRefused(await recordPayment(customer, late, intent?.id ?? ''), 409, 'late_payment')

  const { order: paid } = await placePaidOrder(store, { quantity: 2 })
  assertRefused(await openPayment(customer, paid), 409, 'order_not_open')
  assertRefused(await refundPurchase(admin, paid, { amountCents: 6001 }), 400, 'refund_exceeds_rest')
  assertRefused(await refundPurchase(admin, paid, { restock: 3 }), 400, 'restock_exceeds_rest')
  assertRefused(await refundPurchase(admin, paid, { amountCents: 1, refundedCentsSeen: 1 }), 409, 'refunds_changed')
  const lost = sandboxControls(store).calls.inject({ path: '/v1/refunds', times: Infinity }, { reset: 'before' })
  assert.equal((await refundPurchase(admin, paid)).statusCode, 200, 'the worker sends it')
  assertRefused(await refundPurchase(admin, paid), 409, 'nothing_to_refund')
  lost.remove()
  const { order: disputed } = await placePaidOrder(store, { card: 'pm_card_createDispute' })
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
  assertRefused(await refundPurchase(admin, disputed), 409, 'provider_refused')
})

test('a refused file or import says by its code what is missing', async () => {
  await using store = await anEmptyStore()
  const headers = { 'content-type': 'application/octet-stream', authorization: `Bearer ${await store.admin.token()}` }
  const upload = (file: string, more: Record<string, string> = {}) =>
    store.app.inject({ method: 'POST', url: '/api/imports?name=parts', headers: { ...headers, ...more }, payload: Buffer.from(file) })
  const run = (id: string, body: object = {}) => store.admin.request('POST', `/imports/${id}/run`, body)
  async function check(...rows: object[]): Promise<string> {
    const sent = await upload(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    assert.equal(sent.statusCode, 201, sent.body)
    await store.jobs.whenIdle()
    return sent.json()._id
  }
  async function runToEnd(id: string) {
    assert.equal((await run(id)).statusCode, 200)
    await store.jobs.whenIdle()
  }
  const part = { sku: 'D-1', name: 'Drill', price: 30, minimum_order_quantity: 1 }

  assertRefused(await upload(''), 400, 'file_empty')
  assertRefused(await upload('x', { 'content-length': `${65 * 1024 * 1024}` }), 400, 'file_too_large')
  const first = await check({ ...part, available_quantity: 10 })
  await runToEnd(first)
  assertRefused(await run(first), 409, 'import_not_ready')
  assertRefused(await run(await check({ ...part, price: 'much' })), 409, 'wrong_rows')
  assertRefused(await run(await check({ ...part, available_quantity: 12 })), 409, 'stock_choice_required')
  const moving = { ...part, available_quantity: 15, available_quantity_seen: 10 }
  await runToEnd(await check(moving))
  assertRefused(await run(await check(moving)), 409, 'file_already_imported')
})

test('a store with too much to do says so by its code', async () => {
  await using store = await anEmptyStore({ cards: true, readLimiter: { maxConcurrent: 0, maxQueued: 0 } })
  const answer = await fetch(`${store.origin}/api/reviews`) // calls of the store's own pages are not limited
  assert.deepEqual([answer.status, (await answer.json()).code], [503, 'overloaded'])
})
