import * as z from 'zod'
import { NewProduct } from '#store/catalogue/contract.ts'
import type { ProductFileColumn } from './contract.ts'

/** Validation rule of a column. */
type ColumnRule = {
  schema: z.ZodType
  /** expected format, for values of another type */
  expectedFormat: string
  /** empty cells and null clear the field; in other columns they are errors */
  isNullable?: true
}

const textSchema = (maxCharacters: number) => {
  const required = `a text of at most ${maxCharacters} characters`
  return z.string(required).trim().min(1, required).max(maxCharacters, `at most ${maxCharacters} characters`)
}
const wholeNumberFormat = 'a whole number in digits only, without signs, points and spaces between'
const priceFormat = 'dollars in digits, with at most two decimals, such as 12 or 12.35, without signs, commas and spaces between'
const textFormat = 'a text; in JSON it stands in quotes'

/** Same rules as for a product added in the form; an import may leave out more fields. */
export const columnRules: Record<Exclude<ProductFileColumn, 'specs'>, ColumnRule> = {
  sku: { schema: textSchema(100), expectedFormat: textFormat },
  name: { schema: NewProduct.shape.name, expectedFormat: textFormat },
  brand: { schema: textSchema(200), expectedFormat: textFormat, isNullable: true },
  mpn: { schema: textSchema(200), expectedFormat: textFormat, isNullable: true },
  category: { schema: textSchema(100), expectedFormat: textFormat, isNullable: true },
  description: { schema: NewProduct.shape.description, expectedFormat: textFormat, isNullable: true },
  img: { schema: NewProduct.shape.img, expectedFormat: textFormat, isNullable: true },
  price: { schema: NewProduct.shape.price, expectedFormat: priceFormat },
  minimum_order_quantity: { schema: NewProduct.shape.minimum_order_quantity, expectedFormat: wholeNumberFormat },
  available_quantity: { schema: NewProduct.shape.available_quantity, expectedFormat: wholeNumberFormat },
  available_quantity_seen: { schema: NewProduct.shape.available_quantity, expectedFormat: wholeNumberFormat, isNullable: true },
}

/** Required for new products. The description defaults to the name. */
export const requiredToCreate = ['name', 'price', 'minimum_order_quantity', 'available_quantity'] as const

/** Error message for a new product without this field. */
export function missingFieldMessage(column: (typeof requiredToCreate)[number]): string {
  const text = columnRules[column].schema.safeParse(undefined).error?.issues[0]?.message
  return `${text}: no product has this sku yet, and a new one needs it`
}

export type CellValidation = { value: string | number } | { expected: string }

/** @param found value from the file: text from CSV, any JSON value from NDJSON */
export function validateCell({ schema, expectedFormat, isNullable }: ColumnRule, found: unknown): CellValidation {
  if (isNullable && (found === null || (typeof found === 'string' && found.trim() === ''))) return { value: '' }
  if (typeof found === 'string' && !isStorableText(found)) return { expected: 'a text of whole characters, without NUL' }
  const result = schema.safeParse(found)
  if (result.success) return { value: typeof result.data === 'number' ? result.data : String(result.data) }
  const [issue] = result.error.issues
  const isEmpty = found === undefined || found === null || found === ''
  const isWrongType = !isEmpty && issue && ['invalid_type', 'invalid_union', 'invalid_format'].includes(issue.code)
  return { expected: isWrongType ? expectedFormat : (issue?.message ?? expectedFormat) }
}

/** PostgreSQL text cannot contain NUL, and a lone surrogate would come back as another character. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
