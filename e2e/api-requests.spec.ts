import type { Page } from '@playwright/test'
import { adminCredentials, expect, fillCardForm, registerByApi, registerByForm, signIn, test } from './store.ts'

type Tool = { _id: string; name: string; price: number; minimum_order_quantity: number }

/** Holds back these requests until they are let through. */
async function hold(page: Page, call: RegExp) {
  const { promise, resolve: letThrough } = Promise.withResolvers<void>()
  await page.route(call, async (route) => {
    await promise
    await route.continue()
  })
  return { asked: page.waitForRequest(call), letThrough }
}

const accessToken = (page: Page) => page.evaluate(() => localStorage.getItem('accessToken'))
const bearer = async (page: Page) => `Bearer ${await accessToken(page)}`

test('a registration, a sign-in by e-mail and one with Google each send PUT /user/{email} and keep its token as accessToken', async ({
  page,
  buyer,
}) => {
  const google = `google.${buyer.email}`
  const ways: [email: string, enter: () => Promise<void>][] = [
    [buyer.email, () => registerByForm(page, buyer)],
    [
      buyer.email,
      async () => {
        await page.goto('/login')
        await signIn(page, buyer)
      },
    ],
    [
      google,
      async () => {
        await page.goto('/login')
        await page.getByRole('button', { name: 'Continue with Google' }).click()
        await page.getByLabel('Name').fill(buyer.name)
        await page.getByLabel('E-mail').fill(google)
        await page.getByRole('button', { name: 'Go on as this person' }).click()
      },
    ],
  ]
  for (const [email, enter] of ways) {
    const answered = page.waitForResponse(
      (answer) => answer.request().method() === 'PUT' && new URL(answer.url()).pathname === `/api/user/${encodeURIComponent(email)}`,
    )
    await enter()
    const answer = await answered
    expect(answer.request().postDataJSON()).toEqual({ email })
    await page.waitForURL('**/home')
    expect(await accessToken(page)).toBe((await answer.json()).token)
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByText('No user logged in')).toBeVisible()
  }
})

test('nobody is shown as an admin before the store has said so, and an admin screen waits in sight of it', async ({
  page,
  context,
  buyer,
  request,
  store,
}) => {
  const headers = { origin: store.address }
  expect((await request.post('/api/auth/sign-up/email', { headers, data: buyer })).ok()).toBe(true)
  const allUsers = page.getByRole('link', { name: 'All Users' })
  await page.goto('/login?from=/dashboard')
  const firstLookup = await hold(page, /\/api\/admin\//)
  await signIn(page, adminCredentials)
  await firstLookup.asked
  await expect(page.getByText('No user logged in')).toBeVisible()
  const other = await context.newPage()
  await other.goto('/dashboard')
  await other.waitForURL('**/login?*')
  await expect(other.getByRole('link', { name: 'All Users' })).toHaveCount(0)
  await other.close()
  firstLookup.letThrough()
  await expect(allUsers).toBeVisible()

  const lookup = await hold(page, /\/api\/admin\//)
  const listed = page.waitForRequest('**/api/user/page?*')
  await page.goto(`/dashboard/allusers?q=${buyer.email}`)
  expect((await (await lookup.asked).allHeaders()).authorization).toBe(await bearer(page))
  await expect(page.getByRole('status').filter({ hasText: 'Checking your sign-in' })).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(0)
  lookup.letThrough()
  expect((await (await listed).allHeaders()).authorization).toBe(await bearer(page))

  const made = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('button', { name: `Make Admin, ${buyer.email}` }).click()
  await page.getByRole('button', { name: `Make ${buyer.email} an admin` }).click()
  expect((await (await made).allHeaders()).authorization).toBe(await bearer(page))
  expect((await made).postData()).toBeNull()
})

test('the profile is fetched at each visit and after each update, and is sent with the name and e-mail of the account', async ({
  page,
  buyer,
}) => {
  let fetched = 0
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('/api/user/')) fetched++
  })
  await registerByApi(page, buyer)
  const name = page.getByRole('main').getByRole('heading', { level: 2, name: buyer.name })
  await page.goto('/dashboard')
  await expect(name).toBeVisible()
  expect(fetched).toBe(1)
  await page.getByRole('link', { name: 'My Orders' }).click()
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
  await page.getByRole('link', { name: 'My Profile' }).click()
  await expect(name).toBeVisible()
  expect(fetched).toBe(2)

  for (const [label, text] of [
    ['Image URL', '/drawings/crimper.svg'],
    ['Education', 'Mathematics'],
    ['Location', 'London'],
    ['Phone', '+4917012345678'],
    ['LinkedIn profile link', 'https://linkedin.com/in/ada'],
  ] as const)
    await page.getByLabel(label).fill(text)
  const saved = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  const profile = {
    name: buyer.name,
    email: buyer.email,
    picture: '/drawings/crimper.svg',
    education: 'Mathematics',
    location: 'London',
    phone: '+4917012345678',
    linkedIn: 'https://linkedin.com/in/ada',
  }
  expect((await saved).postDataJSON()).toEqual(profile)
  await expect(page.getByRole('main').getByText('Profile saved')).toBeVisible()
  expect(fetched).toBe(3)

  // The answer is a list, and its first item is the profile.
  await page.route('**/api/user/*', (route) =>
    route.fulfill({
      json: [
        { ...profile, location: 'Turin' },
        { ...profile, location: 'Paris' },
      ],
    }),
  )
  await page.reload()
  await expect(page.getByRole('definition').filter({ hasText: 'Turin' })).toBeVisible()
  await expect(page.getByLabel('Location')).toHaveValue('Turin')
  await expect(page.getByText('Paris')).toHaveCount(0)
})

