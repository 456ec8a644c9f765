import * as z from 'zod'
import { type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { oneOrManySchema } from '#shared/one-or-many.ts'
import { filterNumberPattern, findExceededQueryLimit, piecesPattern, queryLimits } from '#shared/query-limits.ts'
import { lowStockInMinimumOrders, ProductDetails, stockLevels } from '#store/catalogue/contract.ts'
import { productSortPattern } from '#store/catalogue/product-sort.ts'

/* Product list URLs and the API use the same parameter names: `?q=ddr5&brand=Corsair&spec.capacity_gb.min=32`. */

const { maxValueCharacters: maxQueryCharacters } = queryLimits
/** Each is looked up in the names of all products. */
export const maxExcludedWords = 10

const numberParam = z.string().regex(filterNumberPattern, 'This is no number: write figures, such as 250').transform(Number)
/** The parameters of attributes, which depend on the definitions. */
const attributeParamPattern = /^spec\.([a-zA-Z0-9_]{1,60})(?:\.(min|max|not|unknown|stated))?$/
const emptyAsUndefined = <Schema extends z.ZodType>(schema: Schema) =>
  z // HTML forms submit empty fields
    .union([z.literal('').transform(() => undefined), schema], { error: ({ errors }) => errors?.at(-1)?.[0]?.message })
    .optional()

export const SearchQuery = z
  .object({
    q: z
      .string()
      .max(maxQueryCharacters, `Search with at most ${maxQueryCharacters} characters`)
      .optional()
      .describe(
        'What is looked for: kinds of products, values, numbers with units, prices ("gpu under 320mm"), words in any order, beginnings of words, part numbers in any spelling',
      ),
    'q.not': oneOrManySchema
      .refine((words) => words.length <= maxExcludedWords, `Leave out at most ${maxExcludedWords} words`)
      .optional()
      .describe('What must not stand in the name or part number, as whole words: "ti"; of several words of one value all together'),
    category: z.string().optional(),
    brand: oneOrManySchema.optional(),
    'brand.not': oneOrManySchema.optional().describe('Makers that a product must not be of'),
    'brand.unknown': emptyAsUndefined(z.literal('yes')).describe('yes: also what has no brand; alone, only that'),
    in_stock: emptyAsUndefined(z.literal('yes')),
    lowered: emptyAsUndefined(z.literal('yes')).describe('Only prices that are shown as lowered'),
    stock: emptyAsUndefined(z.enum(stockLevels)).describe(
      `out: less than the smallest order is left; low: less than ${lowStockInMinimumOrders} smallest orders are`,
    ),
    pieces: emptyAsUndefined(
      z.string().regex(piecesPattern, 'This is no number of pieces: write figures, such as 25').transform(Number),
    ).describe('Only what can be ordered in this quantity'),
    'price.min': emptyAsUndefined(numberParam),
    'price.max': emptyAsUndefined(numberParam),
    sort: emptyAsUndefined(z.string().regex(productSortPattern, 'Products cannot be sorted by that')),
    limit: z.coerce.number().int().min(1).max(100).default(24),
    cursor: emptyAsUndefined(z.coerce.number().int().min(0).max(10_000_000)).describe('`next` of the page before'),
    read: emptyAsUndefined(z.enum(['yes', 'no'])).describe('no: search for the words of q as they are, and read no filters from them'),
    facets: emptyAsUndefined(z.enum(['yes', 'no'])).describe('no: leave out the facets'),
    families: emptyAsUndefined(z.enum(['yes', 'no'])).describe(
      'yes: of products that differ by colour or size alone, only the one that fits best; `families` names the others',
    ),
  })
  .catchall(oneOrManySchema)
  .superRefine((query, context) => {
    const params = Object.entries(query).flatMap(([name, values]) =>
      [values ?? []].flat().map((value): [string, string] => [name, `${value}`]),
    )
    const exceeded = findExceededQueryLimit(params)
    if (exceeded) return context.addIssue({ code: 'custom', path: [exceeded.name], message: exceeded.message })
    for (const [name, value] of params) {
      const message = attributeParamError(name, value)
      if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message })
    }
  })
  .describe(
    `Also spec.KEY=VALUE for a choice, spec.KEY.not=VALUE for a choice that a product must not have, spec.KEY.min and spec.KEY.max for a number, spec.KEY.stated=yes for what states it, whatever it is, and spec.KEY.unknown=yes for what does not state it: with a choice or a number it fits besides, alone nothing else does. At most ${queryLimits.maxNames} names, ${queryLimits.maxValuesPerName} values of each and ${queryLimits.maxCharacters} characters`,
  )
export type SearchQuery = z.output<typeof SearchQuery>

/** What is wrong with a parameter of an attribute. Empty values, which forms send, are ignored. */
function attributeParamError(name: string, value: string): string | undefined {
  if (!/^spec\./i.test(name) || value === '') return undefined
  const { bound } = parseAttributeParam(name) ?? {}
  if (bound === undefined) return 'There is no such filter'
  if ((bound === 'min' || bound === 'max') && !filterNumberPattern.test(value)) return 'This is no number: write figures, such as 250'
  return (bound === 'unknown' || bound === 'stated') && value !== 'yes' ? 'Write yes' : undefined
}

/** @param name of a parameter: `spec.KEY`, which says what is chosen, or `spec.KEY.BOUND` */
export function parseAttributeParam(name: string): { key: string; bound: string } | undefined {
  const [, key, bound = 'is'] = name.match(attributeParamPattern) ?? []
  return key === undefined ? undefined : { key, bound }
}

