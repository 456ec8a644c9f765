let current = 'UTC'

/** The time zone of this shop, such as Europe/Berlin, in which times of day are said on pages, in mails and in refusals. */
export const storeTimeZone = (): string => current

/** Sets the time zone of this process, of its bundle that renders pages, or of this browser. */
export function setStoreTimeZone(timeZone: string): void {
  current = timeZone
}
