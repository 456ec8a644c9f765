const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** @param day `2026-12-12` is "12 Dec 2026" */
export const formatDay = (day: string): string => dayFormat.format(new Date(day))
