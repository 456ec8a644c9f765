import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import { importFile } from '#scripts/import-file.ts'
import { users } from '#store/identity/table.ts'
import { anotherProcess } from '#test/another-process.ts'
import { runCommand } from '#test/process.ts'
import { type Actor, anEmptyStore, type Store } from '#test/store.ts'
import { howMany } from '../../../proof/size.ts'
import { Import, type ImportReport, type StockChoice } from '../contract.ts'
import { importedFiles, importPieces, importRows, imports, stockMovements, tools } from '../table.ts'
import { dueImports } from './due-imports.ts'
import { forgetOldImports } from './sent-files.ts'

const drill = {
  sku: 'D-1',
  name: 'Drill',
  brand: 'Bosch',
  mpn: '0611',
  category: 'cpu',
  description: 'Turns.',
  price: 30,
  minimum_order_quantity: 1,
  available_quantity: 25,
  specs: { cores: 4 },
}
const saw = { ...drill, sku: 'S-1', name: 'Saw', mpn: 'S1', description: 'Cuts.', price: 12, available_quantity: 0, specs: {} }
const asLines = (...parts: object[]) => parts.map((part) => `${JSON.stringify(part)}\n`).join('')

/** Sends a file by the door, as the screen does. */
async function sent(store: Store, file: string | Buffer, by: Actor = store.admin, name = 'parts'): Promise<Import> {
  const { statusCode, body } = await store.app.inject({
    method: 'POST',
    url: `/api/imports?name=${encodeURIComponent(name)}`,
    headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${await by.token()}` },
    payload: Buffer.from(file),
  })
  assert.equal(statusCode, 201, body)
  return Import.parse(JSON.parse(body))
}

const standing = async (store: Store, id: string) => Import.parse((await store.admin.ask('GET', `/imports/${id}`)).json())

async function checked(store: Store, file: string | Buffer): Promise<Import & { report: ImportReport }> {
  const { _id } = await sent(store, file)
  await store.jobs.rest()
  const found = await standing(store, _id)
  assert.equal(found.state, 'checked', `${found.trouble}`)
  assert.ok(found.report)
  return { ...found, report: found.report }
}

async function imported(
  store: Store,
  file: string | Buffer,
  skipWrong = false,
  stock?: StockChoice,
): Promise<Import & { report: ImportReport }> {
  const { _id } = await checked(store, file)
  const run = await store.admin.ask('POST', `/imports/${_id}/run`, { skipWrong, stock })
  assert.equal(run.statusCode, 200, run.body)
  await store.jobs.rest()
  const found = await standing(store, _id)
  assert.equal(found.state, 'done', `${found.trouble}`)
  assert.ok(found.report)
  return { ...found, report: found.report }
}

/** Why a file is refused as a whole. */
async function troubleWith(store: Store, file: string | Buffer): Promise<string> {
  const { _id } = await sent(store, file)
  await store.jobs.rest()
  const { state, trouble } = await standing(store, _id)
  assert.equal(state, 'failed')
  return `${trouble}`
}

const exported = async (store: Store, format: 'ndjson' | 'csv'): Promise<string> => {
  const answer = await store.admin.ask('GET', `/export?format=${format}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.body
}

const inShort = ({ rows, create, update, unchanged, wrong }: ImportReport) => ({ rows, create, update, unchanged, wrong })
const listed = async (store: Store): Promise<{ _id: string; name: string; price: number; available_quantity: number }[]> =>
  (await store.visitor.ask('GET', '/tools')).json()
const partOf = async (store: Store, sku: string) => (await store.db.select().from(tools).where(eq(tools.sku, sku)))[0]
const cells = (...rows: string[]) => rows.join('\r\n')

test('a file of products is checked first, which changes nothing, and then imported', async () => {
  await using store = await anEmptyStore()

  const found = await checked(store, asLines(drill, saw))
  assert.deepEqual(inShort(found.report), { rows: 2, create: 2, update: 0, unchanged: 0, wrong: 0 })
  assert.deepEqual(await listed(store), [])

  assert.equal((await store.admin.ask('POST', `/imports/${found._id}/run`, {})).json().state, 'importing')
  await store.jobs.rest()
  const [first, second] = await listed(store)
  assert.deepEqual([first?.name, first?.price, first?.available_quantity, second?.name], ['Drill', 30, 25, 'Saw'])
  const { brand, mpn, category, specs } = (await partOf(store, 'D-1')) ?? {}
  assert.deepEqual({ brand, mpn, category, specs }, { brand: 'Bosch', mpn: '0611', category: 'cpu', specs: { cores: 4 } })
})

test('the same file a second time changes nothing', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill, saw))
  const before = await store.db.select().from(stockMovements)

  const again = await imported(store, asLines(drill, saw))

  assert.deepEqual(inShort(again.report), { rows: 2, create: 0, update: 0, unchanged: 2, wrong: 0 })
  assert.deepEqual(await store.db.select().from(stockMovements), before)
})

test('a check names what would change, field by field, as it is and as it would be', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill, saw))

  const { report } = await checked(store, asLines({ ...drill, price: 35, specs: { cores: 8 } }, saw))

  assert.deepEqual(inShort(report), { rows: 2, create: 0, update: 1, unchanged: 1, wrong: 0 })
  assert.deepEqual(report.changes, [
    { sku: 'D-1', field: 'price', before: '30', after: '35' },
    { sku: 'D-1', field: 'specs.cores', before: '4', after: '8' },
  ])
  assert.deepEqual(report.warnings, [])
  assert.equal((await partOf(store, 'D-1'))?.price, 30)
})

test('what a file does not say stays as it is, and what it says is empty is gone', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill))

  await imported(store, cells('sku,price', 'D-1,31'))
  const { price, brand, specs } = (await partOf(store, 'D-1')) ?? {}
  assert.deepEqual({ price, brand, specs }, { price: 31, brand: 'Bosch', specs: { cores: 4 } })

  await imported(store, cells('sku,brand,mpn,description,specs', 'D-1,,,,'))
  const emptied = await partOf(store, 'D-1')
  assert.deepEqual([emptied?.brand, emptied?.mpn, emptied?.description, emptied?.specs, emptied?.price], [null, null, 'Drill', {}, 31])
})

