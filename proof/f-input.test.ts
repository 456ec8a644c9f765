import assert from 'node:assert/strict'
import http from 'node:http'
import net from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { createHttpApp, type HttpAppOptions } from '#platform/http.ts'
import { originalDefinitions } from '#store/catalogue/definitions/stored-definitions.ts'
import { users } from '#store/identity/table.ts'
import { type Actor, anEmptyStore, testPassword } from '#test/store.ts'
import {
  orderRequest,
  sampleAddress,
  sampleBankEntry,
  sampleBooking,
  sampleCorrection,
  sampleCredit,
  sampleMethod,
  samplePaymentSettings,
  sampleProduct,
  sampleProfile,
  sampleZone,
} from './access-matrix.ts'
import { snapshotBusinessTables } from './database-snapshot.ts'
import { endpointFor, endpoints } from './endpoints.ts'
import { isFullRun, sampleSize } from './full-run.ts'
import { createMockIssuer } from './mock-oidc-issuer.ts'
import { type OpenApiOperation, operationUrl, readOpenApiDocument } from './openapi-document.ts'

/** A store with an order, its document, and a good value for every name that a call asks for. */
async function aStoreWithGoodValues() {
  const opened = new AsyncDisposableStack()
  const issuer = opened.use(await createMockIssuer())
  await issuer.start()
  const store = opened.use(await anEmptyStore({ cards: true, google: issuer.google, buyerLimits: 'off' }))
  const toolId: string = (await store.admin.request('POST', '/tools', sampleProduct)).json()._id
  const orderId: string = (await store.customer.request('POST', '/purchase', orderRequest(toolId, 2))).json()._id
  const { calls } = await readOpenApiDocument(store)
  const goodBody: Record<string, Record<string, unknown>> = {
    'POST /auth/sign-up/email': { name: 'Eve', email: 'eve@shop.example', password: testPassword },
    'POST /auth/sign-in/email': { email: store.customer.email, password: testPassword },
    'POST /auth/request-password-reset': { email: store.customer.email },
    'POST /auth/reset-password': { token: 'x', newPassword: testPassword },
    'POST /auth/verify-email': { token: 'x' },
    'POST /auth/sign-in/google': { from: '/home' },
    'POST /auth/sign-out': {},
    'PUT /user/{email}': { email: store.customer.email },
    'PUT /users/{email}': sampleProfile,
    'PUT /user/limits/{email}': { lifted: false },
    'PUT /reviews/{id}/hidden': { hidden: false },
    'POST /tools': sampleProduct,
    'PUT /tools/{id}': { price: 12, minimum_order_quantity: 1, available_quantity: 398, available_quantity_seen: 398 },
    'PUT /catalogue-definitions': { revision: 0, definitions: originalDefinitions },
    'POST /imports/{id}/run': { skipWrong: false },
    'POST /purchase': { ...orderRequest(toolId, 2), phone_number: '+44 20 7946 0018', buyerName: 'Ada', buyerEmail: 'ada@shop.example' },
    'POST /create-payment-intent': { productCost: 24, orderId },
    'PATCH /purchase/{id}': { pay: true, transectionId: 'pi_invented' },
    'POST /purchase/{id}/cancel': { reason: 'Ordered twice' },
    'POST /purchase/{id}/refund': { amountCents: 100, restock: 0, refundedCentsSeen: 0, reason: 'Scratched' },
    'POST /orders': { lines: [{ productId: toolId, quantity: 2 }], buyerAddress: '1 Road', country: 'DE', expectedTotalCents: 2400 },
    'POST /orders/{id}/cancel': { reason: 'Ordered twice' },
    'POST /orders/{id}/refunds': { lines: [{ _id: orderId, quantity: 1, restock: 0 }], refundedCentsSeen: 0, reason: 'Scratched' },
    'POST /orders/{id}/shipments': { lines: [{ _id: orderId, quantity: 1 }], carrier: 'DHL', trackingNumber: '00340434161094015902' },
    'PATCH /orders/{id}/shipments/{shipment}': { carrier: 'DHL', trackingNumber: '00340434161094015902' },
    'POST /orders/to-send/tracking-numbers': { file: '1001,00340434161094015902,DHL', carrier: 'DHL', run: true },
    'PUT /orders/{id}/shipments/{shipment}/delivered': { deliveredOn: '2026-11-24' },
    'POST /orders/{id}/withdrawal': { lines: [{ _id: orderId, quantity: 1 }], name: 'Ada', email: 'ada@shop.example' },
    'POST /orders/{id}/returns': { lines: [{ _id: orderId, quantity: 1, reason: 'other' }], note: 'The box was wet' },
    'PUT /returns/{id}/arrived': { lines: [{ _id: orderId, arrived: 1 }] },
    'POST /returns/{id}/decisions': {
      ...{
        decisions: [{ _id: orderId, quantity: 1, outcome: 'refused', restock: false, reason: 'Scratched' }],
        delivery: false,
        decidedSeen: 0,
      },
    },
    'POST /returns/{id}/shipments': { lines: [{ _id: orderId, quantity: 1 }], carrier: 'DHL', trackingNumber: '00340434161094015902' },
    'PUT /orders/{id}/held-back': { reason: 'The address looks made up' },
    'POST /customer-groups': { name: 'Dealers', percentOff: 5 },
    'PUT /customer-groups/{id}': { name: 'Dealers', percentOff: 5 },
    'PUT /users/{email}/customer-group': { groupId: null },
    'POST /buyer-prices': { sku: 'N-1', price: 5, email: store.customer.email },
    'POST /discount-codes': { code: 'SPRING', percentOff: 5, minimum: 10, startsOn: '2026-01-01', endsOn: '2999-01-01', maxUses: 5 },
    'POST /cart/lines': { productId: toolId, quantity: 2 },
    'PUT /cart/lines/{productId}': { quantity: 2 },
    'POST /cart/saved': { name: 'Spares' },
    'POST /cart/paste': { text: 'N-1 2' },
    'POST /orders/{id}/documents/corrections': {
      ...{ invoice: orderId, ...sampleCorrection, company: 'Engines', vatId: 'DE136695976', poNumber: '1', buyerReference: 'Lab' },
      ...{ line2: 'Floor 2', state: 'Berlin', lines: [{ _id: orderId, name: 'Pliers', partNumber: 'D-1' }] },
    },
    'PUT /seller': {
      ...{
        name: 'Nucleus Trading',
        country: 'DE',
        line1: '1 Road',
        line2: 'Floor 2',
        city: 'Berlin',
        postalCode: '10115',
        state: 'Berlin',
      },
      ...{
        vatId: 'DE136695976',
        taxNumber: '30/123/45678',
        registration: 'HRB 1',
        email: 'shop@shop.example',
        phone: '1',
        footer: 'Ada Byron',
      },
    },
    'PUT /payment-settings': samplePaymentSettings,
    'POST /orders/{id}/confirmed-email': { token: '0'.repeat(32) },
    'POST /bank-entries': sampleBankEntry,
    'POST /bank-entries/{id}/decision': {
      decision: 'assign',
      orders: [{ number: 1001, amountCents: 100 }],
      reason: 'Ada',
      leftCentsSeen: 100,
    },
    'POST /transfer-refunds/{id}/done': { doneOn: '2026-11-26' },
    'PUT /companies/{id}/credit': sampleCredit,
    'POST /orders/{id}/payments': sampleBooking,
    'POST /orders/{id}/paybacks': sampleBooking,
    'PUT /receivables/reminders': { daysAfterDue: 7 },
    'PUT /tax/settings': { country: 'US', state: 'CA', pricesIncludeTax: false },
    'POST /tax/rates': { country: 'US', state: 'CA', taxClass: 'standard', ratePpm: 72_500 },
    'POST /tax/rate-sets': { set: 'eu-vat', country: 'DE' },
    'PUT /delivery/settings': { timeZone: 'Europe/Berlin', unknownWeightGrams: 500 },
    'POST /delivery/zones': sampleZone,
    'PUT /delivery/zones/{id}': sampleZone,
    'POST /delivery/zones/{id}/methods': sampleMethod,
    'PUT /delivery/methods/{id}': sampleMethod,
    'POST /delivery/holidays': { day: '2026-12-25', name: 'Christmas' },
    'POST /cost-preview': { lines: [{ sku: 'N-1', quantity: 1 }], country: 'US', state: 'CA', postalCode: '94016', vatId: 'ATU13585627' },
    'POST /discount-codes/{id}/restore': { endsOn: '2999-01-01' },
    'POST /checkout': {
      ...{ name: 'Ada', phone: '+44 20 7946 0018', company: 'Engines', vatId: 'DE136695976', poNumber: '1', buyerReference: 'Lab' },
      deliverTo: { country: 'DE', line1: '1 Road', line2: 'Floor 2', city: 'Berlin', postalCode: '10115', state: 'Berlin' },
      billTo: { country: 'US', line1: '1 Road', city: 'Springfield', postalCode: '62701', state: 'IL' },
      partNumbers: [{ productId: toolId, partNumber: 'D-1' }],
      paymentMethod: 'card',
    },
    'POST /company': { name: 'Engines', vatId: 'DE136695976' },
    'PUT /company': { name: 'Engines', vatId: 'DE136695976' },
    'PUT /company/members/{id}': { role: 'manager' },
    'POST /company/invitations': { email: 'grace@shop.example' },
    'POST /company/addresses': sampleAddress,
    'PUT /company/addresses/{id}': sampleAddress,
    'POST /reviews': { name: 'Ada', img: '/ada.svg', about: 'Good', rating: 4.5 },
    'POST /products/{id}/reviews': { name: 'Ada', about: 'Good', rating: 4.5 },
  }
  const bodyOf = ({ method, path }: OpenApiOperation) => goodBody[`${method} ${path}`]
  const parametersOf = ({ path }: OpenApiOperation): Record<string, string> => ({
    email: store.customer.email,
    buyerEmail: store.customer.email,
    productId: toolId,
    token: '0'.repeat(32),
    day: '2026-12-25',
    shipment: orderId,
    id: /^\/(tools|products|compare)/.test(path) ? toolId : orderId,
  })
  return { store, calls, bodyOf, parametersOf, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** What a call answers that finds nothing by this parameter. */
function nothingFoundBy(name: string, path: string): unknown {
  if (name === 'email' && path.startsWith('/admin')) return { admin: false }
  if (path === '/orders') return { orders: [], next: null }
  return path.endsWith('/members') ? { members: [], hasMore: false } : []
}

const injections = [
  "'",
  '"',
  "' or '1'='1",
  "' or 1=1 --",
  "') or ('1'='1",
  "'; drop table users; --",
  "'; update users set role = 'admin'; --",
  "' union select email from users --",
  '1; delete from orders',
  "\\'; truncate tools cascade; --",
  '$1',
  '$$; drop table orders; $$',
  '%',
  "admin'/*",
  "x' || (select password from accounts limit 1) || '",
  "o'brien'--@shop.example",
  '"buyer_email"',
  'null',
]

test('F1 SQL in every parameter and field of every call is text: no failure, no effect, and it comes back as it went in', async (t) => {
  await using it = await aStoreWithGoodValues()
  const { store, calls, bodyOf, parametersOf } = it
  assert.deepEqual(
    calls.filter((call) => call.body && !bodyOf(call)).map(({ method, path }) => `${method} ${path}`),
    [],
    'there is a good body for every call that takes one',
  )
  const isOpen = ({ method, path }: OpenApiOperation) => !endpointFor(`${method} /api${path.replace(/{(\w+)}/g, ':$1')}`)?.schema.security
  const before = await snapshotBusinessTables(store.db)
  let [asked, stored] = [0, 0]

  const ask = async (
    call: OpenApiOperation,
    actor: Actor,
    values: Record<string, string>,
    headers: Record<string, string>,
    body: unknown,
  ) => {
    const answer = await actor.request(call.method, operationUrl(call, values), body, headers)
    asked++
    assert.ok(answer.statusCode < 500, `${call.method} ${operationUrl(call, values)} ${JSON.stringify(body)}: ${answer.body}`)
    assert.doesNotMatch(answer.body, /syntax error at|unterminated quoted|relation "|failed query/i)
    return answer
  }
  // In a sample nobody sends what every visitor is refused: a guard answers before it is read.
  for (const [nth, call] of calls.filter(({ path }) => path !== '/auth/sign-out').entries())
    for (const injection of isFullRun ? injections : injections.filter((_, of) => (nth + of) % 18 === 0))
      for (const actor of isFullRun || isOpen(call) ? [store.visitor, store.customer, store.admin] : [store.customer, store.admin]) {
        const values = parametersOf(call)
        for (const { name, in: where } of call.parameters) {
          const headers = where === 'header' ? { [name]: injection } : {}
          const refused = await ask(call, actor, where === 'header' ? values : { ...values, [name]: injection }, headers, bodyOf(call))
          const isSearch = ['/search', '/suggestions'].includes(call.path) || name === 'q' // may find what is similar
          if (call.method === 'GET' && refused.statusCode === 200 && where !== 'header' && !isSearch)
            assert.deepEqual(refused.json(), nothingFoundBy(name, call.path), 'finds nothing')
        }
        for (const field of Object.keys(call.body?.properties ?? {})) {
          const answer = await ask(call, actor, values, {}, { ...bodyOf(call), [field]: injection })
          const said: Record<string, unknown> = answer.statusCode === 201 ? answer.json() : {}
          if (typeof said[field] === 'string' && said[field] === injection) stored++
        }
      }

  const after = await snapshotBusinessTables(store.db)
  assert.deepEqual(Object.keys(after), Object.keys(before), 'every table is there')
  // Good orders were placed, paid for and cancelled among all this; links are forgotten when they are used.
  const moves = ['available_quantity', 'payment_id', 'order_status', 'payment_status', 'restocked', 'used_at', 'version']
  const asText = (row: unknown) => JSON.stringify(row, (name, value) => (moves.includes(name) ? undefined : value))
  const unlasting = ['verifications', 'kept_values'] // the version of the settings of tax and delivery is another after each change
  for (const [name, rows] of Object.entries(before).filter(([table]) => !unlasting.includes(table))) {
    const kept = new Set(after[name]?.map(asText))
    const lost = rows.filter((row) => !kept.has(asText(row)))
    assert.deepEqual(lost, [], `${name} has lost or changed a row`)
  }
  const admins = await store.db.select({ email: users.email }).from(users).where(eq(users.role, 'admin'))
  assert.deepEqual(admins, [{ email: store.admin.email }])
  assert.ok(stored > (isFullRun ? injections.length : 5), 'what may be stored is stored as it was said')
  t.diagnostic(`${asked} requests with ${injections.length} injections, ${stored} stored and given back as text`)
})

test('F1 SQL that is stored is text wherever it is used again', async () => {
  await using store = await anEmptyStore()
  for (const injection of injections.filter((text) => text.trim().length > 0)) {
    const buyer = store.newCustomer(`Buyer${injections.indexOf(injection)}`)
    await buyer.token()
    await store.db.update(users).set({ name: injection }).where(eq(users.email, buyer.email))
    await store.admin.request('POST', '/tools', { ...sampleProduct, name: injection })

    const { toolId: _, ...byName } = orderRequest('', 2)
    const placed = await buyer.request(
      'POST',
      '/purchase',
      { ...byName, productName: injection, buyerAddress: injection },
      { 'idempotency-key': injection },
    )
    assert.equal(placed.statusCode, 201, `${injection}: ${placed.body}`)
    const { productName, buyerName, buyerAddress } = placed.json()
    assert.deepEqual([productName, buyerName, buyerAddress], [injection, injection, injection])
    assert.equal((await buyer.request('GET', `/purchase?buyerEmail=${buyer.email}`)).json().length, 1)
  }
})

const addressesThatRun = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript://shop.example/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'vbscript:msgbox(1)',
  'blob:https://shop.example/x',
  'file:///etc/passwd',
  'http:javascript:alert(1)',
]
/** A picture is one of the store's own, or says openly where it comes from. */
const addressesElsewhere = ['//evil.example/x.png', '/\\evil.example/x.png', '\\\\evil.example\\x.png', 'http://evil.example/x.png']

test('F2 an address that runs, or leads away unseen, is refused in every field that becomes a picture or a link', async (t) => {
  await using it = await aStoreWithGoodValues()
  const { store } = it
  const fields = [
    [store.admin, 'POST', '/tools', 'img', sampleProduct],
    [store.customer, 'POST', '/reviews', 'img', { name: 'Ada', img: '/ada.svg', about: 'Good', rating: 4.5 }],
    [store.customer, 'PUT', `/users/${store.customer.email}`, 'picture', sampleProfile],
    [store.customer, 'PUT', `/users/${store.customer.email}`, 'linkedIn', sampleProfile],
  ] as const
  const before = await snapshotBusinessTables(store.db)
  for (const [actor, method, path, field, body] of fields)
    for (const address of field === 'linkedIn' ? addressesThatRun : [...addressesThatRun, ...addressesElsewhere]) {
      const answer = await actor.request(method, path, { ...body, [field]: address })
      assert.equal(answer.statusCode, 400, `${path} ${field} ${JSON.stringify(address)}: ${answer.body}`)
      assert.ok(answer.json().errors[field])
    }
  assert.deepEqual(await snapshotBusinessTables(store.db), before)
  t.diagnostic(`${addressesThatRun.length + addressesElsewhere.length} addresses in ${fields.length} fields`)
})

test('F2 a script that is stored comes back as JSON text, which no browser reads as a page', async () => {
  await using store = await anEmptyStore()
  const script = '</script><script>alert(1)</script><img src=x onerror=alert(1)>'
  const added = await store.admin.request('POST', '/tools', { ...sampleProduct, name: script, description: script })
  const posted = await store.customer.request('POST', '/reviews', { name: script, img: '/ada.svg', about: script, rating: 5 })
  assert.deepEqual([added.json().name, posted.json().about], [script, script])
  for (const answer of [
    added,
    posted,
    await store.visitor.request('GET', '/reviews'),
    await store.visitor.request('GET', `/tools/${added.json()._id}`),
    await store.visitor.request('GET', '/<script>alert(1)</script>'),
    await store.visitor.request('GET', `/purchase?buyerEmail=${encodeURIComponent(script)}`),
  ])
    assert.match(`${answer.headers['content-type']}`, /^application\/json/)
})

/** A store that listens. A sample of the proof does not wait as long as the store does: its patience is shortened. */
async function aListeningStore() {
  const impatient: HttpAppOptions = { serverFactory: (handler) => http.createServer({ connectionsCheckingInterval: 100 }, handler) }
  const store = await anEmptyStore({ cards: true, http: isFullRun ? {} : impatient, buyerLimits: 'off' })
  if (!isFullRun) Object.assign(store.app.server, { requestTimeout: 1000, headersTimeout: 1000 })
  const alive = async () => assert.equal((await fetch(`${store.origin}/api/reviews`)).status, 200)
  return { store, alive, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

/** How long the event loop was held up and how much memory was taken while this ran, as figures. */
async function calmly(work: () => Promise<unknown>): Promise<string> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const before = process.memoryUsage().rss
  delay.enable()
  await work()
  delay.disable()
  const megabytes = (process.memoryUsage().rss - before) / 1024 / 1024
  return `event loop held up ${(delay.percentile(99) / 1e6).toFixed(0)} ms (99 %), ${(delay.max / 1e6).toFixed(0)} ms at most, memory ${megabytes >= 0 ? '+' : ''}${megabytes.toFixed(0)} MB`
}

/** The status and body of a refusal, also where the store closes the connection before it has read everything. */
function post(origin: string, path: string, token: string, chunks: Iterable<Buffer | string>): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  const request = http.request(`${origin}${path}`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  })
  let answered = false
  request.on('response', async (answer) => {
    answered = true
    let body = ''
    try {
      for await (const chunk of answer) body += chunk
    } catch (error) {
      return reject(error)
    }
    resolve({ status: answer.statusCode ?? 0, body })
  })
  request.on('error', (error) => answered || reject(error))
  for (const chunk of chunks) request.write(chunk)
  request.end()
  return promise
}

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`
/** Bodies that would do harm, each made from a good one. */
const harmful: Record<string, (good: string) => string> = {
  '__proto__ at the top': (good) => good.replace('{', '{"__proto__":{"role":"admin","paid":true},'),
  '__proto__ inside': (good) => good.replace('{', '{"more":{"__proto__":{"role":"admin"}},'),
  '__proto__ in other writing': (good) => good.replace('{', '{"\\u005f_proto__":{"role":"admin"},'),
  'constructor.prototype': (good) => good.replace('{', '{"constructor":{"prototype":{"role":"admin"}},'),
  'arrays 10,000 deep': () => nested(10_000, '[', ']'),
  'objects 10,000 deep': () => nested(10_000, '{"a":', '}'),
  'arrays 10,000 deep in every field': (good) => good.replaceAll(/:("[^"]*"|[\d.]+)/g, () => `:${nested(10_000, '[', ']')}`),
  'arrays 100,000 deep': () => nested(100_000, '[', ']'),
  'numbers of 20,000 digits': (good) => good.replaceAll(/:("[^"]*"|[\d.]+)/g, `:${'9'.repeat(20_000)}`),
  '20,000 other fields': () => `{${Array.from({ length: 20_000 }, (_, nth) => `"f${nth}":1`).join()}}`,
}

test('F3 a body that would reach into all objects, or is 10,000 levels deep, is refused, and the store stays calm', async (t) => {
  await using it = await aListeningStore()
  const { store } = it
  const { _id }: { _id: string } = (await store.admin.request('POST', '/tools', sampleProduct)).json()
  const doors = [
    ['/api/reviews', await store.customer.token(), { name: 'Ada', img: '/ada.svg', about: 'Good', rating: 4.5 }],
    ['/api/purchase', await store.customer.token(), orderRequest(_id, 1)],
    ['/api/tools', await store.admin.token(), sampleProduct],
    ['/api/auth/sign-in/email', '', { email: store.customer.email, password: testPassword }],
  ] as const
  await store.emailsTo(store.customer.email) // what the registration leads to has been written down
  const before = await snapshotBusinessTables(store.db)
  const rounds = sampleSize(1, 50)
  const figures = await calmly(async () => {
    for (let round = 0; round < rounds; round++)
      for (const [what, harm] of Object.entries(harmful))
        for (const [path, token = '', good] of doors) {
          const answer = await post(store.origin, path, token, [harm(JSON.stringify(good))])
          assert.equal(answer.status, 400, `${path} ${what}: ${answer.body.slice(0, 200)}`)
        }
  })
  assert.equal('role' in {}, false)
  assert.deepEqual(await snapshotBusinessTables(store.db), before)
  await it.alive()
  t.diagnostic(`${rounds * Object.keys(harmful).length * doors.length} bodies, ${figures}`)
})

/** Texts at which a pattern may look again from each of their characters. */
const longTexts: Record<string, (length: number) => string> = {
  letters: (length) => 'a'.repeat(length),
  'letters of other alphabets': (length) => 'ж'.repeat(length),
  digits: (length) => '1'.repeat(length),
  'digits and a letter': (length) => `${'1'.repeat(length)}x`,
  hyphens: (length) => '-'.repeat(length),
  spaces: (length) => `x${' '.repeat(length)}x`,
  dots: (length) => 'a.'.repeat(length / 2),
  'a web address': (length) => `https://${'a'.repeat(length)}`,
  'a web address of other letters': (length) => `https://${'ж'.repeat(length)}.example`,
  'an e-mail': (length) => `${'a'.repeat(length)}@shop.example`,
  'an e-mail without end': (length) => `a@${'a.'.repeat(length / 2)}`,
}

