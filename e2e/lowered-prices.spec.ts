import { priceAskedLongerSql } from '#test/price-actions.ts'
import { expect, openAsAdmin, registerByApi, test } from './store.ts'

test('a price that the owner lowers is shown as lowered on the page and in lists, can be filtered by, and is not claimed to a buyer with a price of their own', async ({
  page,
  buyer,
  browser,
  store,
}) => {
  await openAsAdmin(page, '/dashboard/prices')
  const headers = { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('accessToken'))}` }
  const figures = { minimum_order_quantity: 1, available_quantity: 50 }
  const drive = { name: 'Lowered drive', img: '/drawings/ssd.svg', description: 'Stores for less.', price: 80, ...figures }
  const { _id: id } = await (await page.request.post('/api/tools', { headers, data: drive })).json()
  const main = page.getByRole('main')

  await page.goto(`/products/${id}`)
  await expect(main).toContainText('$80 each')
  await expect(main).not.toContainText('Lowered from')
  await store.sql(priceAskedLongerSql(id, { days: 30 }))
  await page.request.put(`/api/tools/${id}`, { headers, data: { price: 64.5, ...figures } })
  await page.reload()
  await expect(main).toContainText(/Lowered from \$80, the lowest price of the 30 days before \d{1,2} [A-Z][a-z]{2,3} \d{4}/)

  for (const address of ['/allproducts?q=Lowered+drive', '/allproducts?q=Lowered+drive&look=table']) {
    await page.goto(address)
    await expect(main).toContainText('Lowered from $80')
  }
  await page.goto('/allproducts')
  await page.getByRole('checkbox', { name: 'Price lowered' }).check()
  await page.waitForURL('**/allproducts?lowered=yes')
  await expect(main.getByRole('link', { name: 'Lowered drive', exact: true })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Filters that are set' })).toContainText('Price lowered')

  const dealer = await (await browser.newContext()).newPage()
  await registerByApi(dealer, buyer)
  const { part } = await (await page.request.get(`/api/products/${id}`)).json()
  const price = { sku: part.sku, email: buyer.email, price: 60 }
  const given = await page.request.post('/api/buyer-prices', { headers, data: price })
  expect(given.status(), await given.text()).toBe(201)
  for (const address of [`/products/${id}`, '/allproducts?q=Lowered+drive']) {
    await dealer.goto(address)
    await expect(dealer.getByRole('main')).toContainText('Your price: $60')
    await expect(dealer.getByRole('main')).not.toContainText('Lowered from')
  }
  await dealer.context().close()
})
