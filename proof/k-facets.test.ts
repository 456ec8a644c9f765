import assert from 'node:assert/strict'
import { test } from 'node:test'
import { categoryOf } from '#store/catalogue/categories.ts'
import type { Facet } from '#store/search/contract.ts'
import type { IndexedProduct, ParsedQuery, SearchResult } from '#store/search/parsed-query.ts'
import { buildIndex } from '#store/search/search-index.ts'
import { fullCatalogueSize, readCatalogue, toIndexedProducts } from './catalogue.ts'
import { sampleSize } from './full-run.ts'
import {
  betterDirection,
  countFacetValues,
  facetValuesOf,
  formOf,
  fullScan,
  isNotStated,
  isSorted,
  matchesAllPrefixes,
  numericValueOf,
  searchableTokens,
  specFacet,
} from './full-scan.ts'
import { emptyQuery, randomNameWords, randomQuery } from './random-queries.ts'
import { seededRandom } from './seeded-random.ts'

const { rows, source } = readCatalogue(sampleSize(2000, fullCatalogueSize))
const parts = toIndexedProducts(rows)
const byId = new Map(parts.map((part) => [part._id, part]))
const index = await buildIndex(parts)

test('K1 products, their number, their order and the count of every facet are those of a scan that looks at each part', (t) => {
  const dice = seededRandom(1)
  const times = sampleSize(40, 1000)
  let [withWords, counted, found] = [0, 0, 0]
  for (let nth = 0; nth < times; nth++) {
    const asked = randomQuery(parts, dice)
    const among = asked.q === '' ? parts : partsOf(index.search({ ...emptyQuery, q: asked.q, limit: parts.length, facets: false }))
    if (asked.q !== '') withWords++
    const answered = index.search(asked)
    const whole = index.search({ ...asked, offset: 0, limit: parts.length, facets: false })
    const told = () => `${describe(asked)}`

    const { fitting, without } = fullScan(among, asked)
    assert.equal(answered.total, fitting.length, `the total of ${told()}`)
    const ids = new Set(whole.ids)
    assert.equal(ids.size, whole.ids.length, `nothing twice in ${told()}`)
    assert.ok(ids.size === fitting.length && fitting.every(({ _id }) => ids.has(_id)), `what is found by ${told()}`)
    assert.deepEqual(answered.ids, whole.ids.slice(asked.offset, asked.offset + asked.limit), `a page of ${told()}`)
    if (asked.q === '' || asked.sort !== undefined) assert.ok(isSorted(partsOf(whole), asked.sort), `the order of ${told()}`)
    for (const facet of answered.facets) counted += compareFacet(facet, without, asked, told)
    assert.deepEqual(missingFacets(answered, asked, without), [], `facets left out of ${told()}`)
    found += fitting.length
  }
  t.diagnostic(`${times} combinations, ${withWords} of them with words; ${found} products found and ${counted} counts compared; ${source}`)
})

test('K2 words of plain meaning find what says them all, whole or as the beginning of a word, and nothing else', (t) => {
  const dice = seededRandom(2)
  const times = sampleSize(40, 1000)
  const texts = parts.map((part) => ({ part, text: [...new Set(searchableTokens(part))] }))
  const wrong: string[] = []
  for (let nth = 0; nth < times; nth++) {
    const words = randomNameWords(parts, dice)
    const found = new Set(index.search({ ...emptyQuery, q: words.join(' '), limit: parts.length, facets: false }).ids)
    const right = texts.flatMap(({ part, text }) => (matchesAllPrefixes(text, words) ? [part] : []))
    const missing = right.filter(({ _id }) => !found.has(_id))
    const tooMany = found.size - (right.length - missing.length)
    if (missing.length + tooMany > 0)
      wrong.push(`"${words.join(' ')}": ${missing.length} missing (${missing[0]?.name}), ${tooMany} too many, of ${right.length}`)
  }
  t.diagnostic(`${times} queries of one to three words, ${source}`)
  assert.deepEqual(wrong, [])
})

