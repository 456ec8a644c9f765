import type { ProductDetails } from './contract.ts'

/** Filters of the list, as its address has them. */
export type ListParams = Record<string, string[]>

/** The first products that these filters find, how many they are, and how many rows of the list; undefined until the search index is built. */
export type FindByFilters = (params: ListParams, limit: number) => { total: number; rows: number; products: ProductDetails[] } | undefined

/** Which of the products that fit are shown. */
export type ShownFirst = {
  /** filters besides: those of the first are shown before those of the second, and these before all others */
  narrower: ListParams[]
  /** those with the nearest number: the order of the list by it. Undefined: the newest */
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

/** However much a definition prefers: each costs a search or more. */
const maxNarrower = 12

/** Both filters together: of two limits the narrower. */
function narrow(params: ListParams, more: ListParams): ListParams {
  const both = { ...params, ...more }
  for (const [key, [own]] of Object.entries(params)) {
    const [other] = more[key] ?? []
    if (own === undefined || other === undefined) continue
    if (key.endsWith('.max')) both[key] = [`${Math.min(Number(own), Number(other))}`]
    if (key.endsWith('.min')) both[key] = [`${Math.max(Number(own), Number(other))}`]
  }
  return both
}

/** What is shown with a part is of its class: no part of $40 gets one of $400, and no dear processor the cheapest board. */
export type PriceClass = {
  price: number
  /** of the products of its category in stock so many are cheaper: 0 the cheapest, 1 the dearest */
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
  for (const more of narrower.slice(0, maxNarrower)) {
    if (shown.size >= limit) break
    const both = narrow(params, more)
    show(findOfClass(find, both, find(both, 1)?.rows ?? 0, priceClass, limit))
  }
  if (shown.size < limit)
    show(sort ? firstOf(find, { ...params, sort: [sort] }, 2 * limit) : findOfClass(find, params, rows, priceClass, 2 * limit))
  return [...shown.values()]
}

/** Neither the cheapest nor the dearest quarter is shown with any part. */
const shownRanks = { from: 0.25, to: 0.75 }

/** Those of the class of the part, or, where these cost more than the part, the nearest to its price below it. */
function findOfClass(find: FindByFilters, params: ListParams, rows: number, { price, rank }: PriceClass, limit: number): ProductDetails[] {
  if (rows <= limit) return rows === 0 ? [] : firstOf(find, { ...params, sort: ['price'] }, limit)
  const place = Math.floor((rows - limit) * (shownRanks.from + (shownRanks.to - shownRanks.from) * rank))
  const ofClass = firstOf(find, { ...params, sort: ['price'], cursor: [`${place}`] }, limit)
  if ((ofClass.at(-1)?.price ?? 0) <= price) return ofClass
  return [...firstOf(find, { ...params, 'price.max': [filterNumber(price)], sort: ['-price'] }, limit), ...ofClass]
}

const firstOf = (find: FindByFilters, params: ListParams, limit: number): ProductDetails[] => find(params, limit)?.products ?? []
