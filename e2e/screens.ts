import { expect as ask, type Locator, type Page } from '@playwright/test'
import type { FilledShop, Order, Who } from './filled-shop.ts'

/*
 * Every screen of the store and what it can look like. `npm run pictures` takes a picture of each, and row I1 of the proof looks at each for
 * what would keep somebody out. A route of store/routes.ts that is missing here turns I1 red.
 */

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

const main = (page: Page) => page.getByRole('main')
const press = (page: Page, name: string | RegExp) => main(page).getByRole('button', { name }).first().click()
const seen = (what: Locator) => expect(what.first()).toBeVisible()
const typedWrong = (page: Page) => seen(page.locator('[aria-invalid=true], [role=alert]'))

/** From now on these calls of the page are answered so. */
const answered = (page: Page, calls: string | RegExp, status: number, json: object) =>
  page.route(calls, (route) => route.fulfill({ status, json }))
const trouble = { message: 'Something went wrong on our side. Try again.' }

/** Its calls are answered 500: what a screen for the signed-in says then. */
const callsFail = (path: State['path'], calls: RegExp = /\/api\/(?!admin\/)/): State[] => [
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
const loadFails = (path: State['path'], more: Partial<State> = { seenElsewhere: true }): State => ({
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

const list = '/allproducts?category=memory'
const filtered = `${list}&spec.memory_type=DDR5&in_stock=yes&price.max=500`
const searchBox = (page: Page) => page.getByLabel('Search all tools')
const purchase = ({ parts }: FilledShop) => `/purchase/${parts.inStock}`
const payment = (of: keyof FilledShop['orders']) => (shop: FilledShop) => `/dashboard/payment/${shop.orders[of]._id}`
const ownOrder = (of: keyof FilledShop['orders']) => (shop: FilledShop) => `/dashboard/myorder/${shop.orders[of]._id}`
const order = (of: keyof FilledShop['orders']) => (shop: FilledShop) => `/dashboard/order/${shop.orders[of]._id}`
const imported = (of: keyof FilledShop['imports']) => (shop: FilledShop) => `/dashboard/import?id=${shop.imports[of]}`
const compared = (ids: string[]) => `/compare?${ids.map((id) => `id=${id}`).join('&')}`

async function typeCard(page: Page, number: string) {
  const frame = page.frameLocator('main iframe')
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiration').fill('12 / 39')
  await frame.getByLabel('Security code').fill('123')
}

/** The order as its buyer sees it, with what is made up of it. */
const orderSaid = async (page: Page, { _id }: Order, more: object) =>
  page.route(`**/api/purchase/${_id}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), ...more } })
  })

export const screens: Screen[] = [
  {
    name: 'home',
    routes: ['/', '/home'],
    who: 'visitor',
    states: [
      { name: 'full', kind: 'full', path: '/' },
      {
        name: 'menu',
        kind: 'full',
        path: '/home',
        widths: [360],
        layer: true,
        reach: (page) => page.getByRole('button', { name: 'Menu', exact: true }).click(),
      },
      { name: 'signed-in', kind: 'full', path: '/home', who: 'customer', seenElsewhere: true },
      { name: 'empty', kind: 'empty', path: '/', inEmptyShop: true },
      {
        name: 'signed-out',
        kind: 'error',
        path: '/dashboard/myorder',
        who: 'customer',
        seenElsewhere: true,
        before: (page) => answered(page, /\/api\/purchase\?/, 401, { message: 'Sign in first' }),
        reach: (page) => seen(page.getByRole('link', { name: 'Sign in to see your orders' })),
      },
      loadFails('/home', { name: 'could-not-be-shown' }),
    ],
  },
  {
    name: 'all-products',
    routes: ['/allproducts'],
    who: 'visitor',
    states: [
      { name: 'cards', kind: 'full', path: '/allproducts' },
      { name: 'table', kind: 'full', path: `${list}&look=table&sort=-price` },
      { name: 'filtered', kind: 'full', path: filtered },
      {
        name: 'filters-sheet',
        kind: 'full',
        path: filtered,
        widths: [360],
        layer: true,
        reach: (page) => page.getByRole('button', { name: /^(Categories and filters|Filters)/ }).click(),
      },
      {
        name: 'suggestions',
        kind: 'full',
        path: list,
        layer: true,
        async reach(page) {
          await searchBox(page).fill('ddr5')
          await seen(page.getByRole('listbox', { name: 'Suggestions' }))
        },
      },
      {
        name: 'compare-bar',
        kind: 'full',
        path: list,
        layer: true,
        async reach(page) {
          const boxes = page.getByRole('checkbox', { name: /^Compare, / })
          for (const place of [0, 1]) await boxes.nth(place).check()
          await seen(page.getByRole('link', { name: /^Compare/ }))
        },
      },
      { name: 'nothing-found', kind: 'empty', path: '/allproducts?q=zzzzqqq&brand=Crucial' },
      { name: 'empty', kind: 'empty', path: '/allproducts', inEmptyShop: true },
      { name: 'wrong-filter', kind: 'error', path: '/allproducts?price.max=cheap' },
      loadFails('/allproducts'),
    ],
  },
  {
    name: 'product',
    routes: ['/products/:id'],
    who: 'visitor',
    states: [
      { name: 'in-stock', kind: 'full', path: ({ parts }) => `/products/${parts.inStock}` },
      { name: 'out-of-stock', kind: 'full', path: ({ parts }) => `/products/${parts.outOfStock}` },
      {
        name: 'wrong-quantity',
        kind: 'error',
        path: ({ parts }) => `/products/${parts.inStock}`,
        async reach(page) {
          await page.getByLabel('Quantity').fill('999999')
          await typedWrong(page)
        },
      },
      { name: 'unknown', kind: 'error', path: '/products/00000000-0000-4000-8000-000000000000', seenElsewhere: true },
      loadFails(({ parts }) => `/products/${parts.inStock}`),
    ],
  },
  {
    name: 'compare',
    routes: ['/compare'],
    who: 'visitor',
    states: [
      { name: 'full', kind: 'full', path: ({ parts }) => compared(parts.memory) },
      { name: 'empty', kind: 'empty', path: '/compare' },
      { name: 'strangers', kind: 'error', path: ({ parts }) => compared([...parts.memory.slice(0, 1), parts.cable]) },
      loadFails(({ parts }) => compared(parts.memory)),
    ],
  },
  { name: 'blogs', routes: ['/blogs'], who: 'visitor', states: [{ name: 'full', kind: 'full', path: '/blogs' }] },
  { name: 'help', routes: ['/help'], who: 'visitor', states: [{ name: 'full', kind: 'full', path: '/help' }, loadFails('/help')] },
  {
    name: 'portfolio',
    routes: ['/myportfolio'],
    who: 'visitor',
    states: [{ name: 'full', kind: 'full', path: '/myportfolio' }, loadFails('/myportfolio')],
  },
  {
    name: 'login',
    routes: ['/login'],
    who: 'visitor',
    states: [
      { name: 'form', kind: 'full', path: '/login' },
      {
        name: 'on-the-way',
        kind: 'full',
        path: ({ parts }) => `/login?from=${encodeURIComponent(`/purchase/${parts.inStock}?quantity=25`)}`,
      },
      { name: 'signed-in-already', kind: 'full', path: '/login', who: 'customer', seenElsewhere: true },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/login',
        async reach(page) {
          await press(page, 'Login')
          await typedWrong(page)
        },
      },
      {
        name: 'wrong-password',
        kind: 'error',
        path: '/login',
        before: (page) => answered(page, '**/api/auth/sign-in/email', 401, { message: 'The e-mail or the password is not right' }),
        async reach(page) {
          await page.getByLabel('E-mail').fill('ada.byron@analytical-engines.example')
          await page.getByLabel('Password', { exact: true }).fill('not the right one')
          await press(page, 'Login')
          await typedWrong(page)
        },
      },
      {
        name: 'reset-sent',
        kind: 'full',
        path: '/login',
        before: (page) => answered(page, '**/api/auth/request-password-reset', 200, { status: true, message: '' }),
        async reach(page) {
          await page.getByLabel('E-mail').fill('ada.byron@analytical-engines.example')
          await press(page, 'Reset Password')
          await seen(main(page).getByText('Reset password Email sent'))
        },
      },
    ],
  },
  {
    name: 'back-from-google',
    routes: ['/login/google'],
    who: 'visitor',
    states: [{ name: 'refused', kind: 'error', path: '/login/google?error=access_denied' }],
  },
  {
    name: 'register',
    routes: ['/register'],
    who: 'visitor',
    states: [
      { name: 'form', kind: 'full', path: '/register' },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/register',
        async reach(page) {
          await press(page, 'Register')
          await typedWrong(page)
        },
      },
      {
        name: 'refused',
        kind: 'error',
        path: '/register',
        before: (page) =>
          answered(page, '**/api/auth/sign-up/email', 422, {
            message: 'This e-mail is registered already: sign in, or reset the password',
          }),
        async reach(page) {
          await page.getByLabel('Full name').fill('Ada Byron')
          await page.getByLabel('E-mail').fill('ada.byron@analytical-engines.example')
          await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
          await press(page, 'Register')
          await typedWrong(page)
        },
      },
    ],
  },
  {
    name: 'reset-password',
    routes: ['/reset-password'],
    who: 'visitor',
    states: [
      { name: 'form', kind: 'full', path: '/reset-password#a-token' },
      { name: 'broken-link', kind: 'error', path: '/reset-password' },
      {
        name: 'refused',
        kind: 'error',
        path: '/reset-password#a-token',
        async reach(page) {
          await page.getByLabel('New password', { exact: true }).fill('correct horse battery')
          await press(page, 'Set the new password')
          await typedWrong(page)
        },
      },
      {
        name: 'done',
        kind: 'full',
        path: '/reset-password#a-token',
        before: (page) => answered(page, '**/api/auth/reset-password', 200, { status: true }),
        async reach(page) {
          await page.getByLabel('New password', { exact: true }).fill('correct horse battery')
          await press(page, 'Set the new password')
          await seen(main(page).getByText('Your new password is set'))
        },
      },
    ],
  },
  {
    name: 'verify-email',
    routes: ['/verify-email'],
    who: 'visitor',
    states: [
      {
        name: 'verified',
        kind: 'full',
        path: '/verify-email#a-token',
        before: (page) => answered(page, '**/api/auth/verify-email', 200, { email: 'ada.byron@analytical-engines.example' }),
      },
      { name: 'broken-link', kind: 'error', path: '/verify-email#a-token' },
    ],
  },
  { name: 'not-found', routes: ['/*'], who: 'visitor', states: [{ name: 'picture', kind: 'error', path: '/no-such-page' }] },

  {
    name: 'purchase',
    routes: ['/purchase/:id'],
    who: 'customer',
    states: [
      { name: 'form', kind: 'full', path: purchase },
      { name: 'out-of-stock', kind: 'full', path: ({ parts }) => `/purchase/${parts.outOfStock}` },
      {
        name: 'sent-empty',
        kind: 'error',
        path: purchase,
        async reach(page) {
          await page.getByLabel('Phone number').fill('12345')
          await press(page, /^Order/)
          await typedWrong(page)
        },
      },
      {
        name: 'too-many',
        kind: 'error',
        path: purchase,
        async reach(page) {
          await page.getByLabel('Quantity').fill('9999')
          await typedWrong(page)
        },
      },
      {
        name: 'stock-moving',
        kind: 'error',
        path: purchase,
        before: (page) => answered(page, /\/api\/purchase$/, 409, { message: 'The stock is changing at this moment: try again' }),
        reach: (page) => orderIt(page, 'Nothing was ordered'),
      },
      {
        name: 'placed',
        kind: 'full',
        path: purchase,
        before: (page, { orders, parts }) => answered(page, /\/api\/purchase$/, 201, { ...orders.open, toolId: parts.inStock }),
        reach: (page) => orderIt(page, 'order placed successfully'),
      },
      ...callsFail(purchase),
    ],
  },
  {
    name: 'profile',
    routes: ['/dashboard'],
    who: 'customer',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard' },
      { name: 'admin', kind: 'full', path: '/dashboard', who: 'admin' },
      {
        name: 'menu',
        kind: 'full',
        path: '/dashboard',
        widths: [360],
        layer: true,
        reach: (page) => page.getByRole('button', { name: 'Dashboard menu' }).click(),
      },
      { name: 'newcomer', kind: 'empty', path: '/dashboard', who: 'newcomer' },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/dashboard',
        who: 'newcomer',
        async reach(page) {
          await press(page, 'Update Profile')
          await typedWrong(page)
        },
      },
      {
        name: 'saved',
        kind: 'full',
        path: '/dashboard',
        async reach(page) {
          await press(page, 'Update Profile')
          await seen(main(page).getByText('Profile saved'))
        },
      },
      {
        name: 'leaving',
        kind: 'full',
        path: '/dashboard',
        layer: true,
        async reach(page) {
          await page.getByLabel('Location').fill('Paris')
          await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blogs' }).click()
          await seen(page.getByRole('alertdialog'))
        },
      },
      ...callsFail('/dashboard'),
    ],
  },
  {
    name: 'add-review',
    routes: ['/dashboard/addreview'],
    who: 'customer',
    states: [
      { name: 'form', kind: 'full', path: '/dashboard/addreview' },
      { name: 'newcomer', kind: 'empty', path: '/dashboard/addreview', who: 'newcomer', seenElsewhere: true },
      { name: 'admin', kind: 'full', path: '/dashboard/addreview', who: 'admin' },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/dashboard/addreview',
        async reach(page) {
          await page.getByLabel('Reviewer Name').fill('')
          await page.getByLabel('Reviewer Image').fill('')
          await press(page, 'Post Review')
          await typedWrong(page)
        },
      },
      {
        name: 'posted',
        kind: 'full',
        path: '/dashboard/addreview',
        before: (page) =>
          page.route('**/api/reviews', (route) =>
            route.fulfill({
              status: 201,
              json: { ...route.request().postDataJSON(), rating: 4, _id: crypto.randomUUID(), example: false },
            }),
          ),
        async reach(page) {
          await page.getByLabel('Say About Our Company').fill('Counted, complete and two days early.')
          await page.getByRole('radio', { name: /good/ }).check()
          await press(page, 'Post Review')
          await seen(main(page).getByText('Review Added Successfully'))
        },
      },
      ...callsFail('/dashboard/addreview'),
    ],
  },
  {
    name: 'my-orders',
    routes: ['/dashboard/myorder'],
    who: 'customer',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/myorder' },
      { name: 'empty', kind: 'empty', path: '/dashboard/myorder', who: 'newcomer' },
      {
        name: 'ask-to-cancel',
        kind: 'full',
        path: '/dashboard/myorder',
        layer: true,
        async reach(page, { orders }) {
          await press(page, `Cancel order ${orders.open.number}`)
          await seen(page.getByRole('alertdialog'))
        },
      },
      ...callsFail('/dashboard/myorder'),
    ],
  },
  {
    name: 'my-order',
    routes: ['/dashboard/myorder/:id'],
    who: 'customer',
    states: [
      { name: 'open', kind: 'full', path: ownOrder('open') },
      { name: 'paid', kind: 'full', path: ownOrder('paid') },
      { name: 'partly-refunded', kind: 'full', path: ownOrder('partlyRefunded') },
      { name: 'expired', kind: 'full', path: ownOrder('expired') },
      ...callsFail(ownOrder('paid')),
    ],
  },
  {
    name: 'payment',
    routes: ['/dashboard/payment/:id'],
    who: 'customer',
    states: [
      { name: 'form', kind: 'full', path: payment('open') },
      {
        name: 'declined',
        kind: 'error',
        path: payment('declined'),
        async reach(page) {
          await typeCard(page, '4000 0000 0000 0002')
          await press(page, /^Pay/)
          await seen(main(page).getByText('Your card was declined.'))
        },
      },
      {
        name: 'sent-empty',
        kind: 'error',
        path: payment('open'),
        async reach(page) {
          await press(page, /^Pay/)
          await typedWrong(page)
        },
      },
      {
        name: 'being-checked',
        kind: 'full',
        path: payment('open'),
        before: (page, { orders }) => orderSaid(page, orders.open, { checking: true }),
      },
      { name: 'receipt', kind: 'full', path: payment('paid') },
      { name: 'refunded', kind: 'full', path: payment('refunded') },
      { name: 'expired', kind: 'full', path: payment('expired') },
      {
        name: 'not-now',
        kind: 'error',
        path: payment('open'),
        before: (page) =>
          answered(page, '**/api/create-payment-intent', 503, { message: 'The card provider cannot be reached at the moment. Try again.' }),
      },
      ...callsFail(payment('open')),
    ],
  },

  {
    name: 'overview',
    routes: ['/dashboard/overview'],
    who: 'admin',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/overview' },
      { name: 'empty', kind: 'empty', path: '/dashboard/overview', inEmptyShop: true },
      {
        name: 'half-loaded',
        kind: 'error',
        path: '/dashboard/overview',
        before: (page) => answered(page, '**/api/overview/takings*', 500, trouble),
        reach: (page) => seen(main(page).getByRole('button', { name: /again/i })),
      },
    ],
  },
  {
    name: 'all-users',
    routes: ['/dashboard/allusers'],
    who: 'admin',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/allusers' },
      { name: 'only-oneself', kind: 'empty', path: '/dashboard/allusers', inEmptyShop: true, who: 'admin', seenElsewhere: true },
      { name: 'nothing-found', kind: 'empty', path: '/dashboard/allusers?q=nobody' },
      {
        name: 'ask-to-remove',
        kind: 'full',
        path: '/dashboard/allusers',
        layer: true,
        async reach(page, { people }) {
          await press(page, `Remove User, ${people.newcomer.email}`)
          await seen(page.getByRole('alertdialog'))
        },
      },
      {
        name: 'not-made-admin',
        kind: 'error',
        path: '/dashboard/allusers',
        before: (page) => answered(page, '**/api/user/admin/*', 403, { message: 'Only admins may do this' }),
        async reach(page, { people }) {
          await press(page, `Make Admin, ${people.newcomer.email}`)
          await seen(main(page).getByText('Failed to make admin'))
        },
      },
      ...callsFail('/dashboard/allusers'),
    ],
  },
  {
    name: 'manage-products',
    routes: ['/dashboard/manageproducts'],
    who: 'admin',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/manageproducts' },
      { name: 'empty', kind: 'empty', path: '/dashboard/manageproducts', inEmptyShop: true },
      { name: 'nothing-found', kind: 'empty', path: '/dashboard/manageproducts?q=zzzzqqq' },
      {
        name: 'ask-to-delete',
        kind: 'full',
        path: '/dashboard/manageproducts',
        layer: true,
        async reach(page) {
          await press(page, /^Delete, /)
          await seen(page.getByRole('alertdialog'))
        },
      },
      {
        name: 'not-deleted',
        kind: 'error',
        path: '/dashboard/manageproducts',
        layer: true,
        async reach(page) {
          await answered(page, '**/api/tools/*', 500, trouble)
          await press(page, /^Delete, /)
          await page
            .getByRole('alertdialog')
            .getByRole('button', { name: /^Delete / })
            .click()
          await seen(page.getByRole('alertdialog').getByRole('alert'))
        },
      },
      ...callsFail('/dashboard/manageproducts'),
    ],
  },
  {
    name: 'manage-all-orders',
    routes: ['/dashboard/manageallorders'],
    who: 'admin',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/manageallorders' },
      { name: 'empty', kind: 'empty', path: '/dashboard/manageallorders', inEmptyShop: true },
      { name: 'nothing-found', kind: 'empty', path: '/dashboard/manageallorders?q=zzzzqqq' },
      ...callsFail('/dashboard/manageallorders'),
    ],
  },
  {
    name: 'order',
    routes: ['/dashboard/order/:id'],
    who: 'admin',
    states: [
      { name: 'paid', kind: 'full', path: order('paid') },
      { name: 'partly-refunded', kind: 'full', path: order('partlyRefunded') },
      { name: 'unpaid', kind: 'full', path: order('open') },
      { name: 'refunded', kind: 'full', path: order('refunded'), seenElsewhere: true },
      {
        name: 'wrong-refund',
        kind: 'error',
        path: order('paid'),
        async reach(page) {
          await page.getByLabel('Amount').fill('12.505')
          await page.getByLabel('Pieces back into stock').fill('99')
          await press(page, /^Refund/)
          await typedWrong(page)
        },
      },
      {
        name: 'ask-to-refund',
        kind: 'full',
        path: order('paid'),
        layer: true,
        async reach(page) {
          await press(page, /^Refund/)
          await seen(page.getByRole('alertdialog'))
        },
      },
      {
        name: 'refused-refund',
        kind: 'error',
        path: order('paid'),
        before: (page) => answered(page, /\/refund$/, 409, { message: 'Meanwhile $12.50 of this order have gone back' }),
        async reach(page) {
          await press(page, /^Refund/)
          await page
            .getByRole('alertdialog')
            .getByRole('button', { name: /^Refund/ })
            .click()
          await typedWrong(page)
        },
      },
      ...callsFail(order('paid')),
    ],
  },
  {
    name: 'add-a-product',
    routes: ['/dashboard/addatool'],
    who: 'admin',
    states: [
      { name: 'form', kind: 'full', path: '/dashboard/addatool' },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/dashboard/addatool',
        async reach(page) {
          await press(page, 'Add')
          await typedWrong(page)
        },
      },
      {
        name: 'added',
        kind: 'full',
        path: '/dashboard/addatool',
        before: (page) =>
          page.route('**/api/tools', (route) =>
            route.fulfill({ status: 201, json: { ...route.request().postDataJSON(), _id: crypto.randomUUID() } }),
          ),
        async reach(page) {
          await page.locator('#name').fill('Torx screwdriver, T8')
          await page.locator('#img').fill('/drawings/screwdriver.svg')
          await page.locator('#description').fill('With a magnetic tip and a turning cap.')
          for (const [field, figure] of [
            ['price', '7'],
            ['minimum_order_quantity', '10'],
            ['available_quantity', '400'],
          ])
            await page.locator(`#${field}`).fill(figure ?? '')
          await press(page, 'Add')
          await seen(main(page).getByText('order placed successfully'))
        },
      },
    ],
  },
  {
    name: 'import',
    routes: ['/dashboard/import'],
    who: 'admin',
    states: [
      { name: 'begin', kind: 'full', path: '/dashboard/import' },
      { name: 'first', kind: 'empty', path: '/dashboard/import', inEmptyShop: true },
      {
        name: 'found-wrong',
        kind: 'error',
        path: imported('wrong'),
        reach: (page) => main(page).getByText('Show the wrong rows one by one').click(),
      },
      { name: 'done', kind: 'full', path: imported('done') },
      { name: 'no-file-of-parts', kind: 'error', path: imported('none') },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/dashboard/import',
        async reach(page) {
          await press(page, 'Check the file')
          await seen(page.getByText('Choose a file'))
        },
      },
      ...callsFail('/dashboard/import'),
    ],
  },
  {
    name: 'update-product',
    routes: ['/instrument/:id'],
    who: 'admin',
    states: [
      { name: 'form', kind: 'full', path: ({ parts }) => `/instrument/${parts.inStock}` },
      {
        name: 'sent-empty',
        kind: 'error',
        path: ({ parts }) => `/instrument/${parts.inStock}`,
        async reach(page) {
          for (const label of ['Product Price', 'Minimum Order Quantity', 'Available Quantity']) await page.getByLabel(label).fill('')
          await press(page, 'Update product')
          await typedWrong(page)
        },
      },
      ...callsFail(({ parts }) => `/instrument/${parts.inStock}`),
    ],
  },
  {
    name: 'outbox',
    routes: [], // a page of demo mode, see demo/outbox
    who: 'visitor',
    states: [
      { name: 'mails', kind: 'full', path: '/outbox' },
      {
        name: 'one-mail',
        kind: 'full',
        path: '/outbox',
        async reach(page, { orders }) {
          await page
            .getByRole('link', { name: `Receipt for order ${orders.paid.number}:` })
            .first()
            .click()
          await seen(page.getByRole('heading', { level: 1, name: /^Receipt/ }))
        },
      },
      { name: 'empty', kind: 'empty', path: '/outbox', inEmptyShop: true },
    ],
  },
]

async function orderIt(page: Page, said: string) {
  await page.getByLabel('Address').fill('12 Analytical Road, London')
  await page.getByLabel('Phone number').fill('+44 20 7946 0018')
  await press(page, /^Order \d/)
  await seen(main(page).getByText(said))
}
