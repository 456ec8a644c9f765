/** @param amountCents e.g. 1250 is $12.50, 40000 is $400 */
export function inDollars(amountCents: number): string {
  const digits = amountCents % 100 === 0 ? 0 : 2
  return `$${(amountCents / 100).toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`
}
