import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findScanned, parcelAddress, pickList } from './packing.ts'

const line = {
  productId: 'drill',
  productName: 'Drill',
  brand: 'Wera',
  mpn: '05-134 B',
  sku: 'DR-10',
  gtin: '4013288205070',
  quantity: 3,
  sent: 0,
  toSend: 2,
  _id: 'a',
}
const saw = { ...line, _id: 'b', productId: 'saw', productName: 'Saw', mpn: null, sku: 'SA-2', gtin: '012345678905', toSend: 1 }

test('a scanned GTIN, part number or SKU, in any spelling, adds a piece to its line as long as one is left', () => {
  const lines = [line, saw]
  for (const code of ['4013288205070', '04013288205070', 'dr 10', 'DR-10', '05134b', ' 05-134 B '])
    assert.deepEqual(findScanned(lines, [0, 0], code), { index: 0 }, code)
  assert.deepEqual(findScanned(lines, [1, 0], 'DR-10'), { index: 0 })
  assert.equal(findScanned(lines, [2, 0], 'DR-10'), 'all packed')
  for (const code of ['12345678905', '012345678905', '00012345678905'])
    assert.deepEqual(findScanned(lines, [2, 0], code), { index: 1 }, code)
  for (const code of ['', '-', '4013288205071', 'drill', '0', 'null', '134'])
    assert.equal(findScanned(lines, [0, 0], code), 'unknown', code)
  const twice = [line, { ...saw, mpn: '05134B' }]
  assert.deepEqual(findScanned(twice, [2, 0], '05134B'), { index: 1 }, 'of two with one code that which has pieces left')
})

test('a pick list has each product once, by SKU, with the pieces of each order', () => {
  const orders = [
    { number: 1001, lines: [saw, line] },
    {
      number: 1002,
      lines: [
        { ...line, toSend: 5 },
        { ...saw, productId: 'nail', sku: 'DR-9' },
      ],
    },
  ]
  assert.deepEqual(
    pickList(orders).map(({ productId, pieces, orders }) => [productId, pieces, orders]),
    [
      ['nail', 1, [{ number: 1002, pieces: 1 }]],
      [
        'drill',
        7,
        [
          { number: 1001, pieces: 2 },
          { number: 1002, pieces: 5 },
        ],
      ],
      ['saw', 1, [{ number: 1001, pieces: 1 }]],
    ],
  )
})

test('the name stands once on a parcel', () => {
  assert.equal(parcelAddress({ recipient: 'Ada', buyerAddress: '1 Road\nBerlin' }), 'Ada\n1 Road\nBerlin')
  assert.equal(parcelAddress({ recipient: 'Ada', buyerAddress: 'Ada\n1 Road' }), 'Ada\n1 Road')
})
