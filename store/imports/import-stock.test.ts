import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { StartupError } from '#platform/startup-error.ts'
import { importFile } from '#scripts/import-file.ts'
import { products, stockMovements } from '#store/catalogue/table.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { runCommand } from '#test/store-process.ts'
import { changesByStockChoice } from './contract.ts'
import {
  countsOfReport,
  csv,
  drill,
  exportProducts,
  fetchPublicProducts,
  findProduct,
  getImportByApi,
  importProducts,
  ndjson,
  saw,
  uploadAndCheck,
} from './import-test-actions.ts'
import { importedFiles } from './table.ts'

test('every piece that an import brings or takes is in the ledger, with who did it', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill, saw))
  const [tool] = await fetchPublicProducts(store)
  await store.customer.request('POST', '/purchase', {
    toolId: tool?._id,
    productName: 'Drill',
    productQuantity: 5,
    productCost: 150,
    buyerAddress: '1 Road',
  })
  await importProducts(store, ndjson({ ...drill, available_quantity: 100 }), false, 'set')

  const moved = await store.db.select().from(stockMovements).orderBy(stockMovements._id)
  assert.deepEqual(
    moved.map(({ pieces, reason }) => [pieces, reason]),
    [
      [25, 'initial'],
      [-5, 'order'],
      [80, 'correction'],
    ],
  )
  assert.ok(moved[0]?.userId && moved[0].userId === moved[2]?.userId)
})

/** Sells so many drills. */
async function sell(store: Store, pieces: number): Promise<void> {
  const { _id, price } = (await fetchPublicProducts(store)).find(({ name }) => name === 'Drill') ?? { price: 0 }
  const wish = { toolId: _id, productName: 'Drill', productQuantity: pieces, productCost: pieces * price, buyerAddress: '1 Road' }
  assert.equal((await store.customer.request('POST', '/purchase', wish)).statusCode, 201)
}

test('a sheet that was exported before an order does not bring back what was sold: its stock moves by what was changed in it', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill, saw))
  for (const format of ['ndjson', 'csv'] as const) {
    const before = (await findProduct(store, 'D-1'))?.available_quantity ?? 0
    const sheet = await exportProducts(store, format)
    await sell(store, 3)

    const { report } = await uploadAndCheck(store, sheet)
    assert.deepEqual([countsOfReport(report), report.setsStock], [{ rows: 2, create: 0, update: 0, unchanged: 2, wrong: 0 }, 0])

    const edited =
      format === 'csv'
        ? sheet.replace(`,${before},${before},`, `,${before + 2},${before},`)
        : sheet.replace(`y":${before},`, `y":${before + 2},`)
    await importProducts(store, edited)
    assert.equal((await findProduct(store, 'D-1'))?.available_quantity, before - 3 + 2)
  }
})

test('a check tells changes of stock from others, which are named however many precede them', async () => {
  await using store = await anEmptyStore()
  const many = Array.from({ length: 60 }, (_, nth) => ({ ...drill, sku: `D-${nth}`, mpn: `M${nth}` }))
  await importProducts(store, ndjson(...many, saw))
  const counted = many.map(({ sku }) => `${sku},30,30,${drill.name}`)

  const { report } = await uploadAndCheck(store, csv('sku,available_quantity,price,name', ...counted, `S-1,7,${saw.price},Long saw`))

  const made = (choice: Parameters<typeof changesByStockChoice>[1]) =>
    changesByStockChoice(report.changes, choice).map(({ sku, field }) => [sku, field])
  assert.deepEqual(made({ stock: 'keep', movesStock: true }), [['S-1', 'name']])
  assert.equal(made({ stock: 'set', movesStock: true }).length, 50)
  assert.deepEqual(report.changes[0], { sku: 'D-0', field: 'available_quantity', before: '25', after: '30', stock: 'set' })

  const moves = await uploadAndCheck(store, csv('sku,available_quantity,available_quantity_seen', 'D-1,20,25'))
  assert.deepEqual(changesByStockChoice(moves.report.changes, { stock: undefined, movesStock: false }), [])
  assert.deepEqual(moves.report.changes, [{ sku: 'D-1', field: 'available_quantity', before: '25', after: '20', stock: 'moved' }])
})

