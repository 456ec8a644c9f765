import { forEachFuzzyMatch } from './fuzzy-match.ts'
import { type InvertedIndex, lowerBound, prefixRange } from './inverted-index.ts'
import { splitLettersAndDigits } from './tokens.ts'

/** A contiguous range of postings that may match a query token, and the confidence of that match. */
export type PostingsRange = {
  postings: Uint32Array
  from: number
  to: number
  confidence: number
  /** only in names and part numbers */
  isNameOnly?: true
}
/** All postings ranges that may match one token. A product must be in at least one of them. */
export type TermCandidates = PostingsRange[]
const confidence = { whole: 1, prefix: 0.7, fuzzy: [0, 0.45, 0.3], fuzzyPrefix: [0, 0.35, 0.2] } as const
const maxFuzzyTerms = 400
const maxJoinedTokens = 6

type FinderOptions = {
  textIndexes: InvertedIndex[]
  partNumberIndexes: InvertedIndex[]
  /** the digits of a short code, in which no typing errors are corrected */
  fixedDigits?: string | undefined
  /** tokens that must stand in the name or part number, as a whole */
  inNamePattern?: RegExp | undefined
  /** the one token of one letter that may be the beginning of a word; all others must be whole words */
  begunLetter?: string | undefined
}

/** Finds the postings that may match a token. */
export class CandidateFinder {
  readonly #textIndexes: InvertedIndex[]
  readonly #partNumberIndexes: InvertedIndex[]
  readonly fixedDigits: string | undefined
  readonly #inNamePattern: RegExp | undefined
  readonly #begunLetter: string | undefined

  constructor({ textIndexes, partNumberIndexes, fixedDigits, inNamePattern, begunLetter }: FinderOptions) {
    this.#textIndexes = textIndexes
    this.#partNumberIndexes = partNumberIndexes
    this.fixedDigits = fixedDigits
    this.#inNamePattern = inNamePattern
    this.#begunLetter = begunLetter
  }

  /** The postings of the token as a whole word and as a prefix. */
  exact(token: string): TermCandidates {
    if (this.#inNamePattern?.test(token)) return this.#nameCandidates(token)
    const isWholeOnly = token.length === 1 && token !== this.#begunLetter
    return [...this.#textIndexes, ...this.#partNumberIndexes].flatMap((index) => {
      const [from, to] = prefixRange(index, token)
      const candidates: TermCandidates = []
      const isWhole = index.terms[from] === token
      if (isWhole) candidates.push(postingsRange(index, from, from + 1, confidence.whole))
      if (!isWholeOnly && to > from + (isWhole ? 1 : 0))
        candidates.push(postingsRange(index, from + (isWhole ? 1 : 0), to, confidence.prefix))
      return candidates
    })
  }

  /** The postings of a token as a whole word of names and part numbers. */
  #nameCandidates(token: string): TermCandidates {
    return [...this.#textIndexes, ...this.#partNumberIndexes].flatMap((index) => {
      const term = lowerBound(index, token)
      return index.terms[term] === token ? [{ ...postingsRange(index, term, term + 1, confidence.whole), isNameOnly: true as const }] : []
    })
  }

  /** The query with unknown tokens split ("rtx4070"), then with adjacent tokens joined ("nh d15"). */
  *splitAndJoinVariants(tokens: string[], known: TermCandidates[]): Generator<TermCandidates[]> {
    const splitCandidates = tokens.map((token, at) =>
      known[at]?.length ? undefined : splitLettersAndDigits(token)?.map((part) => this.exact(part)),
    )
    if (splitCandidates.some((parts) => parts)) yield known.flatMap((candidates, at) => splitCandidates[at] ?? [candidates])
    for (let length = Math.min(maxJoinedTokens, tokens.length); length > 1; length--)
      for (let at = 0; at + length <= tokens.length; at++) {
        const run = this.exact(tokens.slice(at, at + length).join(''))
        if (run.length > 0) yield known.toSpliced(at, length, run)
      }
  }

  /** Terms within this number of typos of the token. */
  fuzzy(indexes: InvertedIndex[], token: string, maxTypos: number): TermCandidates {
    if (maxTypos === 0) return []
    let found: { index: InvertedIndex; term: number; typos: number; matchConfidence: number }[] = []
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
    const digits = this.fixedDigits
    if (digits !== undefined) found = found.filter(({ index, term }) => digitsOf(index.terms[term] ?? '') === digits)
    if (found.length > maxFuzzyTerms) found.sort((one, other) => one.typos - other.typos)
    return found.slice(0, maxFuzzyTerms).map(({ index, term, matchConfidence }) => postingsRange(index, term, term + 1, matchConfidence))
  }
}

export const postingsRange = (
  { offsets, postings }: InvertedIndex,
  fromTerm: number,
  toTerm: number,
  matchConfidence: number,
): PostingsRange => ({
  postings,
  from: offsets[fromTerm] ?? 0,
  to: offsets[toTerm] ?? 0,
  confidence: matchConfidence,
})

export const digitsOf = (text: string): string => text.replace(/\D/g, '')
export const isEmpty = (candidates: TermCandidates): boolean => candidates.length === 0
const rangeSize = ({ from, to }: PostingsRange): number => to - from
export const candidatesSize = (candidates: TermCandidates): number => candidates.reduce((sum, one) => sum + rangeSize(one), 0)
