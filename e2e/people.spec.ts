import type { Locator, Page } from '@playwright/test'
import type { BuiltStore } from './built-store.ts'
import { expect, openAsAdmin, registerByApi, signIn, test } from './store.ts'

const main = (page: Page) => page.getByRole('main')
const noNetwork = 'The store cannot be reached. Check your connection and try again.'
const described = (page: Page) => page.getByRole('main').locator('dl')

async function fillProfile(page: Page) {
  await page.getByLabel('Image URL').fill('/drawings/crimper.svg')
  await page.getByLabel('Education').fill('Mathematics, privately')
  await page.getByLabel('Location').fill('London, United Kingdom')
  await page.getByLabel('Phone').fill('0171 987')
  await page.getByLabel('LinkedIn profile link').fill('linkedin.com/in/ada')
}

async function fillReview(page: Page) {
  await page.getByLabel('Say About Our Company').fill('Counted and complete.')
  await page.getByLabel('As a figure').selectOption('4.5')
}

const deleteOrders = `with waiting as (delete from due_documents using orders where order_id = orders.id and buyer_email = $1)
  delete from orders where buyer_email = $1`

/** Those who have bought stand before all others, until this is disposed of. */
async function paysForAnOrder(store: BuiltStore, { email }: { email: string }): Promise<AsyncDisposable> {
  await store.sql(
    `insert into orders (id, currency, goods_cents, total_cents, buyer_id, buyer_name, buyer_email, buyer_address, hold_until)
     select gen_random_uuid(), 'usd', 100, 100, users.id, users.name, users.email, '1 Road', now() + interval '1 day'
     from users where users.email = $1`,
    [email],
  )
  await store.sql(`update orders set order_status = 'placed', payment_status = 'paid' where buyer_email = $1`, [email])
  return { [Symbol.asyncDispose]: () => store.sql(deleteOrders, [email]) }
}

/** The colours of a line of pixels, three below the upper edge of this element. */
async function coloursAlong(element: Locator): Promise<string[]> {
  const picture = `data:image/png;base64,${(await element.screenshot()).toString('base64')}`
  return element.evaluate(async (_, picture) => {
    const image = Object.assign(new Image(), { src: picture })
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
    const drawing = canvas.getContext('2d')
    drawing?.drawImage(image, 0, 0)
    const line = drawing?.getImageData(2, 3, image.width - 4, 1).data ?? []
    return [...new Set(Array.from({ length: line.length / 4 }, (_, nth) => line.slice(4 * nth, 4 * nth + 3).join(' ')))]
  }, picture)
}

/** The session ends on the server while the page is open. */
const endSession = (page: Page) =>
  page.evaluate(async () => {
    const authorization = `Bearer ${localStorage.getItem('accessToken')}`
    await fetch('/api/auth/sign-out', { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body: '{}' })
  })

