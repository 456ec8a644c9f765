import { formatDay } from '#shared/format-day.ts'
import type { Period, Revenue } from '#store/overview/contract.ts'

/** Labels of the periods, also used in texts such as "the 30 days before". */
export const periodLabels: Record<Period, string> = { '7d': '7 days', '30d': '30 days', '90d': '90 days', '12m': '12 months' }

const shortDayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const shortMonthFormat = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' })

type Step = Pick<Revenue['steps'][number], 'from'>

/** A step of a period, e.g. "22 Nov 2026" or "November 2026". */
export const formatChartBucket = ({ from }: Step, period: Period): string =>
  period === '12m' ? monthFormat.format(new Date(from)) : formatDay(from)
/** Short form for chart axes, e.g. "22 Nov" or "Nov". */
export const formatChartBucketShort = (from: string, period: Period): string =>
  (period === '12m' ? shortMonthFormat : shortDayFormat).format(new Date(from))

/**
 * Compares a value with that of the previous period: "$1,240 more than the 30 days before".
 * @param format formats the difference
 * @param less "fewer" for counts, "less" for amounts
 */
export function comparisonText(
  now: number,
  before: number,
  period: Period,
  format: (value: number) => string,
  less: 'less' | 'fewer',
): string {
  const previousPeriod = `the ${periodLabels[period]} before`
  if (before === 0) return `None in ${previousPeriod}${now === 0 ? ' either' : ''}`
  if (now === before) return `As in ${previousPeriod}`
  return `${format(Math.abs(now - before))} ${now > before ? 'more' : less} than ${previousPeriod}`
}
