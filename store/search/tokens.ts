/*
 * Tokenization, the same for indexed text and queries: no case, no accents. Where people write something in several ways (NH-D15, NHD15;
 * 32GB, 32 GB; 27"), the index contains a token for each of them.
 */

const maxTokenLength = 40
/** Whole signs, as every copy of the text has them: half of a pair of surrogates would be another word in a copy. */
const cut = (word: string): string => word.slice(0, maxTokenLength).toWellFormed()

const asciiPattern = /^[ -~]*$/ // fast path: most text here is ASCII and has no accents to strip

/** Lower case, without accents and trademark signs. */
export const normalizeText = (text: string): string =>
  (asciiPattern.test(text) ? text : text.replace(/[™®©]/g, '').normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase()

const chunkPattern = /[^\s,;()[\]{}|]+/g
/** By the code of a printable ASCII character: whether it ends a chunk. */
const isSeparator = Uint8Array.from({ length: 128 }, (_, code) => (/[\s,;()[\]{}|]/.test(String.fromCharCode(code)) ? 1 : 0))
/** A decimal number is one token: 2.5. */
const tokenPattern = /\d+(?:\.\d+)+[a-z]*|[\p{L}\p{N}]+/gu
const numberWithUnitPattern = /^(\d+(?:\.\d+)?)([a-z]{1,4})$/
/** "9850x3d": a model and what sets it apart */
const numberWithCodePattern = /^(\d{4})(x\d[a-z]\d?)$/
const inchesPattern = /^(\d+(?:\.\d+)?)["”″]/

/** The tokens of a search text, in order. */
export function queryTokens(text: string): string[] {
  const tokens: string[] = []
  for (const [chunk] of normalizeText(text).matchAll(chunkPattern)) {
    const [, size] = chunk.match(inchesPattern) ?? []
    if (size) tokens.push(`${size}in`)
    else for (const [piece] of chunk.matchAll(tokenPattern)) tokens.push(cut(piece))
  }
  return tokens
}

/** The chunks of a text between spaces, commas, semicolons, bars and brackets, in lower case. */
export function forEachChunk(text: string, emit: (chunk: string) => void): void {
  const normalized = normalizeText(text)
  if (!asciiPattern.test(normalized)) {
    for (const [chunk] of normalized.matchAll(chunkPattern)) emit(chunk)
    return
  }
  // The same without a match object for each chunk: an index is built of millions of them.
  let start = 0
  for (let at = 0; at <= normalized.length; at++) {
    if (at < normalized.length && !isSeparator[normalized.charCodeAt(at)]) continue
    if (at > start) emit(normalized.slice(start, at))
    start = at + 1
  }
}

/** The index tokens of a chunk: each word, the chunk joined to one token, and a number and its unit separately. */
export function forEachTokenOfChunk(chunk: string, emit: (token: string) => void): void {
  const found = chunk.match(tokenPattern)
  if (!found) return
  for (const piece of found) {
    emit(cut(piece))
    const [, number, unit] = piece.match(numberWithUnitPattern) ?? piece.match(numberWithCodePattern) ?? []
    if (number && unit) {
      emit(number)
      emit(unit)
    }
  }
  if (found.length > 1) emit(cut(found.join('')))
  const [, size] = chunk.match(inchesPattern) ?? []
  if (size) emit(`${size}in`)
}

/** A part number in lower case, without dashes and spaces. */
export const normalizePartNumber = (text: string): string => normalizeText(text).replace(/[^\p{L}\p{N}]/gu, '')

/** A code of up to six signs with a digit: another digit makes it another thing ("CR2032"). */
export const isShortCode = (number: string): boolean => number.length <= 6 && /\d/.test(number)
export const isPartNumberLike = (number: string): boolean => number.length >= 5 && /\d/.test(number)

/** Splits "rtx4070" into "rtx" and "4070" for a missing space. Undefined if the token has only one such part, or more than four. */
export function splitLettersAndDigits(token: string): string[] | undefined {
  const parts = token.match(/\p{L}+|[\p{N}.]+/gu)
  return parts && parts.length > 1 && parts.length < 5 ? parts : undefined
}
