import { isFullRun } from '../proof/full-run.ts'
import { expectColour } from './colour.ts'
import { adminCredentials, expect, registerByApi, signIn, test } from './store.ts'

const adminScreens = [
  '/dashboard/allusers',
  '/dashboard/manageproducts',
  '/dashboard/manageallorders',
  '/dashboard/tosend',
  '/dashboard/receivables',
  '/dashboard/reviews',
  '/dashboard/addatool',
]

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the home page and all products can be read, with prices, stock and minimums', async ({ page, store }) => {
    const tools: { name: string; price: number }[] = await (await fetch(`${store.address}/api/tools`)).json()

    await page.goto('/')
    const cards = page.getByRole('article')
    for (const [place, tool] of tools.slice(0, 6).entries()) {
      await expect(cards.nth(place)).toContainText(tool.name)
      await expect(cards.nth(place)).toContainText(`Price: $${tool.price}`)
    }
    await expect(page.getByText('No user logged in')).toBeVisible()
    const said = await page.getByRole('main').textContent()
    for (const tool of tools.slice(10, 100)) expect(said).toContain(tool.name)

    await page.getByRole('link', { name: 'All Tools Have on Stock' }).first().click()
    const shown: string[] = []
    for (let number = 1, rest = tools.length; rest > 0; number++, rest -= 24) {
      if (number > 1) await page.waitForURL(`**/allproducts?page=${number}`)
      const names = page.getByRole('article').getByRole('heading')
      await expect(names).toHaveCount(Math.min(rest, 24))
      shown.push(...(await names.allTextContents()))
      if (rest > 24) await page.getByRole('link', { name: 'Next page' }).press('Enter') // by pointer the cards above may still grow
    }
    expect(shown).toEqual(tools.map(({ name }) => name))
  })

  test('the browser itself requires every field of login and registration', async ({ page }) => {
    for (const [screen, fields] of [
      ['/login', ['E-mail', 'Password']],
      ['/register', ['Full name', 'E-mail', 'Password']],
    ] as const) {
      await page.goto(screen)
      await expect(page.getByRole('main').locator('form input')).toHaveCount(fields.length)
      await expect(page.getByRole('main').locator('form')).toHaveJSProperty('noValidate', false)
      for (const name of fields) await expect(page.getByLabel(name, { exact: true })).toHaveAttribute('required')
      await expect(page.getByRole('main').locator('form input:invalid')).toHaveCount(fields.length)
    }
  })
})

test('a visitor of any screen of customers or admins is sent to the login, which remembers the way back', async ({ page }) => {
  const further = [
    '/dashboard',
    '/dashboard/addreview',
    '/dashboard/myorder/x',
    '/dashboard/payment/x',
    '/dashboard/allusers',
    '/dashboard/manageproducts',
    '/dashboard/order/x',
    '/dashboard/addatool',
  ]
  // Each of these four is guarded in a place of its own, which the further ones share.
  for (const screen of [
    '/purchase/x',
    '/dashboard/myorder',
    '/dashboard/manageallorders',
    '/instrument/x',
    ...(isFullRun ? further : []),
  ]) {
    await page.goto(screen)
    await page.waitForURL((url) => url.pathname === '/login' && url.searchParams.get('from') === screen)
  }
})

test('a wrong password is told in words and keeps the e-mail', async ({ page }) => {
  await page.goto('/login')
  await signIn(page, { email: adminCredentials.email, password: 'not the right one' })
  await expect(page.getByRole('alert')).toContainText('Error: The e-mail or the password is not right')
  await expect(
    page.getByRole('alert').getByText('Reset the password or use Google if you registered with it', { exact: true }),
  ).toBeVisible()
  await expectColour(page.getByText('Error: The e-mail or the password is not right'), 'red')
  await expect(page.getByRole('alert').locator('svg')).toBeVisible()
  await expect(page.getByLabel('E-mail')).toHaveValue(adminCredentials.email)
})

