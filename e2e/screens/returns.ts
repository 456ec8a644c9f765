import type { SeededShop } from '../seeded-shop.ts'
import { apiFailureStates, clickButton, expectValidationError, expectVisible, main, mockResponse, type Screen } from './screen.ts'

const returned = ({ returned: { number } }: SeededShop) => `/dashboard/returns?q=R${number}`

/** What admins do with returns. The buyer's part stands on the page of the order. */
export const returnScreens: Screen[] = [
  {
    name: 'returns',
    routes: ['/dashboard/returns'],
    user: 'admin',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/returns' },
      { name: 'to-send-again', kind: 'full', path: '/dashboard/returns?list=to+resend' },
      { name: 'empty', kind: 'empty', path: '/dashboard/returns', inEmptyShop: true },
      { name: 'not-found', kind: 'empty', path: '/dashboard/returns?q=R999999', skipScreenshot: true },
      ...apiFailureStates('/dashboard/returns'),
    ],
  },
  {
    name: 'return',
    routes: [],
    user: 'admin',
    states: [
      { name: 'arrived', kind: 'full', path: returned },
      { name: 'to-send-again', kind: 'full', path: ({ toResend: { number } }) => `/dashboard/returns?q=R${number}` },
      {
        name: 'wrong-input',
        kind: 'error',
        path: returned,
        async interact(page) {
          await page.getByLabel('Pieces', { exact: true }).fill('999')
          await clickButton(page, 'Decide')
          await expectValidationError(page)
        },
      },
      {
        name: 'refused',
        kind: 'error',
        path: returned,
        setUp: (page) =>
          mockResponse(page, /\/decisions$/, 409, {
            message: 'Meanwhile 1 piece of this return is decided: look at it again',
            code: 'return_changed',
          }),
        async interact(page) {
          await page.getByLabel('Outcome').selectOption('repair')
          await clickButton(page, 'Decide')
          await expectVisible(main(page).getByRole('alert'))
        },
      },
    ],
  },
  {
    name: 'ask-for-return',
    routes: [],
    user: 'customer',
    states: [
      {
        name: 'wrong-input',
        kind: 'error',
        path: ({ toResend: { orderId } }) => `/dashboard/myorder/${orderId}`,
        async interact(page) {
          await main(page).getByText('Ask for a return').click()
          await page.getByLabel(/^Pieces of .* to return$/).fill('1')
          await clickButton(page, 'Ask for the return')
          await expectValidationError(page)
        },
      },
    ],
  },
]
