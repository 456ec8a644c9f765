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

/** Some of the products that fit a part, the most suitable first. @param price of the part */
export function findShownFirst(
  find: FindByFilters,
  params: ListParams,
  { narrower, sort }: ShownFirst,
  price: number,
  limit: number,
): ProductDetails[] {
  const shown = new Map<string, ProductDetails>()
  const show = (products: ProductDetails[]) => {
    for (const one of products) if (shown.size < limit) shown.set(one._id, one)
  }
  for (const more of narrower.slice(0, maxNarrower)) {
    if (shown.size >= limit) break
    const both = narrow(params, more)
    show(sort ? findModeratelyPriced(find, both, price, limit) : firstOf(find, both, limit))
  }
  if (shown.size < limit) show(firstOf(find, sort ? { ...params, sort: [sort] } : params, 2 * limit))
  return [...shown.values()]
}

/** Those of a middle price, or, where that is more than the part costs, the nearest to its price below it: no part of $40 gets one of $400. */
function findModeratelyPriced(find: FindByFilters, params: ListParams, price: number, limit: number): ProductDetails[] {
  const rows = find(params, 1)?.rows ?? 0
  const middle = firstOf(find, { ...params, sort: ['price'], cursor: [`${Math.max(0, Math.floor((rows - limit) / 2))}`] }, limit)
  if ((middle.at(-1)?.price ?? 0) <= price) return middle
  return [...firstOf(find, { ...params, 'price.max': [`${price}`], sort: ['-price'] }, limit), ...middle]
}

const firstOf = (find: FindByFilters, params: ListParams, limit: number): ProductDetails[] => find(params, limit)?.products ?? []
