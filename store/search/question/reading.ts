import { chooseCategory, standsFor } from './choose-category.ts'
import { type KindToFit, kindToFit } from './kind-to-fit.ts'
import { addNumber, type Conditions, contradictEachOther, hasContradiction, type NumberContext, narrow } from './number-conditions.ts'
import { type CountProducts, markPiecesNeeded } from './pieces-needed.ts'
import { type QuestionToken, textsOf, wordsAt } from './question-tokens.ts'
import { type Mention, readPieces } from './read-question.ts'
import { type Condition, type ValueMeaning, type Vocabulary, withBetter } from './vocabulary.ts'

/** What a question says, as filters, an order and words. */
export type Reading = {
  category: string | undefined
  /** the question names the category; otherwise its other words have led to it */
  isCategoryNamed: boolean
  /** all categories that it names */
  kinds: string[]
  /** by key of the attribute */
  conditions: Map<string, Condition>
  /** numbers without a comparison, as they were typed, with the keys of the conditions that they are */
  measures: { text: string; keys: string[] }[]
  priceCents: { min?: number; max?: number }
  inStock: boolean
  pieces: number | undefined
  sort: string | undefined
  /** makers that the question names, as filter or, where nothing else is understood, among the words */
  brands: string[]
  isBrandFilter: boolean
  /** makers that are not wanted */
  excludedBrands: string[]
  isMoreThanBrands: boolean
  /** what is left to search for */
  words: string[]
  /** what no filter can judge: "quiet" of a case, where the word finds only the maker be quiet! */
  denied: string[]
  /** what is not wanted, but no filter can leave out: "without power connector" */
  notExcluded: string[]
  kindsToFit: KindToFit[]
  /** the words that are left say what the named category is for: "psu for rtx 4090" */
  saysWhatFor: boolean
  /** categories that come nearest to something that is not sold */
  nearest: string[]
  /** a word of the question was mistyped and taken for the name of a category or a maker */
  isCorrected: boolean
  /** the question is one code without spaces */
  isOneChunk: boolean
  /** it has a comparison, an order or the like, which a search for its words would miss */
  saysMoreThanWords: boolean
  /** the question excludes all numbers of something: "under 100 mm over 200 mm" */
  isContradiction: boolean
}

type ReadingContext = {
  vocabulary: Vocabulary
  isKnownWord(word: string): boolean
  isPartNumber(chunk: string): boolean
  countProducts: CountProducts
  /** the category that is chosen already */
  chosenCategory: string | undefined
}

/** Reads a question into filters, order and words. Undefined if it is nothing but words. */
export function readQuestion(question: string, context: ReadingContext): Reading | undefined {
  const { vocabulary, isKnownWord, isPartNumber, countProducts, chosenCategory } = context
  const pieces = readPieces(question, vocabulary, isKnownWord, isPartNumber)
  const { tokens, isCorrected } = pieces
  const isInNamesOf = (category: string, mention: Mention) => countProducts(category, { word: textsOf(tokens, mention).join(' ') }) > 0
  const named = chooseCategory(pieces.mentions, chosenCategory, isInNamesOf)
  const mentions = markPiecesNeeded(tokens, pieces.mentions, { category: named.category, vocabulary, countProducts })
  if (mentions.length === 0) return undefined
  const reading = { ...new Interpreter(tokens, mentions, vocabulary, named).interpret(), kinds: namedKinds(mentions), isCorrected }
  return isUnderstood(reading, chosenCategory) ? reading : undefined
}

const namedKinds = (mentions: Mention[]): string[] =>
  mentions.flatMap(({ phrase, isNegated }) =>
    isNegated ? [] : (phrase?.kinds ?? []).flatMap(({ category, isWeak, isHint }) => (isWeak || isHint ? [] : [category])),
  )

const isUnderstood = (
  { category, conditions, priceCents, inStock, pieces, sort, brands, excludedBrands, nearest }: Reading,
  chosen: string | undefined,
) =>
  category !== chosen ||
  conditions.size > 0 ||
  priceCents.min !== undefined ||
  priceCents.max !== undefined ||
  inStock ||
  pieces !== undefined ||
  sort !== undefined ||
  brands.length > 0 ||
  excludedBrands.length > 0 ||
  nearest.length > 0

const saysMoreThanWords = ({ number, phrase, isNegated }: Mention): boolean =>
  isNegated || !!number?.comparison || !!number?.isMoney || !!number?.isQuantity || !!phrase?.roles.has('inStock') || !!phrase?.sorts.length

