import { type APIRequestContext, test as base, expect, type Page } from '@playwright/test'
import { adminCredentials, type BuiltStore, startBuiltStore } from './built-store.ts'

export { adminCredentials, handToGuest } from './built-store.ts'
export { openUntilQuiet, waitForHydration } from './hydration.ts'

let addresses = 0
const nextClientIp = () => `10.0.${++addresses >> 8}.${addresses & 255}`

export type Buyer = { name: string; email: string; password: string }

type WorkerFixtures = { storeOf: string; store: BuiltStore }

/**
 * A built store that starts from nothing. The files of one worker share it, so a journey may not presume a shop without orders or settings,
 * nor change its settings, unless its file has a store of its own: it says its name as `storeOf`.
 */
export const test = base.extend<{ buyer: Buyer }, WorkerFixtures>({
  storeOf: ['all', { scope: 'worker', option: true }],
  store: [
    // Playwright opens another worker, and so another store, for another value of what this names.
    async ({ storeOf: _ }, use) => {
      const opened = new AsyncDisposableStack()
      await use(await startBuiltStore(opened))
      await opened.disposeAsync()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ store }, use) => use(store.address),
  // Every journey comes from an address of its own: registrations and sign-ins from one are slowed down.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
  extraHTTPHeaders: async ({}, use) => use({ 'x-forwarded-for': nextClientIp() }),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  buyer: async ({}, use) =>
    use({ name: 'Ada Byron', email: `ada.${crypto.randomUUID().slice(0, 8)}@shop.example`, password: 'correct horse battery' }),
  /** A page whose console must stay silent: no script error, no refused load, no breach of the Content-Security-Policy. */
  page: async ({ page }, use) => {
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      // An answer such as 401 or 404 is also told on the console; those are part of the journeys.
      if (['error', 'warning'].includes(message.type()) && !/Failed to load resource/.test(message.text())) complaints.push(message.text())
    })
    await use(page)
    expect(complaints).toEqual([])
  },
})

export { expect }

/** Registers past the screens and is signed in on this page, which shows none of them yet. */
export async function registerByApi(page: Page, buyer: Buyer) {
  await page.goto(blankPagePath)
  await saveSession(page, await authenticate(page, 'sign-up', buyer), { name: buyer.name, email: buyer.email, admin: false })
}

/** Registers at the form, as a visitor does, and arrives at the home page. */
export async function registerByForm(page: Page, buyer: Buyer) {
  await page.goto('/register')
  await page.getByLabel('Full name').fill(buyer.name)
  await page.getByLabel('E-mail').fill(buyer.email)
  await page.getByLabel('Password', { exact: true }).fill(buyer.password)
  await page.getByRole('button', { name: 'Register' }).click()
  await page.waitForURL('**/home')
}

export async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** Is signed in on this page, which shows no screen yet, by a token that a call has given: that of `placePurchase`. */
export async function restoreSession(page: Page, { name, email }: Buyer, token: string) {
  await page.goto(blankPagePath)
  await saveSession(page, token, { name, email, admin: false })
}

let adminsToken: string | undefined

/** Comes to a screen as the admin, who signs in once for all journeys of a worker: nobody may try it more than thirty times in a quarter of an hour. */
export async function openAsAdmin(page: Page, screen: string) {
  await signInAsAdmin(page)
  await page.goto(screen)
}

/**
 * Is signed in as the admin on this page, which shows no screen yet.
 * @param anew with a sign-in of this journey alone, which it may end
 */
export async function signInAsAdmin(page: Page, { anew = false } = {}) {
  await page.goto(blankPagePath)
  const token = (!anew && adminsToken) || (await authenticate(page, 'sign-in', adminCredentials))
  if (!anew) adminsToken = token
  await saveSession(page, token, { name: 'Store owner', email: adminCredentials.email, admin: true })
}

/** An address of the store with nothing to draw. */
const blankPagePath = '/healthz'

/** Signs in, or registers, and takes the access token, with the calls that the forms make, from an address of its own. */
async function authenticate(page: Page, way: 'sign-up' | 'sign-in', who: { email: string; password: string }): Promise<string> {
  const headers = { origin: new URL(page.url()).origin, 'x-forwarded-for': nextClientIp() }
  const entered = await page.request.post(`/api/auth/${way}/email`, { headers, data: who })
  expect(entered.status(), await entered.text()).toBe(200)
  const { token } = await entered.json()
  const taken = await page.request.put(`/api/user/${encodeURIComponent(who.email)}`, {
    headers: { authorization: `Bearer ${token}` },
    data: { email: who.email },
  })
  return (await taken.json()).token
}

