import type { Page } from '@playwright/test'
import { fullRunJourney } from '../proof/full-run.ts'
import { adminCredentials, expect, fillCardForm, openAsAdmin, openUntilQuiet, registerByApi, test } from './store.ts'

test.use({ storeOf: 'checkout' })

const basketLink = (page: Page) => page.getByRole('link', { name: /^Basket/ }).and(page.locator(':visible'))
const orderButton = (page: Page, label: RegExp = /^Order and pay/) => page.getByRole('button', { name: label })

/** Calls of the shop's admin, who leaves nothing in the browser. */
async function enterAsAdmin(page: Page) {
  await page.goto('/healthz')
  const { origin } = new URL(page.url())
  const { email } = adminCredentials
  const entered = await (await page.request.post('/api/auth/sign-in/email', { headers: { origin }, data: adminCredentials })).json()
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const taken = await page.request.put(`/api/user/${email}`, { headers: bearer(entered.token), data: { email } })
  const { token } = await taken.json()
  await page.context().clearCookies()
  const fetch = (method: string, path: string, data?: object) => page.request.fetch(`/api${path}`, { method, headers: bearer(token), data })
  async function send(method: string, path: string, data?: object) {
    const answer = await fetch(method, path, data)
    expect(answer.ok(), await answer.text()).toBe(true)
    return answer.json()
  }
  return { fetch, send }
}

/** Germany, whose prices are net, delivers to itself and to Austria. Once: the journeys of this file may share a shop. */
async function setUpTaxAndDelivery(page: Page) {
  const { fetch, send } = await enterAsAdmin(page)
  if (!(await fetch('POST', '/discount-codes', { code: 'TEN', percentOff: 10 })).ok()) return
  await send('PUT', '/tax/settings', { country: 'DE', state: null, pricesIncludeTax: false })
  await send('POST', '/tax/rate-sets', { set: 'eu-vat' })
  const zone = await send('POST', '/delivery/zones', { name: 'Near', countries: ['DE', 'AT'], states: [], postalPrefixes: [] })
  for (const [name, priceCents, daysTo] of [
    ['Parcel', 490, 3],
    ['Express', 1490, 1],
  ] as const)
    await send('POST', `/delivery/zones/${zone._id}/methods`, {
      ...{ name, carrier: 'DHL', pricedBy: 'goods', steps: [{ upTo: null, priceCents }], freeFromCents: null },
      ...{ daysFrom: 1, daysTo, cutOff: null, handlingDays: 0, notForCategories: [] },
    })
}

async function stopOffering(page: Page, name: string) {
  const { send } = await enterAsAdmin(page)
  const { zones }: { zones: { methods: { _id: string; name: string }[] }[] } = await send('GET', '/delivery')
  for (const method of zones.flatMap(({ methods }) => methods))
    if (method.name === name) await send('DELETE', `/delivery/methods/${method._id}`)
}

async function fillBasket(page: Page) {
  await openUntilQuiet(page, '/allproducts?category=memory')
  const add = page.getByRole('main').getByRole('button', { name: /^Add [\d,]+ to the basket/ })
  for (const nth of [0, 1]) {
    await add.nth(nth).click()
    await expect(basketLink(page)).toHaveText(new RegExp(`${nth + 1}$`))
  }
}

/** Takes the first line out of the basket. @returns the name of its product */
async function removeInOtherTab(page: Page): Promise<string | null> {
  const otherTab = await page.context().newPage()
  await otherTab.goto('/cart')
  const lines = otherTab.getByRole('list', { name: 'Lines of the basket' })
  const removed = await lines.getByRole('heading').first().textContent()
  await otherTab
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click()
  await expect(lines.locator('> li')).toHaveCount(1)
  return removed
}

