/* Which words somebody may have meant who mistyped one. */

/**
 * How many mistakes are believed in a word, the more, the less was found otherwise: one; two in words of five letters; at last two in
 * shorter ones, too. In a number never more than one.
 */
export function mistakesIn(word: string, trust: Trust): number {
  if (word.length < 3) return 0
  if (/^[\d.]+$/.test(word)) return word.length < 4 ? 0 : 1
  return trust === 'one' || (trust === 'two' && word.length < 5) ? 1 : 2
}
export const trusts = ['one', 'two', 'twoInShort'] as const
export type Trust = (typeof trusts)[number]

/** For each word of a sorted list, how many letters at its beginning are those of the word before it. */
export function sharedBeginnings(words: string[]): Uint8Array {
  const shared = new Uint8Array(words.length)
  for (let place = 1; place < words.length; place++) {
    const [before = '', word = ''] = [words[place - 1], words[place]]
    let letters = 0
    while (letters < word.length && letters < 255 && before.charCodeAt(letters) === word.charCodeAt(letters)) letters++
    shared[place] = letters
  }
  return shared
}

/**
 * Goes through a sorted list of words for those that are typed so with at most so many mistakes: a letter too many, too few, wrong, or two
 * swapped (optimal string alignment). What a word shares with the one before is not compared again, and of words whose beginning has too
 * many mistakes only the first is looked at.
 * @param beginnings whether a word also counts of which only the beginning is typed so
 * @param tell the place of a word, the mistakes in the whole of it (`most + 1` for more), and in the beginning of it that fits best
 */
export function mistypedWords(
  { words, shared }: { words: string[]; shared: Uint8Array },
  typed: string,
  most: number,
  beginnings: boolean,
  tell: (place: number, whole: number, beginning: number) => void,
): void {
  const width = typed.length + 1
  const tooMany = most + 1
  const deepest = typed.length + most
  /** mistakes between the first d letters of the word and the first t letters typed, at d * width + t */
  const rows = new Uint8Array((deepest + 1) * width).fill(tooMany)
  /** the least mistakes between all that was typed and a beginning of up to d letters */
  const bestUpTo = new Uint8Array(deepest + 1).fill(tooMany)
  for (let column = 0; column < width; column++) rows[column] = Math.min(column, tooMany)
  bestUpTo[0] = rows[typed.length] ?? tooMany

  /** The row of one more letter, as far as there can be so few mistakes in it. @returns whether anything can still come of such a word */
  function goDown(word: string, depth: number): boolean {
    const letter = word.charCodeAt(depth - 1)
    const before = depth > 1 ? word.charCodeAt(depth - 2) : -1
    const row = depth * width
    const above = row - width
    const first = Math.max(0, depth - most)
    const last = Math.min(typed.length, depth + most)
    if (first > 0) rows[row + first - 1] = tooMany
    let least = tooMany
    for (let column = first; column <= last; column++) {
      let mistakes = (rows[above + column] ?? tooMany) + 1
      if (column > 0) {
        const typedLetter = typed.charCodeAt(column - 1)
        const wrong = (rows[above + column - 1] ?? tooMany) + (letter === typedLetter ? 0 : 1)
        const extra = (rows[row + column - 1] ?? tooMany) + 1
        if (wrong < mistakes) mistakes = wrong
        if (extra < mistakes) mistakes = extra
        if (before === typedLetter && column > 1 && letter === typed.charCodeAt(column - 2)) {
          const swapped = (rows[above - width + column - 2] ?? tooMany) + 1
          if (swapped < mistakes) mistakes = swapped
        }
      }
      if (mistakes > tooMany) mistakes = tooMany
      if (mistakes < least) least = mistakes
      rows[row + column] = mistakes
    }
    if (last < typed.length) rows[row + last + 1] = tooMany
    const all = last === typed.length ? (rows[row + last] ?? tooMany) : tooMany
    const best = Math.min(bestUpTo[depth - 1] ?? tooMany, all)
    bestUpTo[depth] = best
    return least <= most || (beginnings && best <= most) // a beginning that fits stays one, however the word goes on
  }

  let known = 0 // so many letters of the last word have their rows
  let dead = 256 // with so many letters in common with it, nothing can come of the next
  for (let place = 0; place < words.length; place++) {
    const common = shared[place] ?? 0
    if (common >= dead) continue
    dead = 256
    const word = words[place] ?? ''
    const end = Math.min(word.length, deepest)
    let depth = Math.min(common, known, end)
    while (depth < end) {
      depth++
      if (goDown(word, depth)) continue
      dead = depth
      break
    }
    known = depth
    if (dead < 256) continue
    const isNear = word.length <= deepest && word.length >= typed.length - most
    const whole = isNear ? (rows[word.length * width + typed.length] ?? tooMany) : tooMany
    const beginning = beginnings ? (bestUpTo[end] ?? tooMany) : tooMany
    if (whole <= most || beginning <= most) tell(place, whole, beginning)
  }
}
