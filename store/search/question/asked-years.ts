import type { NumberMention } from './asked-number.ts'
import type { PhraseFinder } from './phrase-finder.ts'
import type { QuestionToken } from './question-tokens.ts'

/** A number like these behind "from" is a year, unless a unit follows. */
const yearPattern = /^(?:19[89]|20[0-3])\d$/
/** "from 2000" is rather a price or a measure. */
const wholeCentury = 100

/** The years of release that a question asks for: "from 2020 to 2023", "from 2022 on", "launched in 2024 or 2025", "2020-2022". */
export function yearsAt(tokens: QuestionToken[], finder: PhraseFinder, at: number): NumberMention | undefined {
  const [before, start] = finder.phraseAt(at, ({ roles }) => roles.has('between') || roles.has('inYear'))
  const value = yearAt(tokens, finder, start)
  if (value === undefined) return undefined
  const end = start + 1
  const mention = (to: number, number: object): NumberMention => ({
    from: at,
    to,
    number: { value, isYear: true, ...number },
    isNegated: false,
  })
  const [to, behindTo] = finder.phraseAt(end, ({ roles }) => roles.has('to'))
  const isDash = tokens[end]?.text === '-'
  const place = isDash || (before && tokens[end]?.text === 'or') ? end + 1 : before && to ? behindTo : undefined
  const value2 = place === undefined ? undefined : yearAt(tokens, finder, place)
  if (place !== undefined && value2 !== undefined) return mention(place + 1, { comparison: 'between', value2 })
  if (!before?.roles.has('inYear') && value % wholeCentury === 0) return undefined
  const [onwards, behind] = finder.phraseAt(end, ({ roles }) => roles.has('orMore') || (!!before && roles.has('onwards')))
  if (onwards) return mention(behind, { comparison: 'min' })
  if (!before) return undefined
  return mention(end, { comparison: 'between', value2: value })
}

function yearAt(tokens: QuestionToken[], finder: PhraseFinder, at: number): number | undefined {
  const text = tokens[at]?.text ?? ''
  const [unit] = finder.phraseAt(at + 1, ({ numberUnits, roles }) => numberUnits.length > 0 || roles.has('currency') || roles.has('pieces'))
  return yearPattern.test(text) && !unit ? Number(text) : undefined
}
