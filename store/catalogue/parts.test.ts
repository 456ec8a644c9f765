import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEmptyStore } from '#test/store.ts'
import { partsByIds } from './parts.ts'
import * as catalogue from './rules.ts'

const memory = {
  name: 'Vengeance 32 GB',
  description: 'Two modules.',
  category: 'memory',
  brand: 'Corsair',
  mpn: 'CMK32GX5M2B6000C36',
  price: 120,
  minimum_order_quantity: 2,
  available_quantity: 50,
  specs: { capacity_gb: 32 },
}

test('parts are read in the order in which they are asked for, without those that have left', async () => {
  await using store = await anEmptyStore()
  await catalogue.fill(
    store.db,
    ['A', 'B', 'C', 'D'].map((name, place) => ({ ...memory, name, specs: place === 1 ? null : memory.specs })),
  )
  const tools: { _id: string; name: string }[] = (await store.visitor.ask('GET', '/tools')).json()
  const ids = tools.map(({ _id }) => _id).reverse()
  await store.admin.ask('DELETE', `/tools/${ids[1]}`)

  const parts = await partsByIds(store.db, ids)

  assert.deepEqual(
    parts.map(({ name, specs }) => [name, specs]),
    [
      ['D', { capacity_gb: 32 }],
      ['B', {}],
      ['A', { capacity_gb: 32 }],
    ],
  )
})
