import type { Page } from '@playwright/test'
import type { SeededShop } from '../seeded-shop.ts'
import {
  apiFailureStates,
  clickButton,
  expectValidationError,
  expectVisible,
  loaderFailureState,
  main,
  mockResponse,
  type Screen,
  serverErrorBody,
} from './screen.ts'

const list = '/allproducts?category=memory'

const filtered = `${list}&spec.memory_type=DDR5&in_stock=yes&price.max=500`

const searchBox = (page: Page) => page.getByLabel('Search all tools').filter({ visible: true })

const compared = (ids: string[]) => `/compare?${ids.map((id) => `id=${id}`).join('&')}`

const fillBasket = async (page: Page, { products }: SeededShop) => {
  for (const productId of [products.inStock, ...products.memory.slice(0, 2), products.cable])
    await page.request.post('/cart/add', { form: { productId } })
}

const chooseCountry = async (page: Page) => {
  await page.getByLabel('Country').selectOption({ label: 'Germany' })
  await expectVisible(page.getByRole('textbox', { name: 'Address' }))
}

const estimateWithDeliveryAndTax = {
  totals: { goodsCents: 77_000, reductionCents: 7700, deliveryCents: 490, taxCents: 13_260, totalCents: 83_050 },
  pricesIncludeTax: false,
  taxes: [{ ratePpm: 190_000, netCents: 69_790, taxCents: 13_260 }],
  taxSentence: null,
  methods: [
    { id: 'parcel', name: 'Parcel', carrier: 'DHL', earliest: '2026-12-01', latest: '2026-12-03', priceCents: 490 },
    { id: 'express', name: 'Express', carrier: 'DHL', earliest: '2026-11-30', latest: '2026-11-30', priceCents: 1490 },
  ],
  chosenMethod: 'parcel',
  deliveryCentsWithoutCode: 490,
  problem: null,
}

/** Whoever opens the link is not signed in to its account. */
const takesAPassword = (page: Page) => {
  const words = 'Set a password for your account: with it your e-mail is verified'
  return mockResponse(page, '**/api/auth/verify-email', 409, { message: words, errors: { newPassword: words }, code: 'password_required' })
}
const seesPasswordForm = (page: Page) => expectVisible(main(page).getByLabel('New password', { exact: true }))

const guestOrder =
  (of: keyof SeededShop['guestLinks'], query = '') =>
  (shop: SeededShop) =>
    `${shop.guestLinks[of]}${query}`

