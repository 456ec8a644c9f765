/* Fuzzy matching of query tokens against index terms. */

/**
 * Maximum edit distance for a token. The caller raises the tolerance step by step while no product matches: one typo, then two in words
 * of at least five letters, then two in shorter words too. Numbers never get more than one.
 */
export function allowedTypos(token: string, tolerance: TypoTolerance): number {
  if (token.length < 3) return 0
  if (/^[\d.]+$/.test(token)) return token.length < 4 ? 0 : 1
  return tolerance === 'one' || (tolerance === 'two' && token.length < 5) ? 1 : 2
}
export const typoTolerances = ['one', 'two', 'twoInShort'] as const
type TypoTolerance = (typeof typoTolerances)[number]

/**
 * Trie over a sorted word list. Nodes are in word order, one for each distinct prefix, so the subtree of a node follows it directly. What is known
 * of a node stands in `nodeSize` numbers one after the other, at the places of `nodeField`: a search jumps from node to node, and each jump
 * then waits for memory once.
 */
export type Trie = Int32Array
const nodeSize = 4
const nodeField = {
  /** UTF-16 code of the letter that the node adds, and above `depthShift` its prefix length */
  letter: 0,
  /** place of the first node after the subtree */
  subtreeEnd: 1,
  /** bit mask of the letters in the words of the subtree, with the bits of `letterBit` */
  letterMask: 2,
  /** index of the word that ends at the node, or -1 */
  word: 3,
} as const
const depthShift = 16

/** @param words sorted, without duplicates */
export function buildTrie(words: string[]): Trie {
  const shared = words.map((word, index) => {
    const before = words[index - 1] ?? ''
    let letters = 0
    while (letters < before.length && before.charCodeAt(letters) === word.charCodeAt(letters)) letters++
    return letters
  })
  const size = nodeSize * words.reduce((sum, word, index) => sum + word.length - (shared[index] ?? 0), 0)
  const trie: Trie = new Int32Array(size)
  let node = 0
  const path: number[] = [] // nodes of the previous word
  for (const [index, word] of words.entries()) {
    for (const left of path.splice(shared[index] ?? 0)) trie[left + nodeField.subtreeEnd] = node
    while (path.length < word.length) {
      const letter = word.charCodeAt(path.length)
      trie[node + nodeField.letter] = letter | (path.push(node) << depthShift)
      trie[node + nodeField.subtreeEnd] = size
      trie[node + nodeField.word] = -1
      node += nodeSize
    }
    trie[(path.at(-1) ?? 0) + nodeField.word] = index
    const all = letterMask(word)
    for (const ancestor of path) trie[ancestor + nodeField.letterMask] = (trie[ancestor + nodeField.letterMask] ?? 0) | all
  }
  return trie
}

/** One bit for each letter a-z, five for the digits, one for all other characters. */
const letterBit = (code: number): number => 1 << (code >= 97 && code <= 122 ? code - 97 : code >= 48 && code <= 57 ? 27 + (code % 5) : 26)

function letterMask(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= letterBit(word.charCodeAt(at))
  return letters
}

/** Whether more than `count` bits are set. */
function hasMoreBitsThan(count: number, bits: number): boolean {
  let left = bits
  for (let nth = 0; nth < count; nth++) left &= left - 1
  return left !== 0
}

/** Each typed letter takes one bit of a 32-bit integer. */
const maxTypedLength = 30

/** By character code, a bit for each position where the character was typed. All zero between calls. */
const positionMasks = new Int32Array(65_536)

/**
 * Calls back for each word of the trie within `maxTypos` edits of `typed`: insertion, deletion, substitution, or swap of adjacent letters
 * (optimal string alignment). A subtree is skipped once its prefix has too many typos, or when it lacks too many of the typed letters.
 *
 * Bit-parallel (Wu and Manber, "Fast text searching", 1992): bit t of a state says whether the first t typed letters match the prefix read
 * so far. There is one state for each number of typos, so reading one letter takes a few operations for all of them.
 *
 * Long because what it reads and writes at each node of the trie are local variables, which is faster than passing them on.
 * @param typed with more than `maxTypedLength` letters, nothing is found
 * @param allowPrefix whether a word also matches if only a prefix of it matches
 * @param onMatch the index of a word, the typos in the whole word (`maxTypos + 1` for more), and in its best matching prefix
 */
