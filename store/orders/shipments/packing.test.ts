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
  partNumber: null,
  quantity: 3,
  sent: 0,
  toSend: 2,
  _id: 'a',
}
const saw = { ...line, _id: 'b', productId: 'saw', productName: 'Saw', mpn: null, sku: 'SA-2', gtin: '012345678905', toSend: 1 }

test('a scanned GTIN, part number or SKU, in any spelling, adds a piece to its line as long as one is left', () => {
  const lines = [line, saw]
  for (const code of ['4013288205070', '04013288205070', 'dr 10', 'DR-10', '05134b', ' 05-134 B '])
    assert.deepEqual(findScanned(lines, [0, 0], code), { index: 0, pieces: 1 }, code)
  assert.deepEqual(findScanned(lines, [1, 0], 'DR-10'), { index: 0, pieces: 1 })
  assert.equal(findScanned(lines, [2, 0], 'DR-10'), 'all packed')
  for (const code of ['12345678905', '012345678905', '00012345678905'])
    assert.deepEqual(findScanned(lines, [2, 0], code), { index: 1, pieces: 1 }, code)
  for (const code of ['', '-', '4013288205071', 'drill', '0', 'null', '134'])
    assert.equal(findScanned(lines, [0, 0], code), 'unknown', code)
  const twice = [line, { ...saw, mpn: '05134B' }]
  assert.deepEqual(findScanned(twice, [2, 0], '05134B'), { index: 1, pieces: 1 }, 'of two with one code that which has pieces left')
})

test('a quantity before the code adds as many pieces, if so many are left; a code that looks like it stays a code', () => {
  const lines = [{ ...line, toSend: 20 }, saw, { ...saw, sku: '2X-55', toSend: 9 }]
  for (const typed of ['5x DR-10', '5 x dr10', '5X4013288205070', '5*DR-10', ' 5 × 05-134 B '])
    assert.deepEqual(findScanned(lines, [0, 0, 0], typed), { index: 0, pieces: 5 }, typed)
  assert.deepEqual(findScanned(lines, [18, 0, 0], '2x DR-10'), { index: 0, pieces: 2 })
  assert.deepEqual(findScanned(lines, [18, 0, 0], '3x DR-10'), { index: 0, left: 2 })
  assert.equal(findScanned(lines, [20, 0, 0], '1x DR-10'), 'all packed')
  assert.deepEqual(findScanned(lines, [0, 0, 0], '2x55'), { index: 2, pieces: 1 })
  assert.deepEqual(findScanned(lines, [0, 0, 0], '3x2X-55'), { index: 2, pieces: 3 })
  for (const typed of ['0x DR-10', '5x', '5x none', 'x DR-10', '5 DR-10'])
    assert.equal(findScanned(lines, [0, 0, 0], typed), 'unknown', typed)
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
