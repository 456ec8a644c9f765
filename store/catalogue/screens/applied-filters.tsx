import { Link } from 'react-router'
import { Icon } from '#web/icon.tsx'
import { TextLink } from '#web/text-link.tsx'
import { addressWith, type Filter } from './browsing.ts'

/** Each link holds all other filters, so a link for each of many would make a page that grows with their square. */
const mostLinks = 12

/** What is set, each to be taken away again by its link. Words and category stay when all filters go. */
export function AppliedFilters({ search, filters }: { search: URLSearchParams; filters: Filter[] }) {
  if (filters.length === 0) return null
  const without = ({ name, value }: Filter) =>
    addressWith(search, { [name]: filters.flatMap((other) => (other.name === name && other.value !== value ? other.value : [])) })
  return (
    <ul aria-label="Filters that are set" className="flex flex-wrap items-center gap-2 text-sm">
      {filters.slice(0, mostLinks).map((filter) => (
        <li key={`${filter.name}=${filter.value}`}>
          <Link
            to={without(filter)}
            prefetch="intent"
            preventScrollReset
            className="flex min-h-8 items-center gap-1.5 rounded border border-edge bg-panel py-1 pr-2 pl-3 hover:border-ink hover:bg-tint"
          >
            <span className="sr-only">Remove filter </span>
            {filter.words}
            <Icon name="close" className="size-4 text-soft" />
          </Link>
        </li>
      ))}
      {filters.length > mostLinks && <li className="px-1">and {filters.length - mostLinks} more</li>}
      <li>
        <TextLink to={withoutAll(search, filters)} preventScrollReset className="inline-flex min-h-8 items-center px-1">
          Clear all
        </TextLink>
      </li>
    </ul>
  )
}

export const withoutAll = (search: URLSearchParams, filters: Filter[]): string =>
  addressWith(search, Object.fromEntries(filters.map(({ name }) => [name, undefined])))