test('My Orders counts its rows and offers to pay what costs something; the Pay button waits for secret, library and card fields', async ({
  page,
  buyer,
  request,
}) => {
  const tools: Tool[] = await (await request.get('/api/tools')).json()
  const [first, second] = tools.slice(20, 22).map((tool) => ({
    toolId: tool._id,
    productName: tool.name,
    productQuantity: tool.minimum_order_quantity,
    productCost: tool.price * tool.minimum_order_quantity,
    buyerAddress: '12 Analytical Road, London',
  }))
  if (!first || !second) throw new Error('The store has no catalogue')
  await registerByApi(page, buyer)
  for (const data of [first, second])
    expect((await request.post('/api/purchase', { headers: { authorization: await bearer(page) }, data })).status()).toBe(201)

  // No order of the store is for nothing; the first one is answered as if it were.
  await page.route('**/api/purchase?*', async (route) => {
    const response = await route.fetch()
    const [newer, older] = await response.json()
    await route.fulfill({ response, json: [newer, { ...older, productCost: 0 }] })
  })
  await page.goto('/dashboard/myorder')
  await expect(page.getByRole('columnheader')).toHaveText([
    'No.',
    'Product Name',
    'Product Quantity',
    'Product Cost',
    'Buyer Name',
    'Buyer Email',
    'Buyer Address',
    'Pay',
  ])
  for (const [place, { productName, productQuantity, buyerAddress }, cost, pay] of [
    [1, second, `$${second.productCost.toLocaleString('en-US')}`, /^Pay Now/],
    [2, first, '$0', ''],
  ] as const) {
    const row = page.getByRole('row').nth(place)
    await expect(row.getByRole('rowheader')).toContainText(productName)
    await expect(row.getByRole('cell')).toHaveText([`${place}`, `${productQuantity}`, cost, buyer.name, buyer.email, buyerAddress, pay])
  }

  const secret = await hold(page, /\/api\/create-payment-intent$/)
  const library = await hold(page, /\/sandbox\.js$/)
  const fields = await hold(page, /\/frame(#|$)/)
  await page.getByRole('link', { name: 'Pay Now' }).click()
  await secret.asked
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toBeVisible()
  const button = page.getByRole('button', { name: /^Pay/ })
  await expect(button).toHaveCount(0)
  secret.letThrough()
  await library.asked
  await expect(page.getByRole('status').filter({ hasText: 'Preparing the card form' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)
  await expect(button).toBeDisabled()
  library.letThrough()
  await fields.asked
  await expect(button).toBeDisabled()
  fields.letThrough()
  await expect(button).toBeEnabled()

  await fillCardForm(page, '4242 4242 4242 4242')
  const confirmed = page.waitForRequest(/\/v1\/payment_intents\/\w+\/confirm$/)
  await button.click()
  const card = Object.fromEntries(new URLSearchParams((await confirmed).postData() ?? ''))
  expect(card).toMatchObject({
    'payment_method_data[type]': 'card',
    'payment_method_data[billing_details][name]': buyer.name,
    'payment_method_data[billing_details][email]': buyer.email,
  })
  await expect(page.getByText('Payment successfully done...')).toBeVisible()
})