test('My Profile shows what is told and what is not yet, and unsaved changes are not left without a question; its form shows the picture, says what is missing, saves without education and LinkedIn and whole, and the page says when', async ({
  page,
  buyer,
}) => {
  await registerByApi(page, buyer)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: buyer.name })).toBeVisible()
  await expect(described(page)).toContainText(buyer.email)
  await expect(described(page).getByText('Not provided yet')).toHaveCount(4)
  await expect(page.getByLabel('Name')).not.toBeEditable()
  await expect(page.getByRole('textbox', { name: 'E-mail' })).not.toBeEditable()

  await page.getByLabel('Image URL').fill('/no-such-picture.png')
  await expect(page.getByText('No picture could be loaded from this address')).toBeVisible()
  await page.getByLabel('Image URL').fill('/drawings/crimper.svg')
  await expect(page.getByText('This is how the picture will be shown')).toBeVisible()
  await expect(main(page).locator('form img')).toHaveAttribute('src', '/drawings/crimper.svg')

  await page.getByLabel('Location').fill('Paris')
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await page.getByRole('link', { name: 'My Orders' }).click()
  await expect(question.getByRole('button', { name: 'Stay here' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(page.getByLabel('Location')).toHaveValue('Paris')
  await page.getByRole('link', { name: 'My Orders' }).click()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL('**/dashboard/myorder')
  await page.getByRole('link', { name: 'My Profile' }).click()
  await expect(page.getByLabel('Location')).toHaveValue('')

  const texts = ['Image URL', 'Education', 'Location', 'LinkedIn profile link']
  for (const name of texts) await expect(page.getByLabel(name)).toHaveJSProperty('type', 'text')
  await expect(page.getByLabel('Phone')).toHaveJSProperty('type', 'tel')
  await expect(page.getByLabel('Phone')).toHaveJSProperty('inputMode', 'tel')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(page.getByText('is required')).toHaveText(['picture is required', 'location is required', 'phone is required'])
  await expect(page.getByLabel('Image URL')).toBeFocused()
  await page.getByLabel('Image URL').fill('/drawings/crimper.svg')
  await page.getByLabel('Location').fill('London, United Kingdom')
  await page.getByLabel('Phone').fill('0171 987')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(main(page).getByText('Profile saved')).toBeVisible()
  await expect(described(page).locator('dd').nth(1)).toHaveText('0171 987')
  await expect(described(page).getByText('Not provided yet')).toHaveCount(2)

  await fillProfile(page)
  await expect(page.getByText('is required')).toHaveCount(0)
  await page.getByLabel('Phone').fill('call me')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(page.getByText('A phone number has digits')).toBeVisible()
  for (const [attribute, value] of Object.entries({ type: 'tel', inputmode: 'tel', autocomplete: 'tel' }))
    await expect(page.getByLabel('Phone')).toHaveAttribute(attribute, value)
  await page.getByLabel('Phone').fill('+4917012345678')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(main(page).getByText('Profile saved')).toBeVisible()
  await expect(main(page).getByText(/Saved on \d+ \w+ \d{4}, \d\d:\d\d UTC/)).toBeVisible()
  await expect(described(page)).toContainText('+4917012345678')

  await page.reload()
  await expect(main(page).getByRole('region', { name: buyer.name }).locator('img')).toHaveAttribute('src', '/drawings/crimper.svg')
  await expect(described(page).locator('dt')).toHaveText(['E-mail', 'Phone', 'Education', 'Location', 'LinkedIn profile'])
  const told = [buyer.email, '+4917012345678', 'Mathematics, privately', 'London, United Kingdom', 'linkedin.com/in/ada']
  await expect(described(page).locator('dd')).toHaveText(told)
  await expect(page.getByLabel('Phone')).toHaveValue('+4917012345678')
  await expect(page.getByLabel('LinkedIn profile link')).toHaveValue('https://linkedin.com/in/ada')
  await expect(page.getByRole('link', { name: 'linkedin.com/in/ada' })).toHaveAttribute('href', 'https://linkedin.com/in/ada')
})

test('a customer posts a review, by keyboard too, and it stands first on the home page', async ({ page, buyer, store }) => {
  await page.goto('/') // the page is kept from here on
  await registerByApi(page, buyer)
  await using _ = await paysForAnOrder(store, buyer)
  await page.goto('/dashboard/addreview')
  await expect(page.getByRole('heading', { name: 'Please Post Your Review Here Below' })).toBeVisible()
  await expect(page.getByLabel('Reviewer Name')).toHaveValue(buyer.name)
  await expect(page.getByLabel('Reviewer Image')).toHaveValue('/drawings/avatar.svg')
  await expect(page.getByLabel('Say About Our Company')).toHaveJSProperty('type', 'textarea')
  expect(await main(page).locator('form > div > label, form > fieldset > legend').allTextContents()).toEqual([
    'Reviewer Name',
    'Reviewer Image',
    'Say About Our Company',
    'Reviewer Rating out of 5 on Our Company',
  ])
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST') sent++
  })

  await expect(main(page)).not.toContainText('0 out of 5')
  await page.getByLabel('Reviewer Name').fill('')
  await page.getByLabel('Reviewer Image').fill('')
  await page.getByRole('button', { name: 'Post Review' }).click()
  for (const words of ['UserName is required', 'user image is required', 'field is required', 'need to give rating'])
    await expect(page.getByText(words)).toBeVisible()
  await expect(page.getByLabel('Reviewer Name')).toBeFocused()
  expect(sent).toBe(0)

  const about = `Counted and complete, says ${buyer.email}.`
  await page.getByLabel('Reviewer Name').fill(buyer.name)
  await page.getByLabel('Reviewer Image').fill('/drawings/avatar.svg')
  await page.getByLabel('Say About Our Company').fill(about)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByLabel('3 fair')).toBeChecked()
  await expect(page.getByText('need to give rating')).toHaveCount(0)
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByLabel('As a figure')).toHaveValue('3.5')
  await page.getByRole('button', { name: 'Post Review' }).click()

  await expect(main(page).getByText('Review Added Successfully')).toBeVisible()
  await expect(main(page).getByRole('article')).toContainText(about)
  await expect(main(page).getByRole('article')).toContainText('3.5 out of 5')
  await page.goto('/')
  const said = page.getByRole('region', { name: 'What customers say' }).getByRole('article')
  await expect(said.first()).toContainText(about)

  // The call takes any number; nobody sees one above 5.
  const authorization = `Bearer ${await page.evaluate(() => localStorage.getItem('accessToken'))}`
  const seven = { name: buyer.name, img: '/drawings/avatar.svg', about: `Seven, says ${buyer.email}.`, rating: 7 }
  expect((await page.request.post('/api/reviews', { headers: { authorization }, data: seven })).status()).toBe(201)
  await page.goto('/')
  await expect(said.first()).toContainText(seven.about)
  await expect(said.first()).toContainText('5 out of 5')
  await expect(said.first()).not.toContainText('7 out')
  await expect(said.filter({ hasText: about })).toHaveCount(0) // one customer has one review
})

