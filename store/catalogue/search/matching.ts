import { foldPartNumber, partedWord, wordsAsked } from './fold.ts'
import { beginningWith, fields, type Lexicon, type Lexicons, placeOf } from './lexicon.ts'
import { mistakesIn, mistypedWords, trusts } from './spelling.ts'

/** A stretch of postings that a word of the question may mean, and how sure that is. */
type Stretch = { postings: Uint32Array; from: number; to: number; sureness: number }
/** All that one word may mean; a product has to carry one of it. */
type Meaning = Stretch[]
/** How many were matched, and whether by the words as they stand. */
type Found = { count: number; isSure: boolean }

const sureness = { whole: 1, beginning: 0.7, mistaken: [0, 0.45, 0.3], mistakenBeginning: [0, 0.35, 0.2] } as const
/** What a word counts in each field, from the description to the part number. */
const weights = Float64Array.of(1, 2, 4, 5)
/** Whoever asks for a part by its number gets it first, before whatever carries the words. */
const partNumberBonus = { whole: 1000, beginning: 500, mistaken: 250 }

const mostWords = 16
const mostMistaken = 1500
const longestRun = 6
/** With so many products found nothing less likely is tried. */
const enough = 10

/**
 * Finds the products that carry all words of a question, whole or as the beginning of a word, and scores each. What is not found so is
 * tried, in this order: with a word parted or neighbours put together, with a mistake in a word that nobody knows, with more and more
 * mistakes in any, until a handful is found.
 */
export class Matcher {
  #words: Lexicon[] = []
  #numbers: Lexicon[] = []
  #alive: Uint8Array = new Uint8Array()
  /** the score of each slot that was matched last */
  scores = new Float64Array()
  #reached = new Uint32Array()
  #lastWeight = new Float64Array()
  #stamp = 0
  #matched = new Uint32Array()

  /** @param alive by slot: those that have left the shelf are not found */
  over(lexicons: Lexicons[], alive: Uint8Array): this {
    this.#words = lexicons.map(({ words }) => words)
    this.#numbers = lexicons.map(({ numbers }) => numbers)
    this.#alive = alive
    if (this.scores.length < alive.length) {
      this.scores = new Float64Array(alive.length)
      this.#reached = new Uint32Array(alive.length)
      this.#lastWeight = new Float64Array(alive.length)
      this.#matched = new Uint32Array(alive.length)
      this.#stamp = 0
    }
    return this
  }

  /** @returns the slots that match, good until the next question; `scores` has the score of each */
  find(text: string): Uint32Array {
    const words = wordsAsked(text).slice(0, mostWords)
    const count = this.#withPartNumber(foldPartNumber(text), this.#byWords(words))
    return this.#matched.subarray(0, count)
  }

