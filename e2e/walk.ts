import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { awake } from './awake.ts'
import { openBuiltStore } from './built-store.ts'
import { emptyShop, type FilledShop, fillShop, type Person } from './filled-shop.ts'
import { addressOf, expect, type Screen, type State, type Theme, type Width, widths } from './screens/screen.ts'

/** The two shops that the list of screens is walked in. The one with nothing to sell opens when it is first asked for. */
export type Shops = {
  filled: { address: string; outboxKey: string; shop: FilledShop }
  empty: () => Promise<{ address: string; outboxKey: string; owner: Person }>
}

export async function openShops(opened: AsyncDisposableStack): Promise<Shops> {
  const store = await openBuiltStore(opened)
  let empty: ReturnType<Shops['empty']> | undefined
  return {
    filled: { ...store, shop: await fillShop(store) },
    empty() {
      empty ??= openBuiltStore(opened).then(async (store) => ({ ...store, owner: (await emptyShop(store)).admin }))
      return empty
    },
  }
}

/** A window of its own that shows a screen in one of its states, to be closed by whoever looks. Motion is reduced: it shows no colour on its way. */
export async function openState(
  browser: Browser,
  { filled, empty }: Shops,
  { who }: Screen,
  state: State,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const emptied = state.inEmptyShop ? await empty() : undefined
  const { address: baseURL, outboxKey } = emptied ?? filled
  const context = await browser.newContext({ ...options, baseURL, reducedMotion: 'reduce', extraHTTPHeaders: {} })
  await context.addCookies([{ name: 'nucleus.outbox', value: outboxKey, url: `${baseURL}/outbox`, httpOnly: true, sameSite: 'Strict' }])
  const looks = state.who ?? who
  const person = looks === 'visitor' ? undefined : (emptied?.owner ?? filled.shop.people[looks])
  if (person) {
    const { token, ...account } = person
    await context.addInitScript(
      (kept) => {
        // Once: who is signed out on the way stays so. Frames are none of the store's, and an empty window keeps nothing.
        if (window !== window.top || window.origin === 'null' || sessionStorage.getItem('began')) return
        sessionStorage.setItem('began', 'yes')
        Object.assign(localStorage, kept)
      },
      { accessToken: token, account: JSON.stringify(account) },
    )
  }
  const page = await context.newPage()
  await show(page, { width: state.widths?.[0] ?? 1440, theme: 'light' })
  await state.before?.(page, filled.shop)
  await page.goto(addressOf(state.path, filled.shop))
  await settled(page)
  await state.reach?.(page, filled.shop)
  await settled(page)
  return page
}

export async function show(page: Page, { width, theme }: { width: Width; theme: Theme }) {
  await page.setViewportSize({ width, height: widths[width] })
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
}

/** The page's script has taken over all of the page, and what it has asked for is there. */
export async function settled(page: Page) {
  if (!new URL(page.url()).pathname.startsWith('/outbox')) await awake(page) // there is no script
  await expect(page.locator('h1')).not.toHaveText('One moment') // by its role it would be gone behind a dialog
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
  await expect(page.getByText('Preparing the card form')).toHaveCount(0)
  await page.waitForFunction(async () => {
    await document.fonts.ready
    return [...document.images].every((image) => image.complete || image.loading === 'lazy')
  })
}
