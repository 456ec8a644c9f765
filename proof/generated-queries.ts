import type { IndexedProduct } from '#store/search/parsed-query.ts'
import { containsAllWords } from './full-scan.ts'
import type { seededRandom } from './seeded-random.ts'
import { normalizePartNumber, normalizeText, tokenize } from './tokens.ts'

export type SeededRandom = ReturnType<typeof seededRandom>

/** What somebody types who looks for a part, and which other parts would be as right. */
export type ExpectedQuery = { q: string; expected: IndexedProduct; isRight(found: IndexedProduct): boolean }

/** A way to write queries from parts. `write` answers undefined where nothing can be written from that part. */
export type QueryRule = {
  description: string
  minPercent: number
  generate(part: IndexedProduct, chance: SeededRandom): ExpectedQuery | undefined
}

/**
 * So many queries of a rule, each from a part picked by chance.
 * @throws when the parts do not give as many
 */
export function generateQueries(rule: QueryRule, parts: IndexedProduct[], count: number, chance: SeededRandom): ExpectedQuery[] {
  const written: ExpectedQuery[] = []
  for (let tried = 0; written.length < count; tried++) {
    if (tried > 100 * count) throw new Error(`Only ${written.length} queries could be written: ${rule.description}`)
    const query = rule.generate(pickRandom(parts, chance), chance)
    if (query) written.push(query)
  }
  return written
}

