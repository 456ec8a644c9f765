import type { CorrectableInvoice } from '#store/orders/documents/corrections/contract.ts'
import type { SeededShop } from '../seeded-shop.ts'
import {
  apiFailureStates,
  clickButton,
  expectValidationError,
  expectVisible,
  main,
  mockResponse,
  type Screen,
  serverErrorBody,
} from './screen.ts'

const order = (of: keyof SeededShop['orders']) => (shop: SeededShop) => `/dashboard/order/${shop.orders[of]._id}`

const imported = (of: keyof SeededShop['imports']) => (shop: SeededShop) => `/dashboard/import?id=${shop.imports[of]}`

/** Made up: in the shop of the screens nobody has said who sells. */
const correctableInvoice = {
  _id: '00000000-0000-4000-8000-000000000001',
  ...{ numbers: ['2026-00017'], name: 'Ada Byron', company: 'Analytical Engines', vatId: null },
  address: { country: 'DE', line1: 'Invalidenstraße 116', city: 'Berlin', postalCode: '10115' },
  ...{ addressText: null, poNumber: 'PO-77', buyerReference: null },
  lines: [{ _id: '00000000-0000-4000-8000-000000000002', name: 'Cooler 140 mm', partNumber: 'AE-140' }],
} satisfies CorrectableInvoice

