import type { Page } from '@playwright/test'
import { apiFailureStates, clickButton, expectVisible, mockResponse, type Screen } from './screen.ts'

/** Made up: in the shop of the other screens nobody has said who sells. */
const seller = {
  ...{ name: 'Nucleus Trading GmbH', country: 'DE', line1: 'Invalidenstraße 116', city: 'Berlin', postalCode: '10115' },
  ...{ vatId: 'DE136695976', email: 'invoices@shop.example', registration: 'Amtsgericht Charlottenburg, HRB 1815' },
}

const months = [
  { month: '2026-11', invoices: 1204, creditNotes: 31, withoutFiles: 2 },
  { month: '2026-10', invoices: 980, creditNotes: 0, withoutFiles: 0 },
]

const withoutVatId = {
  ...{ seller: { ...seller, vatId: undefined, taxNumber: '30/123/45678' }, waiting: 0, withoutVatId: 3 },
  ordersWithoutVatId: [1041, 1077].map((number) => ({ _id: '00000000-0000-4000-8000-000000000000', number })),
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
        async setUp(page: Page) {
          await mockResponse(page, '**/api/seller', 200, { seller, waiting: 0, withoutVatId: 0, ordersWithoutVatId: [] })
          await mockResponse(page, '**/api/documents/months', 200, { months })
        },
      },
      {
        name: 'without-vat-id',
        kind: 'full',
        path: '/dashboard/seller',
        setUp: (page: Page) => mockResponse(page, '**/api/seller', 200, withoutVatId),
        skipScreenshot: true,
      },
      {
        name: 'not-loaded',
        kind: 'error',
        path: '/dashboard/seller',
        skipScreenshot: true,
        async setUp(page: Page) {
          await mockResponse(page, '**/api/documents/months', 200, { months })
          await mockResponse(page, '**/api/documents/archive*', 429, { message: 'The documents of a month are being loaded already' })
        },
        async interact(page) {
          await clickButton(page, 'ZIP of Nov 2026')
          await expectVisible(page.getByText('Nothing was loaded.'))
        },
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
