import type { APIRequestContext, Page } from '@playwright/test'
import { fullRunJourney } from '../proof/full-run.ts'
import { expectColour } from './colour.ts'
import { adminCredentials, expect, fillCardForm, openAsAdmin, payOrder, registerByApi, test } from './store.ts'

// What becomes of an order after it was placed, as its buyer and the owner see it.

type Tool = { _id: string; name: string; price: number; minimum_order_quantity: number; available_quantity: number }
type Purchase = { _id: string; number: number; productQuantity: number; productCost: number; transectionId: string | null; state: string }

// A header of ours on the card library's calls would have the browser ask the provider first whether it may be sent.
test.use({ extraHTTPHeaders: {} })

const main = (page: Page) => page.getByRole('main')
const bearer = (page: Page) => page.evaluate(() => `Bearer ${localStorage.getItem('accessToken')}`)

/** Each journey buys a tool of its own, so that its stock tells. */
let tools = 0
async function aTool(request: APIRequestContext): Promise<Tool> {
  const all: Tool[] = await (await request.get('/api/tools')).json()
  const tool = all.filter((tool) => tool.minimum_order_quantity > 1 && tool.available_quantity > 100)[tools++]
  if (!tool) throw new Error('The catalogue is too small')
  return tool
}

const stockOf = async (page: Page, { _id }: Tool): Promise<number> =>
  (await (await page.request.get(`/api/tools/${_id}`)).json()).available_quantity

/** Places an order as whoever is signed in on this page. */
async function order(page: Page, tool: Tool): Promise<Purchase> {
  const quantity = tool.minimum_order_quantity
  const placed = await page.request.post('/api/purchase', {
    headers: { authorization: await bearer(page) },
    data: {
      toolId: tool._id,
      productName: tool.name,
      productQuantity: quantity,
      productCost: quantity * tool.price,
      buyerAddress: '12 Analytical Road, London',
      phone_number: '+44 (0)20 7946 0018',
    },
  })
  expect(placed.status(), await placed.text()).toBe(201)
  return placed.json()
}

async function openPayment(page: Page, tool: Tool, tab = page): Promise<Purchase> {
  const placed = await order(page, tool)
  await tab.goto(`/dashboard/payment/${placed._id}`)
  await expect(main(tab)).toContainText(/held for you until \d+ \w+ \d{4}, \d\d:\d\d UTC/)
  return placed
}

/** Places an order as whoever is signed in on this page, and pays it past the screens. */
async function pay(page: Page, tool: Tool): Promise<Purchase> {
  const placed = await order(page, tool)
  await payOrder(page.request, placed, (await bearer(page)).replace('Bearer ', ''))
  return placed
}

const payButton = (page: Page) => main(page).getByRole('button', { name: /^Pay/ })
const bank = (page: Page) => page.getByRole('dialog', { name: 'Confirm your payment with your bank' })
const rowOf = (page: Page, { number }: Purchase) => page.getByRole('row').filter({ hasText: `Order ${number},` })

/** The payments that this page tries to confirm from now on. */
function confirmedPayments(page: Page): Set<string> {
  const ids = new Set<string>()
  page.on('request', (request) => {
    const id = /\/v1\/payment_intents\/(\w+)\/confirm$/.exec(request.url())?.[1]
    if (id) ids.add(id)
  })
  return ids
}

