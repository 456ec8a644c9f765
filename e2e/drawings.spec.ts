import { expect, test } from './store.ts'

test('a product page shows the drawing of the very part with its lengths, and on a press beside things of known size', async ({ page }) => {
  await page.goto('/allproducts?category=motherboard')
  await page.locator('main a[href^="/products/"]').first().click()
  const drawing = page.getByRole('img', { name: /^Drawing to scale: .*\d+ mm/ })
  await expect(drawing).toBeVisible()
  await expect(drawing).toHaveAttribute('src', /^\/drawings\/[0-9a-f-]{36}\.svg\?v=[0-9a-f]{8}&size=large$/)
  await expect.poll(() => drawing.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(480)

  const beside = page.getByRole('img', { name: /beside a hand/ })
  await expect(beside).toBeHidden()
  await page.getByText('How large is it?').click()
  await expect(beside).toBeVisible()
  await expect.poll(() => beside.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(480)
})

test('compared parts are drawn on one scale', async ({ page }) => {
  await page.goto('/allproducts?category=video-card')
  const links = page.locator('main a[href^="/products/"]')
  await expect(links.first()).toBeVisible()
  const products = await links.evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute('href')?.split('/').at(-1)))])
  await page.goto(
    `/compare?${products
      .slice(0, 2)
      .map((id) => `id=${id}`)
      .join('&')}`,
  )
  await expect(page.getByText('The drawings are on one scale.')).toBeVisible()
  const spans = await page
    .getByRole('table')
    .locator('img')
    .evaluateAll((images) => images.map((image) => new URL((image as HTMLImageElement).src).searchParams.get('span')))
  expect(spans).toHaveLength(2)
  expect(spans[0]).toMatch(/^\d+$/)
  expect(spans[1]).toBe(spans[0])
})
