import { maxExcludedWords } from '../contract.ts'
import { standsFor } from './choose-category.ts'
import { valuesOfGrade } from './grades.ts'
import { type KindToFit, kindToFit } from './kind-to-fit.ts'
import { isComparisonOfNothing, isKindOfRefused, isRestOfName, type Mention, saysMoreThanWords } from './mention.ts'
import { mergeConditions } from './merge-conditions.ts'
import { addNumber, type Conditions, contradictEachOther, hasContradiction, isOfCounted, type NumberContext } from './number-conditions.ts'
import { otherCurrencyIn } from './other-currency.ts'
import { type QuestionToken, textsOf, typedText, wordsAt } from './question-tokens.ts'
import type { Reading } from './reading.ts'
import { type Condition, maxValues, type ValueMeaning, type Vocabulary } from './vocabulary.ts'

/** A larger number before a connector is no number of connectors: "gpu 4090 hdmi". */
const maxCounted = 9

/** Words that say nothing of a product where they belong to no number. */
const fillingRoles = ['filler', 'preposition', 'to', 'between', 'inYear'] as const

/** Interprets the mentions of a question in its category, one after the other. */
export class Interpreter {
  readonly #tokens: QuestionToken[]
  readonly #mentions: Mention[]
  readonly #context: NumberContext
  readonly #conditions: Conditions = { byKey: new Map(), priceCents: {} }
  readonly #category: string | undefined
  readonly #isCategoryNamed: boolean
  readonly #isLine: (maker: string, next: Mention) => boolean
  /** by token: it is part of something understood, or says nothing */
  readonly #isUsed: boolean[]
  readonly #isFiller: boolean[]
  readonly #denied: string[] = []
  readonly #notExcluded: string[] = []
  readonly #excludedWords = new Set<string>()
  readonly #notCounted: string[] = []
  readonly #excludedBrands: string[] = []
  readonly #brandsNotToFit: Reading['brandsNotToFit'] = []
  readonly #kindsToFit: KindToFit[] = []
  readonly #measures: Reading['measures'] = []
  /** ranges that words mean, "quiet": they hold where no number says more */
  readonly #impliedRanges: Condition[] = []
  #inStock = false
  #pieces: number | undefined
  #otherCurrency: string | undefined
  #isEither = false
  #isContradiction = false
  /** attributes of which a question compares grades */
  readonly #gradedKeys = new Set<string>()
  #sort: string | undefined
  #nearest: string[] = []
  #saysMoreThanWords = false

