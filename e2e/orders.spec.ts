import type { APIRequestContext, Page } from '@playwright/test'
import { adminCredentials, expect, fillCardForm, fillPurchaseForm, placePurchase, registerByApi, restoreSession, test } from './store.ts'

// What a buyer comes for before, at and after paying: the right quantity at the right price, a receipt to keep, and an order found again.

// A header of ours on the card library's calls would have the browser ask the provider first whether it may be sent.
test.use({ extraHTTPHeaders: {} })

type Tool = { _id: string; name: string; price: number; minimum_order_quantity: number; available_quantity: number }
type Purchase = { _id: string; number: number; productName: string; mpn: string; transectionId: string | null }

const main = (page: Page) => page.getByRole('main')
const dollars = (amount: number) => `$${amount.toLocaleString('en-US')}`
const orderButton = (page: Page) => main(page).getByRole('button', { name: /^Order/ })

let addresses = 0
/** Signs in past the screens, from an address of its own. */
async function tokenOf(
  request: APIRequestContext,
  origin: string,
  what: 'in' | 'up',
  data: { email: string; password: string },
): Promise<string> {
  const headers = { origin, 'x-forwarded-for': `10.4.0.${++addresses}` }
  return (await (await request.post(`/api/auth/sign-${what}/email`, { headers, data })).json()).token
}

