import type { FilledShop } from '../filled-shop.ts'
import { answered, callsFail, main, press, type Screen, seen, trouble, typedWrong } from './screen.ts'

const order = (of: keyof FilledShop['orders']) => (shop: FilledShop) => `/dashboard/order/${shop.orders[of]._id}`

const imported = (of: keyof FilledShop['imports']) => (shop: FilledShop) => `/dashboard/import?id=${shop.imports[of]}`

export const adminScreens: Screen[] = [
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
        name: 'ask-to-make-admin',
        kind: 'full',
        path: '/dashboard/allusers',
        layer: true,
        async reach(page, { people }) {
          await press(page, `Make Admin, ${people.newcomer.email}`)
          await seen(page.getByRole('alertdialog'))
        },
      },
      {
        name: 'with-removed',
        kind: 'full',
        path: '/dashboard/allusers',
        before: (page) =>
          answered(page, '**/api/user/removed', 200, [
            { _id: 'one', email: 'former.colleague@shop.example', removedAt: '2026-09-03T04:05:00.000Z' },
          ]),
        reach: (page) => seen(main(page).getByRole('button', { name: /^Bring Back, / })),
      },
      {
        name: 'limits-lifted',
        kind: 'full',
        path: '/dashboard/allusers',
        before: (page, { people: { newcomer } }) =>
          answered(page, '**/api/user/limits/*', 200, { _id: 'x', email: newcomer.email, role: 'customer', limitsLifted: true }),
        async reach(page, { people }) {
          await press(page, `Lift limits, ${people.newcomer.email}`)
          await seen(main(page).getByRole('button', { name: `Put limits back, ${people.newcomer.email}` }))
        },
      },
      {
        name: 'not-made-admin',
        kind: 'error',
        path: '/dashboard/allusers',
        before: (page) => answered(page, '**/api/user/admin/*', 403, { message: 'Only admins may do this' }),
        async reach(page, { people }) {
          await press(page, `Make Admin, ${people.newcomer.email}`)
          await page.getByRole('button', { name: `Make ${people.newcomer.email} an admin` }).click()
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
    name: 'all-reviews',
    routes: ['/dashboard/reviews'],
    who: 'admin',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/reviews' },
      { name: 'empty', kind: 'empty', path: '/dashboard/reviews', inEmptyShop: true },
      {
        name: 'not-hidden',
        kind: 'error',
        path: '/dashboard/reviews',
        before: (page) => answered(page, '**/api/reviews/*/hidden', 500, trouble),
        async reach(page) {
          await press(page, /^Hide, /)
          await seen(main(page).getByRole('alert'))
        },
      },
      ...callsFail('/dashboard/reviews'),
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
      { name: 'asks-for-stock', kind: 'full', path: imported('stock') },
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
