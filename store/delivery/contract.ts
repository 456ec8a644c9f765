import * as z from 'zod'
import { countrySchema, stateSchema } from '#shared/country-schema.ts'
import { daySchema } from '#shared/day.ts'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { formatNumber } from '#shared/format-number.ts'
import { formatCents } from '#shared/money.ts'
import { requiredTextSchema } from '#shared/required-text.ts'
import { wholeNumberSchema } from '#shared/whole-number.ts'
import { maxCardPaymentCents } from '#store/catalogue/settle-quantity.ts'
import { normalizePostalCode, pricedBy } from './delivery-options.ts'
import { ChangedDeliverySettings, DeliverySettings } from './settings-contract.ts'

const tags = ['Delivery']

/** Every call answers all of them. */
export const deliveryLimits = {
  zones: 100,
  methodsOfZone: 20,
  holidays: 400,
  steps: 20,
  days: 90,
  placesOfZone: 300,
  maxGrams: 1_000_000_000,
}
const name = requiredTextSchema('Enter a name', 80)

const distinct = <Item>(items: Item[]): Item[] => [...new Set(items)]

const listOf = (item: z.ZodType<string, string>) =>
  z.array(item).max(deliveryLimits.placesOfZone, `At most ${deliveryLimits.placesOfZone}`).transform(distinct)

const postalPrefix = z
  .string()
  .trim()
  .max(20, { error: 'A beginning of a postal code', abort: true })
  .transform(normalizePostalCode)
  .refine((text) => /^[A-Z0-9]{1,10}$/.test(text), 'A beginning of a postal code has 1 to 10 letters and digits')

export const NewDeliveryZone = z
  .object({
    name,
    countries: listOf(countrySchema).meta({ description: 'none: everywhere' }),
    states: listOf(stateSchema).meta({ description: 'none: all; only of a zone of one country' }),
    postalPrefixes: listOf(postalPrefix).meta({ description: 'how postal codes begin; none: all; only of a zone of one country' }),
  })
  .refine(({ countries, states }) => states.length === 0 || countries.length === 1, {
    message: 'States are for a zone of one country',
    path: ['states'],
  })
  .refine(({ countries, postalPrefixes }) => postalPrefixes.length === 0 || countries.length === 1, {
    message: 'Postal codes are for a zone of one country',
    path: ['postalPrefixes'],
  })

const amountCents = (required: string) =>
  wholeNumberSchema(required, (number) =>
    number.min(0, 'Not below 0').max(maxCardPaymentCents, { error: () => `At most ${formatCents(maxCardPaymentCents)}` }),
  )

const PriceStep = z.object({
  upTo: z
    .int('Enter a whole number')
    .min(1, 'Steps begin above 0')
    .max(deliveryLimits.maxGrams, `At most ${formatNumber(deliveryLimits.maxGrams)}`)
    .nullable()
    .meta({ description: 'grams, or cents of goods after reductions; null: any more' }),
  priceCents: amountCents('Enter a price'),
})
type PriceStep = z.infer<typeof PriceStep>

const isRising = (steps: PriceStep[]): boolean =>
  steps.every(({ upTo }, nth) => nth === 0 || (upTo ?? Number.POSITIVE_INFINITY) > (steps[nth - 1]?.upTo ?? Number.POSITIVE_INFINITY))

const days = (what: string) =>
  wholeNumberSchema(`Enter a whole number of ${what}`, (number) =>
    number.min(0, 'At least 0 days').max(deliveryLimits.days, `At most ${deliveryLimits.days} days`),
  )

const cutOff = z
  .string()
  .trim()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time of day such as 14:00')

export const NewDeliveryMethod = z
  .object({
    name,
    carrier: z.string().trim().min(1, 'Enter a name').max(80, 'At most 80 characters').nullable(),
    pricedBy: z.enum(pricedBy, 'Choose what the price depends on'),
    steps: z
      .array(PriceStep)
      .min(1, 'Enter a price')
      .max(deliveryLimits.steps, `At most ${deliveryLimits.steps} steps`)
      .refine(isRising, 'Each step goes further than the one before'),
    freeFromCents: amountCents('Enter an amount').nullable().meta({ description: 'of goods after reductions; null: never' }),
    daysFrom: days('days').meta({ description: 'working days from sending to arrival, at least' }),
    daysTo: days('days').meta({ description: 'at most' }),
    cutOff: cutOff.nullable().meta({ description: "in the shop's time zone: an order before it is handled on its day; null: of any time" }),
    handlingDays: days('days').meta({ description: 'working days from the order to sending' }),
    notForCategories: z.array(z.string().trim().min(1).max(100)).max(100, 'At most 100 categories').transform(distinct),
  })
  .refine(({ daysFrom, daysTo }) => daysFrom <= daysTo, { message: 'At most must not be less than at least', path: ['daysTo'] })

