import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import subsetFont from 'subset-font'

/**
 * `node scripts/subset-fonts.ts`: splits each font into a subset for nearly all pages and one for the rest of Latin, with the used weights,
 * and writes them to web/fonts/. `web/styles.css` contains the matching unicode ranges. Run it after an update of the fonts.
 */
const sources = {
  geist: '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  'geist-mono': '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
}

type Range = [first: number, last: number]
const expandRanges = (ranges: Range[]) =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, place) => first + place))

/** ASCII and £©®°²µ·×’…€™ */
export const basicCodePoints = [
  ...expandRanges([[0x20, 0x7e]]),
  0xa3,
  0xa9,
  0xae,
  0xb0,
  0xb2,
  0xb5,
  0xb7,
  0xd7,
  0x2019,
  0x2026,
  0x20ac,
  0x2122,
]
/** Western European accented letters, quotation marks, dashes, and the arrows that the fonts contain. */
export const extendedCodePoints = expandRanges([
  [0xa0, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2c6, 0x2dc],
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2190, 0x2193],
  [0x2212, 0x2215],
]).filter((point) => !basicCodePoints.includes(point))

/** @returns the font files by file name in web/fonts/ */
export async function subsetFonts(): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  for (const [name, source] of Object.entries(sources)) {
    const whole = readFileSync(createRequire(import.meta.url).resolve(source))
    for (const [part, points] of [
      ['', basicCodePoints],
      ['-rest', extendedCodePoints],
    ] as const)
      files.set(
        `${name}${part}.woff2`,
        await subsetFont(whole, String.fromCodePoint(...points), {
          targetFormat: 'woff2',
          variationAxes: { wght: { min: 400, max: 700, default: 400 } },
        }),
      )
  }
  return files
}

if (import.meta.main)
  for (const [file, bytes] of await subsetFonts()) writeFileSync(path.join(import.meta.dirname, '../web/fonts', file), bytes)
