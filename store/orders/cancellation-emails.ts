import { formatCents } from '#shared/money.ts'
import { formatCard } from './contract.ts'
import {
  buyerGreeting,
  documentText,
  formatTotal,
  isOver,
  type OrderEmailContent,
  type OrderEmailContext,
  refundDelayText,
  storesReason,
  whoHas,
} from './email-context.ts'
import { cardText, costText, left, paymentText, poNumberText } from './email-texts.ts'
import { formatItems, type OrderLine } from './order-contract.ts'

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

/** A part of an order that goes on: one that is not paid, or the pieces of a paid one that were not sent. */
export function lineCancelledEmail(about: OrderEmailContext): OrderEmailContent {
  const { order, line, details, repeats, doerName, paymentPage, orderPage } = about
  const isPaid = line.state !== 'open'
  return {
    subject: `A part of order ${order.number} is cancelled: ${line.amountCents ? `${formatCents(line.amountCents)} goes back to you` : isPaid ? 'its money had gone back before' : isOver(order) ? 'nothing was charged' : `${formatTotal(order)} is left to pay`}`,
    paragraphs: [
      `${buyerGreeting(order)} ${whoHas(line, order, doerName)} cancelled a part of your order ${order.number}${line.items ? `: ${line.items}` : ''}. ${isPaid ? restOfPaidText(about) : restOfUnpaidText(about)}`,
      line.amountCents
        ? `${formatCents(line.amountCents)} goes back to ${cardText(about)}. ${refundDelayText}`
        : isPaid
          ? 'Its money had gone back to you before.'
          : 'Nothing was charged for what was cancelled.',
      ...poNumberText(details, repeats),
      ...storesReason(line),
    ],
    action:
      isPaid || order.orderStatus !== 'open'
        ? { words: 'Show the order', url: orderPage }
        : { words: `Pay ${formatTotal(order)}`, url: paymentPage },
  }
}

const restOfUnpaidText = ({ order, lines }: OrderEmailContext): string =>
  `${formatItems(left(lines))} for ${formatTotal(order)} is left${order.orderStatus === 'open' ? ', not paid yet' : ''}.`

/** What was sent is not left to be sent: it is named apart. */
function restOfPaidText({ whole, lines }: OrderEmailContext): string {
  const of = (pieces: (line: OrderLine) => number) =>
    whole.lines.map((line) => ({ ...line, quantity: pieces(line) })).filter(({ quantity }) => quantity > 0)
  const [sent, toSend] = [of((line) => line.sent), of((line) => line.toSend)]
  if (sent.length === 0) return `${formatItems(left(lines))} is left, and stays paid.`
  return `${formatItems(sent)} was sent before, and stays paid. ${toSend.length > 0 ? `${formatItems(toSend)} is still to come.` : 'Nothing else is to come.'}`
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
        ? whole.paymentMethod === 'bank_transfer'
          ? `${buyerGreeting(order)} order ${order.number} has ended, and the ${amount} that you transferred for it goes back to ${cardText(about)}: you need not do anything.`
          : `${buyerGreeting(order)} ${paymentText(about)} of ${amount} came after order ${order.number} had ended. It goes back by itself to ${cardText(about)}: you need not do anything.`
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
