import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { drill, importProducts, ndjson, uploadAndCheck } from '#store/imports/import-test-actions.ts'
import { anEmptyStore } from '#test/store.ts'
import { findOddities, productsForSaleSql } from './find-oddities.ts'
import { products } from './table.ts'

/** Forty usual power supplies: enough to tell what is usual. */
const usual = Array.from({ length: 40 }, (_, nth) => ({
  ...{ ...drill, sku: `P-${nth}`, name: `Corsair RM ${nth}`, brand: 'Corsair', mpn: `RM-${nth}`, category: 'power-supply' },
  ...{ price: 80 + nth, specs: { wattage_w: 650 + 10 * nth, efficiency: '80+ Gold', length_mm: 140 + nth } },
}))
const odd = { ...usual[0], mpn: 'ODD' }
const drive = (nth: number, name: string, capacity_gb: number) => ({
  ...{ ...odd, sku: `D-${nth}`, mpn: `D-${nth}`, name: `Corsair ${name}`, category: 'storage', specs: { capacity_gb } },
})
/** Enough whose names tell how much they hold. */
const drives = Array.from({ length: 40 }, (_, nth) =>
  drive(nth, nth % 2 ? `MP ${nth} 1TB SATA 6 Gb/s` : `MP ${nth} 512 GB`, nth % 2 ? 1024 : 512),
)
/** Enough whose names tell whether they are lit. */
const kit = (nth: number, name: string, rgb: boolean) => ({
  ...{ ...odd, sku: `M-${nth}`, mpn: `M-${nth}`, name: `Corsair ${name}`, category: 'memory', specs: { rgb } },
})
const kits = Array.from({ length: 40 }, (_, nth) => kit(nth, `Kit ${nth} RGB`, true))
const strange = [
  { ...odd, sku: 'O-TWICE', mpn: 'rm 1' },
  { ...odd, sku: 'O-MAKER', mpn: 'X-1', name: 'Corsair RM X', brand: 'Seasonic' },
  { ...odd, sku: 'O-PRICE', mpn: 'X-2', price: 9500 },
  { ...odd, sku: 'O-BREAK', mpn: 'X-12', price: 80, price_breaks: [{ min_quantity: 3, price: 80 }] },
  { ...odd, sku: 'O-UNIT', mpn: 'X-3', specs: { ...odd.specs, length_mm: 14.5 } },
  { ...odd, sku: 'O-ZERO', mpn: 'X-4', specs: { ...odd.specs, wattage_w: 0 } },
  { ...odd, sku: 'O-TEXT', mpn: 'X-5', specs: odd.specs },
  { ...odd, sku: 'O-CARD', mpn: 'X-7', category: 'video-card', specs: { length_mm: 600, slots: 3 } },
  { ...odd, sku: 'O-FAN', mpn: 'X-8', category: 'case-fan', specs: { size_mm: 0 } },
  { ...odd, sku: 'O-NAME', mpn: 'X-10', name: 'Corsair 140 mm Pack', category: 'case-fan', specs: { size_mm: 120 } },
  { ...odd, sku: 'O-RIGHT', mpn: 'X-11', name: 'Corsair 120mm x 25mm', category: 'case-fan', specs: { size_mm: 120 } },
  { ...drive(90, 'SA 1.92 TB', 1000), sku: 'O-HOLDS' },
  { ...kit(90, 'Beast RGB', false), sku: 'O-LIT' },
  ...['Beast non-RGB', 'Beast without RGB', 'Beast'].map((name, nth) => kit(91 + nth, name, false)),
  { ...odd, sku: 'O-CASE', mpn: 'X-9', category: 'case', specs: { volume_l: 2, motherboard_form_factors: ['EATX', 'ATX'] } },
  { ...odd, sku: 'O-LACKS', mpn: 'X-6', specs: { wattage_w: 700, length_mm: 150 } },
]
const expected = [
  'mpn: the same maker and part number as another sku: O-TWICE',
  'brand: the name begins with another maker: O-MAKER',
  'price: far from the prices of its category: O-PRICE',
  'price_breaks: no lower than the price of one piece: O-BREAK',
  'specs.length_mm: far from the values of its category: in another unit?: O-UNIT',
  'specs.wattage_w: far from the values of its category: in another unit?: O-ZERO',
  'specs.wattage_w: no number: O-TEXT',
  'specs.wattage_w: no part of power-supply can have this: O-ZERO',
  'specs.length_mm: no part of video-card can have this: O-CARD',
  'specs.size_mm: no part of case-fan can have this: O-FAN',
  'specs.size_mm: another than the name says: O-NAME',
  'specs.rgb: another than the name says: O-LIT',
  'specs.capacity_gb: another than the name says: O-HOLDS',
  'specs.length_mm: no part of power-supply can have this: O-UNIT',
  'specs.volume_l: too small for the boards that fit into it: O-CASE',
  'specs.efficiency: missing, though most products of power-supply have it: O-LACKS',
].sort()

test('what looks wrong in a catalogue is found: a part twice, another maker, prices and numbers far from their kind, sizes that cannot be, texts, missing attributes', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(...usual, ...drives, ...kits))
  assert.deepEqual(await findOddities(store.db, productsForSaleSql), [])
  await importProducts(store, ndjson(...strange))
  const asText = sql`jsonb_set(specs, '{wattage_w}', '"much"')`
  await store.db.update(products).set({ specs: asText }).where(eq(products.sku, 'O-TEXT')) // as earlier versions took it
  const found = await findOddities(store.db, productsForSaleSql)
  // The two that have the same number are both named; the first of them is the example.
  assert.deepEqual(
    found.map(({ column, words, example }) => `${column}: ${words}: ${example.sku}`.replace('sku: P-1', 'sku: O-TWICE')).sort(),
    expected,
  )
})

test('an import says what looks wrong in its rows, beside the catalogue that is there', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(...usual, ...drives, ...kits))
  const { report } = await uploadAndCheck(store, ndjson(...strange))
  assert.deepEqual(
    report.warnings.map(({ column, words, example }) => `${column}: ${words}: ${example.sku}`).sort(),
    [...expected.filter((one) => !one.includes('O-TEXT')), 'brand: a maker that the catalogue does not have: O-MAKER'].sort(),
  )
  assert.equal(report.wrong, 0)
})

test('an import says which price becomes five times as high or low first, and what is only missing last', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(...usual))
  const [cheap, dear, same, bare] = usual.map(({ sku, price }) => ({ sku, price }))
  const { report } = await uploadAndCheck(
    store,
    ndjson(
      { ...cheap, price: 8 },
      { ...dear, price: 405 },
      { ...same, price: 400 },
      { ...bare, price: 81 },
      { ...odd, sku: 'O-LACKS', mpn: 'X-6', specs: {} },
    ),
  )
  const [first, ...others] = report.warnings.map(({ column, words, count, example }) => `${count} ${column}: ${words}: ${example.found}`)
  assert.equal(first, '2 price: far from its price so far: 8, was 80')
  assert.match(others.at(-1) ?? '', /missing, though/)
})

test('of a kind with few parts none is far from the others', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(...usual.slice(0, 27), { ...odd, sku: 'O-PRICE', mpn: 'X-2', price: 9500 }))
  await importProducts(store, ndjson({ ...odd, sku: 'O-UNIT', mpn: 'X-3', price: 90, specs: { ...odd.specs, wattage_w: 90_000 } }))
  const found = await findOddities(store.db, productsForSaleSql)
  assert.deepEqual(
    found.filter(({ words }) => words.startsWith('far from')),
    [],
  )
})
