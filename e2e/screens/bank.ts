import type { Page } from '@playwright/test'
import { apiFailureStates, clickButton, expectVisible, main, mockResponse, type Screen } from './screen.ts'

const account = { holder: 'Nucleus Trading GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', bankName: 'Commerzbank' }
const order = (number: number, more = {}) => ({
  ...{ number, _id: '0b0e7c0a-0000-4000-8000-000000000001', buyerName: 'Ada Byron, Analytical Engines', orderStatus: 'open' },
  ...{ totalCents: 12_900, dueCents: 12_900 },
  ...more,
})
const entry = (nth: number, more: object) => ({
  ...{ _id: `0b0e7c0a-0000-4000-8000-00000000010${nth}`, bookedOn: '2026-11-24', amountCents: 12_900, leftCents: 12_900 },
  ...{ payerName: 'Ada Byron', payerIban: 'DE02120300000000202051', text: 'RF401001', reason: null, order: null },
  ...{ proposals: [], assigned: [], setAsideNote: null },
  ...more,
})
const full = {
  entries: [
    entry(1, { amountCents: 10_000, leftCents: 10_000, reason: 'too little', order: order(1001) }),
    entry(2, { amountCents: 15_000, leftCents: 15_000, reason: 'too much', order: order(1001) }),
    entry(3, { reason: 'order ended', order: order(1001, { orderStatus: 'expired' }) }),
    entry(4, { reason: 'no reference', text: 'Thanks for the nice parts', proposals: [order(1001), order(1002)] }),
    entry(5, {
      text: '',
      payerName: '',
      payerIban: '',
      leftCents: 2100,
      assigned: [{ number: 1001, amountCents: 10_800, isRefund: false }],
      reason: 'paid already',
      order: order(1001, { dueCents: 0, orderStatus: 'placed' }),
    }),
  ],
  hasMore: true,
  counts: { waiting: 31, refunds: 2 },
  refunds: [
    {
      ...{ _id: '0b0e7c0a-0000-4000-8000-000000000201', orderNumber: 1003, amountCents: 2100 },
      payees: [{ name: 'Bob Boole', iban: 'DE02120300000000202051', amountCents: 2100 }],
      ...{ reference: 'RF831003', askedAt: '2026-11-24T10:00:00.000Z', note: 'Scratched' },
    },
    {
      ...{ _id: '0b0e7c0a-0000-4000-8000-000000000202', orderNumber: 1004, amountCents: 3000 },
      payees: [
        { name: 'Bob Boole', iban: 'DE02500105170137075030', amountCents: 100 },
        { name: '', iban: 'DE02120300000000202051', amountCents: 2000 },
        { name: 'Grace Hopper', iban: '', amountCents: 900 },
      ],
      ...{ reference: 'RF561004', askedAt: '2026-11-24T11:00:00.000Z', note: null },
    },
  ],
  account,
  askedByOwner: true,
}
const answering = (body: object) => (page: Page) => mockResponse(page, /\/api\/bank-entries/, 200, body)

export const bankScreens: Screen[] = [
  {
    name: 'bank',
    routes: ['/dashboard/bank'],
    user: 'admin',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/bank', setUp: answering(full) },
      { name: 'no-account', kind: 'empty', path: '/dashboard/bank' },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/dashboard/bank',
        setUp: answering({ ...full, entries: [], refunds: [], hasMore: false }),
        async interact(page) {
          await clickButton(page, 'Import the statement')
          await expectVisible(page.getByText('Choose a file'))
        },
      },
      {
        name: 'refused',
        kind: 'error',
        path: '/dashboard/bank',
        async setUp(page) {
          await answering(full)(page)
          await mockResponse(page, /\/decision$/, 409, {
            message: 'Of this entry $21 is left to be assigned: look at it again',
            code: 'entry_assigned',
          })
        },
        async interact(page) {
          await clickButton(page, /^Book it and ask/)
          await expectVisible(main(page).getByRole('alert'))
        },
      },
      ...apiFailureStates('/dashboard/bank'),
    ],
  },
]