export const DeliveryMethod = z
  .object({
    _id: z.uuid(),
    zoneId: z.uuid(),
    name: z.string(),
    carrier: z.string().nullable(),
    pricedBy: z.enum(pricedBy),
    steps: z.array(PriceStep),
    freeFromCents: z.int().nullable(),
    daysFrom: z.int(),
    daysTo: z.int(),
    cutOff: z.string().nullable(),
    handlingDays: z.int(),
    notForCategories: z.array(z.string()),
  })
  .meta({ id: 'DeliveryMethod' })
export type DeliveryMethod = z.infer<typeof DeliveryMethod>

export const DeliveryZone = z
  .object({
    _id: z.uuid(),
    name: z.string(),
    countries: z.array(z.string()),
    states: z.array(z.string()),
    postalPrefixes: z.array(z.string()),
    methods: z.array(DeliveryMethod),
  })
  .meta({ id: 'DeliveryZone' })
export type DeliveryZone = z.infer<typeof DeliveryZone>

const firstHoliday = '2020-01-01'
export const Holiday = z.object({ day: daySchema(firstHoliday), name })
export type Holiday = z.infer<typeof Holiday>

const ZoneId = z.object({ id: z.uuid('There is no such zone') })
const MethodId = z.object({ id: z.uuid('There is no such method') })
const Removed = z.object({ deletedCount: z.int() })

export const showDelivery = {
  method: 'GET',
  url: '/delivery',
  schema: {
    tags,
    summary: 'Zones with their methods, holidays, and what holds for all deliveries (admins)',
    security: bearerAuth,
    response: {
      200: z.object({
        settings: DeliverySettings,
        zones: z.array(DeliveryZone),
        holidays: z.array(z.object({ day: z.string(), name: z.string() })),
        categories: z.array(z.object({ key: z.string(), label: z.string() })),
      }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint

export const changeDeliverySettings = {
  method: 'PUT',
  url: '/delivery/settings',
  schema: {
    tags,
    summary:
      'Set the time zone of the shop, the weight of products whose own is not known, when parcels count as delivered, and who may withdraw (admins)',
    security: bearerAuth,
    body: ChangedDeliverySettings,
    response: { 200: DeliverySettings, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const addDeliveryZone = {
  method: 'POST',
  url: '/delivery/zones',
  schema: {
    tags,
    summary: 'Add a zone (admins)',
    description:
      'Of several zones that contain a place the most specific one holds: one with its postal code before one with its state, its country and everywhere. A zone without methods is not delivered to.',
    security: bearerAuth,
    body: NewDeliveryZone,
    response: { 201: DeliveryZone, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const updateDeliveryZone = {
  method: 'PUT',
  url: '/delivery/zones/:id',
  schema: {
    tags,
    summary: 'Change the name and the places of a zone (admins)',
    security: bearerAuth,
    params: ZoneId,
    body: NewDeliveryZone,
    response: { 200: DeliveryZone, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const removeDeliveryZone = {
  method: 'DELETE',
  url: '/delivery/zones/:id',
  schema: {
    tags,
    summary: 'Remove a zone and its methods (admins)',
    security: bearerAuth,
    params: ZoneId,
    response: { 200: Removed, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const addDeliveryMethod = {
  method: 'POST',
  url: '/delivery/zones/:id/methods',
  schema: {
    tags,
    summary: 'Add a method to a zone (admins)',
    security: bearerAuth,
    params: ZoneId,
    body: NewDeliveryMethod,
    response: { 201: DeliveryMethod, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const updateDeliveryMethod = {
  method: 'PUT',
  url: '/delivery/methods/:id',
  schema: {
    tags,
    summary: 'Change a method (admins)',
    description: 'Orders that were placed keep the price and the days that they were told.',
    security: bearerAuth,
    params: MethodId,
    body: NewDeliveryMethod,
    response: { 200: DeliveryMethod, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const removeDeliveryMethod = {
  method: 'DELETE',
  url: '/delivery/methods/:id',
  schema: {
    tags,
    summary: 'Remove a method (admins)',
    security: bearerAuth,
    params: MethodId,
    response: { 200: Removed, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const setHoliday = {
  method: 'POST',
  url: '/delivery/holidays',
  schema: {
    tags,
    summary: 'Set a day on which nothing is sent and nothing arrives, over the name it has (admins)',
    security: bearerAuth,
    body: Holiday,
    response: { 201: Holiday, default: ErrorResponse },
  },
} as const satisfies Endpoint

const noSuchHoliday = 'There is no such holiday'

export const removeHoliday = {
  method: 'DELETE',
  url: '/delivery/holidays/:day',
  schema: {
    tags,
    summary: 'Remove a holiday (admins)',
    security: bearerAuth,
    params: z.object({ day: z.iso.date(noSuchHoliday).refine((day) => day >= firstHoliday, noSuchHoliday) }),
    response: { 200: Removed, default: ErrorResponse },
  },
} as const satisfies Endpoint
