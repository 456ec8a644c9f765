import { formatNumber } from '#shared/format-number.ts'
import { Notice } from '#web/notice.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { QuestionNotes as Notes } from './search-by-url.ts'
import { productsUrlWithParams } from './search-url.ts'

type QuestionNotesProps = { search: URLSearchParams; notes: Notes; total: number }

/** How the question was taken, where that is not plain: near matches, words left out, filters that exclude each other. */
export function QuestionNotes({ search, notes, total }: QuestionNotesProps) {
  const q = search.get('q') ?? ''
  const message = describeNotes(q, notes, total)
  return (
    <>
      {message && <Notice kind="info">{message}</Notice>}
      {notes.nearest.length > 0 && (
        <ul aria-label="The nearest categories" className="flex flex-wrap gap-x-4">
          {notes.nearest.map(({ key, label, count }) => (
            <li key={key}>
              <TextLink to={productsUrlWithParams(new URLSearchParams(), { category: key })} className="inline-flex min-h-8 items-center">
                {label} ({formatNumber(count)})
              </TextLink>
            </li>
          ))}
        </ul>
      )}
      {(notes.isUnderstood || notes.contradiction) && (
        <p className="text-sm">
          <TextLink to={productsUrlWithParams(search, { read: 'no' })} className="inline-flex min-h-8 items-center">
            Search for the words "{q}" instead
          </TextLink>
        </p>
      )}
    </>
  )
}

function describeNotes(q: string, { exact, left_out, as_words, contradiction, nearest }: Notes, total: number): string | undefined {
  if (contradiction) return `"${q}" leaves nothing: its limits exclude each other. Take one of them away.`
  if (nearest.length > 0) return `We have no such products as "${q}". These categories come nearest:`
  if (total === 0) return undefined
  if (left_out.length > 0) return `Nothing has ${listed(left_out)} with the rest of "${q}". These have the rest.`
  if (!exact) return `No exact match for "${q}". These come near.`
  if (as_words) return `Nothing fits "${q}" as filters. These have its words.`
  return undefined
}

const listed = (words: string[]) => words.map((word) => `"${word}"`).join(' and ')
