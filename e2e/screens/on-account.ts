import type { Page } from '@playwright/test'
import { apiFailureStates, clickButton, expectVisible, mockResponse, type Screen } from './screen.ts'

/* Made up: in the shop of the other screens no company has credit. */

const id = '3f0e6c1a-54f1-4e1c-9d0b-1f7a4c1c2b01'
const byAge = { 'not invoiced': 45_000, 'not due': 120_000, '1-30': 30_990, '31-60': 0, '61-90': 0, 'over 90': 0 }
const receivable = {
  company: { _id: id, name: 'Analytical Engines', vatId: 'DE136695976' },
  credit: { limitCents: 500_000, dueDays: 30, note: 'Known for years' },
  ...{ owedCents: 195_990, overdueCents: 30_990, toGiveBackCents: 2500, byAge },
}
const none = Object.fromEntries(Object.keys(byAge).map((age) => [age, 0]))
const newCompany = {
  company: { _id: '3f0e6c1a-54f1-4e1c-9d0b-1f7a4c1c2b02', name: 'Babbage and Sons', vatId: null },
  credit: null,
  ...{ owedCents: 0, overdueCents: 0, toGiveBackCents: 0, byAge: none },
}
const list = { companies: [receivable, newCompany], next: null, total: { owedCents: 195_990, byAge }, reminderDays: 7 }
const invoice = {
  ...{ shipmentId: '3f0e6c1a-54f1-4e1c-9d0b-1f7a4c1c2b03', orderId: '3f0e6c1a-54f1-4e1c-9d0b-1f7a4c1c2b04', orderNumber: 1041, parcel: 1 },
  ...{ number: '2026-00017', sentOn: '2026-10-01', dueOn: '2026-10-31', daysOverdue: 26, totalCents: 40_990, openCents: 30_990 },
  ...{ remindedLevel: 1, remindedAt: '2026-11-08T09:00:00.000Z' },
}
const order = (nth: number, owedCents: number, toGiveBackCents: number) => ({
  ...{ _id: `3f0e6c1a-54f1-4e1c-9d0b-1f7a4c1c2b1${nth}`, number: 1040 + nth, placedAt: '2026-09-28T10:00:00.000Z', totalCents: 40_990 },
  ...{ creditedCents: 0, paidCents: 10_000, owedCents, toGiveBackCents },
})
const account = {
  ...receivable,
  invoices: [invoice],
  orders: [order(1, 30_990, 0), order(2, 165_000, 0), order(3, 0, 2500)],
  statement: {
    ...{ from: '2026-01-01', to: '2026-11-26', openingCents: 0, closingCents: 30_990 },
    entries: [
      { on: '2026-10-01', what: 'invoice', orderNumber: 1041, number: '2026-00017', cents: 40_990, balanceCents: 40_990 },
      { on: '2026-10-20', what: 'payment', orderNumber: 1041, number: null, cents: -10_000, balanceCents: 30_990 },
    ],
  },
  seller: 'Nucleus Trading GmbH\nInvalidenstraße 116\n10115 Berlin\nGermany\nVAT id DE136695976',
  bankAccount: { holder: 'Nucleus Trading GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', bankName: 'Commerzbank' },
  history: [{ limitCents: 500_000, dueDays: 30, note: 'Known for years', at: '2026-09-01T08:00:00.000Z', by: 'owner@store.example' }],
}

const withList = (page: Page) => mockResponse(page, '**/api/receivables', 200, list)
const withAccount = (page: Page) => mockResponse(page, `**/api/receivables/${id}*`, 200, account)

const { history, orders, credit, statement, seller, ...known } = account
const ownAccount = { ...known, credit: { limitCents: credit.limitCents, dueDays: credit.dueDays }, leftToOrderCents: 0 }
const ownStatement = { company: known.company, statement, seller, invoices: known.invoices, bankAccount: known.bankAccount }
const withOwnAccount = (page: Page) => mockResponse(page, '**/api/company/account', 200, { account: ownAccount })
const withOwnStatement = (page: Page) => mockResponse(page, '**/api/company/account/statement', 200, ownStatement)

export const onAccountScreens: Screen[] = [
  {
    name: 'receivables',
    routes: ['/dashboard/receivables'],
    user: 'admin',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/receivables', setUp: withList },
      { name: 'none', kind: 'empty', path: '/dashboard/receivables?q=nobody' },
      { name: 'company', kind: 'full', path: `/dashboard/receivables?company=${id}`, setUp: withAccount },
      { name: 'statement', kind: 'full', path: `/dashboard/receivables?company=${id}&paper=statement`, setUp: withAccount },
      {
        name: 'credit-sent-wrong',
        kind: 'error',
        path: `/dashboard/receivables?company=${id}`,
        setUp: withAccount,
        async interact(page) {
          await page.getByLabel('Days until an invoice is due').fill('91')
          await clickButton(page, 'Save what it may owe')
          await expectVisible(page.getByText('At most 90 days'))
        },
      },
      ...apiFailureStates('/dashboard/receivables'),
    ],
  },
  {
    name: 'own-account',
    routes: ['/dashboard/on-account'],
    user: 'customer',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/on-account', setUp: withOwnAccount },
      { name: 'none', kind: 'empty', path: '/dashboard/on-account' },
      { name: 'statement', kind: 'full', path: '/dashboard/on-account?paper=statement', setUp: withOwnStatement, skipScreenshot: true },
      ...apiFailureStates('/dashboard/on-account'),
    ],
  },
]
