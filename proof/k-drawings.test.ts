import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawnCategories, drawProduct } from '#store/catalogue/drawings/draw-product.ts'
import { arbitrarySpecs } from './arbitrary-specs.ts'
import { partsMissing, readParts } from './labelled-questions.ts'
import { seededRandom } from './seeded-random.ts'

const perKind = 200
const maxBytes = 6000

/** Percent of the parts with different attributes whose drawings differ too. What is not seen from outside, such as a sensor's model, is not drawn. */
const minToldApart: Record<string, number> = {
  'video-card': 90,
  motherboard: 95,
  memory: 85,
  keyboard: 80,
  storage: 90,
  case: 95,
  'power-supply': 80,
  monitor: 80,
  cpu: 85,
}

test('K15 of 200 real parts of a kind, those with different attributes are told apart by their drawings', { skip: partsMissing }, (t) => {
  const parts = readParts()
  const { below } = seededRandom(20)
  for (const category of drawnCategories) {
    const all = parts.filter((part) => part.category === category)
    const drawn = Array.from({ length: perKind }, () => all[below(all.length)] ?? assert.fail(`no ${category}`))
    const started = performance.now()
    const drawings = drawn.map((part) => drawProduct(part))
    const milliseconds = (performance.now() - started) / perKind
    const different = new Set(drawings).size
    const fromAttributes = new Set(drawn.map(({ specs }) => drawProduct({ category, specs }))).size
    const described = new Set(drawn.map(({ specs }) => JSON.stringify(specs))).size
    const bytes = drawings.map((drawing) => Buffer.byteLength(drawing))
    t.diagnostic(
      `${category}: ${different} drawings of ${perKind} parts with ${described} different descriptions, ${fromAttributes} without their names, up to ${Math.max(...bytes)} bytes, ${milliseconds.toFixed(2)} ms each`,
    )
    assert.ok(fromAttributes / described >= (minToldApart[category] ?? 0) / 100, `${category}: ${fromAttributes} of ${described}`)
    for (const size of ['small', 'medium', 'large'] as const)
      for (const part of drawn) {
        const drawing = drawProduct(part, { size })
        assert.ok(Buffer.byteLength(drawing) < maxBytes, `${part.name}, ${size}: ${Buffer.byteLength(drawing)} bytes`)
        assert.doesNotMatch(drawing.replaceAll('AC Infinity', 'the maker'), /NaN|Infinity|undefined/, part.name)
      }
  }
})

const names = [
  '',
  '<script>alert(1)</script>',
  '" onload="alert(1) w/Heatsink RGB',
  '\u0001\uFFFE 990',
  `${'9 '.repeat(40_000)}`,
  'LCD'.repeat(30_000),
]

test('K16 whatever the attributes say, a drawing is finite, small and free of foreign markup', () => {
  const random = seededRandom(21)
  for (const category of drawnCategories)
    for (let nth = 0; nth < perKind; nth++) {
      const specs = arbitrarySpecs(random)
      const [name, brand] = [names[nth % names.length] ?? '', names[(nth + 1) % names.length] ?? '']
      for (const size of ['small', 'large'] as const) {
        const drawing = drawProduct({ category, specs, name, brand }, { size })
        const message = `${category} ${JSON.stringify(specs)}`
        assert.ok(Buffer.byteLength(drawing) < maxBytes * 2, message)
        assert.doesNotMatch(drawing, /NaN|Infinity|undefined|<script|"\s*onload=/, message)
        assert.doesNotMatch(drawing, /="-?\d{6}|(?:width|height|r)="-/, message)
        assert.doesNotMatch(drawing.replaceAll('\n', ''), /[\p{Cc}\uFFFE\uFFFF]/u, message)
      }
    }
})