test('any wrong row refuses the file, until it is said that the wrong rows are left out', async () => {
  await using store = await anEmptyStore()
  const { _id, report } = await checked(store, asLines(drill, { ...saw, price: 'ten' }))
  assert.deepEqual(inShort(report), { rows: 2, create: 1, update: 0, unchanged: 0, wrong: 1 })

  const refused = await store.admin.ask('POST', `/imports/${_id}/run`, {})
  assert.equal(refused.statusCode, 409)
  assert.deepEqual(await listed(store), [])

  assert.equal((await store.admin.ask('POST', `/imports/${_id}/run`, { skipWrong: true })).statusCode, 200)
  await store.jobs.rest()
  assert.deepEqual(
    (await listed(store)).map(({ name }) => name),
    ['Drill'],
  )
})

test('a file of a whole catalogue tells which of its rows are wrong and why, stores the rest when told so, and nothing the second time', async () => {
  await using store = await anEmptyStore()
  const rows = howMany(2_000, 46_803)
  const wrongRows = howMany(20, 200)
  const isWrong = (row: number) => row % Math.floor(rows / wrongRows) === 0 && row < wrongRows * Math.floor(rows / wrongRows)
  const file = cells(
    'sku,name,price,minimum_order_quantity,available_quantity,category',
    ...Array.from({ length: rows }, (_, row) => `W-${row},Part ${row},${isWrong(row) ? 'ten' : row + 1},1,5,cpu`),
  )
  const { report } = await imported(store, file, true)
  assert.deepEqual(inShort(report), { rows, create: rows - wrongRows, update: 0, unchanged: 0, wrong: wrongRows })
  assert.equal(report.wrongRows.length, wrongRows)
  const expected = 'a whole number in digits only, without signs, points and spaces between'
  for (const { row, column, found, expected: said } of report.wrongRows) {
    assert.ok(isWrong(row - 2), `row ${row}`) // the first row of the file is its head
    assert.deepEqual([column, found, said], ['price', 'ten', expected])
  }
  assert.equal((await store.db.select({ count: sql<number>`count(*)::int` }).from(tools))[0]?.count, rows - wrongRows)
  assert.deepEqual(inShort((await imported(store, file, true)).report), {
    rows,
    create: 0,
    update: 0,
    unchanged: rows - wrongRows,
    wrong: wrongRows,
  })
})

test('every wrong field is told with its row, its column, what was found and what was expected', async () => {
  await using store = await anEmptyStore()
  const { report } = await checked(
    store,
    cells(
      'sku,name,price,minimum_order_quantity,available_quantity,img,specs,category',
      'A,Saw,12.50,1,1,,,',
      'B,Saw,0,1,-4,,,',
      ',Saw,5,1,1,,,',
      `C,${'x'.repeat(201)},5,1,1,,,`,
      'D,Saw,5,1,1,javascript:alert(1),,',
      'E,Saw,5,1,1,,{no json},',
      'F,Saw,5',
      'G,Saw,1000000,1,1,,,',
      'A,Saw,5,1,1,,,',
      'H,Saw,5,1,1,,,',
      'H,Saw,6,1,1,,,',
      'I,,,,,,,',
    ),
  )
  assert.deepEqual(
    report.wrongRows.map(({ row, column, found }) => [row, column, found]),
    [
      [2, 'price', '12.50'],
      [3, 'price', '0'],
      [3, 'available_quantity', '-4'],
      [4, 'sku', ''],
      [5, 'name', `${'x'.repeat(79)}…`],
      [6, 'img', 'javascript:alert(1)'],
      [7, 'specs', '{no json}'],
      [8, '', '3 cells'],
      [9, 'price', '1000000'],
      [12, 'sku', 'H, as in row 11'],
      [13, 'name', ''],
      [13, 'price', ''],
      [13, 'minimum_order_quantity', ''],
      [13, 'available_quantity', ''],
    ],
  )
  const expected = Object.fromEntries(report.wrongRows.map(({ row, column, expected }) => [`${row} ${column}`, expected]))
  assert.match(expected['2 price'] ?? '', /whole number in digits/)
  assert.match(expected['3 price'] ?? '', /at least \$1/)
  assert.match(expected['9 price'] ?? '', /at most \$999,999/)
  assert.match(expected['6 img'] ?? '', /https:\/\//)
  assert.match(expected['7 specs'] ?? '', /an object/)
  assert.match(expected['12 sku'] ?? '', /once/)
  assert.deepEqual(inShort(report), { rows: 12, create: 2, update: 0, unchanged: 0, wrong: 10 })
  assert.deepEqual(report.reasons.find(({ column }) => column === 'img')?.count, 1)
})

test('a new product that lacks what a product needs is wrong; one that is there already is not', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill))

  const { report } = await checked(store, asLines({ sku: 'D-1', price: 31 }, { sku: 'N-1', price: 31 }))

  assert.deepEqual(inShort(report), { rows: 2, create: 0, update: 1, unchanged: 0, wrong: 1 })
  assert.deepEqual(
    report.wrongRows.map(({ row, column }) => [row, column]),
    [
      [2, 'name'],
      [2, 'minimum_order_quantity'],
      [2, 'available_quantity'],
    ],
  )
})

