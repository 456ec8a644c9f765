import type { Page } from '@playwright/test'
import { fullRunJourney, isFullRun } from '../proof/full-run.ts'
import { expectColour } from './colour.ts'
import { waitForHydration } from './hydration.ts'
import { adminCredentials, expect, placePurchase, registerByApi, restoreSession, signInAsAdmin, test } from './store.ts'

// The errors and refusals that no form's own journey shows, as a person meets them: what happened, and what to do next.

const main = (page: Page) => page.getByRole('main')

const forms = [
  ['/login', 'Login', { 'E-mail': ['Enter your e-mail', 'email'], Password: ['Enter a password', 'current-password'] }],
  [
    '/register',
    'Register',
    {
      'Full name': ['Enter your full name', 'name'],
      'E-mail': ['Enter your e-mail', 'email'],
      Password: ['Enter a password', 'new-password'],
    },
  ],
] as const

test("an empty form of login or registration is answered below each field in the store's own words, and a password manager is told what each field is; a failed registration says why in red, that nothing was registered, and keeps what was typed", async ({
  page,
}) => {
  for (const [screen, button, fields] of forms) {
    await page.goto(screen)
    await expect(main(page).locator('form')).toHaveJSProperty('noValidate', true)
    await expect(main(page).locator('input, select, textarea')).toHaveCount(Object.keys(fields).length)
    await page.getByRole('button', { name: button, exact: true }).click()
    for (const [label, [words, meant]] of Object.entries(fields)) {
      const field = page.getByLabel(label, { exact: true })
      await expect(field).toHaveAttribute('autocomplete', meant)
      await expect(field).toHaveAccessibleDescription(new RegExp(words))
      const [typed, told] = [await field.boundingBox(), await main(page).getByText(words, { exact: true }).boundingBox()]
      expect(told?.y ?? 0, label).toBeGreaterThan(typed?.y ?? 0)
    }
  }

  await page.getByLabel('Full name').fill('Ada Byron')
  await page.getByLabel('E-mail').fill(adminCredentials.email)
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Register' }).click()
  const told = main(page).getByRole('alert')
  await expect(told).toContainText('Nothing was registered, and what you typed is kept.')
  await expect(told.locator('svg')).toBeVisible()
  await expectColour(told.getByText(/^Error: \w/), 'red')
  await expect(page.getByLabel('E-mail')).toHaveValue(adminCredentials.email)
})

/** What a screen loads does not come: words, a way to try again, and the screen once it comes. */
async function failsToLoad(page: Page, screen: string, call: string, shown: string | RegExp) {
  await page.route(call, (route) => route.fulfill({ status: 503, json: { message: 'The books are being moved' } }))
  await page.goto(screen)
  await expect(page.getByRole('heading', { level: 1 }), screen).toHaveText('This page could not be shown')
  await expect(main(page).getByRole('alert'), screen).toContainText('The books are being moved')
  await expect(page.getByText(/yet$/), screen).toHaveCount(0) // "No orders yet": nothing loaded is not nothing there
  await page.unroute(call)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 }), screen).toHaveText(shown)
}

test("what a customer's screens could not load is told in words, with a way to try again, and never looks empty", async ({
  page,
  buyer,
  store,
}) => {
  const [tool]: { _id: string; name: string }[] = await (await page.request.get('/api/tools')).json()
  const order = await placePurchase(page.request, store.address, buyer)
  await restoreSession(page, buyer, order.token)
  const payment = `/dashboard/payment/${order._id}`
  await failsToLoad(page, '/dashboard/myorder', '**/api/purchase?*', 'My Orders')
  await failsToLoad(page, payment, '**/api/orders/*', /^Pay for order \d+$/)
  if (!isFullRun) return // they share what tells of it
  await failsToLoad(page, '/dashboard', '**/api/user/*', 'My Profile')
  await failsToLoad(page, '/dashboard/addreview', '**/api/user/*', 'Please Post Your Review Here Below')
  await failsToLoad(page, `/purchase/${tool?._id}`, '**/api/products/*', tool?.name ?? '')
  await failsToLoad(page, payment.replace('payment', 'myorder'), '**/api/purchase/*/history', /^Order \d+$/)
})

test(
  "what an admin's screens could not load is told in words, with a way to try again, and never looks empty",
  fullRunJourney,
  async ({ page, buyer, store }) => {
    const order = await placePurchase(page.request, store.address, buyer)
    const [tool]: { _id: string }[] = await (await page.request.get('/api/tools')).json()
    await signInAsAdmin(page)
    await failsToLoad(page, '/dashboard/manageallorders', '**/api/bookings/page?*', 'Manage All Orders')
    await failsToLoad(page, `/dashboard/order/${order._id}`, '**/api/purchase/*/history', `Order ${order.number}`)
    if (!isFullRun) return // they share what tells of it
    await failsToLoad(page, '/dashboard/allusers', '**/api/user/page?*', 'All Users')
    await failsToLoad(page, '/dashboard/manageproducts', '**/api/search?*', 'Manage Products')
    await failsToLoad(page, `/instrument/${tool?._id}`, '**/api/products/*', 'Update product')
  },
)

test(
  'an order that was cancelled and could not be shown again is said to be cancelled, not to be unknown',
  fullRunJourney,
  async ({ page, buyer, store }) => {
    const order = await placePurchase(page.request, store.address, buyer)
    await signInAsAdmin(page)
    await page.goto(`/dashboard/order/${order._id}`)
    await page.getByLabel('Reason of the cancellation').fill('The maker has called these back')
    await page.getByRole('button', { name: /^Cancel order$/ }).click()
    const history = '**/api/purchase/*/history'
    await page.route(history, (route) => route.fulfill({ status: 503, json: { message: 'The books are being moved' } }))
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Cancel order \d+$/ })
      .click()
    await expect(main(page).getByText('It is done, but this page could not be renewed')).toBeVisible()
    await page.unroute(history)
    await page.reload()
    await expect(main(page).getByText('Cancelled', { exact: true }).first()).toBeVisible()
  },
)

