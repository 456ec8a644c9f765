import type { Page } from '@playwright/test'
import { expect, openAsAdmin, registerByApi, test } from './store.ts'

// An order on account, from the owner's approval to the money.

test.use({ storeOf: 'on-account', extraHTTPHeaders: {} })

const main = (page: Page) => page.getByRole('main')

test('the owner approves credit for a company, a member orders on account, the parcel is invoiced, the company sees what it owes, and the owner writes down the money', async ({
  page,
  browser,
  buyer,
  store,
}) => {
  await registerByApi(page, buyer)
  await store.sql('update users set email_verified = true where email = $1', [buyer.email])
  await page.goto('/company')
  await page.getByLabel('Name of the company').fill('Engines')
  await page.getByRole('button', { name: 'Found the company' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Engines')

  const ofOwner = await browser.newPage()
  await openAsAdmin(ofOwner, '/dashboard/seller')
  for (const [label, text] of [
    ['Name of the business', 'Nucleus Trading GmbH'],
    ['Account holder', 'Nucleus Trading GmbH'],
    ['IBAN', 'DE89 3704 0044 0532 0130 00'],
    ['E-mail for questions about invoices', 'invoices@shop.example'],
  ] as const)
    await ofOwner.getByLabel(label, { exact: true }).fill(text)
  await ofOwner.getByLabel('VAT id').fill('DE136695976')
  await ofOwner.getByLabel('Country').selectOption('Germany')
  for (const [label, text] of [
    ['Address', 'Invalidenstraße 116'],
    ['Postal code', '10115'],
    ['City', 'Berlin'],
  ] as const)
    await ofOwner.getByLabel(label, { exact: true }).fill(text)
  await ofOwner.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(main(ofOwner)).not.toContainText('No invoices yet')
  await ofOwner.getByLabel('On account, for companies that you approve').check()
  await ofOwner.getByRole('button', { name: 'Save how buyers pay' }).click()
  await expect(ofOwner.getByText('Orders from now on are paid by these methods')).toBeVisible()

  await ofOwner.goto('/dashboard/receivables')
  await main(ofOwner).getByRole('link', { name: 'Engines' }).click()
  await ofOwner.getByLabel('At most').fill('100000')
  await ofOwner.getByLabel('Days until an invoice is due').fill('0')
  await ofOwner.getByRole('button', { name: 'Save what it may owe' }).click()
  await expect(main(ofOwner).getByText('At least one day')).toBeVisible()
  await ofOwner.getByLabel('Days until an invoice is due').fill('14')
  await ofOwner.getByRole('button', { name: 'Save what it may owe' }).click()
  await expect(ofOwner.getByRole('region', { name: 'Who has approved what' })).toContainText('$100,000, due after 14 days')

  const { tools } = await (await page.request.get('/api/search')).json()
  await page.request.post('/api/cart/lines', {
    data: { productId: tools[0]._id, quantity: tools[0].minimum_order_quantity },
  })
  await page.goto('/checkout')
  await page.getByLabel('Country').first().selectOption({ label: 'Germany' })
  await page.getByLabel('Address', { exact: true }).fill('Invalidenstraße 116')
  await page.getByLabel('City').fill('Berlin')
  await page.getByLabel('Postal code').fill('10115')
  await page.getByRole('radio', { name: /On account/ }).check()
  await expect(main(page)).toContainText('You pay the invoice that comes with each parcel within 14 days')
  await page.getByRole('button', { name: /^Order for/ }).click()
  await expect(main(page)).toContainText('is placed on account')
  await main(page)
    .getByRole('link', { name: /^Show order/ })
    .click()
  await expect(page.getByRole('region', { name: 'How it stands' })).toContainText('On account')
  const number = Number((await page.getByRole('heading', { level: 1 }).textContent())?.replace(/\D/g, ''))

  await ofOwner.goto('/dashboard/tosend')
  await expect(
    main(ofOwner)
      .getByRole('row')
      .filter({ hasText: `Order ${number}` }),
  ).toContainText('on account')
  await main(ofOwner)
    .getByRole('link', { name: `Send order ${number}` })
    .click()
  await main(ofOwner).getByRole('button', { name: /^Send/ }).last().click()
  await ofOwner.waitForURL('**/dashboard/tosend')

  await page.reload()
  await expect(main(page)).toContainText('On account, sent')
  await expect(page.getByRole('region', { name: 'Invoice' })).toBeVisible()

  await page.goto('/dashboard/myorder?of=company')
  await expect(main(page).getByText(/^On account: \$[\d,.]+ owed\./)).toBeVisible()
  await main(page).getByRole('link', { name: 'Invoices to pay, and the statement' }).click()
  await page.waitForURL('**/dashboard/on-account')
  await page.reload()
  await expect(
    main(page)
      .getByRole('row')
      .filter({ hasText: `Order ${number}, parcel 1` }),
  ).toBeVisible()
  await expect(main(page)).toContainText('DE89 3704 0044 0532 0130 00')
  await main(page).getByRole('link', { name: 'Statement of account' }).click()
  await main(page).getByLabel('From').fill('2026-01-01')
  await main(page).getByRole('button', { name: 'Show' }).click()
  await expect(main(page).getByRole('article', { name: 'Statement of account' })).toContainText(/Invoice \d{4}-\d+, order \d+/)
  await main(page).getByRole('link', { name: 'Back to Engines' }).click()
  await main(page)
    .getByRole('link', { name: `Order ${number}, parcel 1` })
    .click()

  await ofOwner.goto('/dashboard/receivables')
  await main(ofOwner).getByRole('link', { name: 'Engines' }).click()
  await expect(
    main(ofOwner)
      .getByRole('row')
      .filter({ hasText: `Order ${number}, parcel 1` }),
  ).toBeVisible()
  await ofOwner.getByRole('button', { name: 'Record the payment' }).click()
  await expect(main(ofOwner).getByText('Money that has come')).toHaveCount(0)
  await main(ofOwner).getByRole('link', { name: 'Statement of account' }).click()
  const paper = main(ofOwner).getByRole('article', { name: 'Statement of account' })
  await expect(paper).toContainText('Payment')
  await expect(paper).toContainText('10115 Berlin')
  await page.reload()
  await expect(main(page)).toContainText('On account, and paid.')
})
