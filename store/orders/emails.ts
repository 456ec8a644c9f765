import { asc, eq, lte, sql } from 'drizzle-orm'
import { composeEmail } from '#platform/compose-email.ts'
import type { Database } from '#platform/database.ts'
import { RetryItemLaterError } from '#platform/jobs.ts'
import type { EmailMessage, Mailer } from '#platform/mail.ts'
import { mailRetryColumns } from '#platform/mail-queue.ts'
import { formatDateTime } from '#shared/format-date-time.ts'
import { formatCents } from '#shared/money.ts'
import { greeting } from '#store/identity/emails.ts'
import { mailboxSql, users } from '#store/identity/table.ts'
import { formatCard, type OrderEvent } from './contract.ts'
import type { OrderDetails } from './details/contract.ts'
import { findDetailsOfOrder } from './details/rules.ts'
import { type DueEmail, dropEmail, isSendingAllowed } from './email-limits.ts'
import {
  costText,
  costTexts,
  detailsText,
  formatItemsShort,
  inTotal,
  left,
  partNumberLines,
  productLines,
  reductionLines,
} from './email-texts.ts'
import { formatItem, formatItems, type Order } from './order-contract.ts'
import { createOrderLink, orderLinkDays } from './order-link.ts'
import { findOrderById } from './order-queries.ts'
import { findOrderLines, type LineRow } from './rules.ts'
import { orderHistory, orders, payments } from './table.ts'

/**
 * Sends the order email that has been due longest, of those with the fewest failed tries, so that one that nobody accepts keeps no new one
 * waiting. Its row is locked until the mailer has accepted the email, so only one of several processes sends it. After a crash in between
 * it is sent again with the same Message-ID, by which mail clients recognise the duplicate.
 * @param store `publicUrl`: its origin for links in the email, without a trailing slash; `secret`: signs the links of guests' orders
 * @returns false when none is due
 * @throws {RetryItemLaterError} with the error that stopped it; the email is due again later or given up, see `mailRetryColumns`. The history
 *   shows an email that was given up as `failed`: it is not due, not sent, and was tried
 */
export async function sendDueOrderEmail(db: Database, mailer: Mailer, store: LinkTarget): Promise<boolean> {
  const done = await db.transaction(async (tx) => {
    const [due] = await selectDueEmail(tx).prepare('due_order_email').execute()
    if (!due) return { found: false }
    // async: an error while composing is retried like one of the mailer, so it does not block the other emails.
    const send = async () => mailer.send(composeOrderEmail({ ...due, ...(await readOrder(tx, due.order._id)) }, store))
    if (!(await isSendingAllowed(tx, due))) {
      await dropEmail(tx, due)
      return { found: true }
    }
    const [change, error] = await send().then(
      () => [{ mailDueAt: null, mailedAt: sql`clock_timestamp()` }, undefined] as const,
      (error: unknown) => [mailRetryColumns(error, { mailTries: orderHistory.mailTries, tries: due.line.mailTries }), error] as const,
    )
    await tx.update(orderHistory).set(change).where(eq(orderHistory._id, due.line._id))
    return { found: true, error }
  })
  if (done.error) throw new RetryItemLaterError(done.error)
  return done.found
}

type ReadOrder = { lines: LineRow[]; whole: Order; details: OrderDetails | null }

const readOrder = async (tx: Database, orderId: string): Promise<ReadOrder> => ({
  lines: await findOrderLines(tx, orderId),
  whole: await findOrderById(tx, orderId),
  details: await findDetailsOfOrder(tx, orderId),
})

type LinkTarget = { publicUrl: string; secret: string }

/** The email to be sent next. */
export const selectDueEmail = (tx: Database) =>
  tx
    .select({
      line: orderHistory,
      order: orders,
      payment: payments,
      verified: sql<boolean>`coalesce(${users.emailVerified}, false)`,
      mailbox: sql<string>`coalesce(${users.mailbox}, ${mailboxSql(orders.buyerEmail)})`,
    })
    .from(orderHistory)
    .innerJoin(orders, eq(orders._id, orderHistory.orderId))
    .leftJoin(users, eq(users.id, orders.buyerId)) // a guest has none
    .leftJoin(payments, eq(payments._id, orders.paymentId))
    .where(lte(orderHistory.mailDueAt, sql`now()`))
    .orderBy(asc(orderHistory.mailTries), asc(orderHistory.mailDueAt))
    .limit(1)
    .for('update', { of: orderHistory, skipLocked: true })

