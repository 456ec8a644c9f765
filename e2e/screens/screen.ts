import { expect as ask, type Locator, type Page } from '@playwright/test'
import type { FilledShop, Who } from '../filled-shop.ts'

/** A phone, a tablet, a laptop; and how high their windows are. */
export const widths = { 360: 780, 768: 1024, 1440: 900 } as const
export type Width = keyof typeof widths
export const allWidths: Width[] = [360, 768, 1440]
export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

export type State = {
  name: string
  kind: 'full' | 'empty' | 'error'
  /** who looks, where it is not whom the screen is for */
  who?: Who
  /** the shop that has nothing to sell, and its owner */
  inEmptyShop?: true
  path: string | ((shop: FilledShop) => string)
  /** what is made to fail, or to be said, before the screen is opened */
  before?: (page: Page, shop: FilledShop) => Promise<unknown>
  /** what is done on the screen to bring it there */
  reach?: (page: Page, shop: FilledShop) => Promise<unknown>
  /** where it exists, if not everywhere */
  widths?: Width[]
  /** something lies over the page: its picture is one of the window */
  layer?: true
  /** looks like a state of another screen, and so has no picture of its own */
  seenElsewhere?: true
}

export type Screen = {
  /** the name of its pictures */
  name: string
  /** as store/routes.ts says it; none for what is no screen of that list */
  routes: string[]
  who: Who
  states: State[]
}

/** A machine that does much else takes its time. */
export const expect = ask.configure({ timeout: 30_000 })

export const main = (page: Page) => page.getByRole('main')
export const press = (page: Page, name: string | RegExp) => main(page).getByRole('button', { name }).first().click()
export const seen = (what: Locator) => expect(what.first()).toBeVisible()
export const typedWrong = (page: Page) => seen(page.locator('[aria-invalid=true], [role=alert]'))

/** From now on these calls of the page are answered so. */
export const answered = (page: Page, calls: string | RegExp, status: number, json: object) =>
  page.route(calls, (route) => route.fulfill({ status, json }))
export const trouble = { message: 'Something went wrong on our side. Try again.' }

/** Its calls are answered 500: what a screen for the signed-in says then. */
export const callsFail = (path: State['path'], calls: RegExp = /\/api\/(?!admin\/)/): State[] => [
  {
    name: 'calls-fail',
    kind: 'error',
    path,
    seenElsewhere: true,
    before: (page) => answered(page, calls, 500, trouble),
    reach: (page) => seen(main(page).getByRole('button', { name: /again/i })),
  },
  {
    name: 'offline',
    kind: 'error',
    path,
    seenElsewhere: true,
    before: (page) => page.route(calls, (route) => route.abort()),
    reach: (page) => seen(main(page).getByRole('button', { name: /again/i })),
  },
]

/** The same of a screen that the server makes: it is come to by a link whose answer is 500. */
export const loadFails = (path: State['path'], more: Partial<State> = { seenElsewhere: true }): State => ({
  name: 'load-fails',
  kind: 'error',
  path: '/login',
  ...more,
  async reach(page, shop) {
    await answered(page, /\.data(\?|$)/, 500, trouble)
    await page.evaluate(
      (to) => {
        const { __reactRouterDataRouter: router } = window as unknown as { __reactRouterDataRouter: { navigate(to: string): void } }
        router.navigate(to)
      },
      addressOf(path, shop),
    )
    await seen(page.getByRole('heading', { name: 'This page could not be shown' }))
  },
})

export const addressOf = (path: State['path'], shop: FilledShop): string => (typeof path === 'string' ? path : path(shop))
