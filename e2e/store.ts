import { type APIRequestContext, test as base, expect, type Page } from '@playwright/test'
import pg from 'pg'
import { embeddedConnection } from '#platform/embedded-postgres.ts'
import { aDataFolder, freePort, startStore } from '../test/process.ts'

export const admin = { email: 'owner@store.example', password: 'the owner has a key' }

let addresses = 0

type Buyer = { name: string; email: string; password: string }
type Store = {
  address: string
  /** Does to the books what only time, or somebody else's machine, can do. */
  sql(statement: string, values: unknown[]): Promise<void>
}

/** A built store that starts from nothing for the journeys of one file: on the embedded database, or an empty one of DATABASE_URL's server. */
export const test = base.extend<{ buyer: Buyer }, { store: Store }>({
  store: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
    async ({}, use) => {
      const opened = new AsyncDisposableStack()
      const place = await aPlaceForData(opened)
      const owner = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
      const store = startStore({ ...place, ...owner, PORT: `${await freePort()}`, TRUST_PROXY: 'on' })
      opened.defer(async () => void (await store.stop()))
      const address = await store.opened
      await use({ address, sql: (statement, values) => onBooks(place, statement, values) })
      await opened.disposeAsync()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ store }, use) => use(store.address),
  // Every journey comes from an address of its own: registrations and sign-ins from one are slowed down.
  // biome-ignore lint/correctness/noEmptyPattern: as above
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

type Place = { DATA_DIR: string } | { DATABASE_URL: string }

async function onBooks(place: Place, statement: string, values: unknown[]): Promise<void> {
  const connectionString = 'DATA_DIR' in place ? embeddedConnection(place.DATA_DIR) : place.DATABASE_URL
  const books = new pg.Client({ connectionString })
  await books.connect()
  await books.query(statement, values).finally(() => books.end())
}

async function aPlaceForData(opened: AsyncDisposableStack): Promise<Place> {
  if (!process.env.DATABASE_URL) {
    return { DATA_DIR: opened.use(aDataFolder()).dataDir }
  }
  const name = `store_journey_${crypto.randomUUID().replaceAll('-', '')}`
  const server = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await server.connect()
  await server.query(`create database ${name}`)
  opened.defer(async () => {
    await server.query(`drop database ${name} with (force)`)
    await server.end()
  })
  const address = new URL(process.env.DATABASE_URL)
  address.pathname = `/${name}`
  return { DATABASE_URL: address.href }
}

/** The page's script has taken over all of the page: before, a choice is sent with the form's button. React keeps whether it has at its root. */
export const awake = (page: Page) =>
  page.waitForFunction(() => {
    const [, root] = Object.entries(document).find(([key]) => key.startsWith('__reactContainer')) ?? []
    return root?.stateNode.current.memoizedState?.isDehydrated === false
  })

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
