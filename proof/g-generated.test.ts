import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { users } from '#store/identity/table.ts'
import { documentsOf, setUpSeller } from '#test/document-actions.ts'
import { placePaidOrder, sandboxControls, waitForWebhooks } from '#test/order-actions.ts'
import { anEmptyStore, testPassword } from '#test/store.ts'
import { orderRequest, sampleAddress, sampleCorrection, sampleMethod, sampleProduct, sampleZone } from './access-matrix.ts'
import { arbitraryRequests, type GeneratedRequest, type KnownValues } from './arbitrary-requests.ts'
import { forgetRateLimits } from './forget-rate-limits.ts'
import { isFullRun, sampleSize } from './full-run.ts'
import { createMockIssuer } from './mock-oidc-issuer.ts'
import { type JsonSchema, type OpenApiOperation, readOpenApiDocument } from './openapi-document.ts'

const seed = 20_261_121
const documentFiles = ['pdf', 'xml'].map((suffix) => `GET /orders/{id}/documents/{document}/${suffix}`)
const correctionFields = Object.entries({ ...sampleCorrection, vatId: '', state: '', line2: '' })

test('G1 requests made from the OpenAPI document, good and broken, by three roles: no failure, and every answer fits the document', async (t) => {
  await using opened = new AsyncDisposableStack()
  const issuer = opened.use(await createMockIssuer())
  await issuer.start()
  const store = opened.use(await anEmptyStore({ cards: true, google: issuer.google, buyerLimits: 'off' }))
  const toolIds: string[] = []
  for (const name of ['Pliers', 'Pliers', 'Saw', 'Level', 'Clamp'])
    toolIds.push((await store.admin.request('POST', '/tools', { ...sampleProduct, name })).json()._id)
  const orderIds: string[] = []
  for (const pieces of [1, 2, 3, 4])
    orderIds.push((await store.customer.request('POST', '/purchase', orderRequest(toolIds[0] ?? '', pieces))).json()._id)
  const intents: string[] = []
  for (const [nth, orderId] of orderIds.slice(0, 2).entries()) {
    const { clientSecret } = (
      await store.customer.request('POST', '/create-payment-intent', { orderId, productCost: 12 * (nth + 1) })
    ).json()
    intents.push(`${clientSecret}`.split('_secret_')[0] ?? '')
  }
  // What can be given back, and what went wrong after it was paid.
  for (const card of [...Array(sampleSize(2, 6)).fill('pm_card_visa'), ...Array(sampleSize(1, 4)).fill('pm_card_createDispute')])
    orderIds.push((await placePaidOrder(store, { toolId: toolIds[1], dollars: 12, card })).order._id)
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
  const said = { name: 'Bob', img: '/bob.svg', about: 'Good pliers', rating: 5 }
  const made = async (path: string, body: object) => (await store.admin.request('POST', path, body)).json()
  const groups = [
    await made('/customer-groups', { name: 'Trade', percentOff: 5 }),
    await made('/customer-groups', { name: 'Schools', percentOff: 7 }),
  ]
  const groupIds = groups.map(({ _id }) => _id)
  const skus: string[] = []
  for (const toolId of toolIds) skus.push((await store.visitor.request('GET', `/products/${toolId}`)).json().part.sku)
  const priceIds: string[] = []
  for (const sku of skus) priceIds.push((await made('/buyer-prices', { sku, price: 11, groupId: groupIds[0] }))._id)
  const codeIds: string[] = []
  for (const code of ['TEN', 'TWENTY', 'THIRTY']) codeIds.push((await made('/discount-codes', { code, percentOff: 10 }))._id)
  const rateIds: string[] = []
  for (const country of ['DE', 'AT', 'FR']) rateIds.push((await made('/tax/rates', { country, taxClass: 'standard', ratePpm: 1 }))._id)
  const [zoneIds, methodIds]: [string[], string[]] = [[], []]
  for (const name of ['North', 'South', 'West']) zoneIds.push((await made('/delivery/zones', { ...sampleZone, name }))._id)
  for (const zoneId of zoneIds) methodIds.push((await made(`/delivery/zones/${zoneId}/methods`, sampleMethod))._id)
  await made('/delivery/holidays', { day: '2026-12-25', name: 'Christmas' })
  await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, store.customer.email))
  const ofCustomer = async (path: string, body: object) => (await store.customer.request('POST', path, body)).json()
  await ofCustomer('/company', { name: 'Engines' })
  const memberIds = (await store.customer.request('GET', '/company/members')).json().members.map(({ _id }: { _id: string }) => _id)
  const [invitationIds, addressIds]: [string[], string[]] = [[], []]
  for (const email of ['ivy', 'joe']) invitationIds.push((await ofCustomer('/company/invitations', { email: `${email}@shop.example` }))._id)
  for (const label of ['North', 'South', 'West']) addressIds.push((await ofCustomer('/company/addresses', { ...sampleAddress, label }))._id)
  const paidIds = orderIds.slice(4, 6)
  await setUpSeller(store)
  const invoices = (await Promise.all(paidIds.map((_id) => documentsOf(store, store.admin, { _id })))).flat()
  const toSendIds = orderIds.slice(6, 8)
  const sent = [orderIds[5], orderIds.at(9) ?? orderIds[4]]
  const shipmentIds: string[] = []
  for (const id of sent) shipmentIds.push((await made(`/orders/${id}/shipments`, { lines: [{ _id: id, quantity: 1 }] }))._id)
  await store.customer.request('POST', '/cart/lines', { productId: toolIds[0], quantity: 2 })
  const sharedToken = (await store.customer.request('POST', '/cart/share')).json().token
  const review = await store.otherCustomer.request('POST', '/reviews', said)
  const { calls, components } = await readOpenApiDocument(store)

  const emails = [store.customer.email, store.customer.email, store.otherCustomer.email, store.admin.email, 'nobody@shop.example']
  const known: KnownValues = {
    email: emails,
    buyerEmail: emails,
    password: [testPassword],
    'id of tools': [...toolIds, orderIds[0]],
    'id of purchase': [...orderIds, toolIds[0]],
    'id of reviews': [review.json()._id, toolIds[0]],
    id: [...toolIds, ...orderIds],
    toolId: toolIds,
    orderId: orderIds,
    'id of orders': [...orderIds, toolIds[0]],
    'id of POST /orders/{id}/refunds': paidIds,
    'lines of POST /orders/{id}/refunds': paidIds.map((_id) => [{ _id, quantity: 1 }]),
    ...Object.fromEntries(
      ['GET /orders/{id}/documents/corrections', 'POST /orders/{id}/documents/corrections', ...documentFiles].map((call) => [
        `id of ${call}`,
        paidIds,
      ]),
    ),
    ...{ document: invoices.map(({ _id }) => _id), invoice: invoices.map(({ _id }) => _id), month: [invoices[0]?.issuedOn.slice(0, 7)] },
    ...Object.fromEntries(correctionFields.map(([field, value]) => [`${field} of POST /orders/{id}/documents/corrections`, [value]])),
    'id of POST /orders/{id}/shipments': toSendIds,
    'lines of POST /orders/{id}/shipments': toSendIds.map((_id) => [{ _id, quantity: 1 }]),
    'carrier of POST /orders/{id}/shipments': ['DHL', 'other'],
    'trackingNumber of POST /orders/{id}/shipments': ['1Z999AA10123456784'],
    'id of PATCH /orders/{id}/shipments/{shipment}': [sent[0]],
    'shipment of PATCH /orders/{id}/shipments/{shipment}': [shipmentIds[0]],
    'id of DELETE /orders/{id}/shipments/{shipment}': [sent[1]],
    'shipment of DELETE /orders/{id}/shipments/{shipment}': [shipmentIds[1]],
    'file of POST /orders/to-send/tracking-numbers': ['1001,1Z999AA10123456784,UPS', 'order;tracking\n1,2'],
    shipment: toSendIds,
    deliveredOn: ['2026-11-24'],
    'id of PUT /orders/{id}/held-back': [orderIds.at(8) ?? orderIds.at(6)],
    'lines of POST /orders': toolIds.map((productId) => [{ productId, quantity: 1 }]),
    'id of customer-groups': groupIds,
    'id of buyer-prices': priceIds,
    'id of discount-codes': codeIds,
    'id of tax': rateIds,
    'id of delivery': zoneIds,
    ...Object.fromEntries(['PUT', 'DELETE'].map((method) => [`id of ${method} /delivery/methods/{id}`, methodIds])),
    'lines of POST /cost-preview': skus.map((sku) => [{ sku, quantity: 1 }]),
    set: ['eu-vat', 'us-sales-tax'],
    ...Object.fromEntries(['PUT /tax/settings', 'POST /tax/rates', 'POST /cost-preview'].map((call) => [`state of ${call}`, [null, 'CA']])),
    timeZone: ['Europe/Berlin', 'UTC'],
    ratePpm: [190_000, '0'],
    ...{ countries: [['DE'], ['AT']], states: [[], ['BY']], postalPrefixes: [[], ['80']] },
    ...{ assumedDeliveryDays: [7], assumedDeliveryDaysAbroad: ['21'], withdrawalEverywhere: [false, true] },
    ...{ unknownWeightGrams: [null, 500], steps: [[{ upTo: 2000, priceCents: 490 }], [{ upTo: null, priceCents: 0 }]] },
    ...{ freeFromCents: [null, 5000], daysFrom: [0, 1], daysTo: [1, '2'], handlingDays: [0], cutOff: [null, '14:00'] },
    ...{ notForCategories: [[], ['monitor']], carrier: [null, 'DHL'], postalCode: [null, '80331'], vatId: [null, 'ATU13585627'] },
    day: ['2026-12-25', '2027-01-01'],
    ...Object.fromEntries(['PUT', 'DELETE'].map((method) => [`id of ${method} /company/members/{id}`, memberIds])),
    ...Object.fromEntries(['PUT', 'DELETE'].map((method) => [`id of ${method} /company/addresses/{id}`, addressIds])),
    'id of DELETE /company/invitations/{id}': invitationIds,
    ...Object.fromEntries(['POST', 'PUT'].map((method) => [`vatId of ${method} /company`, ['', 'DE136695976']])),
    ...{ line1: ['1 Road'], city: ['Berlin'], forDelivery: [true], forInvoice: [true, false] },
    groupId: groupIds,
    ...{ holder: ['Nucleus Trading'], iban: ['', 'DE89370400440532013000'], bic: ['', 'COBADEFFXXX'], holdDays: [7, '14'] },
    ...{ card: [true], bookedOn: ['2025-11-24'], bankReference: ['B-1', 'B-2'], payerIban: ['', 'DE02120300000000202051'] },
    sku: skus,
    code: ['SUMMER', 'WINTER', 'SPRING'],
    discountCode: ['TEN', 'TWENTY'],
    percentOff: [5, 10],
    amountOff: [1, 2.5],
    minimum: [0, 20],
    startsOn: ['2030-01-01'],
    endsOn: ['2031-01-01'],
    maxUses: [1, 100],
    order_multiple: [1, '1'],
    price_breaks: [[], [{ min_quantity: 10, price: 0.05 }]],
    productId: toolIds,
    quantity: [1, 2, '3'],
    text: skus.map((sku) => `${sku} 2`),
    'token of withdrawals': ['0'.repeat(64)],
    'lines of POST /orders/{id}/withdrawal': toSendIds.map((_id) => [{ _id, quantity: 1 }]),
    'token of cart': [sharedToken, '0'.repeat(32)],
    _id: orderIds,
    country: ['DE', 'us'],
    deliverTo: [{ country: 'DE', line1: '1 Road', city: 'Berlin', postalCode: '10115' }],
    billTo: [{ country: 'US', line1: '1 Road', city: 'Springfield', postalCode: '62701', state: 'IL' }],
    postalCode: ['10115'],
    vatId: ['DE136695976'],
    partNumbers: toolIds.map((productId) => [{ productId, partNumber: 'D-1' }]),
    expectedTotalCents: [1200, 2400],
    cursor: ['1005', '1200.1003'],
    transectionId: intents,
    price: [1, 12, '25', 12.35, '0.05'],
    minimum_order_quantity: [1, '10'],
    available_quantity: [40, '100'],
    available_quantity_seen: [40],
    productName: ['Pliers', 'Saw'],
    productCost: [12, 24, 36, '24'],
    amountCents: [100, '200'],
    restock: [0],
    refundedCentsSeen: [0],
    productQuantity: [1, 2, 3, '2'],
    img: ['/drawings/pliers.svg', 'https://pictures.example/x.png'],
    picture: ['/ada.svg'],
    phone: ['+44 20 7946'],
    phone_number: ['+44 20 7946 0018'],
    linkedIn: ['linkedin.com/in/ada'],
    from: ['/home', '//evil.example'],
    'from of GET /bookings/page': ['2026-01-01'],
    'to of GET /bookings/page': ['2027-01-01'],
    'idempotency-key': ['one', 'two'],
  }
  const answers = validators(calls, components)

  /** The three callers stay who they are, whatever a request has just done to them. */
  const tokens: (string | undefined)[] = [undefined, await store.customer.token(), await store.admin.token()]
  async function restore() {
    await store.db.update(users).set({ role: 'customer', removedAt: null }).where(eq(users.email, store.customer.email))
    for (const [role, { email }] of [[1, store.customer] as const, [2, store.admin] as const]) {
      const alive = await store.visitor.request('GET', `/user/${email}`, undefined, { authorization: `Bearer ${tokens[role]}` })
      if (alive.statusCode === 200) continue
      await forgetRateLimits(store.db)
      tokens[role] = (await store.visitor.request('POST', '/auth/sign-in/email', { email, password: testPassword })).json().token
    }
  }
  const endsSession = ['POST /auth/sign-out', 'DELETE /user/{email}', 'PUT /user/admin/{email}']

  const came = new Map<string, number>()
  // What ends something goes last, else nothing would be left to change.
  const last = [
    'POST /purchase/{id}/cancel',
    'POST /orders/{id}/cancel',
    'DELETE /buyer-prices/{id}',
    'DELETE /tax/rates/{id}',
    'DELETE /delivery/methods/{id}',
    'DELETE /delivery/zones/{id}',
    'DELETE /delivery/holidays/{day}',
    'DELETE /customer-groups/{id}',
    'DELETE /company/invitations/{id}',
    'DELETE /company/addresses/{id}',
    'DELETE /company/members/{id}',
    'DELETE /tools/{id}',
    'PUT /tools/restored/{id}',
    'DELETE /user/{email}',
    'PUT /user/restored/{email}',
  ]
  const rank = ({ operation }: GeneratedRequest) => last.indexOf(`${operation.method} ${operation.path}`)
  const asked = fc
    .sample(arbitraryRequests(calls, known, tokens.length), { seed, numRuns: sampleSize(50, 10_000) })
    .sort((one, other) => rank(one) - rank(other))
  for (const [nth, { operation, path, headers, body, role }] of asked.entries()) {
    if (nth % 20 === 0) await forgetRateLimits(store.db) // else most of it would be refused for coming too often
    const token = tokens[role]
    const answer = await store.visitor.request(operation.method, path, body, {
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
    })

    const name = `${operation.method} ${operation.path}`
    const what = `${nth}: ${operation.method} ${path} ${JSON.stringify(headers)} ${body?.slice(0, 500)} by ${role}: ${answer.statusCode} ${answer.body.slice(0, 500)}`
    assert.ok(answer.statusCode < 500, what)
    const fits = answers(`${name} ${answer.statusCode}`) ?? (answer.statusCode >= 400 ? answers(`${name} default`) : undefined)
    assert.ok(fits, `an answer that the document does not name: ${what}`)
    const isJson = `${answer.headers['content-type']}`.startsWith('application/json')
    assert.ok(fits(isJson ? answer.json() : answer.body), `${what}: ${JSON.stringify(fits.errors)}`)

    came.set(`${answer.statusCode}`, (came.get(`${answer.statusCode}`) ?? 0) + 1)
    if (answer.statusCode < 300) came.set(name, (came.get(name) ?? 0) + 1)
    if (answer.statusCode < 300 && endsSession.includes(name)) await restore()
  }

  const neverWorked = calls.map(({ method, path }) => `${method} ${path}`).filter((name) => !came.has(name))
  // These want a token that nobody can make up, a card or a transfer that has paid, or a file.
  const files = ['GET /imports/{id}', 'POST /imports', 'POST /imports/{id}/run', 'POST /bank-statements']
  const transfers = ['POST /orders/{id}/confirmed-email', 'POST /bank-entries/{id}/decision', 'POST /transfer-refunds/{id}/done']
  const invitations = ['GET /company-invitations/{token}', 'POST /company-invitations/{token}']
  const dataOfCountries = documentFiles.slice(1) // these orders name no country
  const cannotWork = [
    ...files,
    ...dataOfCountries,
    ...transfers,
    ...invitations,
    'PATCH /purchase/{id}',
    'POST /auth/reset-password',
    'POST /auth/verify-email',
  ]
  if (isFullRun) assert.deepEqual(neverWorked.sort(), cannotWork.sort(), 'every other call was also asked as it wants to be asked')
  const statuses = [...came].filter(([name]) => /^\d+$/.test(name)).sort()
  t.diagnostic(
    `${asked.length} requests (seed ${seed}): ${statuses.map(([status, times]) => `${times} x ${status}`).join(', ')}; ${calls.length - neverWorked.length} of ${calls.length} calls also did what they are for`,
  )
})

/** The document's schema of the answer `METHOD path status`, ready to check with; each is made when it is first asked for. */
function validators(calls: OpenApiOperation[], components: object): (answer: string) => ValidateFunction | undefined {
  const ajv = new Ajv2020({ strict: false, validateFormats: false }) // every format of the document has its pattern beside it
  const schemas = new Map<string, JsonSchema>(
    calls.flatMap(({ method, path, responses }) =>
      Object.entries(responses).map(([status, schema]) => [`${method} ${path} ${status}`, schema] as const),
    ),
  )
  const compiled = new Map<string, ValidateFunction>()
  return (answer) => {
    const schema = schemas.get(answer)
    if (!schema) return undefined
    const known = compiled.get(answer) ?? ajv.compile({ ...schema, components })
    compiled.set(answer, known)
    return known
  }
}
