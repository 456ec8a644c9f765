import { formatDay } from '#shared/format-day.ts'
import { formatIban } from '#store/orders/payment-methods/iban.ts'
import type { DocumentData } from './document-data.ts'

type OnAccount = NonNullable<DocumentData['onAccount']>

/** Until when and to where an invoice on account is paid, or what its credit note does. */
export function paymentTermsText({ dueOn, account, reference }: OnAccount, isCorrection = false): string {
  if (dueOn === null)
    return isCorrection ? 'No money moves: the invoice that replaces it is to be paid.' : 'You owe less by this: no money moves.'
  const to = account
    ? ` to ${account.holder}, ${formatIban(account.iban)}${account.bic && `, ${account.bic}`}, with the reference ${reference}`
    : ''
  return `Please pay by ${formatDay(dueOn)}${to}.`
}
