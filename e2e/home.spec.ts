import type { Locator, Page } from '@playwright/test'
import { isFullRun } from '../proof/full-run.ts'
import { adminCredentials, expect, registerByApi, signIn, test, waitForHydration } from './store.ts'

type Tool = {
  _id: string
  name: string
  img: string
  description: string
  price: number
  minimum_order_quantity: number
  available_quantity: number
}
type Review = { _id: string; name: string; img: string; about: string; rating: number }
const phone = { width: 360, height: 740 }
const listTools = async (address: string): Promise<Tool[]> => (await fetch(`${address}/api/tools`)).json()
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('the home page shows the first six tools under "Tools Available on Our Company Now" and leads to all of them, Hot Products lists those from index 10 up to 100, and all kinds of parts are links with their number, the first of them drawn', async ({
  page,
  store,
}) => {
  const tools = await listTools(store.address)
  await page.goto('/home')
  const available = section(page, 'Tools Available on Our Company Now')
  const cards = available.getByRole('article')
  await expect(cards).toHaveCount(6)
  for (const [place, tool] of tools.slice(0, 6).entries()) {
    const card = cards.nth(place)
    await expect(card).toContainText(tool.name)
    await expect(card.locator('img')).toHaveAttribute('src', tool.img)
    await expect(card).toContainText(tool.description)
    await expect(card).toContainText(`Price: $${tool.price}`)
    await expect(card).toContainText(`Available Quantity: ${tool.available_quantity}`)
    await expect(card).toContainText(`Minimum Order Quantity: ${tool.minimum_order_quantity}`)
    const smallest = (tool.minimum_order_quantity * tool.price).toLocaleString('en-US')
    await expect(card).toContainText(`minimum ${tool.minimum_order_quantity} = $${smallest}`)
    await expect(card.getByRole('link', { name: 'Buy Now' })).toHaveAttribute('href', `/purchase/${tool._id}`)
  }

  expect(tools.length).toBeGreaterThan(100)
  const names = await section(page, 'Hot Products').getByRole('listitem').getByRole('heading').allTextContents()
  expect(names).toEqual(tools.slice(10, 100).map(({ name }) => name))

  await available.getByRole('link', { name: 'All Tools Have on Stock' }).click()
  await page.waitForURL('**/allproducts')
  await page.goBack()

  const categories: { key: string; label: string; count: number; drawing: string }[] = await (
    await page.request.get('/api/categories')
  ).json()
  const kinds = page.getByRole('navigation', { name: 'What we have on the shelf' }).getByRole('listitem')
  await expect(kinds).toHaveText(categories.map(({ label, count }) => `${label}${count}`))
  const [first] = categories
  await expect(kinds.first().locator('img')).toHaveAttribute('src', `${first?.drawing}`)
  await expect(kinds.getByRole('presentation')).toHaveCount(12)
  await kinds.first().getByRole('link').click()
  await page.waitForURL(`**/allproducts?category=${first?.key}`)
  await expect(page.getByRole('heading', { level: 1, name: `${first?.label}` })).toBeVisible()
})

test('the sections follow one another: banner, tools, hot products, reviews, summary, brands, company; above them it says to a stranger what is sold, to whom and how small an order may be', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto('/')
  const main = page.getByRole('main')
  const title = main.getByRole('heading', { level: 1 })
  await expect(title).toHaveText('Computer parts and tools in quantities, for workshops and builders')
  await expect(title).toBeInViewport()
  await expect(main).toContainText(/[\d,]+ products, [\d,]+ of them in stock\. Orders start at \d+ pieces?/)

  await page.clock.pauseAt(Date.now() + 60_000) // figures that count up would stand still half way
  await expect(page.getByRole('main').locator('section').first()).toHaveAccessibleName('Offers')
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveCount(1)
  const headings = await page.getByRole('main').locator('section > h2, section > div > h2').allTextContents()
  const offers = ['What sells', 'Lowered prices', 'New'].filter((title) => headings.includes(title)) // those of which there is enough
  expect(headings).toEqual([
    ...offers,
    'Tools Available on Our Company Now',
    'Hot Products',
    'What customers say',
    'Our business in figures',
    'Brands on our shelves',
    'About Nucleus of PC',
  ])
  const summary = section(page, 'Our business in figures').getByRole('listitem')
  await summary.first().scrollIntoViewIfNeeded()
  await expect(summary).toHaveText([/102K\+\s*products sold/, /120\+\s*export countries/, /151\+\s*satisfied clients/])
  await expect(section(page, 'About Nucleus of PC')).toContainText('operated since 2017')
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText(`Nucleus of PC ${new Date().getFullYear()}`)
  await expect(footer).toContainText('Providing reliable tech since 2017')
  await expect(section(page, 'What customers say')).toContainText(/\d\.\d out of 5, from \d+ reviews/)
})

