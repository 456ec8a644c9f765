import { formatDay } from '#shared/format-day.ts'
import { formatCents } from '#shared/money.ts'
import type { OrderEvent } from '#store/orders/contract.ts'
import {
  addressOmittedText,
  addressText,
  buyerGreeting,
  documentText,
  formatTotal,
  type OrderEmailContent,
  type OrderEmailContext,
  storesReason,
} from '#store/orders/email-context.ts'
import { costText, detailsText, inTotal, poNumberText, productLines } from '#store/orders/email-texts.ts'
import { formatItems } from '#store/orders/order-contract.ts'

/* The mails about an order on account, where they say something else than those about one by card. */

const placedEmail = ({ order, lines, whole, details, repeats, orderPage }: OrderEmailContext): OrderEmailContent => ({
  subject: `Order ${order.number}: ${formatTotal(order)}, on account`,
  paragraphs: [
    `${buyerGreeting(order)} your order ${order.number} is placed: ${formatItems(inTotal(lines))} for ${formatTotal(order)}, on account of your company. We send it now.`,
    'An invoice comes with each parcel: it says by when it is to be paid, and to which account.',
    [
      ...productLines(inTotal(lines)),
      ...costText(whole, details),
      ...detailsText(details, whole, repeats),
      repeats(order.buyerAddress) ? addressText(order, details) : addressOmittedText(order),
    ].join('\n\n'),
  ],
  action: { words: 'Show the order', url: orderPage },
})

/** What a mail about a parcel says of its invoice. @param dueOn null: the order is not on account */
export const parcelInvoiceText = (about: Pick<OrderEmailContext, 'hasDocuments' | 'shipment' | 'attached'>): string[] =>
  about.shipment?.dueOn
    ? [`It is on account: please pay its invoice by ${formatDay(about.shipment.dueOn)}.`, ...documentText(about, 'invoice')]
    : []

/** Of what was cancelled, came back or costs less. */
const creditedEmail = (about: OrderEmailContext): OrderEmailContent => {
  const { order, line, lines, details, repeats, orderPage } = about
  const amount = formatCents(line.amountCents ?? 0)
  const isCancelled = line.event === 'cancelled'
  if (line.amountCents === null) return cancelledWithoutMoneyEmail(about)
  return {
    subject: isCancelled ? `Order ${order.number} is cancelled: nothing of it is owed` : `${amount} of order ${order.number} is credited`,
    paragraphs: [
      isCancelled
        ? `${buyerGreeting(order)} the store has cancelled your order ${order.number}, ${formatItems(lines)}. Nothing of it is owed.`
        : `${buyerGreeting(order)} ${amount} of your order ${order.number}, ${line.items ?? formatItems(lines)}, ${line.event === 'line cancelled' ? 'is cancelled' : 'is credited'}: you owe so much less. What was paid already beyond that, we transfer back.`,
      ...poNumberText(details, repeats),
      ...(isCancelled || line.event === 'line cancelled' ? [] : documentText(about, 'credit note')),
      ...storesReason(line),
    ],
    action: { words: 'Show the order', url: orderPage },
  }
}

/** Of pieces whose money was credited before. */
const cancelledWithoutMoneyEmail = ({ order, line, lines, details, repeats, orderPage }: OrderEmailContext): OrderEmailContent => ({
  subject: `A part of order ${order.number} is cancelled`,
  paragraphs: [
    `${buyerGreeting(order)} ${line.items ?? formatItems(lines)} of your order ${order.number} is cancelled. What it costs was credited before.`,
    ...poNumberText(details, repeats),
    ...storesReason(line),
  ],
  action: { words: 'Show the order', url: orderPage },
})

/** In the place of `emailTemplates`. */
export const accountEmailTemplates: Partial<Record<OrderEvent, (about: OrderEmailContext) => OrderEmailContent>> = {
  placed: placedEmail,
  cancelled: creditedEmail,
  'line cancelled': creditedEmail,
  refunded: creditedEmail,
  'partly refunded': creditedEmail,
}
