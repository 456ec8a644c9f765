/** Which part of a long list is in view, as the page's address says it: `?q=hakko&kind=Paid&time=placed&from=2026-11-01&sort=-price&page=2`. */
export type View = {
  /** words that all have to occur; '' for everything */
  q: string
  /** the only kind of rows that are in view; '' for all */
  kind: string
  /** what must have happened to a row on the days from `from` to `to`, such as `placed`; '' for rows of any time */
  time: string
  /** the first day, as 2026-11-22, in UTC; '' for no bound */
  from: string
  /** the last day */
  to: string
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
    time: search.get('time') ?? '',
    from: dayIn(search.get('from')),
    to: dayIn(search.get('to')),
    sort: search.get('sort') ?? '',
    page: Math.max(1, Math.trunc(Number(search.get('page'))) || 1),
    rows: rowsToChoose.find((choice) => choice === rows) ?? rowsToChoose[0],
  }
}

const dayIn = (said: string | null): string => (said && /^\d{4}-\d\d-\d\d$/.test(said) ? said : '')

/** The address of a view; what goes without saying is left out. */
export function viewAddress({ q, kind, time, from, to, sort, page, rows }: View): string {
  const said = new URLSearchParams({
    ...(q && { q }),
    ...(kind && { kind }),
    ...(time && { time, ...(from && { from }), ...(to && { to }) }),
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
  /** its own number: the row of exactly this number stands first, whatever else is found by it */
  number?: (row: Row) => number
  /** what is printed on a thing: found in any spelling, with blanks and dashes or without */
  codes?: (row: Row) => readonly string[]
  /** a phone number: found in any spelling, with country code or without */
  phone?: (row: Row) => string
  /** the names of the kinds that a row is of, where rows are of several */
  kind?: (row: Row) => string | readonly string[]
  /** when these things happened to a row, each by its name, in ISO 8601 and UTC */
  times?: Record<string, (row: Row) => readonly string[]>
  /** what each sortable column compares */
  columns: Record<string, (row: Row) => string | number>
}

/** The rows to which the named thing happened on these days; all of them, where none is named that can happen. */
export function findWithin<Row>(all: Row[], { time, from, to }: Pick<View, 'time' | 'from' | 'to'>, times: Ways<Row>['times'] = {}): Row[] {
  const momentsOf = Object.hasOwn(times, time) ? times[time] : undefined
  if (!momentsOf) return all
  const isWithin = (moment: string) => {
    const day = moment.slice(0, 10)
    return (from === '' || day >= from) && (to === '' || day <= to)
  }
  return all.filter((row) => momentsOf(row).some(isWithin))
}

/** All rows that were asked for, in the order that was asked for. Without an order, or with an unknown one, they stay as they come. */
export function findRows<Row>(
  all: Row[],
  { q, kind, sort, time = '', from = '', to = '' }: Pick<View, 'q' | 'kind' | 'sort'> & Partial<Pick<View, 'time' | 'from' | 'to'>>,
  { text, number, codes, phone, kind: kindOf, times, columns }: Ways<Row>,
): Row[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const ofTime = findWithin(all, { time, from, to }, times)
  const ofKind = kind && kindOf ? ofTime.filter((row) => [kindOf(row)].flat().includes(kind)) : ofTime
  const isMeant = (row: Row) => contains(text(row).toLowerCase(), (codes?.(row) ?? []).map(bare), words) || isPhone(phone?.(row) ?? '', q)
  const found = words.length === 0 ? ofKind : ofKind.filter(isMeant)
  const column = sort.replace(/^-/, '')
  const value = Object.hasOwn(columns, column) ? columns[column] : undefined
  const direction = sort.startsWith('-') ? -1 : 1
  const sorted = value ? found.toSorted((one, other) => direction * compare(value(one), value(other))) : found
  const isIt = (row: Row) => `${number?.(row)}` === q.trim()
  return sorted.some(isIt) ? [...sorted.filter(isIt), ...sorted.filter((row) => !isIt(row))] : sorted
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
const isIn = (codes: string[], word: string): boolean => bare(word) !== '' && codes.some((code) => code.includes(bare(word)))

const contains = (text: string, codes: string[], words: string[]) =>
  words.every((word) => text.includes(word) || isIn(codes, word)) || isIn(codes, words.join(''))

/** The fewest digits that are taken for a phone number: fewer are an order's number, a postcode or a quantity. */
const phoneDigits = 5
/** Without the zeros that a country code replaces: +44 (0)20 7946, 0044 20 7946 and 020 7946 are 44207946 or its end. */
const digitsOf = (phone: string): string => phone.replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '')

function isPhone(phone: string, typed: string): boolean {
  const [known, wanted] = [digitsOf(phone), digitsOf(typed)]
  if (wanted.length < phoneDigits || known.length < phoneDigits || !/^[\d\s()+./-]+$/.test(typed)) return false
  return known.includes(wanted) || wanted.endsWith(known)
}

const { compare: compareWords } = new Intl.Collator('en', { numeric: true })
const compare = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : compareWords(`${one}`, `${other}`)
