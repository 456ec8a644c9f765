import { isUtf8 } from 'node:buffer'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { importLimits } from '../contract.ts'
import { FileFault } from './fault.ts'

const most = { unpackedBytes: importLimits.unpackedMegabytes * 1024 * 1024, rowBytes: importLimits.rowKilobytes * 1024 }
const newline = 10
const chunkBytes = 64 * 1024

/**
 * The text of a file, in parts that end with a line. What the file is, its first bytes say, never its name: gzipped or not, with a byte-order
 * mark or not. Holds one chunk and one row in memory, however long the file is.
 * @throws {FileFault} it is no text in UTF-8, its gzip is broken, or it is longer than `importLimits` allow
 */
export async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let first = true
  for await (const lines of wholeLines(unpacked(bytes))) {
    let start = 0
    if (first) {
      refuseOtherKinds(lines)
      if (begins(lines, 0xef, 0xbb, 0xbf)) start = 3
      first = false
    }
    yield* decoded(lines.subarray(start))
  }
}

const begins = (bytes: Uint8Array, ...magic: number[]) => magic.every((byte, nth) => bytes[nth] === byte)

const notText: { kind: string; magic: number[] }[] = [
  { kind: 'a PNG picture', magic: [0x89, 0x50, 0x4e, 0x47] },
  { kind: 'a JPEG picture', magic: [0xff, 0xd8, 0xff] },
  { kind: 'a GIF picture', magic: [0x47, 0x49, 0x46, 0x38] },
  { kind: 'a PDF document', magic: [0x25, 0x50, 0x44, 0x46] },
  { kind: 'a workbook of an old Excel', magic: [0xd0, 0xcf, 0x11, 0xe0] },
]

function refuseOtherKinds(bytes: Uint8Array) {
  const other = notText.find(({ magic }) => begins(bytes, ...magic))
  if (other) throw new FileFault(`This is not a text file: it is ${other.kind}. Save the products as CSV and send that`)
  if (begins(bytes, 0x50, 0x4b, 3, 4)) throw new FileFault('This is a workbook or a zip archive: save the sheet as CSV and send that')
  if (begins(bytes, 0xff, 0xfe) || begins(bytes, 0xfe, 0xff))
    throw new FileFault('The file is written in UTF-16: save it as UTF-8 ("CSV UTF-8" in a spreadsheet) and send that')
  if (begins(bytes, 0x1f, 0x8b)) throw new FileFault('The file is gzipped twice: unpack it once and send that')
}

async function* unpacked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const chunks = atLeastTwoBytes(bytes)
  const { value: first } = await chunks.next()
  if (!first) return
  if (!begins(first, 0x1f, 0x8b)) {
    yield first
    yield* chunks
    return
  }
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  async function* whole() {
    yield first
    yield* chunks
  }
  pipeline(Readable.from(whole(), { objectMode: false }), gunzip, () => {}) // what goes wrong comes out of the loop below
  try {
    for await (const chunk of gunzip) yield chunk
  } catch (error) {
    throw isGzipTrouble(error) ? new FileFault('The gzip file is broken or not complete: pack it again and send that') : error
  }
}

const isGzipTrouble = (error: unknown) => error instanceof Error && 'code' in error && `${error.code}`.startsWith('Z_')

/** A first chunk of one byte would not say what the file is. */
async function* atLeastTwoBytes(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let first = Buffer.alloc(0)
  let enough = false
  for await (const chunk of bytes) {
    if (enough) {
      yield asBuffer(chunk)
      continue
    }
    first = Buffer.concat([first, chunk])
    enough = first.length >= 4
    if (enough) yield first
  }
  if (!enough && first.length > 0) yield first
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength)

/** Cut where a line ends: a character of several bytes is never cut in two. */
async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let [total, waiting] = [0, 0]
  for await (const chunk of chunks) {
    total += chunk.length
    if (total > most.unpackedBytes) throw new FileFault(`The file is longer than ${importLimits.unpackedMegabytes} MB when unpacked`)
    const end = chunk.lastIndexOf(newline) + 1
    if (end > 0) yield Buffer.concat([...rest, chunk.subarray(0, end)])
    rest = end > 0 ? [chunk.subarray(end)] : [...rest, chunk]
    waiting = end > 0 ? chunk.length - end : waiting + chunk.length
    if (waiting > most.rowBytes) throw rowTooLong()
  }
  if (waiting > 0) yield Buffer.concat(rest)
}

export const rowTooLong = () =>
  new FileFault(`The row is longer than ${importLimits.rowKilobytes} kB. In a CSV file a quote that is never closed does that`)

function* decoded(lines: Buffer): Generator<string> {
  if (isText(lines)) {
    yield lines.toString()
    return
  }
  // The good lines first, so that whoever counts rows knows where the bad one stands; in one piece, as a row may reach over many lines.
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf(newline, start) + 1 || lines.length
    const line = lines.subarray(start, end)
    if (!isText(line)) {
      yield lines.toString('utf8', 0, start)
      if (lines.includes(0))
        throw new FileFault('This is not a text file, or a damaged one: there is a character in it that no text has (NUL)')
      throw new FileFault('The text is not in UTF-8: save the file as UTF-8 ("CSV UTF-8" in a spreadsheet) and send that')
    }
    start = end
  }
}

const isText = (bytes: Buffer) => isUtf8(bytes) && !bytes.includes(0)
