import { allowedTypos, typoTolerances } from './fuzzy-match.ts'
import { fieldRanks, hasPrefix, hasTerm, type InvertedIndex, type InvertedIndexes, lowerBound, prefixRange } from './inverted-index.ts'
import type { WordOptions } from './parsed-query.ts'
import { RecentValues } from './recent-values.ts'
import {
  CandidateFinder,
  candidatesSize,
  digitsOf,
  isEmpty,
  type PostingsRange,
  postingsRange,
  type TermCandidates,
} from './term-candidates.ts'
import { isPartNumberLike, isShortCode, normalizePartNumber, queryTokens } from './tokens.ts'

/** Number of matched slots, whether the tokens matched exactly or as prefixes, without variants, and whether only with typos. */
type MatchResult = { count: number; isExact: boolean; isNear: boolean; leftOut?: string[] }

type MatchOptions = Pick<WordOptions, 'isNumberInName' | 'isInName' | 'isExactOnly'>

type FoundSlots = {
  /** the matching slots, valid until the next call */
  slots: Uint32Array
  /** by slot, valid for these slots until the next call */
  scores: Float64Array
  /** without typing errors, and with every word */
  isExact: boolean
  /** the slots are those whose part number is the whole text */
  isPartNumber: boolean
  /** words that no product has together with the others */
  leftOut: string[]
}

/** Score weight of a token in each field, by rank in `fieldRanks`. */
const fieldWeights = Float64Array.of(1, 2, 4, 5)
/** Large enough that a match of the part number ranks above any match of the words. */
const partNumberBonus = { whole: 1000, prefix: 500, fuzzy: 250 }

const maxQueryTokens = 16
const maxTellingTokens = 8
/** Of more tokens than this only the unknown ones are taken for mistyped. */
const maxTokensAllMistyped = 4

/**
 * Finds and scores the products that contain every query token, as a whole word or as a prefix. If there are none, it tries in this order:
 * splitting a token or joining adjacent ones, typos in the unknown tokens, of few tokens typos in any, and last without the tokens that
 * most products lack. The allowed number of typos rises until a product matches.
 */
export class Matcher {
  #textIndexes: InvertedIndex[] = []
  #partNumberIndexes: InvertedIndex[] = []
  #alive: Uint8Array = new Uint8Array()
  /** by slot, valid for the slots of the last match */
  #scores = new Float64Array()
  #stampBySlot = new Uint32Array()
  #lastWeight = new Float32Array()
  #stamp = 0
  #matched = new Uint32Array()
  /** of a question that is read, the same words are looked for several times: what was found, with the scores by place in its slots */
  readonly #recent = new RecentValues<FoundSlots>(16)
  /** by token, number of typos and fixed digits */
  readonly #recentFuzzy = new RecentValues<TermCandidates>(32)
  #candidates = new CandidateFinder({ textIndexes: [], partNumberIndexes: [] })