test('a file whose changes of stock are in is refused, by the check and when sent twice at one moment, until it is said that they are made again', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson({ ...drill, available_quantity: 10 }, saw))
  const edited = ndjson({ ...drill, available_quantity: 15, available_quantity_seen: 10 })
  const stock = async () => (await findProduct(store, 'D-1'))?.available_quantity
  const [one, other] = [await uploadAndCheck(store, edited), await uploadAndCheck(store, edited)]
  assert.deepEqual([one.report.movesStock, one.stockMovedAt, other.stockMovedAt], [1, null, null])
  for (const { _id } of [one, other]) assert.equal((await store.admin.request('POST', `/imports/${_id}/run`, {})).statusCode, 200)
  await store.jobs.whenIdle()
  const ends = await Promise.all([one, other].map(({ _id }) => getImportByApi(store, _id)))
  assert.deepEqual(ends.map(({ state }) => state).sort(), ['done', 'failed'])
  assert.match(
    `${ends.find(({ state }) => state === 'failed')?.trouble}`,
    /^This file was imported on \d+ \w{3} \d{4}, \d\d:\d\d UTC: its changes of stock are in already/,
  )
  assert.equal(await stock(), 15)

  const { _id, stockMovedAt } = await uploadAndCheck(store, edited)
  assert.ok(stockMovedAt)
  const refused = await store.admin.request('POST', `/imports/${_id}/run`, {})
  assert.deepEqual([refused.statusCode, /^This file was imported on .*Export anew/.test(refused.json().message)], [409, true], refused.body)
  assert.equal(await stock(), 15)
  assert.equal((await store.admin.request('POST', `/imports/${_id}/run`, { again: true })).statusCode, 200)
  await store.jobs.whenIdle()
  assert.equal(await stock(), 20)

  const anew = await uploadAndCheck(store, ndjson({ ...drill, available_quantity: 25, available_quantity_seen: 20 }))
  assert.deepEqual([anew.report.movesStock, anew.stockMovedAt], [1, null])
})

test('a new product of a sheet that names the stock it saw has the quantity of the sheet, in the books too', async () => {
  await using store = await anEmptyStore()
  const rows = ndjson(
    { ...drill, sku: 'D-7', available_quantity: 120, available_quantity_seen: 0 },
    { ...drill, sku: 'D-8', available_quantity: 40, available_quantity_seen: 250 },
  )
  const { report } = await importProducts(store, rows)
  assert.deepEqual([countsOfReport(report), report.shortPieces ?? 0], [{ rows: 2, create: 2, update: 0, unchanged: 0, wrong: 0 }, 0])
  const stock = await Promise.all(['D-7', 'D-8'].map(async (sku) => (await findProduct(store, sku))?.available_quantity))
  assert.deepEqual(stock, [120, 40])
  const moved = await store.db.select().from(stockMovements)
  assert.deepEqual(moved.map(({ pieces, reason }) => `${pieces} ${reason}`).sort(), ['120 initial', '40 initial'])
})

test('a file that was made in the store itself and says the stock it saw is imported as often as one likes while nothing moves', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill, saw))
  const sheet = await exportProducts(store, 'csv')
  await importProducts(store, sheet)
  assert.equal(await store.db.$count(importedFiles), 0, 'what moves no stock need not be remembered')
  for (const _ of [1, 2]) {
    const { report, stockMovedAt } = await uploadAndCheck(store, sheet)
    assert.deepEqual(
      [countsOfReport(report), report.movesStock, stockMovedAt],
      [{ rows: 2, create: 0, update: 0, unchanged: 2, wrong: 0 }, 0, null],
    )
  }
})

test('by the command, too, a file moves stock a second time only when that is said', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill))
  const folder = mkdtempSync(path.join(tmpdir(), 'import-'))
  const file = path.join(folder, 'stock.csv')
  writeFileSync(file, csv('sku,available_quantity,available_quantity_seen', 'D-1,30,25'))
  const command = (...flags: string[]) => importFile({ dataDir: '', databaseUrl: store.connectionString }, [file, ...flags], () => {})
  const stock = async () => (await findProduct(store, 'D-1'))?.available_quantity
  await command()
  await assert.rejects(command(), /This file was imported on .*its changes of stock are in already.*--again/)
  assert.equal(await stock(), 30)
  await command('--again')
  assert.equal(await stock(), 35)
  rmSync(folder, { recursive: true })
})

test('a file that takes away more than is left leaves 0 and says how many pieces are short', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill))
  const { _id, report } = await uploadAndCheck(store, ndjson({ ...drill, available_quantity: 4, available_quantity_seen: 25 }))
  assert.equal(report.shortPieces, 0)
  await sell(store, 10)

  await store.admin.request('POST', `/imports/${_id}/run`, {})
  await store.jobs.whenIdle()
  assert.deepEqual([(await getImportByApi(store, _id)).report?.shortPieces, (await findProduct(store, 'D-1'))?.available_quantity], [6, 0])

  for (const seen of [7, 7, 1]) {
    const none = await importProducts(store, ndjson({ ...drill, available_quantity: 0, available_quantity_seen: seen }))
    assert.deepEqual([none.report.shortPieces, none.report.unchanged], [seen, 1])
  }
})

