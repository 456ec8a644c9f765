import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { queryLimits } from '#shared/query-limits.ts'
import { type AttributeDefinition, Category } from '../categories.ts'
import { choiceForm, foldBrand } from '../choice-spelling.ts'
import { type FitsBy, groupPairs, type Pairs, pairsTheOtherWay } from '../fitting-rules.ts'
import { findExcess } from './definitions-size.ts'
import { QuestionWords } from './question-words.ts'

/* What the catalogue knows of kinds of products: categories, their attributes, units, synonyms, and how values are spelled. */

/**
 * As a row of the database holds it. An earlier version of the store may have written it, which knew less of contradictions: these are no reason
 * not to use it.
 */
export const StoredDefinitions = z.strictObject({ categories: z.array(Category).min(1).max(500), questionWords: QuestionWords })

/** As it is exported and imported. */
export const Definitions = StoredDefinitions.superRefine((definitions, { addIssue }) => {
  for (const message of [...findExcess(definitions), ...findContradictions(definitions)]) addIssue(message)
})
export type Definitions = z.infer<typeof Definitions>

/** What names something that is not there, or one thing twice. */
function findContradictions({ categories, questionWords }: Pick<Definitions, 'categories' | 'questionWords'>): string[] {
  const keys = new Set(categories.map(({ key }) => key))
  return [
    ...twice(categories.flatMap(({ key, aliases }) => [key, ...aliases])).map((key) => `Two categories are called "${key}"`),
    ...findSharedNames(categories),
    ...findNamesThatSayNothing(categories, questionWords),
    ...findNamesOfTwoMakers(questionWords.makers),
    ...Object.entries(questionWords.values).flatMap(([name, values]) =>
      values.some(hasReversedBounds) ? [`the values "${name}" have bounds of which the lower one is above the upper one`] : [],
    ),
    ...questionWords.notSold
      .flatMap(({ nearest }) => nearest)
      .filter((key) => !keys.has(key))
      .map((key) => `"notSold" names the category "${key}", which is not there`),
    ...categories.flatMap((category) =>
      [...findCategoryContradictions(category, questionWords), ...findFittingContradictions(category, categories)].map(
        (what) => `${category.key}: ${what}`,
      ),
    ),
  ]
}

const hasReversedBounds = ({ min = -Infinity, max = Infinity }: { min?: number | undefined; max?: number | undefined }) => min > max

/** Of one maker there may be several entries. */
function findNamesOfTwoMakers(makers: QuestionWords['makers']): string[] {
  const words = Map.groupBy(makers, ({ brand }) => foldBrand(brand))
  return twice([...words].flatMap(([brand, same]) => [...new Set([brand, ...same.flatMap((one) => one.words.map(foldBrand))])])).map(
    (form) => `"${form}" is a name of two makers`,
  )
}

/** By the form that all spellings of a name have. A kind that names the category only if nothing else does may be a name of another. */
const namesOf = ({ key, label, aliases, words, kinds = [] }: Category) => {
  const kindWords = kinds.flatMap((kind) => (kind.weak || kind.hint ? [] : kind.words))
  return new Map([key, label, ...aliases, ...words, ...kindWords].map((name) => [choiceForm(name), name]))
}

/** One category would take the questions for the other. */
function findSharedNames(categories: Category[]): string[] {
  const firsts = new Map<string, Category>()
  return categories.flatMap((category) =>
    [...namesOf(category)].flatMap(([form, name]) => {
      const first = firsts.get(form)
      if (!first) firsts.set(form, category)
      return first && first.key !== category.key ? [`"${name}" is a name of both ${first.key} and ${category.key}`] : []
    }),
  )
}

function findNamesThatSayNothing(categories: Category[], { fillers, prepositions, without, max, min }: QuestionWords): string[] {
  const empty = new Set(['', ...[fillers, prepositions, without, max, min].flat().map(choiceForm)])
  return categories.flatMap((category) =>
    [...namesOf(category)].flatMap(([form, name]) =>
      empty.has(form) ? [`${category.key}: "${name}" is a word of any question and names nothing`] : [],
    ),
  )
}

