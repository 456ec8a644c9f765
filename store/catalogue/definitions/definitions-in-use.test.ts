import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { drill, importProducts, ndjson } from '#store/imports/import-test-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { runDefinitionsCommand } from '../../../scripts/definitions-command.ts'
import { categoryOf } from '../categories.ts'
import { products } from '../table.ts'
import type { Definitions } from './contract.ts'
import { attribute, category, changed, exportDefinitions, importDefinitions, putChanged, refusal } from './definition-test-actions.ts'
import { createDefinitionsReader } from './definitions-reader.ts'
import { markProductsToMend, mendDueProducts } from './mend-products.ts'
import { replaceDefinitions } from './rules.ts'
import { originalDefinitions } from './stored-definitions.ts'
import { catalogueDefinitions } from './table.ts'

const pictured = (kind: string) => (all: Definitions) =>
  Object.assign(category(all, 'cpu'), { kindDrawings: { kinds: { [kind]: 'part' } } })
const dottedCapitals = '\u0130'.repeat(60) // 120 characters as small letters

test('definitions that could not be read again once they are stored are refused, however they come', async () => {
  await using store = await anEmptyStore()
  assert.match(Object.keys(JSON.parse(await refusal(store, pictured(dottedCapitals))).errors).join(), /kindDrawings/)
  const definitions = changed({ definitions: originalDefinitions }, pictured('x'.repeat(101)))
  await assert.rejects(replaceDefinitions(store.db, { revision: 0, definitions }, null), /could not read these definitions again/)
  assert.equal((await exportDefinitions(store)).revision, 0)
  assert.equal((await putChanged(store, pictured('Thermal Camera'))).statusCode, 200)
  assert.deepEqual(category((await exportDefinitions(store)).definitions, 'cpu').kindDrawings, { kinds: { 'thermal camera': 'part' } })
})

/** A store with good definitions of revision 1, and two revisions after it that no version of the store can read. */
async function withUnreadableDefinitions(store: Store): Promise<Definitions> {
  const good = changed({ definitions: originalDefinitions }, (all) => Object.assign(category(all, 'cpu'), { label: 'Chips' }))
  const bad = changed({ definitions: originalDefinitions }, pictured(dottedCapitals.toLowerCase()))
  await store.db.insert(catalogueDefinitions).values([
    { revision: 1, definitions: good, isOriginal: false },
    { revision: 2, definitions: { ...good, categories: [] }, isOriginal: false },
    { revision: 3, definitions: bad, isOriginal: false },
  ])
  return good
}

function startReading(store: Store) {
  const told: string[] = []
  return { told, read: createDefinitionsReader(store.db, { onOther: () => {}, onUnreadable: (message) => void told.push(message) }) }
}

test('a store whose newest definitions cannot be read starts with the newest that can, and says so once', async () => {
  await using store = await anEmptyStore()
  await withUnreadableDefinitions(store)
  const { told, read } = startReading(store)
  await read()
  await read()
  assert.equal(categoryOf('cpu')?.label, 'Chips')
  assert.equal(told.length, 1)
  assert.match(`${told}`, /CANNOT BE READ: those of revision 3 .* revision 1 is in use/)
  await store.db.delete(catalogueDefinitions).where(eq(catalogueDefinitions.revision, 1))
  const other = startReading(store)
  await other.read()
  assert.equal(categoryOf('cpu')?.label, category(originalDefinitions, 'cpu').label)
  assert.match(`${other.told}`, /those that the store comes with are in use/)
})

