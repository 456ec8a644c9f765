import { questionWords } from '#store/catalogue/definitions/question-words.ts'
import type { AskedNumber } from './asked-number.ts'
import type { Mention } from './mention.ts'
import type { QuestionToken } from './question-tokens.ts'
import type { Phrase, Vocabulary } from './vocabulary.ts'

/** How many products a category or, if undefined, the shop has: all, with a word in the name or part number, or with a number of an attribute. */
export type CountProducts = (category: string | undefined, having?: { word: string } | { key: string; min: number; max: number }) => number

type QuantityContext = { category: string | undefined; vocabulary: Vocabulary; countProducts: CountProducts }

/** With the price of each piece where the question says that of all: "10 monitors under 2000 total", "$1500 for 10 monitors". */
export function shareTotals(mentions: Mention[], chosenPieces: number | undefined): Mention[] {
  const at = mentions.findIndex(({ number }) => number && isPieces(number))
  const pieces = chosenPieces ?? mentions[at]?.number?.value ?? 1
  const beforePieces = mentions[at - 1]?.phrase?.roles.has('preposition') ? mentions[at - 2] : undefined
  const priceBefore = beforePieces?.number && isPrice(beforePieces.number) ? beforePieces : undefined
  return mentions.map((mention) => {
    const { number } = mention
    const isTotal = number?.isTotal ?? mention === priceBefore
    if (!number || !isTotal) return mention
    const value2 = number.value2 === undefined ? {} : { value2: number.value2 / pieces }
    return { ...mention, number: { ...number, isMoney: true, value: number.value / pieces, ...value2 } }
  })
}

const isPieces = ({ isQuantity, unit, value }: AskedNumber): boolean =>
  (isQuantity || !!unit?.roles.has('pieces')) && Number.isInteger(value) && value >= 1

/** Whether a number before a number of pieces is a price: "$1500", "no more than 3000". */
const isPrice = ({ isMoney, isEach, comparison, unit, prefix, measure }: AskedNumber): boolean =>
  !isEach && (!!isMoney || (comparison !== undefined && !unit && !prefix && !measure))

const maxQuantity = 100_000
/** A figure that fewer of a kind have is rather a number of pieces, where people order so many. */
const minFigureShare = 1 / 20

/** Marks the number of pieces that are needed, at the start of a question or, with an x before it, at its end. */
export const markPiecesNeeded = (tokens: QuestionToken[], mentions: Mention[], context: QuantityContext): Mention[] =>
  markTimesAtEnd(tokens, markLeadingQuantity(tokens, mentions, context), context)

/**
 * "ddr5 32gb x 10", "ryzen 5 3600 x10", "hdd 4tb x4", but neither lanes ("pcie x16", "gen4 x 4") nor a size ("120mm x 25", "1920 x 1080"), nor
 * where a name has it.
 */
function markTimesAtEnd(tokens: QuestionToken[], mentions: Mention[], { category, countProducts }: QuantityContext): Mention[] {
  const { text: last = '' } = tokens.at(-1) ?? {}
  const isApart = tokens.at(-2)?.text === 'x'
  const [, digits] = last.match(isApart ? /^(\d{1,6})$/ : /^x(\d{1,6})$/) ?? []
  const from = tokens.length - (isApart ? 2 : 1)
  const before = tokens[from - 1]?.text ?? ''
  const quantity = Number(digits)
  if (digits === undefined || before === '' || quantity < 1 || quantity > maxQuantity) return mentions
  if (mentions.some(({ number }) => number?.isQuantity) || sizePattern.test(before) || (isModelNumber(before) && quantity > 100))
    return mentions
  if (isLanes(quantity) && lanesBehindPattern.test(before)) return mentions
  const behind = mentions.find(({ to }) => to === from)
  const isBehindKindOrMeasure = behind?.number?.unit !== undefined || behind?.phrase?.kinds.some(({ isHint }) => !isHint)
  if (!isApart && !isBehindKindOrMeasure && (isLanes(quantity) || countProducts(category, { word: last }) > 0)) return mentions
  const kept = mentions.filter(({ to }) => to <= from)
  return [...kept, { from, to: tokens.length, number: { value: quantity, isQuantity: true }, isNegated: false }]
}