test('a basket is estimated, checked out with the delivery chosen, changed on the way back, and is empty once it is paid; an admin gives its delivery back', async ({
  page,
  buyer,
  browser,
  store,
}) => {
  await setUpTaxAndDelivery(page)
  await registerByApi(page, buyer)
  await fillBasket(page)
  await page.goto('/cart')
  const total = page.getByRole('complementary', { name: 'Total' })
  await page.getByLabel('Delivery to').selectOption({ label: 'Germany' })
  await expect(total).toContainText('Delivery$4.90Tax 19 %$147.23Total$922.13')
  await total.getByLabel('Without tax').check()
  await expect(total).toContainText('Total without tax$774.90')
  await page.reload()
  await expect(total).toContainText('Total without tax$774.90')

  const elsewhere = 'We deliver to these countries. Elsewhere: ask us'
  await expect(total).toContainText(elsewhere)
  await page.getByRole('link', { name: 'Check out' }).click()
  await expect(page.getByRole('region', { name: 'Deliver to' })).toContainText(elsewhere)
  await orderButton(page, /\$922\.13$/).click()
  await expect(page.getByLabel('Address', { exact: true })).toBeFocused()
  await expect(page.getByText('Enter the address')).toBeVisible()
  await page.getByLabel('Address', { exact: true }).fill('Invalidenstraße 116')
  await page.getByLabel('City').fill('Berlin')
  await page.getByLabel('Postal code').fill('1011')
  await page.getByLabel('City').focus()
  await expect(page.getByText('This is no postal code of Germany')).toBeVisible()
  for (const label of ['Austria', 'Germany']) {
    await page.getByLabel('Country').selectOption({ label })
    await expect(page.getByText('This is no postal code of Germany')).toHaveCount(0)
  }
  await page.getByLabel('Postal code').fill('10115')
  await page.getByLabel(/^Express/).click()
  await expect(orderButton(page, /\$934\.03$/)).toBeVisible()
  await page.getByLabel('Discount code').fill('NONE')
  await page.getByLabel('Discount code').press('Enter')
  await expect(page.getByText('There is no code NONE')).toBeVisible()
  await expect(orderButton(page, /\$934\.03$/)).toBeVisible()
  await orderButton(page).click()
  await expect(page.getByLabel('Discount code')).toBeFocused()
  await expect(page.getByLabel('Discount code')).toHaveAccessibleDescription(/Correct it, or take it out to order without it/)
  await expect(page).toHaveURL(/\/checkout$/)
  await page.getByLabel('Discount code').fill('ten')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(orderButton(page, /\$842\.40$/)).toBeVisible()
  await page.reload()
  await expect(orderButton(page, /\$842\.40$/)).toBeVisible() // nothing that was typed is lost
  await expect(page.getByLabel(/^Express/)).toBeChecked()
  await orderButton(page).dblclick()
  await expect(page).toHaveURL(/\/dashboard\/payment\//)

  await page.goBack()
  await expect(page.getByRole('region', { name: 'Deliver to' })).toContainText(/Invalidenstraße 116\s+10115 Berlin\s+Germany/)
  await expect(page.getByText(/^You have an unpaid order 10\d\d of \$842\.40$/)).toBeVisible()
  await expect(orderButton(page, /\$842\.40$/)).toBeVisible() // by the same delivery and with the same code
  await expect(page.getByLabel(/^Express/)).toBeChecked()
  await page.getByText('Order for a business').click()
  await page.getByLabel('VAT id').fill('DE1')
  await page.getByLabel('Your order number').fill('PO-77')
  await expect(page.getByText('This is no VAT id')).toBeVisible()
  await page.getByLabel('VAT id').fill('')
  await expect(page.getByText('This is no VAT id')).toHaveCount(0)
  await expect(page.getByLabel('Your order number')).toHaveValue('PO-77')
  await expect(page.getByLabel('Your order number')).toBeVisible() // it was unfolded by hand before the mistake, and stays so
  await page.getByLabel(/^Parcel/).click()
  await page.getByLabel('Discount code').fill('')
  await page.getByRole('button', { name: 'Apply' }).click()
  await orderButton(page, /\$922\.13$/).click()
  const costs = 'Goods$770Delivery$4.9019 % tax on $774.90$147.23'
  const summary = page.getByRole('region', { name: /^Order \d+$/ })
  await expect(summary).toContainText(`${costs}Total$922.13`)
  await expect(summary).toContainText('Parcel, DHL, arrives')
  await expect(summary).toContainText('PO-77')
  await expect(summary).toContainText('order again: as long as it asks for one of these products, that replaces this order.')
  await expect(page.getByRole('main')).toContainText(
    /This order replaces order 10\d\d.*It was not paid and asked for some of the same products, so it is cancelled/,
  )
  await expect(summary).toContainText(/Replacesorder 10\d\d, not paid and cancelled/)
  await fillCardForm(page, '4242 4242 4242 4242')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await expect(page.getByText('Payment successfully done...')).toBeVisible()
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const receipt = page.getByRole('article', { name: /^Receipt of order/ })
  for (const words of [`${costs}Total paid$922.13`, 'Parcel, DHL, arrives', 'PO-77']) await expect(receipt).toContainText(words)
  await expect(basketLink(page)).toHaveText('Basket')
  await page.goBack()
  await expect(page.getByRole('heading', { name: /^Order 10\d\d is paid$/ })).toBeVisible()
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Order 10/ })
    .click()
  await expect(page).toHaveURL(/\/dashboard\/myorder\//)

  await page.goto('/dashboard/myorder')
  await expect(page.getByRole('main')).toContainText('Cancelled')
  await expect(page.getByRole('row').filter({ hasText: 'Paid' })).toContainText('$770Total $922.13')
  await page
    .getByRole('link', { name: /^Order 10\d\d/ })
    .nth(1)
    .click()
  await expect(page.getByRole('main')).toContainText(
    /Replaced by order 10\d\d.*It asks for some of the same products, and nothing is ordered twice\. Nothing was charged\./,
  )
  await expect(page.getByRole('main')).not.toContainText('arrives')
  await page.goto('/dashboard/myorder')
  await page
    .getByRole('link', { name: /^Order 10\d\d/ })
    .first()
    .click()
  await expect(page.getByRole('main')).toContainText('Parcel, DHL, arrives')
  await expect(page.getByRole('main')).toContainText('PO-77')
  await page.getByRole('button', { name: 'Order all again' }).click()
  await expect(page.getByRole('list', { name: 'Lines of the basket' }).locator('> li')).toHaveCount(2)

  const office = await browser.newPage({ baseURL: store.address })
  await openAsAdmin(office, `/dashboard/order/${id}`)
  const whole = office.getByRole('region', { name: 'The whole order: 2 products, $922.13' })
  await expect(whole).toContainText(`${costs}Total paid$922.13`)
  await expect(office.getByRole('main')).toContainText('Parcel, DHL, arrives')
  await office.getByLabel('Amount').fill('0')
  await office.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(office.getByLabel('Amount')).toHaveAccessibleDescription(/At least one cent/)
  await office.getByLabel('The delivery too: $5.83').check()
  await office.getByRole('button', { name: 'Refund $5.83' }).click()
  const question = office.getByRole('alertdialog')
  await expect(question).toContainText(`$5.83 for the delivery goes back to the card of ${buyer.name}`)
  await question.getByRole('button', { name: 'Refund $5.83' }).click()
  await expect(office.getByText(/\$5\.83 of order \d+ refunded/)).toBeVisible()
  const refunded = 'Refunded-$5.83including delivery and its tax-$5.83including 19 % tax on $4.90-$0.93Paid after the refund$916.30'
  await expect(whole).toContainText(refunded)
  await expect(office.getByLabel(/^The delivery too/)).toHaveCount(0)
  await office.close()
  await page.goto(`/dashboard/payment/${id}`)
  await expect(receipt).toContainText(refunded)
})

