/** A text without capitals, accents and signs of trade marks. */
export const plain = (text: string): string => text.replace(/[™®©]/g, '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The words of a text: what stands between anything that is neither a letter nor a digit. */
export const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** A part number as people compare it: letters and digits alone. */
export const folded = (number: string): string => wordsOf(number).join('')

/** The words of a text as somebody finds it by them: Double-Shot is double, shot and doubleshot. */
export const wordsKept = (text: string): string[] => [
  ...wordsOf(text),
  ...plain(text)
    .split(/[\s,;()[\]{}|]+/)
    .map((chunk) => wordsOf(chunk).join('')),
]
