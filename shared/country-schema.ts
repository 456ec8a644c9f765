import * as z from 'zod'
import { isCountry } from './countries.ts'

/** A country by its two letters, in upper or lower case: "de" is DE. */
export const countrySchema = z
  .string('Choose a country')
  .trim()
  .toUpperCase()
  .refine(isCountry, { error: ({ input }) => (input === '' ? 'Choose a country' : 'A country has two letters, such as DE or US') })

/** A state or province by its code, such as CA: one to three letters and digits, as in ISO 3166-2 without the country. */
export const stateSchema = z
  .string('Enter the code of a state')
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9]{1,3}$/, 'Enter the code of a state, such as CA')
