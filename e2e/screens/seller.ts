import type { Page } from '@playwright/test'
import { apiFailureStates, clickButton, expectVisible, mockResponse, type Screen } from './screen.ts'

/** Made up: in the shop of the other screens nobody has said who sells. */
const seller = {
  ...{ name: 'Nucleus Trading GmbH', country: 'DE', line1: 'Invalidenstraße 116', city: 'Berlin', postalCode: '10115' },
  ...{ vatId: 'DE136695976', email: 'invoices@shop.example', registration: 'Amtsgericht Charlottenburg, HRB 1815' },
}

export const sellerScreens: Screen[] = [
  {
    name: 'seller',
    routes: ['/dashboard/seller'],
    user: 'admin',
    states: [
      {
        name: 'full',
        kind: 'full',
        path: '/dashboard/seller',
        setUp: (page: Page) => mockResponse(page, '**/api/seller', 200, { seller, waiting: 0 }),
      },
      { name: 'nothing-said', kind: 'empty', path: '/dashboard/seller' },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/dashboard/seller',
        async interact(page) {
          await clickButton(page, 'Save')
          await expectVisible(page.getByText('Enter the name of the business'))
        },
      },
      ...apiFailureStates('/dashboard/seller'),
    ],
  },
]
