import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { users } from '#store/identity/table.ts'
import { anEmptyStore } from '#test/store.ts'
import { drill, getImportByApi, importProducts, ndjson, saw, uploadAndCheck } from './import-test-actions.ts'
import { deleteOldImports, runCheckedImport } from './rules.ts'
import { importFileChunks, importRows, imports } from './table.ts'
import { readUpload, storeUpload } from './uploads.ts'

test('the file goes once it is imported, and after a day when nobody imports it', async () => {
  await using store = await anEmptyStore()
  const { _id: done } = await importProducts(store, ndjson(drill))
  assert.equal(await store.db.$count(importFileChunks), 0)
  const again = await store.admin.request('POST', `/imports/${done}/run`, {})
  assert.deepEqual([again.statusCode, again.json().message], [409, 'It is imported already'])
  const { _id } = await uploadAndCheck(store, ndjson(saw))
  assert.equal(await store.db.$count(importFileChunks), 1)
  await store.jobs.runAllOnce()
  assert.deepEqual([await store.db.$count(importFileChunks), await store.db.$count(importRows)], [1, 1], 'it waits to be imported')
  await store.db.update(imports).set({ at: sql`now() - interval '25 hours'` })
  await store.db.update(importRows).set({ stagedAt: sql`now() - interval '25 hours'` })
  await store.jobs.runAllOnce()
  assert.equal(await store.db.$count(importRows), 0)
  assert.equal(await store.db.$count(importFileChunks), 0)
  assert.equal((await store.admin.request('GET', `/imports/${_id}`)).statusCode, 404)
  assert.equal((await store.admin.request('GET', '/imports')).json().length, 1, 'that there was an import is remembered')
})

test('an import is remembered for 30 days', async () => {
  await using store = await anEmptyStore()
  const { _id } = await importProducts(store, ndjson(drill))
  for (const [days, kept] of [
    [29, 1],
    [31, 0],
  ] as const) {
    await store.db.update(imports).set({ at: sql`now() - make_interval(days => ${days})` })
    await deleteOldImports(store.db)
    assert.equal(await store.db.$count(imports, eq(imports._id, _id)), kept, `after ${days} days`)
  }
})

test('files that arrive at the same moment get no more places than there are', async () => {
  await using store = await anEmptyStore()
  await store.jobs.close() // nothing is checked, so no place becomes free
  const [owner] = await store.db.select({ id: users.id }).from(users)
  const upload = { name: 'parts', userId: owner?.id ?? '', expectedBytes: 1 }
  const sent = Array.from({ length: 20 }, () => storeUpload(store.db, { ...upload, bytes: Readable.from([Buffer.from('x')]) }))
  const stored = (await Promise.allSettled(sent)).filter(({ status }) => status === 'fulfilled')
  assert.deepEqual([stored.length, await store.db.$count(imports)], [10, 10])
})

test('an uploaded file is read in the order of its chunks, however they lie in the database', async () => {
  await using store = await anEmptyStore()
  const [owner] = await store.db.select({ id: users.id }).from(users)
  assert.ok(owner)
  const [added] = await store.db.insert(imports).values({ fileName: 'parts.csv', userId: owner.id, bytes: 6 }).returning()
  assert.ok(added)
  const chunks = [' it', 'all', 'of'].map((text, nth) => ({ importId: added._id, nth: 2 - nth, bytes: Buffer.from(text) }))
  await store.db.insert(importFileChunks).values(chunks)
  const read: Buffer[] = []
  for await (const chunk of readUpload(store.db, added._id)) read.push(chunk)
  assert.equal(`${Buffer.concat(read)}`, 'ofall it')
})

test('a file that is too large is refused as it arrives, and nothing of it is kept', async () => {
  await using store = await anEmptyStore({ cards: true }) // it listens
  const megabyte = Buffer.alloc(1024 * 1024)
  const token = await store.admin.token()
  const headers = { 'content-type': 'application/octet-stream', authorization: `Bearer ${token}` }
  const send = (announced: Record<string, number>, chunks: Buffer[]) =>
    new Promise<string>((resolve, reject) => {
      const request = http.request(`${store.origin}/api/imports`, { method: 'POST', agent: false, headers: { ...headers, ...announced } })
      request.on('response', async (answer) => resolve(Buffer.concat(await answer.toArray()).toString()))
      request.on('error', reject)
      for (const chunk of chunks) request.write(chunk)
      if (chunks.length > 0) request.end()
      else request.flushHeaders()
    })
  const asItArrives = Array.from({ length: 65 }, () => megabyte)
  for (const body of [await send({}, asItArrives), await send({ 'content-length': 65 * megabyte.length }, [])])
    assert.match(JSON.parse(body).message, /larger than 64 MB/)
  assert.equal(await store.db.$count(imports), 0)
  assert.equal(await store.db.$count(importFileChunks), 0)
})

