import type { Page } from '@playwright/test'
import type { BuiltStore } from './built-store.ts'
import { type Buyer, expect, openAsAdmin, openUntilQuiet, placePurchase, registerByApi, restoreSession, test } from './store.ts'

// Its averages and pages are those of a store in which nobody else reviews.
test.use({ storeOf: 'product reviews' })

type Tool = { _id: string; name: string }

const tools = async (store: BuiltStore): Promise<Tool[]> => (await fetch(`${store.address}/api/tools`)).json()
const main = (page: Page) => page.getByRole('main')
const section = (page: Page) => page.getByRole('region', { name: 'Reviews', exact: true })

/** The product that `placePurchase` orders. */
async function firstTool(store: BuiltStore): Promise<Tool> {
  const [tool] = await tools(store)
  if (!tool) throw new Error('The store has no catalogue')
  return tool
}

/** A review by a buyer of the product, as a call writes it. */
async function postReview(store: BuiltStore, toolId: string, token: string, review: object) {
  const answer = await fetch(`${store.address}/api/products/${toolId}/reviews`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(review),
  })
  expect(answer.status, await answer.text()).toBe(201)
}

test('a product without a review says so in words, and who has not bought it reads at the form what to do', async ({
  page,
  buyer,
  store,
}) => {
  const [, , tool] = await tools(store)
  await openUntilQuiet(page, `/products/${tool?._id}`)
  await expect(section(page)).toContainText('Nobody who bought it here has reviewed it yet.')
  await expect(section(page).getByRole('img')).toHaveCount(0)
  await expect(section(page).locator('svg')).toHaveCount(0)
  await expect(page.getByRole('link', { name: /of 5, / })).toHaveCount(0)
  expect(await page.locator('script[type="application/ld+json"]').textContent()).not.toContain('aggregateRating')

  await section(page).getByRole('link', { name: 'Review this product' }).click()
  await page.waitForURL('**/login?from=*')
  await registerByApi(page, buyer)
  await page.goto(`/dashboard/review/${tool?._id}`)
  await expect(page.getByRole('heading', { name: `Review ${tool?.name}`, exact: true })).toBeVisible()
  await expect(main(page)).toContainText('Only who has bought a product here can review it: order it from this account and pay')
  await expect(page.getByRole('button', { name: 'Post review' })).toHaveCount(0)
  await openAsAdmin(page, `/dashboard/review/${tool?._id}`)
  await expect(main(page)).toContainText('You are signed in as an admin')
})

