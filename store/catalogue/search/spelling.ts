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

/**
 * A sorted list of words as a tree, one node for each different beginning, in the order of the words: what begins like a node stands right
 * behind it.
 */
export type LetterTree = {
  /** the code of the letter that a node adds */
  letters: Uint16Array
  /** how many letters the node's beginning has */
  depths: Uint16Array
  /** the first node that does not begin like this one */
  after: Uint32Array
  /** which letters (as `bitOf` has them) stand somewhere in the words that begin so */
  within: Uint32Array
  /** the place of the word that ends here, or -1 */
  words: Int32Array
}

/** @param words sorted, each once */
export function letterTree(words: string[]): LetterTree {
  const shared = words.map((word, place) => {
    const before = words[place - 1] ?? ''
    let letters = 0
    while (letters < before.length && before.charCodeAt(letters) === word.charCodeAt(letters)) letters++
    return letters
  })
  const size = words.reduce((sum, word, place) => sum + word.length - (shared[place] ?? 0), 0)
  const tree = {
    letters: new Uint16Array(size),
    depths: new Uint16Array(size),
    after: new Uint32Array(size).fill(size),
    within: new Uint32Array(size),
    words: new Int32Array(size).fill(-1),
  }
  let node = 0
  const path: number[] = [] // the nodes of the last word
  for (const [place, word] of words.entries()) {
    for (const left of path.splice(shared[place] ?? 0)) tree.after[left] = node
    while (path.length < word.length) {
      tree.letters[node] = word.charCodeAt(path.length)
      tree.depths[node] = path.push(node++)
    }
    tree.words[path.at(-1) ?? 0] = place
    const all = lettersOf(word)
    for (const begun of path) tree.within[begun] = (tree.within[begun] ?? 0) | all
  }
  return tree
}

/** A bit for each letter; five for the figures, and one for all the rest. */
const bitOf = (code: number): number => 1 << (code >= 97 && code <= 122 ? code - 97 : code >= 48 && code <= 57 ? 27 + (code % 5) : 26)

function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= bitOf(word.charCodeAt(at))
  return letters
}

/** Whether more bits than that are set. */
function hasMoreThan(most: number, bits: number): boolean {
  let left = bits
  for (let nth = 0; nth < most; nth++) left &= left - 1
  return left !== 0
}

/** A letter typed is a bit of a number with 32. */
const longestTyped = 30

/** By the code of a letter, a bit for each place where it was typed; all zero between two questions. */
const placesTyped = new Int32Array(65_536)

/**
 * Goes through the words of a tree for those that are typed so with at most so many mistakes: a letter too many, too few, wrong, or two
 * swapped (optimal string alignment). Whatever begins with too many mistakes, or lacks too many of the letters, is passed over at once.
 *
 * Bit t of a number says whether the first t letters typed may stand for the word as far as it is read: one number for no mistake, one for
 * up to one, and so on, so that one letter more is a few operations for all of them (Wu and Manber, "Fast text searching", 1992).
 * @param typed of one with more than `longestTyped` letters nothing is found
 * @param beginnings whether a word also counts of which only the beginning is typed so
 * @param tell the place of a word, the mistakes in the whole of it (`most + 1` for more), and in the beginning of it that fits best
 */
export function mistypedWords(
  tree: LetterTree,
  typed: string,
  most: number,
  beginnings: boolean,
  tell: (place: number, whole: number, beginning: number) => void,
): void {
  if (typed.length > longestTyped) return
  const tooMany = most + 1
  const deepest = typed.length + most
  const allTyped = 1 << typed.length
  /** after d letters of the word with up to m mistakes, at d * tooMany + m */
  const fits = new Int32Array((deepest + 1) * tooMany)
  /** the least mistakes between all that was typed and a beginning of up to d letters */
  const bestUpTo = new Uint8Array(deepest + 1)
  /** of the letters on the way down, where they were typed */
  const isTyped = new Int32Array(deepest + 1)

  const mistakesAt = (depth: number): number => {
    let mistakes = 0
    while (mistakes < tooMany && ((fits[depth * tooMany + mistakes] ?? 0) & allTyped) === 0) mistakes++
    return mistakes
  }

  /** Reads one letter more. @returns whether anything can still come of a word that begins so */
  function goDown(letter: number, depth: number): boolean {
    const here = depth * tooMany
    const above = here - tooMany
    const same = placesTyped[letter] ?? 0
    const swapped = (same << 1) & (isTyped[depth - 1] ?? 0)
    isTyped[depth] = same
    let fit = ((fits[above] ?? 0) << 1) & same
    fits[here] = fit
    for (let mistakes = 1; mistakes < tooMany; mistakes++) {
      const before = fits[above + mistakes - 1] ?? 0
      const wrongExtraOrMissing = (before << 1) | before | (fit << 1)
      fit = (((fits[above + mistakes] ?? 0) << 1) & same) | wrongExtraOrMissing
      if (swapped !== 0) fit |= ((fits[above - tooMany + mistakes - 1] ?? 0) << 2) & swapped
      fits[here + mistakes] = fit
    }
    let best = bestUpTo[depth - 1] ?? tooMany
    if ((fit & allTyped) !== 0) best = Math.min(best, mistakesAt(depth))
    bestUpTo[depth] = best
    const mayGoOn = (fit & ((allTyped << 1) - 1)) !== 0
    return mayGoOn || (beginnings && best <= most) // a beginning that fits stays one, however the word goes on
  }

  for (let at = 0; at < typed.length; at++) placesTyped[typed.charCodeAt(at)] = (placesTyped[typed.charCodeAt(at)] ?? 0) | (2 << at)
  for (let mistakes = 0; mistakes < tooMany; mistakes++) fits[mistakes] = (2 << mistakes) - 1
  bestUpTo[0] = mistakesAt(0)

  const { letters, depths, after, within, words } = tree
  const lettersTyped = lettersOf(typed)
  for (let node = 0; node < letters.length; ) {
    const depth = depths[node] ?? 0
    const missing = lettersTyped & ~(within[node] ?? 0)
    if (hasMoreThan(most, missing) || (depth <= deepest && !goDown(letters[node] ?? 0, depth))) {
      node = after[node] ?? letters.length
      continue
    }
    const place = words[node++] ?? -1
    if (place < 0) continue
    const whole = depth <= deepest ? mistakesAt(depth) : tooMany
    const beginning = beginnings ? (bestUpTo[Math.min(depth, deepest)] ?? tooMany) : tooMany
    if (whole <= most || beginning <= most) tell(place, whole, beginning)
  }
  for (let at = 0; at < typed.length; at++) placesTyped[typed.charCodeAt(at)] = 0
}
