import type { Page } from '@playwright/test'
import { fullRunJourney } from '../proof/full-run.ts'
import { expect, openAsAdmin, test } from './store.ts'

const head = 'sku;name;price;minimum_order_quantity;available_quantity;category;mpn;specs.height_mm'
const rows = [
  'E2E-1;Tower cooler 140 mm;45.50;5;120;cpu-cooler;TC-140;158.5',
  'E2E-2;Low cooler 92 mm;twenty;5;80;cpu-cooler;9E+02;37',
  'E2E-3;Liquid cooler 360 mm;129;1;40;cpu-cooler;1E+05;52',
]
const file = (text: string, name = 'coolers.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${text}`) })

const openImport = (page: Page) => openAsAdmin(page, '/dashboard/import')

const send = async (page: Page, sent: ReturnType<typeof file>) => {
  await page.getByLabel('File of products').setInputFiles(sent)
  await page.getByRole('button', { name: 'Check the file' }).click()
}

test('an admin imports a file: sees what is wrong, leaves it out, and finds the products, 1280 and 360 px wide', async ({
  page,
  request,
}) => {
  await openImport(page)
  await expect(page.getByRole('table', { name: 'Columns of the file' })).toBeVisible()
  await page.getByRole('button', { name: 'Check the file' }).click()
  await expect(page.getByText('Choose a file')).toBeVisible()

  await send(page, file([head, ...rows].join('\r\n')))
  await expect(page.getByRole('heading', { name: 'What would change' })).toBeFocused()
  const counts = page.getByRole('main').locator('dl')
  await expect(counts).toHaveText(/Rows3New2Changed0Unchanged0Wrong1/)
  await expect(page.getByRole('table', { name: 'What is wrong' })).toContainText('twenty')
  const taken = page.getByRole('table', { name: 'Worth a look: these rows are taken as they are' })
  await expect(taken.getByRole('row')).toHaveText([/^Column/, /mpn.*1E\+05.*E2E-3.*1$/]) // E2E-2 is wrong, and left out
  await page.getByText('Show the wrong rows one by one').click()
  await expect(page.getByRole('table', { name: 'Wrong rows' })).toContainText('an amount in digits, with at most two decimals')
  const button = page.getByRole('button', { name: 'Import 2 products' })
  await expect(button).toBeDisabled()
  expect((await (await request.get('/api/tools')).json()).some(({ name }: { name: string }) => name.startsWith('Tower cooler'))).toBe(false)
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 }) // and what follows is done on a phone
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  }

  await page.reload() // it stands in the address
  await page.getByLabel('Leave out the wrong row').check()
  await button.click()
  await expect(page.getByText('Imported: 2 new, 0 changed')).toBeVisible()
  await expect(page.getByText('1 wrong row was left out.')).toBeVisible()
  await page.getByRole('link', { name: 'See all products' }).click()
  await page.waitForURL('**/allproducts')
  const tools: { name: string; price: number }[] = await (await request.get('/api/tools')).json()
  expect(tools.filter(({ name }) => name === 'Tower cooler 140 mm').at(-1)).toMatchObject({ price: 45.5, available_quantity: 120 })

  await page.goto('/dashboard/import')
  await expect(page.getByRole('link', { name: 'coolers.csv' }).first()).toBeVisible()

  await send(page, file('sku;price\r\nE2E-1;45.5\r\nE2E-2;twelve', 'prices.csv'))
  await expect(page.getByRole('status').filter({ hasText: '1 row is wrong, the others say what the catalogue says already' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'What is wrong' }).getByRole('row').filter({ hasText: 'twelve' })).toContainText('E2E-2')
  await expect(page.getByText('There is nothing to import')).toBeHidden()
  await page.getByRole('link', { name: 'Choose another file' }).click()

  // A stock without the stock that was seen is set only when that is chosen.
  await send(page, file('sku;available_quantity\r\nE2E-1;60', 'stock.csv'))
  const question = page.getByRole('group', { name: 'The file would set the stock of 1 product' })
  await expect(question).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import 1 product' })).toBeDisabled()
  await expect(page.getByRole('status').filter({ hasText: 'Choose what becomes of the stock.' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  const changes = page.getByRole('table', { name: 'Changes' })
  await question.getByLabel('Leave the stock of this product as it is').check()
  await expect(page.getByText('Nothing else in the file is different from the catalogue.')).toBeVisible()
  await expect(changes).toHaveCount(0)
  await expect(counts).toHaveText(/Changed0Unchanged1/)
  await question.getByLabel('Set the stock to what the file says').check()
  await expect(changes).toContainText('120')
  await expect(counts).toHaveText(/Changed1Unchanged0/)
  await page.getByRole('button', { name: 'Import 1 product' }).click()
  await expect(page.getByText('Imported: 0 new, 1 changed')).toBeVisible()
  await page.reload() // it stands with the import
  await expect(page.getByText('The stock of 1 product was set to what the file says, as was chosen.')).toBeVisible()
  const after: { name: string; available_quantity: number }[] = await (await request.get('/api/tools')).json()
  expect(after.filter(({ name }) => name === 'Tower cooler 140 mm').at(-1)).toMatchObject({ available_quantity: 60 })
})

test(
  'a file whose changes of stock are in says so when it is sent again, and changes stock a second time only after a tick',
  fullRunJourney,
  async ({ page }) => {
    await openImport(page)
    await send(
      page,
      file('sku;name;price;minimum_order_quantity;available_quantity;category\r\nAGAIN-1;Fan 120 mm;9;1;10;cpu-cooler', 'fan.csv'),
    )
    await page.getByRole('button', { name: 'Import 1 product' }).click()
    await expect(page.getByText('Imported: 1 new, 0 changed')).toBeVisible()
    const edited = file('sku;available_quantity;available_quantity_seen\r\nAGAIN-1;15;10', 'again.csv')
    for (const time of ['first', 'second']) {
      await page.goto('/dashboard/import')
      await send(page, edited)
      const button = page.getByRole('button', { name: 'Import 1 product' })
      if (time === 'second') {
        await expect(page.getByText('its changes of stock are in already')).toBeVisible()
        await expect(button).toBeDisabled()
        await expect(page.getByRole('table', { name: 'Changes' })).toHaveCount(0)
        await page.getByLabel('Change the stock of 1 product again').check()
        await expect(page.getByRole('table', { name: 'Changes' })).toContainText('available_quantity')
      }
      await button.click()
      await expect(page.getByText('Imported: 0 new, 1 changed')).toBeVisible()
    }
  },
)

test('a file that is none is refused in words, and another can be chosen', fullRunJourney, async ({ page }) => {
  await openImport(page)
  await send(page, file('PK\u0003\u0004 a workbook', 'parts.xlsx'))
  await expect(page.getByRole('alert')).toContainText('sku among them')
  await page.getByRole('link', { name: 'Choose another file' }).first().click()
  await expect(page.getByLabel('File of products')).toBeVisible()

  await send(page, file('', 'empty.csv'))
  await expect(page.getByRole('alert')).toContainText('The file is empty')
})

test(
  'the catalogue that is exported on the screen is the one that an import takes: nothing is different',
  fullRunJourney,
  async ({ page }) => {
    await openImport(page)
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export the catalogue as CSV' }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toBe('catalogue.csv')
    await page.getByLabel('File of products').setInputFiles(await saved.path())
    await page.getByRole('button', { name: 'Check the file' }).click()
    await expect(page.getByText('The catalogue says all of this already.')).toBeVisible()
    await page.getByRole('link', { name: 'Choose another file' }).click()

    const template = page.waitForEvent('download')
    await page.getByRole('link', { name: /Download a template/ }).click()
    await page.getByLabel('File of products').setInputFiles(await (await template).path())
    await page.getByRole('button', { name: 'Check the file' }).click()
    await expect(page.getByRole('button', { name: 'Import 1 product' })).toBeEnabled()
  },
)
