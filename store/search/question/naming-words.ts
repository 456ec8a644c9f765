/** Words of the names of categories and makers, by their first letter and length, those that were given first in front. */
export type NamingWords = Map<string, { word: string; place: number }[]>

/** Shorter words are not corrected, and none is taken for a longer one. */
const [minLength, maxLength] = [5, 22]
const wordPattern = new RegExp(`^\\p{L}{${minLength},${maxLength}}$`, 'u')

/** Of words with the same first letter and length, further ones are not compared. */
const maxAlike = 250

export function collectNamingWords(words: Iterable<string>): NamingWords {
  const found: NamingWords = new Map()
  let place = 0
  for (const word of words) {
    if (!wordPattern.test(word)) continue
    const key = keyOf(word.charAt(0), word.length)
    const alike = found.get(key)
    if (!alike) found.set(key, [{ word, place: place++ }])
    else if (alike.length < maxAlike) alike.push({ word, place: place++ })
  }
  return found
}

const keyOf = (first: string, length: number) => `${length}${first}`

/** The word with the fewest errors, of several the one that was given first; undefined if all have more than `maxErrors`. */
export function findNamingWord(words: NamingWords, typed: string, maxErrors: number): string | undefined {
  let best: { word: string; place: number; errors: number } | undefined
  for (let length = typed.length - maxErrors; length <= typed.length + maxErrors; length++)
    for (const { word, place } of words.get(keyOf(typed.charAt(0), length)) ?? []) {
      const errors = editDistance(typed, word, best?.errors ?? maxErrors)
      if (errors <= maxErrors && (!best || errors < best.errors || (errors === best.errors && place < best.place)))
        best = { word, place, errors }
    }
  return best?.word
}

/** Insertions, deletions, substitutions and swaps of neighbours, or any greater number than `most` if there are more. */
function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const current = new Array<number>(other.length + 1).fill(most + 1)
    if (row <= most) current[0] = row
    let fewest = current[0] ?? row
    // Further columns need more insertions or deletions than `most`.
    for (let column = Math.max(1, row - most); column <= Math.min(other.length, row + most); column++) {
      const isSame = one[row - 1] === other[column - 1]
      let least = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (isSame ? 0 : 1))
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        least = Math.min(least, (before[column - 2] ?? 0) + 1)
      current[column] = least
      fewest = Math.min(fewest, least)
    }
    if (fewest > most) return fewest
    before = last
    last = current
  }
  return last[other.length] ?? most + 1
}
