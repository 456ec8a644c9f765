import { phraseKey, type QuestionToken, questionTokens, textsOf } from './question-tokens.ts'
import { correctTypingErrors } from './typing-errors.ts'
import { maxPhraseTokens, type NumberMeaning, type Phrase, type Role, type Vocabulary } from './vocabulary.ts'

export type Comparison = 'max' | 'min' | 'around' | 'between'
/** A number of a question: "up to 320mm", "2x16gb", "cl30", "$200". */
export type AskedNumber = {
  value: number
  /** the other end of a range */
  value2?: number
  comparison?: Comparison
  /** how many pieces there are of it: 2 of 2x16gb */
  pieces?: number
  /** what the unit can mean; undefined without a unit */
  unit?: Phrase
  /** what the word before the number can mean */
  prefix?: NumberMeaning[]
  isMoney?: true
  /** how many pieces are needed, said without a word for pieces */
  isQuantity?: true
}
/** A piece of a question with all that it can mean: tokens from `from` up to `to`. */
export type Mention = { from: number; to: number; phrase?: Phrase; number?: AskedNumber; isNegated: boolean }

export type QuestionPieces = {
  tokens: QuestionToken[]
  mentions: Mention[]
  /** a mistyped word was taken for another */
  isCorrected: boolean
}

/** Splits a question into its mentions, in one pass over its tokens. What is in no mention is a word to search for. */
export function readPieces(
  question: string,
  vocabulary: Vocabulary,
  isKnownWord: (word: string) => boolean,
  isPartNumber: (chunk: string) => boolean,
): QuestionPieces {
  const typed = questionTokens(question)
  const tokens = correctTypingErrors(typed, vocabulary, isKnownWord)
  const isCorrected = tokens.some((token, at) => token !== typed[at])
  return { tokens, mentions: new Reader(tokens, vocabulary, isPartNumber).read(), isCorrected }
}

const joiningWords = new Set(['or', 'and', 'nor'])
/** So many words after "without" are what is not wanted. */
const maxDeniedWords = 3

class Reader {
  readonly #tokens: QuestionToken[]
  readonly #phrases: Map<string, Phrase>
  readonly #isPartNumber: (chunk: string) => boolean

  constructor(tokens: QuestionToken[], { phrases }: Vocabulary, isPartNumber: (chunk: string) => boolean) {
    this.#tokens = tokens
    this.#phrases = phrases
    this.#isPartNumber = isPartNumber
  }

  read(): Mention[] {
    const mentions: Mention[] = []
    const partNumbers = new Map<string, boolean>()
    let at = 0
    while (at < this.#tokens.length) {
      const chunk = this.#tokens[at]?.chunk ?? ''
      const isPartNumber = partNumbers.get(chunk) ?? this.#isPartNumber(chunk)
      partNumbers.set(chunk, isPartNumber)
      const before = mentions.at(-1)
      const mention = isPartNumber ? undefined : (this.#alsoDeniedAt(at, before) ?? this.#alternativeAt(at, before) ?? this.#mentionAt(at))
      if (mention) mentions.push(mention)
      at = mention?.to ?? at + 1
    }
    return mentions
  }

  #mentionAt(at: number): Mention | undefined {
    const compared = this.#comparedNumberAt(at)
    if (compared) return compared
    const number = this.#numberAt(at)
    const [phrase, to] = this.#phraseAt(at)
    if (number && number.to > to) return number
    if (phrase?.roles.has('without') && !phrase.kinds.length && !phrase.values.length) {
      const [denied, end] = this.#phraseAt(to)
      if (denied && (denied.values.length > 0 || denied.kinds.length > 0 || denied.brand !== undefined))
        return { from: at, to: end, phrase: denied, isNegated: true }
      const endOfWords = this.#numberAt(to)?.to ?? this.#endOfWordsAt(to)
      if (endOfWords > to) return { from: at, to: endOfWords, isNegated: true }
    }
    if (!phrase) return number
    // "80+ gold" is no number: it may be one only if it is as long as the phrase.
    return { from: at, to, phrase, ...(number?.to === to && number.number && { number: number.number }), isNegated: false }
  }

