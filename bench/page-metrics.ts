/** What a page is to the phone that Lighthouse plays. */
export type PageMetrics = {
  performance: number
  accessibility: number
  bestPractices: number
  seo: number
  lcpMs: number
  tbtMs: number
  cls: number
  /** gzipped, as a browser without brotli would fetch it */
  scriptKilobytes: number
  fontKilobytes: number
}

type Budget = { least: number } | { most: number }
/** What a page has to reach; of what is not named nothing is asked. */
export type PageBudgets = Partial<Record<keyof PageMetrics, Budget>>

/** Pages where nothing is typed. */
export const publicScriptBudgetKilobytes = 128
/** Login and registration check what is typed by the rules of the server. */
export const formScriptBudgetKilobytes = 180
/** The checkout knows the addresses of all countries; what is typed it checks by the rules of the server. */
export const checkoutScriptBudgetKilobytes = 180
export const fontBudgetKilobytes = 60

/** What every page that is measured has to reach, whatever it loads. */
export const defaultBudgets: PageBudgets = {
  performance: { least: 98 },
  accessibility: { least: 100 },
  bestPractices: { least: 100 },
  seo: { least: 100 },
  lcpMs: { most: 1500 },
  tbtMs: { most: 100 },
  cls: { most: 0 },
  fontKilobytes: { most: fontBudgetKilobytes },
}

type Column = { name: keyof PageMetrics; head: string; width: number; shown: (figure: number) => string }

const whole = (figure: number) => figure.toFixed(0)
const columns: Column[] = [
  { name: 'performance', head: 'perf', width: 6, shown: whole },
  { name: 'accessibility', head: 'access', width: 8, shown: whole },
  { name: 'bestPractices', head: 'best', width: 6, shown: whole },
  { name: 'seo', head: 'SEO', width: 5, shown: whole },
  { name: 'lcpMs', head: 'LCP', width: 9, shown: (ms) => `${(ms / 1000).toFixed(2)} s` },
  { name: 'tbtMs', head: 'TBT', width: 9, shown: (ms) => `${ms.toFixed(0)} ms` },
  { name: 'cls', head: 'CLS', width: 8, shown: (shift) => shift.toFixed(3) },
  { name: 'scriptKilobytes', head: 'JavaScript', width: 12, shown: (kilobytes) => `${kilobytes.toFixed(1)} kB` },
  { name: 'fontKilobytes', head: 'fonts', width: 10, shown: (kilobytes) => `${kilobytes.toFixed(1)} kB` },
]
const pathWidth = 30

export const tableHeader = (): string => 'page'.padEnd(pathWidth) + columns.map(({ head, width }) => head.padStart(width)).join('')

/** A page in one line. */
export const tableRow = (path: string, figures: PageMetrics): string =>
  (path.length < pathWidth ? path : `${path.slice(0, pathWidth - 4)}...`).padEnd(pathWidth) +
  columns.map(({ name, width, shown }) => shown(figures[name]).padStart(width)).join('')

/** The median of each figure by itself. */
export function medianMetrics(runs: PageMetrics[]): PageMetrics {
  const [first] = runs
  if (!first) throw new Error('Nothing was measured')
  const medians = { ...first }
  for (const { name } of columns) medians[name] = upperMedian(runs.map((figures) => figures[name]))
  return medians
}

/** The one in the middle, of an even number the upper of the two. */
export function upperMedian(figures: number[]): number {
  const sorted = figures.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** In words what is not reached; a figure that could not be measured is not. */
export function findExceededBudgets(figures: PageMetrics, limits: PageBudgets): string[] {
  return columns.flatMap(({ name, head, shown }) => {
    const limit = limits[name]
    if (!limit) return []
    const figure = figures[name]
    if ('least' in limit) return figure >= limit.least ? [] : [`${head} ${shown(figure)}, at least ${shown(limit.least)}`]
    return figure <= limit.most ? [] : [`${head} ${shown(figure)}, at most ${shown(limit.most)}`]
  })
}