test('the reviews are those of GET /reviews, each with name, picture, words and rating: nine at first, the others at a press', async ({
  page,
  store,
}) => {
  const body = { name: 'Nobody', img: '/drawings/avatar.svg', rating: 4 }
  const more = Array.from({ length: 30 }, (_, nth) => ({ ...body, about: `Written to fill pages, number ${nth + 1}.` }))
  await store.sql(
    `insert into reviews (id, name, img, about, rating)
     select gen_random_uuid(), name, img, about, rating from json_to_recordset($1) as r(name text, img text, about text, rating float8)`,
    [JSON.stringify(more)],
  )
  const tell = () => store.sql(`select pg_notify('changes', 'journey reviews')`) // the page is kept until its reviews change
  await using written = new AsyncDisposableStack()
  written.defer(tell)
  written.defer(() => store.sql(`delete from reviews where name = 'Nobody'`))
  await tell()
  const newest: Review[] = await (await fetch(`${store.address}/api/reviews`)).json()
  const onHome: { reviews: Review[] } = await (await fetch(`${store.address}/api/reviews/shown?limit=100`)).json()
  const reviews = newest.filter(({ _id }) => onHome.reviews.some((shown) => shown._id === _id)) // those of other journeys' newcomers are not
  expect(reviews.length).toBeGreaterThan(30)
  const said = section(page, 'What customers say').getByRole('article')
  await expect(async () => {
    await page.goto('/')
    expect(await said.first().textContent()).toContain('Nobody')
  }).toPass()
  await waitForHydration(page)
  await expect(said).toHaveCount(9)
  for (const shown of [27, reviews.length]) {
    await section(page, 'What customers say').getByRole('button', { name: 'Show more reviews' }).click()
    await expect(said).toHaveCount(shown)
  }
  await expect(section(page, 'What customers say').getByRole('button', { name: 'Show more reviews' })).toHaveCount(0)
  for (const [place, { name, img, about, rating }] of reviews.entries()) {
    const review = said.nth(place)
    await expect(review.getByRole('heading')).toHaveText(name)
    await expect(review.locator('img')).toHaveAttribute('src', img)
    await expect(review).toContainText(about)
    await expect(review).toContainText(`${rating} out of 5`)
  }
})

