import type { Page } from '@playwright/test'
import { expect, test } from './store.ts'

/** @param down bytes a second */
async function slowDown(page: Page, { latencyMs, down }: { latencyMs: number; down: number }) {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: down,
    uploadThroughput: 50_000,
  })
  return browser
}

test('on a slow line nothing jumps while a page arrives', async ({ page }) => {
  await page.setViewportSize({ width: 412, height: 823 })
  await page.addInitScript(() => {
    window.shifted = 0
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) window.shifted += 'value' in shift ? Number(shift.value) : 0
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const browser = await slowDown(page, { latencyMs: 150, down: 100_000 })
  const [tool]: { _id: string }[] = await (await page.request.get('/api/tools')).json()
  for (const path of ['/', '/allproducts', `/products/${tool?._id}`, '/blogs', '/login']) {
    await browser.send('Network.clearBrowserCache')
    await page.goto(path, { waitUntil: 'networkidle' })
    await page.evaluate(() => document.fonts.ready)
    expect.soft(await page.evaluate(() => window.shifted), path).toBeLessThan(0.01)
  }
})

test('a page is seen only when all of it has come', async ({ page }) => {
  await page.addInitScript(() => {
    new PerformanceObserver(() => {
      window.wholeWhenSeen ??= document.querySelector('footer') !== null
    }).observe({ type: 'paint', buffered: true })
  })
  await slowDown(page, { latencyMs: 50, down: 20_000 })
  await page.goto('/', { waitUntil: 'commit' })
  await expect.poll(() => page.evaluate(() => window.wholeWhenSeen), { timeout: 20_000 }).toBeDefined()
  expect(await page.evaluate(() => window.wholeWhenSeen)).toBe(true)
})

declare global {
  interface Window {
    /** the sum of all layout shifts, as Web Vitals weigh one */
    shifted: number
    /** whether the end of the page was there when something of it was first painted */
    wholeWhenSeen: boolean | undefined
  }
}
