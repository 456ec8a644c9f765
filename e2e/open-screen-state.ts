import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { startBuiltStore } from './built-store.ts'
import { waitForHydration } from './hydration.ts'
import { expect, type Screen, type ScreenState, statePath, type Theme, type ViewportWidth, viewportHeights } from './screens/screen.ts'
import { type Account, clearCatalogue, type SeededShop, seedShop } from './seeded-shop.ts'

/** The two shops that the list of screens is walked in. The one with nothing to sell opens when it is first asked for. */
export type TestShops = {
  filled: { address: string; outboxKey: string; shop: SeededShop }
  empty: () => Promise<{ address: string; outboxKey: string; owner: Account }>
}

export async function startTestShops(opened: AsyncDisposableStack): Promise<TestShops> {
  const store = await startBuiltStore(opened)
  let empty: ReturnType<TestShops['empty']> | undefined
  return {
    filled: { ...store, shop: await seedShop(store) },
    empty() {
      empty ??= startBuiltStore(opened).then(async (store) => ({ ...store, owner: (await clearCatalogue(store)).admin }))
      return empty
    },
  }
}

/** A window of its own that shows a screen in one of its states, to be closed by whoever looks. Motion is reduced: it shows no colour on its way. */
export async function openScreenState(
  browser: Browser,
  { filled, empty }: TestShops,
  { user }: Screen,
  state: ScreenState,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const emptied = state.inEmptyShop ? await empty() : undefined
  const { address: baseURL, outboxKey } = emptied ?? filled
  const context = await browser.newContext({ ...options, baseURL, reducedMotion: 'reduce', extraHTTPHeaders: {} })
  await context.addCookies([{ name: 'nucleus.outbox', value: outboxKey, url: `${baseURL}/outbox`, httpOnly: true, sameSite: 'Strict' }])
  const looks = state.user ?? user
  const person = looks === 'visitor' ? undefined : (emptied?.owner ?? filled.shop.accounts[looks])
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
  await setViewportAndTheme(page, { width: state.widths?.[0] ?? 1440, theme: 'light' })
  await state.setUp?.(page, filled.shop)
  await page.goto(statePath(state.path, filled.shop))
  await waitUntilSettled(page)
  await state.interact?.(page, filled.shop)
  await waitUntilSettled(page)
  return page
}

/** Closes what `openScreenState` opened. A screen that asks again and again may be in the middle of it. */
export async function closeScreenState(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().close()
}

export async function setViewportAndTheme(page: Page, { width, theme }: { width: ViewportWidth; theme: Theme }) {
  await page.setViewportSize({ width, height: viewportHeights[width] })
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
}

/** The page's script has taken over all of the page, and what it has asked for is there. */
export async function waitUntilSettled(page: Page) {
  if (!new URL(page.url()).pathname.startsWith('/outbox')) await waitForHydration(page) // there is no script
  await expect(page.locator('h1')).not.toHaveText(/^(One moment|Your order)$/) // by its role it would be gone behind a dialog
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
  await expect(page.getByText('Preparing the card form')).toHaveCount(0)
  await page.waitForFunction(async () => {
    await document.fonts.ready
    return [...document.images].every((image) => image.complete || image.loading === 'lazy')
  })
}
