import { formatDateTime } from '#shared/format-date-time.ts'

/** Date and time in one format for all countries: 21 Nov 2026, 14:05 UTC. */
export function DateTime({ at }: { at: string | Date }) {
  return <time dateTime={new Date(at).toISOString()}>{formatDateTime(at)}</time>
}
