import { formatDateTime } from '#shared/format-date-time.ts'
import { formatCents } from '#shared/money.ts'
import { greeting } from '#store/identity/emails.ts'
import { restAskedEmail, transferLines, transferReminderEmail, transferText } from './bank/transfer-emails.ts'
import { cancelledEmail, lineCancelledEmail, refundEmail, replacedEmail } from './cancellation-emails.ts'
import { formatCard, type OrderEvent } from './contract.ts'
import { listedLineCents } from './cost-rows.ts'
import { correctionEmail } from './documents/corrections/email.ts'
import {
  addressOmittedText,
  addressText,
  buyerGreeting,
  documentText,
  formatTotal,
  isOver,
  type OrderEmailContent,
  type OrderEmailContext,
} from './email-context.ts'
import {
  costText,
  costTexts,
  detailsText,
  formatItemsShort,
  inTotal,
  isBuyersPayment,
  memberName,
  partNumberLines,
  paymentText,
  poNumberText,
  productLines,
  reductionShareLines,
  replacesText,
} from './email-texts.ts'
import { formatItem, formatItems } from './order-contract.ts'
import { isReplacement } from './order-history.ts'
import { orderLinkDays } from './order-link.ts'
import { returnArrivedEmail, returnAskedEmail, returnDecidedEmail } from './returns/return-emails.ts'
import type { LineRow } from './rules.ts'
import { sentEmail, takenBackEmail, trackingChangedEmail } from './shipments/sent-email.ts'
import { notSentAnyMore } from './unsent-pieces.ts'
import { withdrawnEmail } from './withdrawals/withdrawal-emails.ts'

/* What each email about an order says. */

const unpaidWords = (replacedBy: number | undefined): string => (replacedBy ? `replaced by order ${replacedBy}` : 'not paid yet')
const unpaidSentence = (order: OrderEmailContext['order'], replacedBy: number | undefined): string =>
  isOver(order)
    ? `It was not paid and ${replacedBy ? `order ${replacedBy} has replaced it` : 'has ended'}: nothing was charged.`
    : 'It is not paid yet.'

/**
 * The one email about a guest's order that is not paid. It says nothing that was typed at the checkout: the address may be somebody else's.
 */
export const linkEmail = ({
  order,
  lines,
  whole,
  details,
  replacedBy,
  transfer,
  orderPage,
  mailedPage,
}: OrderEmailContext): OrderEmailContent => ({
  subject: `Order ${order.number}: ${formatTotal(order)}, ${unpaidWords(replacedBy)}`,
  paragraphs: [
    `Hello, order ${order.number} was placed with your e-mail: ${formatItems(inTotal(lines))} for ${formatTotal(order)}. ${unpaidSentence(order, replacedBy)}`,
    ...replacesText(whole),
    ...productLines(inTotal(lines)),
    ...costText(whole, details),
    ...(transfer
      ? [
          `It is to be paid by bank transfer. Open the order by the link above first: then we know that this mail has reached you, and hold the order until ${formatDateTime(order.transferHoldUntil ?? order.holdUntil)}.`,
          transferLines(transfer),
        ]
      : []),
    `The link above leads to it: see it${isOver(order) ? '' : ', pay it or cancel it'} there, for ${orderLinkDays} days. Whoever has this link sees the order, so keep this mail to yourself.`,
    `${isOver(order) ? '' : `An order that is not paid by ${formatDateTime(order.holdUntil)} ends, and nothing is charged. `}You have not ordered anything? Then somebody has typed your e-mail: you need not do anything.`,
  ],
  action: { words: 'Show the order', url: transfer ? mailedPage : orderPage },
})

