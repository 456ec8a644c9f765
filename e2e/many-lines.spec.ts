import type { Page } from '@playwright/test'
import { fullRunJourney } from '../proof/full-run.ts'
import { expect, fillCardForm, type Order, type OrderLine, openAsAdmin, placeOrder, placePurchase, restoreSession, test } from './store.ts'

// Orders of several products: one total, one payment, and lines that are cancelled and refunded one by one.

// A header of ours on the card library's calls would have the browser ask the provider first whether it may be sent.
test.use({ extraHTTPHeaders: {} })

const main = (page: Page) => page.getByRole('main')
const dollars = (cents: number) => `$${(cents / 100).toLocaleString('en-US')}`
const lineItems = (page: Page) => main(page).getByRole('list', { name: 'Products of this order' }).getByRole('listitem')
const rowOf = (page: Page, { number }: Order) => page.getByRole('row').filter({ hasText: `Order ${number},` })
/** A line of an order in My Orders. */
const lineOf = (page: Page, order: Order, { productName }: OrderLine) =>
  rowOf(page, order).getByRole('listitem').filter({ hasText: productName })

/** Each line with quantity, price of a piece and cost, in the order of the lines. */
async function expectLines(page: Page, lines: OrderLine[]) {
  await expect(lineItems(page)).toHaveCount(lines.length)
  for (const [nth, { productName, quantity, unitPriceCents, totalCents }] of lines.entries()) {
    await expect(lineItems(page).nth(nth)).toContainText(productName)
    await expect(lineItems(page).nth(nth)).toContainText(`${quantity} x ${dollars(unitPriceCents)}`)
    await expect(lineItems(page).nth(nth)).toContainText(dollars(totalCents))
  }
}