/** The words of names by how rare they are: in how many names each stands. */
export function countWordFrequencies(parts: IndexedProduct[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { name } of parts) for (const word of new Set(tokenize(name))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/**
 * The rules of which the figures speak. A model word with an edit is often another real one, such as B560M for B650M, or 18TB beside IronWolf:
 * the catalogue of one row for each part has more of them than one that repeats its parts, so 92 % are asked there.
 */
export function queryRules(counts: Map<string, number>): QueryRule[] {
  return [
    { description: 'part numbers mutilated', minPercent: 98, generate: partNumberQuery },
    {
      description: 'three words of the name, the two rarest among them',
      minPercent: 96,
      generate: (part, chance) => nameWordsQuery(part, counts, chance),
    },
    {
      description: 'the same with one edit in a word of five letters or more',
      minPercent: 96,
      generate: (part, chance) => nameWordsQuery(part, counts, chance, { damaged: isLongWord, damage: (word) => applyTypo(word, chance) }),
    },
    {
      description: 'the same with two edits in such a word',
      minPercent: 94,
      generate: (part, chance) =>
        nameWordsQuery(part, counts, chance, { damaged: isLongWord, damage: (word) => applyTwoTypos(word, chance) }),
    },
    {
      description: 'the same with an edit inside a model word',
      minPercent: 92,
      generate: (part, chance) =>
        nameWordsQuery(part, counts, chance, { damaged: isModelWord, damage: (word) => applyModelNumberTypo(word, chance) }),
    },
  ]
}

export const isLongWord = (word: string) => /^\p{L}{5,}$/u.test(word)
export const isModelWord = (word: string) => word.length >= 4 && /\p{L}/u.test(word) && /\d/.test(word)

/** A part number as people spell it: without its dashes, with others, in small letters, its beginning, or with one character wrong. */
function partNumberQuery(part: IndexedProduct, chance: SeededRandom): ExpectedQuery | undefined {
  const number = part.mpn ?? ''
  const meant = normalizePartNumber(number)
  if (meant.length < 5) return
  const ways = [
    () => ({ q: number.replace(/[^\p{L}\p{N}]/gu, ''), meant }),
    () => ({ q: insertSeparators(number.replace(/[^\p{L}\p{N}]/gu, ''), chance), meant }),
    () => ({ q: chance.coin() ? number.toLowerCase() : randomizeCase(number, chance), meant }),
    () => {
      const q = number.slice(0, Math.ceil(number.length * 0.7))
      return { q, meant: normalizePartNumber(q) }
    },
    () => ({ q: substituteCharacter(number, chance), meant }),
  ]
  const written = pickRandom(ways, chance)()
  return { q: written.q, expected: part, isRight: (found) => found === part || matchesPartNumber(found, written.meant) }
}

/** Whether the part number or the sku of a part is or begins with what was meant. */
export const matchesPartNumber = (part: IndexedProduct, meant: string): boolean =>
  [part.mpn ?? '', part.sku].some((one) => normalizePartNumber(one).startsWith(meant))

type TypoOptions = { damaged(word: string): boolean; damage(word: string): string }

/** Three words of the name, the two rarest among them, in any order; of those that can be damaged, one is. */
function nameWordsQuery(
  part: IndexedProduct,
  counts: Map<string, number>,
  chance: SeededRandom,
  wish?: TypoOptions,
): ExpectedQuery | undefined {
  const all = [...new Set(tokenize(part.name))].filter((word) => word.length > 1)
  if (all.length < 3) return
  const [rarest, next, ...others] = all.toSorted((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0))
  if (!rarest || !next) return
  const meant = shuffle([rarest, next, pickRandom(others, chance)], chance)
  const isRight = (found: IndexedProduct) => found === part || containsAllWords(found, meant)
  if (!wish) return { q: meant.join(' '), expected: part, isRight }
  const able = meant.filter(wish.damaged)
  if (able.length === 0) return
  const damaged = pickRandom(able, chance)
  return { q: meant.map((word) => (word === damaged ? wish.damage(word) : word)).join(' '), expected: part, isRight }
}

/** One edit: a letter too many, one missing, one wrong, or two neighbours swapped. */
export function applyTypo(word: string, chance: SeededRandom): string {
  const nth = chance.below(word.length)
  const letter = pickRandom([...'abcdefghijklmnopqrstuvwxyz'], chance)
  const ways = [
    word.slice(0, nth) + letter + word.slice(nth),
    word.slice(0, nth) + word.slice(nth + 1),
    word.slice(0, nth) + letter + word.slice(nth + 1),
    swapAdjacent(word, nth),
  ]
  const edited = pickRandom(ways, chance)
  return edited === word ? applyTypo(word, chance) : edited
}

function applyTwoTypos(word: string, chance: SeededRandom): string {
  const edited = applyTypo(applyTypo(word, chance), chance)
  return edited === word ? applyTwoTypos(word, chance) : edited
}

/** In a model word figures and letters go wrong alike; every fourth time two pairs are swapped, as in b56m0 for b650m. */
export function applyModelNumberTypo(word: string, chance: SeededRandom): string {
  if (chance.below(4) === 0) {
    const both = swapAdjacent(swapAdjacent(word, chance.below(word.length)), chance.below(word.length))
    return both === word ? applyModelNumberTypo(word, chance) : both
  }
  const nth = chance.below(word.length)
  const other = /\d/.test(word.charAt(nth)) ? `${chance.below(10)}` : pickRandom([...'abcdefghijklmnopqrstuvwxyz'], chance)
  const ways = [
    word.slice(0, nth) + other + word.slice(nth),
    word.slice(0, nth) + word.slice(nth + 1),
    word.slice(0, nth) + other + word.slice(nth + 1),
    swapAdjacent(word, nth),
  ]
  const edited = pickRandom(ways, chance)
  return edited === word ? applyModelNumberTypo(word, chance) : edited
}

const swapAdjacent = (word: string, nth: number) => word.slice(0, nth) + word.charAt(nth + 1) + word.charAt(nth) + word.slice(nth + 2)

/** A part number with dashes or spaces at two places where there need be none. */
export function insertSeparators(number: string, chance: SeededRandom): string {
  let text = number
  for (let times = 0; times < 2; times++) {
    const nth = 1 + chance.below(text.length - 1)
    text = text.slice(0, nth) + (chance.coin() ? '-' : ' ') + text.slice(nth)
  }
  return text
}

const randomizeCase = (text: string, { coin }: SeededRandom) =>
  [...text].map((one) => (coin() ? one.toLowerCase() : one.toUpperCase())).join('')

/** One letter or figure for another of its kind. */
export function substituteCharacter(number: string, chance: SeededRandom): string {
  const nth = chance.below(number.length)
  const one = number.charAt(nth)
  if (!/[\p{L}\p{N}]/u.test(one)) return substituteCharacter(number, chance)
  const other = /\d/.test(one) ? `${chance.below(10)}` : pickRandom([...'abcdefghijklmnopqrstuvwxyz'], chance)
  return normalizeText(one) === other ? substituteCharacter(number, chance) : number.slice(0, nth) + other + number.slice(nth + 1)
}

export function shuffle<One>(all: One[], { below }: SeededRandom): One[] {
  const left = [...all]
  return all.flatMap(() => left.splice(below(left.length), 1))
}

export function pickRandom<One>(all: readonly One[], { below }: SeededRandom): One {
  const one = all[below(all.length)]
  if (one === undefined) throw new Error('There is nothing to pick from')
  return one
}
