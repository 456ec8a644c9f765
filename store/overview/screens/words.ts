import type { Period, Takings } from '#store/overview/contract.ts'

/** What the periods are called: "the 30 days before". */
export const periodWords: Record<Period, string> = { '7d': '7 days', '30d': '30 days', '90d': '90 days', '12m': '12 months' }

const asDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const asShortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const asMonth = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const asShortMonth = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' })

type Step = Pick<Takings['steps'][number], 'from'>

export const dayWords = (day: string): string => asDay.format(new Date(day))
/** A step of a period, such as "22 Nov 2026" or "November 2026". */
export const stepWords = ({ from }: Step, period: Period): string => (period === '12m' ? asMonth : asDay).format(new Date(from))
/** The same where there is little room, below a chart. */
export const shortStepWords = (from: string, period: Period): string =>
  (period === '12m' ? asShortMonth : asShortDay).format(new Date(from))

/**
 * A figure beside that of the period before: "$1,240 more than the 30 days before".
 * @param show the figure in words; what is counted is fewer, what is measured is less
 */
export function comparedWords(
  now: number,
  before: number,
  period: Period,
  show: (figure: number) => string,
  less: 'less' | 'fewer',
): string {
  const words = `the ${periodWords[period]} before`
  if (before === 0) return `None in ${words}${now === 0 ? ' either' : ''}`
  if (now === before) return `As in ${words}`
  return `${show(Math.abs(now - before))} ${now > before ? 'more' : less} than ${words}`
}
