import type { Page } from '@playwright/test'
import { expect, test, waitForHydration } from './store.ts'

const words = 'Please Enter your Email on the input field'

/** Brings a notification, and stops the clock of the page. */
async function beWarned(page: Page) {
  // It closes by the time of the test, not of a busy machine, on which the moment may have passed: then another one is named.
  await expect(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 100)).toPass()
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await page.clock.runFor(100)
  await expect(page.getByLabel('Notifications').getByText(words)).toBeVisible()
}

test.beforeEach(async ({ page }) => {
  await page.clock.install()
  await page.goto('/login')
  await waitForHydration(page)
  await beWarned(page)
})

test('a notification stands at the top right, covers neither the search nor a link of the header, 360, 768 and 1280 px wide, and closes by itself after 5000 ms', async ({
  page,
}) => {
  const shown = page.getByLabel('Notifications').getByText(words)
  const { x, y } = (await shown.boundingBox()) ?? { x: 0, y: Number.POSITIVE_INFINITY }
  expect(x).toBeGreaterThan(1280 / 2)
  expect(y).toBeLessThan(900 / 4)

  await expect(page.getByLabel('Notifications').getByRole('link')).toHaveCount(0)
  await expect(page.getByLabel('Notifications').getByRole('button', { includeHidden: true })).toHaveText('')
  await expect(page.getByLabel('Notifications').getByRole('button', { includeHidden: true })).toHaveAttribute('aria-label', 'Close')

  const news = page.getByLabel('Notifications').getByRole('dialog')
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(news).toBeVisible()
    const lowest = await page.getByRole('banner').evaluate((header) => header.getBoundingClientRect().bottom)
    await expect.poll(async () => (await news.boundingBox())?.y, `${width} px wide`).toBeGreaterThanOrEqual(lowest)
    // what each of them is pressed by is what lies on top
    const covered = await page
      .getByRole('banner')
      .locator('a:visible, button:visible, input:visible')
      .evaluateAll((controls) =>
        controls
          .filter((control) => {
            const { left, top, width, height } = control.getBoundingClientRect()
            return !control.contains(document.elementFromPoint(left + width / 2, top + height / 2))
          })
          .map((control) => control.outerHTML),
      )
    expect(covered, `${width} px wide`).toEqual([])

    await page.evaluate(() => document.body.style.setProperty('padding-bottom', '3000px'))
    await page.evaluate(() => window.scrollTo({ top: 1500, behavior: 'instant' }))
    await expect.poll(async () => (await news.boundingBox())?.y, `${width} px wide`).toBeLessThan(100) // and is seen wherever the page is scrolled to
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
  }

  await page.clock.runFor(4800)
  await expect(shown).toBeVisible()
  await page.clock.runFor(300)
  await page.clock.resume()
  await expect(shown).toBeHidden()
  await expect(page.getByRole('main').getByText(words)).toBeVisible() // what it said stays where it belongs
})

test('on a phone a notification covers neither the field with the focus nor the main button, wherever the page is scrolled to', async ({
  page,
}) => {
  await page.clock.runFor(5100)
  await page.setViewportSize({ width: 390, height: 700 })
  const news = page.getByLabel('Notifications').getByRole('dialog')
  const kept = [page.getByLabel('E-mail'), page.getByRole('button', { name: 'Login' })]
  const places: number[] = []
  for (const control of kept) {
    await control.evaluate((element) => scrollBy({ top: element.getBoundingClientRect().top - 30, behavior: 'instant' }))
    await page.getByRole('button', { name: 'Reset Password' }).dispatchEvent('click')
    await page.clock.runFor(500)
    const box = (await news.last().boundingBox()) ?? { y: 0, height: 0 }
    for (const other of kept) {
      const { y, height } = (await other.boundingBox()) ?? { y: 0, height: 0 }
      expect(y >= box.y + box.height || y + height <= box.y, `${y} + ${height} beside ${box.y} + ${box.height}`).toBe(true)
    }
    places.push(box.y)
    await page.clock.runFor(5100)
  }
  expect(Math.max(...places)).toBeGreaterThan(350)
})

test('a notification waits while the pointer is on it, and while it has the focus', async ({ page }) => {
  const shown = page.getByLabel('Notifications').getByText(words)
  await page.clock.runFor(4000)
  await shown.hover()
  await page.clock.runFor(20_000)
  await expect(shown).toBeVisible()
  await page.mouse.move(0, 500)
  await page.clock.runFor(5100)
  await page.clock.resume()
  await expect(shown).toBeHidden()

  await beWarned(page)
  await expect(page.getByLabel('E-mail')).toBeFocused() // the warning has sent it there
  for (const key of ['F6', 'Tab', 'Tab']) await page.keyboard.press(key) // as who has no mouse gets there
  await expect(page.getByLabel('Notifications').getByRole('button', { name: 'Close' })).toBeFocused()
  await page.clock.runFor(20_000)
  await expect(shown).toBeVisible()
  await page.getByLabel('E-mail').focus()
  await page.clock.runFor(5100)
  await page.clock.resume()
  await expect(shown).toBeHidden()
})
