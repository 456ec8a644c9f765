import { gradeComparison, isComparison, oppositeGrades } from './grades.ts'
import { isMoreThanUnit, isOfSameSort, type Mention, meansTheSame } from './mention.ts'
import { NumberReader } from './number-reader.ts'
import { PhraseFinder } from './phrase-finder.ts'
import { phraseKey, type QuestionToken, questionTokens, textsOf, typedText } from './question-tokens.ts'
import { correctTypingErrors } from './typing-errors.ts'
import { comparisonRoles, type Phrase, type Vocabulary } from './vocabulary.ts'

type QuestionPieces = {
  tokens: QuestionToken[]
  mentions: Mention[]
  /** a mistyped word was taken for another */
  isCorrected: boolean
}

type PiecesContext = {
  vocabulary: Vocabulary
  isKnownWord(word: string): boolean
  isPartNumber(chunk: string): boolean
  /** whether a product has all of these words in its name */
  isInNames(words: string): boolean
}

/** Splits a question into its mentions, in one pass over its tokens. What is in no mention is a word to search for. */
export function readPieces(question: string, context: PiecesContext): QuestionPieces {
  const typed = questionTokens(question)
  const tokens = correctTypingErrors(typed, context.vocabulary, context.isKnownWord)
  const isCorrected = tokens.some((token, at) => token !== typed[at])
  return { tokens, mentions: new Reader(tokens, context).read(), isCorrected }
}

const joiningWords = new Set(['or', 'and', 'nor'])
const wordsThatDenyAll = new Set(['no', 'without', 'neither', 'ohne'])
/** "980" of "not samsung 980", "mx" of "without cherry mx", but neither "27" of "not dell 27" nor "2x16" of "no rgb 2x16" */
const isModelBehind = (text: string): boolean => /^(?!\d{1,2}$|\d+x\d+$)(?=.*\d)[\p{L}\d]{2,}$|^\p{L}{2}$/u.test(text)
/** "plus", "max", "stock": they compare or count only beside a number */
const isMereWord = ({ roles, ...phrase }: Phrase): boolean =>
  !isMoreThanUnit({ roles: new Set(), ...phrase }) && [...roles].every((role) => (mereRoles as readonly string[]).includes(role))
const mereRoles = [...comparisonRoles, 'exclusive', 'strict', 'stocked'] as const
/** A number of fewer digits names nothing. */
const leastDigitsOfName = 3
const longer = (one: Mention | undefined, other: Mention | undefined): Mention | undefined =>
  one && other ? (other.to > one.to ? other : one) : (one ?? other)
const wordsBeforeBut = new Set(['any', 'all', 'every', 'anything', 'everything'])
const maxAskedNames = 30
/** So many words after "without" are what is not wanted. */
const maxDeniedWords = 3

class Reader {
  readonly #tokens: QuestionToken[]
  readonly #phrases: Map<string, Phrase>
  readonly #finder: PhraseFinder
  readonly #numbers: NumberReader
  readonly #isPartNumber: (chunk: string) => boolean
  readonly #isInNames: (words: string) => boolean
  readonly #askedNames = new Map<string, boolean>()

