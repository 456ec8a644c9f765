import type { Page, Route } from '@playwright/test'
import { fullRunJourney } from '../proof/full-run.ts'
import { expectColour } from './colour.ts'
import { adminCredentials, expect, openAsAdmin, placePurchase, test } from './store.ts'

/** Calls of the store past its screens, as another admin makes them. */
const asAdmin = async (page: Page) => ({ authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('accessToken'))}` })

const toasts = (page: Page) => page.getByRole('region', { name: /Notifications/ })
const heads = (page: Page) => page.getByRole('columnheader').allInnerTexts()

test('Manage All Orders has the specified columns', async ({ page, request, buyer, store }) => {
  const order = await placePurchase(request, store.address, buyer)
  await openAsAdmin(page, '/dashboard/manageallorders')
  await expect(page.getByRole('heading', { level: 1, name: 'Manage All Orders' })).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: buyer.email })
  await expectColour(row.getByText('Not paid yet'), 'red')
  await expect(row.getByRole('rowheader')).toContainText(buyer.name)
  await expect(row.getByRole('cell')).toHaveText([
    buyer.email,
    order.buyerAddress,
    order.productName,
    `${order.productQuantity}`,
    `$${order.productCost.toLocaleString('en-US')}`,
    'Not paid yet',
  ])
  expect(await heads(page)).toEqual([
    'Buyer Name',
    'Buyer Email',
    'Buyer Address',
    'Product Name',
    'Product Quantity',
    'Total Cost',
    'Payment Status',
  ])

  // The counts are of what is searched.
  const counts = page.getByRole('navigation', { name: 'Orders by payment status' })
  await page.getByLabel('Search order, phone and part numbers').fill(buyer.email)
  await expect(counts.getByRole('link')).toHaveText(['All 1', 'Not paid yet 1'])
  await page.getByLabel('Search order, phone and part numbers').fill('no such order')
  await expect(counts.getByRole('link')).toHaveText(['All 0'])
  await expect(page.getByText('0 orders found for "no such order"')).toBeVisible()
})

test('an order that is pressed while a search is still being typed opens', async ({ page, request, buyer, store }) => {
  await placePurchase(request, store.address, buyer)
  await openAsAdmin(page, '/dashboard/manageallorders')
  // The order loads for longer than the list waits for the end of typing.
  await page.route('**/api/orders/**', async (route) => {
    await new Promise((wait) => setTimeout(wait, 1_000))
    await route.continue()
  })
  await page.getByLabel('Search order, phone and part numbers').fill(buyer.email)
  await page
    .getByRole('row')
    .filter({ hasText: buyer.email })
    .getByRole('link', { name: /^Order / })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Order \d+$/)
})

test.describe('All Users', () => {
  test.beforeEach(async ({ request, store, buyer }) => {
    const origin = store.address
    expect((await request.post('/api/auth/sign-up/email', { headers: { origin }, data: buyer })).ok()).toBe(true)
  })

  test("the table is titled 'Nucleus of PC All Users' and has Email and two action columns", async ({ page, buyer, request }) => {
    await openAsAdmin(page, '/dashboard/allusers?limit=50')
    const table = page.getByRole('table', { name: 'Nucleus of PC All Users' })
    await expect(table.getByRole('row').filter({ hasText: buyer.email })).toContainText('Make Admin')
    expect(await heads(page)).toEqual(['Email', 'Make Admin', 'Remove User'])

    const own = table.getByRole('row').filter({ hasText: adminCredentials.email })
    await expect(own).toContainText('Admin')
    await expect(own.getByText('Owner', { exact: true })).toBeVisible()
    await expect(own.getByRole('button', { name: 'Make Admin' })).toHaveCount(0)

    const users: { email: string; verified?: false }[] = await (await request.get('/api/user', { headers: await asAdmin(page) })).json()
    await expect(table.getByRole('rowheader')).toHaveText(
      users.map(({ email, verified }) => (verified === false ? `${email}unverified` : email)),
    )
    await expect(table.getByRole('row').filter({ hasText: buyer.email })).toContainText('unverified')
    await expect(own).not.toContainText('unverified')
    await expect(table.getByRole('button', { name: /^Remove User, / })).toHaveCount(users.length)
    await expect(own.getByRole('button', { name: 'Remove User' })).toBeDisabled()
    await expect(own.getByRole('button', { name: 'Remove User' })).toHaveAccessibleDescription('Your own account')
  })

  test('an account is found by parts of its e-mail, whatever page it is on', fullRunJourney, async ({ page, buyer }) => {
    await openAsAdmin(page, '/dashboard/allusers')
    const found = page.getByRole('table').getByRole('rowheader')
    await expect(found.first()).toHaveText(adminCredentials.email)
    await page.getByLabel('Search e-mails').fill(buyer.email.slice(3).toUpperCase())
    await expect(found).toHaveText([`${buyer.email}unverified`])
    await expect(page.getByRole('status').filter({ hasText: '1 account found' })).toBeVisible()
    await page.getByLabel('Search e-mails').fill('nobody has this')
    await expect(found).toHaveCount(0)
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect(found.first()).toHaveText(adminCredentials.email)
  })

  test('Make Admin asks what it gives, makes an admin, says so, and the row then reads Admin; an owner takes it back', async ({
    page,
    buyer,
    request,
    store,
  }) => {
    const other = `other.${buyer.email}`
    const headers = { origin: store.address }
    expect((await request.post('/api/auth/sign-up/email', { headers, data: { ...buyer, email: other } })).ok()).toBe(true)
    await openAsAdmin(page, '/dashboard/allusers?limit=50')
    const button = page.getByRole('button', { name: `Make Admin, ${buyer.email}` })
    await button.click()
    const question = page.getByRole('alertdialog', { name: 'Make this account an admin?' })
    await expect(question).toContainText(buyer.email)
    await expect(question).toContainText('This e-mail has not been verified: anybody may have registered it')
    await expect(question).toContainText('change products, prices and stock, see all orders and customers, refund payments')
    await expect(question.getByRole('button', { name: 'Keep as customer' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(button).toBeFocused()
    await button.click()
    await question.getByRole('button', { name: `Make ${buyer.email} an admin` }).click()
    await expect(toasts(page)).toContainText(`Made an admin${buyer.email}`)
    await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Made an admin' })).toContainText(buyer.email)

    // Whom somebody else has made an admin meanwhile: modifiedCount is 0, and nothing was done here that could be told.
    expect((await request.put(`/api/user/admin/${other}`, { headers: await asAdmin(page) })).ok()).toBe(true)
    await page.getByRole('button', { name: `Make Admin, ${other}` }).click()
    await question.getByRole('button', { name: `Make ${other} an admin` }).click()
    await expect(page.getByRole('row').filter({ hasText: other }).locator(':focus')).toHaveText('Admin')
    await expect(toasts(page)).not.toContainText(other)

    const row = page.getByRole('row').filter({ has: page.getByText(buyer.email, { exact: true }) })
    await expect(row.getByText('Admin', { exact: true })).toBeVisible()
    await page.reload()
    await expect(row.getByText('Admin', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: `Make Admin, ${buyer.email}` })).toHaveCount(0)

    await row.getByRole('button', { name: 'Take Back Admin' }).click()
    await page.getByRole('button', { name: `Take it back from ${buyer.email}` }).click()
    await expect(toasts(page)).toContainText(`Admin role taken back${buyer.email}`)
    await expect(row.getByRole('button', { name: 'Make Admin' })).toBeVisible()
  })

  test("a Make Admin that is answered 403 says 'Failed to make admin' in a toast and in the row, any other refusal why in the words of the server", async ({
    page,
    buyer,
  }) => {
    await openAsAdmin(page, '/dashboard/allusers?limit=50')
    await page.route('**/api/user/admin/*', (route) =>
      route.fulfill({ status: 403, json: { message: 'This is for admins only', code: 'forbidden' } }),
    )
    await page.getByRole('button', { name: `Make Admin, ${buyer.email}` }).click()
    await page.getByRole('button', { name: `Make ${buyer.email} an admin` }).click()
    await expect(toasts(page)).toContainText('Failed to make admin')
    const row = page.getByRole('row').filter({ hasText: buyer.email })
    await expect(row.getByRole('alert').getByText('Failed to make admin', { exact: true })).toBeVisible()
    for (const told of [row.getByRole('alert'), toasts(page)])
      await expect(told).toContainText(
        `${buyer.email} is no admin yet. Reload the page to see whether you still are one, then press Make Admin again.`,
      )
    await expect(row.getByRole('button', { name: 'Make Admin' })).toBeEnabled()

    await page.unroute('**/api/user/admin/*')
    await page.route('**/api/user/admin/*', (route) => route.fulfill({ status: 404, json: { message: 'There is no such account' } }))
    await row.getByRole('button', { name: 'Make Admin' }).click()
    await page.getByRole('button', { name: `Make ${buyer.email} an admin` }).click()
    await expect(row.getByRole('alert')).toContainText('There is no such account')
  })

  test('Lift limits lets an account order without the limits of buyers, and the same button puts them back', async ({
    page,
    buyer,
    request,
  }) => {
    await openAsAdmin(page, '/dashboard/allusers?limit=50')
    const lifted = async () => {
      const users: { email: string; limitsLifted: boolean }[] = await (
        await request.get('/api/user', { headers: await asAdmin(page) })
      ).json()
      return users.find(({ email }) => email === buyer.email)?.limitsLifted
    }
    await page.getByRole('button', { name: `Lift limits, ${buyer.email}` }).click()
    const row = page.getByRole('row').filter({ hasText: buyer.email })
    const told = page.getByRole('main').getByRole('status')
    await expect(toasts(page)).toContainText(`Limits lifted${buyer.email}`)
    await expect(told.filter({ hasText: 'Limits lifted' })).toContainText(`${buyer.email} orders without the limits of buyers`)
    await expect(row.getByText('Limits lifted', { exact: true })).toBeVisible()
    expect(await lifted()).toBe(true)
    await page.reload()
    await page.getByRole('button', { name: `Put limits back, ${buyer.email}` }).click()
    await expect(told.filter({ hasText: 'Limits put back' })).toContainText(buyer.email)
    await expect(row.getByText('Limits: usual', { exact: true })).toBeVisible()
    const explained = page.getByRole('main')
    await expect(explained).toContainText('The usual limits bound how many unpaid orders an account has at a time')
    await expect(explained).toContainText('A verified e-mail makes each of them 4 times as high')
    await expect(explained).toContainText('Where they are lifted, an account can have any number of unpaid orders')
    expect(await lifted()).toBe(false)

    await page.route('**/api/user/limits/*', (route) => route.fulfill({ status: 404, json: { message: 'There is no such account' } }))
    await page.getByRole('button', { name: `Lift limits, ${buyer.email}` }).click()
    await expect(page.getByRole('row').getByRole('alert')).toContainText('There is no such account')
  })

  test('an owner reads what an admin has changed of a profile, and puts it back', fullRunJourney, async ({ page, buyer, request }) => {
    await openAsAdmin(page, '/dashboard/allusers?limit=50')
    const headers = await asAdmin(page)
    const profile = { picture: '/drawings/avatar.svg', location: 'London', phone: '+44 20 7946 0018' }
    for (const location of ['London', 'Nowhere'])
      expect((await request.put(`/api/users/${buyer.email}`, { headers, data: { ...profile, location } })).ok()).toBe(true)
    await page.getByRole('link', { name: "What admins have changed of others' profiles" }).click()
    const entries = page.getByRole('listitem').filter({ hasText: buyer.email })
    await expect(entries).toHaveCount(2)
    await expect(entries.first()).toContainText('London')
    await entries
      .first()
      .getByRole('button', { name: `Put Back, ${buyer.email}` })
      .click()
    await expect(entries).toHaveCount(3)
    await expect(entries.first()).toContainText('Nowhere')
    const [told] = await (await request.get(`/api/user/${buyer.email}`, { headers })).json()
    expect(told.location).toBe('London')
  })

  test('Remove User asks by name, and closes the account only when told to, and brings it back', async ({
    page,
    buyer,
    request,
    store,
  }) => {
    await openAsAdmin(page, '/dashboard/allusers?limit=50')
    const button = page.getByRole('button', { name: `Remove User, ${buyer.email}` })
    await button.click()
    const question = page.getByRole('alertdialog', { name: 'Remove this account?' })
    await expect(question).toContainText(buyer.email)
    await expect(question).toContainText('Its unpaid orders end, and their pieces go back into stock; the others stay as they are')
    await expect(question.getByRole('button', { name: 'Keep it' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(button).toBeFocused()

    await button.click()
    await question.getByRole('button', { name: `Remove ${buyer.email}` }).click()
    await expect(toasts(page)).toContainText('Account removed')
    await expect(page.getByRole('main').getByText(`${buyer.email} can no longer sign in`)).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: buyer.email })).toHaveCount(0)
    const headers = { origin: store.address }
    expect((await request.post('/api/auth/sign-in/email', { headers, data: buyer })).ok()).toBe(false)

    await page.getByRole('button', { name: `Bring Back, ${buyer.email}` }).click()
    await expect(toasts(page)).toContainText('Account brought back')
    await expect(page.getByRole('row').filter({ hasText: buyer.email })).toContainText('Make Admin')
    await expect(page.getByRole('button', { name: `Bring Back, ${buyer.email}` })).toHaveCount(0)
    expect((await request.post('/api/auth/sign-in/email', { headers, data: buyer })).ok()).toBe(true)
  })
})

test('an admin screen that cannot ask who is an admin signs nobody out, and offers to try again', async ({ page }) => {
  await openAsAdmin(page, '/dashboard')
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  const table = page.getByRole('table', { name: 'Nucleus of PC All Users' })
  for (const [answer, words] of [
    [(route: Route) => route.abort(), 'The store cannot be reached'],
    [(route: Route) => route.fulfill({ status: 503, json: { message: 'The books are being moved' } }), 'The books are being moved'],
  ] as const) {
    await page.route('**/api/admin/*', answer)
    await page.goto('/dashboard/allusers?limit=50')
    await expect(page.getByRole('main').getByRole('alert')).toContainText(words)
    expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBe(token)
    await page.unroute('**/api/admin/*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(table).toBeVisible()
  }
})