function findCategoryContradictions({ attributes, kinds = [], family }: Category, questionWords: QuestionWords): string[] {
  const keys = new Set(attributes.map(({ key }) => key))
  const missing = (names: string[]) => names.filter((name) => !keys.has(name)).map((name) => `there is no attribute "${name}"`)
  return [
    ...twice(attributes.map(({ key }) => key.toLowerCase())).map((key) => `two attributes are called "${key}"`),
    ...attributes.flatMap(findSpellingContradictions),
    ...missing(family ? (family.differsIn ?? []) : []),
    ...missing(kinds.flatMap(({ filters = [] }) => filters.map(({ key }) => key))),
    ...missing(attributes.flatMap(({ asked, derived }) => [asked?.perPieceOf ?? [], derived?.price_per ?? []].flat())),
    ...attributes.flatMap(({ key, kind, better, filter, asked, spellings, derived, counted, separator }) => [
      ...([...(asked?.values ?? []), { min: asked?.bare?.[0], max: asked?.bare?.[1] }].some(hasReversedBounds)
        ? [`"${key}" has bounds of which the lower one is above the upper one`]
        : []),
      ...(separator !== undefined && Object.keys(spellings ?? {}).some((value) => value.includes(separator))
        ? [`a value of "${key}" has the separator "${separator}", at which it would be cut`]
        : []),
      ...(derived && kind !== 'number' ? [`"${key}" is no number and cannot follow from the price`] : []),
      ...(counted && kind !== 'choice' ? [`"${key}" is no choice and cannot be counted`] : []),
      ...(asked?.worstFirst && kind === 'number' ? [`"${key}" is a number and needs no "worstFirst"`] : []),
      ...((better ?? asked?.better) && kind !== 'number' ? [`"${key}" is no number and cannot be better or worse`] : []),
      ...(filter && kind === 'text' ? [`"${key}" is a text and cannot be a filter`] : []),
      ...(spellings && kind === 'number' ? [`"${key}" is a number and has no spellings`] : []),
      ...(asked?.sharedValues !== undefined && !Object.hasOwn(questionWords.values, asked.sharedValues)
        ? [`"${key}" names the values "${asked.sharedValues}", which are not there`]
        : []),
    ]),
  ]
}

/** What "replacedBy" and "goesWith" name that is not there: products are found by filters alone. */
function findFittingContradictions(
  { key, attributes, replacedBy = { same: [] }, goesWith = [] }: Category,
  categories: Category[],
): string[] {
  const {
    same,
    mustState = [],
    atLeast = [],
    atMost = [],
    atLeastShare = [],
    asGood = [],
    fitting = [],
    some = [],
    betterIn = [],
  } = replacedBy
  const missing = (names: string[], of: AttributeDefinition[]) =>
    names.filter((name) => !of.some(({ key }) => key === name)).map((name) => `there is no attribute "${name}"`)
  const noFilters = (names: string[], of: AttributeDefinition[], where = '') =>
    names.filter((name) => !of.some(({ key, filter }) => key === name && filter)).map((name) => `there is no filter "${name}"${where}`)
  return [
    ...noFilters(
      [...same, ...mustState, ...atLeast, ...atMost, ...[...atLeastShare, ...asGood].map(({ key }) => key), ...some, ...betterIn],
      attributes,
    ),
    ...fitting
      .filter((other) => !goesWith.some((rule) => rule.category === other))
      .map((other) => `"fitting" names the category "${other}", and no rule of "goesWith" does`),
    ...betterIn
      .filter((name) => attributes.some(({ key, better }) => key === name && !better))
      .map((name) => `"${name}" is neither better nor worse, and nothing is better in it`),
    ...goesWith.flatMap(({ category: other, when = [], fits, filters = [], atLeast = [], shownFirst }) => {
      const others = categories.find(({ key }) => key === other)
      if (!others) return [`"goesWith" names the category "${other}", which is not there`]
      return [
        ...missing([...when.map(({ key }) => key), ...fits.map(({ own }) => own)], attributes),
        ...noFilters(
          [...fits.map(({ of }) => of), ...[...filters, ...atLeast, ...(shownFirst ? [shownFirst] : [])].map(({ key }) => key)],
          others.attributes,
          ` in ${other}`,
        ),
        ...fits.flatMap((one) => unusableFields(one).map((field) => `"${one.own}" is compared by "${one.is}", which has no "${field}"`)),
        ...fits
          .filter((one) => one.is === 'paired' && !one.pairs && pairsTheOtherWay(others.goesWith, key, one).length === 0)
          .map(({ own, of }) => `there are no pairs of "${own}" with "${of}" of ${other}`),
        ...fits.flatMap(({ own, of, pairs = [] }) =>
          valuesPairedWithTooMany(pairs).map(
            (value) => `"${value}" of "${own}" or "${of}" is paired with more than ${queryLimits.maxValuesPerName} values`,
          ),
        ),
      ]
    }),
  ]
}