test('CSV is read with commas, semicolons and tabs, with and without quotes, a byte-order mark, CRLF and gzip', async () => {
  await using store = await anEmptyStore()
  const head = ['sku', 'name', 'price', 'minimum_order_quantity', 'available_quantity', 'description']
  const row = (sku: string) => [sku, '"A ""quiet"" fan, 120 mm; black"', '9', '"1"', '7', '"two\r\nlines\nof it"']
  const files = [
    `\ufeff${head.join(',')}\r\n${row('A').join(',')}\r\n`,
    `${head.join(';')}\n${row('B').join(';')}`,
    `\ufeff${head.map((name) => `"${name}"`).join('\t')}\r${row('C').join('\t')}\r`,
    gzipSync(`${head.join(',').toUpperCase()}\n\n${row('D').join(',')}\n\n`),
  ]
  for (const file of files)
    assert.deepEqual(inShort((await imported(store, file)).report), { rows: 1, create: 1, update: 0, unchanged: 0, wrong: 0 })
  for (const sku of ['A', 'B', 'C', 'D']) {
    const part = await partOf(store, sku)
    assert.deepEqual([part?.name, part?.description, part?.price], ['A "quiet" fan, 120 mm; black', 'two\r\nlines\nof it', 9])
  }
})

test('a column for one attribute is read by what the category says of it, and leaves the other attributes', async () => {
  await using store = await anEmptyStore()
  const head =
    'sku,category,name,price,minimum_order_quantity,available_quantity,specs.cores,specs.socket,specs.memory_types,specs.includes_cooler'
  const { report } = await imported(store, cells(head, 'P-1,cpu,Processor,300,1,5,8,AM5,DDR4|DDR5,yes', 'P-2,cpu,Other,300,1,5,,,,no'))
  assert.deepEqual([report.wrong, report.warnings], [0, []])
  assert.deepEqual((await partOf(store, 'P-1'))?.specs, { cores: 8, socket: 'AM5', memory_types: ['DDR4', 'DDR5'], includes_cooler: true })
  assert.deepEqual((await partOf(store, 'P-2'))?.specs, { includes_cooler: false })

  await imported(store, cells('sku;category;specs.cores;specs.socket', 'P-1;cpu;;AM4'))
  assert.deepEqual((await partOf(store, 'P-1'))?.specs, { socket: 'AM4', memory_types: ['DDR4', 'DDR5'], includes_cooler: true })

  const wrong = await checked(store, cells('sku,category,specs.cores,specs.includes_cooler', 'P-1,cpu,many,perhaps'))
  assert.deepEqual(
    wrong.report.wrongRows.map(({ column, expected }) => [column, expected]),
    [
      ['specs.cores', 'a number such as 12 or 1.5'],
      ['specs.includes_cooler', 'yes or no'],
    ],
  )
  assert.match(await troubleWith(store, cells('sku,specs.cores', 'P-1,8')), /the column category is missing/)

  const unknown = await checked(store, cells('sku,category,specs.colour', 'P-1,cpu,red'))
  assert.deepEqual(
    unknown.report.warnings.map(({ column, words }) => [column, words]),
    [['specs.colour', 'the category has no such attribute: kept as text']],
  )
})

test('part numbers stay text; those that a spreadsheet has spoilt are told and taken', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill, saw))
  const { report } = await imported(store, cells('sku,mpn,colour', 'D-1,611,red', 'S-1,1E+05,blue'))

  assert.equal((await partOf(store, 'S-1'))?.mpn, '1E+05')
  assert.deepEqual(report.ignored, ['colour'])
  assert.deepEqual(report.warnings.map(({ column, example }) => [column, example.row, example.found]).sort(), [
    ['mpn', 2, '611, was 0611'],
    ['mpn', 3, '1E+05'],
  ])
})

test('files that are broken, hostile or of another kind are refused with the reason, and nothing of them is imported', async () => {
  await using store = await anEmptyStore()
  const good = asLines(drill)
  const zipped = gzipSync(asLines(...Array.from({ length: 2000 }, (_, nth) => ({ ...drill, sku: `${nth} ${Math.random()}` }))))
  const head = 'sku,name,price,minimum_order_quantity,available_quantity\n'
  const files: [file: string | Buffer, trouble: RegExp][] = [
    ['\n \n', /^The file is empty/],
    [Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 6]), /save the sheet as CSV/],
    [Buffer.from(`\ufeff${head}`, 'utf16le'), /UTF-16/],
    [gzipSync(gzipSync(good)), /gzipped twice/],
    [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), /This is not a text file: it is a PNG picture/],
    [Buffer.from('%PDF-1.7\n', 'latin1'), /This is not a text file: it is a PDF document/],
    [Buffer.from('\xf1 not known\nIHDR\0\0\n', 'latin1'), /This is not a text file.*NUL/],
    [zipped.subarray(0, zipped.length - 200), /^Row \d+: The gzip file is broken/],
    [Buffer.concat([zipped.subarray(0, 100), Buffer.from('garbage in between'), zipped.subarray(118)]), /gzip file is broken/],
    [Buffer.concat([Buffer.from(head), Buffer.from('A,Bohrer f\xfcr Holz,1,1,1\n', 'latin1')]), /^Row 2: The text is not in UTF-8/],
    [`${good}${good}{"sku": "\0"}\n`, /^Row 3: .*NUL/],
    [`${head}A,"Saw,1,1,1\nB,Saw,1,1,1\n`, /^Row 2: .*quote/],
    [`${head}A,"Saw" blade,1,1,1\n`, /^Row 2: After the closing quote/],
    [`${head}A,"${'x\n'.repeat(200_000)}`, /^Row 2: The row is longer than 256 kB/],
    [`{"sku": "${'x'.repeat(300_000)}`, /The row is longer than 256 kB/],
    ['name,price\nSaw,12\n', /^Row 1: The first row has to name the columns, sku among them. It says: name, price/],
    ['sku,name,name\n', /stands there twice/],
    [gzipSync(Buffer.alloc(257 * 1024 * 1024, `${' '.repeat(1023)}\n`)), /longer than 256 MB when unpacked/],
    [gzipSync(head + '\n'.repeat(500_000)), /^Row 500001: The file has more than 500000 rows/],
  ]
  for (const [file, trouble] of files) assert.match(await troubleWith(store, file), trouble)
  assert.deepEqual(await listed(store), [])
  assert.equal(await store.db.$count(importRows), 0)
  assert.equal(await store.db.$count(importPieces), 0)
})

