import type { Page, Request } from '@playwright/test'
import { fontKilobytes, formScriptKilobytes, publicScriptKilobytes } from '../bench/browser-figures.ts'
import { expect, test } from './store.ts'

const tableKilobytes = 3

/** What a page has fetched of these kinds, gzipped, in thousands of bytes. */
async function fetched(page: Page, path: string, kind: 'script' | 'font'): Promise<number> {
  const asked = new Set<string>()
  const note = (request: Request) => {
    if (request.resourceType() === kind) asked.add(request.url())
  }
  page.on('request', note)
  await page.goto(path, { waitUntil: 'networkidle' })
  page.off('request', note)
  expect(asked.size, `${path} fetches a ${kind}`).toBeGreaterThan(0)
  let bytes = 0
  for (const address of asked) {
    const answer = await page.request.fetch(address, { headers: { 'accept-encoding': 'gzip' } })
    if (kind === 'script') expect(answer.headers()['content-encoding'], address).toBe('gzip')
    bytes += Number(answer.headers()['content-length'])
  }
  return bytes / 1000
}

test('a public page where nothing is typed loads little script, and no font twice', async ({ page }) => {
  await page.goto('/allproducts')
  const products = page.locator('main a[href^="/products/"]')
  const [one, other] = await products.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  const [first, second] = [one, other].map((href) => href?.split('/').at(-1))
  const compared = `/compare?id=${first}&id=${second}`
  for (const path of ['/', '/allproducts', '/allproducts?q=ddr5', `${one}`, compared, '/blogs', '/myportfolio', '/no-such-page']) {
    expect.soft(await fetched(page, path, 'script'), path).toBeLessThanOrEqual(publicScriptKilobytes)
    expect.soft(await fetched(page, path, 'font'), path).toBeLessThanOrEqual(fontKilobytes)
  }
  // who looks at a table fetches what makes one on top of the list
  const table = await fetched(page, '/allproducts?look=table', 'script')
  expect.soft(table, 'the list as a table').toBeLessThanOrEqual(publicScriptKilobytes + tableKilobytes)
})

test('login and registration load no more than their checks need', async ({ page }) => {
  for (const path of ['/login', '/register'])
    expect.soft(await fetched(page, path, 'script'), path).toBeLessThanOrEqual(formScriptKilobytes)
})
