import { formatNumber } from '#shared/format-number.ts'
import { Notice } from '#web/notice.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { QuestionNotes as Notes } from './describe-question.ts'
import { productsUrlWithParams } from './search-url.ts'

/** How the question was taken, and what comes near to it. */
export function QuestionNotes({ notes: { message, nearest } }: { notes: Notes }) {
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
    </>
  )
}