test(
  'what keeps the card form from opening is told in words, with a way on, and the order stays',
  fullRunJourney,
  async ({ page, buyer, store }) => {
    const order = await placePurchase(page.request, store.address, buyer)
    await restoreSession(page, buyer, order.token)
    const payment = `/dashboard/payment/${order._id}`
    const told = main(page).getByRole('alert')
    for (const [status, code, message] of [
      [429, 'too_many_requests', 'Too many cards were declined: wait 60 minutes, then try again'],
      [
        503,
        'provider_unavailable',
        'The card provider does not answer at the moment. You have not been charged twice: try again in a minute',
      ],
    ] as const) {
      await page.route('**/api/create-payment-intent', (route) => route.fulfill({ status, json: { message, code } }))
      await page.goto(payment)
      await expect(told).toContainText(message)
      await expect(main(page)).toContainText('held for you until')
      await expect(main(page).getByRole('button', { name: /^Pay/ })).toHaveCount(0)
      await page.unroute('**/api/create-payment-intent')
      await main(page).getByRole('button', { name: 'Try again' }).click()
      await expect(main(page).getByRole('button', { name: /^Pay/ })).toBeEnabled()
    }
    // Its hold is over, and the sweep has not come by yet.
    const message = 'This order has expired: it was not paid in time, and its pieces are back in stock'
    await page.route('**/api/create-payment-intent', (route) => route.fulfill({ status: 409, json: { message, code: 'order_not_open' } }))
    await page.goto(payment)
    await expect(main(page).getByRole('status').filter({ hasText: message })).toContainText('Nothing was charged.')
    await expect(main(page).getByRole('link', { name: 'Order again' })).toBeVisible()
  },
)

test(
  'an order that waits after too many declined cards says until when, on the page of its payment and on the page of the admin, and is tried again then',
  fullRunJourney,
  async ({ page, buyer, store }) => {
    const order = await placePurchase(page.request, store.address, buyer)
    await restoreSession(page, buyer, order.token)
    await store.sql(
      `insert into order_history (order_id, event, state, order_status, actor, at)
     select id, 'card declined', 'open', 'open', 'card provider', now() - interval '10 minutes' from orders, generate_series(1, 5) where id = $1`,
      [order._id],
    )
    await page.clock.install()
    await page.goto(`/dashboard/payment/${order._id}`)
    const told = main(page).getByRole('alert')
    await expect(told).toContainText('Too many cards were declined for this order: wait 50 minutes, then try again')
    await expect(told).toContainText(/You can try again at \d+ \w+ \d{4}, \d\d:\d\d UTC\./)
    const until = Date.parse((await told.locator('time').getAttribute('datetime')) ?? '')
    expect(until - Date.now()).toBeGreaterThan(48 * 60_000)
    expect(until - Date.now()).toBeLessThanOrEqual(51 * 60_000)
    await expect(told.getByRole('button')).toHaveCount(0)

    const admin = await page.context().browser()?.newPage({ baseURL: store.address })
    if (!admin) throw new Error('The browser is gone')
    await signInAsAdmin(admin)
    await admin.goto(`/dashboard/order/${order._id}`)
    await expect(main(admin).getByText(/\d\d:\d\d UTC: too many cards were declined for this order$/)).toBeVisible()

    await store.sql(`update order_history set at = at - interval '1 hour' where order_id = $1 and event = 'card declined'`, [order._id])
    await admin.reload()
    await expect(main(admin).getByText('Held until')).toBeVisible()
    await expect(main(admin).getByText('Can be paid from')).toHaveCount(0)
    await admin.context().close()
    await page.clock.fastForward('51:00')
    await told.getByRole('button', { name: 'Try again' }).click()
    await expect(main(page).getByRole('button', { name: /^Pay/ })).toBeEnabled()
  },
)

test('a page that cannot be reached says so with its picture, and theme and account are still there when the connection is back', async ({
  page,
  buyer,
}) => {
  await registerByApi(page, buyer)
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))
  await page.goto('/allproducts')
  await waitForHydration(page) // before, a link loads a document, and with it none of this page's script
  const bar = page.getByRole('banner')
  await bar.getByRole('link', { name: 'Nucleus of PC' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.context().setOffline(true)
  await bar.getByRole('link', { name: 'All tools', exact: true }).click()
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('This page could not be shown')
  await expect(main(page).getByRole('alert')).toContainText('The store cannot be reached. Check your connection and try again.')
  await expect(main(page)).not.toContainText('Try again. If')
  await expect
    .poll(() =>
      main(page)
        .locator('img')
        .evaluate((picture: HTMLImageElement) => picture.naturalWidth),
    )
    .toBeGreaterThan(0)
  const remembered = () => page.evaluate(() => ({ ...document.documentElement.dataset }))
  expect(await remembered()).toMatchObject({ account: 'customer', theme: 'dark' })
  await main(page).getByRole('button', { name: 'Try again' }).click() // and it is the store that answers, not the browser
  await expect(main(page).getByRole('alert')).toContainText('The store cannot be reached')
  await page.context().setOffline(false)
  await bar.getByRole('link', { name: 'All tools', exact: true }).click()
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('All tools')
  expect(await remembered()).toMatchObject({ account: 'customer', theme: 'dark' })
  await expect(bar.getByRole('link', { name: 'Dashboard' }).filter({ visible: true })).toBeVisible()
})
