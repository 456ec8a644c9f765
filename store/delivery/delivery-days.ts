// Without zod and database: the browser and the server count the same days.

/** The shop's own calendar. `holidays` are days such as 2026-12-25, on which nothing is handed over and nothing arrives. */
export type ShopCalendar = { timeZone: string; holidays: readonly string[] }

/** `cutOff` is a time of day in the shop's time zone, such as 14:00: an order before it is handled on the same day. Null: at any time. */
export type DeliveryTimes = { cutOff: string | null; handlingDays: number; daysFrom: number; daysTo: number }

/** The day and the time of day at an instant, in a time zone: 2026-03-29 and 14:30. */
export function localDayAndTime(instant: Date, timeZone: string): { day: string; time: string } {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
  }).formatToParts(instant)
  const part = (wanted: Intl.DateTimeFormatPartTypes) => parts.find(({ type }) => type === wanted)?.value ?? ''
  return { day: `${part('year')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}` }
}

/**
 * The first and the last day on which an order arrives that is placed at this instant. After the cut-off, on weekends and on holidays it counts
 * as placed on the next working day; handling and delivery take working days, too.
 */
export function arrivalDays(times: DeliveryTimes, calendar: ShopCalendar, now: Date): { earliest: string; latest: string } {
  const holidays = new Set(calendar.holidays)
  const { day, time } = localDayAndTime(now, calendar.timeZone)
  const isHandledToday = isWorkingDay(day, holidays) && (times.cutOff === null || time < times.cutOff)
  const begun = isHandledToday ? day : addWorkingDays(day, 1, holidays)
  const sent = addWorkingDays(begun, times.handlingDays, holidays)
  return { earliest: addWorkingDays(sent, times.daysFrom, holidays), latest: addWorkingDays(sent, times.daysTo, holidays) }
}

/** The day itself if the shop works on it, else the next one on which it does. */
export const workingDayFrom = (day: string, holidays: ReadonlySet<string>): string =>
  isWorkingDay(day, holidays) ? day : addWorkingDays(day, 1, holidays)

function isWorkingDay(day: string, holidays: ReadonlySet<string>): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !holidays.has(day)
}

/** So many days later. A calendar day has no time zone: it is counted in UTC, where each has 24 hours. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10)

/** So many working days later. */
function addWorkingDays(day: string, count: number, holidays: ReadonlySet<string>): string {
  let reached = day
  for (let left = count; left > 0; ) {
    reached = addDays(reached, 1)
    if (isWorkingDay(reached, holidays)) left--
  }
  return reached
}
