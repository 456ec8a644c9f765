import type { Page } from '@playwright/test'
import { fullRunJourney, isFullRun } from '../proof/full-run.ts'
import { expect, test, waitForHydration } from './store.ts'

type Part = { _id: string; name: string; price: number; brand: string | null; specs: Record<string, unknown> }
type Found = { total: number; tools: Part[] }

const phone = { width: 360, height: 740 }
const results = (page: Page) => page.locator('#products').getByRole('heading')
const counted = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /products?$/ })
const searchBox = (page: Page) => page.getByLabel('Search all tools').filter({ visible: true })
const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' })
const compareLink = (page: Page, words: string | RegExp) => page.getByRole('link', { name: words })

/** What the call finds, in its order: the screen shows the same. */
async function found(page: Page, question: string): Promise<Found> {
  return (await page.request.get(`/api/search?limit=24&${question}`)).json()
}

/** From now on no script of the store comes until the function that is returned is called. */
async function holdScript(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await promise
    await route.continue().catch(() => {}) // of a page that was left meanwhile
  })
  return resolve
}

async function expectFound(page: Page, question: string) {
  const { total, tools } = await found(page, question)
  expect(tools.length, question).toBeGreaterThan(0)
  await expect(results(page)).toHaveText(tools.map(({ name }) => name))
  await expect(counted(page)).toContainText(`of ${total} product`)
}

test('a search is made from any page, its words stay in the box, and its address shows the same to others', async ({
  page,
  browser,
  store,
}) => {
  for (const screen of isFullRun ? ['/', '/blogs', '/login', '/no-such-page'] : ['/', '/no-such-page']) {
    await page.goto(screen)
    await searchBox(page).fill('ddr5 crucial')
    await searchBox(page).press('Enter')
    await page.waitForURL('**/allproducts?q=ddr5+crucial')
    await expect(searchBox(page)).toHaveValue('ddr5 crucial')
    await expectFound(page, 'q=ddr5+crucial')
  }
  await page.goto('/allproducts?category=memory&spec.capacity_gb.min=32&sort=-price&in_stock=yes')
  await expectFound(page, 'category=memory&spec.capacity_gb.min=32&sort=-price&in_stock=yes')
  const names = await results(page).allTextContents()
  const somebodyElse = await browser.newPage({ baseURL: store.address })
  await somebodyElse.goto(page.url())
  await expect(results(somebodyElse)).toHaveText(names)
  await somebodyElse.close()
})

test('a category shows its own attributes, each choice says how much it leaves, and choosing it shows so much; Back takes a filter away, and Forward brings it again', async ({
  page,
}) => {
  await page.goto('/allproducts')
  await page
    .getByRole('navigation', { name: 'Categories' })
    .getByRole('link', { name: /^Memory/ })
    .click()
  await page.waitForURL('**/allproducts?category=memory')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Memory')
  await expect(page).toHaveTitle(/^Memory: \d+ products \| Nucleus of PC$/)
  await expect(page.getByRole('navigation', { name: 'Where you are' })).toContainText('All tools')
  await waitForHydration(page) // a choice made before it is sent with the form, and the new page has no focus yet
  const choice = page.getByRole('group', { name: 'Memory type' }).getByRole('checkbox', { name: /DDR5/ })
  const left = await choice.locator('..').locator('span').last().textContent()
  await choice.check()
  await expect(counted(page)).toContainText(`of ${left} products`)
  await expect(choice).toBeFocused()
  await expectFound(page, 'category=memory&spec.memory_type=DDR5')
  await choice.uncheck()
  await page.waitForURL('**/allproducts?category=memory')

  const { tools } = await found(page, 'category=memory')
  const all = tools.map(({ name }) => name)
  await expect(results(page)).toHaveText(all)
  const inStock = page.getByRole('checkbox', { name: /^In stock/ })
  const ddr4 = page.getByRole('group', { name: 'Memory type' }).getByRole('checkbox', { name: /DDR4/ })
  await ddr4.check()
  await page.waitForURL(/memory_type=DDR4/)
  await inStock.check()
  await page.waitForURL(/in_stock=yes/)
  await page.goBack()
  await expect(inStock).not.toBeChecked()
  await expect(ddr4).toBeChecked()
  await page.goBack()
  await expect(ddr4).not.toBeChecked()
  await expect(results(page)).toHaveText(all)
  await page.goForward()
  await expect(ddr4).toBeChecked()
  await expectFound(page, 'category=memory&spec.memory_type=DDR4')
})

