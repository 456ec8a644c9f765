import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyQuery } from '../../../proof/random-queries.ts'
import { buildIndex } from '../search-index.ts'
import { testProduct } from '../test-product.ts'
import { answerQuestion } from './answer-question.ts'
import { questionFields } from './describe-reading.ts'

const index = await buildIndex([
  testProduct(
    'power-supply',
    'Corsair 550',
    { wattage_w: 550, modular: 'full', efficiency: '80+ Bronze' },
    { brand: 'Corsair', price: 60 },
  ),
  testProduct(
    'power-supply',
    'Seasonic 650',
    { wattage_w: 650, modular: 'Non-Modular', efficiency: '80+ Gold', atx_version: 3.1, form_factor: 'ATX' },
    { brand: 'Seasonic', price: 90 },
  ),
  testProduct(
    'power-supply',
    'Seasonic 900',
    { wattage_w: 900, modular: 'Non-Modular', efficiency: '80+ titanium' },
    { brand: 'Seasonic', price: 150 },
  ),
  testProduct('cpu', 'Six cores', { cores: 6 }),
  testProduct('cpu', 'Eight cores', { cores: 8 }),
  testProduct('monitor', 'Quick screen', { response_ms: 1, refresh_hz: 240, resolution: '2560x1440' }, { brand: 'Dell' }),
  testProduct('monitor', 'Slow screen', { response_ms: 8, refresh_hz: 60, resolution: '1920x1080' }, { brand: 'LG' }),
  testProduct('memory', 'Low latency', { cas: 28, memory_type: 'DDR5' }),
  testProduct('memory', 'High latency', { cas: 40, memory_type: 'DDR4' }),
  testProduct('case-fan', 'Quiet fan', { max_noise_level: 19 }),
  testProduct('case-fan', 'Loud fan', { max_noise_level: 35 }),
  testProduct('cpu-cooler', 'Air cooler', { fans: 2 }),
  testProduct('case', 'Tower', { bays_35: 8, max_gpu_mm: 400, expansion_slots: 7 }),
  testProduct('case', 'H2 cube', { bays_35: 2, max_gpu_mm: 200, expansion_slots: 7 }),
  testProduct('video-card', 'Short card', { length_mm: 190, slots: 2 }),
  testProduct('video-card', 'Long card', { length_mm: 330, slots: 2.5, outputs: { displayport_1_4a: 3 } }),
])

const boards = await buildIndex([
  testProduct('motherboard', 'Board LGA1851 DDR5', {}),
  testProduct('motherboard', 'Board LGA 1156, edition 1851', {}, { brand: 'ASUS' }),
  testProduct('cpu-cooler', 'Cooler LGA1851 LGA1700', {}),
  testProduct('video-card', 'RTX 4060 card', {}),
  testProduct('video-card', 'RTX 4060 Ti card', {}),
  testProduct('case', 'RTX4060 edition', {}),
])

/** The names that a question finds, where it leaves nothing out and takes nothing as near. */
function found(q: string): string[] {
  const { productsJson, leftOut, isNear } = answerQuestion(index, { ...emptyQuery, q })
  assert.deepEqual([leftOut, isNear], [[], false], q)
  return productsJson.map((json) => JSON.parse(json).name as string).sort()
}

test('"or better" asks for less of what is better with less', () => {
  for (const q of ['monitor 5ms or better', 'monitor 5 ms or faster', 'monitor faster than 5 ms', 'monitor 144hz or better'])
    assert.deepEqual(found(q), ['Quick screen'], q)
  for (const q of ['memory cl30 or better', 'memory better than cl30']) assert.deepEqual(found(q), ['Low latency'], q)
  for (const q of ['fan quieter than 20 db', 'fan 20 db or quieter']) assert.deepEqual(found(q), ['Quiet fan'], q)
})

test('"or better" asks for the grades above, too, where the definitions rank them', () => {
  for (const q of ['psu gold or better', 'psu 80 plus gold or higher', 'psu at least gold', 'gold+ psu'])
    assert.deepEqual(found(q), ['Seasonic 650', 'Seasonic 900'], q)
  assert.deepEqual(found('psu gold'), ['Seasonic 650'])
  assert.deepEqual(found('psu titanium or gold or better'), ['Seasonic 650', 'Seasonic 900'])
  assert.deepEqual(found('monitor 1440p or higher'), ['Quick screen'])
})