test('a file that breaks off says how far it was read', async () => {
  await using store = await anEmptyStore()
  const zipped = gzipSync(asLines(...Array.from({ length: 2000 }, (_, nth) => ({ ...drill, sku: `${nth} ${Math.random()}` }))))
  const { _id } = await sent(store, zipped.subarray(0, zipped.length - 200))
  await store.jobs.rest()
  const { rowsRead, bytesRead } = await standing(store, _id)
  assert.ok(rowsRead > 0 && rowsRead < 2000, `${rowsRead} rows`)
  assert.ok(bytesRead > 0 && bytesRead < zipped.length, `${bytesRead} bytes`)
})

test('rows that are hostile or broken are wrong rows, and the rest of the file is read', async () => {
  await using store = await anEmptyStore()
  const whole = JSON.stringify(saw)
  const hostile = [
    whole.slice(0, -10),
    '[1, 2]',
    '"text"',
    whole.replace('"specs":{}', '"specs":{"__proto__":{"admin":true}}'),
    whole.replace('"specs":{}', '"specs":{"deep":{"constructor":1}}'),
    whole.replace('"specs":{}', `"specs":{"deep":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
    whole.replace('"specs":{}', '"specs":{"much":1e999}'),
    whole.replace('"specs":{}', '"specs":{"a b":1}'),
    whole.replace('"specs":{}', '"specs":[]'),
    whole.replace('"Saw"', '"Saw\\u0000"'),
    whole.replace('"Saw"', '"Saw\\ud800"'),
    whole.replace('"S1"', '12345'),
    whole.replace('"price":12', '"price":1e3000'),
    whole.replace('"sku":"S-1"', '"sku":["S-1"]'),
  ]
  const { report } = await imported(store, `${hostile.join('\n')}\n${JSON.stringify({ ...drill, ['__proto__']: { admin: true } })}\n`, true)
  assert.deepEqual(inShort(report), { rows: hostile.length + 1, create: 1, update: 0, unchanged: 0, wrong: hostile.length })
  assert.deepEqual(
    [...new Set(report.wrongRows.map(({ row }) => row))],
    hostile.map((_, nth) => nth + 1),
  )
  assert.equal('admin' in {}, false)
  const text = JSON.stringify(report)
  for (const words of ['no key called __proto__', 'no key called constructor', 'at most 8 levels', 'one whole JSON object on a line'])
    assert.ok(text.includes(words), words)
})

test('an export is imported into another store and exported from there with the same bytes, as NDJSON and as CSV', async () => {
  await using store = await anEmptyStore()
  const odd = [
    drill,
    saw,
    { ...saw, sku: '=1+1', name: '@SUM(A1)', brand: "'-quoted", mpn: '-40', description: '\t"two",\r\nlines; of it', category: null },
    { ...saw, sku: "'=1", name: "''+x", brand: null, mpn: '1E+05', img: 'https://pictures.example/a,b.png', category: 'nowhere' },
    {
      ...saw,
      sku: 'Ω-1',
      name: 'Größe 10 µm 電源',
      specs: { z: 1.5, a: [1, 'x', null, { b: true }], '0': -0.25, list: [], text: "=cmd|'/c'!A1" },
    },
  ]
  await imported(store, asLines(...odd))
  for (const format of ['ndjson', 'csv'] as const) {
    await using other = await anEmptyStore()
    const first = await exported(store, format)
    const { report } = await imported(other, first)
    assert.deepEqual(inShort(report), { rows: 5, create: 5, update: 0, unchanged: 0, wrong: 0 })
    assert.equal(await exported(other, format), first)
    assert.deepEqual(inShort((await checked(store, first)).report), { rows: 5, create: 0, update: 0, unchanged: 5, wrong: 0 })
    for (const formula of first.split(/[,\r\n]/)) if (format === 'csv') assert.doesNotMatch(formula, /^"?[=+@-]/)
  }
  assert.deepEqual(Object.keys(JSON.parse((await exported(store, 'ndjson')).split('\n')[0] ?? '')), [
    ...['sku', 'name', 'brand', 'mpn', 'category', 'description', 'img', 'price', 'minimum_order_quantity'],
    ...['available_quantity', 'available_quantity_seen', 'specs'],
  ])
})

test('an export leaves out what is no longer for sale; imported again, it is for sale again', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill, saw))
  const all = await exported(store, 'ndjson')
  const [first] = await listed(store)
  await store.admin.ask('DELETE', `/tools/${first?._id}`)
  assert.equal(await exported(store, 'ndjson'), all.split('\n').slice(1).join('\n'))

  const { report } = await imported(store, all)

  assert.deepEqual(inShort(report), { rows: 2, create: 0, update: 1, unchanged: 1, wrong: 0 })
  assert.equal((await listed(store))[0]?._id, first?._id)
})

test('every piece that an import brings or takes is in the ledger, with who did it', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill, saw))
  const [tool] = await listed(store)
  await store.customer.ask('POST', '/purchase', {
    toolId: tool?._id,
    productName: 'Drill',
    productQuantity: 5,
    productCost: 150,
    buyerAddress: '1 Road',
  })
  await imported(store, asLines({ ...drill, available_quantity: 100 }), false, 'set')

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
  const { _id, price } = (await listed(store)).find(({ name }) => name === 'Drill') ?? { price: 0 }
  const wish = { toolId: _id, productName: 'Drill', productQuantity: pieces, productCost: pieces * price, buyerAddress: '1 Road' }
  assert.equal((await store.customer.ask('POST', '/purchase', wish)).statusCode, 201)
}

test('a sheet that was exported before an order does not bring back what was sold: its stock moves by what was changed in it', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill, saw))
  for (const format of ['ndjson', 'csv'] as const) {
    const before = (await partOf(store, 'D-1'))?.available_quantity ?? 0
    const sheet = await exported(store, format)
    await sell(store, 3)

    const { report } = await checked(store, sheet)
    assert.deepEqual([inShort(report), report.setsStock], [{ rows: 2, create: 0, update: 0, unchanged: 2, wrong: 0 }, 0])

    const edited =
      format === 'csv'
        ? sheet.replace(`,${before},${before},`, `,${before + 2},${before},`)
        : sheet.replace(`y":${before},`, `y":${before + 2},`)
    await imported(store, edited)
    assert.equal((await partOf(store, 'D-1'))?.available_quantity, before - 3 + 2)
  }
})

test('a file whose changes of stock are in is refused, by the check and when sent twice at one moment, until it is said that they are made again', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines({ ...drill, available_quantity: 10 }, saw))
  const edited = asLines({ ...drill, available_quantity: 15, available_quantity_seen: 10 })
  const stock = async () => (await partOf(store, 'D-1'))?.available_quantity
  const [one, other] = [await checked(store, edited), await checked(store, edited)]
  assert.deepEqual([one.report.movesStock, one.stockMovedAt, other.stockMovedAt], [1, null, null])
  for (const { _id } of [one, other]) assert.equal((await store.admin.ask('POST', `/imports/${_id}/run`, {})).statusCode, 200)
  await store.jobs.rest()
  const ends = await Promise.all([one, other].map(({ _id }) => standing(store, _id)))
  assert.deepEqual(ends.map(({ state }) => state).sort(), ['done', 'failed'])
  assert.match(
    `${ends.find(({ state }) => state === 'failed')?.trouble}`,
    /^This file was imported on \d{4}-\d\d-\d\d at \d\d:\d\d UTC: its changes of stock are in already/,
  )
  assert.equal(await stock(), 15)

  const { _id, stockMovedAt } = await checked(store, edited)
  assert.ok(stockMovedAt)
  const refused = await store.admin.ask('POST', `/imports/${_id}/run`, {})
  assert.deepEqual([refused.statusCode, /^This file was imported on .*Export anew/.test(refused.json().message)], [409, true], refused.body)
  assert.equal(await stock(), 15)
  assert.equal((await store.admin.ask('POST', `/imports/${_id}/run`, { again: true })).statusCode, 200)
  await store.jobs.rest()
  assert.equal(await stock(), 20)

  const anew = await checked(store, asLines({ ...drill, available_quantity: 25, available_quantity_seen: 20 }))
  assert.deepEqual([anew.report.movesStock, anew.stockMovedAt], [1, null])
})

test('a file that was made in the store itself and says the stock it saw is imported as often as one likes while nothing moves', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill, saw))
  const sheet = await exported(store, 'csv')
  await imported(store, sheet)
  assert.equal(await store.db.$count(importedFiles), 0, 'what moves no stock need not be remembered')
  for (const _ of [1, 2]) {
    const { report, stockMovedAt } = await checked(store, sheet)
    assert.deepEqual(
      [inShort(report), report.movesStock, stockMovedAt],
      [{ rows: 2, create: 0, update: 0, unchanged: 2, wrong: 0 }, 0, null],
    )
  }
})

test('by the command, too, a file moves stock a second time only when that is said', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill))
  const folder = mkdtempSync(path.join(tmpdir(), 'import-'))
  const file = path.join(folder, 'stock.csv')
  writeFileSync(file, cells('sku,available_quantity,available_quantity_seen', 'D-1,30,25'))
  const command = (...flags: string[]) => importFile({ dataDir: '', databaseUrl: store.connectionString }, [file, ...flags], () => {})
  const stock = async () => (await partOf(store, 'D-1'))?.available_quantity
  await command()
  await assert.rejects(command(), /This file was imported on .*its changes of stock are in already.*--again/)
  assert.equal(await stock(), 30)
  await command('--again')
  assert.equal(await stock(), 35)
  rmSync(folder, { recursive: true })
})

test('a file that takes away more than is left leaves 0 and says how many pieces are short', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill))
  const { _id, report } = await checked(store, asLines({ ...drill, available_quantity: 4, available_quantity_seen: 25 }))
  assert.equal(report.shortPieces, 0)
  await sell(store, 10)

  await store.admin.ask('POST', `/imports/${_id}/run`, {})
  await store.jobs.rest()
  assert.deepEqual([(await standing(store, _id)).report?.shortPieces, (await partOf(store, 'D-1'))?.available_quantity], [6, 0])

  for (const _ of ['once', 'again']) {
    const none = await imported(store, asLines({ ...drill, available_quantity: 0, available_quantity_seen: 7 }))
    assert.deepEqual([none.report.shortPieces, none.report.unchanged], [7, 1])
  }
})

test('a file that would set the stock of products asks before: it is set, or left as it is, as was said', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill, saw))
  const file = asLines({ ...drill, available_quantity: 88 }, { ...saw, price: 13, available_quantity: 9 }, { ...drill, sku: 'D-2' })
  const { _id, report } = await checked(store, file)
  assert.deepEqual(
    [inShort(report), report.setsStock, report.setsStockOnly],
    [{ rows: 3, create: 1, update: 2, unchanged: 0, wrong: 0 }, 2, 1],
  )

  const refused = await store.admin.ask('POST', `/imports/${_id}/run`, {})
  assert.deepEqual([refused.statusCode, /set the stock of 2 products.*say whether/.test(refused.json().message)], [409, true])
  assert.equal((await store.admin.ask('POST', `/imports/${_id}/run`, { stock: 'perhaps' })).statusCode, 400)

  await store.admin.ask('POST', `/imports/${_id}/run`, { stock: 'keep' })
  await store.jobs.rest()
  const stock = async () =>
    (await store.db.select().from(tools).orderBy(tools.position)).map(({ price, available_quantity }) => [price, available_quantity])
  assert.deepEqual(await stock(), [
    [30, 25],
    [13, 0],
    [30, 25],
  ])
  const kept = (await standing(store, _id)).report
  assert.deepEqual(kept && [inShort(kept), kept.setsStock], [{ rows: 3, create: 1, update: 1, unchanged: 1, wrong: 0 }, 0])

  await imported(store, file, false, 'set')
  assert.deepEqual(await stock(), [
    [30, 88],
    [13, 9],
    [30, 25],
  ])
})

test('what is sold between the check and the import of a file that says the stock of then stays sold', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill))
  const { _id, report } = await checked(store, asLines({ ...drill, price: 31 }))
  assert.equal(report.setsStock, 0)
  await sell(store, 5)
  await store.admin.ask('POST', `/imports/${_id}/run`, {})
  await store.jobs.rest()
  assert.deepEqual([(await partOf(store, 'D-1'))?.price, (await partOf(store, 'D-1'))?.available_quantity], [31, 20])
})

test('orders go on while an import changes everything, and no piece is sold or counted twice', async (t) => {
  await using store = await anEmptyStore()
  const many = Array.from({ length: 3000 }, (_, nth) => ({ ...drill, sku: `D-${nth}`, name: `Drill ${nth}` }))
  await imported(store, asLines(...many))
  const products = await listed(store)
  const { _id } = await checked(store, asLines(...many.map((part, nth) => ({ ...part, price: 31, available_quantity: 25 + (nth % 7) }))))
  await store.customer.token()

  let over = false
  const running = store.admin
    .ask('POST', `/imports/${_id}/run`, { stock: 'set' })
    .then(() => store.jobs.rest())
    .then(() => (over = true))
  const waits: number[] = []
  for (let nth = 0; !over; nth = (nth + 37) % products.length) {
    const began = performance.now()
    const price = [30, 31]
    for (const productCost of price) {
      const wish = { toolId: products[nth]?._id, productName: products[nth]?.name, productQuantity: 1, productCost, buyerAddress: '1 Road' }
      const answer = await store.customer.ask('POST', '/purchase', wish)
      assert.ok([201, 409].includes(answer.statusCode), answer.body)
    }
    waits.push(performance.now() - began)
  }
  await running

  assert.equal((await standing(store, _id)).state, 'done')
  t.diagnostic(`${waits.length} times two orders meanwhile, at most ${Math.max(...waits).toFixed(0)} ms`)
})

test('what a file would change is compared anew when it is imported', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill))
  const { _id } = await checked(store, asLines({ ...drill, price: 40 }, saw))
  await imported(store, asLines({ ...drill, price: 40 }))
  await imported(store, asLines({ ...saw, price: 1 }))

  await store.admin.ask('POST', `/imports/${_id}/run`, {})
  await store.jobs.rest()

  const { report } = await standing(store, _id)
  assert.ok(report)
  assert.deepEqual(inShort(report), { rows: 2, create: 0, update: 1, unchanged: 1, wrong: 0 })
  assert.deepEqual(
    (await listed(store)).map(({ price }) => price),
    [40, 12],
  )
})

test('an import that fails half way leaves the catalogue as it was', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill))
  await store.db.execute(sql`alter table tools add constraint no_saws check (name <> 'Saw')`)
  const { _id } = await checked(store, asLines({ ...drill, price: 99 }, { ...drill, sku: 'D-2' }, saw))
  const { error } = console
  console.error = () => {}
  await store.admin.ask('POST', `/imports/${_id}/run`, {})
  await store.jobs.rest()
  console.error = error
  assert.deepEqual(
    (await listed(store)).map(({ name, price }) => [name, price]),
    [['Drill', 30]],
  )
  assert.equal((await standing(store, _id)).state, 'importing', 'it is tried again')
  await store.db.execute(sql`alter table tools drop constraint no_saws`)
  store.jobs.wake(dueImports)
  await store.jobs.rest()
  assert.equal((await listed(store)).length, 3)
})

/** Another process that works on this import, and has come to the middle of the writing. */
async function aProcessInTheMiddle(store: Store, importId: string) {
  const other = await anotherProcess(store)
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
  other.jobs.wake(dueImports)
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
  const { _id } = await checked(store, asLines(drill, saw))
  const { promise: bothWait, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
  const holder = store.db.transaction(async (tx) => {
    await tx.execute(sql`select from imports where id = ${_id} for update`)
    hold()
    await bothWait
  })
  await isHeld
  const runs = [1, 2].map(() => store.admin.ask('POST', `/imports/${_id}/run`, {}))
  for (;;) {
    const { rows } = await store.db.execute(
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'update "imports"%'`,
    )
    if (rows.length === 2) break
  }
  letGo()
  await holder
  assert.deepEqual((await Promise.all(runs)).map(({ statusCode }) => statusCode).sort(), [200, 409])
  await store.jobs.rest()
  assert.equal((await standing(store, _id)).state, 'done')
  assert.equal((await listed(store)).length, 2)
})

