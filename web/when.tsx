const words = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** A moment as buyers of every country read it: 21 Nov 2026, 14:05 UTC. */
export function When({ at }: { at: string }) {
  const moment = new Date(at)
  return <time dateTime={moment.toISOString()}>{words.format(moment)} UTC</time>
}