test('grades below, above without the grade itself, and not wanted', () => {
  for (const q of ['psu gold or lower', 'psu at most gold']) assert.deepEqual(found(q), ['Corsair 550', 'Seasonic 650'], q)
  for (const q of ['psu better than gold', 'psu above gold']) assert.deepEqual(found(q), ['Seasonic 900'], q)
  for (const q of ['psu not gold or better', 'psu not at least gold', 'psu below gold']) assert.deepEqual(found(q), ['Corsair 550'], q)
  assert.deepEqual(found('psu gold min 600w'), ['Seasonic 650'], 'the minimum is of the watts')
  for (const q of ['psu no worse than gold', 'psu no less than gold']) assert.deepEqual(found(q), ['Seasonic 650', 'Seasonic 900'], q)
  for (const q of ['psu at least bronze below titanium', 'psu better than bronze and at most gold'])
    assert.deepEqual(found(q).at(-1), 'Seasonic 650', q)
  assert.equal(answerQuestion(index, { ...emptyQuery, q: 'psu better than gold below gold' }).reading?.isContradiction, true)
  for (const q of ['psu at least gold max 100', 'psu better than bronze max 100']) assert.deepEqual(found(q), ['Seasonic 650'], q)
  assert.deepEqual(found('monitor 2560x1440 or higher'), ['Quick screen'], 'named by itself')
})

test('"80+" of a grade is no number behind a comparison', () => {
  for (const q of ['psu at least 80+ gold', 'psu not below 80+ gold', 'min 80+ gold psu'])
    assert.deepEqual(found(q), ['Seasonic 650', 'Seasonic 900'], q)
  assert.deepEqual(found('psu better than 80+ gold'), ['Seasonic 900'])
})

test('what is worse has more of what is better with less, and "not worse" less', () => {
  for (const q of ['monitor slower than 5 ms', 'monitor not faster than 5 ms']) assert.deepEqual(found(q), ['Slow screen'], q)
  for (const q of ['monitor not slower than 5 ms', 'monitor no worse than 5ms']) assert.deepEqual(found(q), ['Quick screen'], q)
  assert.deepEqual(found('memory not worse than cl30'), ['Low latency'])
  assert.deepEqual(found('fan not louder than 20 db'), ['Quiet fan'])
})

test('"for $1000" is the price of all pieces, "for $100 each" that of one, and "for 4090" none', () => {
  const most = (q: string) => answerQuestion(index, { ...emptyQuery, q }).asked.priceCents.max
  for (const q of ['10 psus for $1000', '10 psus for 1000', '10 psus for 1000 dollars', '10 psus for $100 each', '10 psus for 100 apiece'])
    assert.equal(most(q), 100_00, q)
  for (const q of ['psu for 100', 'psu for $100', '10 psus budget 100 each']) assert.equal(most(q), 100_00, q)
  for (const q of ['psu for 4090', 'cooler for 1700', 'cooler for 2']) assert.equal(most(q), undefined, q)
  assert.equal(most('10 psus under 1k total'), 100_00)
  assert.equal(most('10 psus total budget between 500 and 1000'), 100_00)
  assert.equal(most('psu for 1.200 usd'), 1200_00)
})

test('a comparison behind "not" is the other one', () => {
  for (const q of ['gpu not longer than 200mm', 'gpu no bigger than 200 mm', 'gpu no more than 200mm long'])
    assert.deepEqual(found(q), ['Short card'], q)
  for (const q of ['gpu not shorter than 200mm', 'gpu no smaller than 200 mm']) assert.deepEqual(found(q), ['Long card'], q)
  assert.deepEqual(found('cpu with no fewer than 8 cores'), ['Eight cores'])
  assert.deepEqual(found('psu not cheaper than $90'), ['Seasonic 650', 'Seasonic 900'])
})

test('any number of words that say nothing may stand behind "not", and before another that is not wanted either', () => {
  assert.deepEqual(found(`monitor not ${'a '.repeat(60)}dell`), ['Slow screen'])
  assert.deepEqual(found('psu not corsair or a seasonic'), [])
})

