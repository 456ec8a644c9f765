import { categoryOf } from '#store/catalogue/categories.ts'
import type { Listed } from '#store/catalogue/search/asked.ts'
import { chance } from '../proof/chance.ts'
import { type Chance, countWords, edit, editModel, isLongWord, isModelWord, oneWrong, pick, shuffled } from '../proof/queries-by-rule.ts'
import { wordsOf } from '../proof/words.ts'

/**
 * 200 questions as visitors ask them, written by rule from the parts, the same every time: 40 each with common words, rare words, a typo, a
 * part number and three facets at once. Each is what follows `?` in an address.
 */
export function realQueries(parts: Listed[]): string[] {
  const dice = chance(200)
  const counts = countWords(parts)
  const byCount = [...counts].filter(([word]) => word.length > 2).sort(([, one], [, other]) => other - one)
  const common = byCount.slice(0, 100).map(([word]) => word)
  const kinds = [
    () => ({
      q: shuffled(common, dice)
        .slice(0, 1 + dice.below(2))
        .join(' '),
    }),
    () => {
      const words = byRarity(pick(parts, dice), counts)
      return words.length > 1 && { q: words.slice(0, 2).join(' ') }
    },
    () => {
      const words = byRarity(pick(parts, dice), counts).slice(0, 3)
      const nth = words.findIndex((word) => isLongWord(word) || isModelWord(word))
      const word = words[nth]
      return word !== undefined && { q: words.with(nth, isLongWord(word) ? edit(word, dice) : editModel(word, dice)).join(' ') }
    },
    () => {
      const { mpn } = pick(parts, dice)
      return mpn !== null && mpn.length > 4 && { q: aNumber(mpn, dice) }
    },
    () => threeFacets(pick(parts, dice), common, dice),
  ]
  const written = kinds.flatMap((write) => Array.from({ length: 40 }, () => new URLSearchParams(untilWritten(write)).toString()))
  return shuffled(written, dice)
}

type Fields = Record<string, string>

function untilWritten(write: () => Fields | false | undefined): Fields {
  for (;;) {
    const fields = write()
    if (fields) return fields
  }
}

const byRarity = ({ name }: Listed, counts: Map<string, number>) =>
  [...new Set(wordsOf(name))].filter((word) => word.length > 1).sort((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0))

const aNumber = (mpn: string, dice: Chance) =>
  pick(
    [
      () => mpn,
      () => mpn.toLowerCase(),
      () => mpn.replace(/[-\s]/g, ''),
      () => mpn.slice(0, Math.ceil(mpn.length * 0.7)),
      () => oneWrong(mpn, dice),
    ],
    dice,
  )()

/** A category and three filters that fit one part at least, half of them with a word as well. */
function threeFacets(part: Listed, common: string[], dice: Chance): Fields | undefined {
  const filters: Fields[] = [{ in_stock: 'yes' }, { 'price.max': `${part.price + 50}` }]
  if (part.brand !== null) filters.push({ brand: part.brand })
  for (const { key, kind, filter } of categoryOf(part.category)?.attributes ?? []) {
    const value = [part.specs[key]].flat()[0]
    if (!filter) continue
    if (kind === 'number' && typeof value === 'number') filters.push({ [`spec.${key}.${pick(['min', 'max'], dice)}`]: `${value}` })
    if (kind === 'choice' && typeof value === 'string') filters.push({ [`spec.${key}`]: value })
  }
  if (part.category === null || filters.length < 4) return
  const word = wordsOf(part.name).find((one) => common.includes(one))
  return Object.assign(
    { category: categoryOf(part.category)?.key ?? part.category },
    ...shuffled(filters, dice).slice(0, 3),
    dice.coin() && word !== undefined && { q: word },
    dice.coin() && { sort: pick(['price', '-price', 'newest', 'name'], dice) },
  )
}