test('an order of three products is shown with its lines and its total, paid once by card, and its receipt lists them', async ({
  page,
  buyer,
  store,
}) => {
  const order = await placeOrder(page.request, store.address, buyer)
  const [first, second] = order.lines
  if (!first || !second) throw new Error('The order has no lines')
  const total = dollars(order.totalCents)
  expect(order.totalCents).toBe(order.lines.reduce((sum, { totalCents }) => sum + totalCents, 0))
  await restoreSession(page, buyer, order.token)

  const opened = page.waitForRequest('**/api/create-payment-intent')
  await page.goto(`/dashboard/payment/${order._id}`)
  expect((await opened).postDataJSON()).toEqual({ orderId: order._id, productCost: order.totalCents / 100 })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Pay for order ${order.number}`)
  await expectLines(page, order.lines)
  await expect(main(page).getByRole('definition').filter({ hasText: total })).toHaveText(total)
  await fillCardForm(page, '4242 4242 4242 4242')
  await main(page)
    .getByRole('button', { name: `Pay ${total}` })
    .click()

  await expect(main(page).getByText(`You have paid ${total} for 3 products.`)).toBeVisible()
  const receipt = main(page).getByRole('article', { name: `Receipt of order ${order.number}` })
  await expectLines(page, order.lines)
  await expect(receipt).toContainText(`Total paid${total}`)

  // The id of a line leads to the whole order, too.
  await page.goto(`/dashboard/payment/${second._id}`)
  await expect(receipt).toContainText(`Total paid${total}`)
  await page.goto(`/dashboard/myorder/${second._id}`)
  await expect(page.getByRole('region', { name: 'How it stands' })).toContainText(total)
  await expectLines(page, order.lines)
  const pieces = order.lines.reduce((sum, { quantity }) => sum + quantity, 0)
  await expect(page.getByRole('list', { name: 'What happened to this order' })).toContainText(`3 products, ${pieces} pieces`)
  await expect(main(page).getByRole('link', { name: 'Receipt' })).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'Order again' })).toHaveCount(0)
})

test('an order of six products shows three, its cost and what pays it in the first view of My Orders, and the other three at a press', async ({
  page,
  buyer,
  store,
}) => {
  const order = await placeOrder(page.request, store.address, buyer, { lineCount: 6 })
  await restoreSession(page, buyer, order.token)
  await page.goto('/dashboard/myorder')
  const row = rowOf(page, order)
  const folded = row.getByRole('list', { name: `More products of order ${order.number}` })
  const pay = row.getByRole('link', { name: 'Pay Now' })
  await expect(pay).toBeInViewport({ ratio: 1 })
  await expect(row.getByText(dollars(order.totalCents))).toBeInViewport({ ratio: 1 })
  await expect(row.getByRole('list', { name: `Products of order ${order.number}`, exact: true }).getByRole('listitem')).toHaveCount(3)
  await expect(folded).toBeHidden()
  await page.setViewportSize({ width: 1024, height: 900 })
  await expect(pay).toBeInViewport({ ratio: 1 })
  await row.getByText('and 3 more').click()
  await expect(folded.getByRole('button', { name: 'Cancel this part' })).toHaveCount(3)
})

test(
  'a buyer cancels a part of an order in My Orders, which says that the rest stays, and then all that is left of it',
  fullRunJourney,
  async ({ page, buyer, store }) => {
    const order = await placeOrder(page.request, store.address, buyer)
    const { number } = order
    const [first, second, third] = order.lines
    if (!first || !second || !third) throw new Error('The order has no lines')
    await restoreSession(page, buyer, order.token)
    await page.goto('/dashboard/myorder')
    await expect(page.getByRole('table', { name: '1 order' })).toBeVisible()
    await expect(rowOf(page, order)).toHaveCount(1)
    await expect(rowOf(page, order)).toContainText('3 products')
    await expect(rowOf(page, order).getByRole('listitem')).toHaveCount(3)
    await expect(rowOf(page, order)).toContainText(dollars(order.totalCents))
    await lineOf(page, order, second).getByRole('button', { name: 'Cancel this part' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText(`Cancel this part of order ${number}?`)
    await expect(question).toContainText(`${second.quantity} x ${second.productName} for ${dollars(second.totalCents)}`)
    await expect(question).toContainText(`The rest of order ${number} stays, and can still be paid.`)
    await question.getByRole('button', { name: 'Cancel this part' }).click()
    await expect(main(page).getByText(`This part of order ${number} is cancelled`)).toBeVisible()
    await expect(main(page)).toContainText('Nothing was charged for it, and the rest of the order stays.')
    await expect(lineOf(page, order, second).getByText('Cancelled', { exact: true })).toBeVisible()
    await expect(rowOf(page, order).getByText('Not paid yet')).toHaveCount(1)
    const left = dollars(first.totalCents + third.totalCents)
    await expect(rowOf(page, order).getByRole('cell', { name: left })).toBeVisible()

    await page.goto(`/dashboard/payment/${order._id}`)
    await expect(main(page).getByRole('button', { name: `Pay ${left}` })).toBeEnabled()
    await expectLines(page, order.lines)
    await expect(lineItems(page).nth(1).getByText('Cancelled', { exact: true })).toBeVisible()
    await expect(lineItems(page).nth(1).locator('s')).toHaveText(dollars(second.totalCents))
    await expect(lineItems(page).locator('s')).toHaveCount(1)

    await main(page).getByRole('link', { name: 'Cancel the order' }).click()
    const story = page.getByRole('list', { name: 'What happened to this order' }).getByRole('listitem')
    await expect(story).toHaveText([/Ordered/, /A part was cancelled by you.*Nothing was charged for it\./, /Your payment/])
    await main(page).getByRole('button', { name: 'Cancel order' }).click()
    await expect(question).toContainText(`${first.quantity} x ${first.productName}, ${third.quantity} x ${third.productName} for ${left}`)
    await question.getByRole('button', { name: `Cancel order ${number}` }).click()
    await expect(main(page).getByText(`Order ${number} is cancelled`)).toBeVisible()
    await expect(main(page)).toContainText('Its pieces went back into stock. Nothing was charged.')
    await expect(main(page).getByRole('button', { name: 'Order all again' })).toBeFocused()
    await expect(main(page).getByRole('link', { name: 'Order again' })).toHaveCount(0)
    await page.goto(`/dashboard/payment/${order._id}`)
    await expect(main(page).getByText('This order is cancelled')).toBeVisible()
    await expect(main(page).getByRole('link', { name: 'Order again' })).toHaveCount(0)
  },
)

test('an admin cancels a line of an unpaid order, and reads that nothing was charged for it; the last part of the order that is left is cancelled as the order', async ({
  page,
  buyer,
  store,
}) => {
  const order = await placeOrder(page.request, store.address, buyer)
  const [first, second, third] = order.lines
  if (!first || !second || !third) throw new Error('The order has no lines')
  await openAsAdmin(page, `/dashboard/order/${order._id}`)
  await main(page).getByRole('button', { name: 'Cancel this line' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel this line' }).click()
  await expect(main(page).getByText(`This line of order ${order.number} is cancelled`)).toBeVisible()
  await expect(main(page)).toContainText(`Nothing was charged for it. A mail tells ${buyer.email}.`)
  await expect(page.getByRole('table', { name: 'History, newest last' })).toContainText('A part was cancelled')
  await expect(lineItems(page).first().getByText('Cancelled', { exact: true })).toBeVisible()

  const headers = { authorization: `Bearer ${order.token}` }
  expect((await page.request.post(`/api/purchase/${third._id}/cancel`, { headers, data: {} })).status()).toBe(200)
  await restoreSession(page, buyer, order.token)
  await page.goto('/dashboard/myorder')
  await rowOf(page, order)
    .getByRole('button', { name: `Cancel order ${order.number}` })
    .click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: `Cancel order ${order.number}` })
    .click()
  await expect(main(page).getByText(`Order ${order.number} is cancelled`)).toBeVisible()
})

test('an admin sees the whole order above each of its lines, refunds one and cancels another, and the buyer sees both', async ({
  page,
  buyer,
  browser,
  store,
}) => {
  const order = await placeOrder(page.request, store.address, buyer, { paid: true })
  const [first, second, third] = order.lines
  if (!first || !second || !third) throw new Error('The order has no lines')
  await openAsAdmin(page, `/dashboard/order/${order._id}`)
  const whole = page.getByRole('region', { name: `The whole order: 3 products, ${dollars(order.totalCents)}` })
  const line = page.getByRole('region', { name: `Line of order ${order.number}` })
  await expectLines(page, order.lines)
  await expect(whole).toContainText(`Refund and cancel below are for the line of ${first.productName} alone.`)
  await expect(line).toContainText(first.productName)

  await whole.getByRole('link', { name: second.productName }).click()
  await expect(page).toHaveURL(`/dashboard/order/${second._id}`)
  await expect(whole.getByRole('link', { name: second.productName })).toHaveAttribute('aria-current', 'true')
  await expect(lineItems(page).filter({ hasText: 'shown below' })).toHaveText(new RegExp(second.productName.replace(/\W/g, '.')))
  await expect(line).toContainText(second.productName)
  await expect(page.getByRole('heading', { name: 'Refund this line' })).toBeVisible()
  await expect(main(page)).toContainText(`At most ${dollars(second.totalCents)}`)
  await page.getByLabel('Amount').fill('5')
  await main(page).getByRole('button', { name: 'Refund $5' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(`Refund $5 of this line of order ${order.number}?`)
  await question.getByRole('button', { name: 'Refund $5' }).click()
  await expect(main(page).getByText(`$5 of order ${order.number} refunded`)).toBeVisible()
  await expect(lineItems(page).nth(1)).toContainText('$5 refunded')
  await expect(lineItems(page).filter({ hasText: 'refunded' })).toHaveCount(1)

  await whole.getByRole('link', { name: third.productName }).click()
  await expect(page.getByLabel('Amount')).toHaveValue(`${third.totalCents / 100}`)
  await main(page).getByRole('button', { name: 'Cancel this line' }).click()
  await expect(question).toContainText(`Cancel this line of order ${order.number}?`)
  await question.getByRole('button', { name: `Cancel this line and refund ${dollars(third.totalCents)}` }).click()
  await expect(main(page).getByText(`This line of order ${order.number} is cancelled`)).toBeVisible()
  await expect(main(page)).toContainText(`${dollars(third.totalCents)} goes back to the buyer's card. A mail tells ${buyer.email}.`)
  await expect(lineItems(page).nth(2).getByText('Cancelled', { exact: true })).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'Cancel this line' })).toHaveCount(0)
  await expect(main(page)).not.toContainText('is on its way back')
  await page.goto(`/dashboard/order/${first._id}`)
  await expect(page.getByLabel('Amount')).toHaveValue(`${first.totalCents / 100}`)

  const tab = await browser.newPage({ baseURL: store.address })
  await restoreSession(tab, buyer, order.token)
  await tab.goto(`/dashboard/payment/${order._id}`)
  const receipt = tab.getByRole('article', { name: `Receipt of order ${order.number}` })
  await expect(receipt).toContainText(`Refunded-${dollars(500 + third.totalCents)}`)
  await expect(receipt).toContainText(`Paid after the refund${dollars(order.totalCents - 500 - third.totalCents)}`)
  await expectLines(tab, order.lines)
  await tab.goto(`/dashboard/myorder/${order._id}`)
  const story = tab.getByRole('list', { name: 'What happened to this order' }).getByRole('listitem')
  await expect(story).toHaveText([
    /Ordered/,
    /Paid/,
    /\$5 refunded/,
    /A part was cancelled by the store/,
    /To be sent to you.*You get a mail when it is on its way/,
  ])
  await expect(story.nth(3)).toContainText(`${dollars(third.totalCents)} goes back to your card.`)
  await tab.goto('/dashboard/myorder')
  await expect(lineOf(tab, order, second)).toContainText('Paid$5 of it refunded to Visa ending 4242')
  await expect(lineOf(tab, order, third)).toContainText(`Cancelled and refunded${dollars(third.totalCents)} refunded to Visa ending 4242`)
  await expect(rowOf(tab, order).getByRole('cell').last()).toContainText(
    `Paid${dollars(500 + third.totalCents)} of it refunded to Visa ending 4242Banks take up to ten days to show it`,
  )
  await tab.close()
})

