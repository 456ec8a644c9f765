import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyQuery } from '../../../proof/random-queries.ts'
import { buildIndex } from '../search-index.ts'
import { testProduct } from '../test-product.ts'
import { answerQuestion } from './answer-question.ts'
import { questionFields } from './describe-reading.ts'
import { questionsTo } from './question-test-actions.ts'

const index = await buildIndex([
  testProduct('video-card', 'Acme RTX 5070 Gale', { chipset: 'GeForce RTX 5070' }, { brand: 'Acme' }),
  testProduct('video-card', 'Acme RTX 5070Ti Gale', { chipset: 'GeForce RTX 5070' }, { brand: 'Acme' }),
  testProduct('video-card', 'Zenith Storm RTX 5070', { chipset: 'GeForce RTX 5070' }, { brand: 'Zenith' }),
  testProduct('video-card', 'Zenith Calm RTX 5070', { chipset: 'GeForce RTX 5070' }, { brand: 'Zenith' }),
  testProduct('cpu', 'AMD Ryzen 5 7600', { cores: 6 }, { brand: 'AMD' }),
  testProduct('cpu', 'AMD Ryzen 7 9850X3D', { cores: 8 }, { brand: 'AMD' }),
  testProduct('storage', 'Acme 990 Evo', { type: 'SSD', capacity_gb: 1000 }, { brand: 'Acme' }),
  testProduct('storage', 'Acme 990 Pro', { type: 'SSD', capacity_gb: 1000 }, { brand: 'Acme' }),
  testProduct('storage', 'Acme Blue', { type: 'HDD', capacity_gb: 1000 }, { brand: 'Acme' }),
  testProduct('storage', 'Acme Green', { type: 'HDD', capacity_gb: 1000 }, { brand: 'Acme' }),
  testProduct('storage', 'Acme Red', { type: 'HDD', capacity_gb: 1000 }, { brand: 'Acme' }),
  testProduct('memory', 'Plain DDR5 2x16GB', { rgb: false, capacity_gb: 32 }),
  testProduct('memory', 'Beast RGB DDR5 2x16GB', { rgb: false, capacity_gb: 32 }),
  testProduct('memory', 'Lamp DDR5', { rgb: true, capacity_gb: 32 }),
  testProduct('mouse', 'Acme Z9-400X', {}),
  testProduct('mouse', 'Acme Z9-500X', {}),
  testProduct('keyboard', 'Tray for keyboard', {}),
  ...['Red', 'Blue', 'Green'].map((colour) => testProduct('case', `${colour} case`, { color: [colour] })),
  testProduct('keyboard', 'Acme Plus keyboard', {}),
  testProduct('power-supply', 'Breeze Non-Zonal 450', { wattage_w: 450 }),
  testProduct('power-supply', 'Breeze Zonal 450', { wattage_w: 450 }),
  testProduct('monitor', 'Acme 27 Arc', { curved: true, screen_size_in: 27 }, { brand: 'Acme' }),
  testProduct('monitor', 'Zenith 27 Flat', { curved: false, screen_size_in: 27 }, { brand: 'Zenith' }),
  testProduct('monitor', 'Zenith with speakers', { screen_size_in: 24 }, { brand: 'Zenith' }),
])

const { ask, names } = questionsTo(index)

test('words of names that are not wanted leave out what has them whole, behind a number too: "rtx 5070 not ti"', () => {
  assert.deepEqual(names('rtx 5070 not ti'), ['Acme RTX 5070 Gale', 'Zenith Calm RTX 5070', 'Zenith Storm RTX 5070'])
  assert.deepEqual(names('gpu -storm -ti'), ['Acme RTX 5070 Gale', 'Zenith Calm RTX 5070'])
  assert.deepEqual(names('cpu not x3d'), ['AMD Ryzen 5 7600'])
  assert.deepEqual(names('mouse not z9-400x'), ['Acme Z9-500X'], 'a code stays whole')
  assert.deepEqual([ask('mouse not z9-600x').asked.excludedWords, ask('mouse not z9-600x').reading?.notExcluded], [[], ['not z9-600x']])
  assert.deepEqual(ask('keyboard not plus').asked.excludedWords, ['plus'], 'which compares only beside a number')
  assert.deepEqual(names('hdd not blue or green'), ['Acme Red'])
  assert.deepEqual(ask('cpu not 5').reading?.notExcluded, ['not 5'], 'a small number names nothing')
  assert.deepEqual(names('cpu except ryzen 5'), ['AMD Ryzen 7 9850X3D'])
  assert.deepEqual(names('ssd not evo or pro'), [])
  assert.deepEqual(names('ssd not evo'), ['Acme 990 Pro'])
})