  constructor(
    tokens: QuestionToken[],
    mentions: Mention[],
    vocabulary: Vocabulary,
    { category, isNamed, isLine }: { category: string | undefined; isNamed: boolean; isLine(maker: string, next: Mention): boolean },
  ) {
    this.#isLine = isLine
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
      wholeNumbers: vocabulary.wholeNumbers,
    }
    this.#isFiller = tokens.map(() => false)
  }

  interpret(): Omit<Reading, 'isCorrected' | 'kinds'> {
    const brandMentions: Mention[] = []
    const preposition = this.#placeOfPreposition() ?? Infinity
    for (const [at, mention] of this.#mentions.entries()) {
      if (this.#understand(mention)) {
        this.#use(mention)
        this.#noteCount(this.#mentions[at - 1], mention)
        if (mention.from >= preposition) this.#addKindToFit(mention, this.#mentions[at + 1])
        this.#saysMoreThanWords ||= saysMoreThanWords(mention)
      } else if (mention.phrase?.brand !== undefined && mention.isNegated) {
        this.#excludeBrand(mention.phrase.brand, mention, {
          next: this.#mentions[at + 1],
          isToFit: mention.isFor || mention.from >= preposition,
        })
      } else if (mention.phrase?.brand !== undefined && mention.from < preposition) brandMentions.push(mention)
      else if (isKindOfRefused(mention, this.#mentions[at - 1])) this.#isFiller.fill(true, mention.from, mention.to)
      else if (mention.isNegated || isComparisonOfNothing(mention) || (this.#category !== undefined && mention.phrase?.isHalfOfMaker))
        this.#deny(mention)
      else if (mention.number?.comparison) this.#fillWords(mention)
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
      brandsNotToFit: this.#brandsNotToFit,
      isMoreThanBrands: this.#isUsed.includes(true),
      words,
      denied: this.#denied,
      excludedWords: [...this.#excludedWords],
      notExcluded: this.#notExcluded,
      notCounted: this.#notCounted,
      otherCurrency: this.#otherCurrency,
      isEither: this.#isEither && this.#tokens.every(({ text }) => text !== 'or'),
      kindsToFit: this.#kindsToFit,
      saysWhatFor: places.length > 0 && places.every((at) => at >= preposition),
      nearest: this.#nearest,
      isOneChunk: this.#tokens.every(({ chunk }) => chunk === this.#tokens[0]?.chunk),
      saysMoreThanWords: this.#saysMoreThanWords,
      isContradiction:
        this.#isContradiction ||
        hasContradiction(this.#conditions) ||
        contradictEachOther(this.#mentions.filter(({ from }) => !this.#isUsed[from])),
    }
  }

  /** Of a compared number that is no filter, the number is a word to search for, and the comparison is none. */
  #fillWords({ from, to, number }: Mention): void {
    for (let at = from; at < to; at++) if (number?.unit || !/\d/.test(this.#tokens[at]?.text ?? '')) this.#isFiller[at] = true
    if (number?.unit) this.#denied.push(textsOf(this.#tokens, { from, to }).join(' ')) // "under 8 kg" of what has no weight
  }

  #excludeBrand(brand: string, mention: Mention, { next, isToFit }: { next: Mention | undefined; isToFit: boolean }): void {
    this.#use(mention)
    this.#saysMoreThanWords = true
    if (next && isRestOfName(next, mention, { category: this.#category, isLine: this.#isLine })) {
      this.#use(next)
      this.#excludedWords.add(`${brand} ${typedText(this.#tokens, next)}`)
    } else if (isToFit) this.#brandsNotToFit.push({ brand, isSaid: !!mention.isFor })
    else this.#excludedBrands.push(brand)
  }

  #deny(mention: Mention): void {
    this.#isFiller.fill(true, mention.from, mention.to)
    const isRange = mention.phrase?.values.some(({ category }) => category === this.#category) // "triple slot"
    const isExcluded = mention.notInNames !== undefined && !isRange && this.#excludedWords.size < maxExcludedWords
    if (isExcluded) this.#excludedWords.add(mention.notInNames ?? '')
    if (isExcluded && !mention.deniesAll) return // names do not tell all of "no speakers"
    const said = mention.isNegated ? this.#notExcluded : this.#denied
    said.push(typedText(this.#tokens, mention))
  }

  /** The place behind a preposition that follows the name of the category. */
  #placeOfPreposition(): number | undefined {
    if (!this.#isCategoryNamed) return undefined
    const named = this.#mentions.find((one) => standsFor(one, this.#category ?? ''))
    return this.#mentions.find(({ phrase, from }) => phrase?.roles.has('preposition') && named && from >= named.to)?.to
  }

  /** Notes a number right before a value of what products have several of: only the value is a filter. */
  #noteCount(count: Mention | undefined, value: Mention): void {
    const isCounted = value.phrase?.values.some((one) => isOfCounted(one, this.#category))
    if (!count?.number || count.to !== value.from || this.#isUsed[count.from] || !isCounted) return
    if (count.number.value > maxCounted || count.number.unit || count.number.prefix || count.number.isMoney) return
    this.#use(count)
    if (count.number.value > 1) this.#notCounted.push(textsOf(this.#tokens, { from: count.from, to: value.to }).join(' '))
  }

  /** "8 sata" of what has such connectors: a unit in another category, and here a value that no filter counts. */
  #addCountedUnit(mention: Mention): boolean {
    const { unit } = mention.number ?? {}
    const value = unit?.values.find((one) => isOfCounted(one, this.#category))
    if (!value || unit?.numberUnits.some(({ category }) => category === this.#category)) return false
    this.#addValue(value, false)
    this.#notCounted.push(textsOf(this.#tokens, mention).join(' '))
    return true
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
      const [value] = values
      if (value && !isNegated && !mention.grade && this.#isFurtherOfCounted(value)) return false
      if (value && mention.grade) return this.#addGrades(value.key, valuesOfGrade(value.grades, mention.grade), isNegated)
      if (value && isNegated && !value.values && !value.isStated) return false // no filter leaves a range out
      if (value) this.#addValue(value, isNegated)
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
    if (number && this.#addCountedUnit(mention)) return true
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
    if (number.isMoney) this.#otherCurrency ??= otherCurrencyIn(textsOf(this.#tokens, mention))
    for (const [from, to] of added.beside) this.#isUsed.fill(true, from, to)
    if (number.comparison === undefined && added.keys.length > 0) {
      this.#measures.push({ text: typedText(this.#tokens, mention), keys: added.keys })
    }
    return true
  }

  #addValue({ key, values, min, max, none, sort, isStated, inNames }: ValueMeaning, isNegated: boolean): void {
    if (isNegated) for (const word of inNames ?? []) this.#excludedWords.add(word)
    if (isStated) this.#addCondition({ key, isStated: !isNegated })
    else if (!isNegated && values) this.#addCondition({ key, values })
    else if (!isNegated) this.#impliedRanges.push({ key, ...(min !== undefined && { min }), ...(max !== undefined && { max }) })
    else if (none !== undefined && !values?.includes(none)) this.#addCondition({ key, values: [none] })
    else if (values) this.#addCondition({ key, not: values })
    if (sort && !isNegated) this.#sort ??= sort
  }

  /** "hdmi" of "usb-c and hdmi": products have several, and a filter is of one. It is a word to search for beside the first. */
  #isFurtherOfCounted(value: ValueMeaning): boolean {
    const before = this.#conditions.byKey.get(value.key)?.values
    const hasOr = this.#tokens.some(({ text }) => text === 'or')
    return !hasOr && isOfCounted(value, this.#category) && !!before && !before.some((one) => value.values?.includes(one))
  }

  /** "platinum or gold or better" has both, "better than bronze, at most gold" what is within both. @returns false if there are none */
  #addGrades(key: string, values: string[], isNegated: boolean): boolean {
    const before = this.#conditions.byKey.get(key)?.values ?? []
    const meant = this.#gradedKeys.has(key) ? values.filter((value) => before.includes(value)) : [...new Set([...values, ...before])]
    if (values.length === 0 || values.length > maxValues) return false
    if (!isNegated) this.#gradedKeys.add(key)
    if (isNegated) this.#addCondition({ key, not: values })
    else if (meant.length === 0) this.#isContradiction = true
    else this.#addCondition({ key, values: meant }, true)
    return true
  }

  #addCondition(condition: Condition, replacesValues = false): void {
    const before = this.#conditions.byKey.get(condition.key)
    const merged = before ? mergeConditions(before, condition, replacesValues) : { condition, isEither: false }
    this.#isEither ||= merged.isEither
    this.#conditions.byKey.set(condition.key, merged.condition)
  }
}
