import * as z from 'zod'
import { countrySchema, stateSchema } from '#shared/country-schema.ts'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { formatNumber } from '#shared/format-number.ts'
import { wholeNumberSchema } from '#shared/whole-number.ts'

const tags = ['Tax']

/** The most rates that the shop has: every call answers all of them. */
export const maxTaxRates = 1000
/** Classes that have a rate: products of the class `zero` are not taxed. */
export const ratedClasses = ['standard', 'reduced'] as const

export const TaxSettings = z
  .object({
    country: countrySchema.nullable().meta({ description: 'where the shop is; null: nothing is taxed' }),
    state: stateSchema.nullable(),
    pricesIncludeTax: z.boolean().meta({ description: 'of products and of delivery' }),
  })
  .refine(({ country, state }) => country !== null || state === null, { message: 'Choose the country of the state', path: ['country'] })
export type TaxSettings = z.infer<typeof TaxSettings>

export const TaxRate = z
  .object({
    _id: z.uuid(),
    country: z.string(),
    state: z.string().nullable().meta({ description: 'null: of the whole country, where its state has no rate of its own' }),
    taxClass: z.enum(ratedClasses),
    ratePpm: z.int().meta({ description: 'parts per million of the net price: 88750 is 8.875 %' }),
  })
  .meta({ id: 'TaxRate' })
export type TaxRate = z.infer<typeof TaxRate>

export const ratePpm = wholeNumberSchema('Enter a rate', (number) =>
  number.min(0, 'At least 0 %').max(1_000_000, `At most ${formatNumber(100)} %`),
)

export const NewTaxRate = z.object({
  country: countrySchema,
  state: stateSchema.nullish().meta({ description: 'none: of the whole country' }),
  taxClass: z.enum(ratedClasses, 'Choose a class'),
  ratePpm: ratePpm.meta({ description: 'parts per million of the net price: 88750 is 8.875 %' }),
})

export const TaxRateSet = z
  .object({
    key: z.string(),
    name: z.string(),
    date: z.iso.date().meta({ description: 'as of' }),
    source: z.string(),
    note: z.string(),
    countries: z.array(z.string()),
  })
  .meta({ id: 'TaxRateSet' })
export type TaxRateSet = z.infer<typeof TaxRateSet>

export const showTax = {
  method: 'GET',
  url: '/tax',
  schema: {
    tags,
    summary: 'Where the shop is, the rates that it has set, and the sets of rates that can be loaded (admins)',
    security: bearerAuth,
    response: {
      200: z.object({ settings: TaxSettings, rates: z.array(TaxRate), sets: z.array(TaxRateSet) }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint

export const changeTaxSettings = {
  method: 'PUT',
  url: '/tax/settings',
  schema: {
    tags,
    summary: 'Say where the shop is, and whether prices contain tax (admins)',
    security: bearerAuth,
    body: TaxSettings,
    response: { 200: TaxSettings, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const setTaxRate = {
  method: 'POST',
  url: '/tax/rates',
  schema: {
    tags,
    summary: 'Set the rate of a country or state for a class, over the one before (admins)',
    description: 'Without a rate for the class `reduced` the standard one holds for it.',
    security: bearerAuth,
    body: NewTaxRate,
    response: { 201: TaxRate, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const removeTaxRate = {
  method: 'DELETE',
  url: '/tax/rates/:id',
  schema: {
    tags,
    summary: 'Remove a rate (admins)',
    security: bearerAuth,
    params: z.object({ id: z.uuid('There is no such rate') }),
    response: { 200: z.object({ deletedCount: z.int() }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const loadTaxRates = {
  method: 'POST',
  url: '/tax/rate-sets',
  schema: {
    tags,
    summary: 'Load a set of rates, all of it or those of one country (admins)',
    description: 'Rates that are set already stay as they are.',
    security: bearerAuth,
    body: z.object({
      set: z.string('Choose a set').trim().max(40).meta({ description: '`key` of a set' }),
      country: countrySchema.nullish().meta({ description: 'none: all of the set' }),
    }),
    response: { 200: z.object({ added: z.int(), kept: z.int() }), default: ErrorResponse },
  },
} as const satisfies Endpoint