/** One template per event that is emailed; each starts with the most important fact. */
export const emailTemplates: Partial<Record<OrderEvent, (about: OrderEmailContext) => OrderEmailContent>> = {
  placed: ({ order, lines, whole, details, replacedBy, transfer, repeats, orderPage, paymentPage }) => ({
    subject: `Order ${order.number}: ${formatItemsShort(inTotal(lines))}, ${formatTotal(order)}, ${unpaidWords(replacedBy)}`,
    paragraphs: [
      `${buyerGreeting(order)} your order ${order.number} is placed: ${formatItems(inTotal(lines))} for ${formatTotal(order)}. ${unpaidSentence(order, replacedBy)}`,
      ...replacesText(whole),
      ...(transfer ? transferText(transfer, order.holdUntil) : []),
      ...(isOver(order) || transfer
        ? []
        : [
            `The pieces are held for you until ${formatDateTime(order.holdUntil)}. An order that is not paid by then ends, and nothing is charged.`,
          ]),
      [
        ...productLines(inTotal(lines)),
        ...costText(whole, details),
        ...detailsText(details, whole, repeats, { awaitsTransfer: transfer !== undefined }),
        repeats(order.buyerAddress) ? addressText(order, details) : addressOmittedText(order),
      ].join('\n\n'),
    ],
    action:
      isOver(order) || transfer ? { words: 'Show the order', url: orderPage } : { words: `Pay ${formatTotal(order)}`, url: paymentPage },
  }),
  paid: (about) => receiptEmail(about, receiptForBuyer(about)),
  'receipt to payer': (about) => receiptEmail(about, receiptForPayer(about)),
  expired: ({ order, lines, whole, details, repeats, purchasePage, orderPage }) => ({
    subject: `Order ${order.number} has ended: ${formatTotal(order)} was not paid in time`,
    paragraphs: [
      `${buyerGreeting(order)} your order ${order.number}, ${formatItems(inTotal(lines))} for ${formatTotal(order)}, was not paid by ${formatDateTime(order.holdUntil)} and has ended. ${whole.paymentStatus === 'unpaid' ? 'Nothing was charged.' : 'What has come of the money goes back to you.'}`,
      ...poNumberText(details, repeats),
      ...productLines(inTotal(lines)),
      ...costText(whole, details),
      'The pieces are back in stock. You can order them again.',
    ],
    action: purchasePage ? { words: 'Order again', url: purchasePage } : { words: 'Show the order', url: orderPage },
  }),
  cancelled: (about) => (isReplacement(about.line) ? replacedEmail(about) : cancelledEmail(about)),
  'line cancelled': lineCancelledEmail,
  sent: sentEmail,
  'tracking changed': trackingChangedEmail,
  'taken back': takenBackEmail,
  withdrawn: withdrawnEmail,
  'return asked': returnAskedEmail,
  'return arrived': returnArrivedEmail,
  'return decided': returnDecidedEmail,
  'invoice corrected': correctionEmail,
  'transfer reminder': transferReminderEmail,
  'rest asked': restAskedEmail,
  refunded: (about) =>
    refundEmail(
      about,
      about.line.items === null ? `All of ${paymentText(about)} goes back.` : `With this, all of ${paymentText(about)} has gone back.`,
    ),
  'partly refunded': (about) => refundEmail(about, notSentText(about)),
}

/** What is not sent any more of an order of which money went back, as its pieces went back into stock or were cancelled, when the mail is written. */
const notSentText = ({ whole: { lines } }: OrderEmailContext): string => {
  const counted = lines.filter(({ inTotal }) => inTotal)
  const unsent = counted.map((line) => ({ ...line, quantity: notSentAnyMore(line) })).filter(({ quantity }) => quantity > 0)
  if (unsent.length === 0) return 'The order itself stays as it is.'
  const isWhole = counted.every((line) => notSentAnyMore(line) === line.quantity)
  return `Not sent any more of the order: ${formatItems(unsent)}.${isWhole ? '' : ' The rest of it stays as it is.'}`
}

/** How a receipt begins, and by whom it says that the order was paid. */
type ReceiptAbout = { beginning: string; payer: string }

const receiptForBuyer = ({ order, whole, payerId }: OrderEmailContext): ReceiptAbout => ({
  beginning: `${buyerGreeting(order)} thank you. ${isBuyersPayment({ order, payerId }) ? 'Your' : 'The'} payment of ${formatTotal(order)} for order ${order.number} has arrived.`,
  payer: whole.paidBy ? ` by ${memberName(whole.paidBy.name)}` : '',
})

const receiptForPayer = ({ order, doerName }: OrderEmailContext): ReceiptAbout => ({
  beginning: `${greeting({ name: doerName ?? '' })} thank you. Your payment of ${formatTotal(order)} for order ${order.number}, which ${memberName(order.buyerName)} has placed, has arrived.`,
  payer: ' by you',
})

const receiptLines = (lines: LineRow[]): string[] =>
  lines.flatMap((line) => [
    `${formatItem(line)}, ${formatCents(line.unitPriceCents)} each, ${formatCents(listedLineCents(line))}`,
    ...(lines.length > 1 ? reductionShareLines(line) : []),
    ...partNumberLines(line),
  ])

const receiptEmail = (about: OrderEmailContext, { beginning, payer }: ReceiptAbout): OrderEmailContent => {
  const { order, lines, whole, details, payment, line, repeats, paymentPage } = about
  return {
    subject: `Receipt for order ${order.number}: ${formatTotal(order)} paid`,
    paragraphs: [
      beginning,
      [
        `Order ${order.number} of ${formatDateTime(order.placedAt)}`,
        ...receiptLines(inTotal(lines)),
        ...costTexts(whole, details),
        `Paid ${formatDateTime(whole.paidAt ?? line.at)}${payment?.card ? ` with ${formatCard(payment.card)}` : ''}${payer}`,
        `Transaction ID: ${whole.transectionId}`,
      ].join('\n'),
      ...detailsText(details, whole, repeats),
      repeats(order.buyerAddress) ? addressText(order, details) : addressOmittedText(order),
      ...documentText(about, 'invoice'),
      'Keep this mail: it is your receipt.',
    ],
    action: { words: 'Show the receipt', url: paymentPage },
  }
}
