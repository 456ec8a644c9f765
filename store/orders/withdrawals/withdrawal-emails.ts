import { formatDateTime } from '#shared/format-date-time.ts'
import { formatDay } from '#shared/format-day.ts'
import { formatCents } from '#shared/money.ts'
import { isNameInMails } from '#store/identity/emails.ts'
import type { OrderEmailContent, OrderEmailContext } from '#store/orders/email-context.ts'
import { cardText } from '#store/orders/email-texts.ts'
import { formatItem } from '#store/orders/order-contract.ts'
import { formatReturnNumber } from '#store/orders/returns/return-reasons.ts'
import type { Withdrawal } from './contract.ts'

/**
 * The receipt of a withdrawal: its content, with the date and the time at which it was received (Directive 2011/83/EU, Article 11a). It goes to the
 * e-mail that was typed, so a name that may be a message is left out.
 */
export function withdrawnEmail(about: OrderEmailContext): OrderEmailContent {
  const { order, withdrawal, orderPage } = about
  if (!withdrawal) throw new Error(`Order ${order.number} has no withdrawal that this mail is about`)
  const { name, email, lines, at } = withdrawal
  return {
    subject: `Receipt: you have withdrawn from ${isOfAll(about) ? 'the contract' : 'a part'} of order ${order.number}`,
    paragraphs: [
      `Hello, we have received your withdrawal on ${formatDateTime(at)}. You need not do anything else to withdraw.`,
      [
        'Your declaration:',
        `I withdraw from the contract of order ${order.number} of ${formatDateTime(order.placedAt)} for:`,
        ...lines.map(formatItem),
        `Name: ${isNameInMails(name) ? name : 'as it stands with the order'}`,
        `E-mail for the receipt: ${email}`,
      ].join('\n'),
      ...moneyTexts(about, withdrawal),
      'Keep this mail: it is your receipt.',
    ],
    // With the link of a guest's order whoever has the mail could read all of it and cancel it: it goes to nobody but that order's e-mail.
    ...(order.buyerId !== null || isSameEmail(email, order.buyerEmail) ? { action: { words: 'Show the order', url: orderPage } } : {}),
  }
}

const isSameEmail = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const isOfAll = ({ lines, withdrawal }: OrderEmailContext): boolean =>
  lines.every(({ _id, quantity }) => withdrawal?.lines.some((line) => line._id === _id && line.quantity === quantity))

/** Of an order that was not paid when it was withdrawn from. */
function unpaidText(about: OrderEmailContext): string {
  const { payment, line } = about
  if (payment?.state !== 'succeeded') return 'The order was not paid: nothing was charged.'
  if (line.orderStatus !== 'open') return ''
  return `The order was paid in part: the ${formatCents(payment.amountCents)} that has come goes back to ${cardText(about)}.`
}

const piecesTaken = (takenOver: Withdrawal['takenOver'], lineId: string): number =>
  takenOver.filter(({ _id }) => _id === lineId).reduce((sum, { quantity }) => sum + quantity, 0)

function moneyTexts(
  about: OrderEmailContext,
  { lines, refundCents, deliveryCents, returnNumber, returnAddress, takenOver, moneyDueOn }: Withdrawal,
): string[] {
  const unsent = lines.filter(({ quantity, sent }) => quantity > sent)
  const toSend = lines
    .map((line) => ({ ...line, quantity: line.sent - piecesTaken(takenOver, line._id) }))
    .filter(({ quantity }) => quantity > 0)
  const parts = [unsent.length > 0 && 'what was not sent', deliveryCents > 0 && 'the delivery'].filter(Boolean).join(' and ')
  return [
    ...(unsent.length > 0
      ? [`Not sent yet, and cancelled: ${unsent.map((line) => formatItem({ ...line, quantity: line.quantity - line.sent })).join(', ')}.`]
      : []),
    refundCents > 0 ? `${formatCents(refundCents)} for ${parts} goes back to ${cardText(about)}.` : '',
    returnNumber !== null
      ? `Sent, and to come back: ${toSend.map(formatItem).join(', ')}. Send it within 14 days, with the number ${formatReturnNumber(returnNumber)} on the parcel, ${returnAddress ? `to ${returnAddress.replaceAll('\n', ', ')}` : 'to the address that we write to you'}.`
      : '',
    ...takenOver.map(
      (pieces) =>
        `Of your return ${formatReturnNumber(pieces.returnNumber)}: ${formatItem(pieces)}. It is part of this withdrawal now, and cannot be refused any more. If it is not on its way yet, send it within 14 days, with that number on the parcel.`,
    ),
    moneyDueOn === null ? '' : `The money of what comes back goes back by ${formatDay(moneyDueOn)}; we may wait until the goods have come.`,
    unpaidText(about),
  ].filter((text) => text !== '')
}