test('C1 declined cards cost one correction each: what was typed stays, and a good card then pays the same payment', async ({
  page,
  buyer,
}) => {
  const tool = await aTool(page.request)
  await registerByApi(page, buyer)
  const { _id, number } = await openPayment(page, tool)
  const payments = confirmedPayments(page)
  for (const [card, words] of [
    ['4000 0000 0000 0002', 'Your card was declined.'],
    ['4000 0000 0000 9995', 'Your card has insufficient funds.'],
    ['4000 0000 0000 0069', 'Your card has expired.'],
  ] as const) {
    await fillCardForm(page, card)
    await payButton(page).click()
    await expect(main(page).getByRole('alert')).toContainText(words)
    await expect(main(page).getByRole('alert')).toContainText('Nothing was charged')
    await expectColour(main(page).getByText(words), 'red')
    const [fields, said] = [await page.locator('iframe').first().boundingBox(), await main(page).getByRole('alert').boundingBox()]
    expect(said?.y ?? 0).toBeGreaterThan((fields?.y ?? 0) + (fields?.height ?? 0))
    await expect(page.frameLocator('iframe').getByLabel('Card number')).toHaveValue(card)
    await expect(payButton(page)).toBeEnabled()
  }
  await fillCardForm(page, '4242 4242 4242 4242')
  await payButton(page).click()
  await expect(page.getByText('Payment successfully done...')).toBeVisible()
  expect(payments.size).toBe(1)

  // Coming back later never asks for money again.
  await page.reload()
  await expect(page.getByText('Payment successfully done...')).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(0)
  await page.goto('/dashboard/myorder')
  await expect(rowOf(page, { number } as Purchase)).toContainText(`Transaction ID: ${[...payments][0]}`)

  // Each of them is a line of its own, once the card provider has told.
  await expect(async () => {
    await page.goto(`/dashboard/myorder/${_id}`)
    const story = page.getByRole('list', { name: 'What happened to this order' })
    await expect(story.getByText('Ordered')).toBeVisible()
    await expect(story.getByText('A card was declined')).toHaveCount(3)
  }).toPass()
})

test('C2 a bank that asks by 3-D Secure: refused or left it charges nothing and can be tried again, and its yes pays the order; it asks before it can be answered, and its buttons do not move while they are pressed', async ({
  page,
  buyer,
}) => {
  const tool = await aTool(page.request)
  await registerByApi(page, buyer)
  await openPayment(page, tool)
  const payments = confirmedPayments(page)
  await fillCardForm(page, '4000 0000 0000 3220')

  for (const [answer, say] of [
    ['refused', () => bank(page).frameLocator('iframe').getByRole('button', { name: 'Fail authentication' }).click()],
    ['closed', () => bank(page).getByRole('button', { name: 'Cancel authentication' }).click()],
  ] as const) {
    await payButton(page).click()
    await expect(bank(page), answer).toBeVisible()
    // The page behind the dialog waits with it.
    const waiting = main(page).locator('button[aria-busy=true]')
    await expect(waiting, answer).toHaveText('Paying')
    await expect(waiting, answer).toBeDisabled()
    await say()
    await expect(bank(page), answer).toHaveCount(0)
    await expect(main(page).getByRole('alert'), answer).toContainText('We are unable to authenticate your payment method.')
    await expect(main(page).getByRole('alert'), answer).toContainText('Nothing was charged. Press Pay again to be asked once more')
    await expect(page.frameLocator('main iframe').getByLabel('Card number')).toHaveValue('4000 0000 0000 3220')
    await expect(payButton(page), answer).toBeEnabled()
  }

  const asked = Promise.withResolvers<void>()
  await page.route('**/3d_secure/*/question', async (route) => {
    await asked.promise
    await route.continue()
  })
  await payButton(page).click()
  const page3ds = bank(page).frameLocator('iframe')
  await expect(page3ds.getByRole('heading')).toBeVisible()
  await expect(page3ds.getByRole('button')).toHaveCount(0)
  await expect(bank(page).getByRole('button', { name: 'Cancel authentication' })).toBeVisible()
  expect((await bank(page).boundingBox())?.height, 'it keeps the height that it opened with').toBeGreaterThan(380)
  const tops = await bank(page).evaluateHandle((dialog) => {
    const seen = new Set<number>()
    const look = () => {
      if (!dialog.isConnected) return
      seen.add(dialog.getBoundingClientRect().top)
      requestAnimationFrame(look)
    }
    look()
    return seen
  })
  asked.resolve()
  const yes = page3ds.getByRole('button', { name: 'Complete authentication' })
  await expect(yes).toBeVisible()
  await expect(page3ds.getByText(/^Pay \$[\d,.]+ with your Visa card ending in 3220\?$/)).toBeVisible()
  await yes.click()
  await expect(page.getByText('Payment successfully done...')).toBeVisible()
  expect(await tops.evaluate((seen) => seen.size), 'the dialog grows with its content, downwards').toBe(1)
  expect(payments.size).toBe(1)
})

