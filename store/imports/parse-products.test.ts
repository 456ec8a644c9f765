import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { currentDefinitions } from '#store/catalogue/definitions/current-definitions.ts'
import { createMender } from '#store/catalogue/definitions/mend-values.ts'
import { anEmptyStore } from '#test/store.ts'
import { abbreviateCellValue } from './cell-text.ts'
import { ImportFileError } from './import-file-error.ts'
import {
  countsOfReport,
  csv,
  drill,
  fetchPublicProducts,
  findProduct,
  getImportByApi,
  importProducts,
  ndjson,
  refusalReason,
  saw,
  uploadAndCheck,
  uploadByApi,
} from './import-test-actions.ts'
import { parseProducts } from './parse-products.ts'
import { importFileChunks, importRows } from './table.ts'

async function readToEnd<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

const mender = createMender(currentDefinitions(), { brands: [], choices: [] })

/** What is read of a file that comes in these parts. */
async function parse(...parts: string[]) {
  async function* bytes() {
    for (const part of parts) yield Buffer.from(part)
  }
  const { rows, ignoredColumns } = parseProducts(bytes(), mender)
  return { rows: await readToEnd(rows), ignored: [...ignoredColumns] }
}

const inParts = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, nth) => text.slice(nth * size, (nth + 1) * size))

test('rows are numbered as an editor or a spreadsheet numbers them, empty ones too, wherever the file was cut', async () => {
  const numbers = async (...parts: string[]) => (await parse(...parts)).rows.map(({ product }) => [product?.row, product?.sku])
  const numbered = [
    [5, 'A'],
    [7, 'B'],
    [10, 'C'],
  ]
  assert.deepEqual(await numbers('\n\n\n\n', '{"sku":"A"}\n', '\n{"sku":"B"}\n\n', '\n{"sku":"C"}'), numbered)
  assert.deepEqual(await numbers('\n\n\n\n{"sku":"A"}\n\n{"sku":"B"}\n\n\n{"sku":"C"}\n'), numbered)
  assert.deepEqual(await numbers('sku\n\n\n\nA\n', '\nB\n\n', '\nC'), numbered)
})

test('a file whose lines end with CR alone is read like any other, however long it is and wherever it is cut', async () => {
  const lines = Array.from({ length: 30_000 }, (_, nth) => `A-${nth},"Two\rlines"`) // over 256 kB
  for (const file of [['sku,name', ...lines].join('\r'), ['sku,name', ...lines].join('\r\n')]) {
    const { rows } = await parse(...inParts(file, 65_536))
    assert.equal(rows.length, lines.length)
    assert.deepEqual(rows.at(-1)?.product, { row: 30_001, sku: 'A-29999', name: 'Two\rlines' })
  }
  const numbers = async (text: string, size: number) =>
    (await parse(...inParts(text, size))).rows.map(({ product }) => [product?.row, product?.sku])
  for (const [table, json] of [
    ['sku\r\rA\rB', '\r\r{"sku":"A"}\r{"sku":"B"}'],
    ['sku\r\n\r\nA\r\nB\r\n', '\r\n\r\n{"sku":"A"}\r\n{"sku":"B"}\r\n'],
  ] as const)
    for (let size = 1; size <= json.length; size++)
      for (const text of [table, json])
        assert.deepEqual(
          await numbers(text, size),
          [
            [3, 'A'],
            [4, 'B'],
          ],
          JSON.stringify([text, size]),
        )
})

test('a row is read as it stands there: what is not in it stays as it is in the store', async () => {
  const product = { row: 2, sku: 'A' }
  assert.deepEqual(await parse('sku,available_quantity_seen,\nA,,\n'), {
    rows: [{ product, errors: [] }],
    ignored: [''],
  })
  assert.deepEqual((await parse('sku,available_quantity_seen\nA,5\n')).rows[0]?.product, { ...product, available_quantity_seen: 5 })
  assert.deepEqual((await parse('sku,category,specs.cores\nA,,8\n')).rows[0]?.product?.specs_known, { cores: '8' })
})

