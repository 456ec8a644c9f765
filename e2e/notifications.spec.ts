import { expect, test } from './store.ts'

const words = 'Please Enter your Email on the input field'

test.beforeEach(async ({ page }) => {
  await page.clock.install()
  await page.goto('/login')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByLabel('Notifications').getByText(words)).toBeVisible()
})

test('a notification stands at the top right and closes by itself after 5000 ms', async ({ page }) => {
  const shown = page.getByLabel('Notifications').getByText(words)
  const { x, y } = (await shown.boundingBox()) ?? { x: 0, y: Number.POSITIVE_INFINITY }
  expect(x).toBeGreaterThan(1280 / 2)
  expect(y).toBeLessThan(900 / 4)

  await expect(page.getByLabel('Notifications').getByRole('link')).toHaveCount(0)
  await expect(page.getByLabel('Notifications').getByRole('button', { includeHidden: true })).toHaveText('')
  await expect(page.getByLabel('Notifications').getByRole('button', { includeHidden: true })).toHaveAttribute('aria-label', 'Close')

  await page.clock.runFor(4900)
  await expect(shown).toBeVisible()
  await page.clock.runFor(200)
  await page.clock.resume()
  await expect(shown).toBeHidden()
  await expect(page.getByRole('main').getByText(words)).toBeVisible() // what it said stays where it belongs
})

test('a notification waits while the pointer is on it', async ({ page }) => {
  const shown = page.getByLabel('Notifications').getByText(words)
  await page.clock.runFor(4000)
  await shown.hover()
  await page.clock.runFor(20_000)
  await expect(shown).toBeVisible()
  await page.mouse.move(0, 500)
  await page.clock.runFor(5100)
  await page.clock.resume()
  await expect(shown).toBeHidden()
})

test('a notification waits while it has the focus', async ({ page }) => {
  const shown = page.getByLabel('Notifications').getByText(words)
  await expect(page.getByLabel('E-mail')).toBeFocused() // the warning has sent it there
  await page.getByLabel('Notifications').getByRole('button', { name: 'Close', includeHidden: true }).focus()
  await page.clock.runFor(20_000)
  await expect(shown).toBeVisible()
  await page.getByLabel('E-mail').focus()
  await page.clock.runFor(5100)
  await page.clock.resume()
  await expect(shown).toBeHidden()
})