test('a file without a byte is refused as it is sent, and nothing of it is kept', async () => {
  await using store = await anEmptyStore({ cards: true }) // it listens
  const headers = { 'content-type': 'application/octet-stream', authorization: `Bearer ${await store.admin.token()}` }
  const request = http.request(`${store.origin}/api/imports`, { method: 'POST', agent: false, headers })
  request.flushHeaders() // its length is not announced
  request.end()
  const [answer]: http.IncomingMessage[] = await once(request, 'response')
  assert.ok(answer)
  assert.deepEqual(
    [answer.statusCode, `${Buffer.concat(await answer.toArray())}`],
    [400, '{"message":"The file is empty","code":"file_empty"}'],
  )
  assert.equal(await store.db.$count(imports), 0)
})

test('ten files are kept at a time, 200 MB in all: the oldest that waits for its sender is dropped, and while all are worked on another one is refused', async () => {
  await using store = await anEmptyStore()
  const admin = { headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${await store.admin.token()}` } }
  const send = () => store.app.inject({ method: 'POST', url: '/api/imports', ...admin, payload: Buffer.from(ndjson(saw)) })
  const [owner] = await store.db.select({ id: users.id }).from(users)
  await store.customer.token()
  const [colleague] = await store.db.select({ id: users.id }).from(users).where(eq(users.email, store.customer.email))
  const { _id: colleagues } = await uploadAndCheck(store, ndjson(drill))
  await store.db.update(imports).set({ userId: colleague?.id })
  const { _id: first } = await uploadAndCheck(store, ndjson(drill))
  const { _id: second } = await uploadAndCheck(store, ndjson(drill))
  const arriving = (many: number, bytes: number) =>
    store.db
      .insert(imports)
      .values(Array.from({ length: many }, () => ({ fileName: 'parts', userId: owner?.id ?? '', bytes })))
      .returning({ id: imports._id })
  await arriving(7, 1)

  assert.equal((await send()).statusCode, 201)
  await store.jobs.whenIdle()
  const { state, trouble } = await getImportByApi(store, first)
  assert.deepEqual([state, trouble], ['failed', 'Other files were sent since, and this one was dropped for them: send it again'])
  assert.equal(await store.db.$count(importFileChunks, eq(importFileChunks.importId, first)), 0)
  await deleteOldImports(store.db)
  assert.equal(await store.db.$count(importRows, eq(importRows.importId, first)), 0)
  assert.equal((await getImportByApi(store, colleagues)).state, 'checked', 'nobody drops the files of others while there are own')
  assert.equal((await getImportByApi(store, second)).state, 'checked')

  await arriving(3, 1)
  const refused = await send()
  assert.equal(refused.statusCode, 429)
  assert.match(refused.json().message, /as many files as it takes at a time \(10, or 200 MB\): wait until one is done, then send this one/)
  assert.equal((await getImportByApi(store, second)).state, 'checked', 'nothing is dropped for a file that is refused')

  await store.db.delete(imports)
  const [large] = await arriving(1, 200 * 1024 * 1024)
  assert.equal((await send()).statusCode, 429)
  await store.db
    .update(imports)
    .set({ at: sql`now() - interval '11 minutes'` })
    .where(eq(imports._id, large?.id ?? ''))
  assert.equal((await send()).statusCode, 201, 'what a crash has left is not waited for')
})

test('a file whose import begins at the moment when it would be dropped for another is imported, and the other one is refused', async () => {
  await using store = await anEmptyStore()
  const { _id } = await uploadAndCheck(store, ndjson(drill))
  const [owner] = await store.db.select({ id: users.id }).from(users)
  assert.ok(owner)
  const upload = { name: 'parts', userId: owner.id, bytes: 1 }
  await store.db.insert(imports).values(Array.from({ length: 9 }, () => ({ fileName: 'parts', ...upload })))

  const { sent } = await store.db.transaction(async (tx) => {
    await runCheckedImport(tx, _id, { skipWrong: false, again: false, by: owner.id })
    let isAnswered = false
    const sent = storeUpload(store.db, { ...upload, bytes: Readable.from([Buffer.from('x')]) })
      .then(
        () => 'taken',
        (error: Error) => error.message,
      )
      .finally(() => (isAnswered = true))
    while (!isAnswered) {
      const { rows } = await store.db.execute(
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'update "imports"%'`,
      )
      if (rows.length > 0) break
    }
    return { sent }
  })

  assert.match(await sent, /^The store works on as many files as it takes at a time/)
  store.events.importQueued()
  await store.jobs.whenIdle()
  assert.equal((await getImportByApi(store, _id)).state, 'done')
})
