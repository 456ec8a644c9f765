import type { Facet } from '#store/catalogue/contract.ts'
import { inFigures } from '#store/in-figures.ts'
import { listQuestion } from '#store/list-question.ts'

/** So many products stand on a page of /allproducts. */
export const perPage = 24
/** Further than any catalogue reaches, and no further than the call counts. */
const mostPages = 400_000

const amounts = /^pieces$|\.(min|max)$/
/** Of these an address may name several, of which one has to fit. */
const several = /^(brand|spec\.\w+)$/

/**
 * What an address asks of `GET /search`, in the same names: amounts may be typed as "$1,250", what is empty is left out. `limit` and the
 * like belong to the call alone: an address does not say them.
 */
export function questionOf(search: URLSearchParams): Record<string, string[]> {
  const question: Record<string, string[]> = {}
  const asked = listQuestion(search)
  for (const name of new Set(asked.keys())) {
    if (name === 'page' || name === 'look') continue
    const values = asked.getAll(name).map((value) => (amounts.test(name) ? value.replace(/[$,\s]/g, '') : value.trim()))
    const said = [...new Set(values.filter((value) => value !== ''))]
    if (said.length > 0) question[name] = several.test(name) ? said : said.slice(0, 1)
  }
  return question
}

/** In words what stands in an address where only an amount can; undefined when all can be read. */
export function unreadable(search: URLSearchParams): string | undefined {
  for (const [name, [value = '']] of Object.entries(questionOf(search))) {
    if (name === 'pieces' && !/^[1-9]\d{0,8}$/.test(value)) return `"${value}" is no number of pieces: write figures, such as 25.`
    if (amounts.test(name) && !/^-?\d{1,12}(\.\d{1,9})?$/.test(value)) return `"${value}" is no amount: write figures, such as 250.`
  }
}

export const pageOf = (search: URLSearchParams): number => Math.min(mostPages, Math.max(1, Math.trunc(Number(search.get('page'))) || 1))

export const isTable = (search: URLSearchParams): boolean => search.get('look') === 'table'

/** The same address with these names said anew, or no longer; it begins at its first page. Empty fields and the first page go without saying. */
export function addressWith(search: URLSearchParams, change: Record<string, string | string[] | undefined>): string {
  const said = new URLSearchParams(search)
  for (const [name, values] of Object.entries({ page: '', ...change })) {
    said.delete(name)
    for (const value of [values ?? []].flat()) if (name !== 'page' || value !== '1') said.append(name, value)
  }
  const question = `${listQuestion(said)}`
  return `/allproducts${question && `?${question}`}`
}

/** Whether the facet is an attribute of the category, such as the capacity of memory. The key of a facet is its name in an address, too. */
export const isAttribute = ({ key }: Pick<Facet, 'key'>): boolean => key.startsWith('spec.')

/** How many of what was found are in stock, where the facets say so. */
export const countInStock = (facets: Facet[]): number | undefined =>
  facets.flatMap((facet) => (facet.key === 'in_stock' && facet.kind === 'choice' ? facet.choices : [])).find(({ value }) => value === 'yes')
    ?.count

/** A filter that an address sets, in words. */
export type Filter = { name: string; value: string; words: string }

/** Every filter of an address but its words and its category, one for each value. */
export function filtersOf(search: URLSearchParams, facets: Facet[]): Filter[] {
  const byName = new Map(facets.map((facet) => [facet.key, facet]))
  return Object.entries(questionOf(search))
    .filter(([name]) => !['q', 'category', 'sort'].includes(name))
    .flatMap(([name, values]) => values.map((value) => ({ name, value, words: inWords(name, value, byName) })))
}

function inWords(name: string, value: string, facets: Map<string, Facet>): string {
  if (name === 'in_stock') return 'In stock'
  if (name === 'pieces') return `${asFigure(value)} pieces`
  const [, chosen = name, bound] = name.match(/^(.+)\.(min|max)$/) ?? []
  if (chosen === 'price') return `Price: $${asFigure(value)} or ${bound === 'min' ? 'more' : 'less'}`
  const facet = facets.get(chosen)
  const label = facet?.label ?? asLabel(chosen)
  if (bound)
    return `${label}: ${withUnit(asFigure(value), facet?.kind === 'number' ? facet.unit : undefined)} or ${bound === 'min' ? 'more' : 'less'}`
  const choice = facet?.kind === 'choice' ? facet.choices.find((one) => one.value === value) : undefined
  return `${label}: ${choice?.label ?? value}`
}

/** A key that nothing is known of, as words: "video-card" is "Video card". */
export function asLabel(key: string): string {
  const words = key.replace(/^spec\./, '').replace(/[_-]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const withUnit = (figure: string, unit: string | undefined): string => (unit ? `${figure} ${unit}` : figure)

/** "4,680"; what is no number stays as it is. */
export function asFigure(value: string | number): string {
  const number = Number(value)
  return Number.isFinite(number) ? inFigures(number) : `${value}`
}

/** What a part has of this attribute, without the unit; undefined where nothing is known that a line can hold. */
export function knownText({ specs }: { specs: Record<string, unknown> }, facet: Facet): string | undefined {
  const known = specs[facet.key.replace('spec.', '')]
  if (typeof known === 'number') return known < 0 && facet.kind === 'number' && facet.unit !== '°C' ? undefined : asFigure(known)
  const labels = facet.kind === 'choice' ? facet.choices : []
  const texts = [known].flat().flatMap((one) => {
    if (typeof one === 'boolean') return one ? 'Yes' : 'No'
    if (typeof one !== 'string' && typeof one !== 'number') return []
    return labels.find(({ value }) => value === `${one}`)?.label ?? `${one}`
  })
  return texts.length > 0 ? texts.join(', ') : undefined
}

/**
 * The ways in which what was found can be sorted, as a visitor reads them: by any number of the category too.
 * @param sort the way in which it is, which a head of the table may have chosen: it is among them, whatever it is
 */
export function sortings(facets: Facet[], hasWords: boolean, sort = ''): { value: string; words: string }[] {
  const both = (value: string, label: string) => ({
    up: { value, words: `${label}, lowest first` },
    down: { value: `-${value}`, words: `${label}, highest first` },
  })
  const byNumber = facets.flatMap((facet) => {
    if (facet.kind !== 'number' || !isAttribute(facet)) return []
    const { up, down } = both(facet.key, facet.label)
    return facet.better === 'more' ? [down] : facet.better === 'less' ? [up] : [up, down]
  })
  const price = both('price', 'Price')
  const offered = [
    { value: '', words: hasWords ? 'Best match' : 'As added' },
    price.up,
    price.down,
    { value: 'newest', words: 'Newest' },
    { value: 'name', words: 'Name' },
    ...byNumber,
  ]
  if (offered.some(({ value }) => value === sort)) return offered
  const by = sort.replace(/^-/, '')
  const { up, down } = both(by, facets.find(({ key }) => key === by)?.label ?? asLabel(by))
  return [...offered, sort.startsWith('-') ? down : up]
}

/** The numbers of the pages that are offered, 0 for a gap: the first, the last, and those around the one in view. */
export function offeredPages(page: number, pages: number): number[] {
  const offered = [...new Set([1, page - 1, page, page + 1, pages])]
    .filter((one) => one >= 1 && one <= pages)
    .sort((one, other) => one - other)
  return offered.flatMap((one, place) => {
    const before = offered[place - 1] ?? one
    return one - before === 2 ? [one - 1, one] : one - before > 2 ? [0, one] : [one]
  })
}
