import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { fullRunJourney } from '../proof/full-run.ts'
import { expect, openAsAdmin, placePurchase, restoreSession, test } from './store.ts'

test.use({ storeOf: 'invoices' })

/** Who sells, on the page Seller. */
async function fillSeller(page: Page) {
  await page.getByLabel('Country').selectOption('Germany')
  for (const [label, text] of [
    ['Name of the business', 'Nucleus Trading GmbH'],
    ['Address', 'Invalidenstraße 116'],
    ['Postal code', '10115'],
    ['City', 'Berlin'],
    ['E-mail for questions about invoices', 'invoices@shop.example'],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByLabel('VAT id').fill('DE136695976')
}

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
  await ofOwner.getByRole('button', { name: 'Save', exact: true }).click()
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
  await ofOwner.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(main(ofOwner).getByText('Enter the VAT id or the tax number').first()).toBeVisible()
  await ofOwner.getByLabel('VAT id').fill('DE136695976')
  await ofOwner.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(main(ofOwner)).not.toContainText('No invoices yet')
  await expect(main(ofOwner)).toContainText('Invoices state no tax')
  await ofOwner.goto(`/dashboard/tosend?paper=packing-slips&order=${purchase._id}`)
  const slip = main(ofOwner).getByRole('article', { name: `Packing slip of order ${purchase.number}` })
  await expect(slip).toContainText('Nucleus Trading GmbH, Invalidenstraße 116, 10115 Berlin')

  await page.goto(`/dashboard/payment/${purchase._id}`)
  await expect(page.getByRole('region', { name: 'Invoice' })).toContainText(/Invoice \d{4}-00001/)
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

test(
  'the owner corrects an invoice on the page of its order, and loads the month with it as a ZIP',
  fullRunJourney,
  async ({ page, buyer, store }) => {
    const purchase = await placePurchase(page.request, store.address, buyer, { paid: true })
    await openAsAdmin(page, '/dashboard/seller')
    await fillSeller(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Invoices name Nucleus Trading GmbH')).toBeVisible()
    await page.goto(`/dashboard/order/${purchase._id}`)
    await expect(page.getByRole('region', { name: 'Invoice' })).toContainText(/Invoice \d{4}-\d{5}/)
    await page.getByText('Correct the invoice').click()
    const form = page.locator('details', { hasText: 'Correct the invoice' })
    await expect(form).toContainText(/A credit note cancels what is left of invoice \d{4}-\d{5}/)
    await form.getByLabel('Company').fill('Analytical Engines')
    await form.getByLabel('VAT id').fill('DE1')
    await form.getByRole('button', { name: 'Issue credit note and new invoice' }).click()
    for (const message of ['Choose a country', 'This is no VAT id of Germany', 'Say why'])
      await expect(form.getByText(message).last()).toBeVisible()
    await form.getByLabel('VAT id').fill('')
    await form.getByLabel('Country of the invoice address').selectOption('Germany')
    for (const [label, text] of [
      ['Address', 'Rechnungsweg 7'],
      ['Postal code', '10115'],
      ['City', 'Berlin'],
      ['What it is', 'Drill, 500 W'],
      ['Why it is corrected', 'The company was missing'],
    ] as const)
      await form.getByLabel(label, { exact: true }).fill(text)
    await form.getByRole('button', { name: 'Issue credit note and new invoice' }).click()
    const documents = page.getByRole('region', { name: 'Invoices and credit notes' })
    await expect(documents.getByRole('listitem')).toHaveCount(3)
    await expect(documents).toContainText('It was corrected: another one replaces it')
    await expect(documents).toContainText(/, replaces \d{4}-\d{5}/)
    await expect(main(page).getByRole('row', { name: /Invoice corrected/ })).toContainText('The company was missing')

    await page.goto('/dashboard/seller')
    const months = page.getByRole('region', { name: 'For the accountant' })
    const downloading = page.waitForEvent('download')
    await months.getByRole('button', { name: /^ZIP of/ }).click()
    const file = await downloading
    expect(file.suggestedFilename()).toMatch(/^documents-\d{4}-\d{2}\.zip$/)
    expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK')
  },
)