/** Fields of a comparison that mean nothing for its way to compare. */
function unusableFields(one: FitsBy): string[] {
  const ofNumbers = ['times', 'plus', 'roundTo', 'nearest'] as const
  const unusable = {
    same: [...ofNumbers, 'pairs'],
    paired: ofNumbers,
    atLeast: ['first', 'pairs'],
    atMost: ['first', 'pairs', 'roundTo'],
  } as const
  return unusable[one.is].filter((field) => one[field])
}

/** More than an address can ask for. */
const valuesPairedWithTooMany = (pairs: Pairs): string[] =>
  [groupPairs(pairs, 'own', 'of'), groupPairs(pairs, 'of', 'own')].flatMap((grouped) =>
    [...grouped].flatMap(([form, values]) => (values.size > queryLimits.maxValuesPerName ? [form] : [])),
  )

function twice(names: string[]): string[] {
  const seen = new Set<string>()
  return [...new Set(names.filter((name) => seen.size === seen.add(name).size))]
}

/** Spellings that are nothing but signs, or that two values share, the values themselves among them. */
function findSpellingContradictions({ key, spellings = {} }: AttributeDefinition): string[] {
  const all = Object.entries(spellings).flatMap(([value, others]) => [...new Set([value, ...others].map(choiceForm))])
  return [
    ...(all.includes('') ? [`a spelling of "${key}" has neither letters nor digits`] : []),
    ...twice(all).map((form) => `two values of "${key}" have the spelling "${form}"`),
  ]
}

const DefinitionsChange = z.object({
  category: z.string().nullable().describe('null: words that belong to no category'),
  attribute: z.string().nullable(),
  change: z.enum(['added', 'removed', 'changed']),
  fields: z.array(z.string()).describe('of what is changed'),
  products: z.int().describe('products of the category, or of it with a value of the attribute'),
})
export type DefinitionsChange = z.infer<typeof DefinitionsChange>

const MendedValue = z.object({
  field: z.string(),
  category: z.string().nullable(),
  before: z.string(),
  after: z.string(),
  products: z.int(),
})
export type MendedValue = z.infer<typeof MendedValue>

export const maxReportedMends = 200

/** What a change of the definitions does. */
export const DefinitionsReport = z.object({
  revision: z.int().describe('the one that is in use now'),
  changes: z.array(DefinitionsChange),
  mends: z.array(MendedValue).describe(`values that are spelled otherwise from now on, the ${maxReportedMends} most frequent`),
  mendedProducts: z.int(),
})
export type DefinitionsReport = z.infer<typeof DefinitionsReport>

/** Several times what a store with hundreds of categories has. */
export const maxDefinitionsBytes = 4 * 1024 * 1024

export const DefinitionsFile = z.object({
  revision: z.int().min(0).describe('the revision that is in use and replaced: another one since then is not overwritten'),
  definitions: Definitions,
})
export type DefinitionsFile = z.infer<typeof DefinitionsFile>

const tags = ['Catalogue']

export const showDefinitions = {
  method: 'GET',
  url: '/catalogue-definitions',
  schema: {
    tags,
    summary: 'The categories, attributes, units and words of the catalogue',
    description: 'The answer can be changed and sent back.',
    security: bearerAuth,
    querystring: z.object({
      revision: z.coerce.number().int().min(1).max(2_147_483_647).optional().describe('an earlier one, to bring back by sending it'),
    }),
    response: { 200: DefinitionsFile, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const replaceDefinitions = {
  method: 'PUT',
  url: '/catalogue-definitions',
  schema: {
    tags,
    summary: 'Replace the categories, attributes, units and words of the catalogue',
    description:
      'They are used at once. Values of products that are spelled otherwise now are mended in the background; the history of each product says what it was. With `dry_run=yes` nothing is changed.',
    security: bearerAuth,
    querystring: z.object({ dry_run: z.enum(['yes', 'no']).default('no') }),
    body: DefinitionsFile,
    response: { 200: DefinitionsReport, default: ErrorResponse },
  },
} as const satisfies Endpoint