test('a visitor orders with an e-mail and pays by the link to the order', async ({ page, buyer }) => {
  await fillBasket(page)
  await openUntilQuiet(page, '/checkout')
  await page.getByLabel('Country').selectOption({ label: 'Austria' })
  await page.getByLabel('Address', { exact: true }).fill('Ring 1')
  await page.getByLabel('City').fill('Wien')
  await page.getByLabel('Postal code').fill('1010')
  await page.getByLabel('Full name').fill(buyer.name)
  await orderButton(page, /\$/).click()
  await expect(page.getByText('Enter your e-mail')).toBeVisible()
  await page.getByLabel('E-mail').fill(buyer.email)
  await orderButton(page).click()
  await expect(page).toHaveURL(/\/order\/[0-9a-f]{64}\?pay=1$/)
  await fillCardForm(page, '4242 4242 4242 4242')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await expect(page.getByText('Payment successfully done...')).toBeVisible()
  await expect(basketLink(page)).toHaveText('Basket')
})

test('what a visitor typed last counts: a place in the basket after an order, an empty code, and an invoice goes to any country', async ({
  page,
  buyer,
}) => {
  await setUpTaxAndDelivery(page)
  await fillBasket(page)
  await openUntilQuiet(page, '/checkout')
  await page.getByLabel('E-mail').fill(buyer.email)
  await page.getByLabel('Full name').fill(buyer.name)
  await page.getByLabel('Country').selectOption({ label: 'Germany' })
  await page.getByLabel('Address', { exact: true }).fill('Invalidenstraße 116')
  await page.getByLabel('City').fill('Berlin')
  await page.getByLabel('Postal code').fill('10115')
  await orderButton(page, /\$/).click()
  await expect(page).toHaveURL(/\?pay=1$/)

  await openUntilQuiet(page, '/cart')
  const total = page.getByRole('complementary', { name: 'Total' })
  await page.getByLabel('Delivery to').selectOption({ label: 'Austria' })
  await expect(page.getByText('This is no postal code of Austria')).toBeVisible() // that of Berlin
  await expect(total).not.toContainText('20 %')
  await page.getByLabel('Postal code').fill('1060')
  await page.getByLabel('Delivery to').focus()
  await expect(total).toContainText('20 %')
  await expect(page.getByText('This is no postal code of Austria')).toHaveCount(0)
  await page.getByRole('link', { name: 'Check out' }).click()
  await expect(page.getByLabel('Country')).toHaveValue('AT')
  await expect(page.getByLabel('Postal code')).toHaveValue('1060')
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue('')
  await expect(page.getByLabel('E-mail')).toHaveValue(buyer.email)

  await page.getByLabel('Discount code').fill('NONE')
  await page.getByLabel('Discount code').press('Enter')
  await expect(page.getByText('There is no code NONE')).toBeVisible()
  await page.getByLabel('Discount code').fill('')
  await expect(page.getByText('There is no code NONE')).toHaveCount(0)

  await page.getByLabel('Address', { exact: true }).fill('Ring 1')
  await page.getByLabel('City').fill('Wien')
  await page.getByLabel('The invoice goes to another address').check()
  const invoice = page.getByRole('group', { name: 'Address of the invoice' })
  await invoice.getByLabel('Country').selectOption({ label: 'Switzerland' })
  await invoice.getByLabel('Address', { exact: true }).fill('Bahnhofstrasse 1')
  await invoice.getByLabel('City').fill('Zürich')
  await invoice.getByLabel('Postal code').fill('8001')
  await orderButton(page, /\$/).click()
  await expect(page).toHaveURL(/\?pay=1$/)
  await expect(page.getByRole('region', { name: /^Order \d+$/ })).toContainText('20 % tax')
  await page.goBack()
  await expect(page.getByRole('region', { name: 'Deliver to' })).toContainText(/Ring 1\s+1060 Wien\s+Austria/)
})

