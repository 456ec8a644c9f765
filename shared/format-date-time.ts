import { createDateFormat, datePartsOf } from './date-parts.ts'
import { storeTimeZone } from './time-zone.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Date and time in the shop's time zone, in one format for all countries, on pages and in e-mails: 21 Nov 2026, 14:05 CET. */
export function formatDateTime(at: string | Date): string {
  const date = new Date(at)
  const { figures, zone } = formatsOf(storeTimeZone())
  const { day, month, year, hour, minute } = datePartsOf(figures, date)
  return `${day} ${months[Number(month) - 1]} ${year}, ${hour}:${minute} ${datePartsOf(zone, date).timeZoneName}`
}

/** Only figures and the zone's name are `Intl`'s: its names of months differ between browsers. */
type Formats = { figures: Intl.DateTimeFormat; zone: Intl.DateTimeFormat }

const formatsByTimeZone = new Map<string, Formats>()

function formatsOf(timeZone: string): Formats {
  const existing = formatsByTimeZone.get(timeZone)
  if (existing) return existing
  const formats = createFormats(timeZone)
  formatsByTimeZone.set(timeZone, formats)
  return formats
}

function createFormats(timeZone: string): Formats {
  const createZoneFormat = (locale: string) => createDateFormat(locale, timeZone, { timeZoneName: 'short' })
  const figures = createDateFormat('en-US', timeZone, {
    ...{ hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  })
  return { figures, zone: createZoneFormat(locales.find((locale) => hasName(createZoneFormat(locale))) ?? 'en-GB') }
}

/** Each locale has the names of time zones used there, CET in Britain and EST in the USA. Others it writes as an offset: GMT+9. */
const locales = ['en-GB', 'en-US', 'en-AU', 'en-NZ', 'en-IN', 'en-ZA', 'en-CA']
const hasName = (zone: Intl.DateTimeFormat): boolean => !/^GMT[+-]/.test(`${datePartsOf(zone, new Date('2026-01-01')).timeZoneName}`)