test('an import that a crash has interrupted is taken up by another process, and written once', async () => {
  await using store = await anEmptyStore()
  const { _id } = await checked(store, asLines(drill, saw))
  await using it = await aProcessInTheMiddle(store, _id)

  await it.other.crash()
  await it.goOn()
  for (const _ of [1, 2]) store.jobs.wake(dueImports)
  await store.jobs.rest()

  assert.equal((await standing(store, _id)).state, 'done')
  assert.equal((await listed(store)).length, 2)
  assert.equal(await store.db.$count(stockMovements), 1)
})

test('what one process works on, another passes over', async () => {
  await using store = await anEmptyStore()
  const { _id } = await checked(store, asLines(drill, saw))
  await using it = await aProcessInTheMiddle(store, _id)
  const tries = async () => (await store.db.select({ tries: imports.tries }).from(imports))[0]?.tries

  store.jobs.wake(dueImports)
  let over = false
  const rest = store.jobs.rest().then(() => {
    over = true
  })
  for (;;) if (over || (await tries()) !== 2) break
  assert.equal(await tries(), 2, 'once to check it, once to write it')
  await it.goOn()
  await Promise.all([rest, it.other.jobs.rest()])

  assert.deepEqual(it.other.errors, [])
  assert.equal((await standing(store, _id)).state, 'done')
  assert.equal((await listed(store)).length, 2)
})