const FacetChoice = z.object({ value: z.string(), label: z.string(), count: z.int() })
const facetFields = {
  key: z.string().describe('the parameter that filters by it'),
  label: z.string(),
  category: z.string().optional().describe('In a search of all categories: counted in this one, which has the most of what was found'),
  unknown: z.int().describe('So many products do not state it: they are found by KEY.unknown=yes'),
}
export const Facet = z.discriminatedUnion('kind', [
  z
    .object({ kind: z.literal('choice'), ...facetFields, choices: z.array(FacetChoice), others: z.int() })
    .describe('`others`: how many choices are left out, those with the fewest products'),
  z
    .object({
      kind: z.literal('number'),
      ...facetFields,
      unit: z.string().optional(),
      better: z.enum(['more', 'less']).optional(),
      least: z.number(),
      most: z.number(),
      histogram: z
        .object({ bounds: z.array(z.number()), counts: z.array(z.int()) })
        .optional()
        .describe('So many products are from each bound up to below the next; absent if all have the same number'),
      common: z.array(z.object({ value: z.number(), count: z.int() })).describe('Numbers that many products have, lowest first'),
      price_per: z
        .string()
        .optional()
        .describe("An amount of the store's currency: the price of a piece divided by the number that its specs have for this key"),
    })
    .describe('`least` and `most`: the lowest and highest number of the products that fit all other filters'),
])
export type Facet = z.infer<typeof Facet>

/** A piece of a question that was read as a filter or an order. Taking off `params` takes it back. */
const UnderstoodPiece = z.object({ label: z.string(), params: z.array(z.object({ name: z.string(), value: z.string() })) })
export type UnderstoodPiece = z.infer<typeof UnderstoodPiece>

/** How the question was taken. */
const QuestionAnswer = z.object({
  unread: z.boolean().describe('true: the search is starting, or taking over a first catalogue, so it searched for the words of q'),
  understood: z.array(UnderstoodPiece).describe('Filters and order that were read from q, as if they had been chosen'),
  left: z.string().describe('What of q was searched for as words'),
  exact: z.boolean().describe('false: nothing is exactly what was asked for, these come near'),
  left_out: z.array(z.string()).describe('Words that nothing has together with the rest; these have the rest'),
  not_excluded: z.array(z.string()).describe('What is not wanted, but is no filter, such as "without power connector": these may have it'),
  not_counted: z.array(z.string()).describe('What a product has, but no filter counts, such as "3 displayports": these may have fewer'),
  either: z
    .boolean()
    .describe('true: several values of one filter were asked for without "or"; products have one of them, and not always all'),
  other_currency: z
    .string()
    .nullable()
    .describe('The word for a currency that is not the store\'s, such as "€": its amount was taken as one of the store\'s'),
  as_words: z.boolean().describe('true: as filters the question finds nothing, so its words were searched for'),
  contradiction: z.boolean().describe('true: the question excludes everything, such as "under 100 mm over 200 mm"'),
  nearest: z
    .array(z.object({ key: z.string(), label: z.string(), count: z.int() }))
    .describe('Where there is no such kind of product: the categories that come nearest'),
})

/** The versions of a shown product in all its colours or sizes, itself among them. */
const Family = z.object({
  of: z.string(),
  members: z.array(z.object({ _id: z.string(), label: z.string(), in_stock: z.boolean() })),
})
export type Family = z.infer<typeof Family>

/** One page of search results. The counts of a facet apply all filters except its own. */
export const SearchResponse = z
  .object({
    total: z.int(),
    rows: z.int().describe('of the whole list: fewer than `total` where families are one row each'),
    tools: z.array(ProductDetails),
    families: z
      .array(Family)
      .describe('with `families=yes`, of the shown products that have other versions; `of` is the id of the shown one'),
    facets: z.array(Facet),
    next: z.string().nullable(),
  })
  .extend(QuestionAnswer.shape)
  .meta({ id: 'Found' })
export type SearchResponse = z.infer<typeof SearchResponse>

/** Suggestions while typing in the search box. */
export const Suggestions = z.object({
  tools: z.array(ProductDetails.pick({ _id: true, name: true, img: true, price: true, brand: true, mpn: true })),
  categories: z.array(FacetChoice),
  shortcuts: z
    .array(UnderstoodPiece.extend({ count: z.int() }))
    .describe('Kinds of products, filters and makers that are meant: what is shown with these parameters'),
})
export type Suggestions = z.infer<typeof Suggestions>

/** A category that has products. */
export const CategorySummary = z
  .object({
    key: z.string().describe('What an address or a call filters by'),
    label: z.string(),
    drawing: z.string().describe('The address of its picture'),
    count: z.int().describe('How many products it has'),
  })
  .meta({ id: 'Category' })
export type CategorySummary = z.infer<typeof CategorySummary>

const tags = ['Catalogue']

export const searchProducts = {
  method: 'GET',
  url: '/search',
  schema: {
    tags,
    summary: 'Products by words, filters and order, with the number of products behind each further filter',
    querystring: SearchQuery,
    response: { 200: SearchResponse, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const listCategories = {
  method: 'GET',
  url: '/categories',
  schema: {
    tags,
    summary:
      'The categories that have products, in the order of their definitions, then the others, those with the most first; none until the search is ready',
    response: { 200: z.array(CategorySummary), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const suggestProducts = {
  method: 'GET',
  url: '/suggestions',
  schema: {
    tags,
    summary: 'A few products and categories for what is being typed',
    querystring: z.object({ q: z.string().max(maxQueryCharacters) }),
    response: { 200: Suggestions, default: ErrorResponse },
  },
} as const satisfies Endpoint
