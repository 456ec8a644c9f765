import type { NumberMention } from './asked-number.ts'
import type { PhraseFinder } from './phrase-finder.ts'
import type { QuestionToken } from './question-tokens.ts'
import type { Vocabulary } from './vocabulary.ts'

/* Amounts of money that are for all pieces, said without a comparison. */

type NumberAt = (at: number, comparison?: 'max' | 'between') => NumberMention | undefined

/** "budget of 1500", "total under 1500", "budget 1500 for 10 monitors", "8 ssds budget 1500"; "budget 4060" alone is an order and a name. */
export function budgetAt(tokens: QuestionToken[], finder: PhraseFinder, numberAt: NumberAt, at: number): NumberMention | undefined {
  const [budget, next] = finder.phraseAt(at, ({ roles }) => roles.has('budget') || roles.has('total'))
  if (!budget) return undefined
  const [filler, afterFiller] = finder.phraseAt(next, ({ roles }) => roles.has('filler'))
  const start = filler ? afterFiller : next
  const [limit, afterLimit] = finder.phraseAt(start, ({ roles }) => roles.has('max') || roles.has('between') || roles.has('around'))
  const place = limit ? afterLimit : start
  const range = numberAt(place, 'between')
  const found = range?.number.value2 === undefined ? numberAt(place, 'max') : range
  if (!found || found.number.unit || found.number.prefix) return undefined
  const [behind] = finder.phraseAt(found.to)
  if (!found.number.isMoney && behind?.kinds.length && !budget.roles.has('budget')) return undefined // "in total 10 monitors"
  const isPhrase = next > at + 1 // "my budget 500"
  const isKindAt = (place: number) => finder.phraseAt(place, ({ kinds }) => kinds.some(({ isHint }) => !isHint), '', at)[0] !== undefined
  const isBehindKind = budget.roles.has('budget') && tokens.slice(0, at).some((_, place) => isKindAt(place))
  const isBeforePieces = behind?.roles.has('preposition') && /^\d+$/.test(tokens[found.to + 1]?.text ?? '')
  const isEach = isOfEach(tokens, found.to)
  if (!found.number.isMoney && !filler && !limit && !isPhrase && !isBehindKind && !isBeforePieces && !isEach) return undefined
  const comparison = limit?.roles.has('around') ? 'around' : 'max'
  return {
    ...found,
    from: at,
    to: endOfEachAt(tokens, found.to),
    number: { comparison, ...found.number, isMoney: true, ...(isEach ? { isEach } : { isTotal: true as const }) },
  }
}

/** "for $2000", "for 300" at the end: the price of all pieces that are needed. But "for $30 each" is that of one, and "for 4090" a model. */
export function amountForAt(
  tokens: QuestionToken[],
  finder: PhraseFinder,
  numberAt: NumberAt,
  { at, vocabulary }: { at: number; vocabulary: Vocabulary },
): NumberMention | undefined {
  const found = tokens[at]?.text === 'for' ? numberAt(at + 1) : undefined
  if (!found) return undefined
  const { number, to } = found
  const isEach = isOfEach(tokens, to)
  const [most, end] = finder.phraseAt(to, ({ roles }) => roles.has('total') || roles.has('orLess'))
  const { value, comparison, isMoney, ...more } = number
  const isMost = most !== undefined || comparison === 'max' || isMoney // "for 2000 total", "for 2000 max"
  const isBare = Object.keys(more).length === 0 && (to === tokens.length || isEach || (isMost && (most ? end : to) === tokens.length))
  if (!number.isMoney && !(isBare && isAmount(number.value, vocabulary))) return undefined
  return {
    ...found,
    from: at,
    to: isMost && most ? end : endOfEachAt(tokens, to),
    number: { comparison: 'max', ...number, isMoney: true, ...(isEach ? { isEach } : { isTotal: true as const }) },
  }
}

/** Smaller numbers are counts, those that name a product are models, and those of four digits, too, unless they are as round as "5000". */
function isAmount(value: number, { namingNumbers }: Vocabulary): boolean {
  const isNaming = () => [...namingNumbers.values()].some((numbers) => numbers.has(`${value}`))
  return value >= 20 && (value % 500 === 0 || (value < 1000 && (value % 5 === 0 || value % 10 === 9) && !isNaming()))
}

const wordsForEach = new Set(['each', 'apiece', 'ea', 'piece', 'unit', 'pc'])
/** Behind "each", "a piece"; `at` if nothing like it is there. */
function endOfEachAt(tokens: QuestionToken[], at: number): number {
  const place = ['a', 'per'].includes(tokens[at]?.text ?? '') ? at + 1 : at
  return wordsForEach.has(tokens[place]?.text ?? '') ? place + 1 : at
}
const isOfEach = (tokens: QuestionToken[], at: number): boolean => tokens[at]?.text === 'per' || endOfEachAt(tokens, at) > at
