import type { SeededShop } from '../seeded-shop.ts'
import { apiFailureStates, clickButton, expectValidationError, expectVisible, main, mockResponse, type Screen } from './screen.ts'

const partlySent = (path: string) => (shop: SeededShop) => path.replace(':id', shop.partlySent._id)
const sendPath = partlySent('/dashboard/send/:id')

/** What admins pack and print. */
export const sendingScreens: Screen[] = [
  {
    name: 'to-send',
    routes: ['/dashboard/tosend'],
    user: 'admin',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/tosend' },
      { name: 'not-now', kind: 'full', path: '/dashboard/tosend?list=blocked' },
      { name: 'empty', kind: 'empty', path: '/dashboard/tosend', inEmptyShop: true },
      ...apiFailureStates('/dashboard/tosend'),
    ],
  },
  {
    name: 'send-order',
    routes: ['/dashboard/send/:id'],
    user: 'admin',
    states: [
      { name: 'partly-sent', kind: 'full', path: sendPath },
      { name: 'held-back', kind: 'full', path: ({ heldBack }) => `/dashboard/send/${heldBack._id}` },
      { name: 'nothing-left', kind: 'empty', path: ({ orders }) => `/dashboard/send/${orders.refunded._id}`, skipScreenshot: true },
      {
        name: 'wrong-input',
        kind: 'error',
        path: sendPath,
        async interact(page) {
          await page.getByLabel('Scan or type what goes into the parcel').fill('no such code')
          await page.getByLabel('Scan or type what goes into the parcel').press('Enter')
          await page.getByLabel(/^Pieces of/).fill('999')
          await page.getByLabel('Tracking number').fill('<script>')
          await clickButton(page, /^Send/)
          await expectValidationError(page)
        },
      },
      {
        name: 'refused',
        kind: 'error',
        path: sendPath,
        setUp: (page) =>
          mockResponse(page, /\/shipments$/, 409, { message: 'Nothing of 3 x Drill is left to send: 3 sent', code: 'more_than_left' }),
        async interact(page) {
          await clickButton(page, /^Send/)
          await expectVisible(main(page).getByRole('alert'))
        },
      },
      ...apiFailureStates(sendPath),
    ],
  },
  {
    name: 'tracking-numbers',
    routes: [],
    user: 'admin',
    states: [
      { name: 'begun', kind: 'empty', path: '/dashboard/tosend?paper=tracking-numbers' },
      {
        name: 'checked',
        kind: 'full',
        path: '/dashboard/tosend?paper=tracking-numbers',
        async interact(page) {
          await page.getByLabel('Or paste its rows').fill('order;tracking;carrier\n1;00340434161094015902;DHL\n#2;RX1;Pigeon\n;3')
          await clickButton(page, 'Check')
          await expectVisible(main(page).getByRole('table', { name: 'Rows of the file' }))
        },
      },
      {
        name: 'wrong-input',
        kind: 'error',
        path: '/dashboard/tosend?paper=tracking-numbers',
        async interact(page) {
          await page.getByLabel('Or paste its rows').fill('order;weight\n1;2')
          await clickButton(page, 'Check')
          await expectValidationError(page)
        },
      },
    ],
  },
  {
    name: 'pick-list',
    routes: [],
    user: 'admin',
    states: [
      {
        name: 'full',
        kind: 'full',
        path: ({ partlySent, orders, ordersOfThree }) =>
          `/dashboard/tosend?paper=pick-list&${[partlySent, orders.paid, ordersOfThree.paid].map(({ _id }) => `order=${_id}`).join('&')}`,
      },
      { name: 'empty', kind: 'empty', path: '/dashboard/tosend?paper=pick-list' },
      ...apiFailureStates(partlySent('/dashboard/tosend?paper=pick-list&order=:id')),
    ],
  },
  {
    name: 'packing-slips',
    routes: [],
    user: 'admin',
    states: [
      {
        name: 'full',
        kind: 'full',
        path: ({ orders, ordersOfThree }) =>
          `/dashboard/tosend?paper=packing-slips&order=${orders.paid._id}&order=${ordersOfThree.paid._id}`,
      },
      { name: 'of-a-parcel', kind: 'full', path: partlySent('/dashboard/tosend?paper=packing-slips&order=:id&parcel=1') },
      { name: 'empty', kind: 'empty', path: '/dashboard/tosend?paper=packing-slips', skipScreenshot: true },
      ...apiFailureStates(partlySent('/dashboard/tosend?paper=packing-slips&order=:id')),
    ],
  },
]