export function forEachFuzzyMatch(
  trie: Trie,
  typed: string,
  maxTypos: number,
  allowPrefix: boolean,
  onMatch: (index: number, whole: number, prefix: number) => void,
): void {
  if (typed.length > maxTypedLength) return
  const tooMany = maxTypos + 1
  const deepest = typed.length + maxTypos
  const allTyped = 1 << typed.length
  /** the state after d letters of the word with up to m typos, at d * tooMany + m */
  const states = new Int32Array((deepest + 1) * tooMany)
  /** fewest typos between all of `typed` and a prefix of up to d letters */
  const bestUpTo = new Uint8Array(deepest + 1)
  /** position mask of each letter on the current path */
  const positionsOnPath = new Int32Array(deepest + 1)

  const typosAt = (depth: number): number => {
    let typos = 0
    while (typos < tooMany && ((states[depth * tooMany + typos] ?? 0) & allTyped) === 0) typos++
    return typos
  }

  /** Advances the states by one letter. @returns whether any word with this prefix can still match */
  function advance(letter: number, depth: number): boolean {
    const here = depth * tooMany
    const above = here - tooMany
    const same = positionMasks[letter] ?? 0
    const swapped = (same << 1) & (positionsOnPath[depth - 1] ?? 0)
    positionsOnPath[depth] = same
    let state = ((states[above] ?? 0) << 1) & same
    states[here] = state
    for (let typos = 1; typos < tooMany; typos++) {
      const before = states[above + typos - 1] ?? 0
      const wrongExtraOrMissing = (before << 1) | before | (state << 1)
      state = (((states[above + typos] ?? 0) << 1) & same) | wrongExtraOrMissing
      if (swapped !== 0) state |= ((states[above - tooMany + typos - 1] ?? 0) << 2) & swapped
      states[here + typos] = state
    }
    let best = bestUpTo[depth - 1] ?? tooMany
    if ((state & allTyped) !== 0) best = Math.min(best, typosAt(depth))
    bestUpTo[depth] = best
    const canMatch = (state & ((allTyped << 1) - 1)) !== 0
    return canMatch || (allowPrefix && best <= maxTypos) // a matching prefix keeps matching, whatever follows it
  }

  for (let at = 0; at < typed.length; at++) positionMasks[typed.charCodeAt(at)] = (positionMasks[typed.charCodeAt(at)] ?? 0) | (2 << at)
  for (let typos = 0; typos < tooMany; typos++) states[typos] = (2 << typos) - 1
  bestUpTo[0] = typosAt(0)

  const lettersTyped = letterMask(typed)
  for (let node = 0; node < trie.length; ) {
    const letter = trie[node + nodeField.letter] ?? 0
    const depth = letter >>> depthShift
    const missing = lettersTyped & ~(trie[node + nodeField.letterMask] ?? 0)
    if (hasMoreBitsThan(maxTypos, missing) || (depth <= deepest && !advance(letter & 0xffff, depth))) {
      node = trie[node + nodeField.subtreeEnd] ?? trie.length
      continue
    }
    const index = trie[node + nodeField.word] ?? -1
    node += nodeSize
    if (index < 0) continue
    const whole = depth <= deepest ? typosAt(depth) : tooMany
    const prefix = allowPrefix ? (bestUpTo[Math.min(depth, deepest)] ?? tooMany) : tooMany
    if (whole <= maxTypos || prefix <= maxTypos) onMatch(index, whole, prefix)
  }
  for (let at = 0; at < typed.length; at++) positionMasks[typed.charCodeAt(at)] = 0
}
