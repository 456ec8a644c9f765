import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyQuery } from '../../../proof/random-queries.ts'
import { buildIndex } from '../search-index.ts'
import { testProduct } from '../test-product.ts'
import { answerQuestion } from './answer-question.ts'

const index = await buildIndex([
  testProduct('case', 'Glass case', { side_panel: 'Tempered Glass', color: ['RGB'], max_gpu_mm: 300 }),
  testProduct('case', 'Steel case', { side_panel: 'Solid', color: ['Black'], max_gpu_mm: 400 }),
  testProduct('case-fan', 'RGB fan', { led: 'RGB' }),
  testProduct('video-card', 'Quick card', { chipset: 'GeForce RTX 4090', chipset_vendor: 'NVIDIA', outputs: { usb_c: 1 }, length_mm: 330 }),
  testProduct('video-card', 'Slow card', { chipset: 'Radeon RX 7600', chipset_vendor: 'AMD', length_mm: 200 }),
  testProduct('cpu', 'AMD Ryzen 5 7600', { cores: 6 }, { brand: 'AMD' }),
  testProduct('cpu', 'Intel Core 8', { cores: 8 }, { brand: 'Intel' }),
  testProduct('memory', 'Lit memory', { rgb: true }),
  testProduct('memory', 'Plain memory', { rgb: false }),
  testProduct('power-supply', 'Many plugs', { connectors: { sata: 8 }, wattage_w: 500 }),
  testProduct('motherboard', 'Board', { sata_6gbs: 4 }),
])

const ask = (q: string) => answerQuestion(index, { ...emptyQuery, q })
const names = (q: string) =>
  ask(q)
    .productsJson.map((json) => JSON.parse(json).name as string)
    .sort()

test('an exception is no wish: "any gpu but rtx 4090", "all but", "nothing from"', () => {
  for (const q of ['any gpu but rtx 4090', 'any gpu but an rtx 4090', 'all but nvidia gpu', 'nothing from nvidia gpu'])
    assert.deepEqual(names(q), ['Slow card'], q)
  assert.deepEqual(names('all cpus except amd'), ['Intel Core 8'])
  assert.deepEqual(ask('gpu -nvidia -nvidia').reading?.conditions.get('chipset_vendor')?.not, ['NVIDIA'], 'each once')
})

test('a value that is not wanted may be said in two words, of which the second means the same', () => {
  for (const q of ['case without side window', 'case no side window']) assert.deepEqual(names(q), ['Steel case'], q)
  for (const q of ['ram without rgb lighting', 'ram without rgb lights']) assert.deepEqual(names(q), ['Plain memory'], q)
})

test('a kind behind what is not wanted names no other category', () => {
  assert.deepEqual([ask('case without rgb fans').asked.category, names('case without rgb fans')], ['case', ['Steel case']])
})

test('what no filter can leave out is said with all of its words', () => {
  const { reading, total } = ask('cpu except ryzen 5')
  assert.deepEqual([reading?.notExcluded, total], [['except ryzen 5'], 2])
})

test('what a part has, as many others do, does not stand for that part: "case with usb-c"', () => {
  const { asked } = ask('case with usb-c')
  assert.equal(asked.ranges.get('max_gpu_mm'), undefined)
})

test('two values of one filter without "or" find either, which is said', () => {
  const isEither = (q: string) => ask(q).reading?.isEither
  assert.deepEqual(['case black and rgb', 'case black or rgb', 'black case'].map(isEither), [true, false, false])
})

test('connectors whose name is a unit elsewhere are connectors here, and not counted', () => {
  const { asked, reading } = ask('psu with at least 8 sata')
  assert.deepEqual([asked.selectedValues.get('connectors'), reading?.notCounted], [['sata'], ['at least 8 sata']])
  assert.deepEqual(names('motherboard with 4 sata'), ['Board'])
})
