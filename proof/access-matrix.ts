/*
 * Who may ask what: every route of the store, the hidden ones too, knocked at by everybody. A route that is not in this table fails the
 * proof, and so does a row without a route: nobody adds a door without saying who may come in.
 */

/** Everybody who may knock, in the order of `statuses`. */
export const callers = [
  'nobody',
  'customer',
  'other customer',
  'admin',
  'removed user',
  'expired',
  'signed out',
  'garbage token',
  'guest', // who has the link of another order
  'expired link',
  'made-up link',
] as const
export type Caller = (typeof callers)[number]

/** What is in the store: a product, and an unpaid order of it by the customer. */
export type AccessFixture = { toolId: string; orderId: string; email: string; owner: string; leaving: string; promoted: string }
type Row = {
  /** what is asked for, when it is more than the route's own address */
  path?: (given: AccessFixture) => string
  body?: (given: AccessFixture, nth: number) => unknown
  statuses: Record<Caller, number>
}

const sameForAllCallers = (status: number): Row['statuses'] => ({
  nobody: status,
  customer: status,
  'other customer': status,
  admin: status,
  'removed user': status,
  expired: status,
  'signed out': status,
  'garbage token': status,
  guest: status,
  'expired link': status,
  'made-up link': status,
})
/** For who holds a live token; all others have to sign in first. */
const signedInOnly = (customer: number, otherCustomer: number, admin: number): Row['statuses'] => ({
  ...sameForAllCallers(401),
  customer,
  'other customer': otherCustomer,
  admin,
})
/** For who holds a live token or the live link of an order, which shows no other. */
const forBuyers = (customer: number, otherCustomer: number, admin: number): Row['statuses'] => ({
  ...signedInOnly(customer, otherCustomer, admin),
  guest: 404,
})
/** For everybody who sends a live token or none; a token without a session is refused. */
const withoutDeadToken = (status: number, others: Partial<Row['statuses']> = {}): Row['statuses'] => ({
  ...signedInOnly(status, status, status),
  nobody: status,
  ...others,
})
const ownerAndAdmin = signedInOnly(200, 403, 200)
const adminsOnly = signedInOnly(403, 403, 200)

/** The file of a document that is not there: `store/orders/documents/documents.test.ts` asks for those that are. */
const noId = '00000000-0000-4000-8000-000000000000'
const ofNoReturn = (what: string) => () => `/api/returns/${noId}/${what}`
const ofNoDocument =
  (suffix: string) =>
  ({ orderId }: AccessFixture) =>
    `/api/orders/${orderId}/documents/${orderId}/${suffix}`
const ofNoShipment = ({ orderId }: AccessFixture) => `/api/orders/${orderId}/shipments/${orderId}`
const sampleSeller = {
  ...{ name: 'Nucleus Trading', country: 'DE', line1: '1 Road', city: 'Berlin', postalCode: '10115' },
  ...{ vatId: 'DE136695976', email: 'shop@shop.example' },
}

export const sampleCorrection = {
  ...{ name: 'Ada Byron', country: 'DE', line1: '2 Road', city: 'Berlin', postalCode: '10115', reason: 'Moved' },
  lines: [],
}

