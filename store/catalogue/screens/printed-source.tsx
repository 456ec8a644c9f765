import { formatDay } from '#shared/format-day.ts'
import { shopDay } from '#shared/shop-day.ts'

/** For `PrintedSource`, in a loader: a page is kept for a minute at most. */
export const printedDay = (): string => formatDay(shopDay(new Date()))

/** On paper alone: whose prices these are, and of which day. */
export function PrintedSource({ day }: { day: string }) {
  return <p className="mb-3 hidden text-sm print:block">Nucleus of PC, prices and stock of {day}</p>
}
