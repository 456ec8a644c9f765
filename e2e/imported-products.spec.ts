import { expect, openAsAdmin, test } from './store.ts'

test.use({ storeOf: 'imported products' })

const fans = [
  'sku;name;brand;price;price_breaks;minimum_order_quantity;available_quantity;category;specs.color;specs.size_mm',
  'FAN-B;Arctic Whirl 120 Black;Arctic;12;25: 11.30; 100: 10.83;1;40;case-fan;Black;120',
  'FAN-W;Arctic Whirl 120 White;Arctic;14;;1;40;case-fan;White;120',
]

test('imported products without part numbers show their SKU, price breaks beyond the stock say so, and each colour its price', async ({
  page,
}) => {
  await openAsAdmin(page, '/dashboard/import')
  const csv = fans.map((row) => row.replace('25: 11.30; 100: 10.83', '"25: 11.30; 100: 10.83"')).join('\r\n')
  await page.getByLabel('File of products').setInputFiles({ name: 'fans.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByRole('button', { name: 'Check the file' }).click()
  await page.getByRole('button', { name: 'Import 2 products' }).click()
  await expect(page.getByText('Imported: 2 new, 0 changed')).toBeVisible()

  await page.goto('/allproducts?q=Arctic+Whirl')
  await expect(page.getByRole('main')).toContainText('SKU FAN-')
  await page.getByRole('link', { name: 'Arctic Whirl 120 Black' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Arctic Whirl 120 Black')
  await expect(page.getByRole('main')).toContainText(/SKU\s*FAN-B/)
  const steps = page.getByRole('table', { name: 'Price of one piece by quantity' })
  await expect(steps.getByRole('rowheader')).toHaveText(['1 or more', '25 or more', '100 or more (not so many in stock)'])
  const versions = page.getByRole('navigation', { name: '2 versions' })
  await expect(versions.getByRole('link')).toHaveText(['Black$12', 'White$14'])
})

test('a list prints with the day of its prices and without what only a screen can use', async ({ page }) => {
  await page.goto('/allproducts?category=memory')
  const main = page.getByRole('main')
  const day = main.getByText(/^Nucleus of PC, prices and stock of \d/)
  const controls = [
    main.getByRole('region', { name: 'Filters' }),
    main.getByRole('button', { name: /^Add/ }).first(),
    main.getByRole('list', { name: 'Look' }),
    page.getByRole('searchbox').first(),
  ]
  await expect(day).toBeHidden()
  for (const control of controls) await expect(control).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(day).toBeVisible()
  for (const control of controls) await expect(control).toBeHidden()
})

test('the names of what is compared stay in view while its attributes are read', async ({ page, request }) => {
  for (const [count, width, height] of [
    [2, 1280, 725],
    [2, 320, 568],
    [4, 768, 1024],
    [4, 320, 568],
  ] as const) {
    const boards = await (await request.get(`/api/search?category=motherboard&limit=${count}`)).json()
    await page.setViewportSize({ width, height })
    await page.goto(`/compare?${boards.tools.map(({ _id }: { _id: string }) => `id=${_id}`).join('&')}`)
    const name = page.getByRole('main').getByRole('columnheader').getByRole('link', { name: boards.tools[0].name, exact: true })
    await page.getByRole('region', { name: 'Parts side by side' }).evaluate((table) => {
      table.scrollIntoView({ block: 'end' })
      table.scrollTop = table.scrollHeight // of what is too wide for the page
    })
    await expect(name, `${count} at ${width} px`).toBeInViewport()
  }
})