test('"or better" of a price is less, and of a version more', () => {
  assert.deepEqual(answerQuestion(index, { ...emptyQuery, q: 'psu 650 or better' }).asked.priceCents, {}, 'no price without a currency')
  for (const q of ['psu $90 or better', 'psu better than $90']) assert.deepEqual(found(q), ['Corsair 550', 'Seasonic 650'], q)
  assert.deepEqual(found('psu atx over 3'), ['Seasonic 650'], '3.1 is more than 3')
  assert.equal(answerQuestion(index, { ...emptyQuery, q: 'psu atx under 100' }).asked.priceCents.max, 100_00, 'no version is so large')
})

test('a price in total is that of all pieces', () => {
  for (const q of [
    ...['10 psus under 1000 total', 'budget 1000 for 10 psus', '$1000 for 10 psus', '10 psus budget of 1000', '10 psus, budget 1000'],
    ...['10 psus max 1000 in total', 'no more than 1000 for 10 psus', 'total of 1000 for 10 psus', 'total under 1000 10 psus'],
  ]) {
    const { asked } = answerQuestion(index, { ...emptyQuery, q })
    assert.deepEqual([asked.pieces, asked.priceCents.max], [10, 100_00], q)
  }
  assert.deepEqual(found('psu budget $100'), ['Corsair 550', 'Seasonic 650'])
  assert.equal(answerQuestion(index, { ...emptyQuery, q: 'budget psu' }).asked.sort, 'price')
  assert.equal(answerQuestion(index, { ...emptyQuery, q: 'budget 650 for gaming' }).asked.priceCents.max, undefined, 'a name')
  const priceOf = (q: string, pieces?: number) => answerQuestion(index, { ...emptyQuery, q, pieces }).asked.priceCents
  assert.deepEqual(priceOf('10 psus $500 to $1000 total'), { min: 50_00, max: 100_00 })
  assert.deepEqual(priceOf('psu 0 pieces budget $500'), { max: 500_00 }, 'none is no number of pieces')
  assert.deepEqual(priceOf('psu budget $500', 5), { max: 100_00 }, 'of the pieces that are chosen')
})

test('a number of connectors is said not to be counted', () => {
  const noted = (q: string) => {
    const answer = answerQuestion(index, { ...emptyQuery, q })
    const { understood, not_counted } = questionFields(answer, { ...emptyQuery, q }, () => [])
    return [understood.map(({ label }) => label), not_counted, answer.asked.q]
  }
  const chips = ['Graphics cards', 'Display outputs: DisplayPort 1.4a']
  assert.deepEqual(noted('gpu with 3 displayports'), [chips, ['3 displayports'], ''])
  assert.deepEqual(noted('gpu with 1 displayport'), [chips, [], ''])
  assert.deepEqual(noted('gpu 4060 displayport')[1], [], 'a name')
  assert.deepEqual(noted('10 psus under $100')[0], ['Power supplies', 'Price of each: $100 or less', '10 pieces'])
})

test('a mistyped kind is read with what stands beside it', () => {
  assert.deepEqual(found('moniter 240hz'), ['Quick screen'])
  assert.deepEqual(found('grafics card under 200mm'), ['Short card'])
  assert.deepEqual(found('powersuply 900w'), ['Seasonic 900'])
})

test('what is not wanted may stand behind words that say nothing', () => {
  for (const q of ['psu not corsair', 'psu that is not a corsair', 'anything but a corsair psu'])
    assert.deepEqual(found(q), ['Seasonic 650', 'Seasonic 900'], q)
  assert.deepEqual(found('monitor not from dell'), ['Slow screen'])
  assert.deepEqual(found('memory which is not a ddr4'), ['Low latency'])
})

test('a second limit may be joined by "and"', () => {
  for (const q of ['psu over 600w under 800w', 'psu over 600w and under 800w', 'psu over 500w and under 800w and over $80'])
    assert.deepEqual(found(q), ['Seasonic 650'], q)
  assert.deepEqual(found('psu 650w and under $100'), ['Seasonic 650'])
  assert.deepEqual(found('psu 600w and above'), ['Seasonic 650', 'Seasonic 900'])
})

