import * as z from 'zod'
import { queryLimits } from '#shared/query-limits.ts'
import { choiceForm } from './choice-spelling.ts'

/* What the definition of a category says of its products beside others: which can replace them, and what of other categories goes with them. */

export const ChoiceText = z.string().max(200)
/** A number of an attribute; no filter asks for more. */
export const Figure = z.number().min(-1e12).max(1e12)

const keys = z.array(z.string()).max(10)

/**
 * What can be bought instead of a product of the category. What the product does not state asks nothing, but for the first of `same`; what it
 * states and another does not, the other lacks.
 */
export const ReplacedBy = z.strictObject({
  /** a replacement has the same, and of a list all that the product has */
  same: keys.min(1),
  /** a product that does not state these has no replacements either */
  mustState: keys.optional(),
  /** a replacement has at least as much, and of what is counted at least as many of each */
  atLeast: keys.optional(),
  /** a replacement has at most as much: it fits in the same place */
  atMost: keys.optional(),
  /** a replacement has at least this share of it: a cooler of a third of the height does not cool as much */
  atLeastShare: z
    .array(z.strictObject({ key: z.string(), share: z.number().gt(0).lt(1) }))
    .max(10)
    .optional(),
  /** choices from the worst to the best: a replacement has one that is as good. With "Yes" alone it has what the product has */
  asGood: z
    .array(z.strictObject({ key: z.string(), worstFirst: z.array(ChoiceText).min(1).max(20) }))
    .max(10)
    .optional(),
  /**
   * categories by whose rule in `goesWith` a replacement goes with all that the product goes with: a processor with the same chipsets. A product
   * of which that is not known has no replacements
   */
  fitting: keys.optional(),
  /** a replacement has one, whichever: integrated graphics of any name */
  some: keys.optional(),
  /** numbers by which a dearer one is better, those that decide first */
  betterIn: keys.optional(),
})
export type ReplacedBy = z.infer<typeof ReplacedBy>

/** As many as an address may hold of one filter. */
const Choices = z.array(ChoiceText).min(1).max(queryLimits.maxValuesPerName)

/** Some of these values, or, of `isNot`, none of them; or whether the product states it at all. */
const ValuesOf = z.union([
  z.strictObject({ key: z.string(), is: Choices }),
  z.strictObject({ key: z.string(), isNot: Choices }),
  z.strictObject({ key: z.string(), isStated: z.boolean() }),
])

const FitsBy = z.strictObject({
  own: z.string(),
  is: z.enum(['same', 'paired', 'atLeast', 'atMost']),
  of: z.string(),
  /**
   * of "paired": values of the product with those of the others that go with them, such as processors with chipsets of the same socket. Without
   * it those of the rules by which the others go with the product
   */
  pairs: z
    .array(z.strictObject({ own: Choices, of: Choices }))
    .min(1)
    .max(100)
    .optional(),
  /**
   * of "atLeast" and "atMost": the number of the product is multiplied by this, and `plus` is added; of "atLeast" the sum is rounded up to a
   * multiple of `roundTo`: a power supply has power for the card and for the rest of a computer
   */
  times: z.number().min(1e-6).max(1e6).optional(),
  plus: z.number().min(-1e9).max(1e9).optional(),
  roundTo: z.number().min(1e-6).max(1e9).optional(),
  /** of "atLeast" and "atMost": those with the nearest number are shown first */
  nearest: z.literal(true).optional(),
  /** of "same" and "paired": values in the order in which those that have them are shown */
  first: z.array(ChoiceText).min(1).max(20).optional(),
})

export type FitsBy = z.infer<typeof FitsBy>

/** Products of another category that are used with one of this. Of several rules for one category the first that applies counts. */
export const GoesWith = z.strictObject({
  category: z.string(),
  /** only a product that has these values goes with them; what it does not state is none of those that it must not have */
  when: z
    .array(z.union([ValuesOf, z.strictObject({ key: z.string(), atMost: Figure })]))
    .max(5)
    .optional(),
  /** an attribute of the product, how one of the others compares with it, and that of the others. Each has to be known of both */
  fits: z.array(FitsBy).max(5),
  /** values that the others have besides */
  filters: z.array(ValuesOf).max(5).optional(),
  /** numbers of which the others have at least so many */
  atLeast: z
    .array(z.strictObject({ key: z.string(), number: Figure }))
    .max(5)
    .optional(),
  /** values of others that are shown first */
  shownFirst: z.strictObject({ key: z.string(), is: Choices }).optional(),
  /** what a customer has to know besides, such as "some need a newer BIOS first" */
  note: z.string().min(1).max(100).optional(),
})
export type GoesWith = z.infer<typeof GoesWith>

export type Pairs = NonNullable<FitsBy['pairs']>
/** By a value of the one side, in the form that all its spellings have, the values of the other that go with it. */
export type PairedValues = Map<string, Set<string>>

export function groupPairs(pairs: Pairs, from: 'own' | 'of', to: 'own' | 'of'): PairedValues {
  const grouped: PairedValues = new Map()
  for (const pair of pairs)
    for (const form of new Set(pair[from].map(choiceForm))) {
      const values = grouped.get(form) ?? new Set()
      for (const value of pair[to]) values.add(value)
      grouped.set(form, values)
    }
  return grouped
}

/** The pairs of another category's rules for this one that compare the same two attributes. */
export const pairsTheOtherWay = (rules: GoesWith[] | undefined, category: string, { own, of }: FitsBy): Pairs[] =>
  (rules ?? [])
    .flatMap((rule) => (rule.category === category ? rule.fits : []))
    .flatMap((one) => (one.own === of && one.of === own && one.pairs ? [one.pairs] : []))
