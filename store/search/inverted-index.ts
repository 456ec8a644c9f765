import { buildTrie, type Trie } from './fuzzy-match.ts'
import { GrowableArray } from './growable-array.ts'
import { forEachChunk, forEachTokenOfChunk } from './tokens.ts'
import { compareStrings, sortIndices } from './yield-to-event-loop.ts'

/**
 * Inverted index: the sorted terms of a set of products, and a posting list for each term. Terms with a common prefix are adjacent, so the
 * postings of a prefix are one contiguous range.
 */
export type InvertedIndex = {
  terms: string[]
  trie: Trie
  /**
   * trie of the terms without digits, and their indexes in `terms`; far fewer than those with digits, and a mistyped word without digits
   * usually means one of them
   */
  termsWithoutDigits: { letters: Trie; places: Uint32Array }
  /** postings of term t: from offsets[t] up to offsets[t + 1] */
  offsets: Uint32Array
  /** slot of the product and rank of the field that contains the term: slot * 4 + field */
  postings: Uint32Array
}

/** Part numbers have an index of their own: there are many, and each occurs in one product only. */
export type InvertedIndexes = { text: InvertedIndex; partNumbers: InvertedIndex }

/** Fields of a product, from the least to the most relevant. */
export const fieldRanks = { description: 0, attributes: 1, name: 2, partNumber: 3 } as const

/** Longer chunks hardly repeat. */
const maxCachedChunkLength = 24

export class InvertedIndexBuilder {
  readonly #termIds = new Map<string, number>()
  /** the terms of chunks, which products share: tokenizing is most of the work of an index */
  readonly #termIdsByChunk = new Map<string, number[]>()
  readonly #termIdByPosting = new GrowableArray((length) => new Uint32Array(length), 65_536)
  readonly #postings = new GrowableArray((length) => new Uint32Array(length), 65_536)
  /** the terms of the product being added, and for each term its place among these if it is one of them */
  readonly #productTerms: number[] = []
  readonly #productFields: number[] = []
  readonly #placeByTerm = new GrowableArray((length) => new Uint32Array(length), 65_536)

  /** Adds the texts of a product, each with the rank of its field; the highest rank of a term counts. `finish` ends the product. */
  addText(text: string, field: number): void {
    forEachChunk(text, (chunk) => {
      for (const termId of this.#termIdsOf(chunk)) this.#addTerm(termId, field)
    })
  }

  /** Adds a term of a product as it is. */
  addToken(token: string, field: number): void {
    this.#addTerm(this.#termIdOf(token), field)
  }

  finish(slot: number): void {
    for (const [at, termId] of this.#productTerms.entries()) {
      this.#termIdByPosting.push(termId)
      this.#postings.push(slot * 4 + (this.#productFields[at] ?? 0))
    }
    this.#productTerms.length = 0
    this.#productFields.length = 0
  }

  #addTerm(termId: number, field: number): void {
    const place = this.#placeByTerm.array[termId] ?? 0
    if (this.#productTerms[place] === termId) {
      if (field > (this.#productFields[place] ?? 0)) this.#productFields[place] = field
      return
    }
    this.#placeByTerm.array[termId] = this.#productTerms.length
    this.#productTerms.push(termId)
    this.#productFields.push(field)
  }

  #termIdsOf(chunk: string): number[] {
    const known = this.#termIdsByChunk.get(chunk)
    if (known) return known
    const termIds: number[] = []
    forEachTokenOfChunk(chunk, (token) => termIds.push(this.#termIdOf(token)))
    if (chunk.length <= maxCachedChunkLength) this.#termIdsByChunk.set(chunk, termIds)
    return termIds
  }

  #termIdOf(term: string): number {
    let termId = this.#termIds.get(term)
    if (termId === undefined) {
      termId = this.#termIds.size
      // A copy: a part of a text that is kept would keep the whole text.
      this.#termIds.set(Buffer.from(term).toString(), termId)
      this.#placeByTerm.push(0)
    }
    return termId
  }

  async build(yieldToEventLoop: () => Promise<void> | undefined): Promise<InvertedIndex> {
    const unsorted = [...this.#termIds.keys()]
    const order = await sortIndices(unsorted, yieldToEventLoop)
    const rank = new Uint32Array(order.length)
    for (const [index, termId] of order.entries()) rank[termId] = index
    const terms = order.map((termId) => unsorted[termId] ?? '')
    await yieldToEventLoop()

    const { length, array: termIds } = this.#termIdByPosting
    const offsets = new Uint32Array(terms.length + 1)
    const termAt = (at: number) => rank[termIds[at] ?? 0] ?? 0
    for (let at = 0; at < length; at++) offsets[termAt(at) + 1] = (offsets[termAt(at) + 1] ?? 0) + 1
    for (let term = 0; term < terms.length; term++) offsets[term + 1] = (offsets[term + 1] ?? 0) + (offsets[term] ?? 0)
    await yieldToEventLoop()
    const next = offsets.slice()
    const postings = new Uint32Array(length)
    for (let at = 0; at < length; at++) {
      const index = next[termAt(at)] ?? 0
      next[termAt(at)] = index + 1
      postings[index] = this.#postings.array[at] ?? 0
    }
    return { terms, trie: buildTrie(terms), termsWithoutDigits: indexTermsWithoutDigits(terms), offsets, postings }
  }
}

function indexTermsWithoutDigits(terms: string[]): InvertedIndex['termsWithoutDigits'] {
  const places = Uint32Array.from([...terms.keys()].filter((index) => !/\d/.test(terms[index] ?? '')))
  return { letters: buildTrie(Array.from(places, (index) => terms[index] ?? '')), places }
}

/** Index of the first term that does not sort before this one. */
export function lowerBound({ terms }: InvertedIndex, term: string): number {
  let [low, high] = [0, terms.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareStrings(terms[middle] ?? '', term) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Index range of the terms with this prefix; `to` is exclusive. */
export const prefixRange = (index: InvertedIndex, prefix: string): [from: number, to: number] => [
  lowerBound(index, prefix),
  lowerBound(index, `${prefix}\uffff`),
]

export const hasTerm = (index: InvertedIndex, term: string): boolean => index.terms[lowerBound(index, term)] === term
/** Whether a term begins with this. */
export function hasPrefix(index: InvertedIndex, prefix: string): boolean {
  const [from, to] = prefixRange(index, prefix)
  return to > from
}
