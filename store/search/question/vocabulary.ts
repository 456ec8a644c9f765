import { storeCurrency } from '#shared/currency.ts'
import { type AttributeDefinition, allCategories, type Category } from '#store/catalogue/categories.ts'
import { choiceForm, isNone } from '#store/catalogue/choice-spelling.ts'
import { questionWords } from '#store/catalogue/definitions/question-words.ts'
import { normalizeText } from '../tokens.ts'
import { type ChoiceFinder, createChoiceFinder } from './choice-words.ts'
import { type Grades, gradesOf, rankChoices } from './grades.ts'
import { addMakers, markHalvesOfMakers } from './maker-words.ts'
import { collectNamingWords, type NamingWords } from './naming-words.ts'
import { phraseKey, questionTokens } from './question-tokens.ts'

/** What products have: the vocabulary has no meaning that no product fits. */
export type KnownValues = {
  brands: string[]
  /** the distinct values of an attribute */
  choices(category: string, key: string): string[]
  /** whether any product of the category has a number for the attribute */
  hasNumbers(category: string, key: string): boolean
  /** whether the distinct numbers of the attribute are whole, but for one: a mistake in one product is no reason to include 8 in "less than 8" */
  areWhole(category: string, key: string): boolean
}

/** A condition on an attribute of a category. */
export type Condition = {
  key: string
  /** a product has one of these */
  values?: string[]
  /** a product has none of these */
  not?: string[]
  min?: number
  max?: number
  /** a product states it, whatever it says; false: it does not */
  isStated?: boolean
}
export type ValueMeaning = Condition & {
  category: string
  none?: string
  decides: boolean
  sort?: string
  /** names that say one of these words say the value */
  inNames?: string[]
  /** where the definitions rank the values */
  grades?: Grades
}
type KindMeaning = { category: string; conditions: Condition[]; isWeak: boolean; isHint: boolean }
export type NumberMeaning = {
  category: string
  attribute: AttributeDefinition
  factor: number
  decides: boolean
  /** products have whole numbers of it alone: GB, cores, but not versions */
  isWhole: boolean
}
export const comparisonRoles = ['max', 'min', 'around', 'between', 'orMore', 'orLess', 'better', 'orBetter', 'worse'] as const
const limitRoles = ['exclusive', 'strict', 'year', 'inYear', 'onwards'] as const
const furtherRoles = ['without', 'inStock', 'pieces', 'total', 'budget', 'fits', 'stocked'] as const
const grammarRoles = [...comparisonRoles, ...limitRoles, ...furtherRoles] as const
export type Role = (typeof grammarRoles)[number] | 'to' | 'preposition' | 'filler' | 'currency'

/** All that a phrase can mean; the category decides between the meanings. */
export type Phrase = {
  roles: Set<Role>
  kinds: KindMeaning[]
  values: ValueMeaning[]
  numberUnits: NumberMeaning[]
  numberPrefixes: NumberMeaning[]
  sorts: { category: string | undefined; sort: string }[]
  brand: string | undefined
  /** it judges a measure, and is a word of a maker's name, too: "quiet" of "be quiet!" */
  isHalfOfMaker?: true
  nearest: string[] | undefined
}

export type Vocabulary = {
  phrases: Map<string, Phrase>
  /** attributes that a number without a unit can mean, by category */
  bareNumbers: Map<string, NumberMeaning[]>
  /** categories and keys of attributes of which products have whole numbers: "cpu cores" */
  wholeNumbers: Set<string>
  /** phrases that tell what a number measures: "length", "tdp" */
  measureWords: Map<string, Set<string>>
  /** numbers of three digits and more in the values that name products of a category: 550 of "Radeon RX 550" */
  namingNumbers: Map<string, Set<string>>
  /** words of the names of categories and makers, for typing errors */
  namingWords: NamingWords
  /** every word that is part of a phrase */
  words: Set<string>
}

/** What is read of the products, and how words are compared with it. */
type Known = KnownValues & ChoiceFinder

/** Most tokens of a phrase. */
export const maxPhraseTokens = 6

