/**
 * Formats a number: 46967 is "46,967", 1234.5678 is "1,234.568". Does not use `Intl.NumberFormat`, which takes about 170 ms to initialize
 * on a slow phone and blocks the page meanwhile.
 * @param number less than 1e21, from which on JavaScript uses exponential notation
 */
export function formatNumber(number: number): string {
  const [whole = '', fraction] = `${Math.round(number * 1000) / 1000}`.split('.')
  return `${whole.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ',')}${fraction ? `.${fraction}` : ''}`
}
