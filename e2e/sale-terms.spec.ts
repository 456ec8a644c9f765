import type { Page } from '@playwright/test'
import { expect, fillPurchaseForm, openUntilQuiet, registerByApi, signInAsAdmin, test } from './store.ts'

test.use({ storeOf: 'sale-terms' })

test('a shop that charges tax and delivery says so beside its prices, and Buy Now leads to the basket, with and without a script', async ({
  page,
  buyer,
  browser,
}) => {
  const main = page.getByRole('main')
  const card = main.getByRole('article').first()
  await openUntilQuiet(page, '/allproducts')
  await expect(page.getByText(/plus tax|incl\. tax|plus delivery/)).toHaveCount(0)
  await expect(card.getByRole('link', { name: /^Buy Now/ })).toHaveAttribute('href', /^\/purchase\//)
  const path = await card.getByRole('heading').getByRole('link').getAttribute('href')
  const baseURL = new URL(page.url()).origin
  const admin = await (await browser.newContext({ baseURL })).newPage()
  const customer = await (await browser.newContext({ baseURL })).newPage()
  await registerByApi(customer, buyer)
  await fillPurchaseForm(customer, path?.split('/').at(-1))
  const undo = await setUpTaxAndDelivery(admin)
  await customer.getByRole('button', { name: /^Order/ }).click()
  await expect(customer.getByRole('alert')).toContainText('This shop charges delivery or tax now')
  await customer.getByRole('link', { name: 'Buy by the basket' }).click()
  await expect(customer.getByRole('main').getByRole('button', { name: 'Buy Now' })).toBeVisible()

  const plain = await browser.newContext({ javaScriptEnabled: false, baseURL })
  const reader = await plain.newPage()
  for (const address of ['/', '/allproducts', '/allproducts?look=table', `${path}`, '/blogs']) {
    await reader.goto(address)
    await expect(reader.getByText(/prices plus tax and delivery/i).last()).toBeVisible()
  }
  await reader.goto(`${path}?quantity=10000`)
  await expect(reader.getByRole('main').getByText('plus tax and delivery', { exact: true }).first()).toBeVisible()
  await expect(reader.getByRole('link', { name: /^Buy Now/ })).toHaveCount(0)
  await reader.goto('/allproducts')
  await reader
    .getByRole('article')
    .first()
    .getByRole('button', { name: /^Buy Now/ })
    .click()
  await expect(reader).toHaveURL(/\/cart$/)
  await expect(reader.getByRole('list', { name: 'Lines of the basket' }).getByRole('listitem')).toHaveCount(1)
  await plain.close()

  await openUntilQuiet(page, `${path}`)
  const ordered = await main.getByLabel('Quantity').inputValue()
  await main.getByLabel('Quantity').fill('0')
  await main.getByRole('button', { name: 'Buy Now' }).click()
  await expect(main.getByLabel('Quantity')).toBeFocused()
  await main.getByLabel('Quantity').fill(ordered)
  await main.getByLabel('Quantity').press('Enter')
  await expect(page).toHaveURL(/\/cart$/)
  await expect(page.getByRole('complementary', { name: 'Total' })).toContainText('Goodsplus tax and delivery')

  const purchase = `${path}?quantity=${ordered}`.replace('products', 'purchase')
  await page.goto(purchase)
  await expect(page).toHaveURL(`${path}?quantity=${ordered}`)
  await customer.goto(purchase)
  await expect(customer.getByRole('main')).toContainText('This is bought by the basket')
  await expect(customer.getByRole('button', { name: /^Order/ })).toHaveCount(0)
  await customer.getByRole('button', { name: /^Put [\d,]+ into the basket/ }).click()
  await expect(customer).toHaveURL(/\/cart$/)

  await undo()
  for (const other of [admin, customer]) await other.context().close()
  await page.goto('/allproducts')
  await expect(card.getByRole('link', { name: /^Buy Now/ })).toBeVisible()
  await expect(page.getByText(/plus tax/)).toHaveCount(0)
})

/** Germany with net prices, and a parcel. @returns takes both back */
async function setUpTaxAndDelivery(page: Page): Promise<() => Promise<unknown>> {
  await signInAsAdmin(page)
  const headers = { authorization: `Bearer ${await page.evaluate(() => localStorage.accessToken)}` }
  const send = async (method: string, path: string, data?: object) => {
    const answer = await page.request.fetch(`/api${path}`, { method, headers, ...(data && { data }) })
    expect(answer.ok(), await answer.text()).toBe(true)
    return answer.json()
  }
  const settings = (country: string | null) => send('PUT', '/tax/settings', { country, state: null, pricesIncludeTax: false })
  await settings('DE')
  await send('POST', '/tax/rate-sets', { set: 'eu-vat' })
  const zone = await send('POST', '/delivery/zones', { name: 'Near', countries: ['DE'], states: [], postalPrefixes: [] })
  await send('POST', `/delivery/zones/${zone._id}/methods`, {
    ...{ name: 'Parcel', carrier: null, pricedBy: 'goods', steps: [{ upTo: null, priceCents: 490 }], freeFromCents: null },
    ...{ daysFrom: 1, daysTo: 2, cutOff: null, handlingDays: 0, notForCategories: [] },
  })
  return async () => {
    await settings(null)
    await send('DELETE', `/delivery/zones/${zone._id}`)
  }
}
