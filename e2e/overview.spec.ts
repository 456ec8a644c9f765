import type { Locator, Page } from '@playwright/test'
import { fullRunJourney } from '../proof/full-run.ts'
import { adminCredentials, expect, openAsAdmin, placePurchase, signIn, test } from './store.ts'

test.use({ storeOf: 'overview' })

const work = (page: Page) => page.getByRole('region', { name: 'What needs you' })
const takings = (page: Page) => page.getByRole('region', { name: 'Takings and orders', exact: true })
const rows = (page: Page) => page.getByRole('main').getByRole('table').getByRole('rowheader')

async function openOverview(page: Page, search = '') {
  await openAsAdmin(page, `/dashboard/overview${search}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
}

/** The link of a figure, its number, and the list that it leads to. */
const linksIn = (region: ReturnType<typeof work>) =>
  region
    .locator('li')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => ({ to: link.getAttribute('href') ?? '', said: link.textContent ?? '' })))

test("an admin's way into the dashboard leads to the overview, which says what to do in a shop without orders", async ({ page }) => {
  await page.goto('/login')
  await signIn(page, adminCredentials)
  await page.waitForURL('**/home')
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).filter({ visible: true }).click()
  await page.waitForURL('**/dashboard/overview')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview')
  await expect(page).toHaveTitle('Overview | Nucleus of PC')
  const menu = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')
  await expect(menu.first()).toHaveText('Overview')
  await expect(menu.first()).toHaveAttribute('aria-current', 'page')

  await expect(takings(page)).toContainText('No orders yet')
  await expect(takings(page).getByRole('link', { name: 'See the store as customers do' })).toHaveAttribute('href', '/allproducts')
  const found = await page.request.get('/api/search?stock=out&limit=1')
  const { total }: { total: number } = await found.json()
  await expect(work(page).getByRole('link', { name: 'Out of stock' })).toContainText(`${total}`)

  const nothing = { orders: 0, cost: 0 }
  const attention = { holdEndsToday: nothing, toBeLookedAt: nothing, cardDeclined: nothing, unpaid: nothing, checking: nothing }
  await page.route('**/api/overview/attention', (route) =>
    route.fulfill({
      json: { asOf: '2026-11-22T12:00:00.000Z', ...attention, refundUnderWay: nothing, outOfStock: 0, lowOnStock: 0, products: 0 },
    }),
  )
  await work(page).getByRole('button', { name: 'Look again' }).click()
  for (const [name, to] of [
    ['Add a New Product', '/dashboard/addatool'],
    ['Import a file of products', '/dashboard/import'],
    ['See the store as customers do', '/home'],
  ] as const)
    await expect(work(page).getByRole('link', { name })).toHaveAttribute('href', to)
})

test('from the first screen every unpaid order ending today is one press away, and each figure has as many rows behind it', async ({
  page,
  request,
  buyer,
  store,
}) => {
  const order = (nth: number, wish = {}) =>
    placePurchase(request, store.address, { ...buyer, email: buyer.email.replace('ada', `ada${nth}`) }, wish)
  const ending = [await order(1), await order(2)]
  await order(3)
  const [tomorrow, dear] = [await order(4), await order(5, { paid: true })]
  for (const { _id } of ending)
    await store.sql(
      `update orders set hold_until = (date_trunc('day', now() at time zone 'utc') + interval '86399 seconds') at time zone 'utc' where id = $1`,
      [_id],
    )
  await store.sql(
    `update orders set hold_until = (date_trunc('day', now() at time zone 'utc') + interval '1 day') at time zone 'utc' where id = $1`,
    [tomorrow._id],
  )

  await openOverview(page)
  const urgent = work(page).getByRole('link', { name: 'Unpaid, hold ends today' })
  await expect(urgent).toContainText(/^2\D/)
  await urgent.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Manage All Orders' })).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  for (const { number } of ending) await expect(page.getByRole('link', { name: `Order ${number}` })).toBeVisible()
  const together = ending.reduce((sum, { productCost }) => sum + productCost, 0)
  await expect(page.getByRole('main')).toContainText(`Together: $${together.toLocaleString('en-US')}`)

  await page.goBack()
  await expect(takings(page)).toContainText('Orders placed')
  await expect(takings(page).getByRole('link', { name: 'Takings' })).toContainText(`$${dear.productCost.toLocaleString('en-US')}`)
  const [toSend, ...links] = [...(await linksIn(work(page))), ...(await linksIn(takings(page)))].filter(
    ({ said }) => !said.startsWith('Takings'),
  )
  expect([toSend?.to, toSend?.said]).toEqual(['/dashboard/tosend', expect.stringMatching(/^1To be sent/)])
  expect(links.map(({ to }) => [...new URL(to, store.address).searchParams][0]?.join('='))).toEqual([
    'attention=hold ends today',
    'status=open',
    'stock=out',
    'date=paid',
    'date=placed',
  ])
  for (const { to, said } of links) {
    const count = Number(said.match(/\d+/)?.[0])
    await page.goto(to)
    await expect(page.getByRole('main').getByRole('search').getByRole('status'), said).toHaveText(
      new RegExp(`^${count} (orders?|products?)$`),
    )
    await expect(rows(page), said).toHaveCount(Math.min(count, 20))
  }
})

test('a part of the overview that cannot be loaded fails alone, and Try again asks for it again', async ({ page }) => {
  for (const [failing, other, path, words] of [
    [takings, work, '**/api/overview/takings*', 'Takings could not be loaded'],
    [work, takings, '**/api/overview/attention', 'What needs you could not be loaded'],
  ] as const) {
    let asked = 0
    await page.route(path, (route) => {
      asked++
      return route.fulfill({ status: 503, json: { message: 'The store is busy: try again in a moment' } })
    })
    await openOverview(page)
    const alert = failing(page).getByRole('alert')
    await expect(alert).toContainText(words)
    await expect(failing(page)).not.toContainText('As of')
    await expect(alert).toContainText('The store is busy: try again in a moment')
    await expect(other(page)).toContainText(/As of \d/)
    await expect(other(page).getByRole('alert')).toHaveCount(0)
    const before = asked
    await alert.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => asked).toBe(before + 1)
    await expect(alert).toBeVisible()
    await page.unroute(path)
    await alert.getByRole('button', { name: 'Try again' }).click()
    await expect(alert).toHaveCount(0)
    await expect(failing(page)).toContainText(/As of \d/)
  }
})

test('the period stands in the address, the chart is walked by keyboard, and a table says the same', async ({
  page,
  request,
  buyer,
  store,
}) => {
  const { productCost } = await placePurchase(request, store.address, buyer, { paid: true })
  await openOverview(page, '?period=7d')
  const period = takings(page).getByRole('navigation', { name: 'Period' })
  await expect(period.getByRole('link', { name: '7 days' })).toHaveAttribute('aria-current', 'true')
  const { total, steps }: { total: { takenCents: number }; steps: unknown[] } = await (
    await request.get('/api/overview/takings?period=7d', {
      headers: { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('accessToken'))}` },
    })
  ).json()
  expect(total.takenCents).toBeGreaterThanOrEqual(productCost * 100)
  const taken = `$${(total.takenCents / 100).toLocaleString('en-US')}`
  await expect(takings(page).getByRole('link', { name: 'Takings' })).toContainText(`${taken}None in the 7 days before`)

  const chart = takings(page).getByRole('application', { name: /^Takings by day/ })
  await page.mouse.move(0, 0) // where a pointer rests on the chart, it says what is pointed at
  await chart.focus()
  const pointedAt = takings(page).getByRole('status')
  await expect(async () => {
    const said = await pointedAt.textContent()
    await page.keyboard.press('ArrowRight')
    if (!said?.includes(`${taken} taken from`)) await expect(pointedAt).not.toHaveText(said ?? '')
    expect(said).toContain(`${taken} taken from`)
  }).toPass()

  // Six orders on one day: each label of an axis has its line, zero among them, and the days are labelled at even steps.
  await page.route('**/api/overview/takings?*', async (route) => {
    const answer = await route.fetch()
    const revenue = await answer.json()
    await route.fulfill({ response: answer, json: { ...revenue, steps: revenue.steps.with(0, { ...revenue.steps[0], placed: 6 }) } })
  })
  await page.setViewportSize({ width: 1000, height: 900 })
  await period.getByRole('link', { name: '30 days' }).click()
  const placedChart = takings(page).getByRole('img', { name: 'Orders placed by day' })
  const labels = (of: Locator, axis: 'x' | 'y') => of.locator(`.recharts-${axis}Axis-tick-labels text`)
  await expect(labels(placedChart, 'y')).toHaveText(['0', '2', '4', '6'])
  await expect(placedChart.locator('.recharts-cartesian-grid-horizontal line')).toHaveCount(4)
  await expect(labels(chart, 'y').first()).toHaveText('$0')
  const places = await labels(placedChart, 'x').evaluateAll((days) => days.map((day) => Number(day.getAttribute('x'))))
  const gaps = places.slice(1).map((place, nth) => Math.round(place - (places[nth] ?? 0)))
  expect(Math.max(...gaps) - Math.min(...gaps), `${gaps}`).toBeLessThanOrEqual(1)
  await page.unrouteAll({ behavior: 'wait' })
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goBack()
  await expect(period.getByRole('link', { name: '7 days' })).toHaveAttribute('aria-current', 'true') // until then the 30 days are shown

  await takings(page).getByText('Show as table').click()
  const table = takings(page).getByRole('table', { name: 'Takings and orders by day, newest first' })
  await expect(table.getByRole('row')).toHaveCount(steps.length + 1)
  await expect(table.getByRole('row').nth(1)).toContainText(taken)

  await period.getByRole('link', { name: '12 months' }).click()
  await page.waitForURL('**/dashboard/overview?period=12m')
  await expect(takings(page)).toContainText('None in the 12 months before')
  await expect(takings(page).getByRole('application', { name: /^Takings by month/ })).toBeVisible()
  await page.goBack()
  await expect(period.getByRole('link', { name: '7 days' })).toHaveAttribute('aria-current', 'true')
  await expect(takings(page).getByRole('application', { name: /^Takings by day/ })).toBeVisible()
})