  constructor(tokens: QuestionToken[], { vocabulary, isPartNumber, isInNames }: PiecesContext) {
    this.#tokens = tokens
    this.#isInNames = isInNames
    this.#phrases = vocabulary.phrases
    this.#finder = new PhraseFinder(tokens, vocabulary)
    this.#numbers = new NumberReader(tokens, this.#finder, vocabulary)
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
    const compared = this.#isMinusAt(at) ? this.#deniedAt(at, at + 1) : longer(this.#numbers.comparedNumberAt(at), this.#gradeAt(at))
    if (compared) return compared
    const [phrase, to] = this.#phraseBeforeComparisonAt(at)
    if (phrase && isComparison(phrase) && this.#numbers.namesMeasureAt(at)) return { from: at, to: at + 2, isNegated: false }
    const number = this.#numbers.numberAt(at)
    if (number && number.to > to) return number
    const isDenial = (phrase?.roles.has('without') && !phrase.kinds.length && !phrase.values.length) || this.#isExceptionAt(at)
    const behind = Math.max(to, at + 1)
    const [again, toAgain] = isDenial ? this.#finder.phraseAt(behind, ({ roles }) => roles.has('without')) : []
    const affirmed = again && toAgain !== undefined && again.values.length === 0 ? this.#mentionAt(toAgain) : undefined
    if (affirmed && !affirmed.isNegated) return { ...affirmed, from: at } // "not without rgb"
    const denied = isDenial ? longer(this.#deniedComparisonAt(at, behind), this.#deniedAt(at, behind)) : undefined
    if (denied) return denied
    if (!phrase) return number
    // "80+ gold" is no number: it may be one only if it is as long as the phrase.
    return { from: at, to, phrase, ...(number?.to === to && number.number && { number: number.number }), isNegated: false }
  }

  /** A denied range that has no opposite is what no filter can leave out: "not between 200 and 300". */
  #deniedComparisonAt(at: number, behind: number): Mention | undefined {
    const denied = this.#numbers.deniedComparisonAt(at, behind)
    const between = denied ? undefined : this.#numbers.comparedNumberAt(behind)
    return denied ?? (between && { from: at, to: between.to, isNegated: true })
  }

  /** The longest phrase at a token, but "fan" of "fan less than 20 dB", which is no fanless one. */
  #phraseBeforeComparisonAt(at: number): [Phrase | undefined, to: number] {
    const [phrase, to] = this.#finder.phraseAt(at)
    const isCut = to > at + 1 && this.#finder.phraseAt(to - 1, isComparison)[1] > to && this.#numbers.comparedNumberAt(to - 1)
    return isCut ? this.#finder.phraseAt(at, () => true, '', to - 1) : [phrase, to]
  }

