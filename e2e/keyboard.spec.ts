import type { Locator } from '@playwright/test'
import { fullRunJourney } from '../proof/full-run.ts'
import { expect, openAsAdmin, openUntilQuiet, test, waitForHydration } from './store.ts'

test('the key "/" searches from anywhere, and who steers by voice turns it off for good', async ({ page }) => {
  await page.goto('/blogs')
  await waitForHydration(page)
  const box = page.getByLabel('Search all tools').filter({ visible: true })
  await page.keyboard.press('/')
  await expect(box).toBeFocused()

  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await shortcuts.getByRole('checkbox').uncheck()
  await page.keyboard.press('Escape')
  await expect(shortcuts).toBeHidden()
  await page.reload()
  await waitForHydration(page)
  await page.keyboard.press('/')
  await expect(box).not.toBeFocused()
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await expect(shortcuts.getByRole('checkbox')).not.toBeChecked()
})

test(
  'in a table the arrow keys go from row to row in their column, Home and End to its ends, n and p to other pages',
  fullRunJourney,
  async ({ page }) => {
    await openUntilQuiet(page, '/allproducts?look=table') // the table has a script of its own
    const rows = page.getByRole('region', { name: 'All tools' }).locator('tbody').getByRole('row')
    const part = (row: number) => rows.nth(row).getByRole('rowheader').getByRole('link')
    const buy = (row: number) => rows.nth(row).getByRole('link', { name: /^Buy Now/ })
    await page.getByRole('region', { name: 'All tools' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(part(0)).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(part(1)).toBeFocused()
    await buy(1).focus()
    await page.keyboard.press('ArrowDown')
    await expect(buy(2)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(buy(1)).toBeFocused()
    await page.keyboard.press('End')
    await expect(buy(23)).toBeFocused()
    await page.keyboard.press('Home')
    await expect(buy(0)).toBeFocused()

    const first = await part(0).innerText()
    await page.keyboard.press('n')
    await expect(page).toHaveURL(/page=2/)
    await expect(part(0)).not.toHaveText(first)
    await part(0).focus()
    await page.keyboard.press('p')
    await expect(page).not.toHaveURL(/page=2/)

    const box = page.getByLabel('Search all tools').filter({ visible: true })
    await box.fill('')
    await box.press('n')
    await expect(box).toHaveValue('n')
  },
)

test('a few stops of the Tab key lead from the top of the list to its first product, past all filters, wide and on a phone', async ({
  page,
}) => {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/allproducts')
    await waitForHydration(page)
    const skip = page.getByRole('link', { name: 'Skip to the products' })
    const first = page.locator('#products').getByRole('link').first()
    let stops = 0
    const tabTo = async (wanted: Locator) => {
      do {
        await page.keyboard.press('Tab')
        stops++
      } while (stops < 80 && !(await wanted.evaluate((element) => element === document.activeElement)))
    }
    await tabTo(skip)
    await expect(skip).toBeInViewport()
    await page.keyboard.press('Enter')
    await tabTo(first)
    expect(stops, `${width} px wide`).toBeLessThanOrEqual(15)
    await expect(first).toHaveAttribute('href', /^\/products\//)
    await expect(first).toBeInViewport()
  }
  await page.goto('/blogs')
  await expect(page.getByRole('link', { name: 'Skip to the products' })).toHaveCount(0)
})

test('an admin adds a product by keyboard alone', async ({ page }) => {
  await openAsAdmin(page, '/dashboard/addatool')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add a New Product')
  const name = `Parts tray ${crypto.randomUUID().slice(0, 8)}`
  for (const [label, text] of [
    ['Product Name', name],
    ['Product Image', '/drawings/anti-static.svg'],
    ['Product Description', 'Keeps screws where they were put.'],
    ['Product Price', '12'],
    ['Minimum Order Quantity', '5'],
    ['Available Quantity', '80'],
  ] as const) {
    await tabTo(page.getByLabel(label))
    await page.keyboard.type(text)
  }
  await tabTo(page.getByRole('button', { name: 'Add', exact: true }))
  await page.keyboard.press('Enter')
  const added = page.getByRole('main').getByText(`${name} added`)
  await expect(added).toBeVisible()
  await tabTo(page.getByRole('link', { name: 'View it' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

/** Presses the tab key until the focus is there. */
async function tabTo(there: Locator) {
  await expect(async () => {
    await there.page().keyboard.press('Tab')
    await expect(there).toBeFocused({ timeout: 1 })
  }).toPass({ intervals: [0] })
}
