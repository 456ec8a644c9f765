import * as z from 'zod'
import { formatNumber } from '#shared/format-number.ts'
import { amountToCents, formatCents } from '#shared/money.ts'
import { wholeNumberSchema } from '#shared/whole-number.ts'
import { Incoming, NewProduct, priceBreaks, productLimits } from '#store/catalogue/contract.ts'
import { parsePriceBreaks } from '#store/catalogue/price-breaks-text.ts'
import type { StoredPriceBreak } from '#store/catalogue/table.ts'
import { taxClasses } from '#store/catalogue/tax-class.ts'
import type { ProductFileColumn } from './contract.ts'

/** Validation rule of a column. */
type ColumnRule = {
  schema: z.ZodType<StagedValue>
  /** expected format, for values of another type */
  expectedFormat: string
  /** what is expected of a value of this type, if that is more than its format; as it follows "expected" in reports. Schemas speak to forms. */
  expectedRange?: () => string
  /** what is staged for an empty cell and for null, which clear the field; in other columns they are errors */
  cleared?: StagedValue
}
/** A value of the staging table; `cleared` of a column is the one that clears the field of a product. */
export type StagedValue = string | number | StoredPriceBreak[] | Partial<Incoming>

const textSchema = (maxCharacters: number) => {
  const required = `a text of at most ${maxCharacters} characters`
  return z.string(required).trim().min(1, required).max(maxCharacters, `at most ${maxCharacters} characters`)
}
const wholeNumberFormat = 'a whole number in digits only, without signs, points and spaces between'
const priceFormat = 'an amount in digits, with at most two decimals, such as 12 or 12.35, without signs, commas and spaces between'
const textFormat = 'a text; in JSON it stands in quotes'
const priceBreaksFormat =
  'quantities and prices, such as 25: 11.30; 100: 10.83, or in JSON a list such as [{"min_quantity": 25, "price": 11.3}]'
const incomingFormat = 'pieces and a day, such as 200 on 2026-12-12, or in JSON {"quantity": 200, "date": "2026-12-12"}'

const priceBreaksSchema = z
  .preprocess((found) => (typeof found === 'string' ? (parsePriceBreaks(found) ?? found) : found), priceBreaks)
  .transform((breaks) => breaks.map(({ min_quantity, price }): StoredPriceBreak => ({ min_quantity, price_cents: amountToCents(price) })))

const incomingSchema = z.preprocess(
  (found) => {
    const [, quantity, date] = typeof found === 'string' ? (/^\s*(\d+) on (\S+)\s*$/.exec(found) ?? []) : []
    return quantity ? { quantity: Number(quantity), date } : found
  },
  Incoming.extend({
    quantity: z.int(incomingFormat).min(1, incomingFormat).max(productLimits.maxQuantity, incomingFormat),
    date: z.iso.date(incomingFormat),
  }),
)

const wholeNumberFrom = (min: number) => () => `a whole number from ${min} to ${formatNumber(productLimits.maxQuantity)}`
const priceRange = () => `an amount from ${formatCents(1)} to ${formatCents(amountToCents(productLimits.maxPrice))}`
const priceBreaksRange = () =>
  `at most ${productLimits.maxPriceBreaks} price breaks, from 2 pieces on, each at more pieces and at a lower price than the one before, with prices from ${formatCents(1)} on`
const textOfAtMost = (maxCharacters: number) => () => `a text of at most ${maxCharacters} characters`
const addressFormat = () => 'an address that begins with https:// or /, of at most 2000 characters'

const weightFormat = `a whole number of grams, from 1 to ${productLimits.maxWeightGrams}`
const weightSchema = wholeNumberSchema(weightFormat, (number) =>
  number.min(1, weightFormat).max(productLimits.maxWeightGrams, weightFormat),
)

const gtinFormat = 'a GTIN: 8, 12, 13 or 14 digits of which the last is the check digit'
/** The digits are weighted 3 and 1 in turn, from the right; together they are a multiple of 10 (GS1 General Specifications, 7.9). */
const hasCheckDigit = (gtin: string) =>
  [...gtin].reverse().reduce((sum, digit, place) => sum + Number(digit) * (place % 2 === 0 ? 1 : 3), 0) % 10 === 0
const gtinSchema = z
  .string(gtinFormat)
  .trim()
  .regex(/^(\d{8}|\d{12,14})$/, gtinFormat)
  .refine(hasCheckDigit, gtinFormat)

