import { expect as ask, type Locator, type Page } from '@playwright/test'
import type { ScreenUser, SeededShop } from '../seeded-shop.ts'

/** A phone, a tablet, a laptop; and how high their windows are. */
export const viewportHeights = { 360: 780, 768: 1024, 1440: 900 } as const
export type ViewportWidth = keyof typeof viewportHeights
export const viewportWidths: ViewportWidth[] = [360, 768, 1440]
export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

export type ScreenState = {
  name: string
  kind: 'full' | 'empty' | 'error'
  /** who looks, where it is not whom the screen is for */
  user?: ScreenUser
  /** the shop that has nothing to sell, and its owner */
  inEmptyShop?: true
  path: string | ((shop: SeededShop) => string)
  /** what is made to fail, or to be said, before the screen is opened */
  setUp?: (page: Page, shop: SeededShop) => Promise<unknown>
  /** what is done on the screen to bring it there */
  interact?: (page: Page, shop: SeededShop) => Promise<unknown>
  /** where it exists, if not everywhere */
  widths?: ViewportWidth[]
  /** something lies over the page: its picture is one of the window */
  isOverlay?: true
  /** looks like a state of another screen, and so has no picture of its own */
  skipScreenshot?: true
}

export type Screen = {
  /** the name of its pictures */
  name: string
  /** as store/routes.ts says it; none for what is no screen of that list */
  routes: string[]
  user: ScreenUser
  states: ScreenState[]
}

/** A machine that does much else takes its time. */
export const expect = ask.configure({ timeout: 30_000 })

export const main = (page: Page) => page.getByRole('main')
export const clickButton = (page: Page, name: string | RegExp) => main(page).getByRole('button', { name }).first().click()
export const expectVisible = (what: Locator) => expect(what.first()).toBeVisible()
export const expectValidationError = (page: Page) => expectVisible(page.locator('[aria-invalid=true], [role=alert]'))

/** From now on these calls of the page are answered so. */
export const mockResponse = (page: Page, calls: string | RegExp, status: number, json: object) =>
  page.route(calls, (route) => route.fulfill({ status, json }))
export const serverErrorBody = { message: 'Something went wrong on our side. Try again.' }

/** Its calls are answered 500: what a screen for the signed-in says then. */
export const apiFailureStates = (path: ScreenState['path'], calls: RegExp = /\/api\/(?!admin\/)/): ScreenState[] => [
  {
    name: 'calls-fail',
    kind: 'error',
    path,
    skipScreenshot: true,
    setUp: (page) => mockResponse(page, calls, 500, serverErrorBody),
    interact: (page) => expectVisible(main(page).getByRole('button', { name: /again/i })),
  },
  {
    name: 'offline',
    kind: 'error',
    path,
    skipScreenshot: true,
    setUp: (page) => page.route(calls, (route) => route.abort()),
    interact: (page) => expectVisible(main(page).getByRole('button', { name: /again/i })),
  },
]

/** The same of a screen that the server makes: it is come to by a link whose answer is 500. */
export const loaderFailureState = (path: ScreenState['path'], more: Partial<ScreenState> = { skipScreenshot: true }): ScreenState => ({
  name: 'load-fails',
  kind: 'error',
  path: '/login',
  ...more,
  async interact(page, shop) {
    await mockResponse(page, /\.data(\?|$)/, 500, serverErrorBody)
    await page.evaluate(
      (to) => {
        const { __reactRouterDataRouter: router } = window as unknown as { __reactRouterDataRouter: { navigate(to: string): void } }
        router.navigate(to)
      },
      statePath(path, shop),
    )
    await expectVisible(page.getByRole('heading', { name: 'This page could not be shown' }))
  },
})

export const statePath = (path: ScreenState['path'], shop: SeededShop): string => (typeof path === 'string' ? path : path(shop))
