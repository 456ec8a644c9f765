import type { Page } from '@playwright/test'
import { apiFailureStates, clickButton, expectVisible, main, mockResponse, type Screen } from './screen.ts'

/*
 * What is set is made up here: in the shop of the other screens neither tax nor delivery is set up, so that theirs say nothing of either.
 */

const rate = (country: string, ratePpm: number, taxClass = 'standard', state: string | null = null) => ({
  ...{ _id: crypto.randomUUID(), country, state, taxClass, ratePpm },
})
const set = (key: string, name: string, countries: string[]) => ({
  ...{ key, name, countries, date: '2026-11-01', source: 'European Commission, Taxes in Europe Database' },
  note: 'Of several reduced rates of a country the one for most goods.',
})
const taxOfGermanShop = {
  settings: { country: 'DE', state: null, pricesIncludeTax: true },
  rates: [
    ...[rate('AT', 200_000), rate('AT', 100_000, 'reduced'), rate('DE', 190_000), rate('DE', 70_000, 'reduced')],
    rate('US', 88_750, 'standard', 'NY'),
  ],
  sets: [set('eu-vat', 'VAT rates of the European Union', ['AT', 'DE']), set('us-sales-tax', 'Sales tax of the states of the USA', ['US'])],
}

const [centralEurope, islands] = [crypto.randomUUID(), crypto.randomUUID()]
const parcel = {
  ...{ _id: crypto.randomUUID(), zoneId: centralEurope, name: 'Parcel', carrier: 'DHL', pricedBy: 'weight', freeFromCents: 15_000 },
  steps: [
    { upTo: 2000, priceCents: 490 },
    { upTo: 31_500, priceCents: 990 },
  ],
  ...{ daysFrom: 1, daysTo: 2, cutOff: '14:00', handlingDays: 0, notForCategories: ['monitor'] },
}
const freight = {
  ...{ ...parcel, _id: crypto.randomUUID(), name: 'Freight', carrier: null, freeFromCents: null, notForCategories: [] },
  ...{ steps: [{ upTo: null, priceCents: 4900 }], daysFrom: 3, daysTo: 5, cutOff: null, handlingDays: 1 },
}
const deliveryOfGermanShop = {
  settings: {
    ...{ timeZone: 'Europe/Berlin', unknownWeightGrams: 500 },
    ...{ assumedDeliveryDays: 5, assumedDeliveryDaysAbroad: 21, withdrawalEverywhere: false },
  },
  zones: [
    { _id: centralEurope, name: 'Central Europe', countries: ['DE', 'AT'], states: [], postalPrefixes: [], methods: [freight, parcel] },
    { _id: islands, name: 'Islands', countries: ['DE'], states: [], postalPrefixes: ['25849', '27498'], methods: [] },
  ],
  holidays: [
    { day: '2026-12-25', name: 'Christmas Day' },
    { day: '2027-01-01', name: 'New Year' },
  ],
  categories: [{ key: 'monitor', label: 'Monitors' }],
}

const method = ({ _id: methodId, name, carrier }: Pick<typeof freight, '_id' | 'name'> & { carrier: string | null }) => ({
  ...{ methodId, name, carrier, earliest: '2026-11-27', latest: '2026-11-30' },
})
const tax = (net: number, taxCents: number) => ({
  ...{ kind: 'domestic', sentence: null, netCents: net, taxCents },
  byRate: [{ ratePpm: 190_000, netCents: net, taxCents }],
})
const preview = {
  lines: [
    {
      ...{ sku: 'NP-0016', name: 'Hakko CHP-170 micro cutters, flush cut', quantity: 25, unitPriceCents: 700, totalCents: 17_500 },
      ...{ taxClass: 'standard', weightGrams: 200 },
    },
  ],
  ...{ goodsCents: 17_500, pricesIncludeTax: true, vatIdCountry: null },
  refusals: [{ code: 'too_heavy', message: 'Letter: up to 1 kg, and this weighs 5 kg' }],
  totals: [
    { method: method(parcel), deliveryCents: 0, tax: tax(14_706, 2794), totalCents: 17_500 },
    { method: method(freight), deliveryCents: 4900, tax: tax(18_824, 3576), totalCents: 22_400 },
  ],
}

const setUp = (page: Page) =>
  Promise.all([
    mockResponse(page, '**/api/tax', 200, taxOfGermanShop),
    mockResponse(page, '**/api/delivery', 200, deliveryOfGermanShop),
    mockResponse(page, '**/api/cost-preview', 200, preview),
  ])

async function askForCost(page: Page) {
  await page.getByLabel('Products and pieces, a line each').fill('NP-0016 25')
  await page.getByLabel('To', { exact: true }).selectOption('Germany')
  await clickButton(page, 'Show what it costs')
  await expectVisible(page.getByRole('heading', { name: 'To Germany' }))
}

export const taxAndDeliveryScreens: Screen[] = [
  {
    name: 'tax',
    routes: ['/dashboard/tax'],
    user: 'admin',
    states: [
      { name: 'full', kind: 'full', path: '/dashboard/tax', setUp, interact: askForCost },
      { name: 'nothing-said', kind: 'empty', path: '/dashboard/tax' },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/dashboard/tax',
        async interact(page) {
          for (const name of ['Set rate', 'Show what it costs']) await clickButton(page, name)
          await expectVisible(page.getByText('Enter a product'))
        },
      },
      ...apiFailureStates('/dashboard/tax'),
    ],
  },
  {
    name: 'delivery',
    routes: ['/dashboard/delivery'],
    user: 'admin',
    states: [
      {
        name: 'full',
        kind: 'full',
        path: '/dashboard/delivery',
        setUp,
        async interact(page) {
          await main(page).getByText('Change Parcel, Central Europe').click()
          await askForCost(page)
        },
      },
      { name: 'nothing-said', kind: 'empty', path: '/dashboard/delivery' },
      {
        name: 'sent-empty',
        kind: 'error',
        path: '/dashboard/delivery',
        setUp,
        async interact(page) {
          await main(page).getByText('Add a method to Central Europe').click()
          for (const name of ['Add method to Central Europe', 'Add zone', 'Set holiday', 'Show what it costs'])
            await clickButton(page, name)
          await expectVisible(page.getByText('Enter a product'))
        },
      },
      {
        name: 'ask-to-remove',
        kind: 'full',
        path: '/dashboard/delivery',
        isOverlay: true,
        setUp,
        async interact(page) {
          await clickButton(page, 'Remove zone Central Europe')
          await expectVisible(page.getByRole('alertdialog'))
        },
      },
      {
        name: 'none-fits',
        kind: 'error',
        path: '/dashboard/delivery',
        skipScreenshot: true,
        async setUp(page) {
          await setUp(page)
          await mockResponse(page, '**/api/cost-preview', 200, { ...preview, totals: [] })
        },
        async interact(page) {
          await askForCost(page)
          await expectVisible(page.getByText('No method of delivery fits'))
        },
      },
      ...apiFailureStates('/dashboard/delivery'),
    ],
  },
]
