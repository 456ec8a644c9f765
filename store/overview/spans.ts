import type { Period } from './contract.ts'

/** Moments from `begins` on and before `ends`. */
export type Span = { begins: Date; ends: Date }

/** A period with what it is compared with and what it consists of. */
export type Spans = {
  now: Span
  before: Span
  unit: 'day' | 'month'
  /** each with its first and last day, as 2026-11-22 */
  steps: { from: string; to: string }[]
}

/**
 * The days or months of a period, in UTC, of which the last has only begun. What came before is as long and ends as long ago, so that a
 * morning is compared with a morning.
 */
export function spansOf(period: Period, asOf: Date): Spans {
  const unit = period === '12m' ? 'month' : 'day'
  const count = Number.parseInt(period, 10)
  const [year, month, day] = [asOf.getUTCFullYear(), asOf.getUTCMonth(), asOf.getUTCDate()]
  /** the beginning of the step so many before that of `asOf` */
  const back = (steps: number) => new Date(unit === 'month' ? Date.UTC(year, month - steps, 1) : Date.UTC(year, month, day - steps))
  const sinceThen = asOf.getTime() - back(0).getTime()
  return {
    now: { begins: back(count - 1), ends: back(-1) },
    // Of a month that was shorter, no more than that month.
    before: { begins: back(2 * count - 1), ends: new Date(Math.min(back(count).getTime() + sinceThen, back(count - 1).getTime())) },
    unit,
    steps: Array.from({ length: count }, (_, nth) => {
      const last = new Date(back(count - 2 - nth).getTime() - 1)
      return { from: asDay(back(count - 1 - nth)), to: asDay(last < asOf ? last : asOf) }
    }),
  }
}

const asDay = (moment: Date) => moment.toISOString().slice(0, 10)
