import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import subsetFont from 'subset-font'

/**
 * `node scripts/subset-fonts.ts`: parts each font of the store into what nearly every page needs and what the rest of Latin needs, both in the
 * weights that are used, into web/fonts/. `web/styles.css` says which characters are in which. Run it after a new version of the fonts.
 */
const sources = {
  geist: '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  'geist-mono': '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
}

type Range = [first: number, last: number]
const toEach = (ranges: Range[]) => ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, place) => first + place))

/** Code points: ASCII and ©®°²µ·×’…™ */
export const everywhere = [...toEach([[0x20, 0x7e]]), 0xa9, 0xae, 0xb0, 0xb2, 0xb5, 0xb7, 0xd7, 0x2019, 0x2026, 0x2122]
/** Code points: the accents of western Europe, its quotation marks and dashes, and the arrows that the fonts have. */
export const rest = toEach([
  [0xa0, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2c6, 0x2dc],
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2190, 0x2193],
  [0x2212, 0x2215],
]).filter((point) => !everywhere.includes(point))

/** @returns the font files by their names in web/fonts/ */
export async function cutFonts(): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  for (const [name, source] of Object.entries(sources)) {
    const whole = readFileSync(createRequire(import.meta.url).resolve(source))
    for (const [part, points] of [
      ['', everywhere],
      ['-rest', rest],
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
  for (const [file, bytes] of await cutFonts()) writeFileSync(path.join(import.meta.dirname, '../web/fonts', file), bytes)
