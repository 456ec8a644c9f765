import { isUtf8 } from 'node:buffer'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { importLimits } from './contract.ts'
import { ImportFileError } from './import-file-error.ts'

const limits = { unpackedBytes: importLimits.unpackedMegabytes * 1024 * 1024, rowBytes: importLimits.rowKilobytes * 1024 }
const [lineFeed, carriageReturn] = [10, 13]
const chunkBytes = 65_536

/**
 * The text of a file in chunks that end at a line end: LF, CRLF or CR, as old Macs write it. Gzip and a byte order mark are detected from the first bytes, never from the file
 * name. Holds one chunk and one row in memory, whatever the size of the file.
 * @throws {ImportFileError} if it is not UTF-8 text, its gzip is corrupt, or it exceeds `importLimits`
 */
export async function* readFileText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let first = true
  for await (const lines of splitAtLineEnds(gunzipIfNeeded(bytes))) {
    let start = 0
    if (first) {
      assertTextFile(lines)
      if (startsWithBytes(lines, 0xef, 0xbb, 0xbf)) start = 3
      first = false
    }
    yield* decodeUtf8(lines.subarray(start))
  }
}

const startsWithBytes = (bytes: Uint8Array, ...magic: number[]) => magic.every((byte, nth) => bytes[nth] === byte)

const binaryFormats: { kind: string; magic: number[] }[] = [
  { kind: 'a PNG picture', magic: [0x89, 0x50, 0x4e, 0x47] },
  { kind: 'a JPEG picture', magic: [0xff, 0xd8, 0xff] },
  { kind: 'a GIF picture', magic: [0x47, 0x49, 0x46, 0x38] },
  { kind: 'a PDF document', magic: [0x25, 0x50, 0x44, 0x46] },
  { kind: 'a workbook of an old Excel', magic: [0xd0, 0xcf, 0x11, 0xe0] },
]

function assertTextFile(bytes: Uint8Array) {
  const other = binaryFormats.find(({ magic }) => startsWithBytes(bytes, ...magic))
  if (other) throw new ImportFileError(`This is not a text file: it is ${other.kind}. Save the products as CSV and send that`)
  if (startsWithBytes(bytes, 0x50, 0x4b, 3, 4))
    throw new ImportFileError('This is a workbook or a zip archive: save the sheet as CSV and send that')
  if (startsWithBytes(bytes, 0xff, 0xfe) || startsWithBytes(bytes, 0xfe, 0xff))
    throw new ImportFileError('The file is written in UTF-16: save it as UTF-8 ("CSV UTF-8" in a spreadsheet) and send that')
  if (startsWithBytes(bytes, 0x1f, 0x8b)) throw new ImportFileError('The file is gzipped twice: unpack it once and send that')
}

async function* gunzipIfNeeded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const chunks = mergeFirstChunks(bytes)
  const { value: first } = await chunks.next()
  if (!first) return
  if (!startsWithBytes(first, 0x1f, 0x8b)) {
    yield first
    yield* chunks
    return
  }
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  async function* whole() {
    yield first
    yield* chunks
  }
  pipeline(Readable.from(whole(), { objectMode: false }), gunzip, () => {}) // errors surface in the loop below
  try {
    for await (const chunk of gunzip) yield chunk
  } catch (error) {
    throw isGzipError(error) ? new ImportFileError('The gzip file is broken or not complete: pack it again and send that') : error
  }
}

const isGzipError = (error: unknown) => error instanceof Error && 'code' in error && `${error.code}`.startsWith('Z_')

/** Merges the first chunks to at least 4 bytes, which format detection needs. */
async function* mergeFirstChunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let first = Buffer.alloc(0)
  let enough = false
  for await (const chunk of bytes) {
    if (enough) {
      yield toBuffer(chunk)
      continue
    }
    first = Buffer.concat([first, chunk])
    enough = first.length >= 4
    if (enough) yield first
  }
  if (!enough && first.length > 0) yield first
}

const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength)

/** Splits at line ends, so that no multi-byte character is split, and no CRLF. */
async function* splitAtLineEnds(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let [total, waiting] = [0, 0]
  let endsWithReturn = false // the next chunk may begin with the LF that belongs to it
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue
    total += chunk.length
    if (total > limits.unpackedBytes)
      throw new ImportFileError(`The file is longer than ${importLimits.unpackedMegabytes} MB when unpacked`)
    if (endsWithReturn && chunk[0] !== lineFeed) {
      yield Buffer.concat(rest)
      rest = []
      waiting = 0
    }
    endsWithReturn = chunk.at(-1) === carriageReturn
    const end = Math.max(chunk.lastIndexOf(lineFeed), chunk.subarray(0, -1).lastIndexOf(carriageReturn)) + 1
    if (end > 0) yield Buffer.concat([...rest, chunk.subarray(0, end)])
    rest = end > 0 ? [chunk.subarray(end)] : [...rest, chunk]
    waiting = end > 0 ? chunk.length - end : waiting + chunk.length
    if (waiting - (endsWithReturn ? 1 : 0) > limits.rowBytes) throw rowTooLongError()
  }
  if (waiting > 0) yield Buffer.concat(rest)
}

export const rowTooLongError = () =>
  new ImportFileError(`The row is longer than ${importLimits.rowKilobytes} kB. In a CSV file a quote that is never closed does that`)

function* decodeUtf8(lines: Buffer): Generator<string> {
  if (isUtf8Text(lines)) {
    yield lines.toString()
    return
  }
  // Yields the valid lines first, so that the caller knows the row of the invalid one. They are one chunk, because a row may span several
  // lines.
  for (let start = 0; start < lines.length; ) {
    const end = findLineEnd(lines, start)
    const line = lines.subarray(start, end)
    if (!isUtf8Text(line)) {
      yield lines.toString('utf8', 0, start)
      if (lines.includes(0))
        throw new ImportFileError('This is not a text file, or a damaged one: there is a character in it that no text has (NUL)')
      throw new ImportFileError('The text is not in UTF-8: save the file as UTF-8 ("CSV UTF-8" in a spreadsheet) and send that')
    }
    start = end
  }
}

/** Where the next line begins. */
function findLineEnd(lines: Buffer, start: number): number {
  const feed = lines.indexOf(lineFeed, start)
  const line = lines.subarray(start, feed < 0 ? lines.length : feed) // no return is looked for behind it, again for each line
  const returned = line.indexOf(carriageReturn)
  if (returned < 0) return feed < 0 ? lines.length : feed + 1
  const end = start + returned
  return end + 1 === feed ? feed + 1 : end + 1
}

const isUtf8Text = (bytes: Buffer) => isUtf8(bytes) && !bytes.includes(0)