  #byWords(words: string[]): Found {
    const known = words.map((word) => this.#known(word))
    const asTheyStand = this.#all(known)
    if (asTheyStand > 0) return { count: asTheyStand, isSure: true }
    for (const meanings of this.#otherWays(words, known)) {
      const count = this.#all(meanings)
      if (count > 0) return { count, isSure: false }
    }
    return { count: this.#doubting(words, known), isSure: false }
  }

  /** With more and more mistakes: first in the words that nobody knows, and only where that finds nothing in every word. */
  #doubting(words: string[], known: Meaning[]): number {
    const mistaken = words.map((word) => this.#mistakenBy(word))
    const unknown = known.map(isEmpty)
    const all = known.map(() => true)
    for (const doubted of unknown.includes(true) ? [unknown, all] : [all]) {
      let count = 0
      let before: number[] = []
      for (const trust of trusts) {
        const believed = words.map((word, at) => (doubted[at] ? mistakesIn(word, trust) : 0))
        if (believed.every((mistakes, at) => mistakes === before[at])) continue
        before = believed
        count = this.#all(known.map((meaning, at) => (doubted[at] ? [...meaning, ...(mistaken[at]?.(believed[at] ?? 0) ?? [])] : meaning)))
        if (count >= enough) break
      }
      if (count > 0) return count
    }
    return 0
  }

  /** What somebody may have meant with up to so many mistakes in a word; looked up once for each number. */
  #mistakenBy(word: string): (believed: number) => Meaning {
    const looked: Meaning[] = []
    return (believed) => (looked[believed] ??= this.#mistaken(this.#words, word, believed))
  }

  /** What a word means to who knows how to spell. */
  #known(word: string): Meaning {
    return [...this.#words, ...this.#numbers].flatMap((lexicon) => {
      const [from, to] = beginningWith(lexicon, word)
      const meaning: Meaning = []
      const isWhole = lexicon.words[from] === word
      if (isWhole) meaning.push(stretch(lexicon, from, from + 1, sureness.whole))
      if (to > from + (isWhole ? 1 : 0)) meaning.push(stretch(lexicon, from + (isWhole ? 1 : 0), to, sureness.beginning))
      return meaning
    })
  }

  /** The question with a word taken apart ("rtx4070"), and with neighbours as one ("nh d15"). */
  *#otherWays(words: string[], known: Meaning[]): Generator<Meaning[]> {
    const parted = words.map((word, at) => (known[at]?.length ? undefined : partedWord(word)?.map((part) => this.#known(part))))
    if (parted.some((parts) => parts)) yield known.flatMap((meaning, at) => parted[at] ?? [meaning])
    for (let length = Math.min(longestRun, words.length); length > 1; length--)
      for (let at = 0; at + length <= words.length; at++) {
        const run = this.#known(words.slice(at, at + length).join(''))
        if (run.length > 0) yield known.toSpliced(at, length, run)
      }
  }

  /** Words that somebody may have meant who made up to so many mistakes. */
  #mistaken(lexicons: Lexicon[], word: string, believed: number): Meaning {
    if (believed === 0) return []
    const found: { lexicon: Lexicon; place: number; mistakes: number; sureness: number }[] = []
    const add = (lexicon: Lexicon, place: number, whole: number, beginning: number) => {
      if (whole > 0 && whole <= believed) found.push({ lexicon, place, mistakes: whole, sureness: sureness.mistaken[whole] ?? 0 })
      else if (whole > believed && beginning > 0)
        found.push({ lexicon, place, mistakes: beginning + 0.5, sureness: sureness.mistakenBeginning[beginning] ?? 0 })
    }
    const isLong = word.length >= 5
    if (!/\d/.test(word))
      for (const lexicon of lexicons)
        mistypedWords(lexicon.plain.letters, word, believed, isLong, (place, whole, beginning) =>
          add(lexicon, lexicon.plain.places[place] ?? 0, whole, beginning),
        )
    if (found.length === 0)
      for (const lexicon of lexicons) mistypedWords(lexicon.letters, word, believed, isLong, (...mistyped) => add(lexicon, ...mistyped))
    if (found.length > mostMistaken) found.sort((one, other) => one.mistakes - other.mistakes)
    return found.slice(0, mostMistaken).map(({ lexicon, place, sureness }) => stretch(lexicon, place, place + 1, sureness))
  }

  /** Products that carry something of each meaning; the rarest first, so that few are left for the others. */
  #all(meanings: Meaning[]): number {
    if (meanings.length === 0 || meanings.some((meaning) => meaning.length === 0)) return 0
    const inTurn = meanings.toSorted((one, other) => sizeOf(one) - sizeOf(other))
    const start = this.#newStamps(meanings.length + 1)
    const last = meanings.length - 1
    let count = 0
    for (const [turn, meaning] of inTurn.entries()) {
      const asked = turn === 0 ? 0 : start + turn - 1
      const reached = start + turn
      count = 0
      for (const { postings, from, to, sureness } of meaning)
        for (let at = from; at < to; at++) {
          const posting = postings[at] ?? 0
          const slot = posting >>> 2
          const stamp = this.#reached[slot] ?? 0
          const weight = (weights[posting & 3] ?? 0) * sureness
          if (stamp === reached) {
            const before = this.#lastWeight[slot] ?? 0
            if (weight > before) {
              this.#lastWeight[slot] = weight
              this.scores[slot] = (this.scores[slot] ?? 0) + weight - before
            }
          } else if (turn === 0 ? this.#alive[slot] === 1 : stamp === asked) {
            this.#reached[slot] = reached
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

  /** Adds those whose part number, or its beginning, the whole question is; where nobody knows it, also with a mistake in it. */
  #withPartNumber(joined: string, { count: found, isSure }: Found): number {
    if (joined.length < 4 || !/\d/.test(joined)) return found
    let count = found
    const stamp = this.#newStamps(2)
    for (let at = 0; at < found; at++) this.#reached[this.#matched[at] ?? 0] = stamp
    const add = ({ postings, from, to }: Stretch, bonus: number) => {
      for (let at = from; at < to; at++) {
        const posting = postings[at] ?? 0
        const slot = posting >>> 2
        if ((posting & 3) !== fields.partNumber || this.#alive[slot] !== 1) continue
        if (this.#reached[slot] === stamp + 1) continue
        if (this.#reached[slot] !== stamp) {
          this.#matched[count++] = slot
          this.scores[slot] = 0
        }
        this.#reached[slot] = stamp + 1
        this.scores[slot] = (this.scores[slot] ?? 0) + bonus
      }
    }
    for (const lexicon of this.#numbers) {
      const place = placeOf(lexicon, joined)
      if (lexicon.words[place] === joined) add(stretch(lexicon, place, place + 1, 1), partNumberBonus.whole)
    }
    for (const lexicon of this.#numbers) {
      const [from, to] = beginningWith(lexicon, joined)
      if (to > from) add(stretch(lexicon, from, to, 1), partNumberBonus.beginning)
    }
    if (!isSure && count === found && joined.length > 4)
      for (const meant of this.#mistaken(this.#numbers, joined, 1)) add(meant, partNumberBonus.mistaken)
    return count
  }

  /** So many numbers that stand nowhere yet. */
  #newStamps(many: number): number {
    if (this.#stamp + many > 0xffff_fff0) {
      this.#reached.fill(0)
      this.#stamp = 0
    }
    const first = this.#stamp + 1
    this.#stamp += many
    return first
  }
}

const stretch = ({ starts, postings }: Lexicon, fromWord: number, toWord: number, sureness: number): Stretch => ({
  postings,
  from: starts[fromWord] ?? 0,
  to: starts[toWord] ?? 0,
  sureness,
})

const isEmpty = (meaning: Meaning): boolean => meaning.length === 0
const size = ({ from, to }: Stretch): number => to - from
const sizeOf = (meaning: Meaning): number => meaning.reduce((sum, one) => sum + size(one), 0)