test('a file that would set the stock of products asks before: it is set, or left as it is, as was said', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill, saw))
  const file = ndjson({ ...drill, available_quantity: 88 }, { ...saw, price: 13, available_quantity: 9 }, { ...drill, sku: 'D-2' })
  const { _id, report } = await uploadAndCheck(store, file)
  assert.deepEqual(
    [countsOfReport(report), report.setsStock, report.setsStockOnly],
    [{ rows: 3, create: 1, update: 2, unchanged: 0, wrong: 0 }, 2, 1],
  )

  const refused = await store.admin.request('POST', `/imports/${_id}/run`, {})
  assert.deepEqual([refused.statusCode, /set the stock of 2 products.*say whether/.test(refused.json().message)], [409, true])
  assert.equal((await store.admin.request('POST', `/imports/${_id}/run`, { stock: 'perhaps' })).statusCode, 400)

  await store.admin.request('POST', `/imports/${_id}/run`, { stock: 'keep' })
  await store.jobs.whenIdle()
  const stock = async () =>
    (await store.db.select().from(products).orderBy(products.position)).map(({ priceCents, available_quantity }) => [
      priceCents / 100,
      available_quantity,
    ])
  assert.deepEqual(await stock(), [
    [30, 25],
    [13, 0],
    [30, 25],
  ])
  const kept = (await getImportByApi(store, _id)).report
  assert.deepEqual(kept && [countsOfReport(kept), kept.setsStock], [{ rows: 3, create: 1, update: 1, unchanged: 1, wrong: 0 }, 0])

  await importProducts(store, file, false, 'set')
  assert.deepEqual(await stock(), [
    [30, 88],
    [13, 9],
    [30, 25],
  ])
})

test('by the command, too, stock is set only when that is said', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill))
  const folder = mkdtempSync(path.join(tmpdir(), 'import-'))
  const file = path.join(folder, 'stock.csv')
  writeFileSync(file, csv('sku,available_quantity', 'D-1,88'))
  await assert.rejects(
    importFile({ dataDir: '', databaseUrl: store.connectionString }, [file], () => {}),
    (error) => error instanceof StartupError && /--stock=set or --stock=keep$/.test(error.message),
  )
  assert.equal((await findProduct(store, 'D-1'))?.available_quantity, 25)
  const { code, said } = await runCommand('import.ts', store.connectionString, file, '--stock=set')
  assert.deepEqual([code, /Imported: 0 new, 1 changed/.test(said)], [0, true], said)
  assert.equal((await findProduct(store, 'D-1'))?.available_quantity, 88)
  rmSync(folder, { recursive: true })
})

test('what is sold between the check and the import of a file that says the stock of then stays sold', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill))
  const { _id, report } = await uploadAndCheck(store, ndjson({ ...drill, price: 31 }))
  assert.equal(report.setsStock, 0)
  await sell(store, 5)
  await store.admin.request('POST', `/imports/${_id}/run`, {})
  await store.jobs.whenIdle()
  assert.deepEqual([(await findProduct(store, 'D-1'))?.priceCents, (await findProduct(store, 'D-1'))?.available_quantity], [3100, 20])
})

test('orders go on while an import changes everything, and no piece is sold or counted twice', async (t) => {
  await using store = await anEmptyStore()
  const many = Array.from({ length: 3000 }, (_, nth) => ({ ...drill, sku: `D-${nth}`, name: `Drill ${nth}` }))
  await importProducts(store, ndjson(...many))
  const products = await fetchPublicProducts(store)
  const { _id } = await uploadAndCheck(
    store,
    ndjson(...many.map((part, nth) => ({ ...part, price: 31, available_quantity: 25 + (nth % 7) }))),
  )
  await store.customer.token()

  let over = false
  const running = store.admin
    .request('POST', `/imports/${_id}/run`, { stock: 'set' })
    .then(() => store.jobs.whenIdle())
    .then(() => (over = true))
  const waits: number[] = []
  for (let nth = 0; !over; nth = (nth + 37) % products.length) {
    const began = performance.now()
    const price = [30, 31]
    for (const productCost of price) {
      const wish = { toolId: products[nth]?._id, productName: products[nth]?.name, productQuantity: 1, productCost, buyerAddress: '1 Road' }
      const answer = await store.customer.request('POST', '/purchase', wish)
      assert.ok([201, 409].includes(answer.statusCode), answer.body)
    }
    waits.push(performance.now() - began)
  }
  await running

  assert.equal((await getImportByApi(store, _id)).state, 'done')
  t.diagnostic(`${waits.length} times two orders meanwhile, at most ${Math.max(...waits).toFixed(0)} ms`)
})
