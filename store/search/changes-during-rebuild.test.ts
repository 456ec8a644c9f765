import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { fullRunOnly } from '#proof/full-run.ts'
import { allCategories, setCategories } from '#store/catalogue/categories.ts'
import { anEmptyStore } from '#test/store.ts'
import { SearchQuery } from './contract.ts'
import { openLiveSearchIndex } from './live-index.ts'
import { parseSearchQuery } from './parsed-query.ts'

test('products that are all renamed while the index is built anew are found by their new names, each', fullRunOnly, async () => {
  await using store = await anEmptyStore()
  await store.db.execute(sql`
    insert into tools (id, sku, name, description, price_cents, minimum_order_quantity, available_quantity)
    select gen_random_uuid(), 'N-' || n, 'Vengeance ' || n, '', 100, 1, 0 from generate_series(1, 9000) as n`)
  let isLastBatch = Promise.withResolvers<void>()
  let batches = 0
  const db = new Proxy(store.db, {
    get(target, name) {
      if (name === 'select' && ++batches === 19) isLastBatch.resolve() // the one behind 18 batches of 500
      return Reflect.get(target, name, target)
    },
  })
  const search = openLiveSearchIndex(db, store.changes, assert.ifError)
  await search.ready
  const count = (q: string) => search.search(parseSearchQuery(SearchQuery.parse({ q, read: 'no', facets: 'no' })))?.total
  assert.equal(count('vengeance'), 9000)
  isLastBatch = Promise.withResolvers()
  // Committed when the rebuild has read all products, and before it has built the index of them.
  await store.db.transaction(async (tx) => {
    await tx.execute(sql`update tools set name = replace(name, 'Vengeance', 'Zorkmid')`)
    batches = 0
    search.rebuild()
    await isLastBatch.promise
  })
  while (count('zorkmid') !== 9000) await sleep(100) // hangs, and is red by the time of its file, if some are lost
  assert.equal(count('vengeance'), 0)
  await search.close()
})

test('a word that the definitions give a kind while the index is built, at first or anew, finds all products of the kind', async () => {
  await using store = await anEmptyStore()
  await store.db.execute(sql`
    insert into tools (id, sku, name, description, price_cents, minimum_order_quantity, available_quantity, category)
    select gen_random_uuid(), 'N-' || n, 'Ryzen ' || n, '', 100, 1, 0, 'cpu' from generate_series(1, 501) as n`)
  let onRead = (_nth: number) => {}
  let batches = 0
  const db = new Proxy(store.db, {
    get(target, name) {
      if (name === 'select') onRead(++batches)
      return Reflect.get(target, name, target)
    },
  })
  const search = openLiveSearchIndex(db, store.changes, assert.ifError)
  /** Between the first 500 products and the last one. */
  const nameKindDuringBuild = (word: string) => {
    batches = 0
    onRead = (nth) => {
      if (nth !== 2) return
      setCategories(allCategories().map((one) => (one.key === 'cpu' ? { ...one, words: [...one.words, word] } : one)))
      search.rebuild()
    }
  }
  const count = (q: string) => search.search(parseSearchQuery(SearchQuery.parse({ q, read: 'no', facets: 'no' })))?.total
  const whenFound = async (word: string) => {
    for (const until = Date.now() + 60_000; count(word) !== 501 && Date.now() < until; ) await sleep(10)
    assert.equal(count(word), 501)
  }
  nameKindDuringBuild('thinker')
  await whenFound('thinker')
  nameKindDuringBuild('brooder')
  search.rebuild()
  await whenFound('brooder')
  await search.close()
})
