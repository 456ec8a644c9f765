import * as z from 'zod'
import known from '#content/categories.json' with { type: 'json' }
import { choiceForm } from './choice-spelling.ts'
import { ChoiceText, Figure, GoesWith, ReplacedBy } from './fitting-rules.ts'

/** A word of a unit, as it is compared: without capitals. */
export const UnitWord = z
  .string()
  .min(1)
  .max(40)
  .regex(/^[^\p{Lu}]+$/u, 'Write units without capitals')
export const UnitFactor = z.number().min(1e-9).max(1e9)

/** A word of a question, or a few words in a row. */
const Word = z
  .string()
  .max(100)
  .regex(/[\p{L}\p{N}]/u, 'Write letters or digits')
const Words = z.array(Word).max(100)
const Numbers = z.array(Figure).max(100)

/** A record of at most so many entries. */
export const limitedRecord = <Key extends z.ZodString, Value extends z.ZodType>(key: Key, value: Value, most: number) =>
  z.record(key, value).refine((record) => Object.keys(record).length <= most, `At most ${most} entries are possible here`)

/** The name of a file in `public/drawings`. */
const Drawing = z.string().regex(/^[a-z0-9-]{1,60}$/, 'A drawing is called by small letters, digits and dashes, at most 60')

/** Words of a question that mean some values of an attribute; values that no product has mean nothing. */
export const ValueWords = z.strictObject({
  words: Words.min(1),
  /** these choices */
  is: z.array(ChoiceText).max(200).optional(),
  /** every choice that begins with this text */
  begins: ChoiceText.optional(),
  /** every choice that has these words in a row */
  contains: ChoiceText.optional(),
  /** every choice but "No" and "None" */
  any: z.literal(true).optional(),
  /** numbers within these bounds, both included */
  min: Figure.optional(),
  max: Figure.optional(),
  /** also sorts by the attribute, lowest first */
  sort: z.literal('asc').optional(),
  /** names the category, where the question does not */
  decides: z.literal(true).optional(),
  /** words of names that say the value, whatever the attribute says: what must not have it must not have them in its name */
  inNames: Words.min(1).max(4).optional(),
})
export type ValueWords = z.infer<typeof ValueWords>

/** How questions ask for an attribute (store/search/question). An attribute without it is not read from questions. */
const AskedAttribute = z.strictObject({
  /** words of units with the factor to the unit of the attribute, besides those of its unit in the words of questions */
  units: limitedRecord(UnitWord, UnitFactor, 100).optional(),
  /** what a number without a comparison means; without this, exactly this number */
  plain: z.enum(['min', 'max']).optional(),
  /** how far a product's number may be from the number asked for */
  tolerance: Figure.min(0).optional(),
  /** a number without a unit means this attribute if it is within these bounds */
  bare: z.array(Figure).length(2).optional(),
  /** the numbers that there are; any other means another attribute */
  oneOf: Numbers.optional(),
  /** words that stand before its number: "cl 30" */
  before: Words.optional(),
  /** words beside a number that tell this attribute from others with the same unit */
  near: Words.optional(),
  /** a number means this attribute only beside one of the words in `near` */
  onlyNear: z.literal(true).optional(),
  /** the number of a piece in "2x16gb"; the value is the key of the attribute with the number of pieces */
  perPieceOf: z.string().optional(),
  values: z.array(ValueWords).max(200).optional(),
  /** a list of values in the words of questions */
  sharedValues: z.string().optional(),
  /** each value that products have stands for itself in a question */
  named: z.literal(true).optional(),
  /** words that questions leave out of such a value */
  withoutWords: z
    .array(
      z
        .string()
        .max(40)
        .regex(/^[\p{L}\p{N} ]+$/u),
    )
    .max(50)
    .optional(),
  /** questions leave out a size at the end of such a value: "8 GB" */
  withoutSize: z.literal(true).optional(),
  /** the value that says that a product has none of it */
  none: z.string().optional(),
  /** names the category, where the question does not */
  decides: z.literal(true).optional(),
  /** units that name the category, where the question does not */
  decidesUnits: Words.optional(),
  /** its values from the worst to the best, for "or higher", where `replacedBy` does not rank them */
  worstFirst: Words.optional(),
  /** what "or better" means of its numbers, where it is not compared as better or worse: a memory's latency is by its kind */
  better: z.enum(['more', 'less']).optional(),
  /** words that ask for the products with the lowest or highest number first */
  lowest: Words.optional(),
  highest: Words.optional(),
})

/** Names of a category in questions, besides its label and `words`. */
const KindWords = z.strictObject({
  words: Words.min(1),
  /** what the name says besides the category: "ssd" is a drive of this type */
  filters: z
    .array(z.strictObject({ key: z.string(), is: z.array(ChoiceText).max(200).optional(), contains: ChoiceText.optional() }))
    .max(10)
    .optional(),
  /** names the category only if nothing else does */
  weak: z.literal(true).optional(),
  /** stays a word to search for, and names the category if nothing else does */
  hint: z.literal(true).optional(),
})

