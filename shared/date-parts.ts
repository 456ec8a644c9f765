/** The format of dates and times in a time zone, or in UTC where a browser is older than the name of the time zone. */
export function createDateFormat(locale: string, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  }
}

/** What a format writes of an instant, by kind: `{ day: '29', month: '03', ... }`. */
export const datePartsOf = (format: Intl.DateTimeFormat, instant: Date | number): Partial<Record<Intl.DateTimeFormatPartTypes, string>> =>
  Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