function composeOrderEmail(due: DueEmail & ReadOrder, { publicUrl, secret }: LinkTarget): EmailMessage {
  const { line, order, lines } = due
  const [only, ...others] = lines
  const isGuest = order.buyerId === null
  const orderLink = publicUrl + createOrderLink(secret, order._id)
  const orderPage = isGuest ? orderLink : `${publicUrl}/dashboard/myorder/${order._id}`
  const productId = others.length === 0 ? only?.toolId : undefined
  const write = isGuest && line.event === 'placed' ? linkEmail : emailTemplates[line.event]
  if (!write) throw new Error(`There is no mail about "${line.event}"`)
  return {
    ...composeEmail({
      to: order.buyerEmail,
      closing: `Nucleus of PC. You get this mail because of your order ${order.number}. Something wrong? ${publicUrl}/help#contact`,
      ...write({
        ...due,
        orderPage,
        paymentPage: isGuest ? `${orderLink}?pay=1` : `${publicUrl}/dashboard/payment/${order._id}`,
        productPage: productId && `${publicUrl}/products/${productId}`,
        purchasePage: productId && !isGuest ? `${publicUrl}/purchase/${productId}` : undefined,
      }),
    }),
    messageIdSeed: `order-${order.number}-${line._id}`,
    occurredAt: new Date(line.at),
  }
}

type OrderEmailContent = Omit<Parameters<typeof composeEmail>[0], 'to' | 'closing'>
type OrderEmailContext = DueEmail &
  ReadOrder & {
    orderPage: string
    paymentPage: string
    /** undefined for an order of several products */
    productPage: string | undefined
    purchasePage: string | undefined
  }

/**
 * The one email about a guest's order that is not paid. It says nothing that was typed at the checkout, and nothing of what was ordered: the
 * address may be somebody else's.
 */
const linkEmail = ({ order, orderPage }: OrderEmailContext): OrderEmailContent => ({
  subject: `Order ${order.number}: not paid yet`,
  paragraphs: [
    `Hello, order ${order.number} was placed with your e-mail. It is not paid yet.`,
    `The button leads to it: see it, pay it or cancel it there, for ${orderLinkDays} days. Whoever has this link sees the order, so keep this mail to yourself.`,
    `An order that is not paid until ${formatDateTime(order.holdUntil)} ends, and nothing is charged. You have not ordered anything? Then somebody has typed your e-mail: you need not do anything.`,
  ],
  action: { words: 'Show the order', url: orderPage },
})

/** One template per event that is emailed; each starts with the most important fact. */
const emailTemplates: Partial<Record<OrderEvent, (about: OrderEmailContext) => OrderEmailContent>> = {
  placed: ({ order, lines, whole, details, verified, paymentPage }) => ({
    subject: `Order ${order.number}: ${formatItemsShort(inTotal(lines))}, ${formatTotal(order)}, not paid yet`,
    paragraphs: [
      `${buyerGreeting(order)} your order ${order.number} is placed: ${formatItems(inTotal(lines))} for ${formatTotal(order)}. It is not paid yet.`,
      `The pieces are held for you until ${formatDateTime(order.holdUntil)}. An order that is not paid by then ends, and nothing is charged.`,
      [
        ...productLines(inTotal(lines)),
        ...costText(whole),
        ...detailsText(details, whole, { isAll: verified }),
        verified ? addressText(order, details) : addressOmittedText(order),
      ].join('\n\n'),
    ],
    action: { words: `Pay ${formatTotal(order)}`, url: paymentPage },
  }),
  paid: ({ order, lines, whole, details, payment, line, verified, paymentPage }) => ({
    subject: `Receipt for order ${order.number}: ${formatTotal(order)} paid`,
    paragraphs: [
      `${buyerGreeting(order)} thank you. Your payment of ${formatTotal(order)} for order ${order.number} has arrived.`,
      [
        `Order ${order.number} of ${formatDateTime(order.placedAt)}`,
        ...inTotal(lines).flatMap((item) => [
          `${formatItem(item)}, ${formatCents(item.unitPriceCents)} each`,
          ...reductionLines(item),
          ...partNumberLines(item),
        ]),
        ...costTexts(whole),
        `Paid ${formatDateTime(line.at)}${payment?.card ? ` with ${formatCard(payment.card)}` : ''}`,
        `Transaction ID: ${payment?.intentId}`,
      ].join('\n'),
      ...detailsText(details, whole, { isAll: verified }),
      verified ? addressText(order, details) : addressOmittedText(order),
      'Keep this mail: it is your receipt.',
    ],
    action: { words: 'Show the receipt', url: paymentPage },
  }),
  expired: ({ order, lines, purchasePage, orderPage }) => ({
    subject: `Order ${order.number} has ended: ${formatTotal(order)} was not paid in time`,
    paragraphs: [
      `${buyerGreeting(order)} your order ${order.number}, ${formatItems(lines)}, was not paid until ${formatDateTime(order.holdUntil)} and has ended. Nothing was charged.`,
      'The pieces are back in stock. You can order them again.',
    ],
    action: purchasePage ? { words: 'Order again', url: purchasePage } : { words: 'Show the order', url: orderPage },
  }),
  cancelled: ({ order, lines, line, productPage, orderPage }) => ({
    subject: `Order ${order.number} is cancelled: ${line.amountCents ? `${formatCents(line.amountCents)} goes back to you` : 'nothing was charged'}`,
    paragraphs: [
      `${buyerGreeting(order)} ${whoHas(line, order)} cancelled your order ${order.number}, ${formatItems(lines)}.`,
      line.amountCents
        ? `${formatCents(line.amountCents)} goes back to the card that you paid with. ${refundDelayText}`
        : 'Nothing was charged.',
      ...storesReason(line),
    ],
    action: productPage ? { words: 'See the product', url: productPage } : { words: 'Show the order', url: orderPage },
  }),
  'line cancelled': ({ order, lines, line, paymentPage, orderPage }) => ({
    subject: `A part of order ${order.number} is cancelled: ${line.amountCents ? `${formatCents(line.amountCents)} goes back to you` : `${formatTotal(order)} is left to pay`}`,
    paragraphs: [
      `${buyerGreeting(order)} ${whoHas(line, order)} cancelled a part of your order ${order.number}${line.items ? `: ${line.items}` : ''}. ${formatItems(left(lines))} ${line.amountCents ? 'is left, and stays paid' : `for ${formatTotal(order)} is left${order.orderStatus === 'open' ? ', not paid yet' : ''}`}.`,
      line.amountCents
        ? `${formatCents(line.amountCents)} goes back to the card that you paid with. ${refundDelayText}`
        : 'Nothing was charged for what was cancelled.',
      ...storesReason(line),
    ],
    action:
      line.amountCents || order.orderStatus !== 'open'
        ? { words: 'Show the order', url: orderPage }
        : { words: `Pay ${formatTotal(order)}`, url: paymentPage },
  }),
  refunded: (about) =>
    refundEmail(about, about.line.items === null ? 'All of your payment goes back.' : 'With this, all of your payment has gone back.'),
  'partly refunded': (about) => refundEmail(about, 'The order itself stays as it is.'),
}

