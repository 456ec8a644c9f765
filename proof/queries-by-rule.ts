import type { Listed } from '#store/catalogue/search/asked.ts'
import type { chance } from './chance.ts'
import { saysAll } from './slow-scan.ts'
import { folded, plain, wordsOf } from './words.ts'

export type Chance = ReturnType<typeof chance>

/** What somebody types who looks for a part, and which other parts would be as right. */
export type Query = { q: string; wanted: Listed; isRight(found: Listed): boolean }

/** A way to write queries from parts. `write` answers undefined where nothing can be written from that part. */
export type Rule = { sentence: string; least: number; write(part: Listed, chance: Chance): Query | undefined }

/**
 * So many queries of a rule, each from a part picked by chance.
 * @throws when the parts do not give as many
 */
export function writeQueries(rule: Rule, parts: Listed[], count: number, chance: Chance): Query[] {
  const written: Query[] = []
  for (let tried = 0; written.length < count; tried++) {
    if (tried > 100 * count) throw new Error(`Only ${written.length} queries could be written: ${rule.sentence}`)
    const query = rule.write(pick(parts, chance), chance)
    if (query) written.push(query)
  }
  return written
}

/** The words of names by how rare they are: in how many names each stands. */
export function countWords(parts: Listed[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { name } of parts) for (const word of new Set(wordsOf(name))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The rules of which the figures speak. */
export function rules(counts: Map<string, number>): Rule[] {
  return [
    { sentence: 'part numbers mutilated', least: 98, write: mutilatedNumber },
    { sentence: 'three words of the name, the two rarest among them', least: 96, write: (part, chance) => words(part, counts, chance) },
    {
      sentence: 'the same with one edit in a word of five letters or more',
      least: 96,
      write: (part, chance) => words(part, counts, chance, { damaged: isLongWord, damage: (word) => edit(word, chance) }),
    },
    {
      sentence: 'the same with two edits in such a word',
      least: 94,
      write: (part, chance) => words(part, counts, chance, { damaged: isLongWord, damage: (word) => twice(word, chance) }),
    },
    {
      sentence: 'the same with an edit inside a model word',
      least: 94,
      write: (part, chance) => words(part, counts, chance, { damaged: isModelWord, damage: (word) => editModel(word, chance) }),
    },
  ]
}

export const isLongWord = (word: string) => /^\p{L}{5,}$/u.test(word)
export const isModelWord = (word: string) => word.length >= 4 && /\p{L}/u.test(word) && /\d/.test(word)

/** A part number as people spell it: without its dashes, with others, in small letters, its beginning, or with one character wrong. */
function mutilatedNumber(part: Listed, chance: Chance): Query | undefined {
  const number = part.mpn ?? ''
  const meant = folded(number)
  if (meant.length < 5) return
  const ways = [
    () => ({ q: number.replace(/[^\p{L}\p{N}]/gu, ''), meant }),
    () => ({ q: separated(number.replace(/[^\p{L}\p{N}]/gu, ''), chance), meant }),
    () => ({ q: chance.coin() ? number.toLowerCase() : otherCase(number, chance), meant }),
    () => {
      const q = number.slice(0, Math.ceil(number.length * 0.7))
      return { q, meant: folded(q) }
    },
    () => ({ q: oneWrong(number, chance), meant }),
  ]
  const written = pick(ways, chance)()
  return { q: written.q, wanted: part, isRight: (found) => found === part || isNumberOf(found, written.meant) }
}

/** Whether the part number or the sku of a part is or begins with what was meant. */
export const isNumberOf = (part: Listed, meant: string): boolean => [part.mpn ?? '', part.sku].some((one) => folded(one).startsWith(meant))

type Damage = { damaged(word: string): boolean; damage(word: string): string }

/** Three words of the name, the two rarest among them, in any order; of those that can be damaged, one is. */
function words(part: Listed, counts: Map<string, number>, chance: Chance, wish?: Damage): Query | undefined {
  const all = [...new Set(wordsOf(part.name))].filter((word) => word.length > 1)
  if (all.length < 3) return
  const [rarest, next, ...others] = all.toSorted((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0))
  if (!rarest || !next) return
  const meant = shuffled([rarest, next, pick(others, chance)], chance)
  const isRight = (found: Listed) => found === part || saysAll(found, meant)
  if (!wish) return { q: meant.join(' '), wanted: part, isRight }
  const able = meant.filter(wish.damaged)
  if (able.length === 0) return
  const damaged = pick(able, chance)
  return { q: meant.map((word) => (word === damaged ? wish.damage(word) : word)).join(' '), wanted: part, isRight }
}

/** One edit: a letter too many, one missing, one wrong, or two neighbours swapped. */
export function edit(word: string, chance: Chance): string {
  const nth = chance.below(word.length)
  const letter = pick([...'abcdefghijklmnopqrstuvwxyz'], chance)
  const ways = [
    word.slice(0, nth) + letter + word.slice(nth),
    word.slice(0, nth) + word.slice(nth + 1),
    word.slice(0, nth) + letter + word.slice(nth + 1),
    swapped(word, nth),
  ]
  const edited = pick(ways, chance)
  return edited === word ? edit(word, chance) : edited
}

function twice(word: string, chance: Chance): string {
  const edited = edit(edit(word, chance), chance)
  return edited === word ? twice(word, chance) : edited
}

/** In a model word figures and letters go wrong alike; every fourth time two pairs are swapped, as in b56m0 for b650m. */
export function editModel(word: string, chance: Chance): string {
  if (chance.below(4) === 0) {
    const both = swapped(swapped(word, chance.below(word.length)), chance.below(word.length))
    return both === word ? editModel(word, chance) : both
  }
  const nth = chance.below(word.length)
  const other = /\d/.test(word.charAt(nth)) ? `${chance.below(10)}` : pick([...'abcdefghijklmnopqrstuvwxyz'], chance)
  const ways = [
    word.slice(0, nth) + other + word.slice(nth),
    word.slice(0, nth) + word.slice(nth + 1),
    word.slice(0, nth) + other + word.slice(nth + 1),
    swapped(word, nth),
  ]
  const edited = pick(ways, chance)
  return edited === word ? editModel(word, chance) : edited
}

const swapped = (word: string, nth: number) => word.slice(0, nth) + word.charAt(nth + 1) + word.charAt(nth) + word.slice(nth + 2)

/** A part number with dashes or spaces at two places where there need be none. */
export function separated(number: string, chance: Chance): string {
  let text = number
  for (let times = 0; times < 2; times++) {
    const nth = 1 + chance.below(text.length - 1)
    text = text.slice(0, nth) + (chance.coin() ? '-' : ' ') + text.slice(nth)
  }
  return text
}

const otherCase = (text: string, { coin }: Chance) => [...text].map((one) => (coin() ? one.toLowerCase() : one.toUpperCase())).join('')

/** One letter or figure for another of its kind. */
export function oneWrong(number: string, chance: Chance): string {
  const nth = chance.below(number.length)
  const one = number.charAt(nth)
  if (!/[\p{L}\p{N}]/u.test(one)) return oneWrong(number, chance)
  const other = /\d/.test(one) ? `${chance.below(10)}` : pick([...'abcdefghijklmnopqrstuvwxyz'], chance)
  return plain(one) === other ? oneWrong(number, chance) : number.slice(0, nth) + other + number.slice(nth + 1)
}

export function shuffled<One>(all: One[], { below }: Chance): One[] {
  const left = [...all]
  return all.flatMap(() => left.splice(below(left.length), 1))
}

export function pick<One>(all: readonly One[], { below }: Chance): One {
  const one = all[below(all.length)]
  if (one === undefined) throw new Error('There is nothing to pick from')
  return one
}