/** Holds a facet against the scan. @returns how many counts were compared */
function compareFacet(facet: Facet, without: (filter: string) => IndexedProduct[], asked: ParsedQuery, told: () => string): number {
  const inCategory = (parts: IndexedProduct[]) =>
    facet.category === undefined
      ? parts
      : parts.filter(({ category }) => categoryOf(category)?.key === facet.category || category === facet.category)
  const key = ['category', 'brand', 'in_stock', 'lowered', 'price'].includes(facet.key)
    ? facet.key
    : specFacet(facet.key.replace(/^spec\./, ''))
  const of = () => `${facet.key} of ${told()}`
  const isFilter = key === 'brand' || key.startsWith('spec.')
  const unknown = isFilter ? inCategory(without(key)).filter((part) => isNotStated(part, key)).length : facet.unknown
  assert.equal(facet.unknown, unknown, `what does not state ${of()}`)
  if (facet.kind === 'choice') {
    const counts = countFacetValues(inCategory(without(key)), key)
    const shown = facet.choices.map(({ value, count }) => [value, count] as const)
    assert.deepEqual(
      shown,
      shown.map(([value]) => [value, counts.get(formOf(value, key)) ?? 0] as const),
      of(),
    )
    const names = new Set(shown.map(([value]) => formOf(value, key)))
    assert.equal(names.size, shown.length, `no choice twice in ${of()}`)
    const left = [...counts].filter(([value]) => !names.has(value))
    assert.equal(facet.others, left.length, `choices left out of ${of()}`)
    const chosen = new Set(key === 'brand' ? asked.brands : key === 'category' ? [asked.category] : asked.selectedValues.get(key.slice(5)))
    const fewest = Math.min(...shown.flatMap(([value, count]) => (chosen.has(value) ? [] : [count])))
    if (left.length > 0) assert.ok(Math.max(...left.map(([, count]) => count)) <= fewest, `those with the fewest are left out of ${of()}`)
    return shown.length
  }
  const numbers = inCategory(without(key)).flatMap((part) => numericValueOf(part, key) ?? [])
  const better = key === 'price' ? facet.better : betterDirection(asked.category ?? facet.category, key)
  assert.equal(facet.better, better, `which direction is better in ${of()}`)
  const { bounds = [], counts = [] } = facet.histogram ?? {}
  assert.deepEqual(
    counts,
    counts.map((_, nth) => numbers.filter((number) => number >= (bounds[nth] ?? 0) && number < (bounds[nth + 1] ?? 0)).length),
    `the histogram of ${of()}`,
  )
  assert.equal(counts.length === 0, new Set(numbers).size === 1, `a histogram where there are two numbers in ${of()}`)
  if (counts.length > 0)
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      numbers.length,
      `all of them in the histogram of ${of()}`,
    )
  assert.deepEqual(
    facet.common,
    facet.common.map(({ value }) => ({ value, count: numbers.filter((number) => number === value).length })),
    `the common numbers of ${of()}`,
  )
  if (numbers.length > 0) assert.deepEqual([facet.least, facet.most], [Math.min(...numbers), Math.max(...numbers)], `the ends of ${of()}`)
  return counts.length + facet.common.length + 2
}

/** Facets that visitors could choose by and are not offered. */
function missingFacets({ facets }: SearchResult, { category }: ParsedQuery, without: (filter: string) => IndexedProduct[]): string[] {
  const offered = new Set(facets.map(({ key }) => key))
  const filters = (categoryOf(category ?? null)?.attributes ?? []).filter(({ filter }) => filter).map(({ key }) => specFacet(key))
  const known = (key: string) => without(key).some((part) => numericValueOf(part, key) !== undefined || facetValuesOf(part, key).length > 0)
  const lowered = without('lowered').some((part) => facetValuesOf(part, 'lowered').includes('yes')) ? ['lowered'] : []
  return ['category', 'brand', 'price', 'in_stock', ...lowered, ...filters].filter((key) => !offered.has(key) && known(key))
}

const partsOf = ({ ids }: Pick<SearchResult, 'ids'>): IndexedProduct[] => ids.flatMap((id) => byId.get(id) ?? [])

const describe = (asked: ParsedQuery): string =>
  JSON.stringify(asked, (_key, value) => (value instanceof Map ? Object.fromEntries(value) : value instanceof Set ? [...value] : value))
