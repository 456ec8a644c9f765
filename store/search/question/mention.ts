import type { AskedNumber } from './asked-number.ts'
import type { GradeComparison } from './grades.ts'
import { comparisonRoles, type Phrase } from './vocabulary.ts'

/** A piece of a question with all that it can mean: tokens from `from` up to `to`. */
export type Mention = {
  from: number
  to: number
  phrase?: Phrase
  number?: AskedNumber
  isNegated: boolean
  /** what the product must not be for: "not for intel" */
  isFor?: boolean
  /** what follows behind "or" is not wanted either, whatever it is: "no rgb or glass" */
  deniesAll?: boolean
  /** what must not stand in names: "ti" of "not ti" */
  notInNames?: string
  /** not the value itself, but what the definitions rank above or below it */
  grade?: GradeComparison
}

/** "g" of "logitech g pro" is a unit alone. */
export const isMoreThanUnit = ({ values, kinds, brand, roles, sorts, nearest }: Phrase): boolean =>
  values.length + kinds.length + sorts.length + roles.size > 0 || (brand ?? nearest) !== undefined

/** Whether both are makers, or both values of one attribute. */
export const isOfSameSort = (one: Phrase, other: Phrase): boolean =>
  other.brand !== undefined
    ? one.brand !== undefined
    : one.values.some(({ category, key }) => other.values.some((value) => value.category === category && value.key === key))

/** Whether some product can have a value that both mean. */
export const meansTheSame = (one: Phrase, other: Phrase): boolean =>
  one.values.some(({ category, key, values }) =>
    other.values.some((value) => value.category === category && value.key === key && value.values?.some((same) => values?.includes(same))),
  )

/** Whether a search for the words of the question would miss what the mention says. */
export const saysMoreThanWords = ({ number, phrase, isNegated }: Mention): boolean =>
  isNegated || !!number?.comparison || !!number?.isMoney || !!number?.isQuantity || !!phrase?.roles.has('inStock') || !!phrase?.sorts.length

/** "or better" behind what has no better. */
export const isComparisonOfNothing = ({ from, to, phrase, number }: Mention): boolean =>
  !!phrase &&
  !number &&
  to > from + 1 &&
  comparisonRoles.some((role) => phrase.roles.has(role)) &&
  phrase.values.length + phrase.kinds.length === 0

/** "red" behind "not wd" in "drive not wd red": a colour is part of a name where it is no filter. */
export const isRestOfName = (
  next: Mention,
  { to, phrase }: Mention,
  { category, isLine }: { category: string | undefined; isLine(maker: string, next: Mention): boolean },
): boolean =>
  phrase?.brand !== undefined &&
  next.from === to &&
  !next.isNegated &&
  !!next.phrase?.values.length &&
  next.phrase.values.every((value) => value.category !== category) &&
  isLine(phrase.brand, next)

/** "fans" of "case without rgb fans" */
export const isKindOfRefused = ({ from, isNegated, phrase }: Mention, before: Mention | undefined): boolean =>
  !isNegated && !!before?.isNegated && before.to === from && !!phrase?.kinds.length
