import { type AskedNumber, type Comparison, hasNoMeaning, isBareYear, isCount, type NumberMention } from './asked-number.ts'
import { amountForAt, budgetAt } from './asked-totals.ts'
import { yearsAt } from './asked-years.ts'
import type { PhraseFinder } from './phrase-finder.ts'
import { phraseKey, type QuestionToken, textsOf } from './question-tokens.ts'
import type { Phrase, Role, Vocabulary } from './vocabulary.ts'

/** So many words between a comparison and its number may tell what it measures. */
const maxMeasureWords = 3

/** Reads the numbers of a question, with their units, comparisons and the words that tell what they measure. */
export class NumberReader {
  readonly #tokens: QuestionToken[]
  readonly #finder: PhraseFinder
  readonly #vocabulary: Vocabulary

  constructor(tokens: QuestionToken[], finder: PhraseFinder, vocabulary: Vocabulary) {
    this.#tokens = tokens
    this.#finder = finder
    this.#vocabulary = vocabulary
  }

  /** A number after a word of comparison: "under 320mm", "from 500 to 600 w". */
  comparedNumberAt(at: number): NumberMention | undefined {
    const [stocked, behind] = this.#finder.phraseAt(at, ({ roles }) => roles.has('stocked'))
    const stock = stocked && this.comparedNumberAt(behind)
    if (stock && isCount(stock.number, 'min')) return { ...stock, from: at, number: { value: stock.number.value, isQuantity: true } }
    const joined = joiningWords.has(this.#tokens[at]?.text ?? '') ? this.comparedNumberAt(at + 1) : undefined
    if (joined) return { ...joined, from: at } // "over 500w and under 800w"
    const numberAt = this.numberAt.bind(this)
    const special =
      yearsAt(this.#tokens, this.#finder, at) ??
      budgetAt(this.#tokens, this.#finder, numberAt, at) ??
      amountForAt(this.#tokens, this.#finder, numberAt, { at, vocabulary: this.#vocabulary })
    if (special) return special
    const [phrase, next] = this.#finder.phraseAt(at, (one) => comparisonOf(one) !== undefined)
    const comparison = phrase && comparisonOf(phrase)
    if (!comparison || this.namesMeasureAt(at)) return undefined
    const found = this.numberAt(next, comparison) ?? this.#measuredNumberAt(next, comparison)
    if (!found || (comparison === 'between' && found.number.value2 === undefined && found.number.comparison !== 'min')) {
      // "from 500 w" is at least
      const [, behind] = found ? this.orAt(found.to) : []
      if (comparison === 'between' && found)
        return { ...found, from: at, to: behind ?? found.to, number: { ...found.number, comparison: 'min' } }
      return undefined
    }
    if (isCount({ comparison, ...found.number }, 'min') && this.#finder.phraseAt(found.to)[0]?.roles.has('inStock'))
      return { ...found, from: at, number: { value: found.number.value, isQuantity: true } }
    const [isBetter, isWorse, isExclusive, isStrict] = (['better', 'worse', 'exclusive', 'strict'] as const).map((role) =>
      phrase.roles.has(role),
    )
    const meant: AskedNumber = { comparison, ...found.number }
    if (isBetter) meant.isBetter = true
    if (isWorse) meant.isWorse = true
    if (isExclusive) meant.isExclusive = true
    if (isStrict) meant.isStrict = true
    if (phrase.roles.has('year') && isBareYear(found.number)) meant.isYear = true
    const isJoined = hasNoMeaning(found.number) && joiningWords.has(this.#tokens[found.to]?.text ?? '')
    const second = isJoined ? this.comparedNumberAt(found.to + 1) : undefined
    if (second?.number.unit) meant.unit = second.number.unit // "more than 8 but fewer than 16 cores"
    return { ...found, from: at, number: meant }
  }

  /** "max memory" of "motherboard max memory 128gb" names what is measured, and is no limit; of a card it is one. */
  namesMeasureAt(at: number): boolean {
    const name = textsOf(this.#tokens, { from: at, to: at + 2 })
    const categories = this.#vocabulary.measureWords.get(name.map(phraseKey).join(''))
    if (!categories) return false
    const kinds = this.#tokens.flatMap((_, place) => {
      const isElsewhere = place < at || place >= at + 2
      return isElsewhere ? (this.#finder.phraseAt(place)[0]?.kinds.filter(({ isHint }) => !isHint) ?? []) : []
    })
    return kinds.length === 0 || kinds.some(({ category }) => categories.has(category))
  }

  /**
   * "not longer than 300mm", "must not be longer than 300mm": a comparison behind "not" means the other one. Of what is between there is none.
   * @param behind the token after "not"
   */
  deniedComparisonAt(at: number, behind: number): NumberMention | undefined {
    let start = behind
    while (this.#finder.phraseAt(start, isFiller)[0]) start = this.#finder.phraseAt(start, isFiller)[1]
    const found = this.comparedNumberAt(start)
    if (!found) return undefined
    const { isExclusive: _, isStrict: __, isBetter, isWorse, ...number } = found.number
    if (number.comparison !== 'min' && number.comparison !== 'max') return undefined
    const comparison = number.comparison === 'min' ? 'max' : 'min'
    return { ...found, from: at, number: { ...number, comparison, ...(isBetter && { isWorse: true }), ...(isWorse && { isBetter: true }) } }
  }

  /** "length 300mm" of "max length 300mm", "height of 160" */
  #measuredNumberAt(at: number, comparison: Comparison): NumberMention | undefined {
    for (let end = at + maxMeasureWords; end > at; end--) {
      if (!this.#vocabulary.measureWords.has(textsOf(this.#tokens, { from: at, to: end }).map(phraseKey).join(''))) continue
      const [filler, afterFiller] = this.#finder.phraseAt(end, ({ roles }) => roles.has('filler'))
      const found = this.numberAt(filler ? afterFiller : end, comparison)
      if (found) return { ...found, number: { ...found.number, measure: [at, end] } }
    }
    return undefined
  }

  /** @param comparison that stands before it */
  numberAt(at: number, comparison?: Comparison): NumberMention | undefined {
    const ordered = comparison === undefined ? this.#orderedPiecesAt(at) : undefined
    if (ordered) return ordered
    let next = at
    const [currency, afterCurrency] = this.#finder.phraseAt(next, ({ roles }) => roles.has('currency'))
    if (currency) next = afterCurrency
    const one =
      this.#quantityAt(next) ??
      (currency || comparison ? this.#thousandsAt(next, !!currency) : undefined) ??
      (currency ? undefined : this.#prefixedNumberAt(next))
    if (!one) return undefined
    const number: AskedNumber = { ...one.number, ...(currency && { isMoney: true as const }) }
    let to = one.to
    const other = !currency && Object.keys(number).join() === 'value' && this.#tokens[to]?.text === 'or' && this.#quantityAt(to + 1)
    if (other && other.number.unit !== undefined) number.unit = other.number.unit // "32 or 64 gb"
    const second = this.#rangeEndAt(to, comparison === 'between', number)
    const isOfOneKind = !(number.unit && second?.number.isMoney) && !(number.isMoney && second?.number.unit) // "psu 850w - $150" is two
    const isRange = second && (second.number.unit || second.number.isMoney || number.unit || number.isMoney || comparison === 'between')
    if (isRange && isOfOneKind) {
      const unit = number.unit ?? unitOfFirst(number, second.number)
      const unit2 = second.number.unit !== unit ? second.number.unit : undefined
      Object.assign(number, { value2: second.number.value, comparison: 'between' }, unit && { unit }, unit2 && { unit2 })
      if (second.number.isMoney) number.isMoney = true
      to = second.to
    }
    const [after, end] = this.orAt(to)
    const comparesNext = () =>
      // "1000w max 200 dollars", "500w and under 800w"
      (after && comparisonOf(after) !== undefined && this.numberAt(end)) || (this.#tokens[to]?.text === 'and' && this.comparedNumberAt(to))
    if (after && number.comparison === undefined && comparison === undefined && !comparesNext()) {
      number.comparison = after.roles.has('orLess') ? 'max' : 'min'
      if (after.roles.has('orBetter')) number.isBetter = true
      if (after.roles.has('year') && isBareYear(number)) number.isYear = true
      to = end
      const [unit, afterUnit] = this.#finder.phraseAt(end, ({ numberUnits }) => numberUnits.length > 0)
      if (unit && !number.unit && !number.isMoney) [number.unit, to] = [unit, afterUnit] // "144+ hz"
    }
    const [total, afterTotal] = this.#finder.phraseAt(to, isTotalWord)
    if (total && (comparison ?? number.isMoney) && !number.unit && !number.prefix) {
      Object.assign(number, { isMoney: true, isTotal: true })
      to = afterTotal
    }
    return { from: at, to, number, isNegated: false }
  }

  /** "or more" behind a number, but not "up" of "650w up to 850w" */
  orAt(at: number): [Phrase | undefined, to: number] {
    const [after, end] = this.#finder.phraseAt(at, ({ roles }) => orRoles.some((role) => roles.has(role)))
    return this.#finder.phraseAt(at)[1] > end || this.namesMeasureAt(at) ? [undefined, at] : [after, end]
  }

  /** "qty 12" */
  #orderedPiecesAt(at: number): NumberMention | undefined {
    const [phrase, next] = this.#finder.phraseAt(at, ({ roles }) => roles.has('pieces'))
    const { number, to } = (phrase && (this.#countAt(next) ?? this.#unitNumberAt(next))) ?? {}
    if (!number || to === undefined || number.unit || number.isMoney || !(number.value >= 1 && Number.isInteger(number.value)))
      return undefined
    return { from: at, to, number: { value: number.value, isQuantity: true }, isNegated: false }
  }

  /** "12" of "12 fans": what it counts is a kind of product, though it could be a unit, too. */
  #countAt(at: number): { number: AskedNumber; to: number } | undefined {
    const { text = '' } = this.#tokens[at] ?? {}
    const [kind] = this.#finder.phraseAt(at + 1, ({ kinds }) => kinds.some(({ isWeak, isHint }) => !isWeak && !isHint))
    return kind && /^\d{1,9}$/.test(text) ? { number: { value: Number(text) }, to: at + 1 } : undefined
  }

  /** The other end of a range: "- 600w", "to $300", "up to 850w" */
  #rangeEndAt(at: number, isBetween: boolean, first: AskedNumber): { number: AskedNumber; to: number } | undefined {
    const sign = this.#tokens[at]
    let next = at + 1
    if (sign?.text !== '-') {
      const [to, end] = this.#finder.phraseAt(at, ({ roles }) => roles.has('to'))
      if (!to || (sign?.text === 'and' && !isBetween)) return undefined
      if (to.roles.has('max') && hasNoMeaning(first)) return undefined // "monitor 27 up to $300"
      next = end
    }
    const [currency, afterCurrency] = this.#finder.phraseAt(next, ({ roles }) => roles.has('currency'))
    const place = currency ? afterCurrency : next
    const found = this.#quantityAt(place) ?? this.#thousandsAt(place, !!currency || !!first.isMoney)
    if (sign?.text === 'up' && found && !found.number.unit && !currency && !first.isMoney) return undefined // "ssd 1tb up to 100" is a price
    return found && { number: { ...found.number, ...(currency && { isMoney: true as const }) }, to: found.to }
  }

  /** "cl30", "cl 30", "gen 4", "pcie 4.0" */
  #prefixedNumberAt(at: number): { number: AskedNumber; to: number } | undefined {
    const [, letters, digits] = this.#tokens[at]?.text.match(/^(\p{L}+)(\d+(?:\.\d+)?)$/u) ?? []
    const glued = letters === undefined ? undefined : this.#vocabulary.phrases.get(letters)
    if (glued && glued.numberPrefixes.length > 0) return { number: { value: Number(digits), prefix: glued.numberPrefixes }, to: at + 1 }
    const [phrase, to] = this.#finder.phraseAt(at, ({ numberPrefixes }) => numberPrefixes.length > 0)
    const number = phrase && this.#tokens[to]?.text.match(/^\d+(?:\.\d+)?$/)
    return number ? { number: { value: Number(number[0]), prefix: phrase.numberPrefixes }, to: to + 1 } : undefined
  }

  /** "1.5k" of money, but not the "4k" of a resolution where no sign of a currency says so */
  #thousandsAt(at: number, isMoney: boolean): { number: AskedNumber; to: number } | undefined {
    const { text = '' } = this.#tokens[at] ?? {}
    const [, thousands] = text.match(/^(\d{1,3}(?:\.\d{1,2})?)k$/) ?? []
    const [, afterCurrency] = this.#finder.phraseAt(at + 1, ({ roles }) => roles.has('currency'))
    const isAtEnd =
      at + 1 === this.#tokens.length || this.#finder.phraseAt(at + 1, ({ roles }) => roles.has('preposition'))[0] !== undefined
    const isTotal = this.#finder.phraseAt(at + 1, isTotalWord)[0] ?? (isAtEnd && this.#finder.phraseAt(at - 1, isTotalWord)[0]) // not "budget 4k monitor"
    if (thousands === undefined || (!isMoney && !isTotal && afterCurrency === at + 1 && this.#vocabulary.phrases.has(phraseKey(text))))
      return undefined
    return { number: { value: Number(thousands) * 1000, isMoney: true }, to: afterCurrency }
  }

  /** "320mm", "32 cm", "2x16gb", "2 x 16 gb", "27", "200 dollars" */
  #quantityAt(at: number): { number: AskedNumber; to: number } | undefined {
    const { text = '' } = this.#tokens[at] ?? {}
    const [, times, each] = text.match(/^(\d{1,3})x(\d.*)?$/) ?? [] // "5600x" is a name
    if (times !== undefined) {
      const piece = each === undefined ? this.#unitNumberAt(at + 1) : this.#unitNumberAt(at, each)
      if (piece?.number.unit) return { number: { ...piece.number, pieces: Number(times) }, to: piece.to }
    }
    const next = this.#tokens[at + 1]?.text ?? ''
    if (/^\d{1,3}$/.test(text) && /^x\d*/.test(next)) {
      const piece = next === 'x' ? this.#unitNumberAt(at + 2) : this.#unitNumberAt(at + 1, next.slice(1))
      if (piece?.number.unit) return { number: { ...piece.number, pieces: Number(text) }, to: piece.to }
    }
    return this.#unitNumberAt(at)
  }

  #unitNumberAt(at: number, text = this.#tokens[at]?.text ?? ''): { number: AskedNumber; to: number } | undefined {
    const [, digits, letters = ''] = text.match(/^(\d{1,9}(?:\.\d{1,4})?)(\p{L}*)$/u) ?? [] // longer ones are no filter
    if (digits === undefined) return undefined
    const value = Number(digits)
    const [unit, to] = this.#finder.phraseAt(
      at + 1,
      ({ numberUnits, roles }) => numberUnits.length > 0 || roles.has('pieces') || roles.has('currency'),
      letters,
    )
    const [said] = letters === '' ? this.#finder.phraseAt(at + 1) : []
    if (said?.roles.has('inStock') || said?.roles.has('total')) return { number: { value }, to: at + 1 } // "100 in stock" are no inches
    const isBehindDash = this.#tokens[at + 1]?.text === '-' // "$200-$300"
    if (unit?.roles.has('currency') && isBehindDash) return { number: { value }, to: at + 1 }
    if (unit?.roles.has('currency')) return { number: { value, isMoney: true }, to }
    if (unit) return { number: { value, unit }, to }
    return letters === '' ? { number: { value }, to: at + 1 } : undefined
  }
}

/** "500-1tb" begins at 500 GB: a first number that is larger has not the unit of the second. */
function unitOfFirst({ value }: AskedNumber, { value: value2, unit }: AskedNumber): Phrase | undefined {
  if (!unit || value <= value2) return unit
  return { ...unit, numberUnits: unit.numberUnits.map((one) => ({ ...one, factor: Math.min(one.factor, 1) })) }
}

const joiningWords = new Set(['and', 'but'])
const isFiller = ({ roles }: Phrase): boolean => roles.has('filler')
const isTotalWord = ({ roles }: Phrase): boolean => roles.has('total') || roles.has('budget')

export const orRoles = ['orMore', 'orLess', 'orBetter'] as const

const comparisonRoleOrder: [Role, Comparison][] = [
  ['better', 'min'],
  ['worse', 'max'],
  ['max', 'max'],
  ['min', 'min'],
  ['around', 'around'],
  ['between', 'between'],
]
const comparisonOf = ({ roles }: Phrase): Comparison | undefined => comparisonRoleOrder.find(([role]) => roles.has(role))?.[1]
