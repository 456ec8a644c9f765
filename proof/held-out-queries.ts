import { categoryOf } from '#store/catalogue/categories.ts'
import type { IndexedProduct } from '#store/search/parsed-query.ts'
import { matchesAllPrefixes, searchableTokens } from './full-scan.ts'
import {
  type ExpectedQuery,
  insertSeparators,
  isLongWord,
  isModelWord,
  matchesPartNumber,
  pickRandom,
  type QueryRule,
  type SeededRandom,
  shuffle,
} from './generated-queries.ts'
import { normalizePartNumber, tokenize } from './tokens.ts'

/*
 * Queries by other rules than those that the search was built with: written after it, without a look at it. Whoever changes the search may
 * read their figures and not tune on them.
 */

/** The rules with the least that each has to reach, the same as for those of their kind (`queryRules`). */
export function heldOutQueryRules(counts: Map<string, number>): QueryRule[] {
  const rarity = (word: string) => counts.get(word) ?? 0
  return [
    { description: 'part numbers in other spellings, or with the brand', minPercent: 98, generate: heldOutPartNumberQuery },
    {
      description: 'words from anywhere in the name, the last half typed, units apart, with the category',
      minPercent: 96,
      generate: heldOutNameWordsQuery(rarity),
    },
    {
      description: 'four words of the name, a slip of the finger in one of five letters or more',
      minPercent: 96,
      generate: nameWordsQueryWithTypo(rarity, isLongWord, applyKeyboardTypo),
    },
    {
      description: 'the same with two slips in such a word',
      minPercent: 94,
      generate: nameWordsQueryWithTypo(rarity, isLongWord, (word, chance) => applyKeyboardTypo(applyKeyboardTypo(word, chance), chance)),
    },
    {
      description: 'the same with a slip inside a model word',
      minPercent: 92,
      generate: nameWordsQueryWithTypo(rarity, isModelWord, applyKeyboardTypo),
    },
  ]
}

/** Other separators, two neighbours swapped, one missing, one twice, o for 0, only its first groups, or with the brand before it. */
function heldOutPartNumberQuery(part: IndexedProduct, chance: SeededRandom): ExpectedQuery | undefined {
  const number = part.mpn ?? ''
  const meant = normalizePartNumber(number)
  if (meant.length < 6) return
  const nth = 1 + chance.below(number.length - 2)
  const groups = number.split(/[-\s]/)
  const first = groups.slice(0, -1).join('-')
  const ways = [
    { q: number.replace(/[-\s]/g, pickRandom(['/', '.', '_', ' - '], chance)), meant },
    { q: number.slice(0, nth) + number.charAt(nth + 1) + number.charAt(nth) + number.slice(nth + 2), meant },
    { q: number.slice(0, nth) + number.slice(nth + 1), meant },
    { q: number.slice(0, nth) + number.charAt(nth) + number.slice(nth), meant },
    { q: /0/.test(number) ? number.replace('0', 'O') : number.replace(/o/i, '0'), meant },
    { q: `${part.brand ?? ''} ${chance.coin() ? number : number.replace(/[-\s]/g, '').toLowerCase()}`, meant },
    { q: `${part.brand ?? ''} ${insertSeparators(number, chance)}`, meant },
    { q: first, meant: normalizePartNumber(first) },
  ].filter((way) => way.meant.length >= 5)
  const written = pickRandom(ways, chance)
  return { q: written.q, expected: part, isRight: (found) => found === part || matchesPartNumber(found, written.meant) }
}

