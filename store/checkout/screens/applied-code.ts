import { formatCents } from '#shared/money.ts'
import type { CheckoutEstimate } from '#store/checkout/contract.ts'

/**
 * That a discount code is applied, and what it does to the delivery: its price may depend on what the goods cost after the reduction.
 * @param estimate with the code; undefined: not known yet
 */
export function appliedCodeText(
  code: string,
  estimate:
    | (Pick<CheckoutEstimate, 'deliveryCentsWithoutCode'> & { totals: Pick<CheckoutEstimate['totals'], 'deliveryCents'> })
    | undefined,
): string {
  const applied = `${code.toUpperCase()} is applied`
  if (!estimate) return applied
  const { deliveryCentsWithoutCode: beforeCents, totals } = estimate
  if (totals.deliveryCents <= beforeCents) return applied
  const before = beforeCents === 0 ? 'and is no longer free' : `instead of ${formatCents(beforeCents)}`
  return `${applied}. As the goods cost less with it, this delivery costs ${formatCents(totals.deliveryCents)} ${before}`
}