export const adminScreens: Screen[] = [
  {
    name: 'overview',
    routes: ['/dashboard/overview'],
    user: 'admin',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/overview' },
      { name: 'empty', kind: 'empty', path: '/dashboard/overview', inEmptyShop: true },
      {
        name: 'half-loaded',
        kind: 'error',
        path: '/dashboard/overview',
        setUp: (page) => mockResponse(page, '**/api/overview/takings*', 500, serverErrorBody),
        interact: (page) => expectVisible(main(page).getByRole('button', { name: /again/i })),
      },
    ],
  },
  {
    name: 'all-users',
    routes: ['/dashboard/allusers'],
    user: 'admin',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/allusers' },
      { name: 'only-oneself', kind: 'empty', path: '/dashboard/allusers', inEmptyShop: true, user: 'admin', skipScreenshot: true },
      { name: 'nothing-found', kind: 'empty', path: '/dashboard/allusers?q=nobody' },
      {
        name: 'ask-to-remove',
        kind: 'full',
        path: '/dashboard/allusers',
        isOverlay: true,
        async interact(page, { accounts }) {
          await clickButton(page, `Remove User, ${accounts.newcomer.email}`)
          await expectVisible(page.getByRole('alertdialog'))
        },
      },
      {
        name: 'ask-to-make-admin',
        kind: 'full',
        path: '/dashboard/allusers',
        isOverlay: true,
        async interact(page, { accounts }) {
          await clickButton(page, `Make Admin, ${accounts.newcomer.email}`)
          await expectVisible(page.getByRole('alertdialog'))
        },
      },
      {
        name: 'with-removed',
        kind: 'full',
        path: '/dashboard/allusers',
        setUp: (page) =>
          mockResponse(page, '**/api/user/removed', 200, [
            { _id: 'one', email: 'former.colleague@shop.example', removedAt: '2026-09-03T04:05:00.000Z' },
          ]),
        interact: (page) => expectVisible(main(page).getByRole('button', { name: /^Bring Back, / })),
      },
      {
        name: 'limits-lifted',
        kind: 'full',
        path: '/dashboard/allusers',
        async setUp(page, { accounts: { newcomer } }) {
          let limitsLifted = false // the list is loaded again afterwards
          await page.route('**/api/user/limits/*', (route) => {
            limitsLifted = true
            return route.fulfill({ json: { _id: 'x', email: newcomer.email, role: 'customer', limitsLifted } })
          })
          await page.route('**/api/user/page*', async (route) => {
            const answer: { accounts: { email: string }[] } = await (await route.fetch()).json()
            const accounts = answer.accounts.map((account) => (account.email === newcomer.email ? { ...account, limitsLifted } : account))
            await route.fulfill({ json: { ...answer, accounts } })
          })
        },
        async interact(page, { accounts }) {
          await clickButton(page, `Lift limits, ${accounts.newcomer.email}`)
          await expectVisible(main(page).getByRole('button', { name: `Put limits back, ${accounts.newcomer.email}` }))
        },
      },
      {
        name: 'not-made-admin',
        kind: 'error',
        path: '/dashboard/allusers',
        setUp: (page) => mockResponse(page, '**/api/user/admin/*', 403, { message: 'Only admins may do this', code: 'forbidden' }),
        async interact(page, { accounts }) {
          await clickButton(page, `Make Admin, ${accounts.newcomer.email}`)
          await page.getByRole('button', { name: `Make ${accounts.newcomer.email} an admin` }).click()
          await expectVisible(main(page).getByText('Failed to make admin'))
        },
      },
      ...apiFailureStates('/dashboard/allusers'),
    ],
  },
  {
    name: 'changed-profiles',
    routes: ['/dashboard/changedprofiles'],
    user: 'admin',
    states: [
      {
        name: 'full',
        kind: 'full',
        path: '/dashboard/changedprofiles',
        setUp: (page, { accounts: { newcomer } }) =>
          mockResponse(page, '**/api/profile-changes*', 200, [
            {
              ...{ _id: 2, email: newcomer.email, by: 'colleague@shop.example', at: '2026-09-03T04:05:00.000Z' },
              before: { location: 'Leeds, United Kingdom', linkedIn: '' },
            },
            {
              ...{ _id: 1, email: newcomer.email, by: null, at: '2026-09-02T04:05:00.000Z' },
              before: { picture: '/drawings/avatar.svg', phone: '+44 113 496 0018' },
            },
          ]),
        interact: (page) => expectVisible(main(page).getByRole('button', { name: /^Put Back, / })),
      },
      { name: 'empty', kind: 'empty', path: '/dashboard/changedprofiles', inEmptyShop: true },
      {
        name: 'for-owners',
        kind: 'error',
        path: '/dashboard/changedprofiles',
        setUp: (page) =>
          mockResponse(page, '**/api/profile-changes*', 403, { message: 'This is for owners of the store only', code: 'forbidden' }),
        interact: (page) => expectVisible(main(page).getByText('Owners of the store see it')),
        skipScreenshot: true,
      },
      ...apiFailureStates('/dashboard/changedprofiles'),
    ],
  },
  {
    name: 'manage-products',
    routes: ['/dashboard/manageproducts'],
    user: 'admin',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/manageproducts' },
      { name: 'empty', kind: 'empty', path: '/dashboard/manageproducts', inEmptyShop: true },
      { name: 'nothing-found', kind: 'empty', path: '/dashboard/manageproducts?q=zzzzqqq' },
      {
        name: 'ask-to-delete',
        kind: 'full',
        path: '/dashboard/manageproducts',
        isOverlay: true,
        async interact(page) {
          await clickButton(page, /^Delete, /)
          await expectVisible(page.getByRole('alertdialog'))
        },
      },
      {
        name: 'not-deleted',
        kind: 'error',
        path: '/dashboard/manageproducts',
        isOverlay: true,
        async interact(page) {
          await mockResponse(page, '**/api/tools/*', 500, serverErrorBody)
          await clickButton(page, /^Delete, /)
          await page
            .getByRole('alertdialog')
            .getByRole('button', { name: /^Delete / })
            .click()
          await expectVisible(page.getByRole('alertdialog').getByRole('alert'))
        },
      },
      {
        name: 'with-removed',
        kind: 'full',
        path: '/dashboard/manageproducts',
        setUp: (page) =>
          mockResponse(page, '**/api/tools/removed', 200, [
            { _id: 'one', name: 'Bench vise 80 mm', price: 16, sku: 'N-0123456789AB', removedAt: '2026-09-03T04:05:00.000Z' },
          ]),
        interact: (page) => expectVisible(main(page).getByRole('button', { name: /^Bring Back, / })),
      },
      ...apiFailureStates('/dashboard/manageproducts'),
    ],
  },
  {
    name: 'manage-all-orders',
    routes: ['/dashboard/manageallorders'],
    user: 'admin',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/manageallorders' },
      { name: 'empty', kind: 'empty', path: '/dashboard/manageallorders', inEmptyShop: true },
      { name: 'nothing-found', kind: 'empty', path: '/dashboard/manageallorders?q=zzzzqqq' },
      ...apiFailureStates('/dashboard/manageallorders'),
    ],
  },
  {
    name: 'all-reviews',
    routes: ['/dashboard/reviews'],
    user: 'admin',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/reviews' },
      { name: 'empty', kind: 'empty', path: '/dashboard/reviews', inEmptyShop: true },
      {
        name: 'not-hidden',
        kind: 'error',
        path: '/dashboard/reviews',
        setUp: (page) => mockResponse(page, '**/api/reviews/*/hidden', 500, serverErrorBody),
        async interact(page) {
          await clickButton(page, /^Hide, /)
          await expectVisible(main(page).getByRole('alert'))
        },
      },
      ...apiFailureStates('/dashboard/reviews'),
    ],
  },
  {
    name: 'order',
    routes: ['/dashboard/order/:id'],
    user: 'admin',
    states: [
      { name: 'paid', kind: 'full', path: order('paid') },
      { name: 'partly-refunded', kind: 'full', path: order('partlyRefunded') },
      { name: 'unpaid', kind: 'full', path: order('open') },
      { name: 'refunded', kind: 'full', path: order('refunded'), skipScreenshot: true },
      { name: 'partly-sent', kind: 'full', path: ({ partlySent }) => `/dashboard/order/${partlySent._id}` },
      { name: 'held-back', kind: 'full', path: ({ heldBack }) => `/dashboard/order/${heldBack._id}`, skipScreenshot: true },
      { name: 'of-three', kind: 'full', path: ({ ordersOfThree }) => `/dashboard/order/${ordersOfThree.paid._id}` },
      {
        name: 'correct-invoice',
        kind: 'full',
        path: order('paid'),
        setUp: (page) => mockResponse(page, /\/documents\/corrections$/, 200, correctableInvoice),
        async interact(page) {
          await page.getByText('Correct the invoice').click()
          await expectVisible(page.getByRole('button', { name: 'Issue credit note and new invoice' }))
        },
      },
      {
        name: 'wrong-refund',
        kind: 'error',
        path: order('paid'),
        async interact(page) {
          await page.getByLabel('Amount').fill('12.505')
          await page.getByLabel('Pieces back into stock').fill('99')
          await clickButton(page, /^Refund/)
          await expectValidationError(page)
        },
      },
      {
        name: 'ask-to-refund',
        kind: 'full',
        path: order('paid'),
        isOverlay: true,
        async interact(page) {
          await clickButton(page, /^Refund/)
          await expectVisible(page.getByRole('alertdialog'))
        },
      },
      {
        name: 'refused-refund',
        kind: 'error',
        path: order('paid'),
        setUp: (page) =>
          mockResponse(page, /\/refund$/, 409, { message: 'Meanwhile $12.50 of this order have gone back', code: 'refunds_changed' }),
        async interact(page) {
          await clickButton(page, /^Refund/)
          await page
            .getByRole('alertdialog')
            .getByRole('button', { name: /^Refund/ })
            .click()
          await expectValidationError(page)
        },
      },
      ...apiFailureStates(order('paid')),
    ],
  },
  {
    name: 'add-a-product',
    routes: ['/dashboard/addatool'],
    user: 'admin',
    states: [
      { name: 'form', kind: 'full', path: '/dashboard/addatool' },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/dashboard/addatool',
        async interact(page) {
          await clickButton(page, 'Add')
          await expectValidationError(page)
        },
      },
      {
        name: 'added',
        kind: 'full',
        path: '/dashboard/addatool',
        setUp: (page) =>
          page.route('**/api/tools', (route) =>
            route.fulfill({ status: 201, json: { ...route.request().postDataJSON(), _id: crypto.randomUUID() } }),
          ),
        async interact(page) {
          await page.locator('#name').fill('Torx screwdriver, T8')
          await page.locator('#img').fill('/drawings/screwdriver.svg')
          await page.locator('#description').fill('With a magnetic tip and a turning cap.')
          for (const [field, figure] of [
            ['price', '7'],
            ['minimum_order_quantity', '10'],
            ['available_quantity', '400'],
          ])
            await page.locator(`#${field}`).fill(figure ?? '')
          await clickButton(page, 'Add')
          await expectVisible(main(page).getByText('order placed successfully'))
        },
      },
    ],
  },
  {
    name: 'prices',
    routes: ['/dashboard/prices'],
    user: 'admin',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/prices' },
      { name: 'none', kind: 'empty', path: '/dashboard/prices', inEmptyShop: true },
      { name: 'nothing-found', kind: 'empty', path: '/dashboard/prices?q=nothing+like+it', skipScreenshot: true },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/dashboard/prices',
        async interact(page) {
          for (const name of ['Add group', 'Set price', 'Add code']) await clickButton(page, name)
          await expectVisible(page.getByText('A code has 3 to 32 letters'))
        },
      },
      {
        name: 'ask-to-end',
        kind: 'full',
        path: '/dashboard/prices',
        isOverlay: true,
        async interact(page) {
          await clickButton(page, 'End, SPRING-10')
          await expectVisible(page.getByRole('alertdialog'))
        },
      },
      {
        name: 'ask-to-bring-back',
        kind: 'full',
        path: '/dashboard/prices',
        isOverlay: true,
        async interact(page) {
          await clickButton(page, 'Bring back, WELCOME')
          await expectVisible(page.getByRole('alertdialog'))
        },
      },
      ...apiFailureStates('/dashboard/prices'),
    ],
  },
  {
    name: 'import',
    routes: ['/dashboard/import'],
    user: 'admin',
    states: [
      { name: 'begin', kind: 'full', path: '/dashboard/import' },
      { name: 'first', kind: 'empty', path: '/dashboard/import', inEmptyShop: true },
      {
        name: 'found-wrong',
        kind: 'error',
        path: imported('wrong'),
        interact: (page) => main(page).getByText('Show the wrong rows one by one').click(),
      },
      { name: 'done', kind: 'full', path: imported('done') },
      { name: 'asks-for-stock', kind: 'full', path: imported('stock') },
      { name: 'no-file-of-parts', kind: 'error', path: imported('none') },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/dashboard/import',
        async interact(page) {
          await clickButton(page, 'Check the file')
          await expectVisible(page.getByText('Choose a file'))
        },
      },
      ...apiFailureStates('/dashboard/import'),
    ],
  },
  {
    name: 'update-product',
    routes: ['/instrument/:id'],
    user: 'admin',
    states: [
      { name: 'form', kind: 'full', path: ({ products }) => `/instrument/${products.inStock}` },
      {
        name: 'sent-empty',
        kind: 'error',
        path: ({ products }) => `/instrument/${products.inStock}`,
        async interact(page) {
          for (const label of ['Product Price', 'Minimum Order Quantity', 'Available Quantity']) await page.getByLabel(label).fill('')
          await clickButton(page, 'Update product')
          await expectValidationError(page)
        },
      },
      ...apiFailureStates(({ products }) => `/instrument/${products.inStock}`),
    ],
  },
  {
    name: 'outbox',
    routes: [], // a page of demo mode, see demo/outbox
    user: 'visitor',
    states: [
      { name: 'mails', kind: 'full', path: '/outbox' },
      {
        name: 'one-mail',
        kind: 'full',
        path: '/outbox',
        async interact(page, { orders }) {
          await page
            .getByRole('link', { name: `Receipt for order ${orders.paid.number}:` })
            .first()
            .click()
          await expectVisible(page.getByRole('heading', { level: 1, name: /^Receipt/ }))
        },
      },
      { name: 'empty', kind: 'empty', path: '/outbox', inEmptyShop: true },
    ],
  },
]
