import type { Period } from './contract.ts'

/** Half-open: includes `start`, excludes `end`. */
export type TimeRange = { start: Date; end: Date }

/** A period, the previous period to compare it with, and its steps. */
export type PeriodRanges = {
  current: TimeRange
  previous: TimeRange
  unit: 'day' | 'month'
  /** first and last day of each, e.g. 2026-11-22 */
  steps: { from: string; to: string }[]
}

/**
 * The days or months of a period, in UTC. The last one is incomplete. The previous period ends at the same time of its last step as `asOf`
 * within the current one, so that the figures of a morning are compared with those of a morning.
 */
export function periodRanges(period: Period, asOf: Date): PeriodRanges {
  const unit = period === '12m' ? 'month' : 'day'
  const count = Number.parseInt(period, 10)
  const [year, month, day] = [asOf.getUTCFullYear(), asOf.getUTCMonth(), asOf.getUTCDate()]
  /** start of the step that is `steps` before the step of `asOf` */
  const stepStart = (steps: number) => new Date(unit === 'month' ? Date.UTC(year, month - steps, 1) : Date.UTC(year, month, day - steps))
  const elapsedMs = asOf.getTime() - stepStart(0).getTime()
  return {
    current: { start: stepStart(count - 1), end: stepStart(-1) },
    // The previous month may be shorter: do not extend beyond its end.
    previous: {
      start: stepStart(2 * count - 1),
      end: new Date(Math.min(stepStart(count).getTime() + elapsedMs, stepStart(count - 1).getTime())),
    },
    unit,
    steps: Array.from({ length: count }, (_, index) => {
      const last = new Date(stepStart(count - 2 - index).getTime() - 1)
      return { from: toIsoDay(stepStart(count - 1 - index)), to: toIsoDay(last < asOf ? last : asOf) }
    }),
  }
}

const toIsoDay = (date: Date) => date.toISOString().slice(0, 10)