test('amounts of orders are shown with their cents, in lists, sums and on pages', async ({ page, buyer, store }) => {
  const order = await placePurchase(page.request, store.address, buyer)
  const inCents = (rows: { _id: string }[]) =>
    [1.1, 12.35].flatMap((productCost, nth) =>
      rows.filter(({ _id }) => _id === order._id).map((row) => ({ ...row, ...(nth > 0 && { _id: crypto.randomUUID() }), productCost })),
    )
  await page.route(/\/api\/purchase\?.*$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: inCents(await response.json()) })
  })
  await page.route('**/api/bookings/page?*', async (route) => {
    const response = await route.fetch()
    const { orders, ...rest } = await response.json()
    const costing = (totalCents: number) =>
      orders.filter(({ _id }: Order) => _id === order._id).map((one: Order) => ({ ...one, totalCents }))
    const inOtherOrder = costing(1235).map((one: Order) => ({ ...one, _id: crypto.randomUUID() }))
    await route.fulfill({ response, json: { ...rest, orders: [...costing(110), ...inOtherOrder], sumCents: 1345 } })
  })
  await page.route('**/api/orders/*', async (route) => {
    const response = await route.fetch()
    const { lines, ...rest } = await response.json()
    const [line] = lines
    await route.fulfill({
      response,
      json: { ...rest, totalCents: 2470, lines: [{ ...line, quantity: 2, listPriceCents: 1235, unitPriceCents: 1235, totalCents: 2470 }] },
    })
  })
  await restoreSession(page, buyer, order.token)
  await page.goto('/dashboard/myorder')
  await expect(page.getByRole('row').filter({ hasText: 'Order' }).getByRole('cell', { name: /^\$/ })).toHaveText(['$13.45'])
  await expect(page.getByRole('row').getByRole('listitem')).toHaveText([/\$1\.10/, /\$12\.35/])
  await page.goto(`/dashboard/myorder/${order._id}`)
  await expect(page.getByRole('region', { name: `Order ${order.number}` })).toContainText('2 x $12.35Total$24.70')
  await expect(page.getByRole('region', { name: 'How it stands' })).toContainText('$24.70')

  await openAsAdmin(page, '/dashboard/manageallorders?date=placed')
  await expect(page.getByRole('row').filter({ hasText: buyer.email }).getByRole('cell', { name: /^\$/ })).toHaveText(['$1.10', '$12.35'])
  await expect(main(page)).toContainText('Together: $13.45')
})
