import type { Page } from '@playwright/test'
import type { Purchase, SeededShop } from '../seeded-shop.ts'
import { apiFailureStates, clickButton, expectValidationError, expectVisible, main, mockResponse, type Screen } from './screen.ts'

const purchase = ({ products }: SeededShop) => `/purchase/${products.inStock}`

const payment = (of: keyof SeededShop['orders']) => (shop: SeededShop) => `/dashboard/payment/${shop.orders[of]._id}`

const ownOrder = (of: keyof SeededShop['orders']) => (shop: SeededShop) => `/dashboard/myorder/${shop.orders[of]._id}`

const reviewOf = (of: 'heldBack' | 'partlySent') => (shop: SeededShop) => `/dashboard/review/${shop[of].toolId}`

async function typeCard(page: Page, number: string) {
  const frame = page.frameLocator('main iframe')
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiration').fill('12 / 39')
  await frame.getByLabel('Security code').fill('123')
}

const ofThree = (screen: 'myorder' | 'payment', of: keyof SeededShop['ordersOfThree']) => (shop: SeededShop) =>
  `/dashboard/${screen}/${shop.ordersOfThree[of]._id}`

/** The order as its buyer sees it, with what is made up of it. */
const orderSaid = async (page: Page, { _id }: Purchase, more: object) =>
  page.route(`**/api/orders/${_id}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), ...more } })
  })

export const customerScreens: Screen[] = [
  {
    name: 'purchase',
    routes: ['/purchase/:id'],
    user: 'customer',
    states: [
      { name: 'form', kind: 'full', path: purchase },
      {
        name: 'signed-out-elsewhere',
        kind: 'error',
        path: purchase,
        async interact(page) {
          await page.getByLabel('Address').fill('12 Analytical Road, London')
          await page.evaluate(() => {
            localStorage.removeItem('account') // as another tab does it, which this one hears of
            dispatchEvent(new StorageEvent('storage'))
          })
          await expectVisible(main(page).getByText('Your sign-in has ended'))
        },
      },
      { name: 'out-of-stock', kind: 'full', path: ({ products }) => `/purchase/${products.outOfStock}` },
      {
        name: 'sent-empty',
        kind: 'error',
        path: purchase,
        async interact(page) {
          await page.getByLabel('Phone number').fill('12345')
          await clickButton(page, /^Order/)
          await expectValidationError(page)
        },
      },
      {
        name: 'too-many',
        kind: 'error',
        path: purchase,
        async interact(page) {
          await page.getByLabel('Quantity').fill('9999')
          await expectValidationError(page)
        },
      },
      {
        name: 'stock-moving',
        kind: 'error',
        path: purchase,
        setUp: (page) =>
          mockResponse(page, /\/api\/purchase$/, 409, {
            message: 'The stock is changing at this moment: try again',
            code: 'stock_changed',
          }),
        interact: (page) => orderIt(page, 'Nothing was ordered'),
      },
      {
        name: 'over-limit',
        kind: 'error',
        path: purchase,
        setUp: (page) =>
          mockResponse(page, /\/api\/purchase$/, 409, {
            message:
              'You have 10 unpaid orders, and your account can have 10 at a time. Pay or cancel an open order, verify your e-mail to have 4 times as much or write to us.',
            code: 'over_buyer_limit',
          }),
        interact: (page) => orderIt(page, 'You have 10 unpaid orders'),
      },
      {
        name: 'placed',
        kind: 'full',
        path: purchase,
        setUp: (page, { orders, products }) => mockResponse(page, /\/api\/purchase$/, 201, { ...orders.open, toolId: products.inStock }),
        interact: (page) => orderIt(page, 'order placed successfully'),
      },
      {
        name: 'no-longer-sold',
        kind: 'error',
        path: ({ orders: { cancelled } }) => `/purchase/${cancelled.toolId}?again=${cancelled._id}`,
        setUp: (page) => mockResponse(page, /\/api\/products\//, 404, { message: 'There is no such product', code: 'not_found' }),
        interact: (page) => expectVisible(main(page).getByText('No longer sold')),
      },
      ...apiFailureStates(purchase),
    ],
  },
  {
    name: 'profile',
    routes: ['/dashboard'],
    user: 'customer',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard' },
      { name: 'admin', kind: 'full', path: '/dashboard', user: 'admin' },
      {
        name: 'menu',
        kind: 'full',
        path: '/dashboard',
        widths: [360],
        isOverlay: true,
        interact: (page) => page.getByRole('button', { name: 'Dashboard menu' }).click(),
      },
      { name: 'newcomer', kind: 'empty', path: '/dashboard', user: 'newcomer' },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/dashboard',
        user: 'newcomer',
        async interact(page) {
          await clickButton(page, 'Update Profile')
          await expectValidationError(page)
        },
      },
      {
        name: 'saved',
        kind: 'full',
        path: '/dashboard',
        async interact(page) {
          await clickButton(page, 'Update Profile')
          await expectVisible(main(page).getByText('Profile saved'))
        },
      },
      {
        name: 'leaving',
        kind: 'full',
        path: '/dashboard',
        isOverlay: true,
        async interact(page) {
          await page.getByLabel('Location').fill('Paris')
          await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blogs' }).click()
          await expectVisible(page.getByRole('alertdialog'))
        },
      },
      ...apiFailureStates('/dashboard'),
    ],
  },
  {
    name: 'add-review',
    routes: ['/dashboard/addreview'],
    user: 'customer',
    states: [
      { name: 'form', kind: 'full', path: '/dashboard/addreview' },
      { name: 'newcomer', kind: 'empty', path: '/dashboard/addreview', user: 'newcomer', skipScreenshot: true },
      { name: 'admin', kind: 'full', path: '/dashboard/addreview', user: 'admin' },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/dashboard/addreview',
        async interact(page) {
          await page.getByLabel('Reviewer Name').fill('')
          await page.getByLabel('Reviewer Image').fill('')
          await clickButton(page, 'Post Review')
          await expectValidationError(page)
        },
      },
      {
        name: 'posted',
        kind: 'full',
        path: '/dashboard/addreview',
        setUp: (page) =>
          page.route('**/api/reviews', (route) =>
            route.fulfill({
              status: 201,
              json: {
                ...{ ...route.request().postDataJSON(), rating: 4, _id: crypto.randomUUID() },
                ...{ example: false, bought: true, hidden: false, shown: true, replaced: true },
              },
            }),
          ),
        async interact(page) {
          await page.getByLabel('Say About Our Company').fill('Counted, complete and two days early.')
          await page.getByRole('radio', { name: /good/ }).check()
          await clickButton(page, 'Post Review')
          await expectVisible(main(page).getByText('Review Added Successfully'))
        },
      },
      ...apiFailureStates('/dashboard/addreview'),
    ],
  },
  {
    name: 'review-product',
    routes: ['/dashboard/review/:id'],
    user: 'customer',
    states: [
      { name: 'form', kind: 'full', path: reviewOf('heldBack') },
      { name: 'again', kind: 'full', path: reviewOf('partlySent'), skipScreenshot: true },
      { name: 'not-bought', kind: 'empty', path: reviewOf('heldBack'), user: 'newcomer' },
      { name: 'admin', kind: 'full', path: reviewOf('heldBack'), user: 'admin', skipScreenshot: true },
      {
        name: 'sent-empty',
        kind: 'error',
        path: reviewOf('heldBack'),
        async interact(page) {
          await clickButton(page, 'Post review')
          await expectValidationError(page)
        },
      },
      ...apiFailureStates(reviewOf('heldBack')),
    ],
  },
  {
    name: 'my-orders',
    routes: ['/dashboard/myorder'],
    user: 'customer',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/myorder' },
      { name: 'empty', kind: 'empty', path: '/dashboard/myorder', user: 'newcomer' },
      {
        name: 'ask-to-cancel',
        kind: 'full',
        path: '/dashboard/myorder',
        isOverlay: true,
        async interact(page, { orders }) {
          await clickButton(page, `Cancel order ${orders.open.number}`)
          await expectVisible(page.getByRole('alertdialog'))
        },
      },
      {
        name: 'ask-to-cancel-part',
        kind: 'full',
        path: '/dashboard/myorder',
        isOverlay: true,
        async interact(page) {
          await clickButton(page, /^Cancel this part/)
          await expectVisible(page.getByRole('alertdialog'))
        },
      },
      {
        name: 'of-company',
        kind: 'full',
        path: '/dashboard/myorder?of=company',
        async setUp(page) {
          await mockResponse(page, /\/api\/company$/, 200, { company: { name: 'Analytical Engines Ltd' } })
          await page.route('**/api/orders?of=company', async (route) =>
            route.fulfill({ response: await route.fetch({ url: route.request().url().replace('of=company', 'limit=5') }) }),
          )
        },
        interact: (page) => expectVisible(main(page).getByText('Orders of Analytical Engines Ltd')),
      },
      ...apiFailureStates('/dashboard/myorder'),
    ],
  },
  {
    name: 'my-order',
    routes: ['/dashboard/myorder/:id'],
    user: 'customer',
    states: [
      { name: 'open', kind: 'full', path: ownOrder('open') },
      { name: 'paid', kind: 'full', path: ownOrder('paid') },
      { name: 'partly-refunded', kind: 'full', path: ownOrder('partlyRefunded') },
      { name: 'partly-sent', kind: 'full', path: ({ partlySent }) => `/dashboard/myorder/${partlySent._id}` },
      { name: 'expired', kind: 'full', path: ownOrder('expired') },
      { name: 'open-of-three', kind: 'full', path: ofThree('myorder', 'open') },
      ...apiFailureStates(ownOrder('paid')),
    ],
  },
  {
    name: 'payment',
    routes: ['/dashboard/payment/:id'],
    user: 'customer',
    states: [
      { name: 'form', kind: 'full', path: payment('open') },
      {
        name: 'declined',
        kind: 'error',
        path: payment('declined'),
        async interact(page) {
          await typeCard(page, '4000 0000 0000 0002')
          await clickButton(page, /^Pay/)
          await expectVisible(main(page).getByText('Your card was declined.'))
        },
      },
      {
        name: 'sent-empty',
        kind: 'error',
        path: payment('open'),
        async interact(page) {
          await clickButton(page, /^Pay/)
          await expectVisible(page.frameLocator('iframe').getByText('Your card number is incomplete.'))
        },
      },
      {
        name: 'being-checked',
        kind: 'full',
        path: payment('open'),
        setUp: (page, { orders }) => orderSaid(page, orders.open, { paymentStatus: 'checking' }),
      },
      { name: 'receipt', kind: 'full', path: payment('paid') },
      { name: 'form-of-three', kind: 'full', path: ofThree('payment', 'open') },
      { name: 'receipt-of-three', kind: 'full', path: ofThree('payment', 'paid') },
      { name: 'refunded', kind: 'full', path: payment('refunded') },
      { name: 'expired', kind: 'full', path: payment('expired') },
      {
        name: 'not-now',
        kind: 'error',
        path: payment('open'),
        setUp: (page) =>
          mockResponse(page, '**/api/create-payment-intent', 503, {
            message: 'The card provider cannot be reached at the moment. Try again.',
          }),
      },
      ...apiFailureStates(payment('open')),
    ],
  },
]

async function orderIt(page: Page, said: string) {
  await page.getByLabel('Address').fill('12 Analytical Road, London')
  await page.getByLabel('Phone number').fill('+44 20 7946 0018')
  await clickButton(page, /^Order \d/)
  await expectVisible(main(page).getByText(said))
}
