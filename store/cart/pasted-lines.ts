import { and, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatNumber } from '#shared/format-number.ts'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import { isForSale } from '#store/catalogue/rules.ts'
import { partNumberKeySql, products } from '#store/catalogue/table.ts'
import { maxPastedLines, type PastedLine } from './contract.ts'
import { type LockedCart, putAllIntoCart } from './put-into-cart.ts'

/** A way to read a line: this code, and so many pieces; without a quantity the smallest order. */
type Reading = { code: string; quantity: number | undefined }
type Pasted = { text: string; readings: Reading[] }

const clean = (text: string) =>
  text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()

/**
 * The lines of a list of part numbers and quantities, with the ways in which each can be read: quantity last, quantity first, cells of a
 * spreadsheet with other columns between them, and a code alone.
 */
export function parsePastedLines(text: string): Pasted[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => ({ text: line, readings: line.length > maxLineCharacters ? [] : readingsOf(line) }))
}

/** Of a longer line none is a part number, and reading it takes time that grows with its square. */
const maxLineCharacters = 300

function readingsOf(line: string): Reading[] {
  const cells = line
    .split(line.includes('\t') ? '\t' : line.includes(';') ? ';' : /,(?!\d{3}\b)/)
    .map(clean)
    .filter(Boolean)
  const ofCells = cells.length > 1 ? readingsOfCells(cells) : []
  const [, last, lastQuantity] = /^(.*\S)\s+[x×*]?\s*(\d[\d,]*)$/i.exec(line) ?? []
  const [, firstQuantity, first] = /^(\d[\d,]*)\s*[x×*]?\s+(\S.*)$/i.exec(line) ?? []
  return [
    ...ofCells,
    ...(last && lastQuantity
      ? [last.replace(/\s+[x×*]$/i, ''), last].map((code) => ({ code: clean(code), quantity: parseWholeNumber(lastQuantity) }))
      : []),
    ...(first && firstQuantity ? [{ code: clean(first), quantity: parseWholeNumber(firstQuantity) }] : []),
    { code: clean(line), quantity: undefined }, // last: a code without its spaces may be another's
  ]
}

/** Any cell may be the code, and any other that is a whole number the quantity, the nearest to its right first. */
function readingsOfCells(cells: string[]): Reading[] {
  const shown = cells.slice(0, maxCells)
  return shown.flatMap((code, at) => {
    const rightFirst = [...shown.slice(at + 1), ...shown.slice(0, at)]
    return [{ code, quantity: rightFirst.map(parseWholeNumber).find((quantity) => quantity > 0) }]
  })
}

const maxCells = 8

type Match = { _id: string; sku: string; name: string; minimum: number; available: number }

/**
 * Puts the lines of a pasted list into a locked cart, as far as they can be.
 * @returns how many were put in, and the others with the reason
 * @throws {HttpError} 400 there are too many lines
 */
export async function putPastedLines(tx: Database, cart: LockedCart, text: string): Promise<{ added: number; notAdded: PastedLine[] }> {
  const lines = parsePastedLines(text)
  if (lines.length > maxPastedLines) throw new HttpError(400, `A list has at most ${maxPastedLines} lines: paste it in parts`)
  const matches = await findByCode(tx, [...new Set(lines.flatMap(({ readings }) => readings.map(({ code }) => code)))])
  const found = lines.map((line) => findPart(line, matches))
  const parts = found.filter((part) => typeof part !== 'string')
  const asked = parts.map(({ product, quantity }) => ({ productId: product._id, quantity, isAdded: true }))
  const refusals = await putAllIntoCart(tx, cart, asked)
  const notAdded = lines.flatMap((line, nth): PastedLine[] => {
    const part = found[nth] ?? noSuchPart
    const refusal = typeof part === 'string' ? undefined : refusals[parts.indexOf(part)]
    const reason = typeof part === 'string' ? part : refusal && `${part.product.name}: ${refusal.reason}`
    return reason === undefined ? [] : [{ text: line.text.slice(0, 200).toWellFormed(), reason }]
  })
  return { added: lines.length - notAdded.length, notAdded }
}

const noSuchPart = 'No part has this number'

/** @returns why there is none */
function findPart({ readings }: Pasted, matches: Map<string, Match[]>): { product: Match; quantity: number } | string {
  const known = readings
    .map((reading) => ({ ...reading, found: matches.get(codeKey(reading.code)) ?? [] }))
    .find(({ found }) => found.length > 0)
  if (!known) return noSuchPart
  const { quantity, found, code } = known
  const [product, ...others] = found.filter(({ sku }) => sku === code).concat(found)
  if (!product) return noSuchPart
  if (product.sku !== code && others.some(({ _id }) => _id !== product._id))
    return `Several parts have this number, say which by its SKU: ${found.slice(0, 5).map(describeMatch).join('; ')}`
  return { product, quantity: quantity ?? product.minimum }
}

const maxNameCharacters = 60

/** "NP-1 (Samsung 990 Pro 1TB, 12 left)" */
function describeMatch({ sku, name, available }: Match): string {
  const short = name.length > maxNameCharacters ? `${name.slice(0, maxNameCharacters).trimEnd().toWellFormed()}…` : name
  return `${sku} (${short}, ${formatNumber(available)} left)`
}

/** A code without case, spaces and punctuation, as `partNumberKeySql` has it. */
const codeKey = (code: string): string => code.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')

async function findByCode(tx: Database, codes: string[]): Promise<Map<string, Match[]>> {
  const keys = sql.param([...new Set(codes.map(codeKey).filter((key) => key !== ''))])
  const has = (column: typeof products.sku | typeof products.mpn): SQL => sql`${partNumberKeySql(column)} = any(${keys}::text[])`
  const columns = {
    _id: products._id,
    sku: products.sku,
    name: products.name,
    minimum: products.minimum_order_quantity,
    available: products.available_quantity,
  }
  const rows = await tx
    .select({
      ...columns,
      skuKey: sql<string>`${partNumberKeySql(products.sku)}`,
      mpnKey: sql<string | null>`${partNumberKeySql(products.mpn)}`,
    })
    .from(products)
    .where(and(isForSale, or(has(products.sku), has(products.mpn))))
    .orderBy(products.position)
    .limit(maxMatches)
  const matches = new Map<string, Match[]>()
  for (const { skuKey, mpnKey, ...product } of rows)
    for (const key of new Set([skuKey, mpnKey])) if (key) matches.set(key, [...(matches.get(key) ?? []), product])
  return matches
}

/** Several products may have one part number. */
const maxMatches = 2000