test('without JavaScript a visitor sees what the basket costs in their country, and orders on a phone up to the card', async ({
  page,
  buyer,
  browser,
  baseURL,
}) => {
  await setUpTaxAndDelivery(page)
  const context = await browser.newContext({
    ...{ javaScriptEnabled: false, viewport: { width: 390, height: 844 } },
    ...(baseURL && { baseURL }),
  })
  const plain = await context.newPage()
  await plain.goto('/allproducts?category=memory')
  await plain
    .getByRole('main')
    .getByRole('button', { name: /^Add [\d,]+ to the basket/ })
    .first()
    .click()
  const total = plain.getByRole('complementary', { name: 'Total' })
  await plain.getByLabel('Delivery to').selectOption({ label: 'Germany' })
  await plain.getByRole('button', { name: 'Show what it costs there' }).click()
  await expect(total).toContainText(/Delivery\$4\.90Tax 19 %\$[\d.]+Total\$/)
  await plain.getByLabel('Without tax').check()
  await plain.getByRole('button', { name: 'Show what it costs there' }).click()
  await plain.goto('/cart')
  await expect(total).toContainText('Total without tax') // remembered

  await plain.getByRole('link', { name: 'Check out' }).click()
  await expect(plain.locator('[name="billTo.country"] option', { hasText: 'Switzerland' })).toHaveCount(1)
  await expect(plain.locator('[name="deliverTo.country"] option', { hasText: 'Switzerland' })).toHaveCount(0)
  await plain.getByLabel('E-mail').fill(buyer.email)
  await plain.getByLabel('Full name').fill(buyer.name)
  await plain.getByLabel('Address', { exact: true }).first().fill('Invalidenstraße 116')
  await plain.getByLabel('City').first().fill('Berlin')
  await plain.getByLabel('Postal code').first().fill('1011')
  await plain.getByLabel(/^Express/).check()
  await orderButton(plain).click()
  await expect(plain).toHaveTitle(/^Error: /)
  await expect(plain.getByRole('alert').getByRole('link', { name: 'This is no postal code of Germany' })).toBeVisible()
  await expect(plain.getByLabel('Postal code').first()).toHaveAttribute('aria-invalid', 'true')
  await expect(plain.getByLabel('E-mail')).toHaveValue(buyer.email)
  await expect(plain.getByLabel('City').first()).toHaveValue('Berlin')
  await expect(plain.getByLabel(/^Express/)).toBeChecked()
  expect(await plain.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await plain.getByLabel('Postal code').first().fill('10115')
  await orderButton(plain).click()
  await expect(plain).toHaveURL(/\/order\/[0-9a-f]{64}\?pay=1$/)
  await expect(
    plain.locator('p', { hasText: 'To pay by card, and to see how your order stands, this page needs JavaScript' }),
  ).toBeVisible()
  await plain.goBack()
  await expect(plain.locator('p', { hasText: /^You have an unpaid order 10\d\d of/ })).toBeVisible()
  await expect(plain.getByLabel('City').first()).toHaveValue('Berlin')
  await context.close()
})

test('a total that changes while the buyer types is said with the new one, and nothing typed is lost', async ({ page, buyer }) => {
  await registerByApi(page, buyer)
  await fillBasket(page)
  await openUntilQuiet(page, '/checkout')
  await page.getByLabel('Country').selectOption({ label: 'Austria' })
  await page.getByLabel('Address', { exact: true }).fill('Ring 1')
  await page.getByLabel('City').fill('Wien')
  await page.getByLabel('Postal code').fill('1010')
  await expect(orderButton(page, /\$/)).toBeVisible()
  await page.route('**/api/checkout', (route) =>
    route.fulfill({ status: 409, json: { code: 'total_changed', message: 'The order now costs $999', totalCents: 99_900 } }),
  )
  const removed = await removeInOtherTab(page)
  await orderButton(page).click()
  const notice = page.getByRole('status').filter({ hasText: /The order now costs \$/ }) // whichever comes first, its own estimate or the answer
  await expect(notice).toBeFocused()
  await expect(notice).toContainText(`${removed} was taken out`)
  await expect(notice).toContainText(/The total is now \$[\d.,]+\. Order again if you agree\.$/)
  await expect(page.getByLabel('City')).toHaveValue('Wien')
  await page.unroute('**/api/checkout')
  await orderButton(page).click()
  await expect(page).toHaveURL(/\/dashboard\/payment\//)
})

test('a checkout that is open while its basket and its delivery change elsewhere says what has changed', async ({
  page,
  buyer,
  browser,
  baseURL,
}) => {
  await setUpTaxAndDelivery(page)
  await registerByApi(page, buyer)
  await fillBasket(page)
  await openUntilQuiet(page, '/checkout')
  await page.getByLabel('Country').selectOption({ label: 'Germany' })
  await page.getByLabel('Address', { exact: true }).fill('Invalidenstraße 116')
  await page.getByLabel(/^Express/).click()
  await expect(page.getByLabel(/^Express/)).toBeChecked()
  await stopOffering(await (await browser.newContext(baseURL ? { baseURL } : {})).newPage(), 'Express')
  const removed = await removeInOtherTab(page)

  await page.evaluate(() => window.dispatchEvent(new Event('focus'))) // as a window without a head is always in front
  await expect(page.getByText('Your basket has changed')).toBeVisible()
  await expect(page.getByText(`${removed} was taken out`)).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Your order' }).getByText('1 product')).toBeVisible()
  await expect(page.getByText('Delivery is now Parcel, $4.90')).toBeVisible()
  await expect(page.getByText('Express is not offered for this basket and address.')).toBeVisible()
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue('Invalidenstraße 116')
})

test(
  'what a guest has typed for one order alone is not that of the next basket, which says that the first one is not paid',
  fullRunJourney,
  async ({ page }) => {
    await setUpTaxAndDelivery(page)
    await fillBasket(page)
    await openUntilQuiet(page, '/checkout')
    await page.getByLabel('E-mail').fill('gwen@visitors.example')
    await page.getByLabel('Full name').fill('Gwen Guest')
    await page.getByLabel('Country').selectOption({ label: 'Germany' })
    await page.getByLabel('Address', { exact: true }).fill('Ring 1')
    await page.getByLabel('City').fill('Berlin')
    await page.getByLabel('Postal code').fill('10115')
    await page.getByText('Order for a business').click()
    await page.getByLabel('Your order number').fill('PO-77')
    await page.getByLabel('Discount code').fill('ten')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('Reduction')).toBeVisible()
    await orderButton(page, /\$[\d.,]+$/).click()
    await expect(page).toHaveURL(/\/order\/[0-9a-f]{64}\?pay=1$/)

    const { lines }: { lines: { productId: string }[] } = await (await page.request.get('/api/cart')).json()
    for (const { productId } of lines) await page.request.delete(`/api/cart/lines/${productId}`)
    await openUntilQuiet(page, '/allproducts?category=storage')
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Add [\d,]+ to the basket/ })
      .first()
      .click()
    await expect(basketLink(page)).toHaveText(/1$/)
    await openUntilQuiet(page, '/checkout')
    await expect(page.getByText(/^You have an unpaid order 10\d\d of \$[\d.,]+: pay or cancel it$/)).toBeVisible()
    await expect(page.getByRole('region', { name: 'Deliver to' })).toContainText(/Gwen Guest\s+Ring 1\s+10115 Berlin/)
    await expect(page.getByLabel('Discount code')).toHaveValue('')
    await expect(page.getByText('PO-77')).toHaveCount(0)
    await expect(page.getByText('Reduction')).toHaveCount(0)
    await page.getByText('Order for a business').click()
    await expect(page.getByLabel('Your order number')).toHaveValue('')
  },
)

test('the checkout says how many lines of a long basket it does not show, and shows them at a key', async ({ page }) => {
  await page.goto('/allproducts')
  const { tools }: { tools: { _id: string; minimum_order_quantity: number }[] } = await (
    await page.request.get('/api/search?limit=10')
  ).json()
  for (const { _id, minimum_order_quantity: quantity } of tools)
    expect((await page.request.put(`/api/cart/lines/${_id}`, { data: { quantity } })).ok()).toBe(true)
  await openUntilQuiet(page, '/checkout')
  const summary = page.getByRole('complementary', { name: 'Your order' })
  await expect(summary.getByRole('listitem')).toHaveCount(7)
  await summary.getByText('3 more').press('Enter')
  await expect(summary.getByRole('listitem')).toHaveCount(10)
  for (const line of await summary.getByRole('listitem').all()) await expect(line).toBeVisible()
})