export const visitorScreens: Screen[] = [
  {
    name: 'guest-order',
    routes: ['/order/:id'],
    user: 'visitor',
    states: [
      { name: 'open', kind: 'full', path: guestOrder('open') },
      { name: 'form', kind: 'full', path: guestOrder('open', '?pay=1') },
      { name: 'paid', kind: 'full', path: guestOrder('paid') },
      { name: 'receipt', kind: 'full', path: guestOrder('paid', '?pay=1') },
      {
        name: 'ask-to-cancel',
        kind: 'full',
        path: guestOrder('open'),
        isOverlay: true,
        async interact(page) {
          await clickButton(page, 'Cancel order')
          await expectVisible(page.getByRole('alertdialog'))
        },
      },
      { name: 'link-has-ended', kind: 'empty', path: `/order/${'0'.repeat(64)}` },
      ...apiFailureStates(guestOrder('open')),
    ],
  },
  {
    name: 'withdraw',
    routes: ['/withdraw/:id'],
    user: 'visitor',
    states: [
      { name: 'full', kind: 'full', path: ({ withdrawalPage }) => withdrawalPage },
      {
        name: 'confirm',
        kind: 'full',
        path: ({ withdrawalPage }) => withdrawalPage,
        async interact(page) {
          await clickButton(page, 'Go on')
          await expectVisible(main(page).getByRole('button', { name: 'Withdraw now' }))
        },
      },
      {
        name: 'wrong',
        kind: 'error',
        path: ({ withdrawalPage }) => withdrawalPage,
        async interact(page) {
          await main(page).getByLabel('E-mail for the receipt').fill('nobody')
          await clickButton(page, 'Go on')
          await expectVisible(main(page).getByText('Some of it is not right yet'))
        },
      },
      { name: 'gone', kind: 'empty', path: `/withdraw/${'0'.repeat(64)}` },
    ],
  },
  {
    name: 'home',
    routes: ['/', '/home'],
    user: 'visitor',
    states: [
      { name: 'full', kind: 'full', path: '/' },
      {
        name: 'menu',
        kind: 'full',
        path: '/home',
        widths: [360],
        isOverlay: true,
        interact: (page) => page.getByRole('button', { name: 'Menu', exact: true }).click(),
      },
      { name: 'signed-in', kind: 'full', path: '/home', user: 'customer', skipScreenshot: true },
      { name: 'empty', kind: 'empty', path: '/', inEmptyShop: true },
      {
        name: 'signed-out',
        kind: 'error',
        path: '/dashboard/myorder',
        user: 'customer',
        skipScreenshot: true,
        setUp: (page) => mockResponse(page, /\/api\/purchase\?/, 401, { message: 'Sign in first', code: 'not_signed_in' }),
        interact: (page) => expectVisible(page.getByRole('link', { name: 'Sign in to see your orders' })),
      },
      loaderFailureState('/home', { name: 'could-not-be-shown' }),
    ],
  },
  {
    name: 'all-products',
    routes: ['/allproducts'],
    user: 'visitor',
    states: [
      { name: 'cards', kind: 'full', path: '/allproducts' },
      { name: 'table', kind: 'full', path: `${list}&look=table&sort=-price` },
      { name: 'filtered', kind: 'full', path: filtered },
      {
        name: 'filters-sheet',
        kind: 'full',
        path: filtered,
        widths: [360],
        isOverlay: true,
        interact: (page) => page.getByRole('button', { name: /^(Categories and filters|Filters)/ }).click(),
      },
      {
        name: 'suggestions',
        kind: 'full',
        path: list,
        isOverlay: true,
        async interact(page) {
          await searchBox(page).fill('ddr5')
          await expectVisible(page.getByRole('listbox', { name: 'Suggestions' }))
        },
      },
      {
        name: 'compare-bar',
        kind: 'full',
        path: list,
        isOverlay: true,
        async interact(page) {
          const boxes = page.getByRole('checkbox', { name: /^Compare, / })
          for (const place of [0, 1]) await boxes.nth(place).check()
          await expectVisible(page.getByRole('link', { name: /^Compare/ }))
        },
      },
      { name: 'nothing-found', kind: 'empty', path: '/allproducts?q=zzzzqqq&brand=Crucial' },
      { name: 'empty', kind: 'empty', path: '/allproducts', inEmptyShop: true },
      { name: 'wrong-filter', kind: 'error', path: '/allproducts?price.max=cheap' },
      loaderFailureState('/allproducts'),
    ],
  },
  {
    name: 'product',
    routes: ['/products/:id'],
    user: 'visitor',
    states: [
      { name: 'in-stock', kind: 'full', path: ({ products }) => `/products/${products.inStock}` },
      { name: 'out-of-stock', kind: 'full', path: ({ products }) => `/products/${products.outOfStock}` },
      { name: 'reviewed', kind: 'full', path: ({ partlySent }) => `/products/${partlySent.toolId}`, skipScreenshot: true },
      {
        name: 'wrong-quantity',
        kind: 'error',
        path: ({ products }) => `/products/${products.inStock}`,
        async interact(page) {
          await page.getByLabel('Quantity').fill('999999')
          await expectValidationError(page)
        },
      },
      { name: 'unknown', kind: 'error', path: '/products/00000000-0000-4000-8000-000000000000', skipScreenshot: true },
      loaderFailureState(({ products }) => `/products/${products.inStock}`),
    ],
  },
  {
    name: 'product-reviews',
    routes: ['/products/:id/reviews'],
    user: 'visitor',
    states: [
      { name: 'full', kind: 'full', path: ({ partlySent }) => `/products/${partlySent.toolId}/reviews` },
      { name: 'empty', kind: 'empty', path: ({ products }) => `/products/${products.inStock}/reviews`, skipScreenshot: true },
      { name: 'unknown', kind: 'error', path: '/products/00000000-0000-4000-8000-000000000000/reviews', skipScreenshot: true },
      loaderFailureState(({ partlySent }) => `/products/${partlySent.toolId}/reviews`),
    ],
  },
  {
    name: 'compare',
    routes: ['/compare'],
    user: 'visitor',
    states: [
      { name: 'full', kind: 'full', path: ({ products }) => compared(products.memory) },
      { name: 'empty', kind: 'empty', path: '/compare' },
      { name: 'strangers', kind: 'error', path: ({ products }) => compared([...products.memory.slice(0, 1), products.cable]) },
      loaderFailureState(({ products }) => compared(products.memory)),
    ],
  },
  {
    name: 'basket',
    routes: ['/cart', '/cart/shared/:id'],
    user: 'visitor',
    states: [
      { name: 'full', kind: 'full', path: '/cart', setUp: fillBasket },
      { name: 'empty', kind: 'empty', path: '/cart' },
      {
        name: 'pasted',
        kind: 'error',
        path: '/cart',
        setUp: fillBasket,
        async interact(page) {
          await main(page).getByText('Quick order: paste part numbers').click()
          await page.getByLabel('Part numbers and quantities').fill('NP-0004 6\nNO-SUCH-PART 3')
          await clickButton(page, 'Put into the basket')
          await expectVisible(main(page).getByText('No part has this number'))
        },
      },
      { name: 'refused', kind: 'error', path: ({ products }) => `/cart?refused=stock_too_low&product=${products.inStock}&quantity=999999` },
      {
        name: 'shared',
        kind: 'full',
        path: '/cart',
        setUp: fillBasket,
        async interact(page) {
          await clickButton(page, 'Share as a link')
          await main(page)
            .getByRole('link', { name: /cart\/shared/ })
            .click()
          await expectVisible(main(page).getByRole('button', { name: 'Put all into my basket' }))
        },
      },
      { name: 'gone', kind: 'empty', path: `/cart/shared/${'0'.repeat(32)}` },
    ],
  },
  {
    name: 'checkout',
    routes: ['/checkout'],
    user: 'visitor',
    states: [
      { name: 'full', kind: 'full', path: '/checkout', setUp: fillBasket, interact: chooseCountry },
      { name: 'empty', kind: 'empty', path: '/checkout' },
      {
        name: 'unpaid-order',
        kind: 'full',
        path: '/checkout',
        async setUp(page, shop) {
          await fillBasket(page, shop)
          const deliverTo = { country: 'DE', line1: 'Ring 1', city: 'Berlin', postalCode: '10115' }
          await page.request.post('/api/checkout', { data: { name: 'Gwen Guest', email: 'gwen@visitors.example', deliverTo } })
        },
        interact: (page) => expectVisible(page.getByText(/^You have an unpaid order/)),
      },
      {
        name: 'delivery-and-tax',
        kind: 'full',
        path: '/checkout',
        async setUp(page, shop) {
          await fillBasket(page, shop)
          await mockResponse(page, /\/api\/checkout\/estimate/, 200, estimateWithDeliveryAndTax)
        },
        async interact(page) {
          await chooseCountry(page)
          await page.getByText('Order for a business').click()
          await page.getByText('The invoice goes to another address').click()
        },
      },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/checkout',
        setUp: fillBasket,
        async interact(page) {
          await chooseCountry(page)
          await clickButton(page, /^Order and pay/)
          await expectValidationError(page)
        },
      },
      {
        name: 'not-delivered-there',
        kind: 'error',
        path: '/checkout',
        async setUp(page, shop) {
          await fillBasket(page, shop)
          const problem = 'Nothing is delivered to Germany'
          await mockResponse(page, /\/api\/checkout\/estimate/, 200, {
            ...estimateWithDeliveryAndTax,
            methods: [],
            chosenMethod: null,
            deliveryCentsWithoutCode: 0,
            problem,
          })
        },
        interact: chooseCountry,
      },
      {
        name: 'estimate-fails',
        kind: 'error',
        path: '/checkout',
        skipScreenshot: true,
        async setUp(page, shop) {
          await fillBasket(page, shop)
          await mockResponse(page, /\/api\/checkout\/estimate/, 500, serverErrorBody)
        },
        async interact(page) {
          await page.getByLabel('Country').selectOption({ label: 'Germany' })
          await expectVisible(page.getByRole('alert'))
        },
      },
      loaderFailureState('/checkout'),
    ],
  },
  { name: 'blogs', routes: ['/blogs'], user: 'visitor', states: [{ name: 'full', kind: 'full', path: '/blogs' }] },
  {
    name: 'help',
    routes: ['/help'],
    user: 'visitor',
    states: [{ name: 'full', kind: 'full', path: '/help' }, loaderFailureState('/help')],
  },
  {
    name: 'portfolio',
    routes: ['/myportfolio'],
    user: 'visitor',
    states: [{ name: 'full', kind: 'full', path: '/myportfolio' }, loaderFailureState('/myportfolio')],
  },
  {
    name: 'login',
    routes: ['/login'],
    user: 'visitor',
    states: [
      { name: 'form', kind: 'full', path: '/login' },
      {
        name: 'on-the-way',
        kind: 'full',
        path: ({ products }) => `/login?from=${encodeURIComponent(`/purchase/${products.inStock}?quantity=25`)}`,
      },
      { name: 'signed-in-already', kind: 'full', path: '/login', user: 'customer', skipScreenshot: true },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/login',
        async interact(page) {
          await clickButton(page, 'Login')
          await expectValidationError(page)
        },
      },
      {
        name: 'wrong-password',
        kind: 'error',
        path: '/login',
        setUp: (page) =>
          mockResponse(page, '**/api/auth/sign-in/email', 401, {
            message: 'The e-mail or the password is not right',
            code: 'invalid_credentials',
          }),
        async interact(page) {
          await page.getByLabel('E-mail').fill('ada.byron@analytical-engines.example')
          await page.getByLabel('Password', { exact: true }).fill('not the right one')
          await clickButton(page, 'Login')
          await expectValidationError(page)
        },
      },
      {
        name: 'reset-sent',
        kind: 'full',
        path: '/login',
        setUp: (page) => mockResponse(page, '**/api/auth/request-password-reset', 200, { status: true, message: '' }),
        async interact(page) {
          await page.getByLabel('E-mail').fill('ada.byron@analytical-engines.example')
          await clickButton(page, 'Reset Password')
          await expectVisible(main(page).getByText('Reset password Email sent'))
        },
      },
    ],
  },
  {
    name: 'back-from-google',
    routes: ['/login/google'],
    user: 'visitor',
    states: [{ name: 'refused', kind: 'error', path: '/login/google?error=access_denied' }],
  },
  {
    name: 'register',
    routes: ['/register'],
    user: 'visitor',
    states: [
      { name: 'form', kind: 'full', path: '/register' },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/register',
        async interact(page) {
          await clickButton(page, 'Register')
          await expectValidationError(page)
        },
      },
      {
        name: 'refused',
        kind: 'error',
        path: '/register',
        setUp: (page) =>
          mockResponse(page, '**/api/auth/sign-up/email', 422, {
            message: 'This e-mail is registered already: sign in, or reset the password',
            code: 'email_taken',
          }),
        async interact(page) {
          await page.getByLabel('Full name').fill('Ada Byron')
          await page.getByLabel('E-mail').fill('ada.byron@analytical-engines.example')
          await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
          await clickButton(page, 'Register')
          await expectValidationError(page)
        },
      },
    ],
  },
  {
    name: 'reset-password',
    routes: ['/reset-password'],
    user: 'visitor',
    states: [
      { name: 'form', kind: 'full', path: '/reset-password#a-token' },
      { name: 'broken-link', kind: 'error', path: '/reset-password' },
      {
        name: 'refused',
        kind: 'error',
        path: '/reset-password#a-token',
        async interact(page) {
          await page.getByLabel('New password', { exact: true }).fill('correct horse battery')
          await clickButton(page, 'Set the new password')
          await expectValidationError(page)
        },
      },
      {
        name: 'done',
        kind: 'full',
        path: '/reset-password#a-token',
        setUp: (page) => mockResponse(page, '**/api/auth/reset-password', 200, { status: true }),
        async interact(page) {
          await page.getByLabel('New password', { exact: true }).fill('correct horse battery')
          await clickButton(page, 'Set the new password')
          await expectVisible(main(page).getByText('Your new password is set'))
        },
      },
    ],
  },
  {
    name: 'verify-email',
    routes: ['/verify-email'],
    user: 'visitor',
    states: [
      {
        name: 'verified',
        kind: 'full',
        path: '/verify-email#a-token',
        setUp: (page) => mockResponse(page, '**/api/auth/verify-email', 200, { email: 'ada.byron@analytical-engines.example' }),
      },
      { name: 'broken-link', kind: 'error', path: '/verify-email#a-token' },
      { name: 'new-password', kind: 'full', path: '/verify-email#a-token', setUp: takesAPassword, interact: seesPasswordForm },
      {
        name: 'verified-with-password',
        kind: 'full',
        path: '/verify-email#a-token',
        setUp: takesAPassword,
        async interact(page) {
          await seesPasswordForm(page)
          await mockResponse(page, '**/api/auth/verify-email', 200, { email: 'ada.byron@analytical-engines.example' })
          await page.getByLabel('New password', { exact: true }).fill('correct horse battery')
          await clickButton(page, 'Verify and set the password')
          await expectVisible(main(page).getByText('Your e-mail is verified, and your new password is set'))
        },
      },
    ],
  },
  { name: 'not-found', routes: ['/*'], user: 'visitor', states: [{ name: 'picture', kind: 'error', path: '/no-such-page' }] },
]