const hsCodeFormat = 'a code of the Harmonized System: 6 to 10 digits'
const hsCodeSchema = z
  .string(hsCodeFormat)
  .trim()
  .regex(/^\d{6,10}$/, hsCodeFormat)
const countryFormat = 'the two letters of a country, such as DE'
const countrySchema = z
  .string(countryFormat)
  .trim()
  .regex(/^[A-Z]{2}$/, countryFormat)

const taxClassFormat = `one of ${taxClasses.join(', ')}`
const taxClassSchema = z.string(taxClassFormat).trim().toLowerCase().pipe(z.enum(taxClasses, taxClassFormat))

/** Same rules as for a product added in the form; an import may leave out more fields. */
export const columnRules: Record<Exclude<ProductFileColumn, 'specs'>, ColumnRule> = {
  sku: { schema: textSchema(100), expectedFormat: textFormat },
  name: { schema: NewProduct.shape.name, expectedFormat: textFormat, expectedRange: textOfAtMost(200) },
  brand: { schema: textSchema(200), expectedFormat: textFormat, cleared: '' },
  mpn: { schema: textSchema(200), expectedFormat: textFormat, cleared: '' },
  category: { schema: textSchema(100), expectedFormat: textFormat, cleared: '' },
  description: { schema: NewProduct.shape.description, expectedFormat: textFormat, expectedRange: textOfAtMost(5000), cleared: '' },
  img: { schema: NewProduct.shape.img, expectedFormat: textFormat, expectedRange: addressFormat, cleared: '' },
  price: { schema: NewProduct.shape.price, expectedFormat: priceFormat, expectedRange: priceRange },
  price_breaks: { schema: priceBreaksSchema, expectedFormat: priceBreaksFormat, expectedRange: priceBreaksRange, cleared: [] },
  minimum_order_quantity: {
    schema: NewProduct.shape.minimum_order_quantity,
    expectedFormat: wholeNumberFormat,
    expectedRange: wholeNumberFrom(1),
  },
  order_multiple: {
    schema: NewProduct.shape.order_multiple.unwrap(),
    expectedFormat: wholeNumberFormat,
    expectedRange: wholeNumberFrom(1),
    cleared: 1,
  },
  available_quantity: { schema: NewProduct.shape.available_quantity, expectedFormat: wholeNumberFormat, expectedRange: wholeNumberFrom(0) },
  available_quantity_seen: {
    schema: NewProduct.shape.available_quantity,
    expectedFormat: wholeNumberFormat,
    expectedRange: wholeNumberFrom(0),
    cleared: '',
  },
  incoming: { schema: incomingSchema, expectedFormat: incomingFormat, cleared: {} },
  weight_g: { schema: weightSchema, expectedFormat: weightFormat, cleared: 0 },
  gtin: { schema: gtinSchema, expectedFormat: gtinFormat, cleared: '' },
  hs_code: { schema: hsCodeSchema, expectedFormat: hsCodeFormat, cleared: '' },
  origin_country: { schema: countrySchema, expectedFormat: countryFormat, cleared: '' },
  tax_class: { schema: taxClassSchema, expectedFormat: taxClassFormat, cleared: 'standard' },
}

/** Required for new products. The description defaults to the name. */
export const requiredToCreate = ['name', 'price', 'minimum_order_quantity', 'available_quantity'] as const

/** What is expected of a new product without this field. */
export const missingFieldMessage = (column: (typeof requiredToCreate)[number]): string =>
  `a value for ${column}, as no product has this sku yet and a new one needs it`

type CellValidation = { value: StagedValue } | { expected: string }

/** @param found value from the file: text from CSV, any JSON value from NDJSON */
export function validateCell({ schema, expectedFormat, expectedRange, cleared }: ColumnRule, found: unknown): CellValidation {
  if (cleared !== undefined && (found === null || (typeof found === 'string' && found.trim() === ''))) return { value: cleared }
  if (typeof found === 'string' && !isStorableText(found)) return { expected: 'a text of whole characters, without NUL' }
  const result = schema.safeParse(found)
  if (result.success) return { value: result.data }
  const [issue] = result.error.issues
  const isEmpty = found === undefined || found === null || found === ''
  const isWrongType = !isEmpty && issue && ['invalid_type', 'invalid_union', 'invalid_format'].includes(issue.code)
  return { expected: isWrongType ? expectedFormat : (expectedRange?.() ?? issue?.message ?? expectedFormat) }
}

/** PostgreSQL text cannot contain NUL, and a lone surrogate would come back as another character. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
