import { crc32, deflateSync } from 'node:zlib'
import qrcode from 'qrcode-generator'

/** Pixels of a module: enlarged on paper, the edges of modules stay sharp. */
const pixelsPerModule = 4
/** Modules around the code that have to be white. */
const quietModules = 4

/** Making a code takes 2 ms; of so many addresses it is kept, 500 bytes each. */
const maxKept = 4000
const kept = new Map<string, string>()

/** As `makeQrCode`, made once as long as it is kept. */
export function qrCodeDataUrl(text: string): string {
  const known = kept.get(text)
  if (known) return known
  const [oldest] = kept.keys()
  if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest)
  const made = makeQrCode(text)
  kept.set(text, made)
  return made
}

/** A QR code as a PNG of one bit for a pixel, in a data URL of about 700 characters: an SVG of it is three times as long. */
function makeQrCode(text: string): string {
  const code = qrcode(0, 'L') // as small as the text allows
  code.addData(text)
  code.make()
  const modules = code.getModuleCount()
  const size = (modules + 2 * quietModules) * pixelsPerModule
  const rowBytes = 1 + Math.ceil(size / 8) // a filter byte, then pixels from the highest bit on
  const pixels = Buffer.alloc(rowBytes * size)
  for (let row = -quietModules; row < modules + quietModules; row++) {
    const first = (row + quietModules) * pixelsPerModule * rowBytes
    pixels.fill(0xff, first + 1, first + rowBytes)
    for (let column = 0; row >= 0 && row < modules && column < modules; column++) {
      if (!code.isDark(row, column)) continue
      for (let pixel = 0; pixel < pixelsPerModule; pixel++) {
        const x = (column + quietModules) * pixelsPerModule + pixel
        const at = first + 1 + (x >> 3)
        pixels[at] = (pixels[at] ?? 0) & ~(0x80 >> (x & 7))
      }
    }
    for (let copy = 1; copy < pixelsPerModule; copy++) pixels.copy(pixels, first + copy * rowBytes, first, first + rowBytes)
  }
  return `data:image/png;base64,${monochromePng(size, pixels).toString('base64')}`
}

/** https://www.w3.org/TR/png-3/: greyscale of one bit, 1 is white. */
function monochromePng(size: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header[8] = 1
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(pixels, { level: 9 })), pngChunk('IEND')])
}

function pngChunk(type: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
