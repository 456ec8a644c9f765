const words = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** A moment as buyers of every country read it, on screens and in mails: 21 Nov 2026, 14:05 UTC. */
export const momentInWords = (at: string | Date): string => `${words.format(new Date(at))} UTC`