async function arrive(page: Page, buyer: { name: string; email: string; password: string }): Promise<{ authorization: string }> {
  await registerByApi(page, buyer)
  return { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('accessToken'))}` }
}

/** A tool that no other journey buys, and a hand of the owner on it. */
async function ownTool(request: APIRequestContext, origin: string) {
  const headers = { authorization: `Bearer ${await tokenOf(request, origin, 'in', adminCredentials)}` }
  const figures = { price: 16, minimum_order_quantity: 10, available_quantity: 453 }
  const data = { name: `Bench vise ${crypto.randomUUID().slice(0, 8)}`, img: '/drawings/pliers.svg', description: 'Holds.', ...figures }
  const tool: Tool = await (await request.post('/api/tools', { headers, data })).json()
  const change = async (changed: Partial<typeof figures>) => {
    expect((await request.put(`/api/tools/${tool._id}`, { headers, data: { ...figures, ...changed } })).status()).toBe(200)
  }
  const remove = async () => expect((await request.delete(`/api/tools/${tool._id}`, { headers })).ok()).toBe(true)
  return { tool, change, remove }
}

test('at 9, 10, 453 and 454 pieces of 10 to 453 the words and the button are as specified, and two buttons take one off or add one; who asks for more than is in stock, or finds too little, is told when more arrives', async ({
  page,
  buyer,
  store,
}) => {
  const { tool, change } = await ownTool(page.request, store.address)
  await registerByApi(page, buyer)
  await page.goto(`/purchase/${tool._id}`)
  const quantity = page.getByLabel('Quantity')
  await expect(quantity).toHaveAccessibleDescription(/10 to 453 pieces/)
  for (const [typed, words, button] of [
    ['9', 'You must have to order 10 pieces', 'Order'],
    ['10', '', 'Order 10 for $160'],
    ['453', '', 'Order 453 for $7,248'],
    ['454', "You can't order more than 453 pieces", 'Order'],
  ] as const) {
    await quantity.fill(typed)
    await quantity.blur()
    await expect(orderButton(page)).toHaveText(button)
    await expect(orderButton(page)).toBeEnabled({ enabled: !words })
    if (words) await expect(quantity).toHaveAccessibleDescription(new RegExp(`^${words}`))
    else await expect(quantity).not.toHaveAttribute('aria-invalid')
  }
  await quantity.fill('11')
  await page.getByRole('button', { name: 'One fewer' }).click()
  await expect(quantity).toHaveValue('10')
  await expect(page.getByRole('button', { name: 'One fewer' })).toBeDisabled()
  await page.getByRole('button', { name: 'One more' }).press('Enter')
  await expect(orderButton(page)).toHaveText('Order 11 for $176')

  await page.route(`**/api/products/${tool._id}`, async (route) => {
    const response = await route.fetch()
    const { part, ...rest } = await response.json()
    await route.fulfill({ response, json: { ...rest, part: { ...part, incoming: { quantity: 200, date: '2999-12-12' } } } })
  })
  await page.reload()
  await quantity.fill('454')
  await expect(quantity).toHaveAccessibleDescription(/^You can't order more than 453 pieces\. 200 more arrive on 12 Dec 2999/)
  await change({ available_quantity: 3 })
  await page.reload()
  await expect(main(page)).toContainText('The smallest order is 10 pieces, and 3 are left. 200 more arrive on 12 Dec 2999.')
})

test('a price or a stock that moved meanwhile is told before anything is ordered; one button accepts the new total, or orders what is left, and nothing left says so', async ({
  page,
  buyer,
  store,
}) => {
  const { tool, change } = await ownTool(page.request, store.address)
  await arrive(page, buyer)
  await fillPurchaseForm(page, tool._id)
  await page.getByLabel('Quantity').fill('25')
  await change({ price: 18 })
  await orderButton(page).click()
  const told = main(page).getByRole('alert')
  await expect(told).toContainText('The price has changed: 25 pieces now cost $450')
  await expect(told).toContainText('Nothing was ordered, and what you typed is kept.')
  await expect(told).toBeFocused()
  await expect(main(page)).toContainText('Price: $18')
  await expect(page.getByLabel('Quantity')).toHaveValue('25')
  await told.getByRole('button', { name: 'Accept $450' }).click()
  await expect(main(page).getByText('order placed successfully')).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'Pay $450' })).toBeVisible()

  await change({})
  await fillPurchaseForm(page, tool._id)
  await page.getByLabel('Quantity').fill('25')
  await change({ available_quantity: 20 })
  await orderButton(page).click()
  await expect(told).toContainText("You can't order more than 20 pieces")
  await expect(page.getByLabel('Quantity')).toHaveValue('25')
  await expect(page.getByLabel('Address')).toHaveValue('12 Analytical Road, London')
  await told.getByRole('button', { name: 'Order 20 instead' }).click()
  await expect(main(page)).toContainText(`20 x ${tool.name} for $320`)

  await change({ available_quantity: 15 })
  await fillPurchaseForm(page, tool._id)
  await change({ available_quantity: 3 })
  await orderButton(page).click()
  await expect(main(page)).toContainText('Out of stock')
  await expect(main(page)).toContainText('Others were faster: nothing was ordered. The smallest order is 10 pieces, and 3 are left.')
})

test('button, receipt and mail say the same amount, and on paper the receipt is one sheet, black on white, without bar and buttons', async ({
  page,
  buyer,
  store,
}) => {
  const { tool } = await ownTool(page.request, store.address)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await arrive(page, buyer)
  await fillPurchaseForm(page, tool._id)
  await page.getByLabel('Quantity').fill('100')
  await orderButton(page).click()
  await main(page).getByRole('link', { name: 'Pay $1,600' }).click()

  // All of paying is in view at once.
  const pay = main(page).getByRole('button', { name: 'Pay $1,600' })
  await expect(pay).toBeEnabled()
  await expect(main(page)).toContainText('Your card number goes straight to the card provider')
  await expect(page.getByRole('list', { name: 'Cards that are taken' })).toHaveText(/Visa.*Mastercard/)
  await expect(pay).toBeInViewport({ ratio: 1 })
  await expect(page.frameLocator('main iframe').getByLabel('Card number')).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => scrollY)).toBe(0)

  await fillCardForm(page, '4242 4242 4242 4242')
  await pay.click()
  await expect(page.getByText('Payment successfully done...')).toBeVisible()
  const receipt = main(page).getByRole('article', { name: /^Receipt of order \d+$/ })
  const number = (await receipt.getAttribute('aria-label'))?.replace(/\D/g, '')
  const facts = [
    `Order ${number}`,
    'Nucleus of PC',
    '100 x $16',
    'Total paid',
    '$1,600',
    'Visa ending 4242',
    buyer.name,
    '12 Analytical Road',
  ]
  for (const fact of facts) await expect(receipt).toContainText(fact)
  await expect(receipt).toContainText(/TransectionID: pi_\w+/)
  const transectionId = /pi_\w+/.exec(await receipt.innerText())?.[0] ?? ''
  await expect(receipt.getByRole('button', { name: 'Copy transaction id' })).toBeVisible()
  await expect(main(page).getByRole('list', { name: 'What happens next' })).toContainText(buyer.email)
  await expect
    .poll(async () => (await page.request.get(`/outbox?key=${store.outboxKey}`)).text())
    .toMatch(new RegExp(`Receipt for order ${number}: \\$1,600 paid`))

  await page.emulateMedia({ media: 'print' })
  for (const fact of facts) await expect(receipt.getByText(fact).first()).toBeVisible()
  await expect(receipt.getByText(transectionId)).toBeVisible()
  for (const hidden of [
    page.getByRole('banner'),
    page.getByRole('contentinfo'),
    page.getByRole('navigation'),
    page.getByRole('button'),
    page.getByRole('link', { name: `Order ${number}` }),
    page.getByText('Test mode: no real money.'),
    page.getByText('Payment successfully done...'),
  ])
    await expect(hidden.filter({ visible: true })).toHaveCount(0)
  expect(
    await page.evaluate(() => [getComputedStyle(document.documentElement), getComputedStyle(document.body)].map((look) => look.color)),
  ).toEqual(['rgb(0, 0, 0)', 'rgb(0, 0, 0)'])
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b(?!s)/g)
  expect(sheets).toHaveLength(1)
})

test('one order of 200 is found by its part number in any spelling, by its number and by its transaction id, and what is to be paid stands on top', async ({
  page,
  buyer,
  store,
}) => {
  const first = await placePurchase(page.request, store.address, buyer, { paid: true })
  const headers = { authorization: `Bearer ${first.token}` }
  const tools: Tool[] = await (await page.request.get('/api/tools')).json()
  const others = tools.slice(1).filter((tool) => tool.available_quantity > 40 * tool.minimum_order_quantity)
  const sought = 37
  const wanted = Array.from({ length: 199 }, (_, nth) => others[nth + 1 === sought ? 0 : 1 + ((nth + 1) % (others.length - 1))]?._id)
  await store.sql(
    `with bought as materialized (
       select gen_random_uuid() as order_id, nth, tools.*, price_cents as cents
       from unnest($1::uuid[]) with ordinality bought (id, nth) join tools on tools.id = bought.id
     ), placed as (
       insert into orders (id, placed_at, currency, goods_cents, total_cents, buyer_id, buyer_name, buyer_email, buyer_address, hold_until)
       select order_id, now() + nth * interval '1 millisecond', 'usd', minimum_order_quantity * cents, minimum_order_quantity * cents, users.id,
         users.name, users.email, '12 Analytical Road, London', now() + interval '1 day'
       from bought, users where users.email = $2 order by nth)
     insert into order_lines (id, order_id, position, tool_id, product_name, brand, mpn, quantity, list_price_cents, unit_price_cents, total_cents)
     select order_id, order_id, 1, id, name, brand, mpn, minimum_order_quantity, cents, cents, minimum_order_quantity * cents from bought`,
    [wanted, buyer.email],
  )
  const all: Purchase[] = await (await page.request.get(`/api/purchase?buyerEmail=${buyer.email}`, { headers })).json()
  const [newest, second] = all
  const found = all.at(-1 - sought)
  const paid = all.at(-1)
  if (!newest || !second || !found?.mpn || !paid?.transectionId) throw new Error('The orders are not as they were placed')
  await page.request.post(`/api/purchase/${newest._id}/cancel`, { headers, data: {} })

  await restoreSession(page, buyer, first.token)
  await page.goto('/dashboard/myorder')
  const search = page.getByLabel('Search part numbers, products, orders and transactions')
  const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') })
  const order = (number: number) => rows.filter({ hasText: `Order ${number},` })
  await expect(rows).toHaveCount(20)
  await expect(rows.first()).toContainText(`Order ${second.number},`)
  await expect(rows.first()).toContainText(/Not paid yet.*held until \d+ \w+ \d{4}, \d\d:\d\d UTC/)
  for (const typed of [found.mpn, found.mpn.toLowerCase().replace(/[^a-z0-9]/g, ''), found.mpn.split('').join('-')]) {
    await search.fill(typed)
    await expect(order(found.number)).toBeVisible()
    await expect(rows).toHaveCount(1)
  }
  await search.fill(`${found.number}`) // part numbers that contain it are found, too
  await expect(order(found.number)).toContainText(found.mpn)
  await expect(order(newest.number)).toHaveCount(0)

  // Paid and unpaid differ by word and sign, not by colour alone.
  await search.fill(paid.transectionId)
  await expect(rows).toHaveCount(1)
  await expect(page.getByRole('navigation', { name: 'Orders by payment status' }).getByRole('link')).toHaveText(['All 1', 'Paid 1'])
  await expect(order(paid.number).getByText('Paid', { exact: true }).locator('svg')).toBeVisible()
  await expect(order(paid.number).getByRole('link', { name: /^Pay Now/ })).toHaveCount(0)

  await search.fill('no such part')
  await expect(page.getByText('0 orders found for "no such part"')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('navigation', { name: 'Orders by payment status' }).getByRole('link', { name: /^Paid/ }).click()
  await expect(rows).toHaveCount(1)

  // What needs no paying comes after what does, though it is newer.
  await page.goto('/dashboard/myorder?page=10')
  await expect(rows).toHaveCount(20)
  await expect(order(newest.number).getByRole('cell').first()).toHaveText('199')
  await expect(order(newest.number)).toContainText('Cancelled')
  await expect(order(paid.number).getByRole('cell').first()).toHaveText('200')
})

test('a buyer opens an order of their own, reads when what happened to it, cancels it and orders it again', async ({
  page,
  buyer,
  browser,
  store,
}) => {
  const { tool, change, remove } = await ownTool(page.request, store.address)
  const headers = await arrive(page, buyer)
  await fillPurchaseForm(page, tool._id)
  await page.getByLabel('Quantity').fill('12')
  await orderButton(page).click()

  // Which mails an unverified address gets is said where they are missed, with the way to get all of them.
  const unverified = main(page).getByRole('region', { name: 'Verify your e-mail' })
  await expect(unverified).toContainText(`Nobody has verified ${buyer.email} yet. Such an address gets a mail about its first order only`)
  await main(page).getByRole('link', { name: 'My Orders' }).click()
  await page
    .getByRole('rowheader')
    .getByRole('link', { name: /^Order \d+$/ })
    .click()
  const story = page.getByRole('list', { name: 'What happened to this order' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Order \d+$/)
  await expect(page.getByRole('heading', { name: 'What happened, and what comes next' })).toBeVisible()
  await expect(story.getByRole('listitem')).toHaveText([/Ordered.*\d\d:\d\d UTC/, /Your payment.*Until \d+ \w+ \d{4}/])
  await expect(main(page)).toContainText('Not paid yet')
  await unverified.getByRole('button', { name: 'Send the verification mail again' }).click()
  await expect(unverified.getByText('Verification mail sent')).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'Pay Now' })).toHaveAttribute('href', /^\/dashboard\/payment\//)
  await expect(main(page).getByRole('link', { name: 'Write to us' })).toHaveAttribute('href', '/help#contact')
  const [placed]: Purchase[] = await (await page.request.get(`/api/purchase?buyerEmail=${buyer.email}`, { headers })).json()

  // Whoever else is signed in is told that there is no such order.
  const stranger = await browser.newPage({ baseURL: store.address })
  await arrive(stranger, { ...buyer, email: `not.${buyer.email}` })
  await stranger.goto(`/dashboard/myorder/${placed?._id}`)
  await expect(stranger.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await stranger.close()

  // A further order of an address that is not verified is not confirmed by mail, which its page says.
  const wish = { toolId: tool._id, productName: tool.name, productQuantity: 12, productCost: 12 * 16, buyerAddress: '2 Lane' }
  const second = await page.request.post('/api/purchase', { headers, data: wish })
  expect(second.status(), await second.text()).toBe(201)
  const standing = page.getByRole('region', { name: 'How it stands' })
  await expect(standing).not.toContainText('No mail was sent')
  const { _id: secondId }: Purchase = await second.json()
  await expect(async () => {
    await page.goto(`/dashboard/myorder/${secondId}`)
    await expect(standing).toContainText(
      'No mail was sent about this order: an address that is not verified gets one about its first order',
      {
        timeout: 2_000,
      },
    )
  }).toPass()
  await page.goto(`/dashboard/myorder/${placed?._id}`)

  await main(page).getByRole('button', { name: 'Cancel order' }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: `Cancel order ${placed?.number}` })
    .click()
  await expect(main(page).getByText(`Order ${placed?.number} is cancelled`)).toBeVisible()
  await expect(story.getByRole('listitem')).toHaveText([/Ordered/, /Cancelled by you.*Nothing was charged\./])
  const again = main(page).getByRole('link', { name: 'Order again' })
  await expect(again).toBeFocused()

  // What has changed since is said, also that the quantity had to follow.
  await change({ price: 18, minimum_order_quantity: 15 })
  await again.click()
  await expect(main(page)).toContainText(`Changed since order ${placed?.number} of`)
  await expect(main(page)).toContainText('Price: was $16, is $18')
  await expect(main(page)).toContainText('Smallest order: you ordered 12, now 15 pieces are the fewest')
  await expect(page.getByLabel('Quantity')).toHaveValue('15')
  await expect(page.getByLabel('Address')).toHaveValue('12 Analytical Road, London')
  await expect(orderButton(page)).toHaveText(`Order 15 for ${dollars(15 * 18)}`)

  await change({})
  await page.reload()
  await expect(main(page)).toContainText(`As in order ${placed?.number} of`)

  // What is sold no more is said to be, with a way to the like of it.
  await remove()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(tool.name)
  await expect(main(page)).toContainText('No longer sold')
  await expect(main(page).getByRole('link', { name: 'Look for one like it' })).toHaveAttribute(
    'href',
    `/allproducts?${new URLSearchParams({ q: tool.name })}`,
  )
})

test('a buyer reads of money that went back and of a declined card, and nothing that was written for admins', async ({
  page,
  buyer,
  store,
}) => {
  const { _id, token } = await placePurchase(page.request, store.address, buyer, { paid: true })
  const desk = { authorization: `Bearer ${await tokenOf(page.request, store.address, 'in', adminCredentials)}` }
  const data = { amountCents: 1250, reason: 'One of them came bent' }
  expect((await page.request.post(`/api/purchase/${_id}/refund`, { headers: desk, data })).status()).toBe(200)
  expect((await page.request.get(`/api/purchase/${_id}/history`, { headers: { authorization: `Bearer ${token}` } })).status()).toBe(200)
  await restoreSession(page, buyer, token)
  await page.goto(`/dashboard/myorder/${_id}`)
  const story = page.getByRole('list', { name: 'What happened to this order' })
  await expect(story.getByRole('listitem')).toHaveText([
    /Ordered/,
    /Paid.*Visa ending 4242/,
    /\$12\.50 refunded.*Banks take up to ten days to show it\. The store says: One of them came bent/,
    /To be sent to you.*You get a mail when it is on its way/,
  ])
  await expect(main(page)).not.toContainText(adminCredentials.email)
  await expect(main(page)).toContainText('$12.50 of it refunded')
  await main(page).getByRole('link', { name: 'Receipt' }).click()
  await expect(main(page).getByRole('article')).toContainText('-$12.50')
})