test('the form begins with the own review; a new one replaces it and says so, an admin hides it and brings it back', async ({
  page,
  buyer,
  browser,
  store,
}) => {
  await registerByApi(page, buyer)
  const about = `Came in time, says ${buyer.email}.`
  await page.goto('/dashboard/addreview')
  await fillReview(page)
  await page.getByLabel('Say About Our Company').fill(about)
  await page.getByRole('button', { name: 'Post Review' }).click()
  await expect(main(page).getByText('Review Added Successfully')).toBeVisible()
  await expect(main(page).getByText('It has replaced your earlier review.')).toHaveCount(0)

  await page.goto('/dashboard/addreview')
  await expect(main(page).getByText('You have written a review already')).toBeVisible()
  await expect(page.getByLabel('Say About Our Company')).toHaveValue(about)
  await expect(page.getByLabel('As a figure')).toHaveValue('4.5')
  await page.getByLabel('As a figure').selectOption('2')
  await page.getByRole('button', { name: 'Post Review' }).click()
  await expect(main(page).getByText('Review Added Successfully')).toBeVisible()
  await expect(main(page).getByText('It has replaced your earlier review.')).toBeVisible()
  await using _ = await paysForAnOrder(store, buyer)

  const desk = await browser.newPage({ baseURL: store.address, deviceScaleFactor: 1 }) // its colours are looked at by the pixel
  await openAsAdmin(desk, '/dashboard/reviews')
  const row = desk.getByRole('row').filter({ hasText: about })
  await expect(row).toContainText('Has bought here')
  await row.getByRole('button', { name: `Hide, the review of ${buyer.name}` }).click()
  await expect(main(desk).getByText('Review hidden')).toBeVisible()
  await expect(row).toContainText('Hidden')
  for (const width of [1280, 1283, 1290, 1301]) {
    await desk.setViewportSize({ width, height: 900 })
    // what said that it is hidden may go, and move the table, between the look at its place and the picture
    await expect.poll(() => coloursAlong(desk.locator('thead')), `the headings, ${width} px wide`).toHaveLength(1)
  }
  const said = page.getByRole('region', { name: 'What customers say' }).getByRole('article')
  await page.goto('/')
  await expect(said.first()).toBeVisible()
  await expect(said.filter({ hasText: about })).toHaveCount(0)
  await page.goto('/dashboard/addreview')
  await expect(main(page).getByText('Your review is hidden by the store')).toBeVisible()
  const why = main(page).getByRole('status').filter({ hasText: 'Your review is hidden by the store' })
  await expect(why).toContainText(/Since \d+ \w+ \d{4}, \d\d:\d\d UTC\. Only you and the store can read it\./)
  await expect(why.getByRole('link', { name: 'Write to us' })).toHaveAttribute('href', '/help#contact')
  await expect(page.getByRole('heading', { name: 'What others read' })).toHaveCount(0)
  await expect(page.getByRole('complementary', { name: 'What you and the store read' })).toContainText('hidden from everybody else')
  await expect(main(page)).not.toContainText('What you post stands on the home page for everybody')
  await page.getByRole('button', { name: 'Post Review' }).click()
  await expect(page.getByRole('dialog', { name: 'Review Added Successfully' })).toContainText('only you and the store can read it')

  await desk.route('**/api/reviews/*/hidden', (route) => route.abort())
  await row.getByRole('button', { name: 'Bring back' }).click()
  await expect(row.getByRole('alert')).toContainText('The store cannot be reached')
  await desk.unroute('**/api/reviews/*/hidden')
  await row.getByRole('button', { name: 'Bring back' }).click()
  await expect(row).toContainText('Everybody')
  await desk.close()
  await page.goto('/')
  await expect(said.first()).toContainText(about)
  await expect(said.first().getByText('Has bought here')).toBeVisible()
})