export const samplePaymentSettings = {
  ...{ card: true, bankTransfer: true, onAccount: false, holdDays: 7 },
  ...{ holder: 'Nucleus Trading', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', bankName: 'Commerzbank' },
}

export const sampleBankEntry = {
  ...{ bookedOn: '2025-11-24', amountCents: 100, payerName: 'Ada Byron', payerIban: 'DE02120300000000202051' },
  ...{ text: 'Order 1', bankReference: 'B-1' },
}
export const sampleCredit = { limitCents: 100_000, dueDays: 30, note: 'Known for years' }
export const sampleBooking = { amountCents: 100, on: '2026-01-15', note: 'Entry 7' }

export const sampleZone = { name: 'Germany', countries: ['DE'], states: ['BY'], postalPrefixes: ['80'] }
export const sampleMethod = {
  ...{ name: 'Parcel', carrier: 'DHL', pricedBy: 'weight', steps: [{ upTo: 2000, priceCents: 490 }], freeFromCents: 10_000 },
  ...{ daysFrom: 1, daysTo: 2, cutOff: '14:00', handlingDays: 0, notForCategories: ['monitor'] },
}

export const sampleAddress = {
  ...{ label: 'Warehouse', forDelivery: true, forInvoice: false },
  ...{ country: 'DE', line1: '1 Road', city: 'Berlin', postalCode: '10115' },
}

export const sampleProduct = {
  name: 'Pliers',
  img: '/drawings/pliers.svg',
  description: 'Grips.',
  price: 12,
  minimum_order_quantity: 1,
  available_quantity: 400,
}
export const sampleProfile = {
  picture: '/ada.svg',
  education: 'Mathematics',
  location: 'London',
  phone: '+44 20 7946',
  linkedIn: 'linkedin.com/in/ada',
}
export const orderRequest = (toolId: string, productQuantity: number) => ({
  toolId,
  productName: sampleProduct.name,
  productQuantity,
  productCost: sampleProduct.price * productQuantity,
  buyerAddress: '1 Road',
})
const password = 'correct horse battery'

/** In the order in which they are knocked at: what ends something comes last. */
export const accessMatrix: Record<string, Row> = {
  'GET /healthz': { statuses: sameForAllCallers(200) },
  'GET /readyz': { statuses: sameForAllCallers(200) },
  'GET /*': { path: () => '/home', statuses: sameForAllCallers(200) },
  'GET /robots.txt': { statuses: sameForAllCallers(200) },
  'GET /sitemap.xml': { statuses: sameForAllCallers(200) },
  'GET /sitemap-:part(^\\d{1,6}$).xml': { path: () => '/sitemap-1.xml', statuses: sameForAllCallers(200) },
  'GET /drawings/:id(^[0-9a-f-]{36}$).svg': { path: ({ toolId }) => `/drawings/${toolId}.svg`, statuses: sameForAllCallers(302) }, // the sample is of no kind
  'GET /outbox': { statuses: sameForAllCallers(403) }, // everybody here sits at the machine, and nobody has the key that the start printed
  'GET /outbox/geist.woff2': { statuses: sameForAllCallers(403) },
  'GET /outbox/:file': { path: () => '/outbox/none.eml', statuses: sameForAllCallers(403) },
  'GET /outbox/:file/attachments/:nth': { path: () => '/outbox/none.eml/attachments/0', statuses: sameForAllCallers(403) },
  'GET /outbox/:file/html': { path: () => '/outbox/none.eml/html', statuses: sameForAllCallers(403) },
  'GET /api/openapi.json': { statuses: sameForAllCallers(200) },
  'GET /api/docs': { statuses: sameForAllCallers(200) },
  'GET /api/docs/swagger-ui.css': { statuses: sameForAllCallers(200) },
  'GET /api/docs/swagger-ui-bundle.js': { statuses: sameForAllCallers(200) },
  'POST /webhooks/stripe': { body: () => ({ type: 'payment_intent.succeeded' }), statuses: sameForAllCallers(400) },
  'GET /api/auth/callback/google': { statuses: sameForAllCallers(302) },

  'POST /api/auth/sign-up/email': {
    body: (_, nth) => ({ name: 'Eve', email: `eve${nth}@shop.example`, password }),
    statuses: sameForAllCallers(200),
  },
  'POST /api/auth/sign-in/email': { body: ({ owner }) => ({ email: owner, password }), statuses: sameForAllCallers(200) },
  'POST /api/auth/request-password-reset': { body: ({ email }) => ({ email }), statuses: sameForAllCallers(200) },
  'POST /api/auth/reset-password': { body: () => ({ token: 'x', newPassword: password }), statuses: sameForAllCallers(400) },
  'GET /api/auth/verification': { statuses: signedInOnly(200, 200, 200) },
  'POST /api/auth/send-verification-email': { statuses: signedInOnly(200, 200, 200) },
  'POST /api/auth/verify-email': { body: () => ({ token: 'x' }), statuses: sameForAllCallers(400) },
  'GET /api/auth/session': { statuses: signedInOnly(200, 200, 200) },
  'POST /api/auth/sign-in/google': { body: () => ({}), statuses: sameForAllCallers(200) },
  'PUT /api/user/:email': {
    path: ({ email }) => `/api/user/${email}`,
    body: ({ email }) => ({ email }),
    statuses: signedInOnly(200, 403, 403),
  },
  'GET /api/admin/:email': { path: ({ email }) => `/api/admin/${email}`, statuses: ownerAndAdmin },
  'GET /api/user': { statuses: adminsOnly },
  'GET /api/user/:email': { path: ({ email }) => `/api/user/${email}`, statuses: ownerAndAdmin },
  'PUT /api/users/:email': { path: ({ email }) => `/api/users/${email}`, body: () => sampleProfile, statuses: ownerAndAdmin },
  'GET /api/tools': { statuses: sameForAllCallers(200) },
  'GET /api/search': { path: () => '/api/search?q=pliers', statuses: sameForAllCallers(200) },
  'GET /api/suggestions': { path: () => '/api/suggestions?q=pl', statuses: sameForAllCallers(200) },
  'GET /api/tools/:id': { path: ({ toolId }) => `/api/tools/${toolId}`, statuses: sameForAllCallers(200) },
  'GET /api/products/:id': { path: ({ toolId }) => `/api/products/${toolId}`, statuses: sameForAllCallers(200) },
  'GET /api/compare': { path: ({ toolId }) => `/api/compare?id=${toolId}`, statuses: sameForAllCallers(200) },
  'POST /api/tools': { body: () => sampleProduct, statuses: signedInOnly(403, 403, 201) },
  'PUT /api/tools/:id': { path: ({ toolId }) => `/api/tools/${toolId}`, body: () => sampleProduct, statuses: adminsOnly },
  'POST /api/imports': { body: () => ({ sku: 'no file' }), statuses: signedInOnly(403, 403, 400) }, // JSON is no file
  'GET /api/catalogue-definitions': { statuses: adminsOnly },
  'PUT /api/catalogue-definitions': { body: () => ({ revision: 0 }), statuses: signedInOnly(403, 403, 400) }, // the admin here is an owner
  'GET /api/imports': { statuses: adminsOnly },
  'GET /api/imports/:id': { path: ({ orderId }) => `/api/imports/${orderId}`, statuses: signedInOnly(403, 403, 404) },
  'POST /api/imports/:id/run': {
    path: ({ orderId }) => `/api/imports/${orderId}/run`,
    body: () => ({ skipWrong: true }),
    statuses: signedInOnly(403, 403, 404),
  },
  'GET /api/export': { statuses: adminsOnly },
  'POST /api/purchase': { body: ({ toolId }) => orderRequest(toolId, 1), statuses: signedInOnly(201, 201, 201) },
  'GET /api/purchase': { path: ({ email }) => `/api/purchase?buyerEmail=${email}`, statuses: ownerAndAdmin },
  'GET /api/purchase/:id': { path: ({ orderId }) => `/api/purchase/${orderId}`, statuses: forBuyers(200, 404, 200) },
  'GET /api/bookings': { statuses: adminsOnly },
  'GET /api/bookings/page': { statuses: adminsOnly },
  'GET /api/user/page': { statuses: adminsOnly },
  'POST /api/orders': {
    body: ({ toolId }) => ({ lines: [{ productId: toolId, quantity: 1 }], buyerAddress: '1 Road' }),
    statuses: signedInOnly(201, 201, 201),
  },
  'GET /api/cart': { statuses: withoutDeadToken(200) },
  'POST /api/cart/lines': { body: ({ toolId }) => ({ productId: toolId, quantity: 1 }), statuses: withoutDeadToken(200) },
  'PUT /api/cart/lines/:productId': {
    path: ({ toolId }) => `/api/cart/lines/${toolId}`,
    body: () => ({ quantity: 2 }),
    statuses: withoutDeadToken(200),
  },
  'POST /api/cart/seen': { statuses: withoutDeadToken(200) },
  'POST /api/cart/join': { statuses: signedInOnly(200, 200, 200) },
  'POST /api/cart/share': { statuses: withoutDeadToken(201, { nobody: 409 }) }, // whoever comes without a cookie has nothing in the basket
  'GET /api/cart/shared/:token': { path: () => `/api/cart/shared/${'0'.repeat(32)}`, statuses: sameForAllCallers(404) },
  'POST /api/cart/shared/:token': { path: () => `/api/cart/shared/${'0'.repeat(32)}`, statuses: withoutDeadToken(404) },
  'GET /api/cart/pasted': { statuses: sameForAllCallers(200) },
  'POST /api/cart/paste': { body: () => ({ text: 'N-1 2' }), statuses: withoutDeadToken(200) },
  'DELETE /api/cart/lines/:productId': { path: ({ toolId }) => `/api/cart/lines/${toolId}`, statuses: withoutDeadToken(200) },
  // forms of pages, which show what was refused
  'POST /cart/add': { body: ({ toolId }) => ({ productId: toolId, quantity: '1' }), statuses: sameForAllCallers(303) },
  'POST /cart/change': { body: ({ toolId }) => ({ productId: toolId, remove: '1' }), statuses: sameForAllCallers(303) },
  'POST /cart/paste': { body: () => ({ text: '' }), statuses: sameForAllCallers(303) },
  'POST /cart/seen': { statuses: sameForAllCallers(303) },
  'POST /cart/shared/:token': { path: () => `/cart/shared/${'0'.repeat(32)}`, statuses: sameForAllCallers(303) },
  'POST /api/cart/orders/:id': { path: ({ orderId }) => `/api/cart/orders/${orderId}`, statuses: signedInOnly(200, 404, 200) },
  'GET /api/cart/saved': { statuses: signedInOnly(200, 200, 200) },
  'POST /api/cart/saved': { body: () => ({ name: 'Spares' }), statuses: signedInOnly(201, 409, 201) },
  'POST /api/cart/saved/:id': { path: () => '/api/cart/saved/00000000-0000-4000-8000-000000000000', statuses: signedInOnly(404, 404, 404) },
  'DELETE /api/cart/saved/:id': {
    path: () => '/api/cart/saved/00000000-0000-4000-8000-000000000000',
    statuses: signedInOnly(404, 404, 404),
  },
  'POST /checkout': { body: () => ({ name: 'Ada', send: 'order' }), statuses: sameForAllCallers(303) },
  'GET /api/checkout/form': { statuses: sameForAllCallers(200) },
  'GET /api/checkout/last-order': { statuses: withoutDeadToken(200) },
  'GET /api/checkout/countries': { statuses: sameForAllCallers(200) },
  'GET /api/checkout/estimate': { path: () => '/api/checkout/estimate?country=DE', statuses: withoutDeadToken(200) },
  'GET /api/checkout/defaults': { statuses: signedInOnly(200, 200, 200) },
  'POST /api/checkout': {
    body: () => ({ name: 'Ada', deliverTo: { country: 'DE', line1: '1 Road', city: 'Berlin', postalCode: '10115' } }),
    statuses: { ...signedInOnly(201, 409, 201), nobody: 400 }, // a guest says an e-mail; who may put an order into the basket orders it, the other customer's is empty again
  },
  'GET /api/orders': { statuses: signedInOnly(200, 200, 200) },
  'GET /api/orders/:id': { path: ({ orderId }) => `/api/orders/${orderId}`, statuses: forBuyers(200, 404, 200) },
  'GET /api/orders/:id/details': { path: ({ orderId }) => `/api/orders/${orderId}/details`, statuses: forBuyers(200, 404, 200) },
  'GET /api/orders/:id/documents': { path: ({ orderId }) => `/api/orders/${orderId}/documents`, statuses: forBuyers(200, 404, 200) },
  'GET /api/orders/:id/documents/:document/pdf': { path: ofNoDocument('pdf'), statuses: forBuyers(404, 404, 404) },
  'GET /api/orders/:id/documents/:document/xml': { path: ofNoDocument('xml'), statuses: forBuyers(404, 404, 404) },
  'GET /api/orders/:id/documents/corrections': {
    path: ({ orderId }) => `/api/orders/${orderId}/documents/corrections`,
    statuses: signedInOnly(403, 403, 409), // it is not paid
  },
  'POST /api/orders/:id/documents/corrections': {
    path: ({ orderId }) => `/api/orders/${orderId}/documents/corrections`,
    body: ({ orderId }) => ({ ...sampleCorrection, invoice: orderId }),
    statuses: signedInOnly(403, 403, 409),
  },
  'GET /api/documents/months': { statuses: adminsOnly },
  'GET /api/documents/archive': { path: () => '/api/documents/archive?month=2026-11', statuses: signedInOnly(403, 403, 404) },
  'GET /api/seller': { statuses: adminsOnly },
  'PUT /api/seller': { body: () => sampleSeller, statuses: adminsOnly }, // the admin of the fixture is an owner
  'GET /api/payment-settings': { statuses: adminsOnly },
  'PUT /api/payment-settings': { body: () => samplePaymentSettings, statuses: adminsOnly }, // the admin of the fixture is an owner
  'GET /api/orders/:id/transfer': { path: ({ orderId }) => `/api/orders/${orderId}/transfer`, statuses: forBuyers(200, 404, 200) },
  'GET /api/orders/:id/pro-forma': { path: ({ toolId }) => `/api/orders/${toolId}/pro-forma`, statuses: forBuyers(404, 404, 404) }, // of no order: `transfers.test.ts` loads one
  'POST /api/orders/:id/confirmed-email': {
    path: ({ orderId }) => `/api/orders/${orderId}/confirmed-email`,
    body: () => ({ token: 'x' }),
    statuses: forBuyers(400, 404, 400), // nobody has the link of the mail
  },
  'GET /api/bank-entries': { statuses: adminsOnly },
  'POST /api/bank-statements': { body: () => ({ date: 'no file' }), statuses: signedInOnly(403, 403, 400) }, // JSON is no file
  'POST /api/bank-entries': { body: () => sampleBankEntry, statuses: signedInOnly(403, 403, 201) },
  'POST /api/bank-entries/:id/decision': {
    path: ({ orderId }) => `/api/bank-entries/${orderId}/decision`,
    body: () => ({ decision: 'set aside', reason: 'Interest', leftCentsSeen: 100 }),
    statuses: signedInOnly(403, 403, 404),
  },
  'POST /api/transfer-refunds/:id/done': {
    path: ({ orderId }) => `/api/transfer-refunds/${orderId}/done`,
    body: () => ({ doneOn: '2026-11-26' }),
    statuses: signedInOnly(403, 403, 404),
  },
  'GET /api/receivables': { statuses: adminsOnly }, // likewise, as are all calls about orders on account
  'GET /api/receivables/:id': { path: ({ orderId }) => `/api/receivables/${orderId}`, statuses: signedInOnly(403, 403, 404) },
  'GET /api/company/account': { statuses: signedInOnly(200, 200, 200) },
  'GET /api/company/account/statement': { statuses: signedInOnly(404, 404, 404) }, // of no company
  'POST /api/receivables/:id/reminders': {
    path: ({ orderId }) => `/api/receivables/${orderId}/reminders`,
    statuses: signedInOnly(403, 403, 404),
  },
  'PUT /api/receivables/reminders': { body: () => ({ daysAfterDue: 7 }), statuses: adminsOnly },
  'PUT /api/companies/:id/credit': {
    path: ({ orderId }) => `/api/companies/${orderId}/credit`,
    body: () => sampleCredit,
    statuses: signedInOnly(403, 403, 404),
  },
  'POST /api/orders/:id/payments': {
    path: ({ orderId }) => `/api/orders/${orderId}/payments`,
    body: () => sampleBooking,
    statuses: signedInOnly(403, 403, 409), // it is not on account
  },
  'POST /api/orders/:id/paybacks': {
    path: ({ orderId }) => `/api/orders/${orderId}/paybacks`,
    body: () => sampleBooking,
    statuses: signedInOnly(403, 403, 409),
  },
  'POST /api/orders/:id/refunds': {
    path: ({ orderId }) => `/api/orders/${orderId}/refunds`,
    body: ({ orderId }) => ({ lines: [{ _id: orderId, quantity: 1 }] }),
    statuses: signedInOnly(403, 403, 409), // it is not paid
  },
  'POST /api/orders/:id/shipments': {
    path: ({ orderId }) => `/api/orders/${orderId}/shipments`,
    body: ({ orderId }) => ({ lines: [{ _id: orderId, quantity: 1 }] }),
    statuses: signedInOnly(403, 403, 409), // it is not paid
  },
  'PUT /api/orders/:id/shipments/:shipment/delivered': {
    path: ({ orderId }) => `/api/orders/${orderId}/shipments/${orderId}/delivered`,
    body: () => ({}),
    statuses: forBuyers(404, 404, 404), // it has no parcel
  },
  'PUT /api/orders/:id/held-back': {
    path: ({ orderId }) => `/api/orders/${orderId}/held-back`,
    body: () => ({ reason: 'Wait' }),
    statuses: signedInOnly(403, 403, 409),
  },
  'DELETE /api/orders/:id/held-back': { path: ({ orderId }) => `/api/orders/${orderId}/held-back`, statuses: adminsOnly },
  'GET /api/orders/to-send': { statuses: adminsOnly },
  'GET /api/orders/to-send/addresses': { statuses: adminsOnly },
  'POST /api/orders/to-send/tracking-numbers': { body: () => ({ file: '1,2,DHL' }), statuses: adminsOnly },
  'PATCH /api/orders/:id/shipments/:shipment': {
    path: ofNoShipment,
    body: () => ({ carrier: 'DHL' }),
    statuses: signedInOnly(403, 403, 404),
  },
  'DELETE /api/orders/:id/shipments/:shipment': { path: ofNoShipment, statuses: signedInOnly(403, 403, 404) },
  'POST /order/:token': { path: () => `/order/${'0'.repeat(64)}`, body: () => ({}), statuses: sameForAllCallers(303) },
  'POST /withdraw/:token': {
    path: () => `/withdraw/${'0'.repeat(64)}`,
    body: () => ({ name: 'Ada', email: 'ada@shop.example', send: 'withdraw' }),
    statuses: sameForAllCallers(303),
  },
  'GET /api/withdrawals/:token': { path: () => `/api/withdrawals/${'0'.repeat(64)}`, statuses: sameForAllCallers(404) },
  'GET /api/orders/:id/withdrawal': { path: ({ orderId }) => `/api/orders/${orderId}/withdrawal`, statuses: forBuyers(200, 404, 200) },
  'POST /api/orders/:id/withdrawal': {
    path: ({ orderId }) => `/api/orders/${orderId}/withdrawal`,
    body: () => ({ name: 'Ada', email: 'ada@shop.example' }),
    statuses: forBuyers(409, 404, 409), // it names no country, and the shop is nowhere yet
  },
  'GET /api/orders/:id/returns': { path: ({ orderId }) => `/api/orders/${orderId}/returns`, statuses: forBuyers(200, 404, 200) },
  'POST /api/orders/:id/returns': {
    path: ({ orderId }) => `/api/orders/${orderId}/returns`,
    body: ({ orderId }) => ({ lines: [{ _id: orderId, quantity: 1, reason: 'other' }] }),
    statuses: forBuyers(409, 404, 409), // it was not sent
  },
  'GET /api/returns': { statuses: adminsOnly },
  'PUT /api/returns/:id/arrived': {
    path: ofNoReturn('arrived'),
    body: () => ({ lines: [{ _id: noId, arrived: 1 }] }),
    statuses: signedInOnly(403, 403, 404),
  },
  'POST /api/returns/:id/decisions': {
    path: ofNoReturn('decisions'),
    body: () => ({ decisions: [{ _id: noId, quantity: 1, outcome: 'refund' }] }),
    statuses: signedInOnly(403, 403, 404),
  },
  'POST /api/returns/:id/shipments': {
    path: ofNoReturn('shipments'),
    body: () => ({ lines: [{ _id: noId, quantity: 1 }] }),
    statuses: signedInOnly(403, 403, 404),
  },
  'DELETE /api/orders/:id/returns/:returnId': {
    path: ({ orderId }) => `/api/orders/${orderId}/returns/00000000-0000-4000-8000-000000000000`,
    statuses: forBuyers(404, 404, 404),
  },
  'GET /api/overview/attention': { statuses: adminsOnly },
  'GET /api/overview/takings': { path: () => '/api/overview/takings?period=7d', statuses: adminsOnly },
  'POST /api/create-payment-intent': { body: ({ orderId }) => ({ productCost: 24, orderId }), statuses: forBuyers(200, 404, 404) },
  'PATCH /api/purchase/:id': {
    path: ({ orderId }) => `/api/purchase/${orderId}`,
    body: () => ({ pay: true, transectionId: 'pi_invented' }),
    statuses: forBuyers(409, 404, 404),
  },
  'GET /api/purchase/:id/history': { path: ({ orderId }) => `/api/purchase/${orderId}/history`, statuses: forBuyers(200, 404, 200) },
  'GET /api/purchase/:id/decline-wait': { path: ({ orderId }) => `/api/purchase/${orderId}/decline-wait`, statuses: adminsOnly },
  'POST /api/purchase/:id/looked-at': {
    path: ({ orderId }) => `/api/purchase/${orderId}/looked-at`,
    statuses: signedInOnly(403, 403, 409), // nothing went wrong
  },
  'POST /api/purchase/:id/refund': {
    path: ({ orderId }) => `/api/purchase/${orderId}/refund`,
    body: () => ({ amountCents: 100 }),
    statuses: signedInOnly(403, 403, 409), // it is not paid
  },
  'POST /api/purchase/:id/cancel': {
    path: ({ orderId }) => `/api/purchase/${orderId}/cancel`,
    body: () => ({}),
    statuses: forBuyers(200, 404, 409), // by then it is cancelled
  },
  'POST /api/orders/:id/cancel': {
    path: ({ orderId }) => `/api/orders/${orderId}/cancel`,
    body: () => ({}),
    statuses: forBuyers(409, 404, 409), // it is cancelled
  },
  'GET /api/own-prices': { path: ({ toolId }) => `/api/own-prices?productId=${toolId}`, statuses: signedInOnly(200, 200, 200) },
  'GET /api/buyer-prices': { statuses: adminsOnly },
  'POST /api/buyer-prices': {
    body: ({ email }) => ({ sku: 'none', price: 1, email }),
    statuses: signedInOnly(403, 403, 404), // there is no such product
  },
  'DELETE /api/buyer-prices/:id': { path: ({ orderId }) => `/api/buyer-prices/${orderId}`, statuses: signedInOnly(403, 403, 404) },
  'GET /api/profile-changes': { statuses: adminsOnly }, // the admin of this table is an owner
  'POST /api/profile-changes/:id/undo': { path: () => '/api/profile-changes/1/undo', statuses: signedInOnly(403, 403, 404) },
  'GET /api/customer-groups': { statuses: adminsOnly },
  'POST /api/customer-groups': { body: (_, nth) => ({ name: `Group ${nth}`, percentOff: 5 }), statuses: signedInOnly(403, 403, 201) },
  'PUT /api/customer-groups/:id': {
    path: ({ orderId }) => `/api/customer-groups/${orderId}`,
    body: () => ({ name: 'Group', percentOff: 5 }),
    statuses: signedInOnly(403, 403, 404),
  },
  'DELETE /api/customer-groups/:id': { path: ({ orderId }) => `/api/customer-groups/${orderId}`, statuses: signedInOnly(403, 403, 404) },
  'GET /api/customer-groups/:id/members': {
    path: ({ orderId }) => `/api/customer-groups/${orderId}/members`,
    statuses: adminsOnly, // a group that does not exist has no members
  },
  'PUT /api/users/:email/customer-group': {
    path: ({ email }) => `/api/users/${email}/customer-group`,
    body: () => ({ groupId: null }),
    statuses: adminsOnly,
  },
  'GET /api/discount-codes': { statuses: adminsOnly },
  'POST /api/discount-codes': { body: (_, nth) => ({ code: `CODE-${nth}`, percentOff: 5 }), statuses: signedInOnly(403, 403, 201) },
  'POST /api/discount-codes/:id/end': {
    path: ({ orderId }) => `/api/discount-codes/${orderId}/end`,
    statuses: signedInOnly(403, 403, 404),
  },
  'POST /api/discount-codes/:id/restore': {
    path: ({ orderId }) => `/api/discount-codes/${orderId}/restore`,
    body: () => ({}),
    statuses: signedInOnly(403, 403, 404),
  },
  'GET /api/pricing-changes': { statuses: adminsOnly },
  'GET /api/tax': { statuses: adminsOnly },
  'PUT /api/tax/settings': { body: () => ({ country: null, state: null, pricesIncludeTax: false }), statuses: adminsOnly },
  'POST /api/tax/rates': { body: () => ({ country: 'DE', taxClass: 'standard', ratePpm: 190_000 }), statuses: signedInOnly(403, 403, 201) },
  'DELETE /api/tax/rates/:id': { path: ({ orderId }) => `/api/tax/rates/${orderId}`, statuses: signedInOnly(403, 403, 404) },
  'POST /api/tax/rate-sets': { body: () => ({ set: 'eu-vat', country: 'DE' }), statuses: adminsOnly },
  'GET /api/delivery': { statuses: adminsOnly },
  'PUT /api/delivery/settings': { body: () => ({ timeZone: 'UTC', unknownWeightGrams: null }), statuses: adminsOnly },
  'POST /api/delivery/zones': {
    body: (_, nth) => ({ ...sampleZone, name: `Zone ${nth}` }),
    statuses: signedInOnly(403, 403, 201),
  },
  'PUT /api/delivery/zones/:id': {
    path: ({ orderId }) => `/api/delivery/zones/${orderId}`,
    body: () => sampleZone,
    statuses: signedInOnly(403, 403, 404),
  },
  'DELETE /api/delivery/zones/:id': { path: ({ orderId }) => `/api/delivery/zones/${orderId}`, statuses: signedInOnly(403, 403, 404) },
  'POST /api/delivery/zones/:id/methods': {
    path: ({ orderId }) => `/api/delivery/zones/${orderId}/methods`,
    body: () => sampleMethod,
    statuses: signedInOnly(403, 403, 404),
  },
  'PUT /api/delivery/methods/:id': {
    path: ({ orderId }) => `/api/delivery/methods/${orderId}`,
    body: () => sampleMethod,
    statuses: signedInOnly(403, 403, 404),
  },
  'DELETE /api/delivery/methods/:id': { path: ({ orderId }) => `/api/delivery/methods/${orderId}`, statuses: signedInOnly(403, 403, 404) },
  'POST /api/delivery/holidays': { body: () => ({ day: '2026-12-25', name: 'Christmas' }), statuses: signedInOnly(403, 403, 201) },
  'DELETE /api/delivery/holidays/:day': { path: () => '/api/delivery/holidays/2026-12-24', statuses: signedInOnly(403, 403, 404) },
  'POST /api/cost-preview': {
    body: () => ({ lines: [{ sku: 'none', quantity: 1 }], country: 'DE' }),
    statuses: signedInOnly(403, 403, 404), // there is no such product
  },
  // Everybody with an account is in a company of their own by then: nothing of another's is there for them.
  'GET /api/company': { statuses: signedInOnly(200, 200, 200) },
  'POST /api/company': { body: () => ({ name: 'Engines' }), statuses: signedInOnly(201, 201, 201) },
  'PUT /api/company': { body: () => ({ name: 'Engines' }), statuses: signedInOnly(200, 200, 200) },
  'GET /api/company/members': { statuses: signedInOnly(200, 200, 200) },
  'PUT /api/company/members/:id': {
    path: ({ orderId }) => `/api/company/members/${orderId}`,
    body: () => ({ role: 'manager' }),
    statuses: signedInOnly(404, 404, 404),
  },
  'DELETE /api/company/members/:id': {
    path: ({ orderId }) => `/api/company/members/${orderId}`,
    statuses: signedInOnly(404, 404, 404),
  },
  'GET /api/company/invitations': { statuses: signedInOnly(200, 200, 200) },
  'POST /api/company/invitations': {
    body: () => ({ email: 'grace@shop.example' }),
    statuses: signedInOnly(409, 409, 201), // the customers have not verified their e-mail
  },
  'DELETE /api/company/invitations/:id': {
    path: ({ orderId }) => `/api/company/invitations/${orderId}`,
    statuses: signedInOnly(404, 404, 404),
  },
  'GET /api/company-invitations/:token': {
    path: () => `/api/company-invitations/${'0'.repeat(64)}`,
    statuses: signedInOnly(404, 404, 404),
  },
  'POST /api/company-invitations/:token': {
    path: () => `/api/company-invitations/${'0'.repeat(64)}`,
    statuses: signedInOnly(404, 404, 404),
  },
  'GET /api/company/addresses': { statuses: signedInOnly(200, 200, 200) },
  'POST /api/company/addresses': { body: () => sampleAddress, statuses: signedInOnly(201, 201, 201) },
  'PUT /api/company/addresses/:id': {
    path: ({ orderId }) => `/api/company/addresses/${orderId}`,
    body: () => sampleAddress,
    statuses: signedInOnly(404, 404, 404),
  },
  'DELETE /api/company/addresses/:id': {
    path: ({ orderId }) => `/api/company/addresses/${orderId}`,
    statuses: signedInOnly(404, 404, 404),
  },
  'GET /api/portfolio': { statuses: sameForAllCallers(200) },
  'GET /api/help': { statuses: sameForAllCallers(200) },
  'GET /api/bestsellers': { statuses: sameForAllCallers(200) },
  'GET /api/categories': { statuses: sameForAllCallers(200) },
  'GET /api/reviews': { statuses: sameForAllCallers(200) },
  'POST /api/reviews': {
    body: () => ({ name: 'Ada', img: '/ada.svg', about: 'Good', rating: 4.5 }),
    statuses: signedInOnly(201, 201, 403),
  },
  'GET /api/reviews/shown': { statuses: sameForAllCallers(200) },
  'GET /api/reviews/summary': { statuses: sameForAllCallers(200) },
  'GET /api/reviews/own': { statuses: signedInOnly(200, 200, 403) },
  'GET /api/reviews/all': { statuses: adminsOnly },
  'GET /api/products/:id/reviews': { path: ({ toolId }) => `/api/products/${toolId}/reviews`, statuses: sameForAllCallers(200) },
  'GET /api/products/:id/reviews/own': {
    path: ({ toolId }) => `/api/products/${toolId}/reviews/own`,
    statuses: signedInOnly(200, 200, 403),
  },
  'POST /api/products/:id/reviews': {
    path: ({ toolId }) => `/api/products/${toolId}/reviews`,
    body: () => ({ name: 'Ada', about: 'Good', rating: 4.5 }),
    statuses: signedInOnly(403, 403, 403), // nobody has paid for it
  },
  'PUT /api/reviews/:id/hidden': {
    path: ({ orderId }) => `/api/reviews/${orderId}/hidden`,
    body: () => ({ hidden: true }),
    statuses: signedInOnly(403, 403, 404), // it is no review
  },
  'DELETE /api/tools/:id': { path: ({ toolId }) => `/api/tools/${toolId}`, statuses: adminsOnly },
  'GET /api/tools/:id/history': { path: ({ toolId }) => `/api/tools/${toolId}/history`, statuses: adminsOnly },
  'GET /api/tools/removed': { statuses: adminsOnly },
  'PUT /api/tools/restored/:id': { path: ({ toolId }) => `/api/tools/restored/${toolId}`, statuses: adminsOnly },
  'DELETE /api/user/:email': { path: ({ leaving }) => `/api/user/${leaving}`, statuses: adminsOnly },
  'PUT /api/user/limits/:email': {
    path: ({ promoted }) => `/api/user/limits/${promoted}`,
    body: () => ({ lifted: true }),
    statuses: adminsOnly,
  },
  'PUT /api/user/admin/:email': { path: ({ promoted }) => `/api/user/admin/${promoted}`, statuses: adminsOnly },
  'DELETE /api/user/admin/:email': { path: ({ promoted }) => `/api/user/admin/${promoted}`, statuses: adminsOnly }, // the admin here is the owner
  'GET /api/user/removed': { statuses: adminsOnly },
  'PUT /api/user/restored/:email': { path: ({ leaving }) => `/api/user/restored/${leaving}`, statuses: adminsOnly },
  'POST /api/auth/sign-out': { body: () => ({}), statuses: sameForAllCallers(200) },
}
/** Whatever else is asked of the API is not there, by any method. */
for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'])
  accessMatrix[`${method} /api/*`] = {
    path: () => '/api/nothing/here',
    ...(method === 'QUERY' && { body: () => ({}) }), // which is not one without
    statuses: sameForAllCallers(404),
  }
