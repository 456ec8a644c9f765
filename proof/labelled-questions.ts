import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { IndexedProduct } from '#store/search/parsed-query.ts'
import { realCataloguePath } from './catalogue.ts'
import { sampleSize } from './full-run.ts'

/** A number or text that a spec must equal or contain as an item, a pattern, [least, most], or any of several in a Set. */
type Wanted = number | string | boolean | RegExp | readonly [least: number, most: number] | ReadonlySet<number | string>

/** A question as a purchaser asks it, and which products it means. */
export type LabelledQuestion = {
  q: string
  /** undefined: of any category */
  category?: string
  specs?: Record<string, Wanted>
  brand?: string | RegExp
  /** pattern that the name must match */
  name?: RegExp
  /** the part number that is asked for */
  mpn?: string
  maxPrice?: number
  minPrice?: number
  inStock?: true
  pieces?: number
  /** the first ten are the cheapest of those that are meant */
  cheapestFirst?: true
  /** the catalogue has no such thing, and the answer has to say so */
  none?: true
  /** how many there are is open: of a maker's name alone others that mention it are found, too */
  anyTotal?: true
}

/** Why the labelled questions cannot be asked here; undefined when they can. They mean real parts, which the project does not contain. */
export const partsMissing: string | undefined = existsSync(realCataloguePath) ? undefined : 'the real parts are not beside the project'

/** Real parts with typed specs, as the index takes them: every fourth in a quick run. */
export function readParts(): IndexedProduct[] {
  const lines = gunzipSync(readFileSync(realCataloguePath)).toString().trim().split('\n')
  const step = sampleSize(4, 1)
  return lines.flatMap((line, nth) => {
    if (nth % step !== 0) return []
    const { price_breaks: _, incoming: __, weight_g: ___, ...part } = JSON.parse(line)
    return [{ ...part, img: '', _id: `00000000-0000-4000-8000-${nth.toString(16).padStart(12, '0')}`, position: nth + 1 }]
  })
}

/** Whether the question means this product. */
export function isMeant(label: LabelledQuestion, part: IndexedProduct): boolean {
  const { category, specs = {}, brand, name, mpn, maxPrice = Infinity, minPrice = 0, inStock, pieces } = label
  if (label.none || (category !== undefined && part.category !== category)) return false
  if (typeof brand === 'string' && part.brand !== brand) return false
  if (brand instanceof RegExp && !brand.test(part.brand ?? '')) return false
  if (name && !name.test(part.name)) return false
  if (mpn !== undefined && part.mpn !== mpn) return false
  if (part.price > maxPrice || part.price < minPrice) return false
  if (inStock && part.available_quantity < part.minimum_order_quantity) return false
  if (pieces !== undefined && !canBeOrdered(part, pieces)) return false
  return Object.entries(specs).every(([key, wanted]) => [part.specs[key]].flat().some((value) => isWanted(value, wanted)))
}

const canBeOrdered = (part: IndexedProduct, pieces: number) =>
  part.minimum_order_quantity <= pieces && pieces <= part.available_quantity && pieces % part.order_multiple === 0

function isWanted(value: unknown, wanted: Wanted): boolean {
  if (wanted instanceof RegExp) return typeof value === 'string' && wanted.test(value)
  if (wanted instanceof Set) return wanted.has(value)
  if (Array.isArray(wanted)) return typeof value === 'number' && value >= wanted[0] && value <= wanted[1]
  return value === wanted
}

export type AnsweredQuestion = { total: number; firstTen: IndexedProduct[]; saysNoExactMatch: boolean }
export type Judgement = { q: string; places: number; right: number; total: number; counted: number; isTotalRight: boolean | undefined }

/** How many of the first ten places hold what is meant, and whether the total is within 5 % of what is meant in the whole catalogue. */
export function judgeAnswer(label: LabelledQuestion, parts: IndexedProduct[], answer: AnsweredQuestion): Judgement {
  const { q } = label
  const { total, firstTen, saysNoExactMatch } = answer
  const meant = parts.filter((part) => isMeant(label, part))
  if (meant.length === 0) {
    const isSaid = total === 0 || saysNoExactMatch
    return { q, places: 10, right: isSaid ? 10 : 0, total, counted: 0, isTotalRight: isSaid }
  }
  const places = Math.min(10, meant.length)
  const cheapest = meant.map(({ price }) => price).sort((one, other) => one - other)
  const mostExpensive = label.cheapestFirst ? (cheapest[places - 1] ?? 0) : Infinity
  const right = firstTen.slice(0, places).filter((part) => isMeant(label, part) && part.price <= mostExpensive).length
  const isTotalRight = label.anyTotal ? undefined : Math.abs(total - meant.length) <= 0.05 * meant.length
  return { q, places, right, total, counted: meant.length, isTotalRight }
}