test('of words that no name has together, those that one has are left out', () => {
  assert.deepEqual(names('rtx 5070 not ti calm'), ['Zenith Calm RTX 5070'])
})

test('a line of products that is not wanted leaves in what else its maker sells', () => {
  assert.deepEqual(names('rtx 5070 not zenith storm'), ['Acme RTX 5070 Gale', 'Acme RTX 5070Ti Gale', 'Zenith Calm RTX 5070'])
  assert.deepEqual(names('rtx 5070 not acme or zenith storm'), ['Zenith Calm RTX 5070'])
  assert.deepEqual(names('rtx 5070 not zenith storm or acme'), ['Zenith Calm RTX 5070'])
  assert.deepEqual(ask('monitor not zenith red').asked.excludedBrands, ['Zenith'], 'where none of its products is called so')
  assert.deepEqual(
    names('drive not acme red'),
    ['Acme 990 Evo', 'Acme 990 Pro', 'Acme Blue', 'Acme Green'],
    'a colour is part of a name where it is no filter',
  )
  assert.deepEqual(names('monitor not acme 27'), ['Zenith 27 Flat'], 'but a size is a wish')
  assert.deepEqual(names('monitor not curved 27'), ['Zenith 27 Flat'])
})

test('what names say of a value counts for what is not wanted, whatever the attribute says', () => {
  assert.deepEqual(names('ram no rgb'), ['Plain DDR5 2x16GB'])
  assert.deepEqual(names('ram without rgb 2x16'), ['Plain DDR5 2x16GB'], 'two modules of 16 GB are no model of RGB')
})

test('a word of refusal that names have themselves refuses nothing: "non-zonal"', () => {
  assert.deepEqual(ask('psu breeze non zonal').reading?.excludedWords, [])
  assert.deepEqual(ask('psu breeze not zonal').reading?.excludedWords, ['zonal'])
})

test('what a product has but names need not say may be had by others, which is said', () => {
  assert.deepEqual([names('monitor no speakers').length, ask('monitor no speakers').reading?.notExcluded], [2, ['no speakers']])
  assert.deepEqual(ask('rtx 5070 not ti').reading?.notExcluded, [])
})

test('what it must not be for is no wish for it, and no word of names', () => {
  assert.deepEqual(ask('memory not for cheapest').asked.excludedWords, [])
  for (const q of ['memory not for laptops', 'memory not for kiosks', 'memory not for storm']) {
    const { asked, reading } = ask(q)
    assert.deepEqual([asked.q, asked.excludedWords, reading?.notExcluded], ['', [], [q.slice('memory '.length)]], q)
  }
})

test('what must not stand in names is a filter of its own, and said so', () => {
  const query = { ...emptyQuery, q: 'rtx 5070 not ti' }
  const { understood } = questionFields(answerQuestion(index, query), query, () => index.categoryCounts())
  assert.deepEqual(understood.at(-1), { label: 'Not in the name: ti', params: [{ name: 'q.not', value: 'ti' }] })
  const full = { ...query, excludedWords: 'abcdefghij'.split('') }
  const fields = questionFields(answerQuestion(index, full), full, () => index.categoryCounts())
  assert.deepEqual([fields.not_excluded, fields.understood.filter(({ label }) => label.startsWith('Not'))], [['ti'], []], 'beside ten')
})

test('of many words that are not wanted, so many are left out as an address can hold, and the rest is said to stay', () => {
  const words = ['gale', 'storm', 'calm', 'zenith', 'acme', 'ti', 'evo', 'pro', 'beast', 'lamp', 'plain', 'flat', 'arc', 'speakers']
  const { asked, reading } = ask(`keyboard ${words.map((word) => `not ${word}`).join(' ')}`)
  assert.deepEqual([asked.excludedWords.length, reading?.notExcluded], [10, ['not arc', 'not speakers']])
})