test('a customer buys a product, reviews it by keyboard and sees the review on its page; an admin hides it', async ({
  page,
  buyer,
  browser,
  store,
}) => {
  const tool = await firstTool(store)
  await page.goto(`/products/${tool._id}`) // the page is kept from here on
  const order = await placePurchase(page.request, store.address, buyer, { paid: true })
  await restoreSession(page, buyer, order.token)
  await page.goto(`/dashboard/myorder/${order._id}`)
  await main(page).getByRole('link', { name: 'Your review of' }).click()

  await expect(page.getByLabel('Name that is shown')).toHaveValue(buyer.name)
  await page.getByRole('button', { name: 'Post review' }).click()
  for (const words of ['Rate it from 1 to 5, in whole or half steps', 'Say something about the product'])
    await expect(page.getByText(words)).toBeVisible()
  await expect(page.getByRole('radio', { name: /poor/ })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: /good/ })).toBeChecked()
  const figure = page.getByLabel('As a figure')
  await expect(figure.locator('option')).toHaveText(['Choose', ...[1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5].map((half) => `${half} out of 5`)])
  await figure.selectOption('4.5')
  const about = `Quiet, says ${buyer.email}.`
  await page.getByLabel('What you say about it').fill(about)
  await page.getByLabel('Name that is shown').fill('Ada of shop.example')
  await page.keyboard.press('Enter')
  await expect(main(page)).toContainText('A name has no web address in it')
  await page.reload()
  await expect(page.getByLabel('What you say about it')).toHaveValue(about) // what was typed is kept
  await expect(figure).toHaveValue('4.5')
  await page.getByLabel('Name that is shown').fill(buyer.name)
  await page.keyboard.press('Enter')
  await expect(main(page).getByText('Review posted')).toBeVisible()
  await expect(main(page)).not.toContainText('It has replaced')

  await openUntilQuiet(page, `/products/${tool._id}`)
  await page.getByRole('link', { name: '4.5 of 5, 1 review' }).click()
  await expect(section(page)).toBeInViewport()
  const review = section(page).getByRole('article')
  await expect(review).toHaveCount(1)
  for (const words of [buyer.name, '4.5 out of 5', 'Has bought it here', about]) await expect(review).toContainText(words)
  const structured = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '')
  expect(structured.aggregateRating).toMatchObject({ ratingValue: '4.5', reviewCount: 1 })
  await section(page).getByRole('link', { name: '4 stars' }).click()
  await page.waitForURL('**/reviews?stars=4')
  await expect(main(page)).toContainText('1 of 1 review, with 4 stars.')
  await expect(main(page).getByRole('article')).toContainText(about)

  await page.goto(`/dashboard/review/${tool._id}`)
  await expect(main(page).getByText('You have reviewed it already')).toBeVisible()
  await page.getByRole('radio', { name: /fair/ }).check()
  await page.getByRole('button', { name: 'Post review' }).click()
  await expect(main(page).getByText('It has replaced your earlier review.')).toBeVisible()

  const desk = await browser.newPage({ baseURL: store.address })
  await openAsAdmin(desk, '/dashboard/reviews')
  const row = desk.getByRole('row').filter({ hasText: about })
  await expect(row.getByRole('link', { name: tool.name })).toHaveAttribute('href', `/products/${tool._id}`)
  await row.getByRole('button', { name: `Hide, the review of ${buyer.name}` }).click()
  await expect(main(desk).getByText('Review hidden')).toBeVisible()
  await desk.close()
  await page.goto(`/products/${tool._id}`)
  await expect(section(page)).toContainText('Nobody who bought it here has reviewed it yet.')
  await page.goto(`/dashboard/review/${tool._id}`)
  await expect(main(page).getByText('Your review is hidden by the store')).toBeVisible()
})

test('without JavaScript the reviews of a product are read on its page and in its list, by stars and page by page', async ({
  browser,
  request,
  store,
}) => {
  const tool = await firstTool(store)
  const buyers: Buyer[] = Array.from({ length: 11 }, (_, nth) => ({
    ...{ name: `Buyer ${nth}`, email: `buyer${nth}.${crypto.randomUUID().slice(0, 8)}@shop.example`, password: 'correct horse battery' },
  }))
  for (const [nth, buyer] of buyers.entries()) {
    const context = await browser.newContext({ baseURL: store.address, extraHTTPHeaders: { 'x-forwarded-for': `10.3.0.${nth + 1}` } })
    const { token } = await placePurchase(context.request, store.address, buyer, { paid: true })
    await postReview(store, tool._id, token, {
      name: buyer.name,
      about: `The ${nth}th. ${'x'.repeat(nth === 10 ? 900 : 0)}`,
      rating: nth === 0 ? 1 : 4,
    })
    await context.close()
  }
  expect((await request.get(`/products/${tool._id}/reviews`)).status()).toBe(200)

  const context = await browser.newContext({ baseURL: store.address, javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await page.goto(`/products/${tool._id}`)
  await expect(section(page).getByRole('article')).toHaveCount(3)
  await expect(section(page).getByRole('article').first()).toContainText(/x{400}\.\.\./)
  await expect(section(page)).toContainText('3.7 out of 5, from 11 reviews')
  await section(page).getByRole('link', { name: 'All 11 reviews' }).click()
  await expect(main(page).getByRole('article')).toHaveCount(9)
  await expect(main(page).getByRole('article').first()).toContainText('x'.repeat(900))
  await main(page).getByRole('link', { name: 'Older reviews' }).click()
  await expect(main(page).getByRole('article')).toHaveCount(2)
  await expect(main(page).getByRole('link', { name: 'Older reviews' })).toHaveCount(0)
  await main(page).getByRole('link', { name: 'Newest reviews' }).click()
  await main(page).getByRole('link', { name: '1 star' }).click()
  await expect(main(page).getByRole('article')).toHaveCount(1)
  await expect(main(page).getByRole('article')).toContainText('The 0th.')
  await expect(main(page).getByRole('link', { name: '5 stars' })).toHaveCount(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await context.close()
})