test('definitions that cannot be read are replaced by those in use, sent back, and by the command', async () => {
  await using store = await anEmptyStore()
  const good = await withUnreadableDefinitions(store)
  const exported = await exportDefinitions(store)
  assert.deepEqual(exported, { revision: 3, definitions: good })
  const unreadable = await store.admin.request('GET', '/catalogue-definitions?revision=2')
  assert.deepEqual([unreadable.statusCode, unreadable.json().message], [409, 'Revision 2 is not valid for this version of the store'])
  const { revision, changes } = await importDefinitions(store, exported)
  assert.deepEqual([revision, changes], [4, []])
  const { told, read } = startReading(store)
  await read()
  assert.deepEqual([told, categoryOf('cpu')?.label], [[], 'Chips'])

  await store.db.insert(catalogueDefinitions).values({ revision: 5, definitions: { ...good, categories: [] }, isOriginal: false })
  assert.match(await runCommand(store, 'import', { revision: 5, definitions: good }), /CANNOT BE READ: those of revision 5/)
  assert.deepEqual(await exportDefinitions(store), { revision: 6, definitions: good })
})

test('definitions with a character that no text has are refused by the command as by the API', async () => {
  await using store = await anEmptyStore()
  const exported = await exportDefinitions(store)
  const labelled = (label: string) => ({
    revision: 0,
    definitions: changed(exported, (all) => Object.assign(category(all, 'cpu'), { label })),
  })
  for (const label of ['Chips\u0000', 'Chips\ud800'])
    await assert.rejects(runCommand(store, 'check', labelled(label)), /a character that no text has/)
  assert.match(await runCommand(store, 'check', labelled('Chips \\u0000 😀')), /1 definitions would be changed/)
})

/** What the command prints for a file with this in it. */
async function runCommand(store: Store, command: 'check' | 'import', content: unknown): Promise<string> {
  const file = path.join(tmpdir(), `${crypto.randomUUID()}.json`)
  await writeFile(file, JSON.stringify(content))
  const lines: string[] = []
  await runDefinitionsCommand({ databaseUrl: store.connectionString, dataDir: tmpdir() }, [command, file], (line) => void lines.push(line))
  return lines.join('\n')
}

test('mending products by definitions ends once others are stored', async () => {
  await using store = await anEmptyStore()
  const rows = Array.from({ length: 600 }, (_, nth) => ({ ...drill, sku: `D-${nth}`, mpn: `M-${nth}`, specs: { socket: 'Fine' } }))
  await importProducts(store, ndjson(...rows))
  const spelled = (socket: string) =>
    changed({ definitions: originalDefinitions }, (all) =>
      Object.assign(attribute(all, 'cpu', 'socket'), { spellings: { [socket]: ['Fine'] } }),
    )
  const spoiled = spelled('Spoiled')
  await store.db.insert(catalogueDefinitions).values({ revision: 1, definitions: spoiled, isOriginal: false })
  const sockets = async () =>
    (await store.db.execute(sql`select specs->>'socket' as socket, count(*)::int as count from tools group by 1 order by 2`)).rows

  let mending: Promise<boolean> | undefined
  await store.db.transaction(async (tx) => {
    const [first] = await tx.select({ id: products._id }).from(products).orderBy(products.position).limit(1).for('update')
    assert.ok(first)
    mending = mendDueProducts(store.db)
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%mended as materialized%'`
    while ((await store.db.execute(waiting)).rows.length === 0) await sleep(10) // its first batch
    await tx.insert(catalogueDefinitions).values({ revision: 2, definitions: originalDefinitions, isOriginal: false })
  })
  assert.equal(await mending, true)
  assert.deepEqual(await sockets(), [{ socket: 'Fine', count: 600 }])
  while (await mendDueProducts(store.db));
  assert.deepEqual(await sockets(), [{ socket: 'Fine', count: 600 }], 'nor is it written later')
})

