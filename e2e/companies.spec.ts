import type { Page } from '@playwright/test'
import { expect, fillCardForm, openUntilQuiet, placePurchase, registerByApi, restoreSession, test } from './store.ts'

// A company, from its founding to what its members see and do.

// The outbox opens to who sits at the machine, with nobody between.
test.use({ extraHTTPHeaders: {} })

const main = (page: Page) => page.getByRole('main')
const warehouse = { name: 'Warehouse', line1: 'Invalidenstraße 116', city: 'Berlin', postalCode: '10115' }

test('a customer founds a company, invites a colleague by mail and keeps an address; the colleague joins, orders to that address, both see and cancel the order, and one pays what the other orders next', async ({
  page,
  browser,
  buyer,
  store,
}) => {
  const colleague = { ...buyer, name: 'Grace Hopper', email: buyer.email.replace('ada.', 'grace.') }
  await registerByApi(page, buyer)
  await store.sql('update users set email_verified = true where email = $1', [buyer.email])
  await page.goto('/dashboard')
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'My Company' }).click()
  await page.getByLabel('Name of the company').fill('Engines')
  await page.getByLabel('VAT id').fill('DE1')
  await page.getByRole('button', { name: 'Found the company' }).click()
  await expect(main(page)).toContainText('This is no VAT id')
  await page.getByLabel('VAT id').fill('DE136695976')
  await page.getByRole('button', { name: 'Found the company' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Engines')

  await page.getByRole('button', { name: 'Add an address' }).click()
  await page.getByLabel('Name of the address').fill(warehouse.name)
  await page.getByLabel('Country').selectOption({ label: 'Germany' })
  await page.getByLabel('Address', { exact: true }).fill(warehouse.line1)
  await page.getByLabel('City').fill(warehouse.city)
  await page.getByRole('button', { name: 'Add address' }).click()
  await expect(main(page)).toContainText('Enter the postal code')
  await page.getByLabel('Postal code').fill(warehouse.postalCode)
  await page.getByRole('button', { name: 'Add address' }).click()
  await expect(main(page)).toContainText(/Warehouse\s*Deliveries\s*Invalidenstraße 116/)

  await page.getByLabel('E-mail of a colleague').fill(colleague.email)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Open invitations' })).toContainText(colleague.email)

  await using other = await browser.newContext({ baseURL: store.address })
  const hers = await other.newPage()
  const mail = await openMail(hers, store.outboxKey, colleague.email, 'An invitation to buy for a company')
  await hers.goto(new URL(mail).pathname)
  await expect(hers).toHaveURL(/\/login\?from=/)
  const ordered = await placePurchase(hers.request, store.address, colleague)
  await restoreSession(hers, colleague, ordered.token)
  await hers.goto(new URL(mail).pathname)
  await expect(main(hers)).toContainText(`The invitation is for ${colleague.email}. Verify it`)
  const verification = await other.newPage()
  await verification.goto(await openMail(verification, store.outboxKey, colleague.email, /Verify/))
  await main(verification).getByRole('link', { name: 'Go on where you were' }).click()
  await expect(main(verification).getByRole('button', { name: 'Join Engines' })).toBeVisible()
  await verification.close()
  await hers.reload()
  await main(hers).getByRole('button', { name: 'Join Engines' }).click()
  await expect(hers.getByRole('list', { name: 'Members of the company' })).toContainText('Grace Hopper (you)')
  await expect(main(hers)).toContainText('Warehouse')
  await expect(hers.getByRole('button', { name: 'Add an address' })).toHaveCount(0) // managers change them

  await openUntilQuiet(hers, '/allproducts?category=memory')
  await main(hers)
    .getByRole('button', { name: /^Add [\d,]+ to the basket/ })
    .first()
    .click()
  await expect(hers.getByRole('link', { name: /^Basket/ }).filter({ visible: true })).toHaveText(/1$/)
  await hers.goto('/checkout')
  await expect(main(hers)).toContainText('This order is that of Engines')
  await expect(hers.getByRole('region', { name: 'Deliver to' })).toContainText(/Invalidenstraße 116\s+10115 Berlin/) // the first address is offered at once
  await expect(hers.getByLabel('Saved addresses of Engines').locator('option:checked')).toHaveText('Warehouse')
  await hers.getByRole('button', { name: /^Order and pay/ }).click()
  await expect(hers).toHaveURL(/\/dashboard\/payment\//)

  await page.goto('/dashboard/myorder')
  await page.getByRole('navigation', { name: 'Whose orders' }).getByRole('link', { name: 'Engines' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Grace Hopper' })
  await expect(row).toHaveCount(1) // what she has ordered before stays hers
  await expect(row.getByRole('link', { name: /^Pay Now/ })).toBeVisible()
  await row.getByRole('link', { name: /^Order \d/ }).click()
  await expect(main(page)).toContainText('DE136695976')
  await page.getByRole('button', { name: 'Cancel order' }).click()
  await page.getByRole('button', { name: /^Cancel order \d/ }).click()
  await expect(main(page)).toContainText('Cancelled by you')
  await hers.goto(new URL(page.url()).pathname)
  await expect(main(hers)).toContainText(`Cancelled by ${buyer.email}`)

  await hers.goto('/checkout')
  await hers.getByLabel('Your order number').fill('PO-77')
  await hers.getByRole('button', { name: /^Order and pay/ }).click()
  await expect(hers).toHaveURL(/\/dashboard\/payment\//)
  const summary = hers.getByRole('region', { name: /^Order \d+$/ })
  await expect(summary).toContainText(/CompanyEnginesVAT idDE136695976PO numberPO-77/)
  await page.goto('/dashboard/myorder?of=company')
  await page.getByRole('link', { name: /^Pay Now/ }).click()
  await fillCardForm(page, '4242 4242 4242 4242')
  const shownAccount = await page.evaluate(() => localStorage.getItem('account'))
  await page.evaluate((email) => localStorage.setItem('account', JSON.stringify({ email })), colleague.email) // as another window does that signs in
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(main(page)).toContainText(`Nothing was charged. Sign in as ${buyer.email} to pay this order.`)
  await page.evaluate((account) => localStorage.setItem('account', account ?? ''), shownAccount)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(main(page)).toContainText('Payment successfully done...')
  await expect(main(page)).toContainText(`To ${colleague.email}`) // who has placed it gets the receipt
  await hers.goto('/dashboard/myorder?of=company')
  const paid = hers.getByRole('row').filter({ hasText: `Paid by ${buyer.name}` })
  await expect(paid).toContainText('your number PO-77')
  await paid.getByRole('link', { name: /^Order \d/ }).click()
  await expect(hers.getByRole('list', { name: 'What happened to this order' })).toContainText(`Paid by ${buyer.name}`)
  await hers.goto('/dashboard/myorder?of=company')
  await expect(main(hers).getByLabel('Search part numbers, products, orders and transactions')).toBeVisible() // of two orders
  await hers.goto('/dashboard/myorder?of=company&q=po-78')
  await expect(main(hers).getByRole('status')).toHaveText('0 orders found for "po-78"')
  await main(hers).getByLabel('Search part numbers, products, orders and transactions').fill('po-77')
  await main(hers).getByRole('button', { name: 'Search' }).click()
  await expect(main(hers).getByRole('status')).toHaveText('1 order found for "po-77"')
  await expect(paid).toBeVisible()

  await page.goto('/company')
  await page.getByRole('button', { name: `Remove, ${colleague.email}` }).click()
  await page.getByRole('button', { name: 'Remove Grace Hopper' }).click()
  await expect(page.getByRole('list', { name: 'Members of the company' })).not.toContainText('Grace Hopper')
  await hers.goto('/company')
  await expect(hers.getByRole('button', { name: 'Found the company' })).toBeVisible()
})

/** @returns the address of the link in the newest mail with this subject */
async function openMail(page: Page, outboxKey: string, email: string, subject: string | RegExp): Promise<string> {
  const mail = page.getByRole('listitem').filter({ hasText: email }).filter({ hasText: subject }).first()
  await expect(async () => {
    await page.goto(`/outbox?key=${outboxKey}`)
    await expect(mail).toBeVisible({ timeout: 500 })
  }).toPass()
  await mail.getByRole('link').click()
  return (await page.locator('pre').getByRole('link').getAttribute('href')) ?? ''
}