  /** What is not wanted either: "evga" of "not corsair or evga". It is of the same sort as what stands before. */
  #alsoDeniedAt(at: number, before: Mention | undefined): Mention | undefined {
    if (!before?.isNegated || !before.phrase || before.to !== at || !joiningWords.has(this.#tokens[at]?.text ?? '')) return undefined
    const [phrase, to] = this.#phraseAt(at + 1)
    return phrase && isOfSameSort(phrase, before.phrase) ? { from: at, to, phrase, isNegated: true } : undefined
  }

  /** "or 4080" behind "rtx 4070": what stands before with another end. */
  #alternativeAt(at: number, before: Mention | undefined): Mention | undefined {
    if (!before?.phrase || before.isNegated || before.to !== at || this.#tokens[at]?.text !== 'or') return undefined
    for (let kept = before.to - 1; kept > before.from; kept--)
      for (let to = Math.min(at + 3, this.#tokens.length); to > at + 1; to--) {
        const texts = [...textsOf(this.#tokens, { from: before.from, to: kept }), ...textsOf(this.#tokens, { from: at + 1, to })]
        const phrase = this.#phrases.get(texts.map(phraseKey).join(''))
        if (phrase && isOfSameSort(phrase, before.phrase)) return { from: at, to, phrase, isNegated: false }
      }
    return undefined
  }

  /** Behind the words from a token on that mean nothing by themselves: "power connector", "for servers". */
  #endOfWordsAt(at: number): number {
    let end = at
    while (end < this.#tokens.length && end < at + maxDeniedWords && this.#tokens[end]?.isRun) {
      const [phrase] = this.#phraseAt(end)
      if ((phrase && !(end === at && phrase.roles.has('preposition'))) || this.#numberAt(end)) break
      end++
    }
    return end
  }

  /** A number after a word of comparison: "under 320mm", "from 500 to 600 w". */
  #comparedNumberAt(at: number): Mention | undefined {
    const [phrase, next] = this.#phraseAt(at, (one) => comparisonOf(one) !== undefined)
    const comparison = phrase && comparisonOf(phrase)
    if (!comparison) return undefined
    const found = this.#numberAt(next, comparison)
    if (!found?.number || (comparison === 'between' && found.number.value2 === undefined && found.number.comparison !== 'min')) {
      // "from 500 w" is at least
      if (comparison === 'between' && found?.number) return { ...found, from: at, number: { ...found.number, comparison: 'min' } }
      return undefined
    }
    const { value } = found.number
    const isStock = comparison === 'min' && Number.isInteger(value) && value >= 1 && Object.keys(found.number).join() === 'value'
    if (isStock && this.#phraseAt(found.to)[0]?.roles.has('inStock')) return { ...found, from: at, number: { value, isQuantity: true } }
    return { ...found, from: at, number: { comparison, ...found.number } }
  }

  #numberAt(at: number, comparison?: Comparison): Mention | undefined {
    const ordered = comparison === undefined ? this.#orderedPiecesAt(at) : undefined
    if (ordered) return ordered
    let next = at
    const [currency, afterCurrency] = this.#phraseAt(next, ({ roles }) => roles.has('currency'))
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
    const second = this.#rangeEndAt(to, comparison === 'between')
    if (second && (second.number.unit || second.number.isMoney || number.unit || number.isMoney || comparison === 'between')) {
      const unit = number.unit ?? second.number.unit
      Object.assign(number, { value2: second.number.value, comparison: 'between' }, unit && { unit })
      if (second.number.isMoney) number.isMoney = true
      to = second.to
    }
    const [after, end] = this.#phraseAt(to, ({ roles }) => roles.has('orMore') || roles.has('orLess'))
    const comparesNext = after && comparisonOf(after) !== undefined && this.#numberAt(end) !== undefined // "1000w max 200 dollars"
    if (after && !comparesNext && number.comparison === undefined && comparison === undefined) {
      number.comparison = after.roles.has('orMore') ? 'min' : 'max'
      to = end
    }
    return { from: at, to, number, isNegated: false }
  }

  /** "qty 12" */
  #orderedPiecesAt(at: number): Mention | undefined {
    const [phrase, next] = this.#phraseAt(at, ({ roles }) => roles.has('pieces'))
    const { number, to } = (phrase && this.#unitNumberAt(next)) ?? {}
    if (!number || to === undefined || number.unit || number.isMoney || !(number.value >= 1 && Number.isInteger(number.value)))
      return undefined
    return { from: at, to, number: { value: number.value, isQuantity: true }, isNegated: false }
  }

  /** The other end of a range: "- 600w", "to $300". */
  #rangeEndAt(at: number, isBetween: boolean): { number: AskedNumber; to: number } | undefined {
    const sign = this.#tokens[at]
    let next = at + 1
    if (sign?.text !== '-' && sign?.text !== '–') {
      const [to, end] = this.#phraseAt(at, ({ roles }) => roles.has('to'))
      if (!to || (sign?.text === 'and' && !isBetween)) return undefined
      next = end
    }
    const [currency, afterCurrency] = this.#phraseAt(next, ({ roles }) => roles.has('currency'))
    const found = this.#quantityAt(currency ? afterCurrency : next)
    return found && { number: { ...found.number, ...(currency && { isMoney: true as const }) }, to: found.to }
  }

  /** "cl30", "cl 30", "gen 4", "pcie 4.0" */
  #prefixedNumberAt(at: number): { number: AskedNumber; to: number } | undefined {
    const [, letters, digits] = this.#tokens[at]?.text.match(/^(\p{L}+)(\d+(?:\.\d+)?)$/u) ?? []
    const glued = letters === undefined ? undefined : this.#phrases.get(letters)
    if (glued && glued.numberPrefixes.length > 0) return { number: { value: Number(digits), prefix: glued.numberPrefixes }, to: at + 1 }
    const [phrase, to] = this.#phraseAt(at, ({ numberPrefixes }) => numberPrefixes.length > 0)
    const number = phrase && this.#tokens[to]?.text.match(/^\d+(?:\.\d+)?$/)
    return number ? { number: { value: Number(number[0]), prefix: phrase.numberPrefixes }, to: to + 1 } : undefined
  }

  /** "1.5k" of money, but not the "4k" of a resolution where no sign of a currency says so */
  #thousandsAt(at: number, isMoney: boolean): { number: AskedNumber; to: number } | undefined {
    const { text = '' } = this.#tokens[at] ?? {}
    const [, thousands] = text.match(/^(\d{1,3}(?:\.\d{1,2})?)k$/) ?? []
    const [, afterCurrency] = this.#phraseAt(at + 1, ({ roles }) => roles.has('currency'))
    if (thousands === undefined || (!isMoney && afterCurrency === at + 1 && this.#phrases.has(phraseKey(text)))) return undefined
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
    const [unit, to] = this.#phraseAt(
      at + 1,
      ({ numberUnits, roles }) => numberUnits.length > 0 || roles.has('pieces') || roles.has('currency'),
      letters,
    )
    const [said] = letters === '' ? this.#phraseAt(at + 1) : []
    if (said?.roles.has('inStock')) return { number: { value }, to: at + 1 } // "100 in stock" are no inches
    if (unit?.roles.has('currency')) return { number: { value, isMoney: true }, to }
    if (unit) return { number: { value, unit }, to }
    return letters === '' ? { number: { value }, to: at + 1 } : undefined
  }

  /**
   * The longest phrase that begins at a token.
   * @param start letters that the phrase begins with, before that token
   * @returns the phrase and the token after it
   */
  #phraseAt(at: number, isWanted: (phrase: Phrase) => boolean = () => true, start = ''): [Phrase | undefined, to: number] {
    let key = start
    let found: Phrase | undefined
    let to = at
    const first = start === '' ? undefined : this.#phrases.get(start)
    if (first && isWanted(first)) found = first
    for (let next = at; next < this.#tokens.length && next < at + maxPhraseTokens; next++) {
      const token = this.#tokens[next]
      if (!token || (start !== '' && !token.isGlued)) break
      const part = phraseKey(token.text)
      if (part === '') continue
      key += part
      const phrase = this.#phrases.get(key)
      if (phrase && isWanted(phrase)) [found, to] = [phrase, next + 1]
    }
    return [found, found ? to : at]
  }
}

/** Whether both are makers, or both values of one attribute. */
const isOfSameSort = (one: Phrase, other: Phrase): boolean =>
  other.brand !== undefined
    ? one.brand !== undefined
    : one.values.some(({ category, key }) => other.values.some((value) => value.category === category && value.key === key))

const comparisonRoleOrder: [Role, Comparison][] = [
  ['max', 'max'],
  ['min', 'min'],
  ['around', 'around'],
  ['between', 'between'],
]
const comparisonOf = ({ roles }: Phrase): Comparison | undefined => comparisonRoleOrder.find(([role]) => roles.has(role))?.[1]
