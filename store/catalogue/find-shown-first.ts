import { choiceForm } from './choice-spelling.ts'
import type { ProductDetails } from './contract.ts'
import { releasedYear } from './released-year.ts'

/** Filters of the list, as its address has them. */
export type ListParams = Record<string, string[]>

/** The first products that these filters find, how many they are, and how many rows of the list; undefined until the search index is built. */
export type FindByFilters = (params: ListParams, limit: number) => { total: number; rows: number; products: ProductDetails[] } | undefined

/** Searches of one part, however many rules and preferences the definitions have. The most that any part of the whole catalogue takes is 18. */
const maxSearches = 60

/** Finds nothing more once this part has had its searches. */
export function limitSearches(find: FindByFilters): FindByFilters {
  let searches = 0
  return (params, limit) => (searches++ < maxSearches ? find(params, limit) : undefined)
}

/** Which of the products that fit are shown. */
export type ShownFirst = {
  /** filters besides: those of the first are shown before those of the second, and these before all others */
  narrower: ListParams[]
  /** the order of the list in which the rest is shown; undefined: what is of the price class of the part */
  sort: string | undefined
}

/** How far beyond the number that is needed one that is as near counts: 450 W is as good as 420 W where 400 W are needed. */
const nearShare = 0.15

/** Products whose number is hardly more, or hardly less, than the one that is needed. */
export const nearNumber = (key: string, number: number, is: 'atLeast' | 'atMost'): ListParams =>
  is === 'atLeast'
    ? { [`spec.${key}.max`]: [filterNumber(number * (1 + nearShare))] }
    : { [`spec.${key}.min`]: [filterNumber(number * (1 - nearShare))] }

/** A number as a filter may have it, never in exponents. */
export const filterNumber = (number: number): string => number.toFixed(9).replace(/\.?0+$/, '')

/** Both filters together: of two limits the narrower, of two choices what both have. Undefined where these have nothing in common. */
export function narrow(params: ListParams, more: ListParams): ListParams | undefined {
  const both = { ...params, ...more }
  for (const [key, own] of Object.entries(params)) {
    const other = more[key]
    if (!other) continue
    if (key.endsWith('.max')) both[key] = [filterNumber(Math.min(Number(own[0]), Number(other[0])))]
    else if (key.endsWith('.min')) both[key] = [filterNumber(Math.max(Number(own[0]), Number(other[0])))]
    else if (key.endsWith('.not')) both[key] = [...new Set([...own, ...other])]
    else {
      const forms = new Set(other.map(choiceForm))
      both[key] = own.filter((value) => forms.has(choiceForm(value)))
      if (both[key].length === 0) return undefined
    }
  }
  return both
}

/** What is shown with a part is of its class: no part of $40 gets one of $400, and no dear processor the cheapest board. */
type PriceClass = {
  price: number
  /** the share of the products of its category in stock that cost as much or less */
  rank: number
}

/** The class of a part among what is in stock of its category; in the middle where that says nothing. */
export function priceClassOf(find: FindByFilters, category: string, price: number): PriceClass {
  const params = { category: [category], in_stock: ['yes'] }
  const all = find(params, 1)?.total ?? 0
  const cheaper = all < fewestInClass ? 0 : (find({ ...params, 'price.max': [filterNumber(price)] }, 1)?.total ?? 0)
  return { price, rank: all < fewestInClass ? 0.5 : cheaper / all }
}
const fewestInClass = 20

/** Some of the products that fit a part, the most suitable first. @param rows that these filters find */
export function findShownFirst(
  find: FindByFilters,
  params: ListParams,
  rows: number,
  { narrower, sort }: ShownFirst,
  priceClass: PriceClass,
  limit: number,
): ProductDetails[] {
  const shown = new Map<string, ProductDetails>()
  const show = (products: ProductDetails[]) => {
    for (const one of products) if (shown.size < limit) shown.set(one._id, one)
  }
  for (const more of narrower) {
    if (shown.size >= limit) break
    const both = narrow(params, more)
    if (!both) continue
    show(findOfClass(find, both, find(both, 1)?.rows ?? 0, priceClass, limit))
  }
  const wanted = shown.size === 0 ? limit : 2 * limit
  if (shown.size < limit)
    show(sort ? firstOf(find, { ...params, sort: [sort] }, wanted) : findOfClass(find, params, rows, priceClass, wanted))
  return [...shown.values()]
}

/** Neither the cheapest nor the dearest quarter is shown with any part. */
const shownRanks = { from: 0.25, to: 0.75 }

/** Of this share of the products, and of at most so many, with about the same price, the newest are shown: no board of ten years ago in a new case. */
const sameClass = { share: 0.125, most: 24 }

/** The newest of the class of the part, or, where these cost more than the part, the nearest to its price below it. */
function findOfClass(find: FindByFilters, params: ListParams, rows: number, { price, rank }: PriceClass, limit: number): ProductDetails[] {
  if (rows === 0) return []
  const size = Math.min(rows, Math.max(limit, Math.min(sameClass.most, Math.ceil(rows * sameClass.share))))
  const place = Math.floor((rows - size) * (shownRanks.from + (shownRanks.to - shownRanks.from) * rank))
  const ofClass = firstOf(find, { ...params, sort: ['price'], cursor: [`${place}`] }, size)
  const affordable = ofClass.filter((one) => one.price <= price)
  if (affordable.length >= limit) return newestOf(affordable, limit)
  const below = firstOf(find, { ...params, 'price.max': [filterNumber(price)], sort: ['-price'] }, size)
  return [...newestOf(below, limit), ...newestOf(ofClass, limit)]
}

const newestOf = (products: ProductDetails[], limit: number): ProductDetails[] =>
  products.toSorted((one, other) => releasedYear(other) - releasedYear(one)).slice(0, limit)

const firstOf = (find: FindByFilters, params: ListParams, limit: number): ProductDetails[] => find(params, limit)?.products ?? []
