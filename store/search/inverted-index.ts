import { buildTrie, type Trie } from './fuzzy-match.ts'
import { GrowableArray } from './growable-array.ts'
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

export class InvertedIndexBuilder {
  readonly #termIds = new Map<string, number>()
  readonly #termIdByPosting = new GrowableArray((length) => new Uint32Array(length), 65_536)
  readonly #postings = new GrowableArray((length) => new Uint32Array(length), 65_536)
  /** terms of the product being added, each with its most relevant field */
  readonly #productTerms = new Map<string, number>()

  /** @param tokenize calls back with each token of the product, in any order and with repetitions */
  add(slot: number, tokenize: (emit: (term: string, field: number) => void) => void): void {
    this.#productTerms.clear()
    tokenize((term, field) => {
      if (field >= (this.#productTerms.get(term) ?? 0)) this.#productTerms.set(term, field)
    })
    for (const [term, field] of this.#productTerms) {
      let termId = this.#termIds.get(term)
      if (termId === undefined) {
        termId = this.#termIds.size
        this.#termIds.set(term, termId)
      }
      this.#termIdByPosting.push(termId)
      this.#postings.push(slot * 4 + field)
    }
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
