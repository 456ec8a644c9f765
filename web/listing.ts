/** Which part of a long list is in view, as the page's address says it: `?q=hakko&kind=Paid&sort=-price&page=2&rows=50`. */
export type View = {
  /** words that all have to occur; '' for everything */
  q: string
  /** the only kind of rows that are in view; '' for all */
  kind: string
  /** the name of a column, with "-" before it from the highest down; '' for the list's own order */
  sort: string
  /** from 1 */
  page: number
  rows: number
}

export const rowsToChoose = [20, 50] as const

export function readView(search: URLSearchParams): View {
  const rows = Number(search.get('rows'))
  return {
    q: search.get('q') ?? '',
    kind: search.get('kind') ?? '',
    sort: search.get('sort') ?? '',
    page: Math.max(1, Math.trunc(Number(search.get('page'))) || 1),
    rows: rowsToChoose.find((choice) => choice === rows) ?? rowsToChoose[0],
  }
}

/** The address of a view; what goes without saying is left out. */
export function viewAddress({ q, kind, sort, page, rows }: View): string {
  const said = new URLSearchParams({
    ...(q && { q }),
    ...(kind && { kind }),
    ...(sort && { sort }),
    ...(page > 1 && { page: `${page}` }),
    ...(rows !== rowsToChoose[0] && { rows: `${rows}` }),
  })
  return `?${said}`
}

/** How a list can be searched and sorted. */
export type Ways<Row> = {
  /** the text in which words are searched */
  text: (row: Row) => string
  /** what is printed on a thing: found in any spelling, with blanks and dashes or without */
  code?: (row: Row) => string
  /** the name of the kind that a row is of, where rows are of several */
  kind?: (row: Row) => string
  /** what each sortable column compares */
  columns: Record<string, (row: Row) => string | number>
}

/** All rows that were asked for, in the order that was asked for. Without an order, or with an unknown one, they stay as they come. */
export function findRows<Row>(
  all: Row[],
  { q, kind, sort }: Pick<View, 'q' | 'kind' | 'sort'>,
  { text, code, kind: kindOf, columns }: Ways<Row>,
): Row[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const ofKind = kind && kindOf ? all.filter((row) => kindOf(row) === kind) : all
  const isMeant = (row: Row) => contains(text(row).toLowerCase(), bare(code?.(row) ?? ''), words)
  const found = words.length === 0 ? ofKind : ofKind.filter(isMeant)
  const column = sort.replace(/^-/, '')
  const value = Object.hasOwn(columns, column) ? columns[column] : undefined
  if (!value) return found
  const direction = sort.startsWith('-') ? -1 : 1
  return found.toSorted((one, other) => direction * compare(value(one), value(other)))
}

export const pagesOf = (total: number, rows: number): number => Math.max(1, Math.ceil(total / rows))

/** The rows of the page in view. A page beyond the last is the last. */
export function turnTo<Row>(found: Row[], { page, rows }: Pick<View, 'page' | 'rows'>) {
  const pages = pagesOf(found.length, rows)
  const shown = Math.min(page, pages)
  const first = (shown - 1) * rows
  return { page: shown, pages, first, rows: found.slice(first, first + rows) }
}

const bare = (code: string): string => code.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const isIn = (code: string, word: string): boolean => bare(word) !== '' && code.includes(bare(word))

const contains = (text: string, code: string, words: string[]) =>
  words.every((word) => text.includes(word) || isIn(code, word)) || isIn(code, words.join(''))

const { compare: compareWords } = new Intl.Collator('en', { numeric: true })
const compare = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : compareWords(`${one}`, `${other}`)