test('what went wrong with an order leaves the list of work once an admin says they have looked at it: gone before the store has answered, and back with its words when it refuses', async ({
  page,
  request,
  buyer,
  store,
}) => {
  const { _id, number } = await placePurchase(request, store.address, buyer)
  await store.sql(
    `insert into order_history (order_id, event, state, order_status, actor, note) values ($1, 'trouble', 'open', 'open', 'card provider', 'The sums differ')`,
    [_id],
  )
  await openOverview(page)
  await work(page).getByRole('link', { name: 'Something went wrong' }).click()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('link', { name: `Order ${number}` }).click()
  const told = page.getByRole('status').filter({ hasText: 'Look at this order: something went wrong' })
  await expect(told).toContainText('The sums differ')
  const waiting: ((refuse: boolean) => void)[] = []
  const answer = async (refuse: boolean) => {
    await expect.poll(() => waiting.length).toBe(1) // the request has come
    waiting.shift()?.(refuse)
  }
  await page.route('**/api/purchase/*/looked-at', async (route) => {
    const refuse = await new Promise<boolean>((resolve) => waiting.push(resolve))
    await (refuse ? route.fulfill({ status: 500, json: { message: 'Something went wrong on our side. Try again.' } }) : route.continue())
  })
  const button = told.getByRole('button', { name: 'I have looked at it' })
  await button.click()
  await expect(told).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await answer(true)
  await expect(told).toContainText('Something went wrong on our side. Try again.')
  await button.click()
  await expect(told).toHaveCount(0)
  await answer(false)
  await expect(page.getByRole('table', { name: 'History, newest last' })).toContainText('Looked at')
  await expect(told).toHaveCount(0)
  await page.getByRole('link', { name: 'Back to Manage All Orders' }).click()
  await expect(page.getByText('No order is in this list now')).toBeVisible()
  await page.getByRole('link', { name: 'Show all orders' }).click()
  await expect(page.getByRole('link', { name: `Order ${number}` })).toBeVisible()
})

