import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEmptyStore } from '#test/store.ts'
import type { ValueWords } from '../categories.ts'
import type { Definitions } from './contract.ts'
import { attribute, category, putChanged, refusal } from './definition-test-actions.ts'

test('definitions with too many words are refused, with what there is too much of', async () => {
  await using store = await anEmptyStore()
  const many = (count: number, word: (nth: number) => string = (nth) => `w${nth}`) => Array.from({ length: count }, (_, nth) => word(nth))
  const asked = (more: object) => (all: Definitions) => Object.assign(attribute(all, 'cpu', 'socket'), { asked: more })
  const contains: ValueWords = { words: ['q'], contains: 'z' }
  assert.match(await refusal(store, asked({ values: many(5000).map(() => contains) })), /asked\.values":[^,]*200 items/)
  assert.match(await refusal(store, asked({ values: [{ ...contains, words: many(101) }] })), /words.*100 items/)
  assert.match(await refusal(store, asked({ withoutWords: many(51) })), /withoutWords.*50 items/)
  assert.match(await refusal(store, asked({ units: Object.fromEntries(many(101).map((word) => [word, 1])) })), /At most 100 entries/)
  const spread = (all: Definitions) =>
    all.categories.push(
      ...many(60).map((key) => ({ ...category(all, 'cpu'), key, aliases: [], words: many(400, (nth) => `a${key}${nth}`) })),
    )
  assert.match(await refusal(store, spread), /There are 3[1-3]\d{3} words of questions, of at most 20000/)
  const shared = (all: Definitions) => {
    all.questionWords.values.many = many(200).map((word) => ({ words: [word], contains: word }))
    category(all, 'cpu').attributes.push(
      ...many(120).map((key) => ({ key, label: key, kind: 'choice' as const, filter: false, asked: { sharedValues: 'many' } })),
    )
  }
  assert.match(await refusal(store, shared), /There are 2\d{4} words of questions/)
  const wide = (all: Definitions) =>
    all.categories.push(
      ...many(40).map((key) => ({
        ...{ key, label: key, aliases: [], words: [], drawing: 'part' },
        attributes: many(299).map((own) => ({ key: own, label: own, kind: 'text' as const, filter: false })),
      })),
    )
  assert.match(await refusal(store, wide), /There are 1\d{4} attributes, of at most 10000/)
  const spelled = Object.fromEntries(many(4999).map((value) => [value, many(11, (nth) => `${value} ${nth}`)]))
  assert.match(
    await refusal(store, (all) => Object.assign(attribute(all, 'cpu', 'socket'), { spellings: spelled })),
    /There are 60\d{3} spellings, of at most 50000/,
  )
})

test('a drawing of definitions is the name of a file, and questions sort by what products can be sorted by', async () => {
  await using store = await anEmptyStore()
  for (const drawing of ['фото', '../admin', 'https://elsewhere.example/x', 'A', '', 'x'.repeat(61)]) {
    assert.match(await refusal(store, (all) => Object.assign(category(all, 'cpu'), { drawing })), /drawing/)
    for (const kindDrawings of [{ kinds: { x: drawing } }, { kinds: {}, other: drawing }])
      assert.match(await refusal(store, (all) => Object.assign(category(all, 'cpu'), { kindDrawings })), /kindDrawings/)
  }
  for (const sort of ['', 'cheapest', 'spec.x y', 'price&q=x'])
    assert.match(await refusal(store, (all) => void all.questionWords.sorts.push({ words: ['first'], sort })), /cannot be sorted by that/)
  assert.equal(
    (await putChanged(store, (all) => void all.questionWords.sorts.push({ words: ['tidy'], sort: '-spec.cores' }))).statusCode,
    200,
  )
})
