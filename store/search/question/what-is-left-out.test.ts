import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildIndex } from '../search-index.ts'
import { testProduct } from '../test-product.ts'
import { questionsTo } from './question-test-actions.ts'

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
  testProduct('motherboard', 'Board', { sata_6gbs: 4, wifi: 'None', socket: 'AM5' }),
  testProduct('motherboard', 'Radio board', { wifi: 'Wi-Fi 6', socket: 'AM5' }),
  testProduct('motherboard', 'New radio board', { wifi: 'Wi-Fi 7', socket: 'LGA1700' }),
  testProduct('cpu-cooler', 'Cooler for Intel', { sockets: ['LGA1700'] }),
  testProduct('cpu-cooler', 'Cooler for AMD', { sockets: ['AM5'] }, { brand: 'Intel' }),
  testProduct('cpu', 'AMD Ryzen 7 9700', { socket: 'AM5', cores: 8 }, { brand: 'AMD' }),
  testProduct('cpu', 'Intel Core 9', { socket: 'LGA1700', cores: 8 }, { brand: 'Intel' }),
  testProduct('mouse', 'Tailed mouse', { connectivity: ['Wired'] }, { brand: 'Dell' }),
  testProduct('mouse', 'Free mouse', { connectivity: ['Wireless'] }, { brand: 'HP' }),
  testProduct('mouse', 'Other mouse', { connectivity: ['Wireless'] }, { brand: 'Logitech' }),
])

const { ask, names } = questionsTo(index)

test('an exception is no wish: "any gpu but rtx 4090", "all but", "nothing from"', () => {
  for (const q of ['any gpu but rtx 4090', 'any gpu but an rtx 4090', 'all but nvidia gpu', 'nothing from nvidia gpu'])
    assert.deepEqual(names(q), ['Slow card'], q)
  assert.deepEqual(names('all cpus except amd'), ['Intel Core 8', 'Intel Core 9'])
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
  const { reading, total } = ask('cpu without integrated tea maker')
  assert.deepEqual([reading?.notExcluded, total], [['without integrated tea maker'], 4])
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

test('all of a list is left out, however its words are joined, and only what is of one sort', () => {
  for (const q of ['mouse not dell, hp or logitech', 'mouse except dell/hp, logitech', 'mouse not dell & hp & logitech'])
    assert.deepEqual(names(q), [], q)
  assert.deepEqual(names('mouse not dell, hp'), ['Other mouse'])
  assert.deepEqual(names('mouse not dell wired'), [], 'what is not joined is wanted, where it is of another sort')
})

test('"or" behind "no" leaves out what follows, too, whatever it is', () => {
  for (const q of ['case no rgb or glass', 'case without glass or rgb', 'case with neither rgb nor glass'])
    assert.deepEqual(names(q), ['Steel case'], q)
})

test('one of several values of a choice is left out alone, though there is a "None"', () => {
  assert.deepEqual(names('motherboard not wifi 7'), ['Board', 'Radio board'])
  assert.deepEqual(names('motherboard with wifi but not wifi 7'), ['Radio board'])
  assert.deepEqual(names('motherboard without wifi'), ['Board'])
})

test('"but" behind "any" leaves out what it stands before, unless a wish follows', () => {
  assert.deepEqual(names('any motherboard but with wifi'), ['New radio board', 'Radio board'])
  assert.deepEqual(names('any mouse wireless but logitech'), ['Other mouse'])
  assert.deepEqual(names('any mouse but a logitech'), ['Free mouse', 'Tailed mouse'])
})

test('what is not wanted twice is wanted', () => {
  for (const q of ['ram not without rgb', 'ram not without lighting']) assert.deepEqual(names(q), ['Lit memory'], q)
})

test('a model of a maker that is not wanted is no reason to leave out the maker, nor to ask for the number', () => {
  for (const q of ['cpu not amd 9700x3d', 'cpu except intel core9x']) {
    const { reading, asked } = ask(q)
    assert.deepEqual([asked.excludedBrands, asked.q, reading?.notExcluded.length], [[], '', 1], q)
  }
  assert.deepEqual(ask('psu not corsair 500w').asked.excludedBrands.length, 0)
})

test('"not for intel" leaves out what fits Intel, and not what Intel makes', () => {
  for (const q of ['cooler not for intel', 'cooler for am5 not intel']) assert.deepEqual(names(q), ['Cooler for AMD'], q)
  assert.deepEqual(names('cooler not intel'), ['Cooler for Intel'])
  assert.equal(ask('cooler for am5 not intel').asked.excludedValues.size, 0, 'what fits both fits AM5')
  assert.deepEqual(names('cooler for amd am5'), ['Cooler for AMD'], 'the socket says more than the maker')
})

test('words that deny a comparison, an order of stock or a range are no wish for it', () => {
  for (const q of [
    'gpu must not be longer than 300mm',
    'gpu never longer than 300mm',
    'gpu not exceeding 300 mm',
    'gpu nothing over 300mm',
  ])
    assert.deepEqual(names(q), ['Slow card'], q)
  for (const q of ['gpu not between 200 and 300', 'gpu not in stock']) {
    const { asked, reading } = ask(q)
    assert.deepEqual([asked.priceCents, asked.inStock, reading?.notExcluded.length], [{}, false, 1], q)
  }
})

test('"w/" is with, and "w/o" without', () => {
  assert.deepEqual(names('motherboard w/ wifi'), names('motherboard with wifi'))
  for (const q of ['motherboard w/o wifi', 'motherboard w/o a wifi']) assert.deepEqual(names(q), ['Board'], q)
})
