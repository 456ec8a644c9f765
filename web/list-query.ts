/** The filters of a list with the values that each may have, e.g. `{ status: ['open', 'paid'] }`. */
export type FilterChoices = Record<string, readonly string[]>

/**
 * Filters, sorting and page of a long list, parsed from the URL under the names that the endpoints have for them:
 * `?q=hakko&status=paid&date=placed&from=2026-11-01&sort=-price&page=2`.
 */
export type ListQuery = {
  /** search words that must all match; '' for no search */
  q: string
  /** only rows with these values, by the name of the filter */
  filters: Record<string, string>
  /** the event that must have happened to a row from `from` to `to`, e.g. `placed`; '' for no date filter */
  date: string
  /** the first day, e.g. 2026-11-22; '' for no lower bound */
  from: string
  /** the last day, inclusive; '' for no upper bound */
  to: string
  /** the name of a column, with a leading "-" for descending; '' for the default order */
  sort: string
  /** 1-based */
  page: number
  /** rows per page */
  limit: number
}

export const pageSizes = [20, 50] as const

/** @param choices other values of a filter are ignored */
export function parseListQuery(search: URLSearchParams, choices: FilterChoices = {}): ListQuery {
  const limit = Number(search.get('limit'))
  return {
    q: search.get('q') ?? '',
    filters: Object.fromEntries(
      Object.entries(choices).flatMap(([name, values]) =>
        values.filter((value) => value === search.get(name)).map((value) => [name, value]),
      ),
    ),
    date: search.get('date') ?? '',
    from: parseDay(search.get('from')),
    to: parseDay(search.get('to')),
    sort: search.get('sort') ?? '',
    page: Math.min(Math.max(1, Math.trunc(Number(search.get('page'))) || 1), maxPage),
    limit: pageSizes.find((size) => size === limit) ?? pageSizes[0],
  }
}

/** No list has so many pages. */
const maxPage = 1_000_000

/** '' for what is no day, also while the year is being typed: 0002-11-24. */
function parseDay(day: string | null): string {
  if (!day || !/^\d{4}-\d\d-\d\d$/.test(day) || day < '1970-01-01') return ''
  const date = new Date(day)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? day : ''
}

/** The query string of a list query, without default values. */
export function listQueryString({ q, filters, date, from, to, sort, page, limit }: ListQuery): string {
  const params = new URLSearchParams({
    ...(q && { q }),
    ...filters,
    ...(date && { date, ...(from && { from }), ...(to && { to }) }),
    ...(sort && { sort }),
    ...(page > 1 && { page: `${page}` }),
    ...(limit !== pageSizes[0] && { limit: `${limit}` }),
  })
  return `?${params}`
}

/** How a list can be searched and sorted. */
export type ListSearchAccessors<Row> = {
  /** the text that is searched for words */
  text: (row: Row) => string
  /** a number, e.g. of an order: a row whose number equals the search text comes first */
  number?: (row: Row) => number
  /** codes such as part numbers: matched without regard to spaces and punctuation */
  codes?: (row: Row) => readonly string[]
  /** by the name of a filter: the values that it may have, and those of a row, by which the row is included */
  filters?: Record<string, { choices: readonly string[]; valuesOf: (row: Row) => string | readonly string[] }>
  /** the value that each sortable column compares */
  sortKeys: Record<string, (row: Row) => string | number>
}

/** All rows that match the query, sorted. Without a sort column, or with an unknown one, the given order is kept. */
export function filterAndSortRows<Row>(
  all: Row[],
  { q, filters, sort }: Pick<ListQuery, 'q' | 'filters' | 'sort'>,
  { text, number, codes, filters: known = {}, sortKeys }: ListSearchAccessors<Row>,
): Row[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const filtered = all.filter((row) =>
    Object.entries(filters).every(([name, wanted]) => [known[name]?.valuesOf(row) ?? wanted].flat().includes(wanted)),
  )
  const matchesSearch = (row: Row) => matchesAllWords(text(row).toLowerCase(), (codes?.(row) ?? []).map(normalizeCode), words)
  const found = words.length === 0 ? filtered : filtered.filter(matchesSearch)
  const column = sort.replace(/^-/, '')
  const value = Object.hasOwn(sortKeys, column) ? sortKeys[column] : undefined
  const direction = sort.startsWith('-') ? -1 : 1
  const sorted = value ? found.toSorted((one, other) => direction * compareValues(value(one), value(other))) : found
  const hasNumber = (row: Row) => `${number?.(row)}` === q.trim()
  return sorted.some(hasNumber) ? [...sorted.filter(hasNumber), ...sorted.filter((row) => !hasNumber(row))] : sorted
}

export const pageCount = (total: number, limit: number): number => Math.max(1, Math.ceil(total / limit))

/** The rows of the requested page. A page number beyond the last page returns the last page. */
export function paginate<Row>(found: Row[], { page, limit }: Pick<ListQuery, 'page' | 'limit'>) {
  const pages = pageCount(found.length, limit)
  const current = Math.min(page, pages)
  const first = (current - 1) * limit
  return { page: current, pages, first, rows: found.slice(first, first + limit) }
}

const normalizeCode = (code: string): string => code.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const matchesCode = (codes: string[], word: string): boolean =>
  normalizeCode(word) !== '' && codes.some((code) => code.includes(normalizeCode(word)))

const matchesAllWords = (text: string, codes: string[], words: string[]) =>
  words.every((word) => text.includes(word) || matchesCode(codes, word)) || matchesCode(codes, words.join(''))

const { compare: compareText } = new Intl.Collator('en', { numeric: true })
const compareValues = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : compareText(`${one}`, `${other}`)

/** A page of a list that the server pages. A page number beyond the last gives the last page. */
export async function loadListPage<Page extends { total: number }>(
  { page, limit }: Pick<ListQuery, 'page' | 'limit'>,
  load: (paging: { page: number; limit: number }) => Promise<Page>,
): Promise<Page> {
  const loaded = await load({ page, limit })
  const last = pageCount(loaded.total, limit)
  return page <= last || loaded.total === 0 ? loaded : load({ page: last, limit })
}