/** Words that say nothing of a product where they belong to no number. */
const fillingRoles = ['filler', 'preposition', 'to'] as const

class Interpreter {
  readonly #tokens: QuestionToken[]
  readonly #mentions: Mention[]
  readonly #context: NumberContext
  readonly #conditions: Conditions = { byKey: new Map(), priceCents: {} }
  readonly #category: string | undefined
  readonly #isCategoryNamed: boolean
  /** by token: it is part of something understood, or says nothing */
  readonly #isUsed: boolean[]
  readonly #isFiller: boolean[]
  readonly #denied: string[] = []
  readonly #notExcluded: string[] = []
  readonly #excludedBrands: string[] = []
  readonly #kindsToFit: KindToFit[] = []
  readonly #measures: Reading['measures'] = []
  /** ranges that words mean, "quiet": they hold where no number says more */
  readonly #impliedRanges: Condition[] = []
  #inStock = false
  #pieces: number | undefined
  #sort: string | undefined
  #nearest: string[] = []
  #saysMoreThanWords = false

  constructor(
    tokens: QuestionToken[],
    mentions: Mention[],
    vocabulary: Vocabulary,
    { category, isNamed }: { category: string | undefined; isNamed: boolean },
  ) {
    this.#tokens = tokens
    this.#mentions = mentions
    this.#category = category
    this.#isCategoryNamed = isNamed
    this.#isUsed = tokens.map(() => false)
    this.#context = {
      category,
      tokens,
      mentions,
      isUsed: this.#isUsed,
      bareNumbers: category === undefined ? [] : (vocabulary.bareNumbers.get(category) ?? []),
    }
    this.#isFiller = tokens.map(() => false)
  }

  interpret(): Omit<Reading, 'isCorrected' | 'kinds'> {
    const brandMentions: Mention[] = []
    const preposition = this.#placeOfPreposition() ?? Infinity
    for (const [at, mention] of this.#mentions.entries()) {
      if (this.#understand(mention)) {
        this.#use(mention)
        if (mention.from >= preposition) this.#addKindToFit(mention, this.#mentions[at + 1])
        this.#saysMoreThanWords ||= saysMoreThanWords(mention)
      } else if (mention.phrase?.brand !== undefined && mention.isNegated) {
        this.#use(mention)
        this.#excludedBrands.push(mention.phrase.brand)
        this.#saysMoreThanWords = true
      } else if (mention.phrase?.brand !== undefined && mention.from < preposition) brandMentions.push(mention)
      else if (mention.isNegated || (this.#category !== undefined && mention.phrase?.isHalfOfMaker)) this.#deny(mention)
      else if (fillingRoles.some((role) => mention.phrase?.roles.has(role))) this.#isFiller.fill(true, mention.from, mention.to)
    }
    for (const range of this.#impliedRanges) if (!this.#conditions.byKey.has(range.key)) this.#addCondition(range)
    const brands = [...new Set(brandMentions.flatMap(({ phrase }) => phrase?.brand ?? []))]
    const isBrandFilter = brands.length > 0 && (this.#category !== undefined || this.#conditions.byKey.size > 0)
    if (isBrandFilter) for (const mention of brandMentions) this.#use(mention)
    const places = this.#tokens.flatMap(({ isRun }, at) => (isRun && !this.#isUsed[at] && !this.#isFiller[at] ? [at] : []))
    const words = wordsAt(this.#tokens, places)
    return {
      category: this.#category,
      isCategoryNamed: this.#isCategoryNamed,
      conditions: this.#conditions.byKey,
      measures: this.#measures,
      priceCents: this.#conditions.priceCents,
      inStock: this.#inStock,
      pieces: this.#pieces,
      sort: this.#sort,
      brands,
      isBrandFilter,
      excludedBrands: [...new Set(this.#excludedBrands)],
      isMoreThanBrands: this.#isUsed.includes(true),
      words,
      denied: this.#denied,
      notExcluded: this.#notExcluded,
      kindsToFit: this.#kindsToFit,
      saysWhatFor: places.length > 0 && places.every((at) => at >= preposition),
      nearest: this.#nearest,
      isOneChunk: this.#tokens.every(({ chunk }) => chunk === this.#tokens[0]?.chunk),
      saysMoreThanWords: this.#saysMoreThanWords,
      isContradiction: hasContradiction(this.#conditions) || contradictEachOther(this.#mentions.filter(({ from }) => !this.#isUsed[from])),
    }
  }

  #deny(mention: Mention): void {
    this.#isFiller.fill(true, mention.from, mention.to)
    const said = mention.isNegated ? this.#notExcluded : this.#denied
    said.push(textsOf(this.#tokens, mention).join(' '))
  }

  /** The place behind a preposition that follows the name of the category. */
  #placeOfPreposition(): number | undefined {
    if (!this.#isCategoryNamed) return undefined
    const named = this.#mentions.find((one) => standsFor(one, this.#category ?? ''))
    return this.#mentions.find(({ phrase, from }) => phrase?.roles.has('preposition') && named && from >= named.to)?.to
  }

  #addKindToFit(value: Mention, kind: Mention | undefined): void {
    const added = kindToFit(this.#tokens, value, kind, this.#category ?? '')
    if (!added || !kind) return
    this.#use(kind)
    this.#kindsToFit.push(added)
  }

  #use({ from, to }: Mention): void {
    this.#isUsed.fill(true, from, to)
  }

  /** @returns whether the mention is a filter, an order or the name of the category */
  #understand(mention: Mention): boolean {
    const { phrase, number, isNegated } = mention
    if (number?.isQuantity) {
      this.#pieces = number.value
      return true
    }
    const values = phrase?.values.filter(({ category }) => category === this.#category) ?? []
    if (values.length > 0 && !(number?.comparison ?? number?.isMoney)) {
      for (const value of values.slice(0, 1)) this.#addValue(mention.isOrBetter ? withBetter(value) : value, isNegated)
      return true
    }
    const kind = phrase?.kinds.find(({ category, isHint }) => category === this.#category && !isHint)
    if (isNegated) {
      const excluded = kind?.conditions ?? []
      for (const { key, values } of excluded) if (values) this.#addCondition({ key, not: values })
      return excluded.length > 0
    }
    if (kind) {
      for (const condition of kind.conditions) this.#addCondition(condition)
      return true
    }
    if (number) return this.#addNumber(mention)
    if (!phrase) return false
    if (phrase.roles.has('inStock')) {
      this.#inStock = true
      return true
    }
    const sort = phrase.sorts.find(({ category }) => category === undefined || category === this.#category)
    if (sort) {
      // "cheapest ssd per tb": the order by a figure of the category is what is meant
      if (this.#sort === undefined || (sort.category !== undefined && !this.#sort.includes('spec.'))) this.#sort = sort.sort
      return true
    }
    if (phrase.nearest && this.#category === undefined) {
      this.#nearest = phrase.nearest
      return true
    }
    return false
  }

  #addNumber(mention: Mention): boolean {
    const { number } = mention
    if (!number) return false
    if (number.unit?.roles.has('pieces') && number.unit.numberUnits.every(({ category }) => category !== this.#category)) {
      if (!Number.isInteger(number.value) || number.value < 1) return false
      this.#pieces = number.value
      return true
    }
    const added = addNumber(this.#conditions, mention, this.#context)
    if (!added) return false
    for (const [from, to] of added.beside) this.#isUsed.fill(true, from, to)
    if (number.comparison === undefined && added.keys.length > 0) {
      const typed = this.#tokens.slice(mention.from, mention.to).map(({ text, isGlued }) => (isGlued ? text : ` ${text}`))
      this.#measures.push({ text: typed.join('').trim(), keys: added.keys })
    }
    return true
  }

  #addValue({ key, values, min, max, none, sort, isStated }: ValueMeaning, isNegated: boolean): void {
    if (isStated) this.#addCondition({ key, isStated: !isNegated })
    else if (!isNegated && values) this.#addCondition({ key, values })
    else if (!isNegated) this.#impliedRanges.push({ key, ...(min !== undefined && { min }), ...(max !== undefined && { max }) })
    else if (none !== undefined && !values?.includes(none)) this.#addCondition({ key, values: [none] })
    else if (values) this.#addCondition({ key, not: values })
    if (sort && !isNegated) this.#sort ??= sort
  }

  /** A second mention of an attribute narrows its range; of choices, a product has one of both, or of what both mean. */
  #addCondition(condition: Condition): void {
    const before = this.#conditions.byKey.get(condition.key)
    if (!before) {
      this.#conditions.byKey.set(condition.key, condition)
      return
    }
    const common = before.values?.filter((value) => condition.values?.includes(value)) ?? []
    const values = common.length > 0 ? common : [...new Set([...(before.values ?? []), ...(condition.values ?? [])])]
    const not = [...(before.not ?? []), ...(condition.not ?? [])]
    this.#conditions.byKey.set(condition.key, {
      ...before,
      ...condition,
      ...narrow(before, condition),
      ...(values.length > 0 && { values }),
      ...(not.length > 0 && { not }),
    })
  }
}
