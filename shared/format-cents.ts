import { formatNumber } from './format-number.ts'

/** @param amountCents e.g. 1250 is $12.50, 40000 is $400 */
export function formatCents(amountCents: number): string {
  const dollars = Math.trunc(amountCents / 100)
  const cents = Math.abs(amountCents % 100)
  return `$${amountCents < 0 && dollars === 0 ? '-' : ''}${formatNumber(dollars)}${cents === 0 ? '' : `.${`${cents}`.padStart(2, '0')}`}`
}
