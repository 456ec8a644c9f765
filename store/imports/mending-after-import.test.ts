import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { importFile } from '#scripts/import-file.ts'
import { attribute, changed } from '#store/catalogue/definitions/definition-test-actions.ts'
import { markProductsToMend, mendDueProducts } from '#store/catalogue/definitions/mend-products.ts'
import { originalDefinitions } from '#store/catalogue/definitions/stored-definitions.ts'
import { catalogueDefinitions } from '#store/catalogue/definitions/table.ts'
import { products } from '#store/catalogue/table.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { processDueImport } from './due-imports.ts'
import { drill, findProduct, importProducts, ndjson, uploadAndCheck } from './import-test-actions.ts'

/** Definitions by which "Fine" is another spelling of "Good". */
async function withSpelledSockets(store: Store): Promise<void> {
  const definitions = changed({ definitions: originalDefinitions }, (all) =>
    Object.assign(attribute(all, 'cpu', 'socket'), { spellings: { Good: ['Fine'] } }),
  )
  await store.db.insert(catalogueDefinitions).values({ revision: 1, definitions, isOriginal: false, mendedAt: sql`now()` })
}

/** As if the process died where it says that mending is due. */
const stopWhereMendingIsMarked = (store: Store) =>
  store.db.execute(sql`alter table catalogue_definitions add constraint stopped check (mended_at is not null)`)

test('an import and the mending that follows from it are stored together or not at all, by the store and by the command', async () => {
  await using store = await anEmptyStore()
  await withSpelledSockets(store)
  const { _id } = await uploadAndCheck(store, ndjson(drill))
  await store.jobs.close() // this test processes the import itself
  await stopWhereMendingIsMarked(store)
  await store.admin.request('POST', `/imports/${_id}/run`, {})
  await assert.rejects(processDueImport(store.db, () => {}))
  assert.equal(await findProduct(store, drill.sku), undefined)

  const folder = mkdtempSync(path.join(tmpdir(), 'import-'))
  const file = path.join(folder, 'parts.ndjson')
  writeFileSync(file, ndjson(drill))
  await assert.rejects(importFile({ dataDir: '', databaseUrl: store.connectionString }, [file], () => {}))
  assert.equal(await findProduct(store, drill.sku), undefined)
  rmSync(folder, { recursive: true })

  await store.db.execute(sql`alter table catalogue_definitions drop constraint stopped`)
  assert.equal(await processDueImport(store.db, () => {}), true)
  assert.ok(await findProduct(store, drill.sku))
  assert.equal(await mendDueProducts(store.db), true, 'mending is due once it is written')
})

test('what an import writes while products are mended is mended afterwards', async () => {
  await using store = await anEmptyStore()
  await importProducts(
    store,
    ndjson({ ...drill, specs: { socket: 'Fine' } }, { ...drill, sku: 'D-2', mpn: '2', specs: { socket: 'Good' } }),
  )
  await store.jobs.close()
  await withSpelledSockets(store)
  await markProductsToMend(store.db)
  let mending: Promise<boolean> | undefined
  await store.db.transaction(async (importing) => {
    await importing
      .update(products)
      .set({ specs: { socket: 'Fine' } })
      .where(eq(products.sku, 'D-2'))
    await markProductsToMend(importing)
    mending = mendDueProducts(store.db)
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%catalogue_definitions%'`
    while ((await store.db.execute(waiting)).rows.length === 0) await sleep(10)
  })
  await mending
  while (await mendDueProducts(store.db));
  for (const sku of [drill.sku, 'D-2']) assert.deepEqual((await findProduct(store, sku))?.specs, { socket: 'Good' })
})
