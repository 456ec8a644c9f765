import type { Page } from '@playwright/test'
import { creditorReference } from '#store/orders/payment-methods/iban.ts'
import { camt } from '#test/transfer-actions.ts'
import { expect, openAsAdmin, test } from './store.ts'

test.use({ storeOf: 'transfers' })

const main = (page: Page) => page.getByRole('main')

test('the owner takes transfers, a visitor orders by one, and a statement pays the order; what does not fit is decided by hand', async ({
  page,
  browser,
}) => {
  const ofOwner = await browser.newPage()
  await openAsAdmin(ofOwner, '/dashboard/seller')
  const methods = main(ofOwner).getByRole('region', { name: 'How buyers pay' })
  await methods.getByLabel(/^Bank transfer/).check()
  await methods.getByRole('button', { name: 'Save how buyers pay' }).click()
  await expect(methods.getByText('Transfers need it').first()).toBeVisible()
  await methods.getByLabel('Account holder').fill('Nucleus Trading GmbH')
  await methods.getByLabel('IBAN').fill('DE88 3704 0044 0532 0130 00')
  await methods.getByRole('button', { name: 'Save how buyers pay' }).click()
  await expect(methods.getByText(/check digits/)).toBeVisible()
  await methods.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00')
  await methods.getByLabel('BIC').fill('COBADEFFXXX')
  await methods.getByRole('button', { name: 'Save how buyers pay' }).click()
  await expect(ofOwner.getByText('Saved', { exact: true })).toBeVisible()

  const { tools } = await (await page.request.get('/api/search')).json()
  await page.request.post('/api/cart/lines', {
    data: { productId: tools[0]._id, quantity: tools[0].minimum_order_quantity },
  })
  await page.goto('/checkout')
  await page.getByLabel('E-mail').fill('gwen@visitors.example')
  await page.getByLabel('Full name').fill('Gwen Byron')
  await page.getByLabel('Country').first().selectOption({ label: 'Germany' })
  await expect(main(page)).toContainText('Delivery is included: nothing is added for it.')
  await expect(page.getByRole('status', { name: 'Costs' })).toContainText('Deliveryincluded')
  await page
    .getByLabel(/^(Address|Street)/)
    .first()
    .fill('Invalidenstraße 116')
  await page.getByLabel('Postal code').first().fill('10115')
  await page.getByLabel('City').first().fill('Berlin')
  await main(page)
    .getByLabel(/^Bank transfer/)
    .check()
  await main(page)
    .getByRole('button', { name: /^Order for/ })
    .click()
  const transfer = main(page).getByRole('region', { name: 'Your transfer' })
  await expect(transfer).toContainText('DE89 3704 0044 0532 0130 00')
  await expect(page.getByRole('link', { name: 'Basket', exact: true }).first()).toBeVisible() // nothing lies in it any more
  await expect(transfer.getByRole('button', { name: 'Pay by card instead' })).toBeVisible()
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  const number = Number(/\d+/.exec(title)?.[0])
  await main(page).getByRole('link', { name: 'Cancel the order' }).click()
  await expect(main(page).getByRole('region', { name: 'How it stands' })).toContainText('We wait for your transfer')

  const totalCents = Number(((await transfer.getByRole('definition').first().textContent()) ?? '').replace(/\D/g, ''))
  const cents = /\.\d\d$/.test((await transfer.getByRole('definition').first().textContent()) ?? '') ? totalCents : totalCents * 100
  await ofOwner.goto('/dashboard/bank')
  const file = (entries: Parameters<typeof camt>[0]) => ({
    name: 'november.xml',
    mimeType: 'application/xml',
    buffer: Buffer.from(camt(entries)),
  })
  await ofOwner.getByLabel('Statement of the account').setInputFiles(
    file([
      { amountCents: cents - 100, text: creditorReference(number), name: 'Gwen Byron' },
      { amountCents: 4200, text: 'thanks', name: 'Somebody' },
    ]),
  )
  await ofOwner.getByRole('button', { name: 'Import the statement' }).click()
  await expect(main(ofOwner).getByText('0 booked, 2 to be assigned.')).toBeVisible()
  const entry = main(ofOwner)
    .getByRole('listitem')
    .filter({ hasText: creditorReference(number) })
  await expect(entry).toContainText('Too little')
  await entry.getByRole('button', { name: /^Book it and ask for/ }).click()
  await expect(entry).toHaveCount(0)
  await ofOwner.getByLabel('Statement of the account').setInputFiles(file([{ amountCents: 100, text: creditorReference(number) }]))
  await ofOwner.getByRole('button', { name: 'Import the statement' }).click()
  await expect(main(ofOwner).getByText('1 booked')).toBeVisible()
  await page.reload()
  await expect(main(page).getByRole('region', { name: 'How it stands' })).toContainText('Paid')
  await ofOwner.close()
})
