import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { products, stockMovements } from '#store/catalogue/table.ts'
import { users } from '#store/identity/table.ts'
import { createSecondInstance } from '#test/second-instance.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { processDueImport } from './due-imports.ts'
import {
  csv,
  drill,
  fetchPublicProducts,
  findProduct,
  getImportByApi,
  importProducts,
  limitNewProducts,
  ndjson,
  saw,
  uploadAndCheck,
  uploadByApi,
} from './import-test-actions.ts'
import { deleteOldImports } from './rules.ts'
import { importRows, imports } from './table.ts'
import { storeUpload } from './uploads.ts'

test('files that wait are checked one by one', async () => {
  await using store = await anEmptyStore()
  const owner = (await store.db.select().from(users))[0]?.id ?? ''
  const chunks = [Buffer.from(ndjson(drill))]
  const upload = { userId: owner, expectedBytes: 0 }
  for (const name of ['first', 'second']) await storeUpload(store.db, { ...upload, name, bytes: Readable.from(chunks) })
  const states = async () => (await store.db.select().from(imports).orderBy(imports.at)).map(({ fileName, state }) => [fileName, state])

  assert.equal(await processDueImport(store.db, () => {}), true)
  assert.deepEqual(await states(), [
    ['first', 'checked'],
    ['second', 'checking'],
  ])
})

test('an import that has failed five times is given up, and says so', async () => {
  await using store = await anEmptyStore()
  const { _id } = await uploadAndCheck(store, ndjson(drill))
  await store.db.update(imports).set({ state: 'importing', tries: 5 })
  await store.jobs.close() // this test processes the import itself
  assert.equal(await processDueImport(store.db, () => {}), true)
  const { state, trouble } = await getImportByApi(store, _id)
  assert.deepEqual([state, trouble], ['failed', 'The store tried 5 times to work on this file and failed each time: send it again'])
  assert.equal(await processDueImport(store.db, () => {}), false)
})

test('an import that fails half way leaves the catalogue as it was', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill))
  await store.db.execute(sql`alter table tools add constraint no_saws check (name <> 'Saw')`)
  const { _id } = await uploadAndCheck(store, ndjson({ ...drill, price: 99 }, { ...drill, sku: 'D-2' }, saw))
  const { error } = console
  console.error = () => {}
  await store.admin.request('POST', `/imports/${_id}/run`, {})
  await store.jobs.whenIdle()
  console.error = error
  assert.deepEqual(
    (await fetchPublicProducts(store)).map(({ name, price }) => [name, price]),
    [['Drill', 30]],
  )
  assert.equal((await getImportByApi(store, _id)).state, 'importing', 'it is tried again')
  await store.db.execute(sql`alter table tools drop constraint no_saws`)
  store.events.importQueued()
  await store.jobs.whenIdle()
  assert.equal((await fetchPublicProducts(store)).length, 3)
})

test('an import that meets a conflict at each try is tried three times at one look, and again at the next', async () => {
  await using store = await anEmptyStore()
  const { _id } = await uploadAndCheck(store, ndjson(drill))
  await store.db.execute(sql`create sequence tries`) // which counts on whatever is undone
  await store.db.execute(sql`create function conflict() returns trigger language plpgsql
    as $$ begin if nextval('tries') < 5 then raise unique_violation; end if; return new; end $$`)
  await store.db.execute(sql`create trigger conflict before insert on tools for each row execute function conflict()`)
  const tries = async () => (await store.db.execute<{ tries: number }>(sql`select last_value::int as tries from tries`)).rows[0]?.tries
  await store.db.update(imports).set({ state: 'importing' })

  await assert.rejects(processDueImport(store.db, () => {}))
  assert.deepEqual([(await getImportByApi(store, _id)).state, await tries(), await fetchPublicProducts(store)], ['importing', 3, []])
  assert.equal(await processDueImport(store.db, () => {}), true)
  assert.deepEqual([(await getImportByApi(store, _id)).state, await tries()], ['done', 5])
})

test('a check that the database fails in the middle tells nothing, and is made anew', async () => {
  await using store = await anEmptyStore()
  await store.jobs.close() // this test checks
  await store.db.execute(sql`alter table import_rows add constraint no_saws check (name <> 'Saw')`)
  const { _id } = await uploadByApi(store, ndjson(drill, saw))
  await assert.rejects(processDueImport(store.db, () => {}))
  const { state, report } = await getImportByApi(store, _id)
  assert.deepEqual([state, report], ['checking', null])

  await store.db.execute(sql`alter table import_rows drop constraint no_saws`)
  assert.equal(await processDueImport(store.db, () => {}), true)
  assert.equal((await getImportByApi(store, _id)).report?.create, 2)
})