/** Tells of each field whether its type came before: then a sample has measured it. Checks of a whole body read every field of it. */
function createSampler(): (object: z.ZodObject, field: string) => boolean {
  const measured = new Set<unknown>()
  return (object, field) => {
    const type = object.shape[field] ?? object.def.catchall
    const isNew = isFullRun || Boolean(object.def.checks?.length) || !measured.has(type)
    measured.add(type)
    return isNew
  }
}

test('F3 a text of 256 KB in any field of any call is read in work that grows with its length, and no faster', (t) => {
  const isMeasured = createSampler()
  const fields = endpoints.flatMap(({ method, url, schema }) =>
    [schema.params, schema.querystring, schema.headers, schema.body].flatMap((part) => {
      const object = part instanceof z.ZodOptional ? part.unwrap() : part
      if (!object) return []
      assert.ok(object instanceof z.ZodObject, `${method} ${url}`)
      const names = Object.keys({ ...object.shape, 'spec.any': '' }).filter((name) => isMeasured(object, name))
      return names.map((name) => ({
        where: `${name} of ${method} ${url}`,
        name,
        schema: object,
      }))
    }),
  )
  const took = (schema: z.ZodType, name: string, text: string) => {
    const begun = performance.now()
    schema.safeParse({ [name]: text })
    return performance.now() - begun
  }
  /** The fastest of several counts. One parse of a short text takes less than the clock tells apart, so it counts as half a millisecond at least. */
  const isLinear = ({ schema, name }: (typeof fields)[number], text: (length: number) => string, length: number) => {
    let [short, long] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let times = 0; times < 10; times++) {
      short = Math.min(short, took(schema, name, text(length)))
      long = Math.min(long, took(schema, name, text(16 * length)))
      if (long < 100 * Math.max(short, 0.5)) return true
    }
    return false
  }
  // 32,000 characters first, so that a pattern that needs their square is told within seconds
  for (const length of [2 * 1024, 16 * 1024])
    for (const field of isFullRun || length < 16 * 1024 ? fields : fields.filter((_, nth) => nth % 8 === 0))
      for (const [what, text] of Object.entries(longTexts))
        assert.ok(
          isLinear(field, text, length),
          `${field.where}: ${16 * length} characters of ${what} take more than 100 times a 16th of them`,
        )
  t.diagnostic(`${fields.length} fields, ${Object.keys(longTexts).length} texts in each`)
})

