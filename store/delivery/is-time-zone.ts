/**
 * Whether this is the name of a time zone, such as Europe/Berlin. `Intl` knows offsets, too, also those that are further from UTC than any
 * place, such as +23:59.
 */
export const isTimeZone = (name: string): boolean => {
  if (/^[+-]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