test('only owners replace the definitions, and every owner is told of it; other admins may look what a change would do', async () => {
  await using store = await anEmptyStore()
  const colleague = store.newCustomer('Colleague')
  await colleague.request('GET', '/orders')
  assert.equal((await store.admin.request('PUT', `/user/admin/${colleague.email}`)).statusCode, 200)
  const definitions = changed({ definitions: originalDefinitions }, (all) => Object.assign(category(all, 'cpu'), { label: 'Chips' }))
  const ask = (query: string) => colleague.request('PUT', `/catalogue-definitions${query}`, { revision: 0, definitions })
  assert.equal((await ask('?dry_run=yes')).statusCode, 200)
  for (const query of ['', '?dry_run=no', '?dry_run=maybe', '?dry_run=no&dry_run=yes', '?dry_run=yes&dry_run=no', '?DRY_RUN=yes'])
    assert.equal((await ask(query)).statusCode, 403, query)
  for (const actor of [store.customer, store.visitor])
    assert.match(`${(await actor.request('PUT', '/catalogue-definitions?dry_run=yes', {})).statusCode}`, /401|403/)
  assert.equal((await exportDefinitions(store)).revision, 0)
  const told = async () => {
    await store.jobs.runAllOnce()
    return (await store.emailsTo(store.admin.email)).filter(({ subject }) => subject.includes('definitions'))
  }
  assert.deepEqual(await told(), [])
  await importDefinitions(store, { revision: 0, definitions })
  const mails = await told()
  assert.equal(mails.length, 1)
  assert.match(`${mails[0]?.text}`, /1 definition was changed, and 0 products are spelled otherwise now: by owner@store\.example/)
})

test('a change of definitions may take longer than other calls, and is answered once', async () => {
  const lines: string[] = []
  await using store = await anEmptyStore({
    http: { responseTimeoutMs: 1500, logLevel: 'warn', logStream: { write: (line: string) => void lines.push(line) } },
  })
  const definitions = changed({ definitions: originalDefinitions }, (all) => Object.assign(category(all, 'cpu'), { label: 'Chips' }))
  await store.admin.token()
  const answers = await store.db.transaction(async (tx) => {
    await tx.execute(sql`lock table tools in access exclusive mode`)
    const [change, check] = ['', '?dry_run=yes'].map((query) =>
      store.admin.request('PUT', `/catalogue-definitions${query}`, { revision: 0, definitions }),
    )
    const other = await store.admin.request('GET', '/tools/removed')
    return { change, check, other }
  })
  assert.deepEqual([answers.other.statusCode, answers.other.json().code], [503, 'response_timeout'])
  assert.deepEqual([(await answers.change)?.statusCode, (await answers.check)?.statusCode], [200, 200])
  assert.deepEqual(
    lines.filter((line) => line.includes('already sent') && line.includes('catalogue-definitions')),
    [],
  )
})

test('definitions of an earlier version that knew less of contradictions stay in use, and can be exported to be mended', async () => {
  await using store = await anEmptyStore()
  const makers = ['Alpha', 'Beta'].map((brand) => ({ brand, words: ['both'] }))
  const definitions = changed({ definitions: originalDefinitions }, (all) => Object.assign(all.questionWords, { makers }))
  await store.db.insert(catalogueDefinitions).values({ revision: 1, definitions, isOriginal: false })
  const { told, read } = startReading(store)
  await read()
  assert.deepEqual(told, [])
  const { definitions: exported } = (await store.admin.request('GET', '/catalogue-definitions')).json()
  assert.deepEqual(exported.questionWords.makers, makers)
})

test('no product is mended by earlier definitions while the newest cannot be read', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson({ ...drill, specs: { socket: 'Fine' } }))
  await withUnreadableDefinitions(store)
  const respelled = changed({ definitions: originalDefinitions }, (all) =>
    Object.assign(attribute(all, 'cpu', 'socket'), { spellings: { Spoiled: ['Fine'] } }),
  )
  await store.db.update(catalogueDefinitions).set({ definitions: respelled }).where(eq(catalogueDefinitions.revision, 1))
  await markProductsToMend(store.db)
  assert.equal(await mendDueProducts(store.db), false)
  const [product] = await store.db.select({ specs: products.specs }).from(products)
  assert.deepEqual(product?.specs, { socket: 'Fine' })
})
