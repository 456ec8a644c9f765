import { shopDay, startOfShopDay } from '#shared/shop-day.ts'
import type { Period } from './contract.ts'

/** Half-open: includes `start`, excludes `end`. */
export type TimeRange = { start: Date; end: Date }

/** A period, the previous period to compare it with, and its steps. */
export type PeriodRanges = {
  current: TimeRange
  previous: TimeRange
  /** first and last day of each, e.g. 2026-11-22 */
  steps: { from: string; to: string }[]
  /** when each begins */
  stepStarts: Date[]
}

/**
 * The days or months of a period, in the shop's time zone. The last one is incomplete. The previous period ends as long after the start of its
 * last step as `asOf` is within the current one, so that the figures of a morning are compared with those of a morning.
 */
export function periodRanges(period: Period, asOf: Date): PeriodRanges {
  const isByMonth = period === '12m'
  const count = Number.parseInt(period, 10)
  const today = shopDay(asOf)
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number)
  /** of the step that is `steps` before the step of `asOf` */
  const firstDay = (steps: number) => dayOf(isByMonth ? Date.UTC(year, month - 1 - steps, 1) : Date.UTC(year, month - 1, day - steps))
  const dayBefore = (next: string) => dayOf(Date.parse(next) - 86_400_000)
  const start = (steps: number) => startOfShopDay(firstDay(steps))
  const elapsedMs = asOf.getTime() - start(0).getTime()
  const before = Array.from({ length: count }, (_, index) => count - 1 - index)
  return {
    current: { start: start(count - 1), end: start(-1) },
    // The previous month may be shorter: do not extend beyond its end.
    previous: {
      start: start(2 * count - 1),
      end: new Date(Math.min(start(count).getTime() + elapsedMs, start(count - 1).getTime())),
    },
    steps: before.map((steps) => {
      const last = dayBefore(firstDay(steps - 1))
      return { from: firstDay(steps), to: last < today ? last : today }
    }),
    stepStarts: before.map(start),
  }
}

/** A day of the calendar has no time zone: it is counted in UTC, where each has 24 hours. */
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
