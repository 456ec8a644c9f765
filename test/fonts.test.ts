import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { basicCodePoints, extendedCodePoints, subsetFonts } from '../scripts/subset-fonts.ts'

const web = path.join(import.meta.dirname, '../web')

/** The code points of a `unicode-range`. */
const pointsOf = (range: string) =>
  range.split(',').flatMap((part) => {
    const [first = 0, last = first] = part
      .trim()
      .replace('U+', '')
      .split('-')
      .map((point) => Number.parseInt(point, 16))
    return Array.from({ length: last - first + 1 }, (_, place) => first + place)
  })

test('the fonts are those of their packages, in parts', async () => {
  for (const [file, bytes] of await subsetFonts()) assert.ok(bytes.equals(readFileSync(path.join(web, 'fonts', file))), file)
})

/** Comma and point of numbers, which the monospaced family takes from the other. */
const separators = 'U+002C, U+002E'

test('the style sheet looks for each character in the part that has it', () => {
  const faces = [
    ...readFileSync(path.join(web, 'styles.css'), 'utf8').matchAll(/url\(".\/fonts\/(.*?)\.woff2"\)[^}]*?unicode-range: (.*?);/g),
  ]
  assert.equal(faces.length, 5)
  for (const [, file = '', range = ''] of faces)
    if (file.endsWith('-rest'))
      assert.deepEqual(
        extendedCodePoints.filter((point) => !pointsOf(range).includes(point)),
        [],
        file,
      )
    else if (range !== separators) assert.deepEqual(pointsOf(range), basicCodePoints, file)
})

test('a part that is fetched only where it is written is a family of its own, which a browser need not stand in for', () => {
  const faces = [...readFileSync(path.join(web, 'styles.css'), 'utf8').matchAll(/font-family: "([^"]+)";\s*src: url/g)].map(
    ([, family]) => family,
  )
  assert.equal(faces.length, 5)
  assert.equal(new Set(faces).size, faces.length)
})
