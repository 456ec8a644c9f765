import type { Page } from '@playwright/test'
import type { FilledShop, Order } from '../filled-shop.ts'
import { answered, callsFail, main, press, type Screen, seen, typedWrong } from './screen.ts'

const purchase = ({ parts }: FilledShop) => `/purchase/${parts.inStock}`

const payment = (of: keyof FilledShop['orders']) => (shop: FilledShop) => `/dashboard/payment/${shop.orders[of]._id}`

const ownOrder = (of: keyof FilledShop['orders']) => (shop: FilledShop) => `/dashboard/myorder/${shop.orders[of]._id}`

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

export const customerScreens: Screen[] = [
  {
    name: 'purchase',
    routes: ['/purchase/:id'],
    who: 'customer',
    states: [
      { name: 'form', kind: 'full', path: purchase },
      {
        name: 'signed-out-elsewhere',
        kind: 'error',
        path: purchase,
        async reach(page) {
          await page.getByLabel('Address').fill('12 Analytical Road, London')
          await page.evaluate(() => {
            localStorage.removeItem('account') // as another tab does it, which this one hears of
            dispatchEvent(new StorageEvent('storage'))
          })
          await seen(main(page).getByText('Your sign-in has ended'))
        },
      },
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
        name: 'over-limit',
        kind: 'error',
        path: purchase,
        before: (page) =>
          answered(page, /\/api\/purchase$/, 409, {
            message:
              'You have 10 unpaid orders, and your account can have 10 at a time. Pay or cancel an open order, verify your e-mail to have 4 times as much or write to us.',
            code: 'over buyer limit',
          }),
        reach: (page) => orderIt(page, 'You have 10 unpaid orders'),
      },
      {
        name: 'placed',
        kind: 'full',
        path: purchase,
        before: (page, { orders, parts }) => answered(page, /\/api\/purchase$/, 201, { ...orders.open, toolId: parts.inStock }),
        reach: (page) => orderIt(page, 'order placed successfully'),
      },
      {
        name: 'no-longer-sold',
        kind: 'error',
        path: ({ orders: { cancelled } }) => `/purchase/${cancelled.toolId}?again=${cancelled._id}`,
        before: (page) => answered(page, /\/api\/products\//, 404, { message: 'There is no such product' }),
        reach: (page) => seen(main(page).getByText('No longer sold')),
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
              json: {
                ...{ ...route.request().postDataJSON(), rating: 4, _id: crypto.randomUUID() },
                ...{ example: false, bought: true, hidden: false, replaced: true },
              },
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
          await seen(page.frameLocator('iframe').getByText('Your card number is incomplete.'))
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
]

async function orderIt(page: Page, said: string) {
  await page.getByLabel('Address').fill('12 Analytical Road, London')
  await page.getByLabel('Phone number').fill('+44 20 7946 0018')
  await press(page, /^Order \d/)
  await seen(main(page).getByText(said))
}
