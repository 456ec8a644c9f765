import { createDateFormat, datePartsOf } from './date-parts.ts'
import { storeTimeZone } from './time-zone.ts'

/** The day in the shop's time zone at an instant: 2026-03-29. */
export function shopDay(instant: Date): string {
  const { year, month, day } = datePartsOf(dayFormat(), instant)
  return `${year?.padStart(4, '0')}-${month}-${day}`
}

/** When a day of the shop begins: at midnight, unless clocks are put forward then. @param day such as 2026-03-29 */
export const startOfShopDay = (day: string): Date => findChange(Date.parse(day), (shown) => shown >= numberOf(day))

/** When the day after it begins. */
export const endOfShopDay = (day: string): Date => findChange(Date.parse(day) + dayMs, (shown) => shown > numberOf(day))

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** A zone is at most 14 hours away from UTC. */
const maxOffsetMinutes = 15 * 60

/** The first minute around this instant on a day that `isReached` says: as numbers, years above 9999 come last, too. */
function findChange(aroundMs: number, isReached: (day: number) => boolean): Date {
  const format = dayFormat()
  let [before, after] = [-maxOffsetMinutes, maxOffsetMinutes]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    const { year, month, day } = datePartsOf(format, aroundMs + middle * minuteMs)
    if (isReached(Number(`${year}${month}${day}`))) after = middle
    else before = middle
  }
  return new Date(aroundMs + after * minuteMs)
}

const numberOf = (day: string) => Number(day.replaceAll('-', ''))

const formatsByTimeZone = new Map<string, Intl.DateTimeFormat>()

function dayFormat(timeZone = storeTimeZone()): Intl.DateTimeFormat {
  const existing = formatsByTimeZone.get(timeZone)
  if (existing) return existing
  const format = createDateFormat('en-US', timeZone, { year: 'numeric', month: '2-digit', day: '2-digit' })
  formatsByTimeZone.set(timeZone, format)
  return format
}
