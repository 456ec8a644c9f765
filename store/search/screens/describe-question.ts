import { storeCurrency } from '#shared/currency.ts'
import type { SearchResponse } from '#store/search/contract.ts'

/** What there is to say of how a question was taken. */
export type QuestionNotes = {
  /** what a visitor is told of it */
  message: string | undefined
  /** categories that come near, where the store has nothing of what was asked for */
  nearest: SearchResponse['nearest']
  /** whether the question can be asked as plain words instead */
  isReadAsFilters: boolean
}

/** How a question was taken, where that is not plain: near matches, words left out, filters that exclude each other, and while the search starts. */
export function describeQuestion(q: string, answer: SearchResponse): QuestionNotes | undefined {
  const { contradiction, nearest, understood } = answer
  const message = describeAnswer(q, answer)
  const isReadAsFilters = understood.length > 0 || contradiction || nearest.length > 0
  if (message === undefined && !isReadAsFilters) return undefined
  return { message, nearest, isReadAsFilters }
}

function describeAnswer(
  q: string,
  { unread, exact, left_out, not_excluded, not_counted, either, other_currency, as_words, contradiction, nearest, total }: SearchResponse,
): string | undefined {
  if (unread) return 'The search is starting and takes questions as plain words for some seconds. Ask again for all that fits.'
  if (contradiction) return `"${q}" leaves nothing: its limits exclude each other. Take one of them away.`
  if (nearest.length > 0) return `We have no such products as "${q}". These categories come nearest:`
  if (total === 0) return undefined
  const howNear =
    left_out.length > 0
      ? `Nothing has ${listed(left_out)} with the rest of "${q}". These have the rest.`
      : !exact
        ? `No exact match for "${q}". These come near.`
        : as_words && `Nothing fits "${q}" as filters. These have its words.`
  const notes = [
    howNear,
    not_excluded.length > 0 && `The search cannot leave out what is meant by ${listed(not_excluded)}: some of these may have it.`,
    not_counted.length > 0 && `The search cannot count what is meant by ${listed(not_counted)}: some of these may have fewer.`,
    either && 'Of several values of one filter these have one, and not always all.',
    other_currency !== null && `Prices are in ${storeCurrency().code.toUpperCase()}: "${other_currency}" was taken for it.`,
  ].filter((one) => one !== false)
  return notes.length > 0 ? notes.join(' ') : undefined
}

const listed = (words: string[]) => words.map((word) => `"${word}"`).join(' and ')
