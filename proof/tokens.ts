/** A text without capitals, accents and signs of trade marks. */
export const normalizeText = (text: string): string => text.replace(/[™®©]/g, '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The words of a text: what stands between anything that is neither a letter nor a digit. */
export const tokenize = (text: string): string[] => normalizeText(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** A part number as people compare it: letters and digits alone. */
export const normalizePartNumber = (number: string): string => tokenize(number).join('')

/** The words of a text as somebody finds it by them: Double-Shot is double, shot and doubleshot. */
export const indexTokens = (text: string): string[] => [
  ...tokenize(text),
  ...normalizeText(text)
    .split(/[\s,;()[\]{}|]+/)
    .map((chunk) => tokenize(chunk).join('')),
]
