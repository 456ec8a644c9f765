import type { Locator, Page } from '@playwright/test'
import { expect, test, waitForHydration } from './store.ts'

type Found = { total: number; tools: { name: string }[] }

const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const unfold = (page: Page, name: string) => page.locator('summary', { hasText: name }).click()
const cards = (page: Page) => page.locator('#products').getByRole('heading')

/** The screen shows what the call finds for the address. */
async function expectFound(page: Page) {
  const { total, tools }: Found = await (await page.request.get(`/api/search?limit=24&${new URL(page.url()).search.slice(1)}`)).json()
  expect(total).toBeGreaterThan(0)
  await expect(cards(page)).toHaveText(tools.map(({ name }) => name))
}

async function drag(page: Page, handle: Locator, share: number) {
  await handle.scrollIntoViewIfNeeded()
  const box = await handle.boundingBox()
  if (!box) throw new Error('There is no handle')
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + 8, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * share, y, { steps: 5 })
  await page.mouse.up()
}

test('a number is filtered from and to, by typing or by the handles of its histogram, and what is wrong is said at its fields', async ({
  page,
}) => {
  await page.goto('/allproducts?category=memory')
  await waitForHydration(page)
  const [from, to] = ['from', 'to'].map((end) => page.getByRole('textbox', { name: `Capacity ${end}` }))
  const lowest = page.getByRole('slider', { name: 'Capacity, lowest' })
  if (!from || !to) throw new Error('never')
  await drag(page, lowest, 0.4)
  await page.waitForURL(/spec\.capacity_gb\.min=\d+/)
  await expect(from).toHaveValue(new URL(page.url()).searchParams.get('spec.capacity_gb.min') ?? '')
  await expectFound(page)
  const dragged = Number(await from.inputValue())
  await lowest.focus()
  await lowest.press('ArrowLeft')
  await page.waitForURL((url) => url.searchParams.get('spec.capacity_gb.min') !== `${dragged}`)
  await expect(lowest).toBeFocused()
  expect(Number(await from.inputValue())).toBeLessThan(dragged)
  await lowest.press('Home')
  await page.waitForURL((url) => !url.search.includes('capacity_gb'))
  await expect(from).toHaveValue('')

  await from.fill('48')
  await to.fill('16')
  await to.press('Tab')
  await expect(from).toHaveAccessibleDescription('The lowest number is above the highest: swap them')
  await from.fill('16 gig')
  await from.press('Tab')
  await expect(from).toHaveAccessibleDescription('Type figures, such as 250')
  await page.goto('/allproducts?category=memory&spec.capacity_gb.min=16')
  await waitForHydration(page)
  await to.fill('32')
  await to.press('Tab')
  await page.waitForURL(/spec\.capacity_gb\.max=32&spec\.capacity_gb\.min=16/)
  await expectFound(page)
  await page.goBack()
  await expect(to).toHaveValue('')
  await expect(from).toHaveValue('16')
})

test('common numbers are one press away, and what is not stated is a choice of each filter beside them', async ({ page }) => {
  await page.goto('/allproducts?category=memory')
  await waitForHydration(page)
  await group(page, 'Capacity (GB)').getByRole('checkbox', { name: /^32/ }).check()
  await page.waitForURL(/spec\.capacity_gb=32/)
  await expectFound(page)
  await page.goto('/allproducts?category=memory')
  await waitForHydration(page)
  await unfold(page, 'Height (mm)')
  const height = group(page, 'Height (mm)')
  await height.getByRole('checkbox', { name: /^Not stated/ }).check()
  await page.waitForURL(/spec\.height_mm\.unknown=yes/)
  await expectFound(page)
  const chips = page.getByRole('list', { name: 'Filters that are set' })
  await expect(chips).toContainText('Height: not stated')
  await page.getByRole('textbox', { name: 'Height to' }).fill('40')
  await page.getByRole('textbox', { name: 'Height to' }).press('Enter')
  await page.waitForURL(/spec\.height_mm\.max=40/)
  await expect(chips).toContainText('Height: or not stated')
  await expectFound(page)
  await chips.getByRole('link', { name: 'Remove filter Height: or not stated' }).click()
  await page.waitForURL((url) => !url.search.includes('unknown'))
  await expect(height.getByRole('checkbox', { name: /^Not stated/ })).not.toBeChecked()
})

test('a search of all kinds offers the kinds, then the filters of the largest; one of these chooses the kind too', async ({ page }) => {
  await page.goto('/allproducts?q=ddr5&read=no')
  await waitForHydration(page)
  await expect(page.getByRole('navigation', { name: 'Categories' }).getByRole('link').first()).toBeVisible()
  const filters = page.getByRole('region', { name: 'Filters' })
  await expect(filters.getByRole('heading', { name: 'Filters of Memory' })).toBeVisible()
  await group(page, 'Memory type').getByRole('checkbox', { name: /DDR5/ }).check()
  await page.waitForURL(/category=memory&q=ddr5&read=no&spec\.memory_type=DDR5/)
  await expectFound(page)
})

test('the price per GB stands on the list, in its table and on the page of the product, and sorts', async ({ page }) => {
  await page.goto('/allproducts?category=memory&look=table')
  await waitForHydration(page)
  await page.getByRole('columnheader', { name: 'Price per GB' }).getByRole('link').click()
  await page.waitForURL(/sort=spec\.price_per_gb/)
  const shown = page.getByRole('cell', { name: /^\$[\d.]+$/ })
  await expect(shown.first()).toBeVisible()
  await page.getByRole('rowheader').first().getByRole('link').first().click()
  await expect(page.getByRole('main')).toContainText(/Price per GB\s*\$\d/)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('numbers, what is not stated and the filters of a kind work as a form', async ({ page }) => {
    await page.goto('/allproducts?category=memory')
    await expect(page.getByRole('slider')).toHaveCount(0)
    await page.getByRole('textbox', { name: 'Capacity from' }).fill('16')
    await unfold(page, 'Error correction (ECC)')
    await group(page, 'Error correction (ECC)')
      .getByRole('checkbox', { name: /^Not stated/ })
      .check()
    await page.getByRole('button', { name: 'Show products' }).click()
    await page.waitForURL(/spec\.capacity_gb\.min=16.*spec\.ecc\.unknown=yes/)
    await expectFound(page)
    await page.goto('/allproducts?q=ddr5&read=no')
    await group(page, 'Memory type').getByRole('checkbox', { name: /DDR5/ }).check()
    await page.getByRole('button', { name: 'Show Memory only' }).click()
    await page.waitForURL(/category=memory/)
    await expectFound(page)
  })
})