  /** "gold or better", "at least wifi 6", "below gold": a value that the definitions rank, and what is better or worse. */
  #gradeAt(at: number): Mention | undefined {
    const [before, start] = this.#finder.phraseAt(at, isComparison)
    const [phrase, to] = this.#finder.phraseAt(start, ({ values }) => values.some(({ grades }) => grades !== undefined))
    if (!phrase) return undefined
    const [after, end] = this.#numbers.orAt(to)
    const isOfNext = after && !after.roles.has('orBetter') && this.#numbers.numberAt(end) // "gold min 650w"
    if (!before && (!after || isOfNext)) return undefined
    return { from: at, to: isOfNext ? to : end, phrase, isNegated: false, grade: gradeComparison(before, after) }
  }

  /** What is not wanted, behind "without" or a minus at the token `at`. */
  #deniedAt(at: number, behind: number): Mention | undefined {
    const from = this.#endOfFillersAt(behind)
    const graded = this.#gradeAt(from)
    const isCompared = this.#finder.phraseAt(from, isComparison)[0] !== undefined
    if (graded?.grade)
      // "no worse than gold" is gold or better
      return isCompared ? { ...graded, from: at, grade: oppositeGrades[graded.grade] } : { ...graded, from: at, isNegated: true }
    const [denied, to] = this.#finder.phraseAt(from)
    const isHint = denied?.kinds.length && !denied.values.length && denied.brand === undefined && denied.kinds.every((one) => one.isHint)
    const isFor = this.#tokens.slice(behind, from + 1).some(({ text }) => text === 'for')
    const deniesAll = wordsThatDenyAll.has(this.#tokens[at]?.text ?? '')
    const isSaidByNames = (end: number) => this.#tokens[at]?.isRun && this.#areInNames(typedText(this.#tokens, { from: at, to: end })) // "non modular"
    const unlessFor = (end: number, least?: number) => (isFor || isSaidByNames(end) ? { to: end } : this.#notInNames(from, end, least))
    if (isHint) return { from: at, isNegated: true, deniesAll, ...unlessFor(this.#endOfNameAt(to), this.#endOfNameAt(to)) } // "except ryzen 5"
    if (denied?.roles.has('inStock')) return { from: at, to: this.#endOfNameAt(to), isNegated: true }
    const line = denied && !isFor ? this.#endOfLineAt(from, to, denied) : to
    if (line > to) return { from: at, isNegated: true, ...this.#notInNames(from, line, to + 1, denied) }
    if (denied && (denied.values.length > 0 || denied.kinds.length > 0 || denied.brand !== undefined))
      return { from: at, isNegated: true, isFor, deniesAll, ...unlessFor(to, to), phrase: denied }
    const number = this.#numbers.numberAt(from)
    const isName = !number || (to - from < 2 && !number.number.unit && `${number.number.value}`.length >= leastDigitsOfName)
    const end = !number ? this.#endOfWordsAt(from) : number.number.unit ? number.to : this.#endOfNameAt(number.to)
    return end > from ? { from: at, isNegated: true, deniesAll, ...(isName ? unlessFor(end) : { to: end }) } : undefined
  }

  /**
   * What must not stand in names: of the tokens up to `to` the most that a name has, at least up to `least`; nothing if none has them.
   * @param maker whose line it is; then its own name stands for what was typed of it
   */
  #notInNames(from: number, to: number, least = from + 1, maker?: Phrase): Pick<Mention, 'to' | 'notInNames'> {
    for (let end = to; end >= least; end--) {
      if (this.#isHyphenAt(end) || this.#isHyphenAt(end - 1)) continue // not "i9" of "i9-14900k"
      const typed = typedText(this.#tokens, { from: maker?.brand === undefined ? from : least - 1, to: end })
      const notInNames = [maker?.brand ?? [], typed].flat().join(' ') // "Western Digital black" for "wd black"
      if (this.#areInNames(notInNames)) return { to: end, notInNames }
    }
    return { to }
  }

  /** Each is a search, so further ones are not looked for. */
  #areInNames(words: string): boolean {
    const known = this.#askedNames.get(words) ?? (this.#askedNames.size < maxAskedNames && this.#isInNames(words))
    this.#askedNames.set(words, known)
    return known
  }

  /** Behind the model or line of products that a denied maker or value begins: "980" of "not samsung 980", "vengeance" of "not corsair vengeance". */
  #endOfLineAt(from: number, to: number, { brand, values }: Phrase): number {
    const end = this.#endOfNameAt(to)
    if (end === to || (brand ?? values[0]) === undefined) return to
    const { text = '' } = this.#tokens[to] ?? {}
    const isSize = brand === undefined && /^\d+$/.test(text) // "120" of "without led 120"
    if (isModelBehind(text)) return isSize ? to : end
    return brand !== undefined && /^\p{L}/u.test(text) && this.#areInNames(textsOf(this.#tokens, { from, to: to + 1 }).join(' ')) ? end : to
  }

  /** Behind what says nothing before what is not wanted: "a" of "not a corsair", "from" of "not from dell". */
  #endOfFillersAt(at: number): number {
    for (let end = at; ; ) {
      const [phrase, to] = this.#finder.phraseAt(end)
      if (!phrase) return this.#tokens[end]?.isRun ? end : at
      if (phrase.values.length > 0 || phrase.kinds.length > 0 || phrase.brand !== undefined || phrase.nearest) return end
      if (!phrase.roles.has('filler') && !phrase.roles.has('between') && !phrase.roles.has('preposition')) return at
      end = to
    }
  }

  /** Behind the words and numbers from a token on that no phrase begins, and that measure nothing: "5" of "ryzen 5". */
  #endOfNameAt(at: number): number {
    let end = at
    while (end < at + maxDeniedWords && this.#tokens[end]?.isRun && !this.#finder.phraseAt(end, isMoreThanUnit)[0] && !this.#hasUnitAt(end))
      end++
    return this.#endOfCodeAt(end)
  }

  /** Behind what a hyphen joins to the token before: "14900k" of "i9-14900k". */
  #endOfCodeAt(at: number): number {
    let end = at
    while (this.#isHyphenAt(end)) end += 2
    return end
  }

  #isHyphenAt(at: number): boolean {
    const [sign, next] = [this.#tokens[at], this.#tokens[at + 1]]
    return sign?.text === '-' && !!sign.isGlued && !!next?.isGlued
  }

  #hasUnitAt(at: number): boolean {
    const { unit, prefix, isMoney, value = 0 } = this.#numbers.numberAt(at)?.number ?? {}
    const isPrefixed = prefix !== undefined && value < 100 // "cl30", but not "c920"
    return isPrefixed || (unit ?? isMoney) !== undefined
  }

  /** "but" of "any gpu but an asus" */
  #isExceptionAt(at: number): boolean {
    const isBehindAny = this.#tokens[at]?.text === 'but' && this.#tokens.slice(0, at).some(({ text }) => wordsBeforeBut.has(text))
    if (!isBehindAny || this.#finder.phraseAt(at + 1, ({ roles }) => roles.has('preposition') || roles.has('without'))[0]) return false
    const isKind = ({ kinds, roles }: Phrase) => kinds.length > 0 || roles.has('filler') // not "any ram 32gb but ddr5"
    return [1, 2, 3].some((length) => at >= length && this.#finder.phraseAt(at - length, isKind, '', at)[1] === at)
  }

  /** Whether a minus that begins a word is at the token: "-asus", but not "usb-c" or "500-600". */
  #isMinusAt(at: number): boolean {
    const [sign, next] = [this.#tokens[at], this.#tokens[at + 1]]
    return sign?.text === '-' && !sign.isGlued && !!next?.isGlued && /^\p{L}{2}/u.test(next.text)
  }

  /** What is not wanted either: "evga" of "not corsair or evga", of the same sort as what stands before, or "lighting" of "no rgb lighting". */
  #alsoDeniedAt(at: number, before: Mention | undefined): Mention | undefined {
    if (!before?.isNegated || before.to !== at) return undefined
    const text = this.#tokens[at]?.text ?? ''
    const isJoined = joiningWords.has(text)
    const endOfWords = isJoined && text !== 'and' && before.notInNames !== undefined ? this.#endOfWordsAt(at + 1) : at
    if (endOfWords > at + 1) {
      const further = this.#notInNames(at + 1, endOfWords) // "pro" of "not evo or pro"
      return further.notInNames === undefined ? undefined : { from: at, isNegated: true, ...further }
    }
    const isBehindLine = !before.phrase && isJoined && text !== 'and' && before.notInNames !== undefined // "not asus tuf or msi"
    if (!before.phrase && !isBehindLine) return undefined
    const start = isJoined ? this.#endOfFillersAt(at + 1) : at
    const [phrase, to] = this.#finder.phraseAt(start)
    if (!phrase) return undefined
    const { phrase: first } = before
    if (first) {
      const areKinds = isJoined && first.kinds.length > 0 && phrase.kinds.length > 0 // "case without psu and fans"
      const isOfAll =
        before.deniesAll && (areKinds || (text !== 'and' && isJoined && (phrase.values.length > 0 || phrase.brand !== undefined)))
      const isListed = isOfSameSort(phrase, first) && (isJoined || phrase.brand !== undefined || this.#isListedAt(to, before))
      if (!isOfAll && !isListed && !(!isJoined && meansTheSame(phrase, first))) return undefined
    } else if (phrase.brand === undefined) return undefined
    const isSize = /^\d+$/.test(this.#tokens[to]?.text ?? '') // "850" of "not corsair or evga 850"
    const line = isSize ? to : this.#endOfLineAt(start, to, phrase)
    if (line > to) return { from: at, isNegated: true, ...this.#notInNames(start, line, to + 1, phrase) } // "asus tuf" of "not msi or asus tuf"
    const inNames = before.notInNames === undefined ? {} : this.#notInNames(start, to, to) // "green" of "not blue or green"
    return { from: at, ...inNames, to, phrase, isNegated: true, ...(before.deniesAll && { deniesAll: true }) }
  }

  /** Whether another of the sort follows: "or grey" behind "not black, white". */
  #isListedAt(at: number, { phrase: before }: Mention): boolean {
    const isJoined = joiningWords.has(this.#tokens[at]?.text ?? '')
    const [phrase] = this.#finder.phraseAt(isJoined ? at + 1 : at)
    return !!phrase && !!before && isOfSameSort(phrase, before)
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
      const [phrase] = this.#finder.phraseAt(end)
      const isFirst =
        end === at && (phrase?.roles.has('preposition') || (phrase && isMereWord(phrase) && !this.#numbers.namesMeasureAt(at))) // "max" of "not max"
      if ((phrase && !phrase.nearest && !isFirst) || this.#numbers.numberAt(end)) break
      end++
    }
    return end > at ? this.#endOfCodeAt(end) : end
  }
}
