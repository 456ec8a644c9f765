import type { Page } from '@playwright/test'
import { apiFailureStates, clickButton, expectValidationError, expectVisible, main, mockResponse, type Screen } from './screen.ts'

const [ada, grace] = ['Ada Byron', 'Grace Hopper']
const at = '2026-11-20T09:30:00.000Z'
const company = {
  _id: crypto.randomUUID(),
  name: 'Analytical Engines Ltd',
  vatId: 'DE136695976',
  foundedAt: at,
  role: 'manager',
  memberCount: 2,
}
const members = [
  { _id: 'a', name: ada, email: 'ada.byron@analytical-engines.example', role: 'manager', joinedAt: at, invitedBy: null, isSelf: true },
  { _id: 'b', name: grace, email: 'grace@hopper.example', role: 'member', joinedAt: at, invitedBy: ada, isSelf: false },
]
const invitations = [
  {
    _id: crypto.randomUUID(),
    email: 'ilse@vermeulen-laptopherstel.example',
    invitedBy: ada,
    invitedAt: at,
    expiresAt: '2026-11-27T09:30:00.000Z',
  },
]
const place = { line1: 'Invalidenstraße 116', line2: null, city: 'Berlin', country: 'DE', postalCode: '10115', state: null }
const addresses = [
  { _id: crypto.randomUUID(), label: 'Accounts', forDelivery: false, forInvoice: true, ...place, line2: 'Second floor' },
  { _id: crypto.randomUUID(), label: 'Warehouse', forDelivery: true, forInvoice: false, ...place },
]

/** The customer is in a company, as a manager unless said otherwise. */
async function inCompany(page: Page, { role = 'manager', verified = true } = {}) {
  await mockResponse(page, /\/api\/company$/, 200, { company: { ...company, role } })
  await mockResponse(page, /\/api\/company\/members$/, 200, {
    members: role === 'manager' ? members : members.map((member) => ({ ...member, isSelf: !member.isSelf })),
  })
  await mockResponse(page, /\/api\/company\/invitations$/, 200, { invitations })
  await mockResponse(page, /\/api\/company\/addresses$/, 200, { addresses })
  await mockResponse(page, /\/api\/auth\/verification$/, 200, { verified })
}

const link = `/company/invitations/${'0'.repeat(64)}`
const invitedAs = (page: Page, status: number, json: object) => mockResponse(page, /\/api\/company-invitations\//, status, json)

export const companyScreens: Screen[] = [
  {
    name: 'company',
    routes: ['/company'],
    user: 'customer',
    states: [
      { name: 'none', kind: 'empty', path: '/company' },
      { name: 'manager', kind: 'full', path: '/company', setUp: (page) => inCompany(page) },
      { name: 'member', kind: 'full', path: '/company', setUp: (page) => inCompany(page, { role: 'member' }) },
      {
        name: 'unverified',
        kind: 'full',
        path: '/company',
        skipScreenshot: true,
        setUp: (page) => inCompany(page, { verified: false }),
      },
      {
        name: 'new-address-sent-empty',
        kind: 'error',
        path: '/company',
        setUp: (page) => inCompany(page),
        async interact(page) {
          await clickButton(page, 'Add an address')
          await page.getByLabel('Country').selectOption('DE')
          await clickButton(page, 'Add address')
          await expectValidationError(page)
        },
      },
      {
        name: 'ask-to-remove',
        kind: 'full',
        path: '/company',
        isOverlay: true,
        setUp: (page) => inCompany(page),
        async interact(page) {
          await clickButton(page, /^Remove, grace/)
          await expectVisible(page.getByRole('alertdialog'))
        },
      },
      ...apiFailureStates('/company'),
    ],
  },
  {
    name: 'company-invitation',
    routes: ['/company/invitations/:id'],
    user: 'customer',
    states: [
      {
        name: 'open',
        kind: 'full',
        path: link,
        setUp: (page) => invitedAs(page, 200, { company: company.name, invitedBy: grace, expiresAt: '2026-11-27T09:30:00.000Z' }),
      },
      { name: 'used', kind: 'error', path: link, interact: (page) => expectVisible(main(page).getByText('was used, has ended')) },
      {
        name: 'unverified',
        kind: 'error',
        path: link,
        setUp: (page) => invitedAs(page, 409, { message: 'Verify your e-mail first', code: 'email_not_verified' }),
        interact: (page) => expectVisible(main(page).getByText('Verify your e-mail')),
      },
      {
        name: 'other-email',
        kind: 'error',
        path: link,
        setUp: (page) => invitedAs(page, 403, { message: 'This invitation was sent to another e-mail', code: 'other_email' }),
        interact: (page) => expectVisible(main(page).getByText('another e-mail')),
      },
      ...apiFailureStates(link),
    ],
  },
]
