import type { Locator, Page } from '@playwright/test'
import { fullRunJourney } from '../proof/full-run.ts'
import type { BuiltStore } from './built-store.ts'
import { expect, openUntilQuiet, placePurchase, registerByApi, signIn, test } from './store.ts'

// The outbox opens to who sits at the machine, with nobody between.
test.use({ extraHTTPHeaders: {} })

/** Opens the newest mail to this address in the outbox. @returns its link */
async function openNewestMail(page: Page, { outboxKey }: BuiltStore, email: string, subject: string): Promise<Locator> {
  await expect(async () => {
    await page.goto(`/outbox?key=${outboxKey}`)
    await expect(page.getByRole('listitem').filter({ hasText: email }).first()).toContainText(subject, { timeout: 500 })
  }).toPass()
  await page.getByRole('listitem').filter({ hasText: email }).first().getByRole('link').click()
  return page.locator('pre').getByRole('link')
}

async function followNewestMail(...mail: Parameters<typeof openNewestMail>) {
  await (await openNewestMail(...mail)).click()
}

/** Registers, and is signed in to nothing on this page. */
async function registerElsewhere(page: Page, data: { name: string; email: string; password: string }, { address }: BuiltStore) {
  const answer = await page.request.post('/api/auth/sign-up/email', { headers: { origin: address }, data })
  expect(answer.status(), await answer.text()).toBe(200)
}

const pickPerson = async (page: Page, name: string, email: string, { verified = true } = {}) => {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('E-mail').fill(email)
  if (!verified) await page.getByLabel('The address is verified at Google').uncheck()
  await page.getByRole('button', { name: 'Go on as this person' }).click()
}
const badge = (page: Page) => page.getByRole('navigation', { name: 'Main' }).or(page.getByRole('banner')).locator('[data-badge]')

test('a login without a network says so, and goes on when it is back', async ({ page, request, buyer, context, store }) => {
  await placePurchase(request, store.address, buyer) // past the screens: this browser has fetched nothing of them
  await openUntilQuiet(page, '/login')
  await context.setOffline(true) // before anybody has gone into the form, which fetches its rules
  await page.getByRole('textbox', { name: 'E-mail' }).fill(buyer.email)
  await page.getByLabel('Password', { exact: true }).fill(buyer.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('main')).toContainText('The store cannot be reached. Check your connection and try again.')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/home')
})

test('the mail after a registration verifies the e-mail, once', fullRunJourney, async ({ page, buyer, store }) => {
  await registerByApi(page, buyer)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Send the verification mail again' }).click()
  await expect(page.getByRole('main').getByText('Verification mail sent')).toBeVisible()
  const link = (await (await openNewestMail(page, store, buyer.email, 'Verify your e-mail')).getAttribute('href')) ?? ''
  await page.goto('/verify-email#cut-off')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('This link does not work any more')
  await page.evaluate((hash) => window.location.assign(hash), new URL(link).hash) // in the same tab, where only the fragment is another
  await expect(page.getByText('Your e-mail is verified', { exact: true })).toBeVisible() // the refusal of the cut-off link has these words in a sentence
  await page.reload() // whoever it belongs to hears that all is well
  await expect(page.getByText('Your e-mail is verified', { exact: true })).toBeVisible()
  const used = page.url()
  await page.goto('/dashboard')
  await expect(page.getByRole('definition').filter({ hasText: buyer.email })).toContainText('Verified')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByText('No user logged in')).toBeVisible()
  await page.goto(used)
  await expect(page.getByRole('main').getByRole('alert')).toContainText('This link does not work any more')
})

test('Reset Password without an e-mail warns, with one sends a link to set a new password', async ({ page, buyer, store }) => {
  await registerElsewhere(page, buyer, store)
  await page.goto('/login')
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/request-password-reset')) asked++
  })
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByText('Please Enter your Email on the input field').first()).toBeVisible()
  await expect(page.getByLabel('E-mail')).toBeFocused()
  expect(asked).toBe(0)

  await page.getByLabel('E-mail').fill(buyer.email)
  const secret = page.getByLabel('Password', { exact: true })
  await secret.fill('was it this one')
  await secret.fill('') // and the field is left with the press of the button
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByRole('main').getByText('Reset password Email sent')).toBeVisible()
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(0)
  expect(asked).toBe(1)

  await followNewestMail(page, store, buyer.email, 'Set a new password')
  await page.getByLabel('New password', { exact: true }).fill('another good password')
  await page.getByRole('button', { name: 'Set the new password' }).click()
  await expect(page.getByRole('main').getByText('Your new password is set')).toBeVisible()
  await page.getByRole('link', { name: 'Go to the login' }).click()
  await signIn(page, { email: buyer.email, password: buyer.password })
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Error: The e-mail or the password is not right')
  await signIn(page, { email: buyer.email, password: 'another good password' })
  await page.waitForURL('**/home')
})

