import { Icon } from '#web/icon.tsx'
import { Link } from '#web/link.tsx'
import { TextLink } from '#web/text-link.tsx'
import { type AppliedFilter, productsUrlWithParams } from './search-url.ts'

/** Each link contains all other filters, so the page size would grow with the square of their number. */
const maxLinks = 12

/** The applied filters, each with a link that removes it. Removing all keeps search text and category. */
export function AppliedFilters({ search, filters }: { search: URLSearchParams; filters: AppliedFilter[] }) {
  if (filters.length === 0) return null
  const without = ({ name, value }: AppliedFilter) =>
    productsUrlWithParams(search, { [name]: filters.flatMap((other) => (other.name === name && other.value !== value ? other.value : [])) })
  return (
    <ul aria-label="Filters that are set" className="flex flex-wrap items-center gap-2 text-sm">
      {filters.slice(0, maxLinks).map((filter) => (
        <li key={`${filter.name}=${filter.value}`}>
          <Link
            to={without(filter)}
            prefetch="intent"
            preventScrollReset
            className="flex min-h-8 items-center gap-1.5 rounded border border-edge bg-panel py-1 pr-2 pl-3 hover:border-ink hover:bg-tint"
          >
            <span className="sr-only">Remove filter </span>
            {filter.label}
            <Icon name="close" className="size-4 text-soft" />
          </Link>
        </li>
      ))}
      {filters.length > maxLinks && <li className="px-1">and {filters.length - maxLinks} more</li>}
      <li>
        <TextLink to={urlWithoutFilters(search, filters)} preventScrollReset className="inline-flex min-h-8 items-center px-1">
          Clear all
        </TextLink>
      </li>
    </ul>
  )
}

export const urlWithoutFilters = (search: URLSearchParams, filters: AppliedFilter[]): string =>
  productsUrlWithParams(search, Object.fromEntries(filters.map(({ name }) => [name, undefined])))
