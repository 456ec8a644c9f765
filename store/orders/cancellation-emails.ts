import { formatCents } from '#shared/money.ts'
import { formatCard } from './contract.ts'
import {
  buyerGreeting,
  documentText,
  type OrderEmailContent,
  type OrderEmailContext,
  refundDelayText,
  storesReason,
  whoHas,
} from './email-context.ts'
import { cardText, costText, paymentText, poNumberText } from './email-texts.ts'
import { formatItems } from './order-contract.ts'

/* The mails about an order that was cancelled, or of which money goes back. */

export function cancelledEmail(about: OrderEmailContext): OrderEmailContent {
  const { order, lines, line, details, repeats, doerName, productPage, orderPage } = about
  return {
    subject: `Order ${order.number} is cancelled: ${line.amountCents ? `${formatCents(line.amountCents)} goes back to you` : 'nothing was charged'}`,
    paragraphs: [
      `${buyerGreeting(order)} ${whoHas(line, order, doerName)} cancelled your order ${order.number}, ${formatItems(lines)}.`,
      line.amountCents ? `${formatCents(line.amountCents)} goes back to ${cardText(about)}. ${refundDelayText}` : 'Nothing was charged.',
      ...poNumberText(details, repeats),
      ...storesReason(line),
    ],
    action: productPage ? { words: 'See the product', url: productPage } : { words: 'Show the order', url: orderPage },
  }
}

/** For where the mail about the order that the buyer has placed since does not say it: see `waitForMailOfNextOrder`. */
export const replacedEmail = ({ order, lines, details, repeats, replacedBy, orderPage }: OrderEmailContext): OrderEmailContent => ({
  subject: `Order ${order.number} is ${replacedBy ? `replaced by order ${replacedBy}` : 'cancelled'}: nothing was charged`,
  paragraphs: [
    `${buyerGreeting(order)} your order ${order.number}, ${formatItems(lines)}, was not paid when you ordered some of the same again. ${
      replacedBy
        ? `Order ${replacedBy} has replaced it, so that nothing is ordered twice.`
        : 'It was cancelled for that, but the new order was not placed. What you still want of it, please order again.'
    }`,
    'Nothing was charged.',
    ...poNumberText(details, repeats),
  ],
  action: { words: 'Show the order', url: orderPage },
})

export function refundEmail(about: OrderEmailContext, extent: string): OrderEmailContent {
  const { order, lines, whole, line, payment, details, repeats, orderPage } = about
  const amount = formatCents(line.amountCents ?? 0)
  const ended = line.state === 'expired' || line.state === 'cancelled'
  return {
    subject: `${amount} of order ${order.number} goes back to you`,
    paragraphs: [
      ended
        ? `${buyerGreeting(order)} ${paymentText(about)} of ${amount} came after order ${order.number} had ended. It goes back by itself to ${cardText(about)}: you need not do anything.`
        : `${buyerGreeting(order)} ${amount} of ${paymentText(about)} for order ${order.number}, ${line.items ?? formatItems(lines)}, goes back to ${payment?.card ? formatCard(payment.card) : cardText(about)}. ${extent}`,
      `${ended ? '' : 'The store has given it back. '}${refundDelayText}`,
      ...poNumberText(details, repeats),
      ...(ended ? [] : costText(whole, details)),
      ...(ended ? [] : documentText(about, 'credit note')),
      ...(line.note && !ended ? [`The store says: ${line.note}`] : []),
    ],
    action: { words: 'Show the order', url: orderPage },
  }
}