test('a profile that could not be saved stays in the form, without a network, through a failure and an ended sign-in', async ({
  page,
  buyer,
  context,
}) => {
  await registerByApi(page, buyer)
  await page.goto('/dashboard')
  await fillProfile(page)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(main(page).getByRole('alert')).toContainText(noNetwork)
  await context.setOffline(false)
  await page.route('**/api/users/*', (route) => route.fulfill({ status: 503, json: { message: 'The books are being moved.' } }))
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(main(page).getByRole('alert')).toContainText('The books are being moved.')
  await expect(main(page).getByRole('alert')).toBeFocused() // the button, which could not be pressed meanwhile, has lost the focus
  await page.unroute('**/api/users/*')
  await endSession(page)
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(main(page).getByRole('alert')).toContainText('Your sign-in has ended')
  await page.getByRole('link', { name: 'Sign in and go on' }).click()
  await signIn(page, buyer)
  await expect(page.getByLabel('Location')).toHaveValue('London, United Kingdom')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(main(page).getByText('Profile saved')).toBeVisible()
})

test('a review that could not be posted stays in the form, without a network, through a failure, a reload and an ended sign-in, and is one', async ({
  page,
  buyer,
  context,
  store,
}) => {
  await registerByApi(page, buyer)
  await page.goto('/dashboard/addreview')
  const about = `Counted and complete, says ${buyer.email}.`
  await fillReview(page)
  await page.getByLabel('Say About Our Company').fill(about)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Post Review' }).click()
  await expect(main(page).getByRole('alert')).toContainText(noNetwork)
  await context.setOffline(false)
  await page.route('**/api/reviews', (route) => route.fulfill({ status: 500, json: { message: 'The pen is broken.' } }))
  await page.getByRole('button', { name: 'Post Review' }).click()
  await expect(main(page).getByRole('alert')).toContainText('The pen is broken.')
  await expect(page.getByLabel('Notifications')).toHaveCount(0) // the page says it at the button
  await expect(page.getByText('Review Added Successfully')).toHaveCount(0)
  await page.unroute('**/api/reviews')
  await page.reload()
  await expect(page.getByLabel('As a figure')).toHaveValue('4.5')

  // Signing out in another tab is said at once, in each form.
  const elsewhere = await context.newPage()
  await elsewhere.goto('/dashboard')
  await elsewhere.getByRole('button', { name: 'Update Profile' }).waitFor()
  const session = await page.evaluate(() => ({ ...localStorage }))
  await page.evaluate(() => ['accessToken', 'account'].map((key) => localStorage.removeItem(key)))
  await expect(main(elsewhere).getByRole('status').filter({ hasText: 'Your sign-in has ended' })).toContainText('What you typed is kept')
  await elsewhere.evaluate((kept) => Object.assign(localStorage, kept), session)
  await elsewhere.reload()
  await elsewhere.getByRole('button', { name: 'Logout' }).click()
  const notice = main(page).getByRole('status').filter({ hasText: 'Your sign-in has ended' })
  await notice.getByRole('link', { name: 'Sign in and go on' }).click()
  await signIn(page, buyer)
  await expect(page.getByLabel('Say About Our Company')).toHaveValue(about)
  await endSession(page)
  await page.getByRole('button', { name: 'Post Review' }).click()
  await expect(main(page).getByRole('alert')).toContainText('Your sign-in has ended')
  await page.getByRole('link', { name: 'Sign in and go on' }).click()
  await signIn(page, buyer)
  await expect(page.getByLabel('Say About Our Company')).toHaveValue(about)

  // The review reaches the store, the answer never comes back.
  await page.route('**/api/reviews', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Post Review' }).click()
  await expect(main(page).getByRole('alert')).toContainText('We do not know whether your review has arrived')
  await page.unroute('**/api/reviews')
  await page.getByRole('button', { name: 'Post Review' }).click()
  await expect(main(page).getByText('Review Added Successfully')).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'Review Added Successfully' })).toBeVisible()
  const reviews: { about: string }[] = await (await fetch(`${store.address}/api/reviews`)).json()
  expect(reviews.filter((review) => review.about.includes(buyer.email))).toHaveLength(1)
})