test('the banner has five slides, each one link, and every one is reached by button', async ({ page }) => {
  await page.goto('/')
  const banner = section(page, 'Offers')
  const slides = banner.getByRole('group', { name: / of 5$/ })
  await expect(slides).toHaveCount(5)
  for (let place = 1; place <= 5; place++) {
    const slide = banner.getByRole('group', { name: `${place} of 5` })
    await expect(slide).toBeInViewport({ ratio: 0.9 })
    await expect(slide.getByRole('link')).toHaveCount(1)
    await expect(banner.getByText(`${place} of 5`)).toBeVisible()
    await banner.getByRole('button', { name: 'Next' }).click()
  }
  await expect(slides.first()).toBeInViewport({ ratio: 0.9 })
  await banner.getByRole('button', { name: 'Previous' }).click()
  await expect(slides.last()).toBeInViewport({ ratio: 0.9 })
  const product = await slides.last().getByRole('link').getAttribute('href')
  expect(product).toMatch(/^\/products\//)
  await slides.last().click({ position: { x: 20, y: 20 } }) // its whole slide is the link
  await page.waitForURL(`**${product}`)
})

test('the banner moves on by itself until it is stopped, and its Stop button comes first; who comes to it by keyboard or uses it stops it, too', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.clock.install()
  await page.goto('/')
  const banner = section(page, 'Offers')
  const slides = banner.getByRole('group', { name: / of 5$/ })
  const stop = banner.getByRole('button', { name: 'Stop moving' })
  await expect(stop).toBeVisible()
  expect(await banner.getByRole('button').or(banner.getByRole('link')).first().textContent()).toBe('Stop moving')
  await page.clock.runFor(8000)
  await expect(slides.nth(1)).toBeInViewport({ ratio: 0.9 })

  await stop.click()
  await expect(banner.getByRole('button', { name: 'Stopped' })).toBeFocused()
  await page.mouse.move(0, 0)
  await page.clock.runFor(30_000)
  await expect(slides.nth(1)).toBeInViewport({ ratio: 0.9 })

  await page.reload()
  await expect(stop).toBeVisible()
  await banner.getByRole('link').first().focus()
  await page.clock.runFor(30_000)
  await expect(slides.first()).toBeInViewport({ ratio: 0.9 })
  await page.getByRole('button', { name: 'Give a like' }).focus()
  await page.clock.runFor(30_000)
  await expect(banner.getByText('1 of 5')).toBeVisible()

  await page.reload()
  await expect(stop).toBeVisible()
  await slides.first().hover()
  await page.mouse.wheel(1, 0)
  await page.mouse.move(0, 0)
  await expect(stop).toHaveCount(0)
  await page.clock.runFor(30_000)
  await expect(banner.getByText('1 of 5')).toBeVisible()
})

test('a price above $999 is grouped to the eye by a comma, and plain to whoever copies it', async ({ page, store }) => {
  const tool = (await listTools(store.address)).find(({ price }) => price > 999)
  await page.goto(`/allproducts?q=${encodeURIComponent(tool?.name ?? '')}&look=cards`)
  const price = page
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name: tool?.name ?? '', exact: true }) })
    .getByText('Price: $')
  await expect(price).toHaveText(`Price: $${tool?.price}`)
  const lastThree = price.getByText(`${tool?.price}`.slice(-3), { exact: true })
  expect(await lastThree.evaluate((group) => getComputedStyle(group, '::before').content)).toBe('","')
})

test('nothing moves by itself with reduced motion, or on a phone', async ({ page }) => {
  await page.clock.install()
  for (const [where, size, reducedMotion] of [
    ['with reduced motion', { width: 1280, height: 900 }, 'reduce'],
    ['on a phone', phone, 'no-preference'],
  ] as const) {
    await page.emulateMedia({ reducedMotion })
    await page.setViewportSize(size)
    await page.goto('/')
    await page.getByRole('button', { name: 'Next, Offers' }).click()
    await expect(section(page, 'Offers').getByRole('group', { name: '2 of 5' }), where).toBeInViewport({ ratio: 0.9 })
    await expect(page.getByRole('button', { name: 'Stop moving' }), where).toHaveCount(0)
    await page.clock.runFor(30_000)
    await expect(section(page, 'Offers').getByRole('group', { name: '2 of 5' }), where).toBeInViewport({ ratio: 0.9 })
    const moving = await page.evaluate(
      () => document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY).length,
    )
    expect(moving, where).toBe(0)
  }
})

