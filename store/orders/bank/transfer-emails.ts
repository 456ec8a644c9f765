import type { Database } from '#platform/database.ts'
import { formatDateTime } from '#shared/format-date-time.ts'
import { formatCents } from '#shared/money.ts'
import { buyerGreeting, formatTotal, type OrderEmailContent, type OrderEmailContext } from '#store/orders/email-context.ts'
import { costText, formatItemsShort, inTotal, poNumberText, productLines } from '#store/orders/email-texts.ts'
import { formatItems } from '#store/orders/order-contract.ts'
import type { BankAccount } from '#store/orders/payment-methods/contract.ts'
import { creditorReference, formatIban } from '#store/orders/payment-methods/iban.ts'
import { findBankAccount } from '#store/orders/payment-methods/rules.ts'
import type { OrderRow } from '#store/orders/rules.ts'
import { dueOf } from './book-entry.ts'

/** Of an order that awaits a transfer. `account`: null where the shop names none now. */
export type AwaitedTransfer = { account: BankAccount | null; reference: string; dueCents: number }

/** Locks nothing: a mail is composed and sent within its transaction, and a mail server may be slow. */
export async function findAwaitedTransfer(tx: Database, order: OrderRow): Promise<AwaitedTransfer | undefined> {
  if (order.paymentMethod !== 'bank_transfer' || order.orderStatus !== 'open') return undefined
  return { account: await findBankAccount(tx), reference: creditorReference(order.number), dueCents: await dueOf(tx, order) }
}

/** Amount, account and reference, a line for each. */
export function transferLines({ account, reference, dueCents }: AwaitedTransfer): string {
  const to = account
    ? [
        `Account holder: ${account.holder}`,
        `IBAN: ${formatIban(account.iban)}`,
        ...(account.bic ? [`BIC: ${account.bic}`] : []),
        ...(account.bankName ? [`Bank: ${account.bankName}`] : []),
      ]
    : ['The account stands on the page of the order.']
  return [`Amount: ${formatCents(dueCents)}`, ...to, `Reference: ${reference}`].join('\n')
}

const referenceText = 'Write just the reference into the transfer: by it your money finds the order.'

/** What the mail about a new order says of its transfer. */
export const transferText = (transfer: AwaitedTransfer, holdUntil: string): string[] => [
  `Please transfer ${formatCents(transfer.dueCents)}, so that it is here by ${formatDateTime(holdUntil)}. An order whose money has not come by then ends.`,
  transferLines(transfer),
  referenceText,
]

type About = OrderEmailContext & { transfer: AwaitedTransfer }

const hasTransfer = (about: OrderEmailContext): about is About => about.transfer !== undefined

/** For an order that was paid or has ended since. */
const nothingToDo = ({ order, orderPage }: OrderEmailContext): OrderEmailContent => ({
  subject: `Order ${order.number}: nothing is left to transfer`,
  paragraphs: [`${buyerGreeting(order)} for order ${order.number} nothing is to be transferred now. How it stands is on its page.`],
  action: { words: 'Show the order', url: orderPage },
})

export function transferReminderEmail(about: OrderEmailContext): OrderEmailContent {
  if (!hasTransfer(about)) return nothingToDo(about)
  const { order, lines, details, whole, repeats, orderPage, transfer } = about
  return {
    subject: `Order ${order.number} waits for your transfer of ${formatCents(transfer.dueCents)}`,
    paragraphs: [
      `${buyerGreeting(order)} the money for your order ${order.number}, ${formatItems(inTotal(lines))}, is not here yet. You have transferred it already? Then you need not do anything.`,
      ...transferText(transfer, order.holdUntil),
      ...poNumberText(details, repeats),
      ...productLines(inTotal(lines)),
      ...costText(whole, details),
    ],
    action: { words: 'Show the order', url: orderPage },
  }
}

export function restAskedEmail(about: OrderEmailContext): OrderEmailContent {
  if (!hasTransfer(about)) return nothingToDo(about)
  const { order, lines, orderPage, transfer } = about
  return {
    subject: `Order ${order.number}: ${formatCents(transfer.dueCents)} of ${formatTotal(order)} is missing`,
    paragraphs: [
      `${buyerGreeting(order)} thank you for your transfer. Of the ${formatTotal(order)} for order ${order.number}, ${formatItemsShort(inTotal(lines))}, ${formatCents(order.totalCents - transfer.dueCents)} has come, and ${formatCents(transfer.dueCents)} is missing.`,
      ...transferText(transfer, order.holdUntil),
    ],
    action: { words: 'Show the order', url: orderPage },
  }
}