  /** @param isLive by slot: 0 for deleted products, which are never found */
  setIndexes(indexes: InvertedIndexes[], isLive: Uint8Array): this {
    if (indexes.length !== this.#textIndexes.length || indexes.some(({ text }, at) => text !== this.#textIndexes[at])) this.forget()
    this.#textIndexes = indexes.map(({ text }) => text)
    this.#partNumberIndexes = indexes.map(({ partNumbers }) => partNumbers)
    this.#alive = isLive
    if (this.#scores.length < isLive.length) {
      this.#scores = new Float64Array(isLive.length)
      this.#stampBySlot = new Uint32Array(isLive.length)
      this.#lastWeight = new Float32Array(isLive.length)
      this.#matched = new Uint32Array(isLive.length)
      this.#stamp = 0
    }
    return this
  }

  /** To be called before products are added or deleted. */
  forget(): void {
    this.#recent.clear()
    this.#recentFuzzy.clear()
  }

  /** Whether a product has this word, or its part number is this. */
  hasTerm(term: string): boolean {
    return [...this.#textIndexes, ...this.#partNumberIndexes].some((index) => hasTerm(index, term))
  }

  /** Whether the part number of a product is this, in any spelling. */
  hasPartNumber(text: string): boolean {
    const number = normalizePartNumber(text)
    return isPartNumberLike(number) && this.#partNumberIndexes.some((index) => hasTerm(index, number))
  }

  find(text: string, { isNumberInName = false, isInName = false, isExactOnly = false }: MatchOptions = {}): FoundSlots {
    const tokens = [...new Set(queryTokens(text))].slice(0, maxQueryTokens)
    const number = normalizePartNumber(text)
    const hasNumberInName = isNumberInName && tokens.some((token) => token.length === 1 || /\d/.test(token))
    const options = { isNumberInName: hasNumberInName, isInName, isExactOnly }
    const key = [...tokens, number, ...Object.values(options)].join(' ')
    const recent = this.#recent.get(key)
    if (recent) {
      for (let at = 0; at < recent.slots.length; at++) this.#scores[recent.slots[at] ?? 0] = recent.scores[at] ?? 0
      return { ...recent, scores: this.#scores }
    }
    const found = this.#findTokens(tokens, number, options)
    const scores = new Float64Array(found.slots.length)
    for (let at = 0; at < scores.length; at++) scores[at] = found.scores[found.slots[at] ?? 0] ?? 0
    this.#recent.add(key, { ...found, slots: found.slots.slice(), scores })
    return found
  }

  #findTokens(tokens: string[], number: string, { isNumberInName, isInName, isExactOnly = false }: MatchOptions): FoundSlots {
    this.#candidates = new CandidateFinder({
      textIndexes: this.#textIndexes,
      partNumberIndexes: this.#partNumberIndexes,
      fixedDigits: isShortCode(number) ? digitsOf(number) : undefined,
      inNamePattern: isInName ? /^/ : isNumberInName ? /^[\d.]+$/ : undefined,
      begunLetter: isNumberInName ? undefined : tokens.at(-1), // words are typed one after the other
    })
    if (isInName) {
      const count = this.#intersect(tokens.map((token) => this.#candidates.exact(token)))
      return this.#found({ count, isExact: true, isNear: false }, false)
    }
    const whole = this.#wholePartNumber(number)
    if (whole > 0) return this.#found({ count: whole, isExact: true, isNear: false }, true)
    const matched = this.#matchTokens(tokens, isExactOnly)
    if (isExactOnly && matched.count === 0) return this.#found(matched, false)
    const count = this.#addPartNumberMatches(number, matched)
    if (count === 0 && tokens.length > 1) return this.#found(this.#matchMostTelling(tokens), false)
    const isNearOnly = matched.count === 0 || matched.isNear
    const isNear = isNearOnly && !(count > matched.count && this.#partNumberIndexes.some((index) => hasPrefix(index, number)))
    return this.#found({ ...matched, count, isNear }, false)
  }

  #found({ count, isNear, leftOut = [] }: MatchResult, isPartNumber: boolean): FoundSlots {
    return { slots: this.#matched.subarray(0, count), scores: this.#scores, isExact: !isNear, isPartNumber, leftOut }
  }

  /** The products whose part number is the whole text. */
  #wholePartNumber(number: string): number {
    if (!isPartNumberLike(number)) return 0
    const stamp = this.#reserveStamps(1)
    let count = 0
    for (const index of this.#partNumberIndexes) {
      const term = lowerBound(index, number)
      if (index.terms[term] !== number) continue
      for (let at = index.offsets[term] ?? 0; at < (index.offsets[term + 1] ?? 0); at++) {
        const slot = (index.postings[at] ?? 0) >>> 2
        if (this.#alive[slot] !== 1 || this.#stampBySlot[slot] === stamp) continue
        this.#stampBySlot[slot] = stamp
        this.#scores[slot] = partNumberBonus.whole
        this.#matched[count++] = slot
      }
    }
    return count
  }

  /** Where no product has all words: those that most products lack, as long as a product has them together. */
  #matchMostTelling(tokens: string[]): MatchResult {
    const known = tokens
      .slice(0, maxTellingTokens)
      .map((token) => ({ token, candidates: this.#candidates.exact(token) }))
      .filter(({ candidates }) => candidates.length > 0)
      .sort((one, other) => candidatesSize(one.candidates) - candidatesSize(other.candidates))
    let kept: typeof known = []
    for (const one of known) if (this.#intersect([...kept, one].map(({ candidates }) => candidates)) > 0) kept = [...kept, one]
    const count = this.#intersect(kept.map(({ candidates }) => candidates))
    return { count, isExact: false, isNear: true, leftOut: tokens.filter((token) => kept.every((one) => one.token !== token)) }
  }

  #matchTokens(tokens: string[], isExactOnly: boolean): MatchResult {
    const known = tokens.map((token) => this.#candidates.exact(token))
    const exactCount = this.#intersect(known)
    if (exactCount > 0) return { count: exactCount, isExact: true, isNear: false }
    for (const candidatesByToken of this.#candidates.splitAndJoinVariants(tokens, known)) {
      const count = this.#intersect(candidatesByToken)
      if (count > 0) return { count, isExact: false, isNear: false }
    }
    return { count: isExactOnly ? 0 : this.#matchFuzzily(tokens, known), isExact: false, isNear: true }
  }

  /** Raises the typo tolerance step by step, first for the unknown tokens only. Known tokens get typos only if that finds nothing. */
  #matchFuzzily(tokens: string[], known: TermCandidates[]): number {
    const unknown = known.map(isEmpty)
    const all = known.map(() => true)
    const unknownOnly = unknown.includes(true) ? [unknown] : []
    for (const isFuzzy of tokens.length > maxTokensAllMistyped ? unknownOnly : [...unknownOnly, all]) {
      let before: number[] = []
      for (const tolerance of typoTolerances) {
        const maxTypos = tokens.map((token, at) => (isFuzzy[at] ? allowedTypos(token, tolerance) : 0))
        if (maxTypos.every((typos, at) => typos === before[at])) continue
        before = maxTypos
        const count = this.#intersect(
          known.map((candidates, at) =>
            isFuzzy[at] ? [...candidates, ...this.#fuzzyCandidates(tokens[at] ?? '', maxTypos[at] ?? 0)] : candidates,
          ),
        )
        if (count > 0) return count
      }
    }
    return 0
  }

  #fuzzyCandidates(token: string, maxTypos: number): TermCandidates {
    const key = [token, maxTypos, this.#candidates.fixedDigits].join(' ')
    const kept = this.#recentFuzzy.get(key)
    if (kept) return kept
    const candidates = this.#candidates.fuzzy(this.#textIndexes, token, maxTypos)
    this.#recentFuzzy.add(key, candidates)
    return candidates
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
      for (const { postings, from, to, confidence: matchConfidence, isNameOnly } of candidates)
        for (let at = from; at < to; at++) {
          const posting = postings[at] ?? 0
          if (isNameOnly && (posting & 3) < fieldRanks.name) continue
          const slot = posting >>> 2
          const stamp = this.#stampBySlot[slot] ?? 0
          const weight = (fieldWeights[posting & 3] ?? 0) * matchConfidence
          if (stamp === reached) {
            const before = this.#lastWeight[slot] ?? 0
            if (weight > before) {
              this.#lastWeight[slot] = weight
              this.#scores[slot] = (this.#scores[slot] ?? 0) + weight - before
            }
          } else if (turn === 0 ? this.#alive[slot] === 1 : stamp === required) {
            this.#stampBySlot[slot] = reached
            this.#lastWeight[slot] = weight
            this.#scores[slot] = (turn === 0 ? 0 : (this.#scores[slot] ?? 0)) + weight
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
          this.#scores[slot] = 0
        }
        this.#stampBySlot[slot] = stamp + 1
        this.#scores[slot] = (this.#scores[slot] ?? 0) + bonus
      }
    }
    for (const index of this.#partNumberIndexes) {
      const term = lowerBound(index, joinedQuery)
      if (index.terms[term] === joinedQuery) add(postingsRange(index, term, term + 1, 1), partNumberBonus.whole)
    }
    for (const index of this.#partNumberIndexes) add(postingsRange(index, ...prefixRange(index, joinedQuery), 1), partNumberBonus.prefix)
    if (!isExact && count === found && joinedQuery.length > 4)
      for (const range of this.#candidates.fuzzy(this.#partNumberIndexes, joinedQuery, 1)) add(range, partNumberBonus.fuzzy)
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