test(
  'C2 a tab that is closed while the bank asks leaves the order unpaid, and another tab pays it',
  fullRunJourney,
  async ({ page, buyer, context }) => {
    const tool = await aTool(page.request)
    await registerByApi(page, buyer)
    const tab = await context.newPage()
    const placed = await openPayment(page, tool, tab)
    await fillCardForm(tab, '4000 0000 0000 3220')
    await payButton(tab).click()
    await expect(bank(tab).frameLocator('iframe').getByRole('button', { name: 'Complete authentication' })).toBeVisible()
    await tab.close()

    await page.goto('/dashboard/myorder')
    await rowOf(page, placed)
      .getByRole('link', { name: `Pay Now, order ${placed.number}` })
      .click()
    await fillCardForm(page, '4000 0000 0000 3220')
    await payButton(page).click()
    await bank(page).frameLocator('iframe').getByRole('button', { name: 'Complete authentication' }).click()
    await expect(page.getByText('Payment successfully done...')).toBeVisible()
  },
)

test(
  'C2 an order that expires while the bank asks takes no money, says so, and gives its pieces back',
  fullRunJourney,
  async ({ page, buyer, store }) => {
    const tool = await aTool(page.request)
    await registerByApi(page, buyer)
    const placed = await openPayment(page, tool)
    expect(await stockOf(page, tool)).toBe(tool.available_quantity - placed.productQuantity)
    await fillCardForm(page, '4000 0000 0000 3220')
    await payButton(page).click()
    const yes = bank(page).frameLocator('iframe').getByRole('button', { name: 'Complete authentication' })
    await expect(yes).toBeVisible()

    await store.sql(`update orders set hold_until = now() - interval '1 second' where id = $1`, [placed._id])
    await store.sql(`update job_runs set began_at = began_at - interval '1 day'`) // holds end once a minute
    await expect.poll(() => stockOf(page, tool), { timeout: 90_000 }).toBe(tool.available_quantity)
    await yes.click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Payment of order ${placed.number}`)
    await expect(main(page)).toContainText('This order has expired')
    await expect(main(page)).toContainText('Nothing was charged.')
    await expect(page.locator('main iframe')).toHaveCount(0)
    await expect(main(page).getByRole('link', { name: 'Order again' })).toHaveAttribute(
      'href',
      `/purchase/${tool._id}?quantity=${placed.productQuantity}&again=${placed._id}`,
    )

    await page.goto('/dashboard/myorder')
    await expect(rowOf(page, placed).getByText('Expired', { exact: true })).toBeVisible()
    await expect(rowOf(page, placed).getByRole('link', { name: /^Pay Now/ })).toHaveCount(0)
    await expect(rowOf(page, placed).getByRole('link', { name: /^Order again/ })).toBeVisible()
  },
)

test(
  'a payment that the card provider cannot confirm yet is told calmly, without a card form, and becomes the receipt by itself',
  fullRunJourney,
  async ({ page, buyer }) => {
    const tool = await aTool(page.request)
    await registerByApi(page, buyer)
    const placed = await openPayment(page, tool)
    const words = { message: 'Your payment is being checked. You need not pay again: look here in a minute' }
    let silent = true
    await page.route('**/api/purchase/*', (route) =>
      silent && route.request().method() === 'PATCH' ? route.fulfill({ status: 503, json: words }) : route.continue(),
    )
    await page.route('**/api/orders/*', async (route) => {
      if (!silent) return route.continue()
      const response = await route.fetch()
      const checking = { orderStatus: 'open', paymentStatus: 'checking', transectionId: null }
      await route.fulfill({ response, json: { ...(await response.json()), ...checking } })
    })
    await fillCardForm(page, '4242 4242 4242 4242')
    await payButton(page).click()
    const told = main(page).getByRole('status')
    await expect(told).toContainText('We are checking the payment. You will not be charged twice.')
    await expect(told).toContainText('You need not pay again, and you may leave this page')
    await expect(page.locator('main iframe')).toHaveCount(0)
    await expect(payButton(page)).toHaveCount(0)

    // Whoever comes back meanwhile is told the same, and asked for nothing.
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Payment of order ${placed.number}`)
    await expect(told).toContainText('You need not pay again')
    await expect(payButton(page)).toHaveCount(0)

    silent = false
    await expect(page.getByText('Payment successfully done...')).toBeVisible()
  },
)

