import { devices, type Locator } from '@playwright/test'
import { expect, fillCardForm, test, waitForHydration } from './store.ts'

const { defaultBrowserType: _, ...phone } = devices['Galaxy S9+'] // a browser that is named opens another worker, and so another store
test.use({ ...phone, viewport: { width: 360, height: 740 } })

/** Taps what can be seen without scrolling sideways and is large enough for a thumb. */
async function tap(target: Locator) {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  expect(box, `${target}`).not.toBeNull()
  expect(box?.x, `${target}`).toBeGreaterThanOrEqual(0)
  expect((box?.x ?? 0) + (box?.width ?? 0), `${target}`).toBeLessThanOrEqual(360)
  expect(Math.min(box?.width ?? 0, box?.height ?? 0), `${target}`).toBeGreaterThanOrEqual(24)
  await target.tap()
}

test('with a thumb on a phone a part number is found, ordered and paid', async ({ page, buyer, store }) => {
  const found = await fetch(`${store.address}/api/search?limit=100&facets=no`)
  const { tools }: { tools: { name: string; mpn: string | null; inStock?: boolean; available_quantity: number }[] } = await found.json()
  const part = tools.find(({ mpn, available_quantity }) => mpn && mpn.length > 6 && available_quantity > 100)
  if (!part?.mpn) throw new Error('The shop has no part with a number and enough stock')
  await page.goto('/')
  const search = page.getByRole('banner').getByPlaceholder('Name, part number or kind')
  await tap(search)
  await search.pressSequentially(part.mpn.toLowerCase().slice(0, -1)) // its last letters are typed by few
  await tap(page.getByRole('option', { name: part.name }))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(part.name)
  await tap(page.getByRole('main').getByRole('link', { name: 'Buy Now' }).first())

  await tap(page.getByRole('link', { name: 'Go to Register' }))
  for (const [label, text] of [
    ['Full name', buyer.name],
    ['E-mail', buyer.email],
    ['Password', buyer.password],
  ] as const) {
    await tap(page.getByLabel(label, { exact: true }))
    await page.getByLabel(label, { exact: true }).fill(text)
  }
  await tap(page.getByRole('button', { name: 'Register' }))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(part.name)
  await tap(page.getByLabel('Address'))
  await page.getByLabel('Address').fill('12 Analytical Road, London')
  await tap(page.getByLabel('Phone number'))
  await page.getByLabel('Phone number').fill('+44 20 7946 0018')
  await tap(page.getByRole('button', { name: /^Order \d+ for / }))
  await tap(page.getByRole('main').getByRole('link', { name: /^Pay / }))
  await fillCardForm(page, '4242 4242 4242 4242')
  await tap(page.getByRole('button', { name: /^Pay / }))
  await expect(page.getByRole('main')).toContainText('Payment successfully done...')
})

test('on a phone the search and the filters stay in view, cover nothing that has the focus, and a kind is two taps away', async ({
  page,
}) => {
  await page.goto('/')
  await tap(page.getByRole('button', { name: 'Menu', exact: true }))
  await tap(page.getByRole('list', { name: 'Categories' }).getByRole('link').nth(1))
  await page.waitForURL('**/allproducts?category=*')
  await waitForHydration(page)
  await expect(page.locator('#products').getByRole('heading').first()).toBeVisible()
  const search = page.getByRole('banner').getByRole('search')
  const filters = page.getByRole('button', { name: /^Filters/ })
  await page.evaluate(() => scrollTo(0, 700))
  await expect(search).toBeInViewport({ ratio: 1 })
  await expect(filters).toBeInViewport({ ratio: 1 })
  const lowerEdge = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect().bottom)
  expect(await lowerEdge(page.getByRole('banner'))).toBeLessThanOrEqual(57)
  const links = page.locator('#products').getByRole('heading').getByRole('link')
  for (const nth of [3, 2, 1]) {
    await links.nth(nth).focus()
    expect(await links.nth(nth).evaluate((link) => link.getBoundingClientRect().top)).toBeGreaterThanOrEqual(await lowerEdge(filters))
  }
})