const sizePattern = /^\d{1,3}(?:\.\d+)?(?:mm|cm|in)?$/
const isModelNumber = (text: string): boolean => /^\d+$/.test(text)
/** The word before a number of lanes: "pcie x16", "pci-e x 4", "gen4 x4", "pcie 4.0 x4". */
const lanesBehindPattern = /^(?:pcie?|express|e|gen\d?|[3-6]\.0|m\.?2|nvme|slots?)$/
/** Numbers of lanes of a slot, of which boards and cards are told by "x16". */
const isLanes = (quantity: number): boolean => [1, 2, 4, 8, 16, 32].includes(quantity)

/**
 * Marks a number at the start of a question as the number of pieces that are needed: "50 hdmi cables", "20 x mouse".
 *
 * It is one before the plural of the category's name, or with an x before its singular, too; words may stand between, but no preposition. Up
 * to fifty it is one also right before the singular, where people order so many: "5 ssd 1tb", but not "60 keyboard".
 * A unit, a comparison or a phrase such as "2 fans" keeps the number, and so does a name with its x: "5800x processors". Without an x it
 * also stays what it is
 * - if a product of the category has it as one word with the next, or the next is something that is counted in a product: "61 key keyboards";
 * - if the value of an attribute that names products has it, from three digits: "550 graphics cards";
 * - if the category reads it as a figure, which one in twenty of its products have: "27 monitors", but not "20 monitors";
 * - if nobody orders just so many, and any product has the figure, or from three digits a name with it: "980 drives", but not "100 mice".
 */
function markLeadingQuantity(tokens: QuestionToken[], mentions: Mention[], context: QuantityContext): Mention[] {
  const from = placeAfterFillers(mentions)
  const at = mentions.findIndex((mention) => mention.from === from)
  const first = mentions[at]
  const [, digits, isTimes] = tokens[from]?.text.match(/^(\d{1,6})(x?)/) ?? []
  const quantity = Number(digits)
  if (digits === undefined || quantity < 1 || quantity > maxQuantity) return mentions
  const mark = (to: number): Mention => ({ from, to, number: { value: quantity, isQuantity: true }, isNegated: false })

  const hasTimesBehind = tokens[from + 1]?.text === 'x'
  const isWhole = tokens[from]?.text === `${digits}${isTimes}`
  const to = from + (hasTimesBehind ? 2 : 1)
  const isName = () => !isLikelyTimes(quantity) || context.countProducts(context.category, { word: `${digits}x` }) > 0
  const marked = () => [...mentions.filter((mention) => mention.to <= from), mark(to), ...mentions.filter((mention) => mention.from >= to)]
  // "10 x ryzen 5 3600", "5 x 9800x3d" and "20x arctic p12" name what is wanted without the kind; "10 x 20 mm" is a size
  const isBeforeName = isWhole && (!first || isBareNumber(first)) && /^(?:\p{L}{2}|\d{3,}\p{L})/u.test(tokens[to]?.text ?? '')
  if (isBeforeName && (hasTimesBehind || (isTimes !== '' && context.category === undefined && !isName()))) return marked()
  if (context.category === undefined) return mentions
  const { category } = context

  if (first?.number?.pieces !== undefined) {
    // "2x 1tb ssd": two of something that does not consist of pieces
    const { pieces: _, ...number } = first.number
    const isOfPieces = number.unit?.numberUnits.some((one) => one.category === category && one.attribute.asked?.perPieceOf)
    if (first.phrase || isOfPieces || !kindAfter(first, mentions, tokens, category, true)) return mentions
    return mentions.toSpliced(at, 1, mark(from), { ...first, number })
  }
  if (!isWhole) return mentions
  const isExplicit = isTimes !== '' || hasTimesBehind
  if (first ? !isBareNumber(first) : !isExplicit) return mentions
  if (isTimes !== '' && isName()) return mentions
  const kind = kindAfter({ to }, mentions, tokens, category, isExplicit) ?? (isFew(quantity) ? kindAt(to, mentions, category) : undefined)
  if (!kind) return mentions
  const nextWord = kind.from > to ? tokens[to]?.text : undefined
  if (!isExplicit && isFigureOrName(quantity, nextWord, { ...context, category })) return mentions
  return marked()
}

