import type { UnderstoodPiece } from '#store/search/contract.ts'
import { Icon } from '#web/icon.tsx'
import { Link } from '#web/link.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { QuestionNotes as Notes } from './describe-question.ts'
import type { AppliedFilter } from './list-applied-filters.ts'
import { QuestionNotes } from './question-notes.tsx'
import { productsUrlWithParams } from './search-url.ts'

/** Each link contains all other filters, so the page size would grow with the square of their number. */
const maxLinks = 12

type AppliedFiltersProps = {
  search: URLSearchParams
  filters: AppliedFilter[]
  /** what the question was read as, also a category and an order: each is taken off as a whole */
  understood: UnderstoodPiece[]
  /** the query as it was typed */
  typed: URLSearchParams
  questionNotes: Notes | undefined
}

/** The applied filters, and how the question was taken. In a chunk of its own, because many lists have neither. */
export function AppliedFilters({ typed, questionNotes, ...chips }: AppliedFiltersProps) {
  return (
    <>
      <FilterChips {...chips} typed={questionNotes?.isReadAsFilters ? typed : undefined} />
      {questionNotes && <QuestionNotes notes={questionNotes} />}
    </>
  )
}

type FilterChipsProps = Pick<AppliedFiltersProps, 'search' | 'filters' | 'understood'> & {
  /** the query as it was typed, where it was read as filters: it can be searched for as words instead */
  typed: URLSearchParams | undefined
}

/** The applied filters and the words of a question that are none, each with a link that removes it. Removing all keeps search text and category. */
function FilterChips({ search, filters, understood, typed }: FilterChipsProps) {
  const others = filters.filter(({ name, value }) => !understood.some(({ params }) => includes(params, { name, value })))
  const words = typed && search.get('q')
  const wordsOfQuestion = words ? [{ label: `Words: ${words}`, params: [{ name: 'q', value: words }] }] : []
  const chips = [...understood, ...wordsOfQuestion, ...others.map(({ label, ...param }) => ({ label, params: [param] }))]
  if (chips.length === 0 && !typed) return null
  const without = ({ params }: UnderstoodPiece) => {
    const kept = [...search].filter(([name, value]) => !includes(params, { name, value }))
    return productsUrlWithParams(new URLSearchParams(kept), {})
  }
  return (
    <ul aria-label="Filters that are set" className="flex flex-wrap items-center gap-2 text-sm">
      {chips.slice(0, maxLinks).map((chip) => (
        <li key={chip.label}>
          <Link
            to={without(chip)}
            prefetch="intent"
            preventScrollReset
            className="flex min-h-8 items-center gap-1.5 rounded border border-edge bg-panel py-1 pr-2 pl-3 hover:border-ink hover:bg-tint"
          >
            <span className="sr-only">Remove filter </span>
            {chip.label}
            <Icon name="close" className="size-4 text-soft print:hidden" />
          </Link>
        </li>
      ))}
      {chips.length > maxLinks && <li className="px-1">and {chips.length - maxLinks} more</li>}
      {filters.length > 0 && (
        <li className="print:hidden">
          <TextLink to={urlWithoutFilters(search, filters)} preventScrollReset className="inline-flex min-h-8 items-center px-1">
            Clear all
          </TextLink>
        </li>
      )}
      {typed && (
        <li className="print:hidden">
          <TextLink to={productsUrlWithParams(typed, { read: 'no' })} className="inline-flex min-h-8 items-center px-1">
            Search for the words "{typed.get('q')}" instead
          </TextLink>
        </li>
      )}
    </ul>
  )
}

const includes = (params: UnderstoodPiece['params'], one: { name: string; value: string }) =>
  params.some(({ name, value }) => name === one.name && value === one.value)

export const urlWithoutFilters = (search: URLSearchParams, filters: AppliedFilter[]): string =>
  productsUrlWithParams(search, Object.fromEntries(filters.map(({ name }) => [name, undefined])))
