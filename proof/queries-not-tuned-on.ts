import { categoryOf } from '#store/catalogue/categories.ts'
import type { Listed } from '#store/catalogue/search/asked.ts'
import { type Chance, isLongWord, isModelWord, isNumberOf, pick, type Query, type Rule, separated, shuffled } from './queries-by-rule.ts'
import { saysBeginnings, textOf } from './slow-scan.ts'
import { folded, wordsOf } from './words.ts'

/*
 * Queries by other rules than those that the search was built with: written after it, without a look at it. Whoever changes the search may
 * read their figures and not tune on them.
 */

/** The rules with the least that each has to reach, the same as for those of their kind. */
export function otherRules(counts: Map<string, number>): Rule[] {
  const rarity = (word: string) => counts.get(word) ?? 0
  return [
    { sentence: 'part numbers in other spellings, or with the brand', least: 98, write: otherNumber },
    {
      sentence: 'words from anywhere in the name, the last half typed, units apart, with the category',
      least: 96,
      write: otherWords(rarity),
    },
    {
      sentence: 'four words of the name, a slip of the finger in one of five letters or more',
      least: 96,
      write: slipped(rarity, isLongWord, slip),
    },
    {
      sentence: 'the same with two slips in such a word',
      least: 94,
      write: slipped(rarity, isLongWord, (word, chance) => slip(slip(word, chance), chance)),
    },
    { sentence: 'the same with a slip inside a model word', least: 94, write: slipped(rarity, isModelWord, slip) },
  ]
}

/** Other separators, two neighbours swapped, one missing, one twice, o for 0, only its first groups, or with the brand before it. */
function otherNumber(part: Listed, chance: Chance): Query | undefined {
  const number = part.mpn ?? ''
  const meant = folded(number)
  if (meant.length < 6) return
  const nth = 1 + chance.below(number.length - 2)
  const groups = number.split(/[-\s]/)
  const first = groups.slice(0, -1).join('-')
  const ways = [
    { q: number.replace(/[-\s]/g, pick(['/', '.', '_', ' - '], chance)), meant },
    { q: number.slice(0, nth) + number.charAt(nth + 1) + number.charAt(nth) + number.slice(nth + 2), meant },
    { q: number.slice(0, nth) + number.slice(nth + 1), meant },
    { q: number.slice(0, nth) + number.charAt(nth) + number.slice(nth), meant },
    { q: /0/.test(number) ? number.replace('0', 'O') : number.replace(/o/i, '0'), meant },
    { q: `${part.brand ?? ''} ${chance.coin() ? number : number.replace(/[-\s]/g, '').toLowerCase()}`, meant },
    { q: `${part.brand ?? ''} ${separated(number, chance)}`, meant },
    { q: first, meant: folded(first) },
  ].filter((way) => way.meant.length >= 5)
  const written = pick(ways, chance)
  return { q: written.q, wanted: part, isRight: (found) => found === part || isNumberOf(found, written.meant) }
}

/** The rarest word of the name and two others, wherever they stand, in one of four ways to say them. */
const otherWords =
  (rarity: (word: string) => number) =>
  (part: Listed, chance: Chance): Query | undefined => {
    const names = wordsOf(part.name).filter((word, nth, all) => word.length > 1 && all.indexOf(word) === nth)
    const [rarest, ...others] = names.toSorted((one, other) => rarity(one) - rarity(other))
    if (rarest === undefined || others.length < 2) return
    const [one = '', two = ''] = shuffled(others, chance)
    const means = (said: string[]) => (found: Listed) => found === part || saysBeginnings(withUnits(textOf(found)), said)
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
        const word = pick(called, chance)
        return { q: shuffled([word, rarest, one], chance).join(' '), isRight: means([word, rarest, one]) }
      },
      () => {
        const written = part.name.split(/\s+/).filter((word) => wordsOf(word).length > 0)
        const three = [0, 1, 2].map(() => pick(written, chance))
        const said = three.join(' ')
        return new Set(three).size === 3 ? { q: said, isRight: means(wordsOf(said)) } : undefined
      },
    ]
    const written = pick(ways, chance)()
    return written && { ...written, wanted: part }
  }

/** The words of a text, and each measure also as one word where its number and its unit stand apart. */
const withUnits = (words: string[]) => [...words, ...words.map((word, nth) => (/^\d+$/.test(word) ? word + (words[nth + 1] ?? '') : word))]

/** The rarest word of the name and three others, one of the four damaged. */
const slipped =
  (rarity: (word: string) => number, able: (word: string) => boolean, damage: (word: string, chance: Chance) => string) =>
  (part: Listed, chance: Chance): Query | undefined => {
    const names = [...new Set(wordsOf(part.name))].filter((word) => word.length > 1)
    const [rarest, ...others] = names.toSorted((one, other) => rarity(one) - rarity(other))
    if (rarest === undefined || others.length < 3) return
    const meant = shuffled([rarest, ...shuffled(others, chance).slice(0, 3)], chance)
    const candidates = meant.filter(able)
    if (candidates.length === 0) return
    const damaged = pick(candidates, chance)
    const wrong = damage(damaged, chance)
    if (wrong === damaged) return
    const isRight = (found: Listed) => found === part || saysBeginnings(textOf(found), meant)
    return { q: meant.map((word) => (word === damaged ? wrong : word)).join(' '), wanted: part, isRight }
  }

const keys = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** What fingers do: the key beside, a key twice, one not pressed, two in the wrong order. Words mostly begin right. */
function slip(word: string, chance: Chance): string {
  const nth = chance.below(8) === 0 ? 0 : 1 + chance.below(word.length - 1)
  const letter = word.charAt(nth)
  const line = keys.find((one) => one.includes(letter)) ?? letter
  const beside = line.charAt(line.indexOf(letter) + (chance.coin() ? 1 : -1)) || letter
  const [before, after] = [word.slice(0, nth), word.slice(nth + 1)]
  const ways = [
    before + beside + after,
    before + letter + letter + after,
    before + after,
    before + after.charAt(0) + letter + after.slice(1),
  ]
  const slips = pick(ways, chance)
  return slips === word ? slip(word, chance) : slips
}