function placeAfterFillers(mentions: Mention[]): number {
  let place = 0
  for (const { from, to, phrase, number } of mentions) {
    if (from !== place || !((number && isPrice(number)) || phrase?.roles.has('filler') || phrase?.roles.has('preposition'))) break
    place = to
  }
  return place
}

const isBareNumber = ({ from, to, phrase, number }: Mention): boolean =>
  to === from + 1 && !phrase && number !== undefined && Object.keys(number).join() === 'value'

/** Words that end so are plurals, or have none of their own ("chassis"). */
const pluralPattern = /(?:s|mice)$/

/** The name of the category in the plural, before any preposition. */
function kindAfter(
  { to }: Pick<Mention, 'to'>,
  mentions: Mention[],
  tokens: QuestionToken[],
  category: string,
  isAnyNumber: boolean,
): Mention | undefined {
  for (const mention of mentions) {
    if (mention.from < to || mention.isNegated) continue
    if (mention.phrase?.roles.has('preposition')) return undefined
    if (!isNameOf(mention.phrase, category)) continue
    if (isAnyNumber || pluralPattern.test(tokens[mention.to - 1]?.text ?? '')) return mention
  }
  return undefined
}

/** The name of the category at this token. */
const kindAt = (place: number, mentions: Mention[], category: string): Mention | undefined =>
  mentions.find(({ from, phrase, isNegated }) => from === place && !isNegated && isNameOf(phrase, category))

const isNameOf = (phrase: Phrase | undefined, category: string): boolean =>
  !!phrase?.kinds.some((kind) => kind.category === category && !kind.isHint && !kind.isWeak)

const isFew = (quantity: number): boolean => quantity <= 50 && isRound(quantity)

/** Whether people order in such numbers: a dozen and less, fives, from a hundred fifties, from a thousand thousands. */
const isRound = (quantity: number): boolean => quantity <= 12 || quantity % (quantity < 100 ? 5 : quantity < 1000 ? 50 : 1000) === 0

/** Whether "5x" is five times and not, as "5800x", a name that the shop may lack. */
const isLikelyTimes = (quantity: number): boolean => quantity < 1000 || isRound(quantity)

function isFigureOrName(
  quantity: number,
  nextWord: string | undefined,
  { category, vocabulary, countProducts }: QuantityContext & { category: string },
): boolean {
  if (
    nextWord !== undefined &&
    (questionWords().counted.includes(nextWord) || countProducts(category, { word: `${quantity}${nextWord}` }) > 0)
  )
    return true
  if (vocabulary.namingNumbers.get(category)?.has(`${quantity}`)) return true
  const figures = (vocabulary.bareNumbers.get(category) ?? []).map(({ attribute: { key, asked } }) => {
    const [least = 1, most = 0] = asked?.bare ?? []
    const tolerance = asked?.tolerance ?? 0
    return quantity < least || quantity > most ? 0 : countProducts(category, { key, min: quantity - tolerance, max: quantity + tolerance })
  })
  const withFigure = Math.max(0, ...figures)
  if (isRound(quantity)) return withFigure > 0 && withFigure >= minFigureShare * countProducts(category)
  return withFigure > 0 || (quantity >= 100 && countProducts(category, { word: `${quantity}` }) > 0)
}
