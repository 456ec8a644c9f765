/**
 * A number as it is printed: 46967 is "46,967", 1234.5678 is "1,234.568". Written out, since a browser's own formatter takes a slow phone a
 * sixth of a second to get ready, while the page waits.
 * @param number of less than 1e21, which JavaScript itself writes in digits
 */
export function inFigures(number: number): string {
  const [whole = '', fraction] = `${Math.round(number * 1000) / 1000}`.split('.')
  return `${whole.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ',')}${fraction ? `.${fraction}` : ''}`
}
