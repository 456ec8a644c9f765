import { allowedTypos, forEachFuzzyMatch, typoTolerances } from './fuzzy-match.ts'
import { fieldRanks, type InvertedIndex, type InvertedIndexes, lowerBound, prefixRange } from './inverted-index.ts'
import { normalizePartNumber, queryTokens, splitLettersAndDigits } from './tokens.ts'

/** A contiguous range of postings that may match a query token, and the confidence of that match. */
type PostingsRange = { postings: Uint32Array; from: number; to: number; confidence: number }
/** All postings ranges that may match one token. A product must be in at least one of them. */
type TermCandidates = PostingsRange[]
/** Number of matched slots, and whether the tokens matched exactly or as prefixes, without variants and typos. */
type MatchResult = { count: number; isExact: boolean }

const confidence = { whole: 1, prefix: 0.7, fuzzy: [0, 0.45, 0.3], fuzzyPrefix: [0, 0.35, 0.2] } as const
/** Score weight of a token in each field, by rank in `fieldRanks`. */
const fieldWeights = Float64Array.of(1, 2, 4, 5)
/** Large enough that a match of the part number ranks above any match of the words. */
const partNumberBonus = { whole: 1000, prefix: 500, fuzzy: 250 }

const maxQueryTokens = 16
const maxFuzzyTerms = 1500
const maxJoinedTokens = 6
/** Stop widening the typo tolerance once this many products match. */
const sufficientMatches = 10

/**
 * Finds and scores the products that contain every query token, as a whole word or as a prefix. If there are none, it tries in this order:
 * splitting a token or joining adjacent ones, typos in the unknown tokens, typos in any token. The allowed number of typos rises until
 * `sufficientMatches` products match.
 */
export class Matcher {
  #textIndexes: InvertedIndex[] = []
  #partNumberIndexes: InvertedIndex[] = []
  #alive: Uint8Array = new Uint8Array()
  /** score by slot, valid for the slots of the last match */
  scores = new Float64Array()
  #stampBySlot = new Uint32Array()
  #lastWeight = new Float64Array()
  #stamp = 0
  #matched = new Uint32Array()

  /** @param isLive by slot: 0 for deleted products, which are never found */
  setIndexes(indexes: InvertedIndexes[], isLive: Uint8Array): this {
    this.#textIndexes = indexes.map(({ text }) => text)
    this.#partNumberIndexes = indexes.map(({ partNumbers }) => partNumbers)
    this.#alive = isLive
    if (this.scores.length < isLive.length) {
      this.scores = new Float64Array(isLive.length)
      this.#stampBySlot = new Uint32Array(isLive.length)
      this.#lastWeight = new Float64Array(isLive.length)
      this.#matched = new Uint32Array(isLive.length)
      this.#stamp = 0
    }
    return this
  }

  /** @returns the matching slots, valid until the next call; `scores` has the score of each */
  find(text: string): Uint32Array {
    const tokens = queryTokens(text).slice(0, maxQueryTokens)
    const count = this.#addPartNumberMatches(normalizePartNumber(text), this.#matchTokens(tokens))
    return this.#matched.subarray(0, count)
  }

  #matchTokens(tokens: string[]): MatchResult {
    const known = tokens.map((token) => this.#exactCandidates(token))
    const exactCount = this.#intersect(known)
    if (exactCount > 0) return { count: exactCount, isExact: true }
    for (const candidatesByToken of this.#splitAndJoinVariants(tokens, known)) {
      const count = this.#intersect(candidatesByToken)
      if (count > 0) return { count, isExact: false }
    }
    return { count: this.#matchFuzzily(tokens, known), isExact: false }
  }

  /** Raises the typo tolerance step by step, first for the unknown tokens only. Known tokens get typos only if that finds nothing. */
  #matchFuzzily(tokens: string[], known: TermCandidates[]): number {
    const fuzzyCandidates = tokens.map((token) => this.#fuzzyCandidatesByTypos(token))
    const unknown = known.map(isEmpty)
    const all = known.map(() => true)
    for (const isFuzzy of unknown.includes(true) ? [unknown, all] : [all]) {
      let count = 0
      let before: number[] = []
      for (const tolerance of typoTolerances) {
        const maxTypos = tokens.map((token, at) => (isFuzzy[at] ? allowedTypos(token, tolerance) : 0))
        if (maxTypos.every((typos, at) => typos === before[at])) continue
        before = maxTypos
        count = this.#intersect(
          known.map((candidates, at) => (isFuzzy[at] ? [...candidates, ...(fuzzyCandidates[at]?.(maxTypos[at] ?? 0) ?? [])] : candidates)),
        )
        if (count >= sufficientMatches) break
      }
      if (count > 0) return count
    }
    return 0
  }

