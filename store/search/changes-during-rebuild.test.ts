import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { fullRunOnly } from '#proof/full-run.ts'
import { anEmptyStore } from '#test/store.ts'
import { SearchQuery } from './contract.ts'
import { openLiveSearchIndex } from './live-index.ts'
import { parseSearchQuery } from './parsed-query.ts'

test('products that are all renamed while the index is built anew are found by their new names, each', fullRunOnly, async () => {
  await using store = await anEmptyStore()
  await store.db.execute(sql`
    insert into tools (id, sku, name, description, price_cents, minimum_order_quantity, available_quantity)
    select gen_random_uuid(), 'N-' || n, 'Vengeance ' || n, '', 100, 1, 0 from generate_series(1, 9000) as n`)
  const search = openLiveSearchIndex(store.db, store.changes, assert.ifError)
  await search.ready
  const count = (q: string) => search.search(parseSearchQuery(SearchQuery.parse({ q, read: 'no', facets: 'no' })))?.total
  assert.equal(count('vengeance'), 9000)
  search.rebuild()
  await store.db.execute(sql`update tools set name = replace(name, 'Vengeance', 'Zorkmid')`)
  while (count('zorkmid') !== 9000) await sleep(100) // hangs, and is red by the time of its file, if some are lost
  assert.equal(count('vengeance'), 0)
  await search.close()
})
