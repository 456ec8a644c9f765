import { formatNumber } from '#shared/format-number.ts'
import { Notice } from '#web/notice.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { QuestionNotes as Notes } from './describe-question.ts'
import { productsUrlWithParams } from './search-url.ts'

/** How the question was taken, with the ways out. */
export function QuestionNotes({ search, notes: { message, nearest, isReadAsFilters } }: { search: URLSearchParams; notes: Notes }) {
  return (
    <>
      {message && <Notice kind="info">{message}</Notice>}
      {nearest.length > 0 && (
        <ul aria-label="The nearest categories" className="flex flex-wrap gap-x-4">
          {nearest.map(({ key, label, count }) => (
            <li key={key}>
              <TextLink to={productsUrlWithParams(new URLSearchParams(), { category: key })} className="inline-flex min-h-8 items-center">
                {label} ({formatNumber(count)})
              </TextLink>
            </li>
          ))}
        </ul>
      )}
      {isReadAsFilters && (
        <p className="text-sm">
          <TextLink to={productsUrlWithParams(search, { read: 'no' })} className="inline-flex min-h-8 items-center">
            Search for the words "{search.get('q')}" instead
          </TextLink>
        </p>
      )}
    </>
  )
}