test('orders are found by the days on which they were placed, and products by their stock', async ({ page, request, buyer, store }) => {
  const old = await placePurchase(request, store.address, buyer)
  await store.sql(`update orders set placed_at = '2026-03-15T23:59:59Z' where id = $1`, [old._id])
  await openAsAdmin(page, '/dashboard/manageallorders')
  await page.getByText('Orders of certain days').click()
  await page.getByRole('navigation', { name: 'Orders by what happened' }).getByRole('link', { name: 'Placed' }).click()
  await page.getByLabel('From day').pressSequentially('03152026') // a year has other days on its way
  await page.getByLabel('To day').fill('2026-03-15')
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByRole('link', { name: `Order ${old.number}` })).toBeVisible()
  await page.waitForURL('**/dashboard/manageallorders?date=placed&from=2026-03-15&to=2026-03-15')
  await expect(page.getByRole('navigation', { name: 'Orders by payment status' })).toContainText('All 1')
  await page.getByRole('navigation', { name: 'Orders by what happened' }).getByRole('link', { name: 'Refunded' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'No order was refunded on these days' })).toBeVisible()
  await page.getByLabel('From day').fill('2026-03-16')
  await expect(page.getByLabel('From day')).toHaveAccessibleDescription(/The first day is after the last/)
  await expect(page.getByText('No order was refunded on these days')).toHaveCount(0)

  await page.goto('/dashboard/manageproducts')
  const kinds = page.getByRole('navigation', { name: 'Products by stock' })
  await kinds.getByRole('link', { name: /^Out of stock/ }).click()
  await page.waitForURL('**/dashboard/manageproducts?stock=out')
  await expect(page.getByRole('main')).toContainText('Out of stock: less left than the smallest order.')
  const { total }: { total: number } = await (await page.request.get('/api/search?stock=out&limit=1')).json()
  await expect(rows(page)).toHaveCount(total)
  for (const row of await page.getByRole('main').getByRole('row').all())
    if ((await row.getByRole('rowheader').count()) > 0) await expect(row).toContainText('Out of stock')
})

