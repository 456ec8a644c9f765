import type { APIRequestContext, Page } from '@playwright/test'
import { fullRunJourney } from '../proof/full-run.ts'
import { type Buyer, expect, handToGuest, type Order, openAsAdmin, placeOrder, restoreSession, test } from './store.ts'

// How pieces come back: what the buyer asks, what the packer decides, and what goes out again.

// A header of ours on the card library's calls would have the browser ask the provider first whether it may be sent.
test.use({ extraHTTPHeaders: {} })

const main = (page: Page) => page.getByRole('main')

/** A paid order, all of which was sent. */
async function sendOrder(page: Page, request: APIRequestContext, address: string, buyer: Buyer): Promise<Order & { token: string }> {
  const order = await placeOrder(request, address, buyer, { paid: true, lineCount: 2 })
  await openAsAdmin(page, '/dashboard/returns')
  const authorization = await page.evaluate(() => `Bearer ${localStorage.getItem('accessToken')}`)
  const sent = await request.post(`/api/orders/${order._id}/shipments`, {
    headers: { authorization },
    data: { lines: order.lines.map(({ _id, quantity }) => ({ _id, quantity })) },
  })
  expect(sent.status(), await sent.text()).toBe(201)
  return order
}

test('a buyer asks for a return and takes it back, asks again, and the packer finds it by its number, receives it and decides each piece; the rest is sent again', async ({
  page,
  browser,
  request,
  buyer,
  store,
}) => {
  const order = await sendOrder(page, request, store.address, buyer)
  const [first, second] = order.lines
  if (!first || !second) throw new Error('The order has no lines')
  const home = await browser.newPage({ baseURL: store.address })
  await restoreSession(home, buyer, order.token)
  await home.goto(`/dashboard/myorder/${order._id}`)
  const returns = main(home).getByRole('region', { name: /^Send something back$|^Returns$/ })
  await returns.getByText('Ask for a return').click()
  await returns.getByRole('button', { name: 'Ask for the return' }).click()
  await expect(returns.getByText('At least one piece comes back')).toBeVisible()
  await home.getByLabel(`Pieces of ${first.productName} to return`).fill('999')
  await returns.getByRole('button', { name: 'Ask for the return' }).click()
  await expect(returns.getByText(`From 0 to ${first.quantity}`)).toBeVisible()
  await expect(returns.getByText('Choose a reason')).toBeVisible()
  await home.getByLabel(`Pieces of ${first.productName} to return`).fill('1')
  await home.getByLabel(`Why ${first.productName} comes back`).selectOption('defective')
  await home.getByLabel('More about it').fill('It hums.')
  await home.reload()
  await returns.getByText('Ask for a return').click()
  await expect(home.getByLabel('More about it')).toHaveValue('It hums.')
  await returns.getByRole('button', { name: 'Ask for the return' }).press('Enter')
  await expect(returns.getByText('Not here yet')).toBeVisible()
  await expect(main(home).getByRole('list', { name: 'What happened to this order' })).toContainText(/Return R\d+ asked for/)
  await returns.getByRole('button', { name: /^Cancel return R\d+$/ }).click()
  await expect(returns.getByText('Cancelled by the buyer')).toBeVisible()

  await returns.getByText('Ask for a return').click()
  for (const line of [first, second]) {
    await home.getByLabel(`Pieces of ${line.productName} to return`).fill('1')
    await home.getByLabel(`Why ${line.productName} comes back`).selectOption('damaged on the way')
  }
  await returns.getByRole('button', { name: 'Ask for the return' }).click()
  await expect(returns.getByText('Not here yet')).toBeVisible()
  const { returns: asked } = await (
    await request.get(`/api/orders/${order._id}/returns`, { headers: { authorization: `Bearer ${order.token}` } })
  ).json()
  const wanted = `R${asked.at(-1).number}`

  await page.goto('/dashboard/returns')
  await page.getByLabel('Find a return').fill(wanted)
  await page.getByLabel('Find a return').press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Return ${wanted}`)
  await main(page).getByRole('button', { name: 'All of it' }).click()
  await main(page).getByRole('button', { name: 'Write down' }).click()
  const decide = main(page).getByRole('region', { name: 'What becomes of it' })
  await expect(decide.getByText('1 arrived')).toHaveCount(2)
  const ofLine = (name: string) => decide.getByRole('group', { name })
  await ofLine(first.productName).getByLabel('Outcome').selectOption('refund')
  await ofLine(second.productName).getByLabel('Outcome').selectOption('refused')
  await decide.getByRole('button', { name: 'Decide' }).click()
  await expect(decide.getByText('Say where the pieces go')).toBeVisible()
  await expect(decide.getByText('Say why: the buyer reads it')).toBeVisible()
  await ofLine(first.productName).getByLabel('The pieces go').selectOption('stock')
  await ofLine(second.productName).getByLabel('Why they are refused').fill('It was dropped')
  await decide.getByRole('button', { name: 'Decide' }).click()
  const again = main(page).getByRole('region', { name: 'To be sent to the buyer again' })
  await expect(again).toContainText(`1 x ${second.productName}`)
  await page.goto('/dashboard/tosend')
  await main(page)
    .getByRole('link', { name: /^Returns to send again/ })
    .click()
  await main(page)
    .getByRole('link', { name: `Return ${wanted}` })
    .click()
  await again.getByRole('button', { name: 'Send 1 piece' }).click()
  await expect(main(page).getByText('Nothing is left to do')).toBeVisible()

  await home.reload()
  await expect(returns.getByText('1: Money back: given back')).toBeVisible()
  await expect(returns.getByText('1: Refused: It was dropped')).toBeVisible()
  await expect(main(home).getByRole('list', { name: 'Parcels' })).toContainText(`for return ${wanted}`)
  await home.close()
})

test(
  'a guest asks for a return by the link of the order, and what another device has asked for meanwhile is refused in words',
  fullRunJourney,
  async ({ page, request, buyer, store }) => {
    const order = await sendOrder(page, request, store.address, buyer)
    const [first] = order.lines
    if (!first) throw new Error('The order has no lines')
    const link = await handToGuest(store, order._id, 'gwen@visitors.example')
    await page.goto(link)
    await main(page).getByText('Ask for a return').click()
    await page.getByLabel(`Pieces of ${first.productName} to return`).fill(`${first.quantity}`)
    await page.getByLabel(`Why ${first.productName} comes back`).selectOption('not wanted')
    const elsewhere = await request.post(`/api/orders/${order._id}/returns`, {
      headers: { authorization: `Bearer order-${link.split('/').at(-1)}` },
      data: { lines: [{ _id: first._id, quantity: 1, reason: 'other' }] },
    })
    expect(elsewhere.status(), await elsewhere.text()).toBe(201)
    await main(page).getByRole('button', { name: 'Ask for the return' }).click()
    await expect(main(page).getByRole('alert')).toContainText('can be returned')
    await expect(page.getByLabel(`Pieces of ${first.productName} to return`)).toHaveValue(`${first.quantity}`)
  },
)
