import assert from 'node:assert/strict'
import { test } from 'node:test'
import { categoryOf } from '#store/catalogue/categories.ts'
import type { Facet } from '#store/catalogue/contract.ts'
import type { Answered, Asked, Listed } from '#store/catalogue/search/asked.ts'
import { buildIndex } from '#store/catalogue/search/search-index.ts'
import { asListed, readCatalogue } from './catalogue.ts'
import { chance } from './chance.ts'
import { aCombination, nothingAsked, plainWords } from './filter-combinations.ts'
import { howMany } from './size.ts'
import { betterOf, choicesOf, countChoices, isInOrder, numberOf, saysBeginnings, scan, specFacet, textOf } from './slow-scan.ts'

const { lines, source } = readCatalogue(howMany(5000, 46_803))
const parts = asListed(lines)
const byId = new Map(parts.map((part) => [part._id, part]))
const index = await buildIndex(parts)

test('K1 products, their number, their order and the count of every facet are those of a scan that looks at each part', (t) => {
  const dice = chance(1)
  const times = howMany(60, 1000)
  let [withWords, counted, found] = [0, 0, 0]
  for (let nth = 0; nth < times; nth++) {
    const asked = aCombination(parts, dice)
    const among = asked.q === '' ? parts : partsOf(index.ask({ ...nothingAsked, q: asked.q, limit: parts.length, facets: false }))
    if (asked.q !== '') withWords++
    const answered = index.ask(asked)
    const whole = index.ask({ ...asked, offset: 0, limit: parts.length, facets: false })
    const told = () => `${describe(asked)}`

    const { fitting, without } = scan(among, asked)
    assert.equal(answered.total, fitting.length, `the total of ${told()}`)
    const ids = new Set(whole.ids)
    assert.equal(ids.size, whole.ids.length, `nothing twice in ${told()}`)
    assert.ok(ids.size === fitting.length && fitting.every(({ _id }) => ids.has(_id)), `what is found by ${told()}`)
    assert.deepEqual(answered.ids, whole.ids.slice(asked.offset, asked.offset + asked.limit), `a page of ${told()}`)
    if (asked.q === '' || asked.sort !== undefined) assert.ok(isInOrder(partsOf(whole), asked.sort), `the order of ${told()}`)
    for (const facet of answered.facets) counted += compareFacet(facet, without, asked, told)
    assert.deepEqual(missingFacets(answered, asked, without), [], `facets left out of ${told()}`)
    found += fitting.length
  }
  t.diagnostic(`${times} combinations, ${withWords} of them with words; ${found} products found and ${counted} counts compared; ${source}`)
})

test('K2 words of plain meaning find what says them all, whole or as the beginning of a word, and nothing else', (t) => {
  const dice = chance(2)
  const times = howMany(60, 1000)
  const texts = parts.map((part) => ({ part, text: [...new Set(textOf(part))] }))
  const wrong: string[] = []
  for (let nth = 0; nth < times; nth++) {
    const words = plainWords(parts, dice)
    const found = new Set(index.ask({ ...nothingAsked, q: words.join(' '), limit: parts.length, facets: false }).ids)
    const right = texts.flatMap(({ part, text }) => (saysBeginnings(text, words) ? [part] : []))
    const missing = right.filter(({ _id }) => !found.has(_id))
    const tooMany = found.size - (right.length - missing.length)
    if (missing.length + tooMany > 0)
      wrong.push(`"${words.join(' ')}": ${missing.length} missing (${missing[0]?.name}), ${tooMany} too many, of ${right.length}`)
  }
  t.diagnostic(`${times} queries of one to three words, ${source}`)
  assert.deepEqual(wrong, [])
})

/** Holds a facet against the scan. @returns how many counts were compared */
function compareFacet(facet: Facet, without: (filter: string) => Listed[], asked: Asked, told: () => string): number {
  const key = ['category', 'brand', 'in_stock', 'price'].includes(facet.key) ? facet.key : specFacet(facet.key.replace(/^spec\./, ''))
  const of = () => `${facet.key} of ${told()}`
  if (facet.kind === 'choice') {
    const counts = countChoices(without(key), key)
    const shown = facet.choices.map(({ value, count }) => [value, count] as const)
    assert.deepEqual(
      shown,
      shown.map(([value]) => [value, counts.get(value) ?? 0] as const),
      of(),
    )
    assert.equal(new Set(shown.map(([value]) => value)).size, shown.length, `no choice twice in ${of()}`)
    const names = new Set(shown.map(([value]) => value))
    const left = [...counts].filter(([value]) => !names.has(value))
    assert.equal(facet.others, left.length, `choices left out of ${of()}`)
    const chosen = new Set(key === 'brand' ? asked.brands : key === 'category' ? [asked.category] : asked.choices.get(key.slice(5)))
    const fewest = Math.min(...shown.flatMap(([value, count]) => (chosen.has(value) ? [] : [count])))
    if (left.length > 0) assert.ok(Math.max(...left.map(([, count]) => count)) <= fewest, `those with the fewest are left out of ${of()}`)
    return shown.length
  }
  const numbers = without(key).flatMap((part) => numberOf(part, key) ?? [])
  const better = key === 'price' ? facet.better : betterOf(asked.category, key)
  assert.equal(facet.better, better, `which direction is better in ${of()}`)
  const fitting = (value: number) => numbers.filter((number) => (better === 'less' ? number <= value : number >= value)).length
  assert.deepEqual(
    facet.steps,
    facet.steps.map(({ value }) => ({ value, count: fitting(value) })),
    of(),
  )
  if (numbers.length > 0) assert.deepEqual([facet.least, facet.most], [Math.min(...numbers), Math.max(...numbers)], `the ends of ${of()}`)
  return facet.steps.length + 2
}

/** Facets that visitors could choose by and are not offered. */
function missingFacets({ facets }: Answered, { category }: Asked, without: (filter: string) => Listed[]): string[] {
  const offered = new Set(facets.map(({ key }) => key))
  const filters = (categoryOf(category ?? null)?.attributes ?? []).filter(({ filter }) => filter).map(({ key }) => specFacet(key))
  const known = (key: string) => without(key).some((part) => numberOf(part, key) !== undefined || choicesOf(part, key).length > 0)
  return ['category', 'brand', 'price', 'in_stock', ...filters].filter((key) => !offered.has(key) && known(key))
}

const partsOf = ({ ids }: Pick<Answered, 'ids'>): Listed[] => ids.flatMap((id) => byId.get(id) ?? [])

const describe = (asked: Asked): string =>
  JSON.stringify(asked, (_key, value) => (value instanceof Map ? Object.fromEntries(value) : value))