test('a customer is no admin: every admin screen signs out and leads to the login', async ({ page, request, buyer, store }) => {
  await registerByApi(page, buyer)
  const account = await page.evaluate(() => localStorage.getItem('account'))
  for (const screen of ['/dashboard/manageallorders', '/instrument/x', ...(isFullRun ? [...adminScreens, '/dashboard/order/x'] : [])]) {
    const signedIn = await request.post('/api/auth/sign-in/email', { headers: { origin: store.address }, data: buyer })
    const { token } = await signedIn.json()
    await page.evaluate((kept) => Object.assign(localStorage, kept), { account, accessToken: token })
    await page.goto(screen)
    await page.waitForURL('**/login?*')
    expect(new URL(page.url()).searchParams.get('from'), screen).toBeNull()
    await expect(page.getByRole('main').getByRole('status')).toContainText('This account is not an admin, and was signed out')
    expect(await page.evaluate(() => localStorage.getItem('accessToken')), screen).toBeNull()
    const answer = await request.get('/api/bookings', { headers: { authorization: `Bearer ${token}` } })
    expect(answer.status(), screen).toBe(401)
  }
  await page.reload()
  await expect(page.getByRole('main').getByRole('status')).toContainText('Sign in as an admin, or go on as a customer')
  await signIn(page, buyer)
  await page.waitForURL('**/home')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()

  // With a form open in another tab the login asks before it signs out, and a sign-in that fails does not either.
  await page.goto('/dashboard/addreview')
  await page.getByLabel('Say About Our Company').fill('Half typed')
  const other = await page.context().newPage()
  await other.goto('/dashboard/allusers')
  await other.waitForURL('**/login?*')
  const notice = other.getByRole('main').getByRole('status')
  await expect(notice).toContainText(`That page is for admins`)
  await expect(notice).toContainText(`You are signed in as ${buyer.name}, a customer, and stay so`)
  await signIn(other, { email: adminCredentials.email, password: 'not the right one' })
  await expect(other.getByRole('alert')).toBeVisible()
  await page.getByLabel('Say About Our Company').press('End')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await notice.getByRole('link', { name: 'Stay signed in' }).click()
  await expect(other.getByRole('heading', { name: 'My Profile' })).toBeVisible()
  await expect(page.getByLabel('Say About Our Company')).toHaveValue('Half typed')
})

test('signing out ends the session here and on the server', async ({ page, buyer, store }) => {
  await registerByApi(page, buyer)
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  await page.goto('/blogs')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByText('No user logged in')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
  const answer = await fetch(`${store.address}/api/bookings`, { headers: { authorization: `Bearer ${token}` } })
  expect(answer.status).toBe(401)
})

test('an ended session on My Orders leads home with a word about it, and back after signing in', async ({ page, buyer }) => {
  await registerByApi(page, buyer)
  await page.evaluate(() => localStorage.setItem('accessToken', 'no-longer-valid'))
  await page.clock.install()
  await page.goto('/dashboard/myorder')
  await page.waitForURL((url) => url.pathname === '/')
  const notice = page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /^You were signed out/ })
  await expect(notice).toBeVisible()
  await page.clock.runFor(60_000)
  await expect(notice).toBeVisible()
  await expect(page.getByText('No user logged in')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
  await notice.getByRole('link', { name: 'Sign in to see your orders' }).click()
  await signIn(page, buyer)
  await page.waitForURL('**/dashboard/myorder')

  // A browser that asks for somebody else's orders is answered 403.
  await page.evaluate(() =>
    localStorage.setItem('account', JSON.stringify({ name: 'Somebody else', email: 'else@shop.example', admin: false })),
  )
  const refused = page.waitForResponse((answer) => answer.url().includes('/api/purchase?buyerEmail=else'))
  await page.goto('/dashboard/myorder')
  expect((await refused).status()).toBe(403)
  await page.waitForURL((url) => url.pathname === '/')
  await expect(page.getByText('No user logged in')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
})