/** The rarest word of the name and two others, wherever they stand, in one of four ways to say them. */
const heldOutNameWordsQuery =
  (rarity: (word: string) => number) =>
  (part: IndexedProduct, chance: SeededRandom): ExpectedQuery | undefined => {
    const names = tokenize(part.name).filter((word, nth, all) => word.length > 1 && all.indexOf(word) === nth)
    const [rarest, ...others] = names.toSorted((one, other) => rarity(one) - rarity(other))
    if (rarest === undefined || others.length < 2) return
    const [one = '', two = ''] = shuffle(others, chance)
    const means = (said: string[]) => (found: IndexedProduct) =>
      found === part || matchesAllPrefixes(withUnits(searchableTokens(found)), said)
    const ways = [
      () => {
        const last = /^\p{L}{4,}$/u.test(two) ? two.slice(0, 3 + chance.below(two.length - 3)) : two
        return { q: [rarest, one, last].join(' '), isRight: means([rarest, one, last]) }
      },
      () => {
        const measure = names.find((word) => /^\d+(gb|tb|w|mm|hz|mb)$/.test(word))
        if (measure === undefined) return
        const apart = measure.replace(/(\d)([a-z])/, '$1 $2')
        return { q: [apart, ...[rarest, one].filter((word) => word !== measure)].join(' '), isRight: means([measure, rarest, one]) }
      },
      () => {
        const called = (categoryOf(part.category)?.words ?? []).filter((word) => !word.includes(' '))
        if (called.length === 0) return
        const word = pickRandom(called, chance)
        return { q: shuffle([word, rarest, one], chance).join(' '), isRight: means([word, rarest, one]) }
      },
      () => {
        const written = part.name.split(/\s+/).filter((word) => tokenize(word).length > 0)
        const three = [0, 1, 2].map(() => pickRandom(written, chance))
        const said = three.join(' ')
        return new Set(three).size === 3 ? { q: said, isRight: means(tokenize(said)) } : undefined
      },
    ]
    const written = pickRandom(ways, chance)()
    return written && { ...written, expected: part }
  }

/** The words of a text, and each measure also as one word where its number and its unit stand apart. */
const withUnits = (words: string[]) => [...words, ...words.map((word, nth) => (/^\d+$/.test(word) ? word + (words[nth + 1] ?? '') : word))]

/** The rarest word of the name and three others, one of the four damaged. */
const nameWordsQueryWithTypo =
  (rarity: (word: string) => number, able: (word: string) => boolean, damage: (word: string, chance: SeededRandom) => string) =>
  (part: IndexedProduct, chance: SeededRandom): ExpectedQuery | undefined => {
    const names = [...new Set(tokenize(part.name))].filter((word) => word.length > 1)
    const [rarest, ...others] = names.toSorted((one, other) => rarity(one) - rarity(other))
    if (rarest === undefined || others.length < 3) return
    const meant = shuffle([rarest, ...shuffle(others, chance).slice(0, 3)], chance)
    const candidates = meant.filter(able)
    if (candidates.length === 0) return
    const damaged = pickRandom(candidates, chance)
    const wrong = damage(damaged, chance)
    if (wrong === damaged) return
    const isRight = (found: IndexedProduct) => found === part || matchesAllPrefixes(searchableTokens(found), meant)
    return { q: meant.map((word) => (word === damaged ? wrong : word)).join(' '), expected: part, isRight }
  }

const keyboardRows = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** What fingers do: the key beside, a key twice, one not pressed, two in the wrong order. Words mostly begin right. */
function applyKeyboardTypo(word: string, chance: SeededRandom): string {
  const nth = chance.below(8) === 0 ? 0 : 1 + chance.below(word.length - 1)
  const letter = word.charAt(nth)
  const line = keyboardRows.find((one) => one.includes(letter)) ?? letter
  const beside = line.charAt(line.indexOf(letter) + (chance.coin() ? 1 : -1)) || letter
  const [before, after] = [word.slice(0, nth), word.slice(nth + 1)]
  const ways = [
    before + beside + after,
    before + letter + letter + after,
    before + after,
    before + after.charAt(0) + letter + after.slice(1),
  ]
  const slips = pickRandom(ways, chance)
  return slips === word ? applyKeyboardTypo(word, chance) : slips
}
