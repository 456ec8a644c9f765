import { fullRunJourney } from '../proof/full-run.ts'
import { expect, openAsAdmin, registerByApi, test } from './store.ts'

test(
  'an admin sells in packs with price breaks, and a buyer sees, is told and pays what the quantity costs',
  fullRunJourney,
  async ({ page, buyer, browser }) => {
    await openAsAdmin(page, '/dashboard/addatool')
    for (const [label, value] of [
      ['Product Name', 'Bracket kit'],
      ['Product Image', '/drawings/part.svg'],
      ['Product Description', 'Mounts drives where the case has no bay.'],
      ['Product Price', '11.90'],
      ['Minimum Order Quantity', '4'],
      ['Available Quantity', '262'],
      ['Sold in packs of', '5'],
      ['Price breaks', '25: 11.30\n100: 12'],
    ] as const)
      await page.getByLabel(label).fill(value)
    const add = page.getByRole('button', { name: 'Add', exact: true })
    await add.click()
    await expect(page.getByLabel('Price breaks')).toHaveAccessibleDescription(/at a lower price, than the one before/)
    await page.getByLabel('Price breaks').fill('25: 11.30\n100: 10.00')
    await add.click()
    await expect(page.getByRole('textbox', { name: 'Minimum Order Quantity' })).toHaveAccessibleDescription(
      /Sold in packs of 5: the minimum order quantity has to be a multiple/,
    )
    const preview = page.getByRole('complementary', { name: 'What buyers see' })
    await page.getByRole('textbox', { name: 'Minimum Order Quantity' }).fill('30')
    await expect(preview).toContainText('$11.30 each, minimum 30 = $339') // the minimum is above the first price break
    await page.getByRole('textbox', { name: 'Minimum Order Quantity' }).fill('5')
    await expect(preview).toContainText('$11.90 each, minimum 5 = $59.50')
    await expect(preview).toContainText('in packs of 5')
    await expect(preview).toContainText('$10 each from 100')
    await add.click()
    await page.getByRole('link', { name: 'View it' }).click()
    await page.waitForURL('**/purchase/*')
    const id = new URL(page.url()).pathname.split('/').at(-1)

    await page.goto('/dashboard/manageproducts?q=Bracket+kit')
    const row = page.getByRole('row').filter({ hasText: 'Bracket kit' })
    await expect(row.getByRole('cell').filter({ hasText: '$11.90' })).toContainText('from $10')
    await expect(row).toContainText('in packs of 5')

    const visitor = await (await browser.newContext()).newPage()
    await registerByApi(visitor, buyer)
    await visitor.goto('/allproducts?q=Bracket+kit&look=table')
    const found = visitor.getByRole('row').filter({ hasText: 'Bracket kit' })
    await expect(found.getByRole('cell').filter({ hasText: '$11.90' })).toContainText('from $10')
    await expect(found).toContainText('in packs of 5')
    await visitor.goto(`/products/${id}`)
    const main = visitor.getByRole('main')
    await expect(main).toContainText('Sold in packs of 5')
    const breaks = visitor.getByRole('table', { name: 'Price of one piece by quantity' })
    await expect(breaks.getByRole('row')).toHaveText(['PiecesEach', '5 or more$11.90', '25 or more$11.30', '100 or more$10'])
    const quantity = visitor.getByLabel('Quantity')
    await expect(quantity).toHaveAccessibleDescription(/5 to 260 pieces, in packs of 5/)
    await quantity.fill('12')
    await quantity.blur()
    await expect(main).toContainText('Sold in packs of 5: order 10 or 15 pieces')
    await quantity.fill('90')
    await expect(main).toContainText('100 pieces cost $1,000, no more than these.')
    await visitor.getByRole('button', { name: 'Take 100' }).click()
    await expect(quantity).toHaveValue('100')
    await expect(main).toContainText('100 x $10 = $1,000')
    await visitor.getByRole('link', { name: 'Buy Now' }).click()

    await visitor.waitForURL(`**/purchase/${id}?quantity=100`)
    await visitor.getByRole('button', { name: 'One pack fewer' }).click()
    await expect(visitor.getByLabel('Quantity')).toHaveValue('95')
    await expect(visitor.getByRole('button', { name: 'Order 95 for $1,073.50' })).toBeEnabled()
    await visitor.getByRole('button', { name: 'Take 100' }).click()
    await visitor.getByLabel('Address').fill('1 Road')
    await visitor.getByLabel('Phone number').fill('+1 555 010 0199')
    await visitor.getByRole('button', { name: 'Order 100 for $1,000' }).click()
    await expect(main).toContainText('100 x Bracket kit for $1,000')
    await visitor.getByRole('link', { name: 'Pay $1,000' }).click()
    await expect(main).toContainText('$1,000')
    await visitor.context().close()

    await page.goto(`/instrument/${id}`)
    await expect(page.getByLabel('Price breaks')).toHaveValue('25: 11.30\n100: 10')
    await page.getByLabel('Price breaks').fill('')
    await page.getByRole('button', { name: 'Update product' }).click()
    await expect(page.getByRole('main')).toContainText('Product updated successfully')
    await page.reload()
    await expect(page.getByLabel('Price breaks')).toHaveValue('')
    await expect(page.getByLabel('Sold in packs of')).toHaveValue('5')
  },
)