test('amounts apply when their field is left, and several choices of one filter are "or"', fullRunJourney, async ({ page }) => {
  await page.goto('/allproducts?category=memory')
  await waitForHydration(page)
  await page.getByRole('textbox', { name: 'Price to $' }).fill('$1,079.50')
  await page.getByRole('textbox', { name: 'Price to $' }).press('Tab')
  await page.waitForURL(/price\.max=1079\.5$/)
  await expect(page.getByRole('link', { name: 'Remove filter Price: $1,079.50 or less' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Price to $' }).fill('$80')
  await page.getByRole('textbox', { name: 'Price to $' }).press('Tab')
  await page.waitForURL(/price\.max=80$/)
  await expectFound(page, 'category=memory&price.max=80')
  await page.getByRole('textbox', { name: 'I need' }).fill('5')
  await page.getByRole('textbox', { name: 'I need' }).press('Enter')
  await page.waitForURL(/pieces=5/)
  await page.getByRole('textbox', { name: 'I need' }).fill('abc')
  await page.getByRole('textbox', { name: 'I need' }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'I need' })).toHaveAccessibleDescription('Type a whole number of pieces, such as 25')
  await page.getByRole('textbox', { name: 'Price from $' }).fill('90')
  await page.getByRole('textbox', { name: 'Price from $' }).press('Tab')
  await expect(page.getByRole('textbox', { name: 'Price to $' })).toHaveAccessibleDescription(
    'The lowest price is above the highest: swap them',
  )
  await page.getByRole('textbox', { name: 'Price from $' }).fill('')
  await page
    .getByRole('group', { name: 'Brand' })
    .getByRole('checkbox', { name: /Crucial/ })
    .check()
  await page.waitForURL(/brand=Crucial/)
  await page
    .getByRole('group', { name: 'Brand' })
    .getByRole('checkbox', { name: /Samsung/ })
    .check()
  await page.waitForURL(/brand=Samsung/)
  await expectFound(page, 'category=memory&price.max=80&pieces=5&brand=Crucial&brand=Samsung')
  await expect(page.getByRole('textbox', { name: 'I need' })).toHaveValue('abc')
  await page.getByRole('textbox', { name: 'I need' }).fill('5')
  await page.getByRole('textbox', { name: 'Capacity from' }).fill('16')
  await page.getByRole('textbox', { name: 'Capacity from' }).press('Tab')
  await page.waitForURL(/spec\.capacity_gb\.min=16/)
  await expectFound(page, new URL(page.url()).search.slice(1))
})

test(
  'each filter that is set stands above the list and is taken away there, alone or with all others',
  fullRunJourney,
  async ({ page }) => {
    await page.goto('/allproducts?category=memory&spec.memory_type=DDR5&brand=Crucial&price.max=80')
    const chips = page.getByRole('list', { name: 'Filters that are set' })
    await expect(chips.getByRole('listitem')).toHaveText([
      'Remove filter Brand: Crucial',
      'Remove filter Price: $80 or less',
      'Remove filter Memory type: DDR5',
      'Clear all',
    ])
    await chips.getByRole('link', { name: 'Remove filter Brand: Crucial' }).click()
    await page.waitForURL((url) => !url.search.includes('brand'))
    await expectFound(page, 'category=memory&spec.memory_type=DDR5&price.max=80')
    await expect(page.getByRole('group', { name: 'Brand' }).getByRole('checkbox', { name: /Crucial/ })).not.toBeChecked()
    await chips.getByRole('link', { name: 'Clear all' }).click()
    await page.waitForURL('**/allproducts?category=memory')
    await expect(chips).toHaveCount(0)
  },
)

test('pages have addresses of their own, that say where one is, and a page beyond the last is the last', async ({ page }) => {
  const { total, tools } = await found(page, 'cursor=24')
  const pages = Math.ceil(total / 24)
  await page.goto('/allproducts')
  await expect(counted(page)).toHaveText(`1-24 of ${total} products`)
  const next = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Next page' })
  await next.hover() // nobody presses in the moment in which the cards above come into view and are laid out
  await next.click()
  await page.waitForURL('**/allproducts?page=2')
  await expect(counted(page)).toHaveText(`25-48 of ${total} products`)
  await expect(results(page)).toHaveText(tools.map(({ name }) => name))
  await expect(results(page).first()).toBeInViewport()
  const canonical = page.locator('link[rel=canonical]')
  await page.reload()
  await expect(canonical).toHaveAttribute('href', /\/allproducts\?page=2$/)
  await expect(page.locator('meta[name=robots]')).toHaveCount(0)

  await page.goto('/allproducts?page=999')
  await expect(page.getByText(`There is no page 999: this is the last, page ${pages}.`)).toBeVisible()
  await expect(page.getByRole('link', { name: `Page ${pages}`, exact: true })).toHaveAttribute('aria-current', 'page')

  await page.goto('/allproducts?page=1&category=memory')
  await expect(canonical).toHaveAttribute('href', /\/allproducts\?category=memory$/)
  await page.goto('/allproducts?q=ddr5') // a search engine is led to the list, not shut out
  await expect(canonical).toHaveAttribute('href', /\/allproducts$/)
  await expect(page.locator('meta[name=robots]')).toHaveCount(0)
  await page.goto('/allproducts?category=memory&in_stock=yes')
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex,follow')
})

test('a list of one kind shows eight rows and more at once, each with its part, what decides, price, stock and a quantity to add', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const categories: { key: string; label: string; count: number }[] = await (await page.request.get('/api/categories')).json()
  const largest = categories.reduce((one, other) => (other.count > one.count ? other : one))
  await page.goto(`/allproducts?category=${largest.key}`)
  await expect(page.getByRole('complementary', { name: 'Test mode' })).toBeVisible()
  const rows = page.getByRole('table', { name: largest.label }).locator('tbody').getByRole('row')
  const bottoms = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom))
  expect(bottoms.filter((bottom) => bottom <= 900).length).toBeGreaterThanOrEqual(8)
  await waitForHydration(page)
  const { tools } = await found(page, `category=${largest.key}`)
  const row = rows.filter({ has: page.getByRole('button', { name: /^Add / }) }).first()
  const name = (await row.getByRole('heading').textContent()) ?? ''
  expect(tools.map((tool) => tool.name)).toContain(name)
  await expect(row.locator('img')).toBeVisible()
  const quantity = row.getByRole('textbox', { name: `Quantity, ${name}` })
  await expect(quantity).toHaveAttribute('maxlength', '9')
  await quantity.fill('x')
  await row.getByRole('button', { name: /^Add / }).click()
  await expect(page.getByText('Enter a whole number of pieces')).toBeVisible()
  const minimum = Number((await row.getByRole('cell').nth(-4).textContent())?.match(/\d+/)?.[0])
  await row.getByRole('textbox').fill(`${minimum}`)
  await row.getByRole('button', { name: `Add ${minimum} to the basket` }).click()
  await expect(page.getByText(`${minimum} x ${name} in your basket`)).toBeVisible()
  for (const asked of [`category=${largest.key}&pieces=300`, `category=${largest.key}&q=300 pieces`]) {
    await page.goto(`/allproducts?${asked}`)
    await expect(rows.first().getByRole('textbox')).toHaveValue('300')
    await expect(rows.first()).toContainText(/300\s*=\s*\$/)
  }
  await page.goto(`/allproducts?category=${largest.key}&q=300 pieces&look=cards`)
  const card = page.getByRole('article').first()
  await expect(card).toContainText(/300\s*=\s*\$/)
  await card.getByRole('button', { name: 'Add 300 to the basket' }).click()
  await expect(page.getByText(/^300 x .* in your basket/)).toBeVisible()
})

