import { type APIRequestContext, test as base, expect, type Page } from '@playwright/test'
import { admin, type BuiltStore, openBuiltStore } from './built-store.ts'

export { awake } from './awake.ts'
export { admin } from './built-store.ts'

let addresses = 0

type Buyer = { name: string; email: string; password: string }

type Shop = { untouched: boolean; store: BuiltStore }

/**
 * A built store that starts from nothing. The files of one worker share it, so a journey may not presume a shop without orders, unless its
 * file asks for an untouched one, which no other file has been in.
 */
export const test = base.extend<{ buyer: Buyer }, Shop>({
  untouched: [false, { scope: 'worker', option: true }],
  store: [
    // Playwright opens another worker, and so another store, for another value of what this names.
    async ({ untouched: _ }, use) => {
      const opened = new AsyncDisposableStack()
      await use(await openBuiltStore(opened))
      await opened.disposeAsync()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ store }, use) => use(store.address),
  // Every journey comes from an address of its own: registrations and sign-ins from one are slowed down.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
  extraHTTPHeaders: async ({}, use) => use({ 'x-forwarded-for': `10.0.${++addresses >> 8}.${addresses & 255}` }),
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

export async function register(page: Page, buyer: Buyer) {
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

let adminsOwn: Record<string, string> | undefined

/** Comes to a screen as the admin, who signs in once for all journeys of a worker: nobody may try it more than thirty times in a quarter of an hour. */
export async function openAsAdmin(page: Page, screen: string) {
  await page.goto('/login')
  if (adminsOwn) {
    await page.evaluate((kept) => Object.assign(localStorage, kept), adminsOwn)
  } else {
    await signIn(page, admin)
    await page.waitForURL('**/home')
    adminsOwn = await page.evaluate(() => ({ ...localStorage }))
  }
  await page.goto(screen)
}

/** Types a card into the provider's frame. */
export async function typeCard(page: Page, number: string) {
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiration').fill('12 / 39')
  await frame.getByLabel('Security code').fill('123')
}

/** Fills the purchase form of this tool with what an order needs. */
export async function fillPurchase(page: Page, toolId: string | undefined) {
  await page.goto(`/purchase/${toolId}`)
  await page.getByLabel('Address').fill('12 Analytical Road, London')
  await page.getByLabel('Phone number').fill('+44 20 7946 0018')
}

export type Order = { _id: string; number: number; productQuantity: number; productCost: number }

/**
 * Somebody registers and orders, past the screens; with `paid` they pay by card, as the card library would.
 * @returns the order and its buyer's access token
 */
export async function anOrder(
  request: APIRequestContext,
  origin: string,
  buyer: Buyer,
  { paid = false } = {},
): Promise<Order & { token: string }> {
  const { token } = await (await request.post('/api/auth/sign-up/email', { headers: { origin }, data: buyer })).json()
  const headers = { authorization: `Bearer ${token}` }
  const [tool] = await (await request.get('/api/tools')).json()
  const productQuantity = tool.minimum_order_quantity
  const productCost = productQuantity * tool.price
  const wish = { toolId: tool._id, productName: tool.name, productQuantity, productCost, buyerAddress: '12 Analytical Road, London' }
  const order: Order = await (await request.post('/api/purchase', { headers, data: wish })).json()
  if (paid) {
    const opened = await request.post('/api/create-payment-intent', { headers, data: { orderId: order._id, productCost } })
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
    const told = await request.patch(`/api/purchase/${order._id}`, { headers, data: { pay: true, transectionId: intent } })
    expect(told.status(), await told.text()).toBe(200)
  }
  return { ...order, token }
}