/** Another process that works on this import, and has come to the middle of the writing. */
async function aProcessInTheMiddle(store: Store, importId: string) {
  const other = await createSecondInstance(store)
  await store.db.update(imports).set({ state: 'importing' }).where(eq(imports._id, importId))
  await store.db.execute(
    sql`create function slow() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(5); return new; end $$`,
  )
  await store.db.execute(sql`create trigger slow before insert on tools for each row execute function slow()`)
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: holding, resolve: isHeld } = Promise.withResolvers<void>()
  const holder = store.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(5)`)
    isHeld()
    await held
  })
  await holding
  other.jobs.wakeWorker('imports')
  for (;;) {
    const { rows } = await store.db.execute(
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into tools%'`,
    )
    if (rows.length > 0) break
  }
  return {
    other,
    async goOn() {
      letGo()
      await holder
    },
    [Symbol.asyncDispose]: () => other[Symbol.asyncDispose](),
  }
}

test('an import that is run twice at one moment is run once', async () => {
  await using store = await anEmptyStore()
  const { _id } = await uploadAndCheck(store, ndjson(drill, saw))
  const { promise: bothWait, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
  const holder = store.db.transaction(async (tx) => {
    await tx.execute(sql`select from imports where id = ${_id} for update`)
    hold()
    await bothWait
  })
  await isHeld
  const runs = [1, 2].map(() => store.admin.request('POST', `/imports/${_id}/run`, {}))
  for (;;) {
    const { rows } = await store.db.execute(
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'update "imports"%'`,
    )
    if (rows.length === 2) break
  }
  letGo()
  await holder
  assert.deepEqual((await Promise.all(runs)).map(({ statusCode }) => statusCode).sort(), [200, 409])
  await store.jobs.whenIdle()
  assert.equal((await getImportByApi(store, _id)).state, 'done')
  assert.equal((await fetchPublicProducts(store)).length, 2)
})

test('an import that a crash has interrupted is taken up by another process, and written once', async () => {
  await using store = await anEmptyStore()
  const { _id } = await uploadAndCheck(store, ndjson(drill, saw))
  await using it = await aProcessInTheMiddle(store, _id)

  await it.other.crash()
  await it.goOn()
  for (const _ of [1, 2]) store.events.importQueued()
  await store.jobs.whenIdle()

  assert.equal((await getImportByApi(store, _id)).state, 'done')
  assert.equal((await fetchPublicProducts(store)).length, 2)
  assert.equal(await store.db.$count(stockMovements), 1)
})

test('what one process works on, another passes over', async () => {
  await using store = await anEmptyStore()
  const { _id } = await uploadAndCheck(store, ndjson(drill, saw))
  await using it = await aProcessInTheMiddle(store, _id)
  const tries = async () => (await store.db.select({ tries: imports.tries }).from(imports))[0]?.tries

  store.events.importQueued()
  let over = false
  const rest = store.jobs.whenIdle().then(() => {
    over = true
  })
  for (;;) if (over || (await tries()) !== 2) break
  assert.equal(await tries(), 2, 'once to check it, once to write it')
  await it.goOn()
  await Promise.all([rest, it.other.jobs.whenIdle()])

  assert.deepEqual(it.other.errors, [])
  assert.equal((await getImportByApi(store, _id)).state, 'done')
  assert.equal((await fetchPublicProducts(store)).length, 2)
})

test('a process that has lost its import to another undoes what it was writing', async () => {
  await using store = await anEmptyStore()
  const { _id } = await uploadAndCheck(store, ndjson(drill, saw))
  await using it = await aProcessInTheMiddle(store, _id)
  // Its lock went with a connection that broke, and another has finished the work.
  await store.db.update(imports).set({ state: 'done' })
  await it.goOn()
  await it.other.jobs.whenIdle()

  assert.match(String(it.other.errors[0]), /written by somebody else/)
  assert.deepEqual(await fetchPublicProducts(store), [])
})

test('an import whose number another product takes in the middle of the writing changes that product instead', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson({ ...drill, sku: 'X-1', price: 29 }))
  const { _id } = await uploadAndCheck(store, ndjson(drill, saw))
  await using it = await aProcessInTheMiddle(store, _id)
  await store.db.update(products).set({ sku: 'D-1' }).where(eq(products.sku, 'X-1'))
  await it.goOn()
  await it.other.jobs.whenIdle()

  assert.deepEqual(it.other.errors, [])
  assert.equal((await getImportByApi(store, _id)).state, 'done')
  assert.deepEqual(
    (await fetchPublicProducts(store)).map(({ name, price }) => [name, price]),
    [
      ['Drill', 30],
      ['Saw', 12],
    ],
  )
})

test('an import whose staged rows go in the middle of the writing leaves the catalogue as it was, and is then written whole from its file', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill))
  const { _id } = await uploadAndCheck(store, ndjson(saw, { ...drill, price: 99 }))
  await using it = await aProcessInTheMiddle(store, _id)
  await store.db.delete(importRows).where(eq(importRows.row, 2))
  await it.goOn()
  await it.other.jobs.whenIdle()
  const prices = async () => (await fetchPublicProducts(store)).map(({ name, price }) => [name, price])

  assert.match(String(it.other.errors[0]), /Of 2 rows of the import .* only 1 are staged/)
  assert.deepEqual(await prices(), [['Drill', 30]])
  store.events.importQueued()
  await store.jobs.whenIdle()
  assert.equal((await getImportByApi(store, _id)).state, 'done')
  assert.deepEqual(await prices(), [
    ['Drill', 99],
    ['Saw', 12],
  ])
})

/** Imports two files of new products: the second has passed its checks, and waits, while another process is in the middle of the first. */
async function importAtOneMoment(store: Store, [oneFile, otherFile]: [string, string]) {
  const [one, other] = [await uploadAndCheck(store, oneFile), await uploadAndCheck(store, otherFile)]
  await using it = await aProcessInTheMiddle(store, one._id)
  const { error } = console
  console.error = () => {}
  await store.admin.request('POST', `/imports/${other._id}/run`, {})
  for (;;) {
    const { rows } = await store.db.execute(
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'select pg_advisory_xact_lock%'`,
    )
    if (rows.length > 0) break
  }
  await it.goOn()
  await Promise.all([it.other.jobs.whenIdle(), store.jobs.whenIdle()])
  console.error = error
  store.events.importQueued()
  await store.jobs.whenIdle()
  return { one: await getImportByApi(store, one._id), other: await getImportByApi(store, other._id) }
}

test('of two files of new products that an admin who is no owner imports at one moment the one beyond the limit of a day is not imported', async () => {
  await using store = await anEmptyStore()
  using _ = limitNewProducts(2)
  await store.admin.token()
  await store.db.update(users).set({ owner: false })
  const saws = (...skus: string[]) => ndjson(...skus.map((sku) => ({ ...saw, sku })))
  const { one, other } = await importAtOneMoment(store, [saws('S-1', 'S-2'), saws('S-3')])

  assert.equal(one.state, 'done')
  assert.match(
    `${other.state}: ${other.trouble}`,
    /^failed: Admins who are no owners can add 2 products within a day, .* Nothing was imported$/,
  )
  assert.equal(await store.db.$count(products), 2)
})

test('two files that fill up the attributes of a product at one moment leave it with what one product may have', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson({ ...drill, specs: {} }))
  const table = (sku: string, first: number) => {
    const columns = Array.from({ length: 100 }, (_, nth) => `specs.key_${first + nth}`)
    const values = columns.map(() => 'x').join(',')
    const head = ['sku', 'category', 'name', 'price', 'minimum_order_quantity', 'available_quantity', ...columns].join(',')
    return csv(head, `D-1,cpu,Drill,30,1,25,${values}`, `${sku},cpu,Saw,12,1,0,${values}`)
  }
  const { one, other } = await importAtOneMoment(store, [table('S-1', 0), table('S-2', 100)])

  assert.equal(one.state, 'done')
  const { state, trouble, report } = other
  assert.match(`${state}: ${trouble}`, /^failed: The catalogue has changed since the file was checked, and rows are wrong now/)
  assert.deepEqual(
    report?.wrongRows.map(({ row, found }) => [row, found]),
    [[2, '200 attributes, 4 kB']],
  )
  assert.equal(Object.keys((await findProduct(store, 'D-1'))?.specs ?? {}).length, 100)
})