test('a look that was chosen is kept for other lists, and one in the URL counts more', async ({ page }) => {
  const table = page.getByRole('main').getByRole('table')
  const looks = page.getByRole('list', { name: 'Look' })
  await page.goto('/allproducts?category=memory')
  await waitForHydration(page)
  await expect(looks.getByRole('link', { name: 'Table' })).toHaveAttribute('aria-current', 'true')
  await looks.getByRole('link', { name: 'Cards' }).click()
  await page.waitForURL(/look=cards/)
  await expect(table).toBeHidden()
  await page.goto('/allproducts?category=storage')
  await waitForHydration(page)
  await expect(looks.getByRole('link', { name: 'Cards' })).toHaveAttribute('aria-current', 'true')
  await expect(table).toBeHidden()
  await page.goto('/allproducts?category=memory&look=table')
  await expect(table).toBeVisible()
})

test('what was found is sorted by any number of the category, and stands in cards or in a table, which sorts by its heads', async ({
  page,
}) => {
  await page.goto('/allproducts?category=memory')
  await waitForHydration(page)
  await page.getByLabel('Sort by').selectOption({ label: 'Capacity, highest first' })
  await page.waitForURL(/sort=-spec\.capacity_gb/)
  await expectFound(page, 'category=memory&sort=-spec.capacity_gb')

  await page.goto('/allproducts?category=memory&look=cards')
  await page.getByRole('list', { name: 'Look' }).getByRole('link', { name: 'Table' }).click()
  await page.waitForURL(/look=table/)
  const table = page.getByRole('table', { name: 'Memory' })
  const { tools } = await found(page, 'category=memory')
  await expect(table.getByRole('rowheader')).toHaveCount(tools.length)
  const row = table.getByRole('row', { name: tools[0]?.name ?? '' })
  await expect(row).toContainText(`$${tools[0]?.price}`)
  await expect(row.getByRole('link', { name: 'Buy Now' })).toHaveAttribute('href', `/purchase/${tools[0]?._id}`)
  await table.getByRole('columnheader', { name: 'Price', exact: true }).getByRole('link').click()
  await page.waitForURL(/sort=price/)
  await expect(table.getByRole('columnheader', { name: 'Price', exact: true })).toHaveAttribute('aria-sort', 'ascending')
  const cheapest = (await found(page, 'category=memory&sort=price')).tools[0]
  await expect(table.getByRole('rowheader').first()).toContainText(cheapest?.name ?? '')
  await page.setViewportSize(phone)
  await expect(row.getByRole('link', { name: 'Buy Now' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

test('cards give way to a table smoothly, and at once for those who want less motion', async ({ page }) => {
  const movingOnTheWay = async () => {
    const moved = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const start = document.startViewTransition.bind(document)
          document.startViewTransition = (change) => {
            const underway = start(change)
            underway.ready.then(() =>
              resolve(
                document
                  .getAnimations()
                  .filter(({ effect }) => effect instanceof KeyframeEffect && effect.pseudoElement?.startsWith('::view-transition')).length,
              ),
            )
            return underway
          }
        }),
    )
    await page.getByRole('list', { name: 'Look' }).getByRole('link').and(page.locator(':not([aria-current])')).click()
    return moved
  }
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/allproducts?category=memory&look=cards')
  await waitForHydration(page)
  expect(await movingOnTheWay()).toBeGreaterThan(0)
  await expect(page.getByRole('main').getByRole('table')).toBeVisible()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await movingOnTheWay()).toBe(0)
  await expect(page.getByRole('main').getByRole('table')).toBeHidden()
})

test('who finds nothing is told what to take away, and how much there is then', async ({ page }) => {
  await page.goto('/allproducts?category=memory&q=ddr5&brand=Nobody&price.max=80')
  await expect(page.getByRole('heading', { name: '0 results for "ddr5" with these filters' })).toBeVisible()
  const { total } = await found(page, 'category=memory&q=ddr5&price.max=80')
  const way = page
    .getByRole('region', { name: /^0 results/ })
    .getByRole('listitem')
    .filter({ hasText: 'without Brand: Nobody' })
  await expect(way).toContainText(`${total} product`)
  await way.getByRole('link').click()
  await expectFound(page, 'category=memory&q=ddr5&price.max=80')

  await page.goto('/allproducts?q=zzzzqqq')
  await expect(page.getByText('Fewer words find more')).toBeVisible()
  await expect(searchBox(page)).toHaveValue('zzzzqqq')
  await page.getByRole('link', { name: 'All tools and categories' }).click()
  await page.waitForURL('**/allproducts')
})

test('what nobody can mean is told in words, and the filters stay to be mended', fullRunJourney, async ({ page }) => {
  await page.goto('/allproducts?price.max=cheap')
  await expect(page.getByRole('alert')).toContainText('"cheap" is no amount: write figures, such as 250.')
  await expect(page.getByRole('textbox', { name: 'Price to $' })).toHaveValue('cheap')
  await expect(page.getByRole('textbox', { name: 'Price to $' })).toHaveAccessibleDescription('Type prices in figures, such as 250')
  await page.goto('/allproducts?category=memory&pieces=some')
  await expect(page.getByRole('group', { name: 'Memory type' }).getByRole('checkbox').first()).toBeVisible()
  await page.goto('/allproducts?sort=luck')
  await expect(page.getByRole('alert')).toContainText('Products cannot be sorted by that')
  await page.goto(`/allproducts?q=${'x'.repeat(201)}`)
  await expect(page.getByText('What is said for q has more than 200 characters: shorten it')).toBeVisible()
  await page.getByRole('link', { name: 'The page without filters' }).click()
  await expect(page.getByRole('heading', { name: 'All tools' })).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a part number finds its part first, however it is written', async ({ page }) => {
    for (const written of ['CMK16GX4M2B3200C16', 'cmk 16gx4-m2b 3200c16', 'f56000j3238']) {
      await page.goto(`/allproducts?q=${encodeURIComponent(written)}`)
      await expect(results(page).first()).toContainText(/Corsair Vengeance|G\.SKILL Trident/)
    }
  })

  test('filters and pages are a form and links', async ({ page }) => {
    await page.goto('/')
    await searchBox(page).fill('ddr5')
    await searchBox(page).press('Enter')
    await expect(results(page).first()).toBeVisible()
    await page
      .getByRole('group', { name: 'Brand' })
      .getByRole('checkbox', { name: /Crucial/ })
      .check()
    await page.getByRole('button', { name: 'Show products' }).click()
    await expectFound(page, 'q=ddr5&category=memory&brand=Crucial')
    await page.getByLabel('Sort by').selectOption('-price')
    await page.getByRole('button', { name: 'Sort' }).click()
    await expectFound(page, 'q=ddr5&category=memory&brand=Crucial&sort=-price')
    await page.getByRole('link', { name: 'Remove filter Brand: Crucial' }).click()
    await expectFound(page, 'q=ddr5&category=memory&sort=-price')

    await page.goto('/allproducts')
    await page.getByRole('link', { name: 'Next page' }).click()
    await expectFound(page, 'cursor=24')

    const { tools } = await found(page, 'category=memory')
    await page.goto(`/compare?id=${tools[0]?._id}&id=${tools[1]?._id}`)
    await expect(page.getByRole('columnheader')).toHaveText([new RegExp(tools[0]?.name ?? ''), new RegExp(tools[1]?.name ?? '')])
  })
})