test('a process that has lost its import to another undoes what it was writing', async () => {
  await using store = await anEmptyStore()
  const { _id } = await checked(store, asLines(drill, saw))
  await using it = await aProcessInTheMiddle(store, _id)
  // Its lock went with a connection that broke, and another has finished the work.
  await store.db.update(imports).set({ state: 'done' })
  await it.goOn()
  await it.other.jobs.rest()

  assert.match(String(it.other.errors[0]), /written by somebody else/)
  assert.deepEqual(await listed(store), [])
})

test('rows that have become wrong since the check refuse the import', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill, saw))
  const { _id } = await checked(store, cells('sku,price', 'D-1,31', 'S-1,13'))
  await store.db.update(tools).set({ sku: 'S-2' }).where(eq(tools.sku, 'S-1'))
  await store.admin.ask('POST', `/imports/${_id}/run`, {})
  await store.jobs.rest()

  const { state, trouble, report } = await standing(store, _id)
  assert.deepEqual([state, /has changed since/.test(`${trouble}`), report?.wrong], ['failed', true, 1])
  assert.deepEqual(
    (await listed(store)).map(({ price }) => price),
    [30, 12],
  )
})

test('a checked file is not read a second time when it is imported, whatever it changes', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill))
  const { _id } = await checked(store, asLines({ ...drill, price: 31 }, saw))
  await store.db.delete(importPieces)
  await store.admin.ask('POST', `/imports/${_id}/run`, {})
  await store.jobs.rest()
  const { state, trouble } = await standing(store, _id)
  assert.deepEqual([state, trouble], ['done', null])
  assert.deepEqual(
    (await listed(store)).map(({ price }) => price),
    [31, 12],
  )
})

