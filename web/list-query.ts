/** Filter, sorting and page of a long list, parsed from the URL: `?q=hakko&kind=Paid&time=placed&from=2026-11-01&sort=-price&page=2`. */
export type ListQuery = {
  /** search words that must all match; '' for no search */
  q: string
  /** the kind of rows to include; '' for all */
  kind: string
  /** the event that must have happened to a row from `from` to `to`, e.g. `placed`; '' for no date filter */
  dateField: string
  /** the first day in UTC, e.g. 2026-11-22; '' for no lower bound */
  from: string
  /** the last day in UTC, inclusive; '' for no upper bound */
  to: string
  /** the name of a column, with a leading "-" for descending; '' for the default order */
  sort: string
  /** 1-based */
  page: number
  pageSize: number
}

export const pageSizes = [20, 50] as const

export function parseListQuery(search: URLSearchParams): ListQuery {
  const rows = Number(search.get('rows'))
  return {
    q: search.get('q') ?? '',
    kind: search.get('kind') ?? '',
    dateField: search.get('time') ?? '',
    from: parseDay(search.get('from')),
    to: parseDay(search.get('to')),
    sort: search.get('sort') ?? '',
    page: Math.min(Math.max(1, Math.trunc(Number(search.get('page'))) || 1), maxPage),
    pageSize: pageSizes.find((choice) => choice === rows) ?? pageSizes[0],
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
export function listQueryString({ q, kind, dateField, from, to, sort, page, pageSize }: ListQuery): string {
  const params = new URLSearchParams({
    ...(q && { q }),
    ...(kind && { kind }),
    ...(dateField && { time: dateField, ...(from && { from }), ...(to && { to }) }),
    ...(sort && { sort }),
    ...(page > 1 && { page: `${page}` }),
    ...(pageSize !== pageSizes[0] && { rows: `${pageSize}` }),
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
  /** the kind or kinds of a row */
  kind?: (row: Row) => string | readonly string[]
  /** the value that each sortable column compares */
  sortKeys: Record<string, (row: Row) => string | number>
}

/** All rows that match the query, sorted. Without a sort column, or with an unknown one, the given order is kept. */
export function filterAndSortRows<Row>(
  all: Row[],
  { q, kind, sort }: Pick<ListQuery, 'q' | 'kind' | 'sort'>,
  { text, number, codes, kind: kindOf, sortKeys }: ListSearchAccessors<Row>,
): Row[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const ofKind = kind && kindOf ? all.filter((row) => [kindOf(row)].flat().includes(kind)) : all
  const matchesSearch = (row: Row) => matchesAllWords(text(row).toLowerCase(), (codes?.(row) ?? []).map(normalizeCode), words)
  const found = words.length === 0 ? ofKind : ofKind.filter(matchesSearch)
  const column = sort.replace(/^-/, '')
  const value = Object.hasOwn(sortKeys, column) ? sortKeys[column] : undefined
  const direction = sort.startsWith('-') ? -1 : 1
  const sorted = value ? found.toSorted((one, other) => direction * compareValues(value(one), value(other))) : found
  const hasNumber = (row: Row) => `${number?.(row)}` === q.trim()
  return sorted.some(hasNumber) ? [...sorted.filter(hasNumber), ...sorted.filter((row) => !hasNumber(row))] : sorted
}

export const pageCount = (total: number, rows: number): number => Math.max(1, Math.ceil(total / rows))

/** The rows of the requested page. A page number beyond the last page returns the last page. */
export function paginate<Row>(found: Row[], { page, pageSize }: Pick<ListQuery, 'page' | 'pageSize'>) {
  const pages = pageCount(found.length, pageSize)
  const current = Math.min(page, pages)
  const first = (current - 1) * pageSize
  return { page: current, pages, first, rows: found.slice(first, first + pageSize) }
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
  { page, pageSize }: Pick<ListQuery, 'page' | 'pageSize'>,
  load: (paging: { page: number; limit: number }) => Promise<Page>,
): Promise<Page> {
  const loaded = await load({ page, limit: pageSize })
  const last = pageCount(loaded.total, pageSize)
  return page <= last || loaded.total === 0 ? loaded : load({ page: last, limit: pageSize })
}
