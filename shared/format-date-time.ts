import { storeTimeZone } from './time-zone.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Date and time in the shop's time zone, in one format for all countries, on pages and in e-mails: 21 Nov 2026, 14:05 CET. */
export function formatDateTime(at: string | Date): string {
  const date = new Date(at)
  const { figures, zone } = formatsOf(storeTimeZone())
  const { day, month, year, hour, minute } = partsOf(figures, date)
  return `${day} ${months[Number(month) - 1]} ${year}, ${hour}:${minute} ${partsOf(zone, date).timeZoneName}`
}

type Formats = { figures: Intl.DateTimeFormat; zone: Intl.DateTimeFormat }

const known = new Map<string, Formats>()

function formatsOf(timeZone: string): Formats {
  const before = known.get(timeZone)
  if (before) return before
  const formats = createFormats(timeZone)
  known.set(timeZone, formats)
  return formats
}

/** In UTC where a browser is older than the name of the time zone. */
function createFormats(timeZone: string): Formats {
  try {
    return createFormatsOf(timeZone)
  } catch (error) {
    if (!(error instanceof RangeError) || timeZone === 'UTC') throw error
    return createFormatsOf('UTC')
  }
}

/** Only figures and the zone's name are `Intl`'s: its names of months differ between browsers. */
function createFormatsOf(timeZone: string): Formats {
  const inRegion = (region: string) => new Intl.DateTimeFormat(region, { timeZone, timeZoneName: 'short' })
  const figures = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  })
  return { figures, zone: inRegion(regions.find((region) => hasName(inRegion(region))) ?? 'en-GB') }
}

/** Each knows the names of the zones around it, CET in Britain and EST in the USA; of others it says how far they are from Greenwich. */
const regions = ['en-GB', 'en-US', 'en-AU', 'en-NZ', 'en-IN', 'en-ZA', 'en-CA']
const hasName = (zone: Intl.DateTimeFormat): boolean => !/^GMT[+-]/.test(`${partsOf(zone, new Date('2026-01-01')).timeZoneName}`)

const partsOf = (format: Intl.DateTimeFormat, date: Date): Partial<Record<Intl.DateTimeFormatPartTypes, string>> =>
  Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]))
