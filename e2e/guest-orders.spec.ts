import type { Page } from '@playwright/test'
import { expect, fillCardForm, handToGuest, openAsAdmin, placeOrder, placePurchase, test } from './store.ts'

// An order that was placed without an account, followed by its link.

// A header of ours on the card library's calls would have the browser ask the provider first whether it may be sent.
test.use({ extraHTTPHeaders: {} })

const main = (page: Page) => page.getByRole('main')
const guest = 'gwen@visitors.example'

test('a guest follows the order by its link, pays it by card on its page, and finds the receipt there', async ({ page, buyer, store }) => {
  const order = await placePurchase(page.request, store.address, buyer)
  const link = await handToGuest(store, order._id, guest)

  const response = await page.goto(link)
  expect(response?.headers()['referrer-policy']).toBe('strict-origin-when-cross-origin') // no other origin learns the link
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Order ${order.number}`)
  await expect(main(page).getByText('What happened, and what comes next')).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'Register' })).toBeVisible()

  await main(page).getByRole('link', { name: 'Pay Now' }).click()
  await expect(page).toHaveURL(`${store.address}${link}?pay=1`)
  await fillCardForm(page, '4000 0000 0000 0002')
  await main(page).getByRole('button', { name: /^Pay / }).click()
  await expect(main(page).getByText('Your card was declined.')).toBeVisible()
  await fillCardForm(page, '4242 4242 4242 4242')
  await main(page).getByRole('button', { name: /^Pay / }).click()
  await expect(main(page).getByText('Payment successfully done...')).toBeVisible()
  await expect(main(page).getByRole('article', { name: `Receipt of order ${order.number}` })).toContainText(`${guest} (guest)`)

  await main(page)
    .getByRole('link', { name: `Order ${order.number}` })
    .last()
    .click()
  await expect(main(page).getByRole('region', { name: 'How it stands' })).toContainText('Paid')
})

test('a guest cancels a part of an open order by its link and then the rest, whoever is signed in at the browser, and a link that has ended says so', async ({
  page,
  buyer,
  store,
}) => {
  const order = await placeOrder(page.request, store.address, buyer)
  const [first, second] = order.lines
  if (!first || !second) throw new Error('The order has no lines')
  const link = await handToGuest(store, order._id, guest)
  await openAsAdmin(page, '/dashboard/manageallorders')
  await expect(page.getByRole('row').filter({ hasText: `Order ${order.number},` })).toContainText(`${guest}guest`)

  await page.goto(link)
  const lines = main(page).getByRole('list', { name: 'Products of this order' }).getByRole('listitem')
  await lines.filter({ hasText: second.productName }).getByRole('button', { name: 'Cancel this part' }).click()
  const question = page.getByRole('alertdialog', { name: `Cancel this part of order ${order.number}?` })
  await expect(question).toContainText(`${second.quantity} x ${second.productName}`)
  await question.getByRole('button', { name: 'Cancel this part' }).click()
  await expect(main(page).getByText(`This part of order ${order.number} is cancelled`)).toBeVisible()
  await expect(lines.filter({ hasText: second.productName }).getByText('Cancelled', { exact: true })).toBeVisible()
  await expect(lines.filter({ hasText: second.productName }).getByRole('button')).toHaveCount(0)
  await expect(main(page).getByText('A part was cancelled by you')).toBeVisible()
  await main(page).getByRole('button', { name: 'Cancel order' }).click()
  await page.getByRole('button', { name: `Cancel order ${order.number}` }).click()
  await expect(main(page).getByText(`Order ${order.number} is cancelled`)).toBeVisible()
  await expect(main(page).getByText('Cancelled by you', { exact: true })).toBeVisible()

  await store.sql(`update orders set placed_at = now() - interval '90 days' where id = $1`, [order._id])
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The link to this order has ended')
})
