import { amountToCents } from '#shared/money.ts'
import { type AttributeDefinition, categoryOf } from '#store/catalogue/categories.ts'
import type { IndexedProduct, ParsedQuery } from '#store/search/parsed-query.ts'
import { facetValuesOf, numericValueOf, specFacet } from './full-scan.ts'
import { pickRandom, type SeededRandom } from './generated-queries.ts'
import { tokenize } from './tokens.ts'

/** Everything, one page of it. */
export const emptyQuery: ParsedQuery = {
  q: '',
  category: undefined,
  brands: [],
  inStock: false,
  lowered: false,
  stock: undefined,
  pieces: undefined,
  priceCents: {},
  selectedValues: new Map(),
  excludedValues: new Map(),
  ranges: new Map(),
  unknownKeys: new Set(),
  excludedBrands: [],
  excludedWords: [],
  statedKeys: new Set(),
  isBrandUnknown: false,
  hasFacetsOfLargest: true,
  sort: undefined,
  isRead: true,
  offset: 0,
  limit: 24,
  facets: true,
  collapsesFamilies: false,
}

/**
 * Filters by chance that mostly fit some part: they are read off one, and now and then off another, so that there is nothing to be found.
 * Often some words of its name are asked for as well, or the beginning of one.
 */
export function randomQuery(parts: IndexedProduct[], chance: SeededRandom): ParsedQuery {
  const part = pickRandom(parts, chance)
  const sometimes = (percent: number) => chance.below(100) < percent
  const other = () => (sometimes(90) ? part : pickRandom(parts, chance))
  const category = categoryOf(part.category)
  const inCategory = sometimes(75)
  const attributes = (inCategory || sometimes(30) ? (category?.attributes ?? []) : []).filter(({ filter }) => filter)
  const numbers = attributes.filter(({ kind }) => kind === 'number')

  const choices = new Map<string, string[]>()
  const ranges = new Map<string, { min?: number; max?: number }>()
  const unknownKeys = new Set<string>()
  for (let times = chance.below(4); times > 0 && attributes.length > 0; times--) {
    const attribute = pickRandom(attributes, chance)
    if (sometimes(25)) unknownKeys.add(attribute.key)
    if (unknownKeys.has(attribute.key) && sometimes(30)) continue
    if (attribute.kind === 'number') {
      const number = numericValueOf(other(), specFacet(attribute.key))
      if (number !== undefined) ranges.set(attribute.key, rangeAround(number, chance))
    } else {
      const chosen = [other(), ...(sometimes(30) ? [pickRandom(parts, chance)] : [])].flatMap((one) => selectableValues(one, attribute))
      if (chosen.length > 0) choices.set(attribute.key, chosen)
    }
  }
  const words = tokenize(part.name).filter((word) => word.length > 1)
  const q = sometimes(40) && words.length > 0 ? randomSearchText(words, chance) : ''
  return {
    q,
    category: inCategory ? (category?.key ?? part.category ?? undefined) : undefined,
    brands: sometimes(30) ? [other(), ...(sometimes(50) ? [pickRandom(parts, chance)] : [])].flatMap(({ brand }) => brand ?? []) : [],
    inStock: sometimes(30),
    lowered: sometimes(15),
    stock: sometimes(10) ? pickRandom(['out', 'low'], chance) : undefined,
    pieces: sometimes(20)
      ? pickRandom([part.minimum_order_quantity, part.available_quantity + 1, 1 + chance.below(500)], chance)
      : undefined,
    priceCents: sometimes(40) ? rangeAround(amountToCents(other().price), chance) : {},
    selectedValues: choices,
    excludedValues: new Map(),
    excludedBrands: sometimes(10) ? [part, other()].flatMap(({ brand }) => brand ?? []) : [],
    excludedWords: sometimes(10) ? [wordsOfName(other(), chance), wordsOfName(other(), chance)].flat() : [],
    ranges,
    unknownKeys,
    statedKeys: new Set(sometimes(10) ? [...choices.keys(), ...ranges.keys()].slice(0, 1) : []),
    isBrandUnknown: sometimes(10),
    hasFacetsOfLargest: true,
    isRead: false,
    sort:
      pickRandom(
        ['', '', 'newest', 'price', '-price', 'name', '-name', 'minimum', '-available', ...numbers.map(withRandomDirection(chance))],
        chance,
      ) || undefined,
    offset: sometimes(70) ? 0 : chance.below(300),
    limit: pickRandom([24, 96], chance),
    collapsesFamilies: false,
    facets: true,
  }
}

const withRandomDirection =
  ({ coin }: SeededRandom) =>
  ({ key }: AttributeDefinition) =>
    `${coin() ? '-' : ''}${specFacet(key)}`

/** At least, at most, or between, with the number itself within. */
function rangeAround(number: number, { below, coin }: SeededRandom): { min?: number; max?: number } {
  const [down, up] = [Math.floor(number * (below(100) / 100)), Math.ceil(number * (1 + below(100) / 100))]
  if (below(3) === 0) return { min: down, max: up }
  if (coin()) return { min: coin() ? number : down }
  return { max: coin() ? number : up }
}

/** What could be chosen to find this part. */
const selectableValues = (part: IndexedProduct, { key }: AttributeDefinition): string[] => facetValuesOf(part, specFacet(key)).slice(0, 1)

function randomSearchText(words: string[], chance: SeededRandom): string {
  const some = Array.from({ length: 1 + chance.below(2) }, () => pickRandom(words, chance))
  const last = some.at(-1) ?? ''
  if (chance.coin() && last.length > 4) some[some.length - 1] = last.slice(0, 3 + chance.below(last.length - 3))
  return some.join(' ')
}

/** Words whose meaning is plain: letters alone, five of them at least, whole or their beginning. */
export function randomNameWords(parts: IndexedProduct[], chance: SeededRandom): string[] {
  const words = tokenize(pickRandom(parts, chance).name).filter((word) => /^[a-z]{5,}$/.test(word))
  if (words.length === 0) return randomNameWords(parts, chance)
  const some = Array.from({ length: 1 + chance.below(3) }, () => pickRandom(words, chance))
  return some.map((word) => (chance.below(4) === 0 ? word.slice(0, 4 + chance.below(word.length - 3)) : word))
}

/** One or two words of what a part is called, as one text; none of a name without any. */
function wordsOfName({ name }: IndexedProduct, chance: SeededRandom): string[] {
  const words = tokenize(name).filter((word) => /^\p{L}{2,}$/u.test(word))
  return words.length > 0 ? [[pickRandom(words, chance), pickRandom(words, chance)].slice(chance.below(2)).join(' ')] : []
}
