import { normalizeText } from '../tokens.ts'

/** A run of letters and digits, or a sign that can mean something in a question. */
export type QuestionToken = {
  /** lower case, without accents */
  text: string
  isRun: boolean
  /** there is no space before it */
  isGlued: boolean
  /** the text between spaces that it is part of */
  chunk: string
}

/** Further tokens of a question are ignored. */
const maxTokens = 64

const tokenPattern = /(?:\d+(?:\.\d+)+|[\p{L}\p{N}])+|[<>=]+|''|[$€£+~"″”%-]/gu
const runPattern = /^[\p{L}\p{N}]/u
const groupedNumberPattern = /(?<![\d.,])([$€£] ?)?(\d{1,3})((?:,\d{3})+)(?!\d)( ?[$€£])?/g
/** As it is written where the comma stands before cents: "1.250 €", "1.000 - 2.500 €". Of anything but money "1.250" is a decimal. */
const moneyGroupedByDotsPattern =
  /(?<![\d.,])(?:[$€£] ?[1-9]\d{0,2}(?:\.\d{3})+(?![.,]?\d)|[1-9]\d{0,2}(?:\.\d{3})+(?=(?: ?- ?[1-9]\d{0,2}(?:\.\d{3})+)? ?(?:[$€£]|eur|usd|dollar)))/g

/** Signs that stand for what is typed more often. */
const sameSigns: [RegExp, string][] = [
  [/≥/g, '>='],
  [/≤/g, '<='],
  [/[×✕]/g, 'x'],
  [/[—–‒−]/g, '-'],
  [/\bw\/o\b/g, 'without'],
  [/\bw\/(?!m?k\b)/gu, 'with '],
]
/** "31,5 inch", "99,99", "1.250,50 euro": a comma before one digit, or before two at the end of an amount. */
const decimalCommaPattern = /(?<![\d.,])(\d{1,3}(?:\.\d{3})+|\d+),(?=\d(?![\d,.k])|(?:99|95|90|00)(?![\d,.])|\d\d ?(?:[$€£]|eur|tb|ghz))/g

/** "1.000 gb": nobody types three zeros behind a decimal point. */
const thousandsByDotsPattern = /(?<![\d.,])[1-9]\d{0,2}(?:\.000)+(?![\d.,]*\d)/g

/** "$1,250" is one number, and "12,000 rpm", "1.250 euro" and "1.000 gb"; "120,140 mm" are two sizes. */
const withoutThousandsSeparators = (question: string): string =>
  question
    .replace(decimalCommaPattern, (_, digits: string) => `${digits.replaceAll('.', '')}.`)
    .replace(groupedNumberPattern, (grouped, signBefore, first: string, rest: string, signAfter) =>
      signBefore || signAfter || first.length < 3 || /^(,000)+$/.test(rest) ? grouped.replaceAll(',', '') : grouped,
    )
    .replace(moneyGroupedByDotsPattern, (grouped) => grouped.replaceAll('.', ''))
    .replace(thousandsByDotsPattern, (grouped) => grouped.replaceAll('.', ''))

export const textsOf = (tokens: QuestionToken[], { from, to }: { from: number; to: number }): string[] =>
  tokens.slice(from, to).map(({ text }) => text)

/** The tokens as they were typed: "nh-d15". */
export const typedText = (tokens: QuestionToken[], { from, to }: { from: number; to: number }): string =>
  tokens
    .slice(from, to)
    .map(({ text, isGlued }) => (isGlued ? text : ` ${text}`))
    .join('')
    .trim()

export function questionTokens(question: string): QuestionToken[] {
  const tokens: QuestionToken[] = []
  const text = sameSigns.reduce((rest, [sign, same]) => rest.replace(sign, same), normalizeText(question))
  for (const [chunk] of withoutThousandsSeparators(text).matchAll(/[^\s,;()[\]{}|]+/g)) {
    let isGlued = false
    for (const [text] of chunk.matchAll(tokenPattern)) {
      tokens.push({ text, isRun: runPattern.test(text), isGlued, chunk })
      if (tokens.length === maxTokens) return tokens
      isGlued = true
    }
  }
  return tokens
}

/** A question that is one code typed in two, in one piece: "lga 1851" is "lga1851". Undefined if it is anything else. */
export const joinCode = (question: string): string | undefined =>
  /^\s*\p{L}{2,8}\s+\d{1,5}\s*$/u.test(question) ? question.replace(/\s+/g, '') : undefined

const inchSigns = /["″”]|''/g

/** A phrase as the vocabulary has it: without spaces, dashes and dots that are not decimal points, and "in" for the sign of inches. */
export const phraseKey = (text: string): string =>
  normalizeText(text)
    .replace(inchSigns, 'in')
    .replace(/(?<!\d)\.|\.(?!\d)|[^\p{L}\p{N}.+%<>=$€£~]/gu, '')

/** The words at these places. A single letter says something only with the word before it: "usb-c", "usb c". */
export function wordsAt(tokens: QuestionToken[], places: number[]): string[] {
  const words: string[] = []
  let before = -1
  for (const at of places) {
    const { text = '', isGlued } = tokens[at] ?? {}
    const hasWordBefore = words.length > 0 && tokens.slice(before + 1, at).every(({ isRun }) => !isRun)
    if (/^\p{L}$/u.test(text) && hasWordBefore) words.push(`${words.pop()}${isGlued ? '-' : ' '}${text}`)
    else words.push(text)
    before = at
  }
  return words
}

/** Whether words are numbers that name nothing: "2" of "2 gpus" says how many, while "5" of "ryzen 5" says which. */
export const areCounts = (words: string[]): boolean => words.every((word) => /^\d{1,2}$/.test(word))
