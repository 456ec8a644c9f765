import { formatDay } from '#shared/format-day.ts'
import { formatCard } from '#store/orders/contract.ts'
import type { DocumentData } from './document-data.ts'
import { formatExactCents } from './exact-amount.ts'
import { paymentTermsText } from './on-account-text.ts'
import { waivedCents, waivedText } from './waived-rest.ts'

/** How a document was paid or is to be paid, or where the money of a credit note has gone. */
export function paymentRemark(data: DocumentData): string {
  const { kind, corrects, payment, totalCents, isCorrection, onAccount } = data
  const card = payment.card
    ? ` by card (${formatCard(payment.card)})`
    : payment.method === 'bank_transfer'
      ? ' by bank transfer'
      : ' by card'
  if (kind === 'pro forma') return proFormaRemark(payment)
  if (kind === 'credit note' && isCorrection)
    return `This credit note cancels ${corrects?.number}, whose data were wrong. An invoice of the same day with the right ones replaces it, so that no money moves${onAccount ? '.' : ' and nothing is left to be done.'}`
  if (onAccount) return `${isCorrection ? `It replaces ${corrects?.number}. ` : ''}${paymentTermsText(onAccount)}`
  const waived = waivedText(data)
  const movedText = formatExactCents(totalCents - waivedCents(data))
  if (kind === 'credit note') return `${movedText} goes back${card}. ${waived ?? 'Nothing is left to be done.'}`
  if (corrects && !isCorrection)
    return `The bank has refused the refund of ${corrects.number}: the money has stayed with the shop, and nothing is due.`
  const replaced = isCorrection ? `It replaces ${corrects?.number}. ` : ''
  const paid = `${replaced}Paid on ${formatDay(payment.paidOn)}${card}`
  return waived ? `${paid}: ${movedText}. ${waived}` : `${paid}. Nothing is due.`
}

/** That it is no invoice, and where to transfer to. */
function proFormaRemark({ paidOn, transfer }: DocumentData['payment']): string {
  const lines = ['This is no invoice: it follows once the order is paid.', `To be paid by ${formatDay(paidOn)}.`]
  if (!transfer) return lines.join(' ')
  const { holder, iban, bic, bankName, reference } = transfer
  const account = [holder, `IBAN ${iban}`, ...(bic ? [`BIC ${bic}`] : []), ...(bankName ? [bankName] : [])].join(', ')
  return `${lines.join(' ')}\nTransfer to ${account}\nReference ${reference}`
}