test('the brands can be leafed through, and none is told twice; Give a like says thanks in a toast and in place, and does nothing else', async ({
  page,
}) => {
  await page.goto('/')
  const brands = section(page, 'Brands')
  await brands.scrollIntoViewIfNeeded()
  const firstBrand = brands.getByRole('paragraph').first()
  const names = await brands.getByRole('paragraph').allTextContents()
  expect(new Set(names).size).toBe(names.length)
  const logos = await brands
    .locator('[style*=mask]')
    .evaluateAll((marks) => marks.map((mark) => mark.getAttribute('style')?.match(/\/brands\/\w+\.svg/)?.[0]))
  expect(logos.length).toBeGreaterThan(names.length / 2)
  for (const file of logos) expect((await page.request.get(file ?? '/missing')).status(), file).toBe(200)
  await expect(firstBrand).toBeInViewport()
  await brands.getByRole('button', { name: 'Next' }).click()
  await expect(firstBrand).not.toBeInViewport()
  await brands.getByRole('button', { name: 'Previous' }).click()
  await expect(firstBrand).toBeInViewport()

  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.getByRole('button', { name: 'Give a like' }).click()
  await expect(page.getByRole('dialog').getByText('Thank you for the like')).toBeVisible()
  await expect(section(page, 'About Nucleus of PC').getByRole('status')).toHaveText('Thank you. It is good to hear from you.')
  expect(asked.filter((call) => !call.startsWith('GET ') || call.includes(' /api/'))).toEqual([])
})

test('the grids of products have one, two and three columns', async ({ page }) => {
  for (const screen of ['/', '/allproducts']) {
    await page.goto(screen)
    const grid = page.getByRole('main').getByRole('list').filter({ hasText: 'Buy Now' }).first()
    await expect(grid.getByRole('article').first()).toBeVisible()
    for (const [columns, width] of [
      [1, 360],
      [2, 768],
      [3, 1280],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      const drawn = await grid.evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)
      expect(drawn, `${screen} at ${width} px`).toBe(columns)
    }
  }
})

test('from every page one press leads to the first categories, and to delivery, returns and contact', async ({ page }) => {
  for (const address of isFullRun ? ['/', '/blogs', '/login', '/no/such/page'] : ['/', '/no/such/page']) {
    await page.goto(address)
    const shop = page.getByRole('navigation', { name: 'Shop' })
    await expect(shop.getByRole('link').nth(1), address).toHaveAttribute('href', '/allproducts?category=video-card')
    const everything = page.getByRole('contentinfo').getByRole('navigation')
    for (const [words, chapter] of [
      ['Delivery', 'delivery'],
      ['Returns and refunds', 'returns'],
      ['Contact', 'contact'],
    ] as const)
      await expect(everything.getByRole('link', { name: words }), address).toHaveAttribute('href', `/help#${chapter}`)
  }
  await page.getByRole('contentinfo').getByRole('link', { name: 'Returns and refunds' }).click()
  await page.waitForURL('**/help#returns')
  await expect(page.getByRole('heading', { name: 'Returns and refunds' })).toBeInViewport()
  await expect(page.getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:/)
})

test('a press on its stars shows the reviews of a rating alone: a low one is found as easily as a high one, and an invented one carries "Example"', async ({
  page,
}) => {
  await page.goto('/')
  await waitForHydration(page)
  const reviews = section(page, 'What customers say')
  const cards = reviews.getByRole('article')
  const { reviews: known }: { reviews: { about: string; example: boolean }[] } = await (await page.request.get('/api/reviews/shown')).json()
  expect(known.filter(({ example }) => example).length).toBeGreaterThan(0)
  await expect(cards).toHaveCount(known.length)
  for (const [place, { about, example }] of known.entries()) {
    await expect(cards.nth(place)).toContainText(about)
    await expect(cards.nth(place).getByText('Example', { exact: true })).toHaveCount(example ? 1 : 0)
  }

  const first = await cards.count()
  const [, all = ''] = /from (\d+) reviews/.exec(await reviews.innerText()) ?? []
  await expect(reviews.getByRole('button', { name: /^1 star / })).toBeDisabled() // nobody gave it
  for (const stars of ['3 stars', '5 stars']) {
    const bar = reviews.getByRole('button', { name: stars })
    const given = Number((await bar.innerText()).split(/\s+/).at(-1))
    await bar.hover() // nobody presses in the moment in which the cards above come into view and are laid out
    await bar.click()
    await expect(bar).toHaveAttribute('aria-pressed', 'true')
    await expect(reviews.getByRole('article')).toHaveCount(given)
    await expect(reviews.getByRole('status')).toContainText(`${given} of ${all} reviews, with ${stars}`)
  }
  await reviews.getByRole('button', { name: 'Show all' }).click()
  await expect(reviews.getByRole('article')).toHaveCount(first)

  await page.route('**/api/reviews/shown*', (route) => route.abort())
  await reviews.getByRole('button', { name: '5 stars' }).click()
  await expect(reviews.getByRole('alert')).toContainText('The reviews could not be fetched. Check your connection and try again.')
  await expect(reviews.getByRole('article')).toHaveCount(first)
})

