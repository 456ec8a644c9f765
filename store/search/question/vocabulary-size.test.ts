import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttributeDefinition } from '#store/catalogue/categories.ts'
import { emptyQuery } from '../../../proof/random-queries.ts'
import { buildIndex } from '../search-index.ts'
import { testProduct } from '../test-product.ts'
import { answerQuestion } from './answer-question.ts'
import { createChoiceFinder } from './choice-words.ts'
import { collectNamingWords, findNamingWord } from './naming-words.ts'

const attribute = (asked: AttributeDefinition['asked'] = {}): AttributeDefinition => ({
  ...{ key: 'chipset', label: 'Chipset', kind: 'choice', filter: true, asked },
})

test('a mistyped word means the name with the fewest errors, of several the first, and none that is too far off', () => {
  const words = collectNamingWords(['samsung', 'kingston', 'seasonic', 'keyboard', 'kingdom', 'kingdoms', 'ram', 'processor', 'processors'])
  for (const [typed, errors, name] of [
    ['samsnug', 1, 'samsung'], // two letters swapped
    ['kingstn', 1, 'kingston'],
    ['keybboard', 2, 'keyboard'],
    ['procesor', 1, 'processor'],
    ['procesors', 2, 'processors'],
    ['kingdon', 1, 'kingdom'],
    ['kingdos', 1, 'kingdom'],
    ['xamsung', 1, undefined],
    ['kxngxton', 1, undefined],
    ['kxngxton', 2, 'kingston'],
    ['rams', 1, undefined],
  ] as const)
    assert.equal(findNamingWord(words, typed, errors), name, typed)
})

test('a mistyped word is compared with a limited number of names, however many there are', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const names = letters.flatMap((one) => letters.flatMap((two) => letters.map((three) => `a${one}${two}${three}xyz`)))
  const words = collectNamingWords(['abcdefg', ...names, 'zebra'])
  assert.equal(
    words.values().reduce((sum, { length }) => sum + length, 0),
    251,
  )
  assert.deepEqual([findNamingWord(words, 'abcdefh', 1), findNamingWord(words, 'zebr', 1)], ['abcdefg', 'zebra'])
})

test('words of questions mean the choices that they say, and nothing once as many comparisons were made as one question may wait for', () => {
  const choices = ['Wi-Fi 6E', 'Wi-Fi 6', 'WI-FI 5', 'No', 'None']
  const { findMeant } = createChoiceFinder()
  const one = attribute()
  const meant = (words: Parameters<typeof findMeant>[2], of = choices) => findMeant(one, of, words)
  assert.deepEqual(meant({ contains: 'fi 6' }), ['Wi-Fi 6'])
  assert.deepEqual(meant({ begins: 'wi-fi' }), ['Wi-Fi 6E', 'Wi-Fi 6', 'WI-FI 5'])
  assert.deepEqual(meant({ is: ['None', 'WI-FI 5', 'Other'] }), ['WI-FI 5', 'None'])
  assert.deepEqual(meant({ any: true }), ['Wi-Fi 6E', 'Wi-Fi 6', 'WI-FI 5'])
  assert.deepEqual(meant({}), [])
  const many = Array.from({ length: 10_000 }, (_, nth) => `Chip ${nth}`)
  const found = Array.from({ length: 200 }, () => meant({ contains: 'chip' }, many).length)
  assert.deepEqual([found[0], found.at(-1)], [10_000, 0])
  assert.ok(found.lastIndexOf(10_000) < 100, 'about a million comparisons')
  const other = createChoiceFinder()
  const prepared = Array.from({ length: 100 }, () => other.findMeant(attribute(), many, { contains: 'chip 7' }).length)
  assert.deepEqual([prepared[0], prepared.at(-1)], [1, 0], 'the choices of many attributes cost something, too')
})

test('a word means the choices that there are now, also where there was another one before', () => {
  const one = attribute()
  const meant = (choices: string[]) => createChoiceFinder().findMeant(one, choices, { contains: 'super' })
  assert.deepEqual(
    [meant(['RTX', 'RTX Super']), meant(['RTX', 'RTX Super', 'Super 2']), meant(['Super 2', 'RTX'])],
    [['RTX Super'], ['RTX Super', 'Super 2'], ['Super 2']],
  )
})

test('a choice is named with and without what questions leave out, unless it is too long to be asked for', () => {
  const { namesOf } = createChoiceFinder()
  const named = namesOf(attribute({ withoutWords: ['geforce', 'radeon'], withoutSize: true }), ['GeForce RTX 4060 8 GB', 'x'.repeat(201)])
  assert.deepEqual(
    named.map(({ choice, names }) => [choice, [...names]]),
    [['GeForce RTX 4060 8 GB', ['geforce rtx 4060 8 gb', 'geforce rtx 4060', ' rtx 4060 8 gb', ' rtx 4060']]],
  )
})

test('a name of more choices than an address can hold means none of them, and costs no more than others', async () => {
  const cards = (count: number) =>
    buildIndex(Array.from({ length: count }, (_, nth) => testProduct('video-card', `Card ${nth}`, { chipset: `Fooforce ${nth + 1} GB` })))
  const chosen = async (count: number) =>
    answerQuestion(await cards(count), { ...emptyQuery, q: 'gpu fooforce' }).asked.selectedValues.get('chipset')?.length
  assert.deepEqual([await chosen(2), await chosen(40), await chosen(41), await chosen(2000)], [2, 40, undefined, undefined])
})
