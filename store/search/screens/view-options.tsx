import type { ChangeEvent, ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '#web/button.tsx'
import { Link } from '#web/link.tsx'
import { forgetPrefetchedData } from '#web/prefetched-data.ts'
import type { SortOption } from './facet-options.ts'
import { filterFormId } from './filters.tsx'
import { type ListLook, productsUrlWithParams, readSearchParams } from './search-url.ts'

type ViewOptionsProps = {
  /** the query as it was typed: a question stays one in the other look */
  typed: URLSearchParams
  search: URLSearchParams
  sorts: SortOption[]
  look: ListLook
  /** shown before the options: the number of results */
  children: ReactNode
}

const looks = [
  { words: 'Cards', look: 'cards' },
  { words: 'Table', look: 'table' },
] as const

/** For a year, for lists whose URL chooses none. Read in `page-urls.ts`; without a script only the links of a list carry the choice. */
function rememberLook(look: ListLook) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is younger than the browsers that the shop serves
  document.cookie = `nucleus.look=${look}; path=/; max-age=31536000; samesite=lax`
  forgetPrefetchedData() // lists in the look from before
}

/** Sort order, and cards or table. */
export function ViewOptions({ typed, search, sorts, look: shown, children }: ViewOptionsProps) {
  const { sort: [sort] = [''] } = readSearchParams(search)
  const navigate = useNavigate()
  /** The question stays, unless it is its own order that is taken away: "cheapest ssd". */
  function order({ target: { value, form } }: ChangeEvent<HTMLSelectElement>) {
    if (value === '' && search.get('sort') !== typed.get('sort')) return form?.requestSubmit()
    return navigate(productsUrlWithParams(typed, { sort: value || undefined }), { preventScrollReset: true })
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 sm:gap-x-4">
      <div className="grow max-sm:basis-full">{children}</div>
      <div className="flex min-w-0 items-center gap-2 text-sm max-sm:flex-1 sm:max-w-72 print:hidden">
        <label htmlFor="sort" className="shrink-0">
          Sort by
        </label>
        <select
          id="sort"
          name="sort"
          form={filterFormId}
          defaultValue={sort}
          onChange={order}
          className="min-h-9 w-full min-w-0 rounded border border-edge bg-panel px-2 text-base text-ink hover:border-ink"
        >
          {sorts.map(({ value, words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        <noscript>
          <Button type="submit" form={filterFormId} variant="quiet" dense>
            Sort
          </Button>
        </noscript>
      </div>
      <ul aria-label="Look" className="flex text-sm print:hidden">
        {looks.map(({ words, look }) => (
          <li key={look} className="group">
            <Link
              to={productsUrlWithParams(typed, { look, page: typed.get('page') ?? undefined })}
              preventScrollReset
              viewTransition
              prefetch="intent"
              onClick={() => rememberLook(look)}
              aria-current={look === shown ? 'true' : undefined}
              className="flex min-h-11 items-center border pointer-fine:min-h-9 border-edge bg-panel px-3 group-first:rounded-l group-last:-ml-px group-last:rounded-r hover:bg-tint aria-[current]:bg-tint aria-[current]:font-semibold aria-[current]:text-leaf"
            >
              {words}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
