import { formatDateTime } from '#shared/format-date-time.ts'

/** Date and time in the shop's time zone, in one format for all countries: 21 Nov 2026, 14:05 CET. */
export function DateTime({ at }: { at: string | Date }) {
  return (
    // A browser may have another name for the time zone than the server: the server's text stays then.
    <time dateTime={new Date(at).toISOString()} suppressHydrationWarning>
      {formatDateTime(at)}
    </time>
  )
}
