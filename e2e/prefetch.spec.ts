import type { Locator, Page } from '@playwright/test'
import { expect, openUntilQuiet, registerByApi, test } from './store.ts'

/** The data of screens that were asked for from now on, each as often as it was asked, be it of the browser's cache. */
function askedFor(page: Page): string[] {
  const asked: string[] = []
  page.on('response', (response) => {
    const { pathname, search } = new URL(response.url())
    if (pathname.endsWith('.data')) asked.push(pathname.replace(/\.data$/, '') + search)
  })
  return asked
}

const addressOf = async (link: Locator) => `${await link.getAttribute('href')}`

test('what the pointer or the focus came to has been fetched, a suggestion too, and the press fetches nothing again', async ({ page }) => {
  await openUntilQuiet(page, '/allproducts')
  const asked = askedFor(page)
  for (const link of [
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Page 2', exact: true }),
    page.getByRole('navigation', { name: 'Categories' }).getByRole('link').first(),
  ]) {
    await link.focus()
    const address = await addressOf(link)
    await expect.poll(() => asked).toContain(address)
  }
  const box = page.locator('input[name=q]').first()
  await box.fill('ddr5')
  await expect(page.getByRole('option').first()).toBeVisible()
  const before = asked.length
  await box.press('ArrowDown')
  await expect.poll(() => asked.length).toBe(before + 1)
  await box.fill('')

  const product = page.locator('main article h2').getByRole('link').first()
  const address = await addressOf(product)
  const askedBefore = asked.length
  await product.hover()
  await expect.poll(() => asked.slice(askedBefore)).toEqual([address])
  await product.click()
  await page.waitForURL(address)
  await expect(page.locator('h1')).toBeFocused()
  expect(asked.slice(askedBefore)).toEqual([address])

  const brand = page.getByRole('main').locator('a[href*="brand="]').first()
  const brandAddress = (await addressOf(brand)).replaceAll('%20', '+')
  await brand.focus()
  await expect.poll(() => asked).toContain(brandAddress)
  await brand.press('Enter')
  await page.waitForURL(/brand=/)
  expect(asked.filter((path) => path === brandAddress)).toHaveLength(1)
})

test('what was fetched ahead before the visitor put something into the basket is asked for anew', async ({ page }) => {
  await openUntilQuiet(page, '/allproducts')
  const asked = askedFor(page)
  const category = page.getByRole('navigation', { name: 'Categories' }).getByRole('link').first()
  const address = await addressOf(category)
  const timesAsked = () => asked.filter((path) => path === address).length
  await category.focus()
  await expect.poll(timesAsked).toBe(1)
  await page.getByRole('button', { name: /^Add/ }).first().click()
  await expect(page.getByText(/in your basket/).first()).toBeVisible()
  await category.press('Enter')
  await page.waitForURL(address)
  expect(timesAsked()).toBeGreaterThan(1) // the focus may fetch it ahead once more before the press does
})

test('a page asks for its script once it is painted: until then it names none to fetch', async ({ request, page }) => {
  for (const path of ['/', '/allproducts', '/login', '/no-such-page']) {
    const html = await (await request.get(path)).text()
    expect(html, path).not.toMatch(/rel="(modulepreload|preload)"[^>]*\.js|type="module"|<script[^>]*src=/)
    expect(html, path).toContain('x-module')
  }
  await openUntilQuiet(page, '/allproducts')
  const [painted, asked] = await page.evaluate(() => [
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    Math.min(...performance.getEntriesByType('resource').flatMap(({ name, startTime }) => (name.endsWith('.js') ? [startTime] : []))),
  ])
  expect(asked).toBeGreaterThan(painted ?? Number.POSITIVE_INFINITY)
})

test('a page that cannot be fetched ahead, without a network, leaves the open page alone, and opens once there is one', async ({
  page,
  buyer,
  context,
}) => {
  await registerByApi(page, buyer)
  await page.setViewportSize({ width: 390, height: 844 })
  await openUntilQuiet(page, '/dashboard/addreview') // its menu is folded, so nothing of it is fetched
  await page.getByLabel('Say About Our Company').fill('Counted')
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await context.setOffline(true)
  const failed = page.waitForEvent('requestfailed', (request) => new URL(request.url()).pathname.startsWith('/assets/'))
  await page.getByRole('button', { name: 'Dashboard menu' }).click()
  await failed
  await expect(page.getByRole('link', { name: 'My Company' })).toBeVisible()
  await context.setOffline(false)
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  await page.getByRole('link', { name: 'My Company' }).click()
  await expect(page.locator('h1')).toHaveText('My Company')
})
