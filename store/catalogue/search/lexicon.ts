import { compareTexts, sortedPlaces } from './give-way.ts'
import { Growing } from './growing.ts'
import { type LetterTree, letterTree } from './spelling.ts'

/**
 * All words of some products, sorted, and for each the products that carry it. Words with the same beginning lie side by side, and so do
 * their postings: a beginning is one stretch of memory.
 */
export type Lexicon = {
  words: string[]
  letters: LetterTree
  /** the words without a digit, few beside those with one, with their places among all: who mistypes a word meant one of them */
  plain: { letters: LetterTree; places: Uint32Array }
  /** postings of word w: from starts[w] up to starts[w + 1] */
  starts: Uint32Array
  /** the slot of a product and the field that carries the word: slot * 4 + field */
  postings: Uint32Array
}

/** The words of some products, and apart from them, as there are so many and each is of one product, their part numbers. */
export type Lexicons = { words: Lexicon; numbers: Lexicon }

/** Where a word stands in a product, from the least telling place to the most. */
export const fields = { description: 0, facts: 1, name: 2, partNumber: 3 } as const

export class LexiconBuilder {
  readonly #numbers = new Map<string, number>()
  readonly #wordOf = new Growing((length) => new Uint32Array(length), 65_536)
  readonly #postings = new Growing((length) => new Uint32Array(length), 65_536)
  /** the words of the product that is being added, each with its most telling field */
  readonly #words = new Map<string, number>()

  /** @param tell calls back with each of the product's words, in any order and as often as it likes */
  add(slot: number, tell: (keep: (word: string, field: number) => void) => void): void {
    this.#words.clear()
    tell((word, field) => {
      if (field >= (this.#words.get(word) ?? 0)) this.#words.set(word, field)
    })
    for (const [word, field] of this.#words) {
      let number = this.#numbers.get(word)
      if (number === undefined) {
        number = this.#numbers.size
        this.#numbers.set(word, number)
      }
      this.#wordOf.push(number)
      this.#postings.push(slot * 4 + field)
    }
  }

  async finish(giveWay: () => Promise<void> | undefined): Promise<Lexicon> {
    const unsorted = [...this.#numbers.keys()]
    const order = await sortedPlaces(unsorted, giveWay)
    const rank = new Uint32Array(order.length)
    for (const [place, number] of order.entries()) rank[number] = place
    const words = order.map((number) => unsorted[number] ?? '')
    await giveWay()

    const { length, numbers: wordOf } = this.#wordOf
    const starts = new Uint32Array(words.length + 1)
    const wordAt = (at: number) => rank[wordOf[at] ?? 0] ?? 0
    for (let at = 0; at < length; at++) starts[wordAt(at) + 1] = (starts[wordAt(at) + 1] ?? 0) + 1
    for (let word = 0; word < words.length; word++) starts[word + 1] = (starts[word + 1] ?? 0) + (starts[word] ?? 0)
    await giveWay()
    const next = starts.slice()
    const postings = new Uint32Array(length)
    for (let at = 0; at < length; at++) {
      const place = next[wordAt(at)] ?? 0
      next[wordAt(at)] = place + 1
      postings[place] = this.#postings.numbers[at] ?? 0
    }
    return { words, letters: letterTree(words), plain: plainWords(words), starts, postings }
  }
}

function plainWords(words: string[]): Lexicon['plain'] {
  const places = Uint32Array.from([...words.keys()].filter((place) => !/\d/.test(words[place] ?? '')))
  return { letters: letterTree(Array.from(places, (place) => words[place] ?? '')), places }
}

/** The first word that is not before this one. */
export function placeOf({ words }: Lexicon, word: string): number {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareTexts(words[middle] ?? '', word) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The words that begin so: from the first up to, not with, the second place. */
export const beginningWith = (lexicon: Lexicon, beginning: string): [from: number, to: number] => [
  placeOf(lexicon, beginning),
  placeOf(lexicon, `${beginning}\uffff`),
]