test('the bar names the screens in their order, and the badge says No user logged in, then the display name', async ({ page, buyer }) => {
  await page.goto('/')
  const bar = page.getByRole('navigation', { name: 'Main' })
  const entries = bar.getByRole('listitem').filter({ visible: true })
  await expect(entries).toHaveText(['Home', 'Blogs', 'Login', 'My Portfolio'])
  await expect(bar).toContainText('No user logged in')
  for (const [name, address] of [
    ['Nucleus of PC', '/'],
    ['Home', '/'],
    ['Blogs', '/blogs'],
    ['Login', '/login'],
    ['My Portfolio', '/myportfolio'],
  ] as const)
    await expect(bar.getByRole('link', { name, exact: true })).toHaveAttribute('href', address)
  await expect(page.getByRole('navigation', { name: 'Shop' }).getByRole('link', { name: 'All tools' })).toHaveAttribute(
    'href',
    '/allproducts',
  )

  await registerByApi(page, buyer)
  await page.goto('/')
  await expect(bar).toContainText(buyer.name)
  await expect(entries).toHaveText(['Home', 'Blogs', 'Dashboard', 'Logout', 'My Portfolio'])
  await expect(bar.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard')
  const last = await entries.last().boundingBox()
  const badge = await bar.getByText(buyer.name).boundingBox()
  expect(badge?.x).toBeGreaterThanOrEqual((last?.x ?? 0) + (last?.width ?? Number.NaN))
})

test('the dashboard welcomes, and its menu offers customers and admins what is theirs, 1280 and 360 px wide; an admin who opens the review form stays signed in', async ({
  page,
  buyer,
}) => {
  const menu = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('listitem').filter({ visible: true })
  const addresses = () => menu.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  const expectMenu = async (wanted: Record<string, string>) => {
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 })
      if (width < 1024) await page.getByRole('button', { name: 'Dashboard menu' }).click()
      await expect(menu).toHaveText(Object.keys(wanted))
      expect(await addresses()).toEqual(Object.values(wanted))
    }
  }
  await page.setViewportSize({ width: 1800, height: 900 })
  await registerByApi(page, buyer)
  await page.goto('/')
  const right = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().right)
  const edgeOfShop = await right(page.getByRole('navigation', { name: 'Main' }))
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Welcome to Dashboard' })).toBeVisible()
  expect(await right(page.getByRole('navigation', { name: 'Main' }))).toBe(edgeOfShop)
  expect(await right(page.getByRole('main'))).toBeLessThanOrEqual(edgeOfShop)
  await expectMenu({
    ...{ 'My Profile': '/dashboard', 'Add A Review': '/dashboard/addreview', 'My Orders': '/dashboard/myorder' },
    'My Company': '/company',
  })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByText('No user logged in')).toBeVisible()

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/login?from=/dashboard')
  await signIn(page, adminCredentials)
  await expectMenu({
    Overview: '/dashboard/overview',
    'My Profile': '/dashboard',
    'All Users': '/dashboard/allusers',
    'Manage Products': '/dashboard/manageproducts',
    'Manage All Orders': '/dashboard/manageallorders',
    'To Send': '/dashboard/tosend',
    Returns: '/dashboard/returns',
    Reviews: '/dashboard/reviews',
    'Add Tool': '/dashboard/addatool',
    Prices: '/dashboard/prices',
    Tax: '/dashboard/tax',
    Delivery: '/dashboard/delivery',
    Receivables: '/dashboard/receivables',
    Seller: '/dashboard/seller',
    Bank: '/dashboard/bank',
    Import: '/dashboard/import',
  })
  await page.goto('/dashboard/addreview')
  await expect(page.getByRole('heading', { name: 'Reviews are for customers' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toMatch(/^\w{20,}$/)
})

test('on a small screen the second toggle opens the dashboard menu, Esc closes it, and never are both menus open', async ({
  page,
  buyer,
}) => {
  await registerByApi(page, buyer)
  await page.setViewportSize(phone)
  await page.goto('/dashboard')
  const first = page.getByRole('button', { name: 'Menu', exact: true })
  const second = page.getByRole('button', { name: 'Dashboard menu' })
  const sidebar = page.getByRole('navigation', { name: 'Dashboard' })
  const blogs = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blogs' })
  await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible()
  await expect(sidebar).toBeHidden()

  await second.click()
  await expect(second).toHaveAttribute('aria-expanded', 'true')
  await expect(sidebar.getByRole('link', { name: 'My Orders' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(sidebar.getByRole('link', { name: 'My Profile' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(sidebar).toBeHidden()
  await expect(second).toBeFocused()
  await expect(second).toHaveAttribute('aria-expanded', 'false')

  await first.click()
  await expect(blogs).toBeVisible()
  await second.press('Enter')
  await expect(sidebar).toBeVisible()
  await expect(blogs).toBeHidden()
  await expect(first).toHaveAttribute('aria-expanded', 'false')

  await sidebar.getByRole('link', { name: 'My Orders' }).click()
  await page.waitForURL('**/dashboard/myorder')
  await expect(sidebar).toBeHidden()
  await second.click()
  await expect(sidebar).toBeVisible()
  await page.goBack()
  await expect(sidebar).toBeHidden()

  await second.click()
  await page.setViewportSize({ width: 1280, height: 900 })
  await expect(second).toBeHidden()
  await expect(sidebar).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, viewport: phone })

  test('the menu opens all the same, and the banner is a row to scroll', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blogs' }).click()
    await page.waitForURL('**/blogs')

    await page.goto('/')
    const first = page.getByRole('group', { name: '1 of 5' })
    await expect(page.getByRole('main')).toContainText('Computer parts and tools in quantities')
    await expect(page.getByRole('main')).toContainText(/\d+ products, \d+ of them in stock/)
    await expect(first.getByRole('link')).toHaveAttribute('href', /^\/products\//)
    for (const claim of ['102K+', '120+', '151+']) await expect(page.getByRole('main').getByText(claim, { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Next, Offers' })).toBeHidden()
    await page.getByRole('group', { name: '5 of 5' }).getByRole('link').scrollIntoViewIfNeeded()
    await expect(page.getByRole('group', { name: '5 of 5' })).toBeInViewport({ ratio: 0.9 })
  })
})

test('in the header nothing covers anything else, for a customer on a tablet either', async ({ page, buyer }) => {
  await registerByApi(page, buyer)
  await page.goto('/blogs')
  for (const width of [768, 1024]) {
    await page.setViewportSize({ width, height: 800 })
    const bar = page.getByRole('navigation', { name: 'Main' })
    await expect(bar.getByRole('button', { name: 'Logout' })).toBeVisible()
    const covering = await bar.evaluate((nav) => {
      const parts = [...nav.querySelectorAll('a, button, p')].filter((part) => part.checkVisibility())
      // a text may be wider than the element that is laid out for it
      const boxes = parts.map((part) => {
        const range = document.createRange()
        range.selectNodeContents(part)
        return { text: part.textContent, ...range.getBoundingClientRect().toJSON() } as DOMRect & { text: string }
      })
      return boxes.flatMap((one, nth) =>
        boxes.slice(nth + 1).flatMap((other) => (one.right > other.left && other.right > one.left ? `${one.text} and ${other.text}` : [])),
      )
    })
    expect(covering, `${width} px wide`).toEqual([])
  }
})
