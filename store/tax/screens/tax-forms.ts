import * as z from 'zod'
import { countriesByName } from '#shared/countries.ts'
import { numberInputSchema } from '#shared/whole-number.ts'
import { NewTaxRate, ratedClasses, TaxSettings } from '#store/tax/contract.ts'
import { parseRate } from '#store/tax/rate-text.ts'

/* The forms of the page Tax: what is typed is text. */

/** A field that may stay empty, which is null on the wire. */
export const emptyAsNull = <Schema extends z.ZodType<unknown, string>>(schema: Schema) =>
  z
    .string()
    .transform((text) => (text.trim() === '' ? null : text))
    .pipe(schema.nullable())

export const countryOptions = countriesByName().map(({ code, name }) => ({ value: code, label: name }))

/** Checks what a form has made of its fields by the schema of the contract, whose rules may be about several of them. */
export const withIssuesOf =
  (schema: z.ZodType) =>
  (value: unknown, { addIssue }: z.RefinementCtx): void => {
    for (const { path, message } of schema.safeParse(value).error?.issues ?? [])
      addIssue({ code: 'custom', path: path.slice(0, 1), message })
  }

const { country, state } = TaxSettings.shape
export const taxSettingsFormSchema = z
  .object({
    country: emptyAsNull(country.unwrap()),
    state: emptyAsNull(state.unwrap()),
    pricesIncludeTax: z.enum(['with', 'without']).transform((choice) => choice === 'with'),
  })
  .superRefine(withIssuesOf(TaxSettings))
export type TaxSettingsFormInput = z.input<typeof taxSettingsFormSchema>

export const taxRateFormSchema = z.object({
  country: NewTaxRate.shape.country,
  state: emptyAsNull(state.unwrap()),
  taxClass: z.enum(ratedClasses),
  ratePpm: numberInputSchema(NewTaxRate.shape.ratePpm, 'Enter a percentage, like 19 or 8.875', parseRate),
})
export type TaxRateFormInput = z.input<typeof taxRateFormSchema>