test('what a table or a row may have at most it may have, and one more is refused', async () => {
  const x = (count: number) => 'x'.repeat(count)
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, nth) => `${prefix}${nth}`).join()
  const expected = async (file: string) => (await parse(file)).rows.map(({ errors: [error] }) => error?.expected)
  assert.deepEqual(await expected(`sku,colour\nA,${x(64 * 1024)}\nB,${x(64 * 1024 + 1)}\n`), [undefined, 'a cell of at most 64 kB'])
  const line = (characters: number) => `{"sku":"A","colour":"${x(characters - 23)}"}\n`
  assert.deepEqual(await expected(`${line(256 * 1024)}${line(256 * 1024 + 1)}{"sku":"B"}\n`), [
    undefined,
    'a row of at most 256 kB',
    undefined,
  ])
  assert.equal((await parse(`sku,${names('other ', 199)}\n`)).ignored.length, 100, 'a hundred of the columns that are not read are named')
  assert.equal((await parse(`{"sku":"A",${names('"other ', 101).replaceAll(',', '":1,')}":1}\n`)).ignored.length, 100)
  assert.deepEqual((await parse(`sku,category,${names('specs.key_', 120)}\n`)).rows, [])
  await assert.rejects(parse(`sku,category,${names('specs.key_', 121)}\n`), /121 columns that begin with specs\. and may have at most 120/)
  assert.deepEqual((await parse(`sku\n${'\n'.repeat(499_999)}`)).rows, [])
  assert.deepEqual([abbreviateCellValue(x(80)), abbreviateCellValue(x(81))], [x(80), `${x(79)}…`])
})

test('the delimiter is the one that makes the most columns, sku among them', async () => {
  assert.deepEqual((await parse('sku,name,price;sku\nA,Saw,x\n')).ignored, ['price;sku'])
  await assert.rejects(parse('name;price;img\n'), /It says: name, price, img$/)
})

test('a fault of the file says its row where a row was read, and what goes wrong while it is fetched is no fault of the file', async () => {
  const rowOf = async (...parts: string[]) =>
    parse(...parts).then(
      () => assert.fail('The file was read'),
      (error) => (error instanceof ImportFileError ? error.row : assert.fail(error)),
    )
  assert.equal(await rowOf('%PDF-1.7\n'), undefined)
  assert.equal(await rowOf('sku\n', '\0\n'), 2)
  assert.equal(await rowOf('sku\nA\n', '"B\n'), 3)
  async function* breaksOff() {
    yield Buffer.from('sku\nA\n')
    throw new Error('The database is gone')
  }
  await assert.rejects(
    readToEnd(parseProducts(breaksOff(), mender).rows),
    (error: Error) => error.message === 'The database is gone' && !('row' in error),
  )
})

