import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { isFullRun } from '../proof/full-run.ts'
import { seededRandom } from '../proof/seeded-random.ts'
import routes from '../store/routes.ts'
import { findAxeFaults, findFocusFaults, findHeadingAndTitleFaults, findHorizontalOverflow } from './accessibility-faults.ts'
import { closeScreenState, openScreenState, setViewportAndTheme, startTestShops, type TestShops } from './open-screen-state.ts'
import { type Screen, type ScreenState, type Theme, themes, type ViewportWidth, viewportWidths } from './screens/screen.ts'
import { screens } from './screens.ts'
import type { ScreenUser } from './seeded-shop.ts'

/*
 * Row I1: nobody is kept out. `npm run proof` looks at every screen in every state at three widths in both themes, `npm test` at a twelfth of
 * each group's screens once, each in a state, width and theme drawn by chance, in the shop that has something to sell: the other one is a store of
 * its own.
 * What is new among the routes stands in screens/, or this is red.
 */

const seed = 20_261_122

const test = base.extend<object, { shops: TestShops }>({
  shops: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
    async ({}, use) => {
      const opened = new AsyncDisposableStack()
      await use(await startTestShops(opened))
      await opened.disposeAsync()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

if (isFullRun) test.describe.configure({ mode: 'parallel' }) // each worker with shops of its own

type Look = { screen: Screen; state: ScreenState; views: { width: ViewportWidth; theme: Theme }[] }

/** What is looked at of a group's screens in this run: in a sample always the same, as a red run has to be red again. */
function looksAt(chosen: Screen[]): Look[] {
  const { below } = seededRandom(seed)
  const all = chosen.map((screen) =>
    screen.states.map((state) => ({
      screen,
      state,
      views: (state.widths ?? viewportWidths).flatMap((width) => themes.map((theme) => ({ width, theme }))),
    })),
  )
  if (isFullRun) return all.flat()
  const filled = all.map((looks) => looks.filter(({ state }) => !state.inEmptyShop)).filter(({ length }) => length > 0)
  const first = below(Math.min(12, filled.length))
  return filled.flatMap((looks, nth) => {
    const drawn = looks[below(looks.length)]
    return drawn && nth % 12 === first ? [{ ...drawn, views: drawn.views.slice(below(drawn.views.length)).slice(0, 1) }] : []
  })
}

/** A page that could not be made is called so, whichever it was. */
const sharedTitles = /^(This page could not be shown|Sign in again|Page not found)/

const groups: [who: ScreenUser, whose: string][] = [
  ['visitor', 'a visitor'],
  ['customer', 'a customer'],
  ['admin', 'an admin'],
]
for (const [who, whose] of groups)
  test(`I1 no screen of ${whose} has a fault that axe finds, a small target, an unseen focus or a page that scrolls sideways`, async ({
    browser,
    shops,
  }) => {
    const looks = looksAt(screens.filter(({ user }) => user === who))
    expect(looks).not.toEqual([])
    test.setTimeout(looks.length * 60_000)
    const faults: string[] = []
    const titles = new Map<string, string>()
    let views = 0
    let stops = 0
    for (const { screen, state, views: wanted } of looks) {
      const name = `${screen.name}-${state.name}`
      const page = await openScreenState(browser, shops, screen, state)
      page.on('pageerror', ({ message }) => faults.push(`${name}: ${message}`))
      const found = new Map<string, string[]>() // a fault, and in which views it is seen
      const note = (where: string, said: string[]) => {
        for (const fault of new Set(said)) found.set(fault, [...(found.get(fault) ?? []), where])
      }

      note('all', await findHeadingAndTitleFaults(page))
      const title = await page.title()
      const namesake = titles.get(title)
      if (namesake && namesake !== screen.name && !sharedTitles.test(title))
        note('all', [`its title is also that of ${namesake}: ${title}`])
      titles.set(title, screen.name)

      for (const { width, theme } of wanted) {
        await setViewportAndTheme(page, { width, theme })
        note(`${width} ${theme}`, await findAxeFaults(page))
        views++
      }
      note('320 px', await findHorizontalOverflow(page, 320, 640))
      note('1280 px at 200 %', await findHorizontalOverflow(page, 640, 512))
      // Last, as it closes what is open and leaves fields empty.
      for (const { width, theme } of wanted) {
        await setViewportAndTheme(page, { width, theme })
        const focus = await findFocusFaults(page)
        note(`${width} ${theme}`, focus.faults)
        stops += focus.stops
      }
      for (const [fault, where] of found) faults.push(`${name}, ${where.join(', ')}: ${fault}`)
      await closeScreenState(page)
    }
    const figure = `${new Set(looks.map(({ screen }) => screen)).size} screens, ${looks.length} states, ${views} views, ${stops} stops of the focus: ${faults.length} faults`
    test.info().annotations.push({ type: 'figure', description: figure })
    expect(faults, figure).toEqual([])
  })

test('I1 every screen that has an address is looked at', () => {
  const addresses = addressesOf(routes)
    .filter((address) => address !== '/design') // there in development alone
    .sort()
  expect(screens.flatMap((screen) => screen.routes).sort()).toEqual(addresses)
})

type Routes = { path?: string; index?: boolean; children?: Routes }[]

/** Every address of the routes below this one. */
function addressesOf(routes: Routes, above = ''): string[] {
  return routes.flatMap(({ path, children }) => {
    const here = path === undefined ? above : `${above}/${path}`
    if (children) return addressesOf(children, here)
    return [here || '/']
  })
}

test('I1 a purchase from home to receipt by keyboard alone', async ({ browser, shops }) => {
  test.setTimeout(240_000)
  const context = await browser.newContext({
    baseURL: shops.filled.address,
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 800 },
  })
  const page = await context.newPage()
  const { keyboard } = page
  let stops = 0

  /** Presses Tab until this has the focus, looking at every stop on the way whether it is seen. */
  async function tabTo(wanted: Locator, where: Page | ReturnType<Page['frames']>[number] = page) {
    for (let presses = 0; presses < 150; presses++) {
      await keyboard.press('Tab')
      stops++
      const message = `the focus after ${stops} stops`
      // Between the page and the frame of the card fields it is nowhere for a moment: two processes hand it over.
      let seen = ''
      await expect.poll(async () => (seen = await page.evaluate(focusIsSeen)), { message }).not.toBe('nowhere')
      expect(['seen', inFrame], message).toContain(seen)
      if (seen === inFrame) await expect.poll(() => where.evaluate(focusIsSeen), { message }).toBe('seen')
      if (await wanted.evaluate((element) => element === document.activeElement).catch(() => false)) return
    }
    throw new Error(`150 stops, and none was ${wanted}`)
  }
  const type = async (wanted: Locator, text: string) => {
    await tabTo(wanted)
    await keyboard.type(text)
  }
  const press = async (wanted: Locator) => {
    await tabTo(wanted)
    await keyboard.press('Enter')
  }

  /** A new page begins at its title. */
  const arrive = async (address: string) => {
    await page.waitForURL(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  }

  await page.goto('/')
  await keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  await type(page.getByLabel('Search all tools').filter({ visible: true }), 'FX888DX-010BY')
  await keyboard.press('Enter')
  await arrive('**/allproducts?q=*')
  await press(page.getByRole('link', { name: /^Buy Now, Hakko FX888DX/ }).first())
  await arrive('**/login?from=*')
  await press(page.getByRole('link', { name: 'Go to Register' }))
  await arrive('**/register?from=*')
  await type(page.getByLabel('Full name'), 'Mary Somerville')
  await type(page.getByLabel('E-mail'), 'mary@somerville.example')
  await type(page.getByLabel('Password', { exact: true }), 'correct horse battery')
  await keyboard.press('Enter')

  await arrive('**/purchase/*')
  await type(page.getByLabel('Address'), 'Burntisland, Fife')
  await type(page.getByLabel('Phone number'), '+44 1592 555 0100')
  await press(page.getByRole('button', { name: /^Order \d/ }))
  await expect(page.getByRole('main').getByText('order placed successfully')).toBeVisible()
  await press(page.getByRole('main').getByRole('link', { name: /^Pay/ }))

  await arrive('**/dashboard/payment/*')
  await expect(page.getByText('Preparing the card form')).toHaveCount(0)
  const card = page.frames().find((frame) => frame.parentFrame() === page.mainFrame() && frame.url() !== 'about:blank')
  if (!card) throw new Error('There are no card fields')
  for (const [field, text] of [
    ['Card number', '4242424242424242'],
    ['Expiration', '1239'],
    ['Security code', '123'],
  ] as const) {
    await tabTo(card.getByLabel(field), card)
    await keyboard.type(text)
  }
  await press(page.getByRole('button', { name: /^Pay/ }))
  await expect(page.getByRole('heading', { level: 1, name: 'Receipt' })).toBeVisible()
  await expect(page.getByText('Payment successfully done...')).toBeVisible()
  test.info().annotations.push({ type: 'figure', description: `${stops} stops, the focus seen at each` })
  await context.close()
})

const inFrame = 'in a frame'

/** In the page: whether what has the focus, or what stands for it, has an outline. Where it is the frame of the card fields, they are asked. */
function focusIsSeen(): string {
  const stop = document.activeElement
  if (!(stop instanceof HTMLElement) || stop === document.body) return 'nowhere'
  if (stop instanceof HTMLIFrameElement) return 'in a frame'
  const label = stop instanceof HTMLInputElement ? [...(stop.labels ?? [])] : []
  const places = [stop, stop.parentElement, stop.parentElement?.parentElement, ...label]
  const outlined = places.some((place) => {
    if (!(place instanceof HTMLElement) || place.offsetWidth < 8) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(place)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  })
  return outlined ? 'seen' : `not seen: ${stop.outerHTML.slice(0, 160)}`
}
