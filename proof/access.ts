/*
 * Who may ask what: every route of the store, the hidden ones too, knocked at by everybody. A route that is not in this table fails the
 * proof, and so does a row without a route: nobody adds a door without saying who may come in.
 */

/** Everybody who may knock, in the order of `statuses`. */
export const who = ['nobody', 'customer', 'other customer', 'admin', 'removed user', 'expired', 'signed out', 'garbage token'] as const
export type Knocker = (typeof who)[number]

/** What is in the store: a product, and an unpaid order of it by the customer. */
export type Given = { toolId: string; orderId: string; email: string; owner: string; leaving: string; promoted: string }
type Row = {
  /** what is asked for, when it is more than the route's own address */
  path?: (given: Given) => string
  body?: (given: Given, nth: number) => unknown
  statuses: Record<Knocker, number>
}

const everybody = (status: number): Row['statuses'] => ({
  nobody: status,
  customer: status,
  'other customer': status,
  admin: status,
  'removed user': status,
  expired: status,
  'signed out': status,
  'garbage token': status,
})
/** For who holds a live token; all others have to sign in first. */
const signedIn = (customer: number, otherCustomer: number, admin: number): Row['statuses'] => ({
  ...everybody(401),
  customer,
  'other customer': otherCustomer,
  admin,
})
const customersOwn = signedIn(200, 403, 200)
const adminsOnly = signedIn(403, 403, 200)

export const pliers = {
  name: 'Pliers',
  img: '/drawings/pliers.svg',
  description: 'Grips.',
  price: 12,
  minimum_order_quantity: 1,
  available_quantity: 400,
}
export const profile = {
  picture: '/ada.svg',
  education: 'Mathematics',
  location: 'London',
  phone: '+44 20 7946',
  linkedIn: 'linkedin.com/in/ada',
}
export const wishFor = (toolId: string, productQuantity: number) => ({
  toolId,
  productName: pliers.name,
  productQuantity,
  productCost: pliers.price * productQuantity,
  buyerAddress: '1 Road',
})
const password = 'correct horse battery'