test('every wrong field is told with its row, its column, what was found and what was expected', async () => {
  await using store = await anEmptyStore()
  const { report } = await uploadAndCheck(
    store,
    csv(
      'sku,name,price,minimum_order_quantity,available_quantity,img,specs,category',
      'A,Saw,12.505,1,1,,,',
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
      [2, 'price', '12.505'],
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
  for (const words of Object.values(expected)) assert.match(words, /^(an? |at most |each |one |\d+ cells)/, 'it goes on behind "expected"')
  assert.equal(expected['4 sku'], 'a text of at most 100 characters')
  assert.match(expected['2 price'] ?? '', /an amount in digits, with at most two decimals/)
  for (const row of [3, 9]) assert.equal(expected[`${row} price`], 'an amount from $0.01 to $999,999')
  assert.equal(expected['3 available_quantity'], 'a whole number from 0 to 10,000,000')
  assert.equal(expected['5 name'], 'a text of at most 200 characters')
  assert.equal(expected['6 img'], 'an address that begins with https:// or /, of at most 2000 characters')
  assert.equal(expected['13 price'], 'an amount from $0.01 to $999,999')
  assert.match(expected['7 specs'] ?? '', /an object/)
  assert.match(expected['12 sku'] ?? '', /once/)
  assert.deepEqual(countsOfReport(report), { rows: 12, create: 2, update: 0, unchanged: 0, wrong: 10 })
  assert.deepEqual(report.reasons.find(({ column }) => column === 'img')?.count, 1)
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
    assert.deepEqual(countsOfReport((await importProducts(store, file)).report), { rows: 1, create: 1, update: 0, unchanged: 0, wrong: 0 })
  for (const sku of ['A', 'B', 'C', 'D']) {
    const part = await findProduct(store, sku)
    assert.deepEqual([part?.name, part?.description, part?.priceCents], ['A "quiet" fan, 120 mm; black', 'two\r\nlines\nof it', 900])
  }
})

test('a column for one attribute is read by what the category says of it, and leaves the other attributes', async () => {
  await using store = await anEmptyStore()
  const head =
    'sku,category,name,price,minimum_order_quantity,available_quantity,specs.cores,specs.socket,specs.memory_types,specs.includes_cooler'
  const { report } = await importProducts(store, csv(head, 'P-1,cpu,Processor,300,1,5,8,AM5,DDR4|DDR5,yes', 'P-2,cpu,Other,300,1,5,,,,no'))
  assert.deepEqual([report.wrong, report.warnings], [0, []])
  assert.deepEqual((await findProduct(store, 'P-1'))?.specs, {
    cores: 8,
    socket: 'AM5',
    memory_types: ['DDR4', 'DDR5'],
    includes_cooler: true,
  })
  assert.deepEqual((await findProduct(store, 'P-2'))?.specs, { includes_cooler: false })

  await importProducts(store, csv('sku;category;specs.cores;specs.socket', 'P-1;cpu;;AM4'))
  assert.deepEqual((await findProduct(store, 'P-1'))?.specs, { socket: 'AM4', memory_types: ['DDR4', 'DDR5'], includes_cooler: true })

  const wrong = await uploadAndCheck(store, csv('sku,category,specs.cores,specs.includes_cooler', 'P-1,cpu,many,perhaps'))
  assert.deepEqual(
    wrong.report.wrongRows.map(({ column, expected }) => [column, expected]),
    [
      ['specs.cores', 'a number such as 12 or 1.5'],
      ['specs.includes_cooler', 'yes or no'],
    ],
  )
  assert.match(await refusalReason(store, csv('sku,specs.cores', 'P-1,8')), /the column category is missing/)

  const unknown = await uploadAndCheck(store, csv('sku,category,specs.colour', 'P-1,cpu,red'))
  assert.deepEqual(
    unknown.report.warnings.map(({ column, words }) => [column, words]),
    [['specs.colour', 'the category has no such attribute: kept as text']],
  )

  const ofItsOwn = await uploadAndCheck(store, csv('sku,category', 'P-1,no-such-cat', 'P-2,no-such-cat'))
  assert.deepEqual(
    ofItsOwn.report.warnings.map(({ column, words, count }) => [column, words, count]),
    [['category', 'a new category "No such cat", shown to visitors without filters of its own', 2]],
  )
})

test('a category that is a word for parts of another one is told with that one', async () => {
  await using store = await anEmptyStore()
  const { report } = await uploadAndCheck(store, ndjson({ ...drill, category: 'SSD' }))
  assert.deepEqual(
    report.warnings.flatMap(({ column, words }) => (column === 'category' ? [words] : [])),
    ['a new category "SSD", shown to visitors without filters of its own: parts that are called so are in "Drives"'],
  )
})

test('the names of columns may be in any case, those of attributes too', async () => {
  const known = async (head: string) => (await parse(`${head}\nA,cpu,Eight,8\n`)).rows[0]?.product
  for (const head of ['sku,category,name,specs.cores', 'SKU,Category,NAME,Specs.Cores', 'Sku,CATEGORY,Name,SPECS.CORES'])
    assert.deepEqual((await known(head))?.specs_known, { cores: 8 }, head)
  assert.deepEqual((await parse('sku,category,specs.ISOEM\nA,case-fan,yes\n')).rows[0]?.product?.specs_known, { isOEM: true })
  assert.deepEqual((await known('sku,category,name,Specs.MyOwn'))?.specs_known, { MyOwn: '8' }, 'of no category: as it is written')
  for (const [one, other] of [
    ['specs.cores', 'Specs.CORES'],
    ['specs.MyOwn', 'specs.myown'],
  ])
    await assert.rejects(parse(`sku,category,${one},${other}\nA,cpu,8,8\n`), /stands there twice/)
})

test('part numbers stay text; those that a spreadsheet has spoilt are told and taken', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill, saw))
  const { report } = await importProducts(store, csv('sku,mpn,colour', 'D-1,611,red', 'S-1,1E+05,blue'))

  assert.equal((await findProduct(store, 'S-1'))?.mpn, '1E+05')
  assert.deepEqual(report.ignored, ['colour'])
  assert.deepEqual(report.warnings.map(({ column, example }) => [column, example.row, example.found]).sort(), [
    ['mpn', 2, '611, was 0611'],
    ['mpn', 3, '1E+05'],
  ])

  // Of a row that is left out as wrong nothing is taken: not one of a wrong cell, of a SKU that stands there twice, of a product that lacks fields.
  const lines = ['D-1,1E+06,many', 'S-1,1E+07,3', 'S-1,1E+08,3', 'X-1,1E+09,3', 'D-1,1E+10,3']
  const partly = (await uploadAndCheck(store, csv('sku,mpn,minimum_order_quantity', ...lines))).report
  assert.equal(partly.wrong, 3)
  assert.deepEqual(
    partly.warnings.map(({ column, count, example }) => [column, count, example]),
    [['mpn', 2, { row: 3, sku: 'S-1', found: '1E+07' }]],
  )
})

