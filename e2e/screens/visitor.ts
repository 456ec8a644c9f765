import type { Page } from '@playwright/test'
import { answered, loadFails, main, press, type Screen, seen, typedWrong } from './screen.ts'

const list = '/allproducts?category=memory'

const filtered = `${list}&spec.memory_type=DDR5&in_stock=yes&price.max=500`

const searchBox = (page: Page) => page.getByLabel('Search all tools')

const compared = (ids: string[]) => `/compare?${ids.map((id) => `id=${id}`).join('&')}`

/** Whoever opens the link is not signed in to its account. */
const takesAPassword = (page: Page) => {
  const words = 'Set a password for your account: with it your e-mail is verified'
  return answered(page, '**/api/auth/verify-email', 409, { message: words, errors: { newPassword: words } })
}
const seesPasswordForm = (page: Page) => seen(main(page).getByLabel('New password', { exact: true }))

export const visitorScreens: Screen[] = [
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
      { name: 'new-password', kind: 'full', path: '/verify-email#a-token', before: takesAPassword, reach: seesPasswordForm },
      {
        name: 'verified-with-password',
        kind: 'full',
        path: '/verify-email#a-token',
        before: takesAPassword,
        async reach(page) {
          await seesPasswordForm(page)
          await answered(page, '**/api/auth/verify-email', 200, { email: 'ada.byron@analytical-engines.example' })
          await page.getByLabel('New password', { exact: true }).fill('correct horse battery')
          await press(page, 'Verify and set the password')
          await seen(main(page).getByText('Your e-mail is verified, and your new password is set'))
        },
      },
    ],
  },
  { name: 'not-found', routes: ['/*'], who: 'visitor', states: [{ name: 'picture', kind: 'error', path: '/no-such-page' }] },
]