test('a product behind thousands of rows, even empty ones, is imported like the first', async () => {
  await using store = await anEmptyStore()
  const head = 'sku,name,price,minimum_order_quantity,available_quantity'
  await imported(store, [head, 'A,Saw,12,1,1', ...Array(25_000).fill(''), 'B,Drill,30,1,1'].join('\n'))
  assert.deepEqual(
    (await listed(store)).map(({ name }) => name),
    ['Saw', 'Drill'],
  )
})

test('an import whose number another product takes in the middle of the writing changes that product instead', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines({ ...drill, sku: 'X-1', price: 29 }))
  const { _id } = await checked(store, asLines(drill, saw))
  await using it = await aProcessInTheMiddle(store, _id)
  await store.db.update(tools).set({ sku: 'D-1' }).where(eq(tools.sku, 'X-1'))
  await it.goOn()
  await it.other.jobs.rest()

  assert.deepEqual(it.other.errors, [])
  assert.equal((await standing(store, _id)).state, 'done')
  assert.deepEqual(
    (await listed(store)).map(({ name, price }) => [name, price]),
    [
      ['Drill', 30],
      ['Saw', 12],
    ],
  )
})

test('an import goes on from the file when the database has forgotten what was staged', async () => {
  await using store = await anEmptyStore()
  const { _id } = await checked(store, asLines(drill, saw))
  await store.db.delete(importRows) // as after a crash of the database: the table is not logged
  await store.admin.ask('POST', `/imports/${_id}/run`, {})
  await store.jobs.rest()
  assert.equal((await standing(store, _id)).state, 'done')
  assert.equal((await listed(store)).length, 2)
})

test('the file goes once it is imported, and after a day when nobody imports it', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill))
  assert.equal(await store.db.$count(importPieces), 0)
  const { _id } = await checked(store, asLines(saw))
  assert.equal(await store.db.$count(importPieces), 1)
  await store.jobs.passAMinute()
  assert.deepEqual([await store.db.$count(importPieces), await store.db.$count(importRows)], [1, 1], 'it waits to be imported')
  await store.db.update(imports).set({ at: sql`now() - interval '25 hours'` })
  await store.db.update(importRows).set({ stagedAt: sql`now() - interval '25 hours'` })
  await store.jobs.passAMinute()
  assert.equal(await store.db.$count(importRows), 0)
  assert.equal(await store.db.$count(importPieces), 0)
  assert.equal((await store.admin.ask('GET', `/imports/${_id}`)).statusCode, 404)
  assert.equal((await store.admin.ask('GET', '/imports')).json().length, 1, 'that there was an import is remembered')
})

test('only an admin imports and exports', async () => {
  await using store = await anEmptyStore()
  const { _id } = await checked(store, asLines(drill))
  for (const [actor, status] of [
    [store.visitor, 401],
    [store.customer, 403],
  ] as const) {
    for (const path of ['/imports', `/imports/${_id}`, '/export']) assert.equal((await actor.ask('GET', path)).statusCode, status)
    for (const path of ['/imports', `/imports/${_id}/run`]) assert.equal((await actor.ask('POST', path, {})).statusCode, status)
  }
  assert.equal((await store.admin.ask('POST', '/imports', {})).statusCode, 400)
  assert.equal((await store.admin.ask('GET', '/export?format=xml')).statusCode, 400)
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
  assert.equal(await store.db.$count(importPieces), 0)
})

test('a report tells what its own file would change, whatever other files wait', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill, saw))
  await checked(store, asLines({ ...saw, price: 13 }))
  const { report } = await checked(store, asLines({ ...drill, price: 31 }))
  assert.deepEqual([report.rows, report.update, report.unchanged], [1, 1, 0])
  assert.deepEqual(report.changes, [{ sku: 'D-1', field: 'price', before: '30', after: '31' }])
})

test('a file without a byte is refused as it is sent, and nothing of it is kept', async () => {
  await using store = await anEmptyStore({ cards: true }) // it listens
  const headers = { 'content-type': 'application/octet-stream', authorization: `Bearer ${await store.admin.token()}` }
  const request = http.request(`${store.origin}/api/imports`, { method: 'POST', agent: false, headers })
  request.flushHeaders() // its length is not announced
  request.end()
  const [answer]: http.IncomingMessage[] = await once(request, 'response')
  assert.ok(answer)
  assert.deepEqual([answer.statusCode, `${Buffer.concat(await answer.toArray())}`], [400, '{"message":"The file is empty"}'])
  assert.equal(await store.db.$count(imports), 0)
})