export function buildVocabulary(values: KnownValues): Vocabulary {
  const known: Known = { ...values, ...createChoiceFinder(), choices: rememberChoices(values) }
  const phrases = new Map<string, Phrase>()
  const words = new Set<string>()
  const namingWords = new Set<string>()
  const phrase = (text: string): Phrase => {
    const key = phraseKey(text)
    let found = phrases.get(key)
    if (!found) {
      found = {
        roles: new Set(),
        kinds: [],
        values: [],
        numberUnits: [],
        numberPrefixes: [],
        sorts: [],
        brand: undefined,
        nearest: undefined,
      }
      phrases.set(key, found)
      for (const token of questionTokens(text)) words.add(token.text)
    }
    return found
  }
  addGrammar(phrase)
  addMakers(phrase, known.brands)
  const bareNumbers = new Map<string, NumberMeaning[]>()
  const wholeNumbers = new Set<string>()
  const measureWords = new Map<string, Set<string>>()
  const namingNumbers = new Map<string, Set<string>>()
  for (const category of allCategories()) {
    for (const name of addKinds(phrase, category, known)) namingWords.add(name)
    for (const attribute of category.attributes) {
      if (!attribute.asked) continue
      if (attribute.kind === 'number') {
        if (!known.hasNumbers(category.key, attribute.key)) continue
        for (const word of attribute.asked.near ?? [])
          measureWords.set(phraseKey(word), new Set([...(measureWords.get(phraseKey(word)) ?? []), category.key]))
        const isWhole = known.areWhole(category.key, attribute.key)
        if (isWhole) wholeNumbers.add(`${category.key} ${attribute.key}`)
        const bare = addNumberWords(phrase, category, attribute, isWhole)
        if (bare) bareNumbers.set(category.key, [...(bareNumbers.get(category.key) ?? []), bare])
      }
      addValues(phrase, category, attribute, known)
      if (!attribute.asked.named) continue
      const numbers = known.choices(category.key, attribute.key).flatMap((choice) => choice.match(/\b\d{3,}\b/g) ?? [])
      namingNumbers.set(category.key, new Set([...(namingNumbers.get(category.key) ?? []), ...numbers]))
    }
  }
  for (const brand of known.brands) namingWords.add(normalizeText(brand))
  markHalvesOfMakers(phrases, known.brands)
  return { phrases, bareNumbers, wholeNumbers, measureWords, namingNumbers, namingWords: collectNamingWords(namingWords), words }
}

/** Each attribute is asked for its choices once for each of its words. */
function rememberChoices({ choices }: KnownValues): KnownValues['choices'] {
  const found = new Map<string, string[]>()
  return (category, key) => {
    const name = JSON.stringify([category, key])
    const all = found.get(name) ?? choices(category, key)
    found.set(name, all)
    return all
  }
}

export type PhraseOf = (text: string) => Phrase

function addGrammar(phrase: PhraseOf): void {
  const roles: [Role, string[]][] = [
    ...grammarRoles.map((role): [Role, string[]] => [role, questionWords()[role]]),
    ['to', questionWords().to.filter((word) => phraseKey(word) !== '')],
    ['preposition', questionWords().prepositions],
    ['filler', questionWords().fillers],
    ['currency', [...questionWords().currencies, storeCurrency().code]],
  ]
  for (const [role, words] of roles) for (const word of words) phrase(word).roles.add(role)
  for (const { words, sort } of questionWords().sorts) for (const word of words) phrase(word).sorts.push({ category: undefined, sort })
  for (const { words, nearest } of questionWords().notSold) for (const word of words) phrase(word).nearest = nearest
}

/** @returns the words of its names */
function addKinds(phrase: PhraseOf, { key, label, words, kinds = [], attributes }: Category, known: Known): string[] {
  const own = new Set(kinds.flatMap((kind) => kind.words.map(phraseKey)))
  const plain = [label, key.replaceAll('-', ' '), ...words].filter((word) => !own.has(phraseKey(word)))
  const named: string[] = []
  const add = (word: string, meaning: KindMeaning) => {
    for (const name of pluralAndSingular(word)) {
      const { kinds: meanings } = phrase(name)
      if (name !== word && (own.has(phraseKey(name)) || meanings.length > 0)) continue
      if (meanings.every(({ category }) => category !== key)) meanings.push(meaning)
    }
    if (meaning.isWeak) return
    const parts = normalizeText(word).split(/[\s-]+/)
    named.push(...parts, ...(parts.length > 1 ? [parts.join('')] : []))
  }
  for (const { words: names, filters = [], weak, hint } of kinds) {
    const choices = filters.map((filter) => known.choices(key, filter.key))
    const meant = filters.map((filter, at) => {
      const attribute = attributes.find((one) => one.key === filter.key)
      return { key: filter.key, values: attribute ? known.findMeant(attribute, choices[at] ?? [], filter) : [] }
    })
    const conditions = meant.filter(({ values }) => values.length > 0)
    // where no product states it, it may be of any
    const isSold = meant.every(({ values }, at) => values.length > 0 || choices[at]?.length === 0)
    for (const word of names)
      if (isSold) add(word, { category: key, conditions, isWeak: !!weak, isHint: !!hint })
      else for (const name of pluralAndSingular(word)) phrase(name).nearest ??= [key]
  }
  for (const word of plain) add(word, { category: key, conditions: [], isWeak: false, isHint: false })
  return named
}