test('files that are broken, hostile or of another kind are refused with the reason, and nothing of them is imported', async () => {
  await using store = await anEmptyStore()
  const good = ndjson(drill)
  const zipped = gzipSync(ndjson(...Array.from({ length: 2000 }, (_, nth) => ({ ...drill, sku: `${nth} ${Math.random()}` }))))
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
  for (const [file, trouble] of files) assert.match(await refusalReason(store, file), trouble)
  assert.deepEqual(await fetchPublicProducts(store), [])
  assert.equal(await store.db.$count(importRows), 0)
  assert.equal(await store.db.$count(importFileChunks), 0)
})

test('a file that breaks off says how far it was read', async () => {
  await using store = await anEmptyStore()
  const zipped = gzipSync(ndjson(...Array.from({ length: 2000 }, (_, nth) => ({ ...drill, sku: `${nth} ${Math.random()}` }))))
  const { _id } = await uploadByApi(store, zipped.subarray(0, zipped.length - 200))
  await store.jobs.whenIdle()
  const { rowsRead, bytesRead } = await getImportByApi(store, _id)
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
    whole.replace('"price":12', '"price":12.505'),
    whole.replace('"price":12', '"price":"12,50"'),
    whole.replace('"sku":"S-1"', '"sku":["S-1"]'),
  ]
  const { report } = await importProducts(
    store,
    `${hostile.join('\n')}\n${JSON.stringify({ ...drill, ['__proto__']: { admin: true } })}\n`,
    true,
  )
  assert.deepEqual(countsOfReport(report), { rows: hostile.length + 1, create: 1, update: 0, unchanged: 0, wrong: hostile.length })
  assert.deepEqual(
    [...new Set(report.wrongRows.map(({ row }) => row))],
    hostile.map((_, nth) => nth + 1),
  )
  assert.equal('admin' in {}, false)
  const text = JSON.stringify(report)
  for (const words of ['no key called __proto__', 'no key called constructor', 'at most 8 levels', 'one whole JSON object on a line'])
    assert.ok(text.includes(words), words)
})

test('a product behind thousands of rows, even empty ones, is imported like the first', async () => {
  await using store = await anEmptyStore()
  const head = 'sku,name,price,minimum_order_quantity,available_quantity'
  await importProducts(store, [head, 'A,Saw,12,1,1', ...Array(25_000).fill(''), 'B,Drill,30,1,1'].join('\n'))
  assert.deepEqual(
    (await fetchPublicProducts(store)).map(({ name }) => name),
    ['Saw', 'Drill'],
  )
})

test('attributes and cells beyond their limits are wrong rows, and names of columns that cannot be kept refuse the file', async () => {
  await using store = await anEmptyStore()
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, nth) => [`key_${nth}`, 'x']))
  const { report } = await uploadAndCheck(
    store,
    ndjson(
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
  const table = await uploadAndCheck(
    store,
    csv(
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
    await refusalReason(store, csv(`${head},specs.a b`, 'A,cpu,Saw,1,1,1,,x')),
    /^Row 1: The column specs\.a b cannot be kept: keys of at most 60/,
  )
  const columns = Array.from({ length: 194 }, (_, nth) => `other ${nth}`)
  assert.match(await refusalReason(store, [head, ...columns].join(',')), /^Row 1: The table has 201 columns and may have at most 200/)
})

test('a file that is wrong in every row is counted in full and shown in part', async () => {
  await using store = await anEmptyStore()
  const { report } = await uploadAndCheck(
    store,
    csv('sku,price', ...Array.from({ length: 1500 }, (_, nth) => `N-${nth},1`), ...Array(1200).fill('N-0,1')),
  )
  assert.deepEqual(
    [countsOfReport(report), report.wrongRows.length],
    [{ rows: 2700, create: 0, update: 0, unchanged: 0, wrong: 2700 }, 1000],
  )
  const counted = report.reasons.map(({ column, count, example }) => [column, count, example.row])
  assert.deepEqual(counted.sort(), [
    ['available_quantity', 1500, 2],
    ['minimum_order_quantity', 1500, 2],
    ['name', 1500, 2],
    ['sku', 1200, 1502],
  ])
})
