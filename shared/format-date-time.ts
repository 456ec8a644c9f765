const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Date and time in one format for all countries, on pages and in e-mails: 21 Nov 2026, 14:05 UTC. */
export function formatDateTime(at: string | Date): string {
  const date = new Date(at)
  const time = date.toISOString().slice(11, 16)
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}, ${time} UTC`
}
