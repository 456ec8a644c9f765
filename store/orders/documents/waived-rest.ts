import type { Cents } from '#shared/money.ts'
import type { DocumentData } from './document-data.ts'
import { formatExactCents } from './exact-amount.ts'

type Waived = Pick<DocumentData, 'kind' | 'payment' | 'onAccount' | 'totalCents'>

/** What of a document's total was never paid, as an owner has accepted less: nobody asks for it, and it does not go back. */
export const waivedCents = ({ payment, onAccount, totalCents }: Waived): Cents =>
  onAccount ? 0 : Math.min(payment.writtenOffCents ?? 0, totalCents)

/** A sentence about it; undefined where all was paid. */
export function waivedText(document: Waived): string | undefined {
  const cents = waivedCents(document)
  if (cents === 0) return undefined
  return document.kind === 'credit note'
    ? `${formatExactCents(cents)} of this had not been paid, and does not go back.`
    : `The rest of ${formatExactCents(cents)} is not asked for: nothing is to be paid.`
}