test('ten files are kept at a time, 200 MB in all: the oldest that waits for its sender is dropped, and while all are worked on another one is refused', async () => {
  await using store = await anEmptyStore()
  const admin = { headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${await store.admin.token()}` } }
  const send = () => store.app.inject({ method: 'POST', url: '/api/imports', ...admin, payload: Buffer.from(asLines(saw)) })
  const [owner] = await store.db.select({ id: users.id }).from(users)
  await store.customer.token()
  const [colleague] = await store.db.select({ id: users.id }).from(users).where(eq(users.email, store.customer.email))
  const { _id: colleagues } = await checked(store, asLines(drill))
  await store.db.update(imports).set({ userId: colleague?.id })
  const { _id: first } = await checked(store, asLines(drill))
  const { _id: second } = await checked(store, asLines(drill))
  const arriving = (many: number, bytes: number) =>
    store.db
      .insert(imports)
      .values(Array.from({ length: many }, () => ({ fileName: 'parts', userId: owner?.id ?? '', bytes })))
      .returning({ id: imports._id })
  await arriving(7, 1)

  assert.equal((await send()).statusCode, 201)
  await store.jobs.rest()
  const { state, trouble } = await standing(store, first)
  assert.deepEqual([state, trouble], ['failed', 'Other files were sent since, and this one was dropped for them: send it again'])
  assert.equal(await store.db.$count(importPieces, eq(importPieces.importId, first)), 0)
  await forgetOldImports(store.db)
  assert.equal(await store.db.$count(importRows, eq(importRows.importId, first)), 0)
  assert.equal((await standing(store, colleagues)).state, 'checked', 'nobody drops the files of others while there are own')
  assert.equal((await standing(store, second)).state, 'checked')

  await arriving(3, 1)
  const refused = await send()
  assert.equal(refused.statusCode, 429)
  assert.match(refused.json().message, /as many files as it takes at a time \(10, or 200 MB\): wait until one is done, then send this one/)
  assert.equal((await standing(store, second)).state, 'checked', 'nothing is dropped for a file that is refused')

  await store.db.delete(imports)
  const [large] = await arriving(1, 200 * 1024 * 1024)
  assert.equal((await send()).statusCode, 429)
  await store.db
    .update(imports)
    .set({ at: sql`now() - interval '11 minutes'` })
    .where(eq(imports._id, large?.id ?? ''))
  assert.equal((await send()).statusCode, 201, 'what a crash has left is not waited for')
})

test('attributes and cells beyond their limits are wrong rows, and names of columns that cannot be kept refuse the file', async () => {
  await using store = await anEmptyStore()
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, nth) => [`key_${nth}`, 'x']))
  const { report } = await checked(
    store,
    asLines(
      { ...drill, specs: many(120) },
      { ...drill, sku: 'D-2', specs: many(121) },
      { ...drill, sku: 'D-3', specs: { a: 'x'.repeat(66_000) } },
    ),
  )
  assert.deepEqual(
    report.wrongRows.map(({ row, expected }) => [row, expected]),
    [
      [2, 'at most 120 attributes'],
      [3, 'at most 64 kB in all'],
    ],
  )
  const head = 'sku,category,name,price,minimum_order_quantity,available_quantity,specs'
  const table = await checked(
    store,
    cells(
      `${head},specs.key_a`,
      `A,cpu,Saw,1,1,1,,${'x'.repeat(66_000)}`,
      `B,cpu,Saw,1,1,1,"${JSON.stringify(many(120)).replaceAll('"', '""')}",x`,
    ),
  )
  assert.deepEqual(
    table.report.wrongRows.map(({ row, column, expected }) => [row, column, expected]),
    [
      [2, 'specs.key_a', 'a cell of at most 64 kB'],
      [3, 'specs', 'at most 120 attributes'],
    ],
  )
  assert.match(
    await troubleWith(store, cells(`${head},specs.a b`, 'A,cpu,Saw,1,1,1,,x')),
    /^Row 1: The column specs\.a b cannot be kept: keys of at most 60/,
  )
  const columns = Array.from({ length: 194 }, (_, nth) => `other ${nth}`)
  assert.match(await troubleWith(store, [head, ...columns].join(',')), /^Row 1: The table has 201 columns and may have at most 200/)
})

test('a file that is wrong in every row is counted in full and shown in part', async () => {
  await using store = await anEmptyStore()
  const { report } = await checked(
    store,
    cells('sku,price', ...Array.from({ length: 1500 }, (_, nth) => `N-${nth},1`), ...Array(1200).fill('N-0,1')),
  )
  assert.deepEqual([inShort(report), report.wrongRows.length], [{ rows: 2700, create: 0, update: 0, unchanged: 0, wrong: 2700 }, 1000])
  const counted = report.reasons.map(({ column, count, example }) => [column, count, example.row])
  assert.deepEqual(counted.sort(), [
    ['available_quantity', 1500, 2],
    ['minimum_order_quantity', 1500, 2],
    ['name', 1500, 2],
    ['sku', 1200, 1502],
  ])
})

test('by the command, too, stock is set only when that is said', async () => {
  await using store = await anEmptyStore()
  await imported(store, asLines(drill))
  const folder = mkdtempSync(path.join(tmpdir(), 'import-'))
  const file = path.join(folder, 'stock.csv')
  writeFileSync(file, cells('sku,available_quantity', 'D-1,88'))
  const command = (...flags: string[]) => runCommand('import.ts', store.connectionString, file, ...flags)
  const refused = await command()
  assert.deepEqual([refused.code, /--stock=set or --stock=keep$/.test(refused.said)], [1, true], refused.said)
  assert.equal((await partOf(store, 'D-1'))?.available_quantity, 25)
  assert.match((await command('--stock=set')).said, /Imported: 0 new, 1 changed/)
  assert.equal((await partOf(store, 'D-1'))?.available_quantity, 88)
  rmSync(folder, { recursive: true })
})