const pluralAndSingular = (word: string): string[] => (/s$/.test(word) ? [word, word.replace(/s$/, '')] : [word, `${word}s`])

/** @returns what a number without a unit means */
function addNumberWords(
  phrase: PhraseOf,
  { key: category }: Category,
  attribute: AttributeDefinition,
  isWhole: boolean,
): NumberMeaning | undefined {
  const { asked, unit, key } = attribute
  if (!asked) return undefined
  const units = { ...(unit ? questionWords().units[unit] : undefined), ...asked.units }
  for (const [word, factor] of Object.entries(units))
    phrase(word).numberUnits.push({
      ...{ category, attribute, factor, isWhole },
      decides: !!asked.decides || !!asked.decidesUnits?.includes(word),
    })
  const meaning = { category, attribute, factor: 1, decides: !!asked.decides, isWhole }
  for (const word of asked.before ?? []) phrase(word).numberPrefixes.push(meaning)
  for (const word of asked.lowest ?? []) phrase(word).sorts.push({ category, sort: `spec.${key}` })
  for (const word of asked.highest ?? []) phrase(word).sorts.push({ category, sort: `-spec.${key}` })
  return asked.bare ? meaning : undefined
}

function addValues(phrase: PhraseOf, { key: category, replacedBy }: Category, attribute: AttributeDefinition, known: Known): void {
  const { asked, key } = attribute
  if (!asked) return
  const shared =
    asked.sharedValues === undefined || !Object.hasOwn(questionWords().values, asked.sharedValues)
      ? []
      : (questionWords().values[asked.sharedValues] ?? [])
  const choices = attribute.kind === 'number' ? [] : known.choices(category, key)
  const worstFirst = replacedBy?.asGood?.find((one) => one.key === key)?.worstFirst ?? asked.worstFirst ?? []
  const spelled = (value: string | undefined) => choices.find((choice) => value !== undefined && choiceForm(choice) === choiceForm(value))
  const none = spelled(asked.none) ?? spelled('No')
  const ranked = rankChoices(choices, worstFirst)
  for (const value of [...shared, ...(asked.values ?? [])]) {
    const range =
      attribute.kind === 'number'
        ? { ...(value.min !== undefined && { min: value.min }), ...(value.max !== undefined && { max: value.max }) }
        : undefined
    const values = range ? undefined : known.findMeant(attribute, choices, value)
    if (values && (values.length === 0 || (values.length > maxValues && !value.any))) continue
    const isStated =
      !!values && (values.length > maxValues || (value.any && values.length === choices.length && values.length > maxNamedValues))
    const sort = value.sort && `spec.${key}`
    const grades = values && gradesOf(values, ranked)
    const isOpposite = !!values && choices.every((choice) => isNone(choice) || choice === none || values.includes(choice))
    for (const word of value.words)
      phrase(word).values.push({
        ...{ category, key, decides: !!value.decides, ...range },
        ...(isStated ? { isStated } : values && { values }),
        ...(none !== undefined && isOpposite && { none }),
        ...(grades && { grades }),
        ...(value.inNames && { inNames: value.inNames }),
        ...(sort && { sort }),
      })
  }
  if (asked.named) addNamedValues(phrase, category, attribute, known.namesOf(attribute, choices), ranked)
}

/** More values than an address can name are no condition, but that there is one of them can be. */
export const maxValues = 40
/** Of "with graphics", which any value fits, so many values are said; of more, that one is stated. */
const maxNamedValues = 5

function addNamedValues(
  phrase: PhraseOf,
  category: string,
  { key, asked }: AttributeDefinition,
  choices: ReturnType<ChoiceFinder['namesOf']>,
  ranked: string[],
): void {
  const tooMany = new Set<string>()
  for (const { choice, names } of choices) {
    const grades = gradesOf([choice], ranked)
    for (const name of names) {
      const text = phraseKey(name)
      if (text.length < 2 || /^[\d.]*$/.test(text) || tooMany.has(text)) continue
      const { values } = phrase(name)
      const same = values.find((value) => value.category === category && value.key === key)
      if (same?.values && same.values.length >= maxValues && !same.values.includes(choice)) {
        values.splice(values.indexOf(same), 1)
        tooMany.add(text)
      } else if (same) same.values = [...new Set([...(same.values ?? []), choice])]
      else values.push({ category, key, values: [choice], decides: !!asked?.decides, ...(grades && { grades }) })
    }
  }
}