test('F3 what stands in a field that the store ignores changes nothing, however deep it is', async () => {
  await using it = await aListeningStore()
  const { store } = it
  const { _id }: { _id: string } = (await store.admin.request('POST', '/tools', sampleProduct)).json()
  const customer = (await store.customer.token()) ?? ''
  const deep = nested(120_000, '[', ']')
  const send = async (method: string, path: string, body: object, ignored: string[]) => {
    const json = JSON.stringify(body).replace('{', `{${ignored.map((name) => `"${name}":${deep}`).join()},`)
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${customer}`, 'idempotency-key': 'deep' }
    const answer = await fetch(`${store.origin}/api${path}`, { method, headers, body: json })
    return { status: answer.status, said: await answer.json() }
  }
  const order = orderRequest(_id, 1)
  const placed = await send('POST', '/purchase', order, ['buyerName'])
  assert.deepEqual([placed.status, placed.said.buyerName], [201, store.customer.name])
  const again = await send('POST', '/purchase', order, ['buyerEmail'])
  assert.deepEqual(again, placed, 'the same request: what is ignored is no difference')
  const profile = await send('PUT', `/users/${store.customer.email}`, sampleProfile, ['name'])
  assert.deepEqual([profile.status, profile.said.name], [200, store.customer.name])
  const paid = await send('PATCH', `/purchase/${placed.said._id}`, { transectionId: 'pi_invented' }, ['pay'])
  assert.ok(paid.status >= 400 && paid.status < 500, `${paid.status} ${JSON.stringify(paid.said)}`)
  await it.alive()
})

test('F3 bodies of 10 MB, many at once, are refused without being kept', async (t) => {
  await using it = await aListeningStore()
  const { store } = it
  const token = (await store.customer.token()) ?? ''
  const piece = Buffer.alloc(64 * 1024, 'x')
  function* tenMegabytes() {
    yield '{"name":"'
    for (let sent = 0; sent < 10 * 1024 * 1024; sent += piece.length) yield piece
    yield '"}'
  }
  const many = sampleSize(4, 100)
  const figures = await calmly(async () => {
    for (let nth = 0; nth < many; nth += 4) {
      const answers = await Promise.all([0, 1, 2, 3].map(() => post(store.origin, '/api/reviews', token, tenMegabytes())))
      for (const { status, body } of answers)
        assert.deepEqual([status, JSON.parse(body)], [413, { message: 'The body is too large', code: 'body_too_large' }])
      await it.alive()
    }
  })
  t.diagnostic(`${many} bodies, ${figures}`)
})

test('F3 whoever sends a body or headers too slowly is told so and let go, and others are served meanwhile', async (t) => {
  await using it = await aListeningStore()
  const { store } = it
  assert.equal(createHttpApp().server.requestTimeout, 30_000)
  const patienceMs = store.app.server.requestTimeout
  const token = await store.customer.token()
  const head = `POST /api/reviews HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
  const many = sampleSize(20, 200)
  const slow = (first: string) => {
    const socket = net.connect(Number(new URL(store.origin).port), '127.0.0.1')
    socket.write(first)
    const drip = setInterval(() => socket.write(' '), patienceMs / 10)
    return new Promise<string>((resolve) => {
      let said = ''
      socket.on('data', (chunk) => {
        said += chunk
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        clearInterval(drip)
        resolve(said)
      })
    })
  }
  const waiting = Array.from({ length: many }, (_, nth) =>
    slow(nth % 2 ? `${head}Content-Length: 1000\r\n\r\n{"name":` : `${head}X-Slow: `),
  )
  const figures = await calmly(async () => {
    await it.alive()
    for (const said of await Promise.all(waiting)) {
      const [top = '', body = ''] = said.split('\r\n\r\n')
      assert.match(top, /^HTTP\/1\.1 408 /)
      assert.deepEqual(JSON.parse(body), { message: 'The request came too slowly', code: 'request_timeout' })
    }
  })
  await it.alive()
  t.diagnostic(`${many} slow senders, ${figures}`)
})

test('F3 what is no HTTP, or has headers without end, is refused in the one shape', async () => {
  await using it = await aListeningStore()
  const send = (words: string) =>
    new Promise<string>((resolve) => {
      const socket = net.connect(Number(new URL(it.store.origin).port), '127.0.0.1', () => socket.write(words))
      let said = ''
      socket.on('data', (chunk) => {
        said += chunk
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(said))
    })
  for (const [words, status, message] of [
    ['GET / HTTP/9.9\r\n\r\n', 400, 'This is not a request'],
    ['\u0000\u0001\u0002 nothing\r\n\r\n', 400, 'This is not a request'],
    [
      'POST /api/reviews HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'This is not a request',
    ],
    [`GET /api/reviews HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`, 431, 'The headers of the request are too large'],
  ] as const) {
    const [top = '', body = ''] = (await send(words)).split('\r\n\r\n')
    assert.match(top, new RegExp(`^HTTP/1\\.1 ${status} `), words.slice(0, 40))
    assert.deepEqual(JSON.parse(body), { message, code: status === 431 ? 'headers_too_large' : 'invalid_request' })
  }
  await it.alive()
})