test('what is staged of an import goes after a day, and stays as long as the import is being written', async () => {
  await using store = await anEmptyStore()
  const { _id } = await uploadAndCheck(store, ndjson(drill, saw))
  await store.jobs.close()
  await store.db.update(importRows).set({ stagedAt: sql`now() - interval '25 hours'` })
  await store.db.update(imports).set({ state: 'importing' }).where(eq(imports._id, _id))
  await deleteOldImports(store.db)
  assert.equal(await store.db.$count(importRows), 2)
  await store.db.update(imports).set({ state: 'checked' }).where(eq(imports._id, _id))
  await deleteOldImports(store.db)
  assert.equal(await store.db.$count(importRows), 0)
})

test('an import goes on from the file when the database has forgotten what was staged', async () => {
  await using store = await anEmptyStore()
  const { _id } = await uploadAndCheck(store, ndjson(drill, saw))
  await store.db.delete(importRows) // as after a crash of the database: the table is not logged
  await store.admin.request('POST', `/imports/${_id}/run`, {})
  await store.jobs.whenIdle()
  assert.equal((await getImportByApi(store, _id)).state, 'done')
  assert.equal((await fetchPublicProducts(store)).length, 2)
})

test('an import that was checked before the store kept the hash of a file goes on from the file, which is then known as imported', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill))
  const counted = csv('sku,available_quantity,available_quantity_seen', 'D-1,20,25')
  const { _id } = await uploadAndCheck(store, counted)
  await store.db.update(imports).set({ hash: null }).where(eq(imports._id, _id))
  await store.admin.request('POST', `/imports/${_id}/run`, { stock: 'set' })
  await store.jobs.whenIdle()
  assert.equal((await getImportByApi(store, _id)).state, 'done')
  assert.equal((await findProduct(store, drill.sku))?.available_quantity, 20)
  const { _id: again } = await uploadAndCheck(store, counted)
  const refused = await store.admin.request('POST', `/imports/${again}/run`, { stock: 'set' })
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'file_already_imported'])
})
