import * as z from 'zod'
import { NewTool, type PartColumn } from '../contract.ts'

/** What may stand in a column. */
type Column = {
  schema: z.ZodType
  /** what is said when something of another kind stands there */
  kind: string
  /** an empty cell and null mean that there is none; elsewhere they are wrong */
  mayBeNone?: true
}

const text = (longest: number) => z.string().trim().min(1).max(longest, `at most ${longest} characters`)
const wholeNumber = 'a whole number in digits only, without signs, points and spaces between'
const inWords = 'a text; in JSON it stands in quotes'

/** The rules are those of the form in which an admin adds a product; an import may leave out more. */
export const columns: Record<Exclude<PartColumn, 'specs'>, Column> = {
  sku: { schema: text(100), kind: inWords },
  name: { schema: NewTool.shape.name, kind: inWords },
  brand: { schema: text(200), kind: inWords, mayBeNone: true },
  mpn: { schema: text(200), kind: inWords, mayBeNone: true },
  category: { schema: text(100), kind: inWords, mayBeNone: true },
  description: { schema: NewTool.shape.description, kind: inWords, mayBeNone: true },
  img: { schema: NewTool.shape.img, kind: inWords, mayBeNone: true },
  price: { schema: NewTool.shape.price, kind: wholeNumber },
  minimum_order_quantity: { schema: NewTool.shape.minimum_order_quantity, kind: wholeNumber },
  available_quantity: { schema: NewTool.shape.available_quantity, kind: wholeNumber },
  available_quantity_seen: { schema: NewTool.shape.available_quantity, kind: wholeNumber, mayBeNone: true },
}

/** Without these no product can be made; the description of one that has none is its name. */
export const neededToCreate = ['name', 'price', 'minimum_order_quantity', 'available_quantity'] as const

/** What is said of a new product that lacks this field. */
export function neededWords(column: (typeof neededToCreate)[number]): string {
  const said = columns[column].schema.safeParse(undefined).error?.issues[0]?.message
  return `${said}: no product has this sku yet, and a new one needs it`
}

export type Judged = { value: string | number } | { expected: string }

/** @param found what stands in the file: text from CSV, anything from JSON */
export function judge({ schema, kind, mayBeNone }: Column, found: unknown): Judged {
  if (mayBeNone && (found === null || (typeof found === 'string' && found.trim() === ''))) return { value: '' }
  if (typeof found === 'string' && !isKeepable(found)) return { expected: 'a text of whole characters, without NUL' }
  const judged = schema.safeParse(found)
  if (judged.success) return { value: typeof judged.data === 'number' ? judged.data : String(judged.data) }
  const [issue] = judged.error.issues
  const isEmpty = found === undefined || found === null || found === ''
  const ofOtherKind = !isEmpty && issue && ['invalid_type', 'invalid_union', 'invalid_format'].includes(issue.code)
  return { expected: ofOtherKind ? kind : (issue?.message ?? kind) }
}

/** PostgreSQL keeps no NUL, and half of a character would come back as another one. */
export const isKeepable = (said: string): boolean => !said.includes('\0') && said.isWellFormed()
