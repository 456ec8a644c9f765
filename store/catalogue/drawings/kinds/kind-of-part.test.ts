import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeDrawing, drawingSize, drawProduct } from '../draw-product.ts'

const sockets = (specs: Record<string, unknown>) => {
  const drawing = drawProduct({ category: 'network-card', specs })
  return [...drawing.matchAll(/<path class="d n" d="([^"]*)"/g)].flatMap(([, path = '']) => path.match(/z/g) ?? []).length
}
const sizeOf = (category: string, specs: Record<string, unknown>) => drawingSize({ category, specs })

test('a switch and a router are boxes with as many sockets as they have, and are as wide as those need', () => {
  assert.deepEqual(
    [5, 8, 24].map((ports) => sockets({ kind: 'switch', ports })),
    [5, 8, 24],
  )
  const wide = (kind: string, ports: number) => sizeOf('network-card', { kind, ports }).width
  assert.ok(wide('Switch', 8) > wide('Router', 5))
  assert.notEqual(
    drawProduct({ category: 'network-card', specs: { kind: 'Switch', ports: 5 } }),
    drawProduct({ category: 'network-card', specs: { kind: 'Router', ports: 5 } }),
  )
  const router = { kind: 'Router', ports: 4 }
  assert.ok(
    sizeOf('network-card', { ...router, wifi: 'Wi-Fi 7' }).height > sizeOf('network-card', router).height,
    'with radio it has aerials',
  )
  assert.equal(sockets({ kind: 'Network card', ports: 4, interface: 'PCIe x4' }), 0)
  assert.match(drawProduct({ category: 'network-card', specs: { kind: 'Switch' } }), /class="u"/)
})

test('a module for an M.2 slot is drawn as long and wide as its form says, and not as a card for PCIe', () => {
  const module = { kind: 'wireless module', form_factor: 'M.2 2230', wifi: 'Wi-Fi 6E' }
  assert.deepEqual(sizeOf('network-card', module), { width: 30, height: 22 })
  assert.deepEqual(sizeOf('network-card', { ...module, form_factor: 'M.2-2230' }), { width: 30, height: 22 })
  assert.ok(sizeOf('network-card', { ...module, form_factor: 'M.2 2210' }).width > 100, 'shorter than any module')
  assert.deepEqual(describeDrawing({ category: 'network-card', specs: module })?.dimensions, ['30 mm', '22 mm'])
  assert.ok(sizeOf('network-card', { wifi: 'Wi-Fi 6E', interface: 'PCIe x1' }).width > 100)
})

test('a thermal pad is drawn as large as it is, and paste as a syringe', () => {
  const pad = (specs: object) => ({ category: 'thermal-paste', specs: { kind: 'Pad', ...specs } })
  assert.deepEqual(describeDrawing(pad({ length_mm: 120, width_mm: 20, thickness_mm: 3 }))?.dimensions, ['120 mm', '20 mm'])
  assert.deepEqual(describeDrawing(pad({ length_mm: 120, width_mm: 9000 }))?.dimensions, ['120 mm'], 'what no pad can have is not known')
  assert.match(drawProduct(pad({})), /class="u"/)
  assert.deepEqual(describeDrawing({ category: 'thermal-paste', specs: { kind: 'paste', length_mm: 120 } })?.dimensions, [])
})
