import type { Page } from '@playwright/test'
import { fullRunJourney } from '../proof/full-run.ts'
import { expect, openAsAdmin, placeOrder, restoreSession, test } from './store.ts'

// How an order leaves the store: what the packer does, and what the buyer sees of it.

// A header of ours on the card library's calls would have the browser ask the provider first whether it may be sent.
test.use({ extraHTTPHeaders: {} })

const main = (page: Page) => page.getByRole('main')
const scanField = (page: Page) => page.getByLabel('Scan or type what goes into the parcel')
const rowOf = (page: Page, number: number) =>
  main(page)
    .getByRole('row')
    .filter({ hasText: `Order ${number}` })

test('a packer prints a pick list and a packing slip, sends an order in two parcels by scanning and typing, without a mouse, and the buyer follows both', async ({
  page,
  browser,
  request,
  buyer,
  store,
}) => {
  const order = await placeOrder(request, store.address, buyer, { paid: true, lineCount: 2 })
  const headers = { authorization: `Bearer ${order.token}` }
  const { lines } = await (await request.get(`/api/orders/${order._id}`, { headers })).json()
  const [first, second] = lines
  await openAsAdmin(page, '/dashboard/tosend')

  await rowOf(page, order.number).getByRole('checkbox').press('Space')
  await main(page).getByRole('button', { name: 'Pick list' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pick List')
  await expect(main(page).getByRole('row')).toHaveCount(3) // with the head
  await expect(main(page).getByRole('row').filter({ hasText: first.sku })).toContainText(`${first.quantity} for ${order.number}`)
  await page.goBack()
  await rowOf(page, order.number).getByRole('checkbox').check()
  await main(page).getByRole('button', { name: 'Packing slips' }).click()
  const slip = main(page).getByRole('article', { name: `Packing slip of order ${order.number}` })
  await expect(slip).toContainText('12 Analytical Road, London')
  await expect(slip.getByRole('listitem')).toHaveCount(2)
  await page.goBack()

  await rowOf(page, order.number)
    .getByRole('link', { name: `Send order ${order.number}` })
    .press('Enter')
  await scanField(page).fill(first.sku)
  await scanField(page).press('Enter')
  await expect(main(page).getByText(`1 of ${first.quantity} x ${first.productName}`)).toBeVisible()
  await expect(page.getByLabel(`Pieces of ${second.productName} in this parcel`)).toHaveValue('0')
  await scanField(page).fill('none of it')
  await scanField(page).press('Enter')
  await expect(main(page).getByText('Nothing of this order has the code none of it')).toBeVisible()
  await page.getByLabel(`Pieces of ${second.productName} in this parcel`).fill(`${second.quantity + 1}`)
  await page.getByLabel('Tracking number').fill('0034 0434 1610')
  await main(page).getByRole('button', { name: /^Send/ }).press('Enter')
  await expect(main(page).getByText(`From 0 to ${second.quantity}`)).toBeVisible()
  await expect(main(page).getByText('Say which carrier this tracking number is of')).toHaveCount(0) // asked once the quantities are right
  await page.getByLabel(`Pieces of ${second.productName} in this parcel`).fill('0')
  await main(page).getByRole('button', { name: 'Send 1 piece' }).press('Enter')
  await expect(main(page).getByText('Say which carrier this tracking number is of')).toBeVisible()
  await page.getByLabel('Carrier').selectOption('DHL')
  await main(page).getByRole('button', { name: 'Send 1 piece' }).press('Enter')
  await page.waitForURL('**/dashboard/tosend')
  await expect(rowOf(page, order.number)).toContainText('Partly sent')

  await rowOf(page, order.number)
    .getByRole('link', { name: `Send order ${order.number}` })
    .click()
  await expect(main(page).getByRole('link', { name: 'Follow it: DHL 003404341610' })).toBeVisible()
  await main(page).getByRole('button', { name: /^Send/ }).click()
  await page.waitForURL('**/dashboard/tosend')
  await expect(rowOf(page, order.number)).toHaveCount(0)

  const home = await browser.newPage({ baseURL: store.address })
  await restoreSession(home, buyer, order.token)
  await home.goto(`/dashboard/myorder/${order._id}`)
  await expect(main(home)).toContainText('Paid and sent')
  const parcels = main(home).getByRole('list', { name: 'Parcels' })
  await expect(parcels.getByText(/^Parcel \d$/)).toHaveText(['Parcel 1', 'Parcel 2'])
  await expect(parcels.getByRole('link', { name: 'Follow it: DHL 003404341610' })).toHaveAttribute(
    'href',
    'https://www.dhl.com/global-en/home/tracking.html?tracking-id=003404341610',
  )
  await home.close()
})

test('an admin holds an order back with a reason and releases it, and of two who send it at one time the second is told what is left', async ({
  page,
  request,
  buyer,
  store,
}) => {
  const order = await placeOrder(request, store.address, buyer, { paid: true, lineCount: 1 })
  await openAsAdmin(page, `/dashboard/order/${order._id}`)
  await main(page).getByText('Hold it back from being sent').click()
  await main(page).getByRole('button', { name: 'Hold back' }).click()
  await expect(main(page).getByText('Say why')).toBeVisible()
  await page.getByLabel('Why').fill('The address looks made up')
  await main(page).getByRole('button', { name: 'Hold back' }).click()
  await expect(main(page).getByRole('status').filter({ hasText: 'Held back: The address looks made up' })).toBeVisible()
  await page.goto('/dashboard/tosend?list=blocked')
  await expect(rowOf(page, order.number)).toContainText('The address looks made up')
  await rowOf(page, order.number).getByRole('link').click()
  await main(page).getByRole('button', { name: 'Release it' }).click()
  await main(page)
    .getByRole('link', { name: /^Send \d+ pieces?$/ })
    .click()

  const send = main(page).getByRole('button', { name: /^Send/ })
  await expect(send).toBeVisible()
  const [line] = order.lines
  const admin = await page.evaluate(() => `Bearer ${localStorage.getItem('accessToken')}`)
  const elsewhere = await request.post(`/api/orders/${order._id}/shipments`, {
    headers: { authorization: admin },
    data: { lines: [{ _id: line?._id, quantity: line?.quantity }] },
  })
  expect(elsewhere.status(), await elsewhere.text()).toBe(201)
  await send.click()
  await expect(main(page).getByText('Nothing of this order is left to send')).toBeVisible()
})

test(
  'an admin corrects a tracking number and takes a parcel back that was not sent, and a file of tracking numbers is checked, then sends the order, once',
  fullRunJourney,
  async ({ page, request, buyer, store }) => {
    const order = await placeOrder(request, store.address, buyer, { paid: true, lineCount: 1 })
    const headers = { authorization: `Bearer ${order.token}` }
    const [line] = (await (await request.get(`/api/orders/${order._id}`, { headers })).json()).lines
    await openAsAdmin(page, `/dashboard/send/${order._id}`)
    await page.getByLabel('Carrier').selectOption('UPS')
    await page.getByLabel('Tracking number').fill('123')
    await expect(main(page).getByText('Numbers of UPS are usually 1Z and 16 letters and digits: look at it again')).toBeVisible()
    await scanField(page).fill(`${line.quantity + 1}x ${line.sku}`)
    await scanField(page).press('Enter')
    await expect(main(page).getByText(/^Only \d+ x .* is left to send: none is added$/)).toBeVisible()
    await scanField(page).fill(`${line.quantity}x ${line.sku}`)
    await expect(main(page).getByText(/^Only \d+ x/)).toHaveCount(0)
    await scanField(page).press('Enter')
    await expect(page.getByLabel(`Pieces of ${line.productName} in this parcel`)).toHaveValue(`${line.quantity}`)
    await main(page).getByRole('button', { name: /^Send/ }).click()
    await page.waitForURL('**/dashboard/tosend')

    await page.goto(`/dashboard/order/${order._id}`)
    await main(page).getByText('Correct parcel 1').click()
    await page.getByLabel('Tracking number').fill('1Z9')
    await main(page).getByRole('button', { name: 'Save' }).click()
    await expect(main(page).getByText('A number of UPS that begins with 1Z has 18 characters, this one 3')).toBeVisible()
    await page.getByLabel('Tracking number').fill('1z999 AA1 0123456784')
    await main(page).getByRole('button', { name: 'Save' }).click()
    await expect(main(page).getByRole('link', { name: 'Follow it: UPS 1Z999AA10123456784' })).toBeVisible()
    await main(page).getByRole('button', { name: 'It was not sent' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText(`Take back parcel 1 of order ${order.number}?`)
    await question.getByRole('button', { name: 'Take back parcel 1' }).click()
    await expect(main(page).getByRole('link', { name: /^Send \d+ pieces?$/ })).toBeVisible()
    await expect(main(page)).toContainText('A parcel was taken back')

    await page.goto('/dashboard/tosend')
    await rowOf(page, order.number).getByRole('checkbox').check()
    const [addresses] = await Promise.all([
      page.waitForEvent('download'),
      main(page).getByRole('button', { name: 'Addresses as CSV' }).click(),
    ])
    expect(addresses.suggestedFilename()).toBe('addresses.csv')
    await main(page).getByRole('link', { name: 'Tracking numbers from a file' }).click()
    const buffer = Buffer.from(`order;tracking number\r\n${order.number};00340434161094015902\r\n999999;1\r\n`)
    await page.getByLabel('File of tracking numbers').setInputFiles({ name: 'out.csv', mimeType: 'text/csv', buffer })
    await page.getByLabel('Carrier of rows that name none').selectOption('DHL')
    await main(page).getByRole('button', { name: 'Check' }).click()
    await expect(main(page).getByText('Nothing is changed yet')).toBeVisible()
    await expect(main(page).getByRole('row').filter({ hasText: '999999' })).toContainText('There is no such order')
    await main(page).getByRole('button', { name: 'Take over 1 row' }).click()
    await expect(main(page).getByText('The file is taken over')).toBeVisible()
    await expect(
      main(page)
        .getByRole('row')
        .filter({ hasText: `${order.number}` }),
    ).toContainText('Sent with this number')
    await main(page).getByRole('button', { name: 'Check' }).click()
    await expect(main(page).getByText('No row of this file can be done')).toBeVisible()
  },
)
