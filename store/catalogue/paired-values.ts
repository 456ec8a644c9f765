import { type Category, categoryOf, type FitsBy } from './categories.ts'
import { choiceForm } from './choice-spelling.ts'

/*
 * Which values of one category go with which of another, such as the core families of processors with the chipsets of boards: the `pairs` of the
 * definitions, which both categories read.
 */

/** The values of the others that go with those of the product, by the pairs of the rule, or else of the rules the other way round. */
export function pairedValues(own: string[], category: Category, other: Category, fitsBy: FitsBy): string[] {
  const has = new Set(own.map(choiceForm))
  return distinct(
    pairsOf(category, other, fitsBy).filter((pair) => pair.own.some((one) => has.has(choiceForm(one)))),
    'of',
  )
}

/**
 * The values of an attribute that go with all that those of the product go with: a processor replaces another on each of its boards.
 * @returns undefined where nothing is paired with them
 */
export function valuesThatReplace(own: string[], category: Category, key: string): string[] | undefined {
  const pairs = (category.goesWith ?? []).flatMap((rule) => {
    const other = categoryOf(rule.category)
    return other ? rule.fits.filter((one) => one.own === key && one.is === 'paired').flatMap((one) => pairsOf(category, other, one)) : []
  })
  const goWith = (values: string[]): string[] => {
    const has = new Set(values.map(choiceForm))
    return distinct(
      pairs.filter((pair) => pair.own.some((one) => has.has(choiceForm(one)))),
      'of',
    )
  }
  const needed = goWith(own)
  if (needed.length === 0) return undefined
  return distinct(pairs, 'own').filter((value) => {
    const goes = new Set(goWith([value]))
    return needed.every((one) => goes.has(one))
  })
}

type Pair = NonNullable<FitsBy['pairs']>[number]

function pairsOf(category: Category, other: Category, { own, of, pairs }: FitsBy): Pair[] {
  if (pairs) return pairs
  const back = (other.goesWith ?? []).filter((rule) => rule.category === category.key).flatMap(({ fits }) => fits)
  return back
    .filter((one) => one.own === of && one.of === own)
    .flatMap((one) => one.pairs ?? [])
    .map((pair) => ({ own: pair.of, of: pair.own }))
}

const distinct = (pairs: Pair[], side: keyof Pair): string[] => [...new Set(pairs.flatMap((pair) => pair[side]))]
