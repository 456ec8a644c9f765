import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { fullRunOnly } from '#proof/full-run.ts'
import { importLimits } from './contract.ts'
import { readFileText } from './file-text.ts'

async function* inChunks(chunks: Iterable<Uint8Array>) {
  yield* chunks
}

async function readToEnd<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

const readChunks = (chunks: Iterable<Uint8Array>) => readToEnd(readFileText(inChunks(chunks)))

/** The same bytes, as many at a time. */
const cut = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, nth) => bytes.subarray(nth * size, (nth + 1) * size))

/** Reads a file until it is refused. */
async function readUntilRefused(file: Buffer): Promise<{ text: string[]; refusal: string }> {
  const text: string[] = []
  try {
    for await (const lines of readFileText(inChunks([file]))) text.push(lines)
  } catch (error) {
    assert.ok(error instanceof Error)
    return { text, refusal: error.message }
  }
  assert.fail('The file was read')
}

test('a file is read in whole lines, wherever it was cut on its way, packed or not', async () => {
  for (const text of ['sku,name\n\nÄ-1,Säge 精\n\ufeffB,x\nC', 'sku\nA\n', '\nsku\n', '\ufeff']) {
    const bytes = Buffer.from(text)
    for (const file of [bytes, gzipSync(bytes)])
      for (let size = 1; size <= file.length; size++) {
        const chunks = await readChunks(cut(file, size))
        assert.equal(chunks.join(''), text.replace(/^\ufeff/, ''), `${text} in chunks of ${size}`)
        assert.deepEqual(
          chunks.slice(0, -1).filter((lines) => !lines.endsWith('\n')),
          [],
        )
      }
  }
  assert.deepEqual(await readChunks(cut(Buffer.from('sku\nA\n\nB'), 1)), ['sku\n', 'A\n', '\n', 'B'])
})

test('a file of a few bytes is a file, and one of none has no text', async () => {
  for (const text of ['a', 'ab', 'abc', 'abcd', 'abcde']) assert.deepEqual(await readChunks([Buffer.from(text)]), [text])
  assert.deepEqual(await readChunks([]), [])
  assert.deepEqual(await readChunks([Buffer.alloc(0)]), [])
})

test('a byte order mark is left out where the file begins and kept elsewhere', async () => {
  assert.deepEqual(await readChunks(['\ufeffA\n', '\ufeffB\n'].map((text) => Buffer.from(text))), ['A\n', '\ufeffB\n'])
})

test('a file of another kind is refused in words that name it', async () => {
  for (const [begin, words] of [
    [[0x89, 0x50, 0x4e, 0x47], /it is a PNG picture/],
    [[0xff, 0xd8, 0xff, 0xe0], /it is a JPEG picture/],
    [[0x47, 0x49, 0x46, 0x38], /it is a GIF picture/],
    [[0x25, 0x50, 0x44, 0x46], /it is a PDF document/],
    [[0xd0, 0xcf, 0x11, 0xe0], /it is a workbook of an old Excel/],
    [[0x50, 0x4b, 3, 4], /a workbook or a zip archive/],
    [[0xff, 0xfe, 0x41, 0], /written in UTF-16/],
    [[0xfe, 0xff, 0, 0x41], /written in UTF-16/],
  ] as const)
    for (const file of [Buffer.from(begin), gzipSync(Buffer.from(begin))]) assert.match((await readUntilRefused(file)).refusal, words)
  assert.match((await readUntilRefused(gzipSync(gzipSync('sku\n')))).refusal, /gzipped twice/)
})

test('the lines before one that is no text are read, so that its row can be told', async () => {
  const latin1 = Buffer.from('sku\nA\nf\xfcr\nB\n', 'latin1')
  assert.deepEqual(await readUntilRefused(latin1), {
    text: ['sku\nA\n'],
    refusal: 'The text is not in UTF-8: save the file as UTF-8 ("CSV UTF-8" in a spreadsheet) and send that',
  })
  for (const end of ['\r', '\r\n'])
    assert.deepEqual((await readUntilRefused(Buffer.from(`sku${end}A${end}f\xfcr${end}B${end}`, 'latin1'))).text, [`sku${end}A${end}`])
  assert.match((await readUntilRefused(Buffer.from('sku\nA\n\0'))).refusal, /NUL/)
})

test('a row may have 256 kB and not one byte more, in however many chunks, and the rows before it count for nothing', async () => {
  const limit = importLimits.rowKilobytes * 1024
  const row = Buffer.alloc(limit, 'x')
  const before = Buffer.from(`sku\n${'A\n'.repeat(1024 * 1024)}`)
  for (const size of [limit + 1, 100_000]) {
    assert.equal((await readChunks(cut(row, size))).join('').length, limit)
    assert.equal((await readChunks([before, ...cut(row, size)])).join('').length, before.length + limit)
    await assert.rejects(readChunks(cut(Buffer.concat([row, Buffer.from('x')]), size)), /^Error: The row is longer than 256 kB/)
    for (const end of ['\r', '\r\n']) {
      const lines = Buffer.concat([row, Buffer.from(end), row])
      assert.equal((await readChunks(cut(lines, size))).join('').length, 2 * limit + end.length)
    }
  }
})

test('a file may have 256 MB and not one byte more when it is unpacked', fullRunOnly, async () => {
  const megabyte = Buffer.alloc(1024 * 1024, `${' '.repeat(1023)}\n`)
  const largest = Array<Buffer>(importLimits.unpackedMegabytes).fill(megabyte)
  const lengthOf = async (chunks: Buffer[]) => {
    let length = 0
    for await (const lines of readFileText(inChunks(chunks))) length += lines.length
    return length
  }
  assert.equal(await lengthOf(largest), importLimits.unpackedMegabytes * megabyte.length)
  await assert.rejects(lengthOf([...largest, Buffer.from('x')]), /longer than 256 MB when unpacked/)
})

test('what goes wrong while a packed file is fetched is no fault of the file, and a broken file is one', async () => {
  const zipped = gzipSync(Array.from({ length: 2000 }, () => `${Math.random()}\n`).join(''))
  async function* breaksOff() {
    yield zipped.subarray(0, 1000)
    throw new Error('The database is gone')
  }
  await assert.rejects(readToEnd(readFileText(breaksOff())), /^Error: The database is gone$/)
  await assert.rejects(readChunks([zipped.subarray(0, 1000)]), /The gzip file is broken or not complete/)
})
