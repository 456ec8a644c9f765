import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyQuery } from '../../../proof/random-queries.ts'
import { buildIndex } from '../search-index.ts'
import { testProduct } from '../test-product.ts'
import { answerQuestion } from './answer-question.ts'

const index = await buildIndex([
  testProduct('video-card', 'MSI RTX 4070 Ventus', { chipset: 'GeForce RTX 4070', length_mm: 242, slots: 2 }, { brand: 'MSI' }),
  testProduct('video-card', 'ASUS RTX 4090 TUF 2', { chipset: 'GeForce RTX 4090', length_mm: 348, slots: 3 }, { brand: 'ASUS' }),
  testProduct('case', 'Small case 2', { max_gpu_mm: 250, expansion_slots: 7 }),
  testProduct('case', 'Large case 4', { max_gpu_mm: 400, expansion_slots: 7 }),
  testProduct('mouse', 'Light mouse', { weight: 58 }),
  testProduct('mouse', 'Heavy mouse', { weight: 120 }),
  testProduct('network-card', 'Two ports', { kind: 'Network card', ports: 2 }),
  testProduct('network-card', 'Radio', { kind: 'Network card', wifi: 'Wi-Fi 6E' }),
  testProduct('storage', 'MX500', {}),
  testProduct('thermal-paste', 'MX-6', { kind: 'Paste' }),
])
const ask = (q: string) => {
  const { productsJson, leftOut, nearest, asked } = answerQuestion(index, { ...emptyQuery, q })
  return { names: productsJson.map((json) => JSON.parse(json).name as string).sort(), leftOut, nearest, asked }
}

test('a number of things that something is for names none of them', () => {
  assert.deepEqual(ask('case for rtx 4090').names, ['Large case 4'])
  for (const [q, all] of [
    ['case for 2 gpus', ['Large case 4', 'Small case 2']],
    ['gpu for 4 monitors', ['ASUS RTX 4090 TUF 2', 'MSI RTX 4070 Ventus']],
  ] as const) {
    const { names, leftOut, asked } = ask(q)
    assert.deepEqual(names, all, q)
    assert.equal(asked.ranges.size, 0, q)
    assert.equal(asked.q, '', q)
    assert.equal(leftOut.length, 2, q)
  }
})

test('of a kind of which no product is stated to be, nothing is found but where the nearest are', () => {
  for (const [q, category] of [
    ['wifi 7 adapter', 'network-card'],
    ['thermal pad', 'thermal-paste'],
  ] as const) {
    const { names, nearest } = ask(q)
    assert.deepEqual([names, nearest], [[], [category]], q)
  }
  assert.deepEqual(ask('wifi 6e adapter').names, ['Radio'])
  assert.deepEqual(ask('ssd').names, ['MX500'], 'where no product states it, it may be of any')
})

test('what is named as a kind of which none is stated to be is found by its name', async () => {
  const drives = await buildIndex([
    testProduct('storage', 'Fast SSD', { type: 'SSD' }),
    testProduct('storage', 'Old HDD 4 TB', {}),
    testProduct('case', 'Case for HDD', {}),
  ])
  const { productsJson } = answerQuestion(drives, { ...emptyQuery, q: 'hdd' })
  assert.deepEqual(
    productsJson.map((json) => JSON.parse(json).name),
    ['Old HDD 4 TB'],
  )
})

test('weights may be in kilograms and ounces', () => {
  for (const q of ['mouse under 60 g', 'mouse under 0.06 kg', 'mouse under 2.1 oz']) assert.deepEqual(ask(q).names, ['Light mouse'], q)
})