/** An attribute of the products of a category. A key of `specs` that no category defines is displayed as it is and cannot be filtered. */
export const AttributeDefinition = z.strictObject({
  /** key in `specs` */
  key: z.string().regex(/^[a-z0-9_]{1,60}$/i),
  label: z.string().min(1).max(100),
  kind: z.enum(['number', 'choice', 'yes/no', 'text']),
  unit: z.string().max(40).optional(),
  better: z.enum(['more', 'less']).optional(),
  /** whether it is a facet */
  filter: z.boolean(),
  /** products say how many they have of each: `{ "hdmi_2_1": 1 }` or "2 x HDMI, 1 x VGA". Each of the names is a choice */
  counted: z.literal(true).optional(),
  /** the attribute whose number counts for a product that does not state this one: makers give one noise, or the least and the most */
  orElse: z.string().max(60).optional(),
  /** a number that no product states: the price of one piece divided by the number with this key */
  derived: z.strictObject({ price_per: z.string() }).optional(),
  asked: AskedAttribute.optional(),
  /** other spellings of its values in import files, by the value as it is kept; case, spaces and punctuation need no spelling of their own */
  spellings: limitedRecord(z.string().min(1).max(200), z.array(z.string().min(1).max(200)).max(100), 5000).optional(),
  /** what stands between the items of a list in import files, besides "|" */
  separator: z.string().min(1).max(5).optional(),
  /** what it is about, such as "Size": the product page shows the attributes of a group together */
  group: z.string().min(1).max(40).optional(),
})
export type AttributeDefinition = z.infer<typeof AttributeDefinition>

/** Its length is checked in small letters, of which some capitals are two: it is stored so, and checked again whenever it is read. */
const KindName = z.string().toLowerCase().max(100)

export const Category = z.strictObject({
  key: z.string().min(1).max(100),
  label: z.string().min(1).max(100),
  /** category names in import files that map to this category */
  aliases: z.array(z.string().max(100)).max(100),
  /** search synonyms */
  words: z.array(Word).max(500),
  kinds: z.array(KindWords).max(100).optional(),
  /** image of products without one of their own: `/drawings/{drawing}.svg` */
  drawing: Drawing,
  /** images of products of some kinds, by `kind` in `specs` in small letters, and of those of any other or no kind, if that is not `drawing` */
  kindDrawings: z.strictObject({ kinds: limitedRecord(KindName, Drawing, 500), other: Drawing.optional() }).optional(),
  /** grams of a piece with its packing, of products whose own weight is not known */
  weightG: z.int().min(1).max(1_000_000).optional(),
  /** how parts of one line are told apart, besides by colours; false where the same name in another colour is another part */
  family: z
    .union([
      z.literal(false),
      z.strictObject({
        /** words of names that do not count, besides those of colours */
        words: z.array(Word).max(500).optional(),
        /** filters in which the members may differ, besides colours */
        differsIn: z.array(z.string()).max(50).optional(),
      }),
    ])
    .optional(),
  replacedBy: ReplacedBy.optional(),
  goesWith: z.array(GoesWith).max(10).optional(),
  attributes: z.array(AttributeDefinition).max(300),
})
export type Category = z.infer<typeof Category>

let categories: readonly Category[] = z.array(Category).parse(known)
let categoriesByKey = indexByKey(categories)
let keysByForm = indexByForm(categories)
let categoriesByWord = indexByWord(categories)

function indexByKey(all: readonly Category[]) {
  return new Map(all.flatMap((category) => [category.key, ...category.aliases].map((key) => [key, category] as const)))
}

/** By the forms of the names under which admins know it. No two categories share one. */
function indexByForm(all: readonly Category[]) {
  return new Map(all.flatMap(({ key, label, aliases }) => [key, label, ...aliases].map((name) => [choiceForm(name), key] as const)))
}

/** By the forms of the words for its parts, of which another category may have the same. */
function indexByWord(all: readonly Category[]) {
  const wordsOf = ({ words, kinds = [] }: Category) => [...words, ...kinds.filter(({ hint }) => !hint).flatMap((kind) => kind.words)]
  return new Map(all.toReversed().flatMap((category) => wordsOf(category).map((word) => [choiceForm(word), category] as const)))
}

/** The categories of this process: those of `content/categories.json` until `createDefinitionsReader` has read those of the database. */
export const allCategories = (): readonly Category[] => categories

/** Replaces the categories of this process. Only for `setDefinitions`. */
export function setCategories(all: readonly Category[]): void {
  categories = all
  categoriesByKey = indexByKey(all)
  keysByForm = indexByForm(all)
  categoriesByWord = indexByWord(all)
}

/** The category with this key or alias. */
export const categoryOf = (key: string | null): Category | undefined => (key === null ? undefined : categoriesByKey.get(key))

/** The key of the category with this key, alias or label, in whatever spelling; any other text stays as it is, and is a new category. */
export const toCategoryKey = (typed: string): string => categoryOf(typed)?.key ?? keysByForm.get(choiceForm(typed)) ?? typed

/** The category whose parts are called so: "ssd" are drives. */
export const categoryOfWord = (word: string): Category | undefined => categoriesByWord.get(choiceForm(word))

/** Replaces an imported category alias by the key of the category. */
export const resolveCategoryAlias = <P extends { category: string | null }>(product: P): P => ({
  ...product,
  category: categoryOf(product.category)?.key ?? product.category,
})

/** The drawing of a category, with a default for undefined categories. */
export const categoryDrawingUrl = (key: string): string => `/drawings/${categoryOf(key)?.drawing ?? 'part'}.svg`

/** The drawing of the products of a category that are of this kind, which is '' if it is not known. */
export function kindDrawingUrl(key: string, kind: string): string {
  const { kinds = {}, other } = categoryOf(key)?.kindDrawings ?? {}
  const name = kind.trim().toLowerCase()
  const drawing = Object.hasOwn(kinds, name) ? kinds[name] : other
  return drawing === undefined ? categoryDrawingUrl(key) : `/drawings/${drawing}.svg`
}