test(
  'a link for a new password that works no more leads to the login, and one that could not be tried is tried again',
  fullRunJourney,
  async ({ page }) => {
    await page.goto('/reset-password#a-token')
    const form = page.getByRole('main')
    const set = form.getByRole('button', { name: 'Set the new password' })
    await expect(form.getByLabel('New password', { exact: true })).toHaveAttribute('autocomplete', 'new-password')
    await page.route('**/api/auth/reset-password', (route) => route.abort())
    await form.getByLabel('New password', { exact: true }).fill('another good password')
    await set.click()
    await expect(form.getByRole('alert')).toContainText('What you typed is kept: try again.')
    await expect(form.getByRole('link', { name: 'Go to the login' })).toHaveCount(0)
    await page.unroute('**/api/auth/reset-password')
    await set.click()
    await expect(form.getByRole('alert')).toContainText('This link does not work any more')
    await expect(set).toHaveCount(0)
    await page.evaluate(() => window.location.assign('#another-token')) // the link of another mail, in the same tab
    await expect(set).toBeVisible()
    await form.getByLabel('New password', { exact: true }).fill('another good password')
    await set.click()
    await form.getByRole('link', { name: 'Go to the login' }).click()
    await page.waitForURL('**/login')
  },
)

test('a visitor signs in with Google and comes back to where they were', async ({ page, buyer, store }) => {
  const [tool]: { _id: string; name: string }[] = await (await fetch(`${store.address}/api/tools`)).json()
  await page.goto(`/purchase/${tool?._id}?quantity=25`)
  await expect(page.getByText(`Sign in to order 25 x ${tool?.name}`)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Add it to the basket on its page' })).toHaveAttribute(
    'href',
    `/products/${tool?._id}?quantity=25`,
  )
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await expect(page.getByRole('heading', { name: 'Pick a test person' })).toBeVisible()
  await pickPerson(page, buyer.name, buyer.email)

  await page.waitForURL(`**/purchase/${tool?._id}?quantity=25`)
  await expect(badge(page)).toHaveText(buyer.name)
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toMatch(/^\w{20,}$/)
  await expect(page.getByLabel('E-mail')).toHaveValue(buyer.email)

  // A link that somebody else has written says nothing about who is signed in.
  await page.goto('/login/google#email=owner%40store.example&name=Mallory')
  await page.waitForURL('**/home')
  await expect(badge(page)).toHaveText(buyer.name)
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toMatch(/^\w{20,}$/)
})

test('a sign-in with Google that is cancelled says so in a toast and in the page, an e-mail that Google has not verified opens no account, and who has no display name is called by the e-mail', async ({
  page,
  buyer,
}) => {
  await page.goto('/register')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Cancel and go back to the store' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('You cancelled the sign-in with Google')
  await expect(page.getByLabel('Notifications').getByText('You cancelled the sign-in with Google')).toBeVisible()
  await page.getByRole('link', { name: 'Back to the login' }).click()
  await expect(page.getByText('No user logged in')).toBeVisible()
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await pickPerson(page, buyer.name, buyer.email, { verified: false })
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Google has not verified this e-mail')

  await page.goto('/login')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await pickPerson(page, '', buyer.email)
  await page.waitForURL('**/home')
  await expect(badge(page)).toHaveText(buyer.email)
  await page.reload()
  await expect(badge(page)).toHaveText(buyer.email)
})

test('Google is refused while a password account of that e-mail is unverified, and works after it was verified', async ({
  page,
  buyer,
  store,
}) => {
  await registerElsewhere(page, buyer, store)
  const withGoogle = async () => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await pickPerson(page, 'Somebody else', buyer.email)
  }
  await withGoogle()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Verify your e-mail first')
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()

  await followNewestMail(page, store, buyer.email, 'Verify your e-mail') // signed in to nothing: the password may be another's
  await page.getByLabel('New password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Verify and set the password' }).click()
  await expect(page.getByText('Use 8 characters or more')).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill('another good password')
  await page.getByRole('button', { name: 'Verify and set the password' }).click()
  await expect(page.getByRole('main').getByText('Your e-mail is verified, and your new password is set')).toBeVisible()
  await withGoogle()
  await page.waitForURL('**/home')
  await expect(badge(page)).toHaveText(buyer.name)
})