function refundEmail({ order, lines, whole, line, payment, orderPage }: OrderEmailContext, extent: string): OrderEmailContent {
  const amount = formatCents(line.amountCents ?? 0)
  const ended = line.state === 'expired' || line.state === 'cancelled'
  return {
    subject: `${amount} of order ${order.number} goes back to you`,
    paragraphs: [
      ended
        ? `${buyerGreeting(order)} your payment of ${amount} came after order ${order.number} had ended. It goes back to your card by itself: you need not do anything.`
        : `${buyerGreeting(order)} ${amount} of your payment for order ${order.number}, ${line.items ?? formatItems(lines)}, goes back to ${payment?.card ? formatCard(payment.card) : 'your card'}. ${extent}`,
      refundDelayText,
      ...(ended ? [] : costText(whole)),
      ...(line.note && !ended ? [`The store says: ${line.note}`] : []),
    ],
    action: { words: 'Show the order', url: orderPage },
  }
}

/** Where an order goes, with the name: an address from the checkout begins with that of the recipient. */
const addressText = ({ buyerName, buyerAddress }: OrderEmailContext['order'], details: OrderDetails | null): string =>
  `Delivery address:\n${buyerAddress.split('\n').includes(details?.name ?? buyerName) ? '' : `${buyerName}\n`}${buyerAddress}`

/** Replaces the text that a buyer typed in emails to an unverified address, which may be somebody else's. */
const addressOmittedText = ({ buyerId }: OrderEmailContext['order']) =>
  `Name and address for the delivery stand with the order.${buyerId === null ? '' : ' Verify your e-mail on My Profile, and mails say them too, and confirm every order.'}`

const buyerGreeting = ({ buyerName }: OrderEmailContext['order']) => greeting({ name: buyerName })
/** The buyer, somebody else of their company who may act as the buyer, or the store. */
const whoHas = ({ actor, userId }: OrderEmailContext['line'], { buyerId }: OrderEmailContext['order']): string =>
  actor !== 'buyer' ? 'the store has' : userId === null || userId === buyerId ? 'you have' : 'somebody of your company has'
const refundDelayText = 'Banks take up to ten days to show it.'
const storesReason = ({ note, actor }: OrderEmailContext['line']) => (note && actor !== 'buyer' ? [`The store says: ${note}`] : [])
const formatTotal = ({ totalCents }: OrderEmailContext['order']) => formatCents(totalCents)
