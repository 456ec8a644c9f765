/*
 * How text becomes words, the same for what is kept and for what is asked: no case, no accents, and of everything that people write in
 * several ways (NH-D15, NHD15; 32GB, 32 GB; 27") all the ways.
 */

const longestWord = 40

const plain = /^[ -~]*$/ // ASCII, as most text here is: nothing to take off

/** Lower case without accents and signs of trade marks. */
export const fold = (text: string): string =>
  (plain.test(text) ? text : text.replace(/[™®©]/g, '').normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase()

const chunks = /[^\s,;()[\]{}|]+/g
/** A number keeps its point: 2.5 is one word. */
const pieces = /\d+(?:\.\d+)+[a-z]*|[\p{L}\p{N}]+/gu
const numberWithUnit = /^(\d+(?:\.\d+)?)([a-z]{1,4})$/
const inches = /^(\d+(?:\.\d+)?)["”″]/

/** The words that somebody asks for, in their order. */
export function wordsAsked(text: string): string[] {
  const words: string[] = []
  for (const [chunk] of fold(text).matchAll(chunks)) {
    const [, size] = chunk.match(inches) ?? []
    if (size) words.push(`${size}in`)
    else for (const [piece] of chunk.matchAll(pieces)) words.push(piece.slice(0, longestWord))
  }
  return words
}

/** Every word under which a text is found: its words, what stands between blanks as one, and a number apart from its unit. */
export function wordsKept(text: string, keep: (word: string) => void): void {
  for (const [chunk] of fold(text).matchAll(chunks)) {
    const found = chunk.match(pieces)
    if (!found) continue
    for (const piece of found) {
      keep(piece.slice(0, longestWord))
      const [, number, unit] = piece.match(numberWithUnit) ?? []
      if (number && unit) {
        keep(number)
        keep(unit)
      }
    }
    if (found.length > 1) keep(found.join('').slice(0, longestWord))
    const [, size] = chunk.match(inches) ?? []
    if (size) keep(`${size}in`)
  }
}

/** A part number without case, dashes, blanks: the same however it was typed. */
export const foldPartNumber = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]/gu, '')

/** "rtx4070" is "rtx" and "4070" to whoever typed it without the blank. Undefined when there is nothing to part. */
export function partedWord(word: string): string[] | undefined {
  const parts = word.match(/\p{L}+|[\p{N}.]+/gu)
  return parts && parts.length > 1 && parts.length < 5 ? parts : undefined
}
