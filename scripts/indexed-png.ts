import { crc32, deflateSync } from 'node:zlib'

/*
 * Writes PNGs with a palette. For a screenshot with flat colours and small text they are a third of the size of PNGs with all colours.
 * Implemented here because no dependency writes PNG, and it takes only about forty lines: https://www.w3.org/TR/png-3/
 */

/** `indexes`: one byte per pixel, row by row, the index of its colour in `palette`, which has three bytes per colour. */
export type IndexedImage = { width: number; height: number; palette: Uint8Array; indexes: Uint8Array }

export function encodePng({ width, height, palette, indexes }: IndexedImage): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8) // bit depth 8, colour type 3 (palette)
  const rows = Buffer.alloc((width + 1) * height) // each row begins with its filter type, 0: none
  for (let row = 0; row < height; row++) rows.set(indexes.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(rows, { level: 9, memLevel: 9 })
  return Buffer.concat([signature, chunk('IHDR', header), chunk('PLTE', palette), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(named, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}

/**
 * Reduces an image to its most frequent colours and maps the others to the nearest of them. Deterministic.
 * @param pixels four bytes per pixel: red, green, blue, and one that is ignored
 * @param most number of colours, at most 256
 */
export function quantizeColours(pixels: Uint8Array, width: number, height: number, most: number): IndexedImage {
  // Colours are grouped by the upper five bits of each channel. The colour of a group is the average of its pixels.
  const nameOf = (at: number) => ((byte(pixels, at) >> 3) << 10) | ((byte(pixels, at + 1) >> 3) << 5) | (byte(pixels, at + 2) >> 3)
  const counts = new Uint32Array(1 << 15)
  const sums = new Float64Array(3 << 15)
  for (let at = 0; at < pixels.length; at += 4) {
    const name = nameOf(at)
    counts[name] = (counts[name] ?? 0) + 1
    for (let part = 0; part < 3; part++) sums[3 * name + part] = (sums[3 * name + part] ?? 0) + byte(pixels, at + part)
  }
  const colours = [...counts.entries()]
    .filter(([, count]) => count > 0)
    .sort(([name, count], [otherName, otherCount]) => otherCount - count || name - otherName)
    .map(([name, count]) => ({ name, parts: Uint8Array.from(sums.subarray(3 * name, 3 * name + 3), (sum) => Math.round(sum / count)) }))
  // The 16 most frequent colours are kept. Further ones are kept only if not close to a kept one, so that shades of black do not crowd out
  // the colour of a red text.
  const kept = colours.slice(0, 16)
  for (const apart of [20, 0])
    for (const colour of colours) {
      if (kept.length === most) break
      if (!kept.some((other) => other === colour || distance(other.parts, colour.parts) < apart ** 2)) kept.push(colour)
    }
  const paletteIndexOf = new Uint8Array(1 << 15)
  for (const { name, parts } of colours) {
    let least = Number.POSITIVE_INFINITY
    for (const [index, colour] of kept.entries()) {
      const distanceToColour = distance(colour.parts, parts)
      if (distanceToColour >= least) continue
      least = distanceToColour
      paletteIndexOf[name] = index
    }
  }
  const indexes = new Uint8Array(width * height)
  for (let pixel = 0; pixel < indexes.length; pixel++) indexes[pixel] = byte(paletteIndexOf, nameOf(pixel * 4))
  return { width, height, palette: Uint8Array.from(kept.flatMap(({ parts }) => [...parts])), indexes }
}

/** Squared distance of two colours. */
const distance = (one: Uint8Array, other: Uint8Array): number =>
  [0, 1, 2].reduce((sum, part) => sum + (byte(one, part) - byte(other, part)) ** 2, 0)

const byte = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0
