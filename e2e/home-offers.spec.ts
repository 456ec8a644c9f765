import type { Browser, Page } from '@playwright/test'
import { priceAskedLongerSql } from '#test/price-actions.ts'
import type { BuiltStore } from './built-store.ts'
import { expect, openAsAdmin, placeOrder, test, waitForHydration } from './store.ts'

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('the home page offers what sells, what is lowered, the largest reduction first, and what is new, a product in one section only, and the banner shows the first of each', async ({
  page,
  browser,
  store,
}) => {
  const { placed, ...lowered } = await sellAndLower(page, browser, store)
  const tiles = (title: string) => section(page, title).getByRole('listitem')
  await expect(async () => {
    await store.sql(`select pg_notify('changes', 'journey listings')`) // a kept page knows no sales since
    await page.goto('/')
    for (const { productName } of placed.lines) await expect(section(page, 'What sells')).toContainText(productName, { timeout: 1000 })
    for (const name of lowered.names) await expect(section(page, 'Lowered prices')).toContainText(name, { timeout: 1000 })
  }).toPass({ timeout: 90_000 }) // sales are counted once in a while
  const names = await tiles('Lowered prices').getByRole('heading').allTextContents()
  expect(names.filter((name) => lowered.names.includes(name))).toEqual(lowered.names)
  await expect(tiles('Lowered prices').filter({ hasText: lowered.names[0] ?? '' })).toContainText('Lowered from $100')

  const [{ productName: sold, quantity: minimum } = { productName: '', quantity: 0 }] = placed.lines
  await expect(tiles('What sells').filter({ hasText: sold })).toContainText(new RegExp(`min ${minimum}.*in stock`))

  const all = await page.getByRole('main').locator('section[aria-labelledby^="section-"] h3').allTextContents()
  expect(await tiles('New').count()).toBeGreaterThanOrEqual(3)
  expect(new Set(all).size).toBe(all.length)
  const slides = section(page, 'Offers').getByRole('group', { name: / of 5$/ })
  for (const [place, [label, title]] of [
    ['Sells now', 'What sells'],
    ['Price lowered', 'Lowered prices'],
    ['New', 'New'],
  ].entries()) {
    await expect(slides.nth(place)).toContainText(label ?? '')
    await expect(slides.nth(place).getByRole('heading')).toHaveText(
      (await tiles(title ?? '')
        .getByRole('heading')
        .first()
        .textContent()) ?? '',
    )
  }
  await expect(page.getByText(/BuildCores/)).toHaveCount(0)
  await store.sql(`update tools set sku = 'NPC-' || sku where name = $1`, [lowered.names[0]])
  await expect(async () => {
    await page.goto('/')
    await expect(page.getByText(/BuildCores/), 'the licence of what is offered is named').toBeVisible({ timeout: 1000 })
  }).toPass()
  await section(page, 'Lowered prices').getByRole('link', { name: 'All lowered prices' }).click()
  await page.waitForURL('**/allproducts?lowered=yes')
})

/** Two customers pay for the same three products, and the owner lowers the prices of three others that were for sale for 30 days. */
async function sellAndLower(page: Page, browser: Browser, { address, sql }: BuiltStore) {
  const [placed] = await Promise.all(
    ['first', 'second'].map(async (name) => {
      const context = await browser.newContext()
      const buyer = { name: `The ${name}`, email: `${name}.of.sellers@example.com`, password: 'correct horse battery' }
      return placeOrder(context.request, address, buyer, { paid: true }).finally(() => context.close())
    }),
  )
  if (!placed) throw new Error('nothing was ordered')
  await openAsAdmin(page, '/dashboard/prices')
  const headers = { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('accessToken'))}` }
  const figures = { minimum_order_quantity: 1, available_quantity: 50 }
  const names: string[] = []
  for (const price of [50, 70, 90]) {
    const name = `From 100 to ${price}`
    const body = { name, img: '/drawings/ssd.svg', description: 'Stores for less.', price: 100, ...figures }
    const { _id } = await (await page.request.post('/api/tools', { headers, data: body })).json()
    await sql(priceAskedLongerSql(_id, { days: 30 }))
    await page.request.put(`/api/tools/${_id}`, { headers, data: { price, ...figures } })
    names.push(name)
  }
  return { placed, names }
}

test('a wide home page has one search, in its middle, where kinds, values and prices can be asked for; a phone has that of the header, which stays in view', async ({
  page,
}) => {
  await page.goto('/')
  await waitForHydration(page)
  const search = page.getByRole('search')
  await expect(search).toHaveCount(1)
  await expect(page.getByRole('main').getByRole('search')).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('crimp')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/allproducts?q=crimp')

  await page.goBack()
  const question = page.getByRole('list', { name: 'Ask in your own words:' }).getByRole('link').first()
  const words = await question.textContent()
  await question.click()
  await expect(page.getByRole('searchbox')).toHaveValue(words ?? '')
  await expect(
    page
      .getByRole('main')
      .getByRole('link', { name: /^Buy Now/ })
      .first(),
  ).toBeVisible()

  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/')
  await expect(search).toHaveCount(1)
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await expect(page.getByRole('banner').getByRole('searchbox')).toBeInViewport()
})
