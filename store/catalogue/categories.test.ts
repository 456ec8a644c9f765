import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allCategories, categoryOf, kindDrawingUrl } from './categories.ts'

const twice = (names: string[]) => names.filter((name, place) => names.indexOf(name) !== place)

test('each category and each attribute has one definition, and each drawing is there', () => {
  assert.deepEqual(twice(allCategories().flatMap(({ key, aliases }) => [key, ...aliases])), [])
  for (const { key, drawing, attributes, words } of allCategories()) {
    assert.deepEqual(twice(attributes.map((attribute) => attribute.key)), [], key)
    assert.deepEqual(twice(words), [], key)
    assert.ok(existsSync(`public/drawings/${drawing}.svg`), `public/drawings/${drawing}.svg`)
  }
})

test('only numbers have a unit of their own or a better direction', () => {
  for (const { key, attributes } of allCategories())
    for (const attribute of attributes) {
      if (attribute.better) assert.equal(attribute.kind, 'number', `${key}: ${attribute.key}`)
      if (attribute.kind === 'text') assert.equal(attribute.filter, false, `${key}: ${attribute.key} cannot be filtered by`)
    }
})

test('a figure that follows from the price divides it by a number of its category, and only choices are counted', () => {
  for (const { key, attributes } of allCategories())
    for (const { key: name, kind, unit, derived, counted } of attributes) {
      if (counted) assert.equal(kind, 'choice', `${key}: ${name}`)
      if (!derived) continue
      const divisor = attributes.find((attribute) => attribute.key === derived.price_per)
      assert.deepEqual([kind, unit, divisor?.kind, divisor?.derived], ['number', undefined, 'number', undefined], `${key}: ${name}`)
    }
})

test('everything that the starting catalogue says of a part is defined', () => {
  const undefinedKeys = readFileSync('demo/catalogue/tools.ndjson', 'utf8')
    .trim()
    .split('\n')
    .map((line): { category: string; specs: object } => JSON.parse(line))
    .flatMap(({ category, specs }) =>
      Object.keys(specs)
        .filter((key) => !categoryOf(category)?.attributes.some((attribute) => attribute.key === key))
        .map((key) => `${category}: ${key}`),
    )
  assert.deepEqual(undefinedKeys, [])
})

test('of a kind with more than six attributes each says what it is about, so that product pages show them in groups', () => {
  for (const { key, attributes } of allCategories())
    if (attributes.length > 6)
      assert.deepEqual(
        attributes.filter(({ group }) => !group).map((attribute) => attribute.key),
        [],
        key,
      )
})

test('the first attributes that parts of a kind are filtered by are those that decide, since tables show them in this order', () => {
  const first = Object.fromEntries(
    allCategories().map(({ key, attributes }) => [
      key,
      attributes.flatMap((one) => (one.filter && !one.derived ? one.key : [])).slice(0, 5),
    ]),
  )
  for (const [kind, keys] of Object.entries({
    'video-card': ['chipset', 'vram_gb', 'length_mm', 'tdp_w', 'slots'],
    cpu: ['socket', 'cores', 'threads', 'boost_ghz', 'tdp_w'],
    motherboard: ['socket', 'form_factor', 'memory_type', 'memory_slots', 'wifi'],
    memory: ['capacity_gb', 'modules', 'memory_type', 'speed_mts', 'cas'],
    storage: ['capacity_gb', 'drive_type', 'interface', 'form_factor', 'type'],
    'power-supply': ['wattage_w', 'efficiency', 'modular', 'length_mm', 'form_factor'],
    'cpu-cooler': ['sockets', 'water_cooled', 'radiator_mm', 'height_mm', 'noise_db_max'],
  }))
    assert.deepEqual(first[kind], keys, kind)
})

test('a product is shown by the drawing of its kind, and by a plain one where none is known to be right', () => {
  const drawing = (category: string, kind = '') => /([\w-]+)\.svg$/.exec(kindDrawingUrl(category, kind))?.[1]
  assert.deepEqual([drawing('tester', 'thermal camera'), drawing('tester', 'Oscilloscope')], ['thermal-camera', 'oscilloscope'])
  assert.deepEqual([drawing('tester', 'cable tester'), drawing('tester'), drawing('webcam', 'any')], ['tester', 'tester', 'webcam'])
  assert.deepEqual(
    [drawing('accessory', 'Game controller'), drawing('accessory', 'UPS'), drawing('accessory')],
    ['accessory', 'boxed', 'boxed'],
  )
  assert.deepEqual([drawing('no such'), drawing('tester', 'constructor')], ['part', 'tester'])
})
