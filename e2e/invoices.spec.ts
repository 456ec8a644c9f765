import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, openAsAdmin, placePurchase, restoreSession, test } from './store.ts'

test.use({ untouched: true })

const main = (page: Page) => page.getByRole('main')

test('the owner says who sells, after which a buyer loads the invoice of the order that was paid before, and the owner sees it, too', async ({
  page,
  browser,
  buyer,
  store,
}) => {
  const purchase = await placePurchase(page.request, store.address, buyer, { paid: true })
  await restoreSession(page, buyer, purchase.token)

  const ofOwner = await browser.newPage()
  await openAsAdmin(ofOwner, '/dashboard/seller')
  await expect(main(ofOwner)).toContainText('Say who sells: 1 document waits for it')
  await ofOwner.getByRole('button', { name: 'Save' }).click()
  for (const message of ['Enter the name of the business', 'Enter an e-mail address'])
    await expect(main(ofOwner).getByText(message)).toBeVisible()
  await ofOwner.getByLabel('Name of the business').fill('Nucleus Trading GmbH')
  await ofOwner.getByLabel('Country').selectOption('Germany')
  for (const [label, text] of [
    ['Address', 'Invalidenstraße 116'],
    ['Postal code', '10115'],
    ['City', 'Berlin'],
    ['E-mail for questions about invoices', 'invoices@shop.example'],
  ] as const)
    await ofOwner.getByLabel(label, { exact: true }).fill(text)
  await ofOwner.getByRole('button', { name: 'Save' }).click()
  await expect(main(ofOwner).getByText('Enter the VAT id or the tax number').first()).toBeVisible()
  await ofOwner.getByLabel('VAT id').fill('DE136695976')
  await ofOwner.getByRole('button', { name: 'Save' }).click()
  await expect(main(ofOwner)).not.toContainText('No invoices yet')

  await page.goto(`/dashboard/myorder/${purchase._id}`)
  const invoice = page.getByRole('region', { name: 'Invoice' })
  await expect(invoice).toContainText(/Invoice \d{4}-00001/)
  const downloading = page.waitForEvent('download')
  await invoice.getByRole('button', { name: /^PDF of Invoice/ }).click()
  const file = await downloading
  expect(file.suggestedFilename()).toMatch(/^\d{4}-00001\.pdf$/)
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')

  await ofOwner.goto(`/dashboard/order/${purchase._id}`)
  await expect(ofOwner.getByRole('region', { name: 'Invoice' })).toContainText(/Invoice \d{4}-00001/)
  await ofOwner.close()
})