test('among 5,000 orders any one is found by its number or its buyer', async ({ page, request, buyer, store }) => {
  const { _id } = await placePurchase(request, store.address, buyer)
  await store.sql(
    `with placed as (
       insert into orders (id, placed_at, currency, goods_cents, total_cents, buyer_id, buyer_name, buyer_email, buyer_address, hold_until)
       select gen_random_uuid(), placed_at, currency, goods_cents, total_cents, buyer_id, 'Buyer',
         'buyer-' || translate(nth::text, '0123456789', 'abcdefghij') || '@shop.example', buyer_address, hold_until
       from orders, generate_series(1, 5000) nth where id = $1 returning id)
     insert into order_lines (id, order_id, position, tool_id, product_name, quantity, list_price_cents, unit_price_cents, total_cents)
     select placed.id, placed.id, 1, tool_id, product_name, quantity, list_price_cents, unit_price_cents, total_cents
     from order_lines, placed where order_id = $1`,
    [_id],
  )
  await openAsAdmin(page, '/dashboard/manageallorders')
  await expect(page.getByRole('cell', { name: 'buyer-faaa@shop.example' })).toBeVisible()
  const newest = Number((await rows(page).first().textContent())?.match(/Order (\d+)/)?.[1])
  const wanted = page.getByLabel('Search order, phone and part numbers, buyers, products and transactions')
  for (const [typed, found] of [
    [`${newest - 2_500}`, 'buyer-cfaa@shop.example'],
    ['buyer-bh@shop', 'buyer-bh@shop.example'],
  ] as const) {
    await wanted.fill(typed)
    await expect(rows(page)).toHaveCount(1)
    await expect(page.getByRole('cell', { name: found })).toBeVisible()
  }
})

test(
  'numbers of four digits and more have commas in words, in tables and on the overview, in one line each',
  fullRunJourney,
  async ({ page, request }) => {
    const many = { orders: 123_456, cost: 12_345_678 }
    const figures = { placed: 123_456, paid: 65_513, takenCents: 9_999_999_999, refunded: 6513, refundedCents: 1_234_567_890 }
    const day = { from: '2026-11-22', to: '2026-11-22' }
    await page.route('**/api/overview/attention', (route) =>
      route.fulfill({
        json: {
          asOf: '2026-11-22T12:00:00.000Z',
          ...{ holdEndsToday: many, toBeLookedAt: many, cardDeclined: many, unpaid: many, checking: many, refundUnderWay: many },
          ...{ outOfStock: 6513, lowOnStock: 46_803, products: 46_967 },
        },
      }),
    )
    await page.route('**/api/overview/takings*', (route) =>
      route.fulfill({
        json: {
          asOf: '2026-11-22T12:00:00.000Z',
          ...day,
          total: figures,
          before: figures,
          steps: [{ ...day, ...figures }],
          everOrdered: true,
        },
      }),
    )
    await openOverview(page)
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await expect(work(page).getByText('6,513', { exact: true })).toBeVisible()
      await expect(takings(page).getByText('$99,999,999.99', { exact: true }).first()).toBeVisible()
      const broken = await page.locator('main li .figures').evaluateAll((shown) =>
        shown
          .filter((each) => {
            const text = document.createRange()
            text.selectNodeContents(each)
            const tall = each.getBoundingClientRect().height >= 1.8 * Number.parseFloat(getComputedStyle(each).fontSize)
            const lines = new Set([...text.getClientRects()].map(({ bottom }) => Math.round(bottom)))
            return tall || lines.size > 1 || each.scrollWidth > (each.parentElement?.clientWidth ?? 0)
          })
          .map((each) => each.textContent),
      )
      expect(broken, `${width} px wide`).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }

    const tools: { name: string; available_quantity: number }[] = await (await request.get('/api/tools')).json()
    const plenty = tools.find(({ available_quantity }) => available_quantity >= 1000)
    await page.goto(`/dashboard/manageproducts?${new URLSearchParams({ q: plenty?.name ?? '' })}`)
    const cell = page.getByRole('row').filter({ hasText: plenty?.name }).getByRole('cell').nth(4)
    await expect(cell).toHaveText(new RegExp(`^${plenty?.available_quantity}`)) // as it is copied
    const drawn = await cell
      .locator('.figures span')
      .first()
      .evaluate((group) => getComputedStyle(group, '::before').content)
    expect(drawn).toBe('","')
  },
)
