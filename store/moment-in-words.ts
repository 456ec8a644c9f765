const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A moment as buyers of every country read it, on screens and in mails: 21 Nov 2026, 14:05 UTC. */
export function momentInWords(at: string | Date): string {
  const moment = new Date(at)
  const time = moment.toISOString().slice(11, 16)
  return `${moment.getUTCDate()} ${months[moment.getUTCMonth()]} ${moment.getUTCFullYear()}, ${time} UTC`
}