test('on a phone the filters are a sheet that says how much it shows', fullRunJourney, async ({ page }) => {
  await page.setViewportSize(phone)
  await page.goto('/allproducts?category=memory&brand=Crucial')
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Filters (1)' }).click()
  await page.getByRole('group', { name: 'Memory type' }).getByRole('checkbox', { name: /DDR5/ }).check()
  const { total } = await found(page, 'category=memory&brand=Crucial&spec.memory_type=DDR5')
  await page.getByRole('button', { name: `Show ${total} products` }).click()
  await expect(page.getByRole('button', { name: 'Filters (2)' })).toBeVisible()
  await expect(page.getByRole('group', { name: 'Memory type' })).toBeHidden()
  await expectFound(page, 'category=memory&brand=Crucial&spec.memory_type=DDR5')
})

test('suggestions open while typing and are chosen by keyboard, and a late answer never takes the place of a newer one', async ({
  page,
}) => {
  await page.goto('/')
  await waitForHydration(page)
  let answerLate = () => {}
  await page.route('**/api/suggestions?q=ryz', async (route) => {
    await new Promise<void>((answer) => {
      answerLate = answer
    })
    await route.continue().catch(() => {}) // nobody waits for it any more
  })
  const first = page.waitForRequest('**/api/suggestions?q=ryz')
  await searchBox(page).fill('ryz')
  await first
  await searchBox(page).fill('ddr5')
  const last = suggestions(page).getByRole('option').last()
  await expect(last).toHaveText('All results for "ddr5"')
  answerLate()
  await page.evaluate(() => fetch('/api/suggestions?q=ddr5')) // the late one has come meanwhile
  await expect(last).toHaveText('All results for "ddr5"')
  await page.keyboard.press('Escape')
  await searchBox(page).fill('')
  await searchBox(page).blur()

  await page.keyboard.press('/')
  await expect(searchBox(page)).toBeFocused()
  await page.keyboard.type('d')
  await expect(searchBox(page)).toHaveRole('combobox')
  await page.keyboard.type('dr5 cruc')
  const options = suggestions(page).getByRole('option')
  await expect(options.filter({ hasText: 'Memory, Memory type: DDR5, "cruc"' })).toBeVisible()
  await expect(options.last()).toHaveText('All results for "ddr5 cruc"')
  await expect(searchBox(page)).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  await expect(suggestions(page)).toBeHidden()
  await expect(searchBox(page)).toHaveValue('ddr5 cruc')

  await page.keyboard.type('ial')
  await expect(options.last()).toHaveText('All results for "ddr5 crucial"')
  await page.keyboard.press('ArrowUp')
  await expect(options.last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(suggestions(page).getByRole('option', { selected: true })).toHaveCount(0)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const chosen = suggestions(page).getByRole('option', { selected: true })
  expect(await searchBox(page).getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
  const { tools } = await found(page, 'q=ddr5+crucial')
  await expect(chosen).toContainText(tools[0]?.name ?? 'nothing')
  await expect(chosen).toContainText(`$${tools[0]?.price}`)
  await expect(searchBox(page)).toHaveValue('ddr5 crucial')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/products/${tools[0]?._id}`)
})

test('suggestions are chosen by mouse, a single letter opens none, and a call that fails is silent', fullRunJourney, async ({ page }) => {
  await page.goto('/blogs')
  await waitForHydration(page)
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/api/suggestions') && asked.push(request.url()))
  await searchBox(page).fill('m')
  await searchBox(page).pressSequentially('emory')
  await suggestions(page)
    .getByRole('option')
    .filter({ hasText: /^Memory/ })
    .first()
    .click()
  await page.waitForURL(/category=memory/)
  await expect(suggestions(page)).toBeHidden()
  expect(asked.some((url) => url.endsWith('q=m'))).toBe(false)

  await page.route('**/api/suggestions?*', (route) => route.fulfill({ status: 503, json: { message: 'Not now' } }))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Memory')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused() // a new page takes the focus once
  const refused = page.waitForResponse('**/api/suggestions?*')
  await searchBox(page).fill('ryzen')
  await refused
  await expect(suggestions(page)).toBeHidden()
  await searchBox(page).press('Enter')
  await expectFound(page, 'q=ryzen')
})

test('what is typed into the box before its script has come stays there, and is suggested for; a button that is pressed before is answered when it has', async ({
  page,
}) => {
  const letScriptCome = await holdScript(page)
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Next, Offers' }).click()
  await searchBox(page).fill('ryzen')
  letScriptCome()
  await expect(suggestions(page).getByRole('option').last()).toHaveText('All results for "ryzen"')
  await expect(searchBox(page)).toHaveValue('ryzen')
  await page.keyboard.press('Escape')
  const offers = page.getByRole('region', { name: 'Offers' })
  await expect(offers.getByRole('group', { name: '2 of 5' })).toBeInViewport({ ratio: 0.9 })
  await offers.getByRole('button', { name: 'Next' }).click()
  await expect(offers.getByRole('group', { name: '3 of 5' })).toBeInViewport({ ratio: 0.9 })
})

test('a choice that is made before the script of the page has come is no choice lost', async ({ page }) => {
  const letScriptCome = await holdScript(page)
  await page.goto('/allproducts?category=memory', { waitUntil: 'commit' })
  await page.getByLabel('Sort by').selectOption('-price')
  await page.waitForURL(/sort=-price/, { waitUntil: 'commit' })
  await page.getByRole('group', { name: 'Memory type' }).getByRole('checkbox', { name: /DDR5/ }).click()
  await page.waitForURL(/memory_type=DDR5/, { waitUntil: 'commit' })
  letScriptCome()
  await waitForHydration(page)
  await expectFound(page, 'category=memory&sort=-price&spec.memory_type=DDR5')
  await expect(page.getByLabel('Sort by')).toHaveValue('-price')
})

test('a quantity that is typed before the script of the page has come counts when it has', fullRunJourney, async ({ page }) => {
  const found = await (await page.request.get('/api/search?category=memory&in_stock=yes&limit=1')).json()
  const [{ _id, minimum_order_quantity: least, price }] = found.tools
  const letScriptCome = await holdScript(page)
  await page.goto(`/products/${_id}`, { waitUntil: 'commit' })
  await page.getByLabel('Quantity').fill(`${least + 2}`)
  letScriptCome()
  await waitForHydration(page)
  await expect(page.getByLabel('Quantity')).toHaveValue(`${least + 2}`)
  await expect(page.getByRole('main')).toContainText(`${least + 2} x $${price} = $${((least + 2) * price).toLocaleString('en-US')}`)
})

test(
  'a part that is ticked before the script of the page has come is compared, one that was ticked before stays so',
  fullRunJourney,
  async ({ page }) => {
    await page.goto('/allproducts?category=memory')
    await waitForHydration(page)
    const boxes = page.getByRole('checkbox', { name: /^Compare, / })
    await boxes.first().check()
    const letScriptCome = await holdScript(page)
    await page.goto('/allproducts?category=memory', { waitUntil: 'commit' })
    await boxes.first().check() // not yet known to the page
    await boxes.nth(1).check()
    letScriptCome()
    await expect(compareLink(page, 'Compare 2 parts')).toBeVisible()
    for (const place of [0, 1]) await expect(boxes.nth(place)).toBeChecked()
    await boxes.first().uncheck()
    await expect(compareLink(page, 'Compare 2 parts')).toBeHidden()
  },
)

test('Back from a product returns to the same filters, page and place, and a stranger with the address sees the same list', async ({
  page,
  browser,
  store,
}) => {
  await page.goto('/allproducts?in_stock=yes&sort=price')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page.getByRole('link', { name: 'Previous page' })).toBeVisible()
  const names = await results(page).allTextContents()
  const tenth = results(page).nth(9).getByRole('link')
  await tenth.scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => window.scrollY)
  expect(place).toBeGreaterThan(0)
  const address = page.url()
  await tenth.click()
  await expect(page.getByRole('heading', { level: 1, name: names[9] ?? '', exact: true })).toBeVisible()

  await page.goBack()
  await expect(results(page)).toHaveText(names)
  expect(page.url()).toBe(address)
  await expect(page.getByRole('checkbox', { name: 'In stock' })).toBeChecked()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place)

  const stranger = await browser.newContext({ baseURL: store.address })
  const elsewhere = await stranger.newPage()
  await elsewhere.goto(address)
  await expect(results(elsewhere)).toHaveText(names)
  await stranger.close()
})

test('up to four parts of one category are compared, from wherever they were ticked', async ({ page }) => {
  await page.goto('/allproducts?category=memory')
  await waitForHydration(page)
  const boxes = page.getByRole('checkbox', { name: /^Compare, / })
  await page.evaluate(() => {
    for (const region of document.querySelectorAll('[role=status]')) region.setAttribute('data-from-the-start', '')
  })
  await boxes.nth(0).check()
  // a screen reader speaks only what changes in a region that it knows
  await expect(page.locator('[data-from-the-start]').filter({ hasText: '1 of 4 parts to compare' })).toHaveCount(1)
  for (const place of [1, 2, 3]) await boxes.nth(place).check()
  await boxes.nth(4).click()
  await expect(boxes.nth(4)).not.toBeChecked()
  await expect(page.getByRole('status').filter({ hasText: '4 parts are compared at most' })).toBeVisible()
  await boxes.nth(3).uncheck()
  await page.goto('/allproducts?category=cable')
  await waitForHydration(page)
  const stranger = page.getByRole('checkbox', { name: /^Compare, / }).first()
  await stranger.click()
  await expect(page.getByRole('status').filter({ hasText: 'is of another category' })).toBeVisible()
  await expect(stranger).not.toBeChecked()
  await compareLink(page, 'Compare 3 parts').click()
  await page.waitForURL('**/compare?id=*')
  const { tools } = await found(page, 'category=memory')
  await expect(page.getByRole('columnheader')).toHaveText(tools.slice(0, 3).map(({ name }) => new RegExp(name)))

  const row = (name: string | RegExp) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
  await expect(row(/^Price(?! per)/).getByRole('cell')).toHaveText(tools.slice(0, 3).map(({ price }) => new RegExp(`\\$${price}`)))
  const cheapest = Math.min(...tools.slice(0, 3).map(({ price }) => price))
  await expect(
    row(/^Price(?! per)/)
      .getByRole('cell')
      .filter({ hasText: 'best' }),
  ).toHaveText(new RegExp(`^\\$${cheapest}`))
  await expect(row('Capacity').getByRole('rowheader')).toContainText('differs')
  await expect(row('Modules')).toBeVisible()
  const rows = await page.locator('tbody').getByRole('rowheader').count()
  await page.getByRole('link', { name: 'Show only differences' }).click()
  await expect(page.getByRole('link', { name: `Show all ${rows} rows` })).toBeVisible()
  for (const head of await page.locator('tbody').getByRole('rowheader').all()) await expect(head).toContainText('differs')

  await page.getByRole('link', { name: `Remove, ${tools[0]?.name}` }).click()
  await expect(page.getByRole('columnheader')).toHaveText(tools.slice(1, 3).map(({ name }) => new RegExp(name)))
  await expect(page.getByRole('link', { name: `Buy Now, ${tools[1]?.name}` })).toHaveAttribute('href', `/purchase/${tools[1]?._id}`)

  // Two parts stand whole beside their labels on a phone.
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 800 })
    const { right } = await page
      .getByRole('columnheader')
      .nth(1)
      .evaluate((head) => head.getBoundingClientRect().toJSON())
    expect(right, `${width} px wide`).toBeLessThanOrEqual(width - 16)
    const table = page.getByRole('region', { name: 'Parts side by side' })
    expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth), `${width} px wide`).toBe(0)
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/allproducts?category=memory')
  await expect(boxes.first()).not.toBeChecked()
  await expect(boxes.nth(1)).toBeChecked()
})

test('four compared parts print as wide as the sheet, with the day of their prices and without buttons', async ({ page, request }) => {
  const { tools } = await (await request.get('/api/search?category=memory&limit=4')).json()
  await page.goto(`/compare?${tools.map(({ _id }: { _id: string }) => `id=${_id}`).join('&')}`)
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 680, height: 960 }) // what margins leave of a sheet of A4
  await expect(page.getByRole('columnheader')).toHaveCount(4)
  for (const header of await page.getByRole('columnheader').all()) {
    const box = await header.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(680)
  }
  await expect(page.getByRole('table').getByRole('button')).toHaveCount(0)
  await expect(page.getByText(/^Nucleus of PC, prices and stock of \d/)).toBeVisible()
})

test('an address that compares nothing, strangers or too many says so, and leads on', fullRunJourney, async ({ page }) => {
  const [memory, cable] = await Promise.all([found(page, 'category=memory'), found(page, 'category=cable')])
  await page.goto('/compare')
  await expect(page.getByRole('main')).toContainText('Tick "Compare" on two to 4 parts of one category')
  await page.goto(`/compare?id=${memory.tools[0]?._id}&id=${cable.tools[0]?._id}`)
  await expect(page.getByRole('alert')).toContainText('Only products of one category can be compared')
  await page.goto(
    `/compare?${memory.tools
      .slice(0, 5)
      .map(({ _id }) => `id=${_id}`)
      .join('&')}`,
  )
  await expect(page.getByRole('alert')).toContainText('Up to 4 parts are compared at once')
  await page.goto('/compare?id=x')
  await expect(page.getByRole('alert')).toContainText('There is no such product')
  await page.getByRole('link', { name: 'Choose parts' }).click()
  await page.waitForURL('**/allproducts')
})