test('"less than 8" of what is counted is not 8, but "under 650 W" may be', () => {
  for (const q of ['cpu less than 8 cores', 'cpu with fewer than 8 cores', 'cpu < 8 cores', 'cpu at most 6 cores'])
    assert.deepEqual(found(q), ['Six cores'], q)
  for (const q of ['cpu more than 6 cores', 'cpu greater than 6 cores']) assert.deepEqual(found(q), ['Eight cores'], q)
  assert.deepEqual(found('gpu more than 2 slots'), ['Long card', 'Short card'], 'what may be 2.5 is no count')
  assert.deepEqual(found('psu under 650 w'), ['Corsair 550', 'Seasonic 650'])
})

test('a mistake in one product does not make a count a measure', async () => {
  const counts = [2, 4, 6, 8, 8.5, 10, 12, 14, 16, 18, 20]
  const cpus = await buildIndex(counts.map((cores) => testProduct('cpu', `${cores} cores`, { cores })))
  const { productsJson } = answerQuestion(cpus, { ...emptyQuery, q: 'cpu less than 8 cores', sort: 'name' })
  assert.deepEqual(productsJson.map((json) => JSON.parse(json).name).sort(), ['2 cores', '4 cores', '6 cores'])
})

test('a number of products may be said before a kind whose name is a unit, too', () => {
  for (const q of ['qty 12 fans', 'fans qty 12']) assert.equal(answerQuestion(index, { ...emptyQuery, q }).asked.pieces, 12, q)
})

test('a value is known in whatever spelling the products have it', () => {
  assert.deepEqual(found('modular psu'), ['Corsair 550'])
})

test('bays for drives are counted, and "h2" behind "with" names no case', () => {
  assert.deepEqual(found('case with at least 6 hard drive bays'), ['Tower'])
  for (const q of ['case with 8 drive bays', 'case for 8 hard drives']) assert.deepEqual(found(q), ['Tower'], q)
  for (const q of ['case 300mm gpu', 'case fitting 300mm gpu']) assert.deepEqual(found(q), ['Tower'], q)
  const lengthOf = (q: string) => answerQuestion(index, { ...emptyQuery, q }).asked.ranges.get('length_mm')?.max
  assert.deepEqual(['gpu with h2', 'gpu for h2 case'].map(lengthOf), [undefined, 200])
})

test('a code that is typed apart is found as products have it, and one that they have apart stays so', () => {
  const names = (q: string) => answerQuestion(boards, { ...emptyQuery, q }).productsJson.map((json) => JSON.parse(json).name as string)
  assert.deepEqual(names('lga 1851').sort(), ['Board LGA1851 DDR5', 'Cooler LGA1851 LGA1700'])
  assert.equal(names('rtx 4060').includes('RTX 4060 Ti card'), true)
})

test('whether a code is in one piece does not depend on the filters that are chosen', () => {
  const ofAsus = answerQuestion(boards, { ...emptyQuery, q: 'lga 1851', brands: ['ASUS'] })
  assert.deepEqual([ofAsus.asked.q, ofAsus.total], ['lga1851', 0])
})

test('"none" in any spelling is none of it', async () => {
  const spelled = await buildIndex([
    testProduct('cpu', 'With graphics', { igpu: 'Intel UHD 770' }),
    testProduct('cpu', 'Without graphics', { igpu: 'none' }),
    testProduct('motherboard', 'Plain board', { wifi: 'NONE' }),
    testProduct('motherboard', 'Radio board', { wifi: 'Wi-Fi 6' }),
  ])
  const names = (q: string) => answerQuestion(spelled, { ...emptyQuery, q }).productsJson.map((json) => JSON.parse(json).name as string)
  assert.deepEqual([names('cpu with graphics'), names('motherboard without wifi')], [['With graphics'], ['Plain board']])
})

test("an amount in another currency is taken for the store's, which is told", () => {
  const currencyOf = (q: string) => answerQuestion(index, { ...emptyQuery, q }).reading?.otherCurrency
  assert.deepEqual(['psu under 100 €', 'psu bis 100 euro', 'psu under $100', 'psu under 100'].map(currencyOf), [
    '€',
    'euro',
    undefined,
    undefined,
  ])
})
