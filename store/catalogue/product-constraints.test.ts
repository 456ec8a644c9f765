import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SQL, sql } from 'drizzle-orm'
import { createProduct } from '#test/order-actions.ts'
import { anEmptyStore } from '#test/store.ts'

/** What the table of products refuses, whoever writes, and the constraint that refuses it. */
const refused: [constraint: string, change: SQL][] = [
  ['tools_price', sql`price_cents = 0`],
  ['tools_price', sql`price_cents = 99999901`],
  ['tools_minimum', sql`minimum_order_quantity = 0`],
  ['tools_multiple', sql`order_multiple = 0`],
  ['tools_multiple', sql`order_multiple = 2`],
  ['tools_price_breaks', sql`price_breaks = '[{ "min_quantity": 1, "price_cents": 5 }]'`],
  ['tools_price_breaks', sql`price_breaks = '{}'`],
  ['tools_incoming', sql`incoming = '{ "quantity": 0, "date": "2026-12-01" }'`],
  ['tools_incoming', sql`incoming = '{}'`],
  ['tools_weight', sql`weight_g = 0`],
  ['tools_tax_class', sql`tax_class = 'luxury'`],
  ['tools_stock', sql`available_quantity = -1`],
]

test('the database keeps no product with a price, minimum, pack, delivery, weight or stock that none can have, whoever writes', async () => {
  await using store = await anEmptyStore()
  await createProduct(store)
  for (const [constraint, change] of refused)
    await assert.rejects(
      store.db.execute(sql`update tools set ${change}`),
      ({ cause }: Error) => String(cause).includes(`"${constraint}"`),
      constraint,
    )
})

test('price breaks are those whose quantities rise from 2 on and whose prices fall, ten at most', async () => {
  await using store = await anEmptyStore()
  const several = (count: number) => Array.from({ length: count }, (_, nth) => [nth + 2, 100 - nth])
  for (const [breaks, taken] of [
    [[], true],
    [[[2, 99_999_900]], true],
    [[[2, 99_999_901]], false],
    [[[2, 1]], true],
    [[[2, 0]], false],
    [[[1, 5]], false],
    [several(10), true],
    [several(11), false],
    [
      [
        [5, 9],
        [6, 8],
      ],
      true,
    ],
    [
      [
        [5, 9],
        [5, 8],
      ],
      false,
    ],
    [
      [
        [6, 9],
        [5, 8],
      ],
      false,
    ],
    [
      [
        [5, 9],
        [6, 9],
      ],
      false,
    ],
    [
      [
        [5, 9],
        [6, 10],
      ],
      false,
    ],
  ] as [number[][], boolean][]) {
    const stored = JSON.stringify(breaks.map(([min_quantity, price_cents]) => ({ min_quantity, price_cents })))
    const { rows } = await store.db.execute(sql`select are_price_breaks(${stored}::jsonb) as taken`)
    assert.deepEqual(rows, [{ taken }], stored)
  }
})

test('a price break holds from its quantity on, and is written with its cents where it has any', async () => {
  await using store = await anEmptyStore()
  const breaks = JSON.stringify([
    { min_quantity: 25, price_cents: 1130 },
    { min_quantity: 100, price_cents: 1000 },
  ])
  const { rows } = await store.db.execute(sql`select price_breaks_text(${breaks}::jsonb) as text,
    (select array_agg(unit_price_at(1200, ${breaks}::jsonb, quantity)) from unnest(array[24, 25, 99, 100]) as quantity) as prices`)
  assert.deepEqual(rows, [{ text: '25: 11.30; 100: 10', prices: [1200, 1130, 1130, 1000] }])
})