/** In the order in which they are knocked at: what ends something comes last. */
export const table: Record<string, Row> = {
  'GET /healthz': { statuses: everybody(200) },
  'GET /readyz': { statuses: everybody(200) },
  'GET /*': { path: () => '/home', statuses: everybody(200) },
  'GET /robots.txt': { statuses: everybody(200) },
  'GET /sitemap.xml': { statuses: everybody(200) },
  'GET /sitemap-:part(^\\d{1,6}$).xml': { path: () => '/sitemap-1.xml', statuses: everybody(200) },
  'GET /outbox': { statuses: everybody(403) }, // everybody here sits at the machine, and nobody has the key that the start printed
  'GET /outbox/geist.woff2': { statuses: everybody(403) },
  'GET /outbox/:file': { path: () => '/outbox/none.eml', statuses: everybody(403) },
  'GET /outbox/:file/html': { path: () => '/outbox/none.eml/html', statuses: everybody(403) },
  'GET /api/openapi.json': { statuses: everybody(200) },
  'GET /api/docs': { statuses: everybody(200) },
  'POST /webhooks/stripe': { body: () => ({ type: 'payment_intent.succeeded' }), statuses: everybody(400) },
  'GET /api/auth/callback/google': { statuses: everybody(302) },

  'POST /api/auth/sign-up/email': {
    body: (_, nth) => ({ name: 'Eve', email: `eve${nth}@shop.example`, password }),
    statuses: everybody(200),
  },
  'POST /api/auth/sign-in/email': { body: ({ owner }) => ({ email: owner, password }), statuses: everybody(200) },
  'POST /api/auth/request-password-reset': { body: ({ email }) => ({ email }), statuses: everybody(200) },
  'POST /api/auth/reset-password': { body: () => ({ token: 'x', newPassword: password }), statuses: everybody(400) },
  'GET /api/auth/verification': { statuses: signedIn(200, 200, 200) },
  'POST /api/auth/send-verification-email': { statuses: signedIn(200, 200, 200) },
  'POST /api/auth/verify-email': { body: () => ({ token: 'x' }), statuses: everybody(400) },
  'GET /api/auth/session': { statuses: signedIn(200, 200, 200) },
  'POST /api/auth/sign-in/google': { body: () => ({}), statuses: everybody(200) },
  'PUT /api/user/:email': {
    path: ({ email }) => `/api/user/${email}`,
    body: ({ email }) => ({ email }),
    statuses: signedIn(200, 403, 403),
  },
  'GET /api/admin/:email': { path: ({ email }) => `/api/admin/${email}`, statuses: customersOwn },
  'GET /api/user': { statuses: adminsOnly },
  'GET /api/user/:email': { path: ({ email }) => `/api/user/${email}`, statuses: customersOwn },
  'PUT /api/users/:email': { path: ({ email }) => `/api/users/${email}`, body: () => profile, statuses: customersOwn },
  'GET /api/tools': { statuses: everybody(200) },
  'GET /api/search': { path: () => '/api/search?q=pliers', statuses: everybody(200) },
  'GET /api/suggestions': { path: () => '/api/suggestions?q=pl', statuses: everybody(200) },
  'GET /api/tools/:id': { path: ({ toolId }) => `/api/tools/${toolId}`, statuses: everybody(200) },
  'GET /api/products/:id': { path: ({ toolId }) => `/api/products/${toolId}`, statuses: everybody(200) },
  'GET /api/compare': { path: ({ toolId }) => `/api/compare?id=${toolId}`, statuses: everybody(200) },
  'POST /api/tools': { body: () => pliers, statuses: signedIn(403, 403, 201) },
  'PUT /api/tools/:id': { path: ({ toolId }) => `/api/tools/${toolId}`, body: () => pliers, statuses: adminsOnly },
  'POST /api/imports': { body: () => ({ sku: 'no file' }), statuses: signedIn(403, 403, 400) }, // JSON is no file
  'GET /api/imports': { statuses: adminsOnly },
  'GET /api/imports/:id': { path: ({ orderId }) => `/api/imports/${orderId}`, statuses: signedIn(403, 403, 404) },
  'POST /api/imports/:id/run': {
    path: ({ orderId }) => `/api/imports/${orderId}/run`,
    body: () => ({ skipWrong: true }),
    statuses: signedIn(403, 403, 404),
  },
  'GET /api/export': { statuses: adminsOnly },
  'POST /api/purchase': { body: ({ toolId }) => wishFor(toolId, 1), statuses: signedIn(201, 201, 201) },
  'GET /api/purchase': { path: ({ email }) => `/api/purchase?buyerEmail=${email}`, statuses: customersOwn },
  'GET /api/purchase/:id': { path: ({ orderId }) => `/api/purchase/${orderId}`, statuses: signedIn(200, 404, 200) },
  'GET /api/bookings': { statuses: adminsOnly },
  'GET /api/overview/attention': { statuses: adminsOnly },
  'GET /api/overview/takings': { path: () => '/api/overview/takings?period=7d', statuses: adminsOnly },
  'POST /api/create-payment-intent': { body: ({ orderId }) => ({ productCost: 24, orderId }), statuses: signedIn(200, 404, 404) },
  'PATCH /api/purchase/:id': {
    path: ({ orderId }) => `/api/purchase/${orderId}`,
    body: () => ({ pay: true, transectionId: 'pi_invented' }),
    statuses: signedIn(409, 404, 404),
  },
  'GET /api/purchase/:id/history': { path: ({ orderId }) => `/api/purchase/${orderId}/history`, statuses: signedIn(200, 404, 200) },
  'POST /api/purchase/:id/looked-at': {
    path: ({ orderId }) => `/api/purchase/${orderId}/looked-at`,
    statuses: signedIn(403, 403, 409), // nothing went wrong
  },
  'POST /api/purchase/:id/refund': {
    path: ({ orderId }) => `/api/purchase/${orderId}/refund`,
    body: () => ({ amountCents: 100 }),
    statuses: signedIn(403, 403, 409), // it is not paid
  },
  'POST /api/purchase/:id/cancel': {
    path: ({ orderId }) => `/api/purchase/${orderId}/cancel`,
    body: () => ({}),
    statuses: signedIn(200, 404, 409), // by then it is cancelled
  },
  'GET /api/portfolio': { statuses: everybody(200) },
  'GET /api/help': { statuses: everybody(200) },
  'GET /api/categories': { statuses: everybody(200) },
  'GET /api/reviews': { statuses: everybody(200) },
  'POST /api/reviews': { body: () => ({ name: 'Ada', img: '/ada.svg', about: 'Good', rating: 4.5 }), statuses: signedIn(201, 201, 403) },
  'GET /api/reviews/shown': { statuses: everybody(200) },
  'GET /api/reviews/summary': { statuses: everybody(200) },
  'GET /api/reviews/own': { statuses: signedIn(200, 200, 403) },
  'GET /api/reviews/all': { statuses: adminsOnly },
  'PUT /api/reviews/:id/hidden': {
    path: ({ orderId }) => `/api/reviews/${orderId}/hidden`,
    body: () => ({ hidden: true }),
    statuses: signedIn(403, 403, 404), // it is no review
  },
  'DELETE /api/tools/:id': { path: ({ toolId }) => `/api/tools/${toolId}`, statuses: adminsOnly },
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
  'POST /api/auth/sign-out': { body: () => ({}), statuses: everybody(200) },
}
/** Whatever else is asked of the API is not there, by any method. */
for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'])
  table[`${method} /api/*`] = {
    path: () => '/api/nothing/here',
    ...(method === 'QUERY' && { body: () => ({}) }), // which is not one without
    statuses: everybody(404),
  }