  /** The fuzzy candidates of a token by number of typos, looked up once for each number. */
  #fuzzyCandidatesByTypos(token: string): (maxTypos: number) => TermCandidates {
    const byTypos: TermCandidates[] = []
    return (maxTypos) => (byTypos[maxTypos] ??= this.#fuzzyCandidates(this.#textIndexes, token, maxTypos))
  }

  /** The postings of the token as a whole word and as a prefix. */
  #exactCandidates(token: string): TermCandidates {
    return [...this.#textIndexes, ...this.#partNumberIndexes].flatMap((index) => {
      const [from, to] = prefixRange(index, token)
      const candidates: TermCandidates = []
      const isWhole = index.terms[from] === token
      if (isWhole) candidates.push(postingsRange(index, from, from + 1, confidence.whole))
      if (to > from + (isWhole ? 1 : 0)) candidates.push(postingsRange(index, from + (isWhole ? 1 : 0), to, confidence.prefix))
      return candidates
    })
  }

  /** The query with unknown tokens split ("rtx4070"), then with adjacent tokens joined ("nh d15"). */
  *#splitAndJoinVariants(tokens: string[], known: TermCandidates[]): Generator<TermCandidates[]> {
    const splitCandidates = tokens.map((token, at) =>
      known[at]?.length ? undefined : splitLettersAndDigits(token)?.map((part) => this.#exactCandidates(part)),
    )
    if (splitCandidates.some((parts) => parts)) yield known.flatMap((candidates, at) => splitCandidates[at] ?? [candidates])
    for (let length = Math.min(maxJoinedTokens, tokens.length); length > 1; length--)
      for (let at = 0; at + length <= tokens.length; at++) {
        const run = this.#exactCandidates(tokens.slice(at, at + length).join(''))
        if (run.length > 0) yield known.toSpliced(at, length, run)
      }
  }

  /** Terms within this number of typos of the token. */
  #fuzzyCandidates(indexes: InvertedIndex[], token: string, maxTypos: number): TermCandidates {
    if (maxTypos === 0) return []
    const found: { index: InvertedIndex; term: number; typos: number; matchConfidence: number }[] = []
    const add = (index: InvertedIndex, term: number, whole: number, prefix: number) => {
      if (whole > 0 && whole <= maxTypos) found.push({ index, term, typos: whole, matchConfidence: confidence.fuzzy[whole] ?? 0 })
      else if (whole > maxTypos && prefix > 0)
        found.push({ index, term, typos: prefix + 0.5, matchConfidence: confidence.fuzzyPrefix[prefix] ?? 0 })
    }
    const isLong = token.length >= 5
    if (!/\d/.test(token))
      for (const index of indexes)
        forEachFuzzyMatch(index.termsWithoutDigits.letters, token, maxTypos, isLong, (term, whole, prefix) =>
          add(index, index.termsWithoutDigits.places[term] ?? 0, whole, prefix),
        )
    if (found.length === 0)
      for (const index of indexes) forEachFuzzyMatch(index.trie, token, maxTypos, isLong, (...mistyped) => add(index, ...mistyped))
    if (found.length > maxFuzzyTerms) found.sort((one, other) => one.typos - other.typos)
    return found.slice(0, maxFuzzyTerms).map(({ index, term, matchConfidence }) => postingsRange(index, term, term + 1, matchConfidence))
  }

  /**
   * Intersects the candidates of all tokens, smallest posting lists first so that few slots remain for the others.
   * @returns the number of slots written to `#matched`
   */
  #intersect(candidatesByToken: TermCandidates[]): number {
    if (candidatesByToken.length === 0 || candidatesByToken.some((candidates) => candidates.length === 0)) return 0
    const bySize = candidatesByToken.toSorted((one, other) => candidatesSize(one) - candidatesSize(other))
    const start = this.#reserveStamps(candidatesByToken.length + 1)
    const last = candidatesByToken.length - 1
    let count = 0
    for (const [turn, candidates] of bySize.entries()) {
      const required = turn === 0 ? 0 : start + turn - 1
      const reached = start + turn
      count = 0
      for (const { postings, from, to, confidence: matchConfidence } of candidates)
        for (let at = from; at < to; at++) {
          const posting = postings[at] ?? 0
          const slot = posting >>> 2
          const stamp = this.#stampBySlot[slot] ?? 0
          const weight = (fieldWeights[posting & 3] ?? 0) * matchConfidence
          if (stamp === reached) {
            const before = this.#lastWeight[slot] ?? 0
            if (weight > before) {
              this.#lastWeight[slot] = weight
              this.scores[slot] = (this.scores[slot] ?? 0) + weight - before
            }
          } else if (turn === 0 ? this.#alive[slot] === 1 : stamp === required) {
            this.#stampBySlot[slot] = reached
            this.#lastWeight[slot] = weight
            this.scores[slot] = (turn === 0 ? 0 : (this.scores[slot] ?? 0)) + weight
            if (turn === last) this.#matched[count] = slot
            count++
          }
        }
      if (count === 0) return 0
    }
    return count
  }

  /**
   * Adds the products whose part number equals or starts with the whole query. If there was no exact match and this finds nothing, one typo
   * is allowed.
   */
  #addPartNumberMatches(joinedQuery: string, { count: found, isExact }: MatchResult): number {
    if (joinedQuery.length < 4 || !/\d/.test(joinedQuery)) return found
    let count = found
    const stamp = this.#reserveStamps(2)
    for (let at = 0; at < found; at++) this.#stampBySlot[this.#matched[at] ?? 0] = stamp
    const add = ({ postings, from, to }: PostingsRange, bonus: number) => {
      for (let at = from; at < to; at++) {
        const posting = postings[at] ?? 0
        const slot = posting >>> 2
        if ((posting & 3) !== fieldRanks.partNumber || this.#alive[slot] !== 1) continue
        if (this.#stampBySlot[slot] === stamp + 1) continue
        if (this.#stampBySlot[slot] !== stamp) {
          this.#matched[count++] = slot
          this.scores[slot] = 0
        }
        this.#stampBySlot[slot] = stamp + 1
        this.scores[slot] = (this.scores[slot] ?? 0) + bonus
      }
    }
    for (const index of this.#partNumberIndexes) {
      const term = lowerBound(index, joinedQuery)
      if (index.terms[term] === joinedQuery) add(postingsRange(index, term, term + 1, 1), partNumberBonus.whole)
    }
    for (const index of this.#partNumberIndexes) {
      const [from, to] = prefixRange(index, joinedQuery)
      if (to > from) add(postingsRange(index, from, to, 1), partNumberBonus.prefix)
    }
    if (!isExact && count === found && joinedQuery.length > 4)
      for (const range of this.#fuzzyCandidates(this.#partNumberIndexes, joinedQuery, 1)) add(range, partNumberBonus.fuzzy)
    return count
  }

  /** Reserves consecutive stamps that no slot carries yet. @returns the first of them */
  #reserveStamps(many: number): number {
    if (this.#stamp + many > 0xffff_fff0) {
      this.#stampBySlot.fill(0)
      this.#stamp = 0
    }
    const first = this.#stamp + 1
    this.#stamp += many
    return first
  }
}

const postingsRange = ({ offsets, postings }: InvertedIndex, fromTerm: number, toTerm: number, matchConfidence: number): PostingsRange => ({
  postings,
  from: offsets[fromTerm] ?? 0,
  to: offsets[toTerm] ?? 0,
  confidence: matchConfidence,
})

const isEmpty = (candidates: TermCandidates): boolean => candidates.length === 0
const rangeSize = ({ from, to }: PostingsRange): number => to - from
const candidatesSize = (candidates: TermCandidates): number => candidates.reduce((sum, one) => sum + rangeSize(one), 0)
