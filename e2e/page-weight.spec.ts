import type { Page, Request } from '@playwright/test'
import {
  checkoutScriptBudgetKilobytes,
  fontBudgetKilobytes,
  formScriptBudgetKilobytes,
  publicScriptBudgetKilobytes,
} from '../bench/page-metrics.ts'
import { isFullRun } from '../proof/full-run.ts'
import { expect, openUntilQuiet, test } from './store.ts'

/** What a page has fetched of each kind, gzipped, in thousands of bytes. */
async function fetched(page: Page, path: string): Promise<{ script: number; font: number }> {
  const asked = { script: new Set<string>(), font: new Set<string>() }
  const note = (request: Request) => {
    const kind = request.resourceType()
    if (kind === 'script' || kind === 'font') asked[kind].add(request.url())
  }
  page.on('request', note)
  await openUntilQuiet(page, path)
  page.off('request', note)
  const kilobytes = async (kind: 'script' | 'font') => {
    expect(asked[kind].size, `${path} fetches a ${kind}`).toBeGreaterThan(0)
    let bytes = 0
    for (const address of asked[kind]) {
      const answer = await page.request.fetch(address, { headers: { 'accept-encoding': 'gzip' } })
      if (kind === 'script') expect(answer.headers()['content-encoding'], address).toBe('gzip')
      bytes += Number(answer.headers()['content-length'])
    }
    return bytes / 1000
  }
  return { script: await kilobytes('script'), font: await kilobytes('font') }
}

test('a public page where nothing is typed loads little script, and no font twice', async ({ page }) => {
  await openUntilQuiet(page, '/allproducts') // else what it still loads counts for the next page
  const products = page.locator('main a[href^="/products/"]')
  const [one, other] = await products.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  const [first, second] = [one, other].map((href) => href?.split('/').at(-1))
  const compared = `/compare?id=${first}&id=${second}`
  const further = isFullRun ? ['/myportfolio', '/no-such-page'] : [] // each is made like one of the others
  const rows = ['/allproducts?category=memory', '/allproducts?q=ddr5'] // the second with what was understood
  for (const path of ['/', '/allproducts', ...rows, `${one}`, compared, '/blogs', ...further]) {
    const { script, font } = await fetched(page, path)
    expect.soft(script, path).toBeLessThanOrEqual(publicScriptBudgetKilobytes)
    expect.soft(font, path).toBeLessThanOrEqual(fontBudgetKilobytes)
  }
})

test('login and registration load no more than their checks need', async ({ page }) => {
  for (const path of ['/login', '/register'])
    expect.soft((await fetched(page, path)).script, path).toBeLessThanOrEqual(formScriptBudgetKilobytes)
})

test('the checkout loads no more than its form needs', async ({ page }) => {
  await openUntilQuiet(page, '/allproducts')
  const product = await page.locator('main a[href^="/products/"]').first().getAttribute('href')
  await page.request.post('/cart/add', { form: { productId: product?.split('/').at(-1) ?? '' } })
  expect((await fetched(page, '/checkout')).script, '/checkout').toBeLessThanOrEqual(checkoutScriptBudgetKilobytes)
  await expect(page.getByRole('button', { name: /^Order and pay/ })).toBeVisible()
})
