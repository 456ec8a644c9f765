import * as z from 'zod'
import euVat from '#content/tax-rates/eu-vat.json' with { type: 'json' }
import usSalesTax from '#content/tax-rates/us-sales-tax.json' with { type: 'json' }
import { countrySchema, stateSchema } from '#shared/country-schema.ts'
import type { RatePpm } from './compute-tax.ts'
import type { TaxRate, TaxRateSet } from './contract.ts'

/** A file of `content/tax-rates`: percentages, as of a day, from a source. */
const RateFile = z.strictObject({
  name: z.string().min(1),
  date: z.iso.date(),
  source: z.string().min(1),
  note: z.string(),
  rates: z.array(
    z.strictObject({
      country: countrySchema,
      state: stateSchema.optional(),
      standard: z.number().min(0).max(100),
      reduced: z.number().min(0).max(100).optional(),
    }),
  ),
})

const toPpm = (percent: number): RatePpm => Math.round(percent * 10_000)

type LoadableSet = TaxRateSet & { rates: Omit<TaxRate, '_id'>[] }

const readSet = (key: string, file: unknown): LoadableSet => {
  const { rates, ...about } = RateFile.parse(file)
  return {
    ...about,
    key,
    countries: [...new Set(rates.map(({ country }) => country))],
    rates: rates.flatMap(({ country, state = null, standard, reduced }) => [
      { country, state, taxClass: 'standard' as const, ratePpm: toPpm(standard) },
      ...(reduced === undefined ? [] : [{ country, state, taxClass: 'reduced' as const, ratePpm: toPpm(reduced) }]),
    ]),
  }
}

/** What an owner can load as a start: none of it holds before. */
export const rateSets: LoadableSet[] = [readSet('eu-vat', euVat), readSet('us-sales-tax', usSalesTax)]
