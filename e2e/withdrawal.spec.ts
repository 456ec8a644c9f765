import type { Page } from '@playwright/test'
import { fullRunJourney } from '../proof/full-run.ts'
import { expect, handToGuest, openAsAdmin, placeOrder, restoreSession, test } from './store.ts'

// A parcel that has come, and the withdrawal from the contract.

// A header of ours on the card library's calls would have the browser ask the provider first whether it may be sent.
test.use({ extraHTTPHeaders: {} })

const main = (page: Page) => page.getByRole('main')

test(
  'an admin says when a parcel came, the buyer sees until when they can withdraw, withdraws from a part in two steps and sees the receipt',
  fullRunJourney,
  async ({ page, browser, request, buyer, store }) => {
    const order = await placeOrder(request, store.address, buyer, { paid: true, lineCount: 2 })
    await store.sql(`update orders set country = 'DE' where id = $1`, [order._id])
    const [first, second] = order.lines
    if (!first || !second) throw new Error('The order has no lines')
    await openAsAdmin(page, `/dashboard/send/${order._id}`)
    for (const line of order.lines) await page.getByLabel(`Pieces of ${line.productName} in this parcel`).fill(`${line.quantity}`)
    await main(page).getByRole('button', { name: /^Send/ }).click()
    await page.goto(`/dashboard/order/${order._id}`)
    await main(page).getByText('Parcel 1 was delivered', { exact: true }).click()
    await page.getByLabel('Day on which parcel 1 was delivered').fill('2020-01-01')
    await main(page).getByRole('button', { name: 'Delivered' }).click()
    await expect(
      main(page)
        .getByText(/^It was sent on .*: enter that day or a later one/)
        .first(),
    ).toBeVisible()
    await page.getByLabel('Day on which parcel 1 was delivered').fill(new Date().toISOString().slice(0, 10))
    await main(page).getByRole('button', { name: 'Delivered' }).click()
    await expect(main(page).getByText(/^Delivered on /)).toBeVisible()

    const context = await browser.newContext({ baseURL: store.address, viewport: { width: 390, height: 844 } })
    const own = await context.newPage()
    await own.goto('/home')
    await restoreSession(own, buyer, order.token)
    await own.goto(`/dashboard/myorder/${order._id}`)
    const section = main(own).getByRole('region', { name: 'Withdrawal' })
    await expect(section).toContainText(/without a reason, until \d+ \w+ \d{4}/)
    await section.getByRole('link', { name: 'Withdraw from contract' }).click()
    await own.getByLabel(first.productName, { exact: true }).fill('0')
    await own.getByLabel('Your name').fill('')
    await main(own).getByRole('button', { name: 'Go on' }).click()
    await expect(main(own).getByText('Enter your full name').first()).toBeVisible()
    await expect(own.getByLabel(first.productName)).toHaveValue('0')
    await own.getByLabel('Your name').fill('Ada Byron')
    await main(own).getByRole('button', { name: 'Go on' }).click()
    const declaration = main(own).getByRole('region', { name: /^You withdraw from the contract of order/ })
    await expect(declaration).toContainText(second.productName)
    await expect(declaration).not.toContainText(first.productName)
    await main(own).getByRole('button', { name: 'Withdraw now' }).click()
    await expect(main(own).getByText('Your withdrawal is received')).toBeVisible()
    await expect(main(own).getByText(/with the number R\d+ on the parcel/)).toBeVisible()
    await own.goto(`/dashboard/myorder/${order._id}`)
    await expect(section.getByRole('list', { name: 'Withdrawals' })).toContainText(second.productName)
    await expect(main(own).getByText('Withdrawn from the contract')).toBeVisible()
    await context.close()
  },
)

test("a guest withdraws without JavaScript, from the page of the order's link", async ({ browser, request, buyer, store }) => {
  const order = await placeOrder(request, store.address, buyer, { paid: true, lineCount: 2 })
  await store.sql(`update orders set country = 'DE' where id = $1`, [order._id])
  const link = await handToGuest(store, order._id, 'gwen@visitors.example')
  const context = await browser.newContext({ baseURL: store.address, javaScriptEnabled: false, viewport: { width: 320, height: 640 } })
  const plain = await context.newPage()
  await plain.goto(link)
  await plain.getByRole('button', { name: 'Withdraw from contract' }).click()
  await expect(plain).toHaveURL(/\/withdraw\/[0-9a-f]{64}$/)
  await expect(plain.getByLabel('E-mail for the receipt')).toHaveValue('gwen@visitors.example')
  await plain.getByRole('button', { name: 'Go on' }).click()
  await plain.getByRole('link', { name: 'Change it' }).click()
  await plain.getByLabel('Your name').fill('Gwen Guest')
  await plain.getByRole('button', { name: 'Go on' }).click()
  await expect(plain.getByText('Gwen Guest, receipt to gwen@visitors.example')).toBeVisible()
  await plain.getByRole('button', { name: 'Withdraw now' }).click()
  await expect(plain.getByText('Your withdrawal is received')).toBeVisible()
  await expect(plain.getByRole('list', { name: 'Withdrawals' })).toContainText(/Received \d+ \w+ \d{4}/)
  expect(await plain.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await context.close()
})

test('the buyer says that a parcel is here', async ({ page, request, buyer, store }) => {
  const order = await placeOrder(request, store.address, buyer, { paid: true, lineCount: 2 })
  await openAsAdmin(page, `/dashboard/send/${order._id}`)
  for (const line of order.lines) await page.getByLabel(`Pieces of ${line.productName} in this parcel`).fill(`${line.quantity}`)
  await main(page).getByRole('button', { name: /^Send/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Send order')
  await restoreSession(page, buyer, order.token)
  await page.goto(`/dashboard/myorder/${order._id}`)
  await main(page).getByRole('button', { name: 'It is here, parcel 1' }).click()
  await expect(main(page).getByText(/^Delivered on /)).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'It is here, parcel 1' })).toHaveCount(0)
})