/** What the browser remembers of a sign-in. */
async function saveSession(page: Page, accessToken: string, account: { name: string; email: string; admin: boolean }) {
  await page.evaluate((kept) => Object.assign(localStorage, kept), { accessToken, account: JSON.stringify(account) })
}

/** Types a card into the provider's frame. */
export async function fillCardForm(page: Page, number: string) {
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiration').fill('12 / 39')
  await frame.getByLabel('Security code').fill('123')
}

/** Fills the purchase form of this tool with what an order needs. */
export async function fillPurchaseForm(page: Page, toolId: string | undefined) {
  await page.goto(`/purchase/${toolId}`)
  await page.getByLabel('Address').fill('12 Analytical Road, London')
  await page.getByLabel('Phone number').fill('+44 20 7946 0018')
}

/** A product as the calls of the store answer it, as far as journeys look at it. */
export type Product = {
  _id: string
  name: string
  description: string
  price: number
  minimum_order_quantity: number
  available_quantity: number
}

export type OrderLine = { _id: string; productName: string; quantity: number; unitPriceCents: number; totalCents: number }
export type Order = { _id: string; number: number; totalCents: number; lines: OrderLine[] }

export type Purchase = {
  _id: string
  number: number
  productName: string
  productQuantity: number
  productCost: number
  buyerAddress: string
}

/**
 * Somebody registers and orders, past the screens; with `paid` they pay by card, as the card library would.
 * @returns the order and its buyer's access token
 */
export async function placePurchase(
  request: APIRequestContext,
  origin: string,
  buyer: Buyer,
  { paid = false } = {},
): Promise<Purchase & { token: string }> {
  const { token, headers } = await signUp(request, origin, buyer)
  const [tool] = await (await request.get('/api/tools')).json()
  const productQuantity = tool.minimum_order_quantity
  const productCost = productQuantity * tool.price
  const wish = { toolId: tool._id, productName: tool.name, productQuantity, productCost, buyerAddress: '12 Analytical Road, London' }
  const order: Purchase = await (await request.post('/api/purchase', { headers, data: wish })).json()
  if (paid) await payOrder(request, order, token)
  return { ...order, token }
}

/**
 * Somebody registers and orders three products at once, past the screens; with `paid` they pay by card, as the card library would.
 * @returns the order and its buyer's access token
 */
export async function placeOrder(
  request: APIRequestContext,
  origin: string,
  buyer: Buyer,
  { paid = false, lineCount = 3 } = {},
): Promise<Order & { token: string }> {
  const { token, headers } = await signUp(request, origin, buyer)
  const tools: Product[] = await (await request.get('/api/tools')).json()
  const lines = tools
    .filter(({ minimum_order_quantity, available_quantity }) => available_quantity > 50 * minimum_order_quantity)
    .slice(0, lineCount)
    .map(({ _id, minimum_order_quantity }, index) => ({ productId: _id, quantity: minimum_order_quantity + index }))
  const placed = await request.post('/api/orders', { headers, data: { lines, buyerAddress: '12 Analytical Road, London' } })
  expect(placed.status(), await placed.text()).toBe(201)
  const order: Order = await placed.json()
  const [first] = order.lines
  if (paid && first) await payOrder(request, { _id: first._id, productCost: order.totalCents / 100 }, token)
  return { ...order, token }
}

async function signUp(request: APIRequestContext, origin: string, buyer: Buyer) {
  const { token } = await (await request.post('/api/auth/sign-up/email', { headers: { origin }, data: buyer })).json()
  return { token, headers: { authorization: `Bearer ${token}` } }
}

/** Pays an order of whoever has this token by card, as the card library would. */
export async function payOrder(request: APIRequestContext, { _id, productCost }: Pick<Purchase, '_id' | 'productCost'>, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const opened = await request.post('/api/create-payment-intent', { headers, data: { orderId: _id, productCost } })
  const { clientSecret, publishableKey, cardLibrary } = await opened.json()
  const intent = clientSecret.replace(/_secret_.*/, '')
  const card = { number: '4242424242424242', exp_month: '12', exp_year: '39', cvc: '123' }
  const form = {
    key: publishableKey,
    client_secret: clientSecret,
    'payment_method_data[type]': 'card',
    ...Object.fromEntries(Object.entries(card).map(([name, value]) => [`payment_method_data[card][${name}]`, value])),
  }
  await request.post(new URL(`/v1/payment_intents/${intent}/confirm`, cardLibrary).href, { form })
  const told = await request.patch(`/api/purchase/${_id}`, { headers, data: { pay: true, transectionId: intent } })
  expect(told.status(), await told.text()).toBe(200)
}