test('a buyer cancels an open order, asked once by its number, and its pieces are for others again', async ({ page, buyer }) => {
  const tool = await aTool(page.request)
  await registerByApi(page, buyer)
  const placed = await order(page, tool)
  await page.goto(`/dashboard/payment/${placed._id}`)
  await expect(main(page)).toContainText('Cancel the order. To change it, cancel it and order again.')
  await page.goto('/dashboard/myorder')
  const row = rowOf(page, placed)
  await expect(row).toContainText(/held until \d+ \w+ \d{4}, \d\d:\d\d UTC/)
  await row.getByRole('button', { name: `Cancel order ${placed.number}` }).press('Enter')
  const question = page.getByRole('alertdialog', { name: `Cancel order ${placed.number}?` })
  await expect(question).toContainText(`${placed.productQuantity} x ${tool.name} for $${placed.productCost.toLocaleString('en-US')}`)
  await expect(question.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toHaveCount(0)
  await expect(row.getByRole('link', { name: /^Pay Now/ })).toBeVisible()
  await expect(row.getByRole('button', { name: `Cancel order ${placed.number}` })).toBeFocused()

  await row.getByRole('button', { name: `Cancel order ${placed.number}` }).click()
  await question.getByRole('button', { name: `Cancel order ${placed.number}` }).click()
  await expect(main(page).getByRole('status')).toContainText(`Order ${placed.number} is cancelled`)
  await expect(row.getByText('Cancelled', { exact: true })).toBeVisible()
  await expect(row.getByRole('link', { name: /^Pay Now/ })).toHaveCount(0)
  await expect(row.getByRole('link', { name: `Order again, ${tool.name}` })).toBeFocused()
  expect(await stockOf(page, tool)).toBe(tool.available_quantity)

  await page.goto(`/dashboard/payment/${placed._id}`)
  await expect(main(page)).toContainText('This order is cancelled')
  await expect(main(page)).toContainText('Nothing was charged.')
  await expect(page.locator('main iframe')).toHaveCount(0)
})

test('an admin finds an order, reads its history, gives part of the money back and then the rest, each once, and the buyer sees it', async ({
  page,
  buyer,
  browser,
  store,
}) => {
  const tool = await aTool(page.request)
  await registerByApi(page, buyer)
  const placed = await pay(page, tool)
  const rest = `$${(placed.productCost - 12.5).toLocaleString('en-US', { minimumFractionDigits: 2 })}`

  const desk = await browser.newContext({ baseURL: store.address })
  const office = await desk.newPage()
  await openAsAdmin(office, '/dashboard/manageallorders')
  const search = office.getByLabel('Search order, phone and part numbers, buyers, products and transactions')
  const found = office.getByRole('row').filter({ has: office.getByRole('rowheader') })
  await search.fill(`${placed.number}`)
  await expect(found.first()).toContainText(`Order ${placed.number},`)
  await search.fill('020 7946 0018')
  await expect(found.filter({ hasText: buyer.email })).toBeVisible()
  await search.fill(buyer.email)
  await office.getByRole('navigation', { name: 'Orders by payment status' }).getByRole('link', { name: /^Paid/ }).click()
  await rowOf(office, placed)
    .getByRole('link', { name: `Order ${placed.number}` })
    .click()
  await expect(office.getByRole('heading', { level: 1 })).toHaveText(`Order ${placed.number}`)
  await expect(main(office).getByRole('link', { name: '+44 (0)20 7946 0018' })).toHaveAttribute('href', 'tel:+442079460018')
  const history = office.getByRole('table', { name: /^History/ })
  await expect(history.getByRole('rowheader')).toHaveText(['Placed', 'Paid'])
  await expect(history.getByRole('row').nth(1)).toContainText(buyer.email)

  // The buyer's receipt says of the buyer what it says to them.
  const receipt = await desk.newPage()
  await receipt.goto(`/dashboard/payment/${placed._id}`)
  await expect(main(receipt)).toContainText(`$${placed.productCost.toLocaleString('en-US')} was paid for`)
  await expect(main(receipt)).toContainText('Delivery address')
  await expect(main(receipt)).not.toContainText(/You have paid|Delivered to|Your order/)
  await receipt.close()

  // A second page that is left open, as it was before.
  const stale = await desk.newPage()
  await stale.goto(office.url())
  await expect(stale.getByLabel('Amount')).toHaveValue(`${placed.productCost}`)

  await office.getByLabel('Amount').fill('12.505')
  await office.getByRole('button', { name: /^Refund/ }).click()
  await expect(office.getByLabel('Amount')).toHaveAccessibleDescription(/Enter an amount like 16/)
  await office.getByLabel('Amount').fill('12.50')
  await office.getByLabel('Pieces back into stock').fill('1')
  await office.getByLabel('Reason of the refund').fill('One of them came bent')
  await office.getByRole('button', { name: 'Refund $12.50' }).click()
  const question = office.getByRole('alertdialog', { name: `Refund $12.50 of order ${placed.number}?` })
  await expect(question).toContainText(`$12.50 goes back to the card of ${buyer.name}, and 1 piece goes back into stock`)
  await question.getByRole('button', { name: 'Refund $12.50' }).click()
  await expect(main(office).getByText(`$12.50 of order ${placed.number} refunded`)).toBeVisible()
  await expect(history.getByRole('rowheader')).toHaveText(['Placed', 'Paid', 'Refund asked', 'Partly refunded'])
  await office.setViewportSize({ width: 1280, height: 300 })
  expect(await history.locator('..').evaluate((box) => box.scrollHeight - box.clientHeight), 'no line is cut off').toBe(0)
  await office.setViewportSize({ width: 1280, height: 720 })
  await expect(history.getByRole('row').last()).toContainText('One of them came bent')
  await expect(office.getByLabel('Amount')).toHaveValue((placed.productCost - 12.5).toFixed(2))
  expect(await stockOf(page, tool)).toBe(tool.available_quantity - placed.productQuantity + 1)

  await page.goto('/dashboard/myorder')
  await expect(rowOf(page, placed).getByText('Paid', { exact: true })).toBeVisible()
  await expect(rowOf(page, placed)).toContainText('$12.50 of it refunded')
  await expect(rowOf(page, placed)).toContainText('Transaction ID: pi_')

  // The page that has not seen it gives nothing back twice.
  await stale.getByLabel('Amount').fill('12.50')
  await stale.getByRole('button', { name: 'Refund $12.50' }).click()
  await stale.getByRole('alertdialog').getByRole('button', { name: 'Refund $12.50' }).click()
  await expect(main(stale).getByRole('alert')).toContainText('Meanwhile $12.50 of this order have gone back')
  await expect(stale.getByLabel('Amount')).toHaveValue('12.50')
  await expect(stale.getByRole('table', { name: /^History/ }).getByRole('row')).toHaveCount(5)
  await stale.close()

  await office.getByRole('button', { name: `Refund ${rest}` }).click()
  await office
    .getByRole('alertdialog')
    .getByRole('button', { name: `Refund ${rest}` })
    .click()
  await expect(main(office).getByText(`${rest} of order ${placed.number} refunded`)).toBeVisible()
  await expect(main(office).getByRole('definition').getByText('Refunded', { exact: true })).toBeVisible()
  await expect(office.getByRole('button', { name: /^(Refund|Cancel)/ })).toHaveCount(0)
  await desk.close()

  await page.reload()
  await expect(rowOf(page, placed).getByText('Refunded', { exact: true })).toBeVisible()
  await rowOf(page, placed)
    .getByRole('link', { name: `Receipt of order ${placed.number}` })
    .click()
  await expect(main(page)).toContainText('The money of this order goes back to you')
  await expect(main(page)).toContainText(/TransectionID: pi_\w+/)
})

test(
  'an admin cancels a paid order: asked once with the amount, all of the money and the pieces go back, and the buyer reads why',
  fullRunJourney,
  async ({ page, buyer, browser, store, request }) => {
    const tool = await aTool(page.request)
    await registerByApi(page, buyer)
    const placed = await pay(page, tool)
    const amount = `$${placed.productCost.toLocaleString('en-US')}`

    const office = await browser.newPage({ baseURL: store.address })
    await openAsAdmin(office, `/dashboard/order/${placed._id}`)
    await expect(main(office).getByRole('definition').getByText('Paid', { exact: true })).toBeVisible()
    await expect(main(office)).not.toContainText('Disputed')
    await store.sql(
      `update payments set dispute_status = 'needs_response' from orders where orders.payment_id = payments.id and orders.id = $1`,
      [placed._id],
    )
    await office.reload()
    for (const standing of ['Paid', 'Disputed'])
      await expect(main(office).getByRole('definition').getByText(standing, { exact: true })).toBeVisible()
    await office.getByLabel('Reason of the cancellation').fill('The maker has called these back')
    await office.getByRole('button', { name: 'Cancel order' }).click()
    const question = office.getByRole('alertdialog', { name: `Cancel order ${placed.number}?` })
    await expect(question).toContainText(`${amount} goes back to the buyer's card, and ${placed.productQuantity} pieces go back into stock`)
    await expect(question.getByRole('button', { name: 'Keep it' })).toBeFocused()
    await question.getByRole('button', { name: `Cancel order ${placed.number} and refund ${amount}` }).click()
    await expect(main(office).getByText(`Order ${placed.number} is cancelled`)).toBeVisible()
    await expect(main(office).getByText(`Order ${placed.number} is cancelled`).locator('..').locator('..')).toBeFocused()
    await expect(main(office).getByText(`Order ${placed.number} is cancelled`)).toBeInViewport()
    const history = office.getByRole('table', { name: /^History/ })
    await expect(history.getByRole('rowheader')).toHaveText(['Placed', 'Paid', 'Refund asked', 'Cancelled'])
    await expect(history.getByRole('row').last()).toContainText(adminCredentials.email)
    await office.getByRole('link', { name: 'Back to Manage All Orders' }).click()
    await expect(rowOf(office, placed).getByText('Cancelled and refunded', { exact: true })).toBeVisible()
    await office.close()
    expect(await stockOf(page, tool)).toBe(tool.available_quantity)

    await page.goto('/dashboard/myorder')
    await expect(rowOf(page, placed).getByText('Cancelled and refunded', { exact: true })).toBeVisible()
    await expect(rowOf(page, placed)).toContainText('Transaction ID: pi_')
    await page.goto(`/dashboard/payment/${placed._id}`)
    await expect(main(page)).toContainText(`Your payment of ${amount} goes back to your card.`)
    await expect
      .poll(async () => (await request.get(`/outbox?key=${store.outboxKey}`)).text())
      .toContain(`Order ${placed.number} is cancelled`)
  },
)
