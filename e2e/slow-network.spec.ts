import type { Page } from '@playwright/test'
import { fullRunJourney, isFullRun } from '../proof/full-run.ts'
import { expect, openUntilQuiet, test } from './store.ts'

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

/** Sums up the layout shifts of each page that is opened from here on, at the width of a phone. */
async function watchShifts(page: Page) {
  await page.setViewportSize({ width: 412, height: 823 })
  await page.addInitScript(() => {
    window.shifted = 0
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) window.shifted += 'value' in shift ? Number(shift.value) : 0
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

test('on a slow line nothing jumps while a page arrives', async ({ page }) => {
  await watchShifts(page)
  const browser = await slowDown(page, { latencyMs: 150, down: 100_000 })
  const [tool]: { _id: string }[] = await (await page.request.get('/api/tools')).json()
  const further = isFullRun ? ['/blogs', '/login'] : [] // which the next journey opens
  for (const path of ['/', '/allproducts', `/products/${tool?._id}`, ...further]) {
    await browser.send('Network.clearBrowserCache')
    await openUntilQuiet(page, path)
    await page.evaluate(() => document.fonts.ready)
    expect.soft(await page.evaluate(() => window.shifted), path).toBeLessThan(0.01)
  }
})

test(
  'text does not jump when its font comes late, also on a device without the fonts that stand in for it',
  fullRunJourney,
  async ({ page }) => {
    await watchShifts(page)
    await page.route('**/*.css', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: (await answer.text()).replaceAll(/local\([^)]*\)/g, 'local("None of this name")') })
    })
    await page.route('**/*.woff2', async (route) => {
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
      await route.continue()
    })
    for (const path of ['/blogs', '/login']) {
      await openUntilQuiet(page, path)
      await page.evaluate(() => document.fonts.ready)
      expect.soft(await page.evaluate(() => window.shifted), path).toBeLessThan(0.01)
    }
  },
)

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
