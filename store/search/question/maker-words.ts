import { questionWords } from '#store/catalogue/definitions/question-words.ts'
import { normalizeText } from '../tokens.ts'
import { phraseKey } from './question-tokens.ts'
import type { Phrase, PhraseOf } from './vocabulary.ts'

/** Adds the makers that products have, and their other names. */
export function addMakers(phrase: PhraseOf, brands: string[]): void {
  for (const brand of brands) if (/\p{L}.*\p{L}/u.test(phraseKey(brand))) phrase(brand).brand = brand
  for (const { words, brand } of questionWords().makers) if (brands.includes(brand)) for (const word of words) phrase(word).brand = brand
}

/** Marks words that judge a measure and are words of a maker's name, too. */
export function markHalvesOfMakers(phrases: Map<string, Phrase>, brands: string[]): void {
  for (const words of brands.map((brand) => normalizeText(brand).match(/\p{L}+/gu) ?? []))
    for (const word of words.length > 1 ? words : []) {
      const phrase = phrases.get(word)
      if (phrase?.values.some(({ min, max }) => min !== undefined || max !== undefined)) phrase.isHalfOfMaker = true
    }
}
