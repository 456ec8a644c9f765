import { asc, eq, lte, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
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
import { type DueEmail, dropEmail, isSendingAllowed, waitForMailOfNextOrder } from './email-limits.ts'
import {
  cardText,
  costText,
  costTexts,
  detailsText,
  formatItemsShort,
  inTotal,
  isBuyersPayment,
  left,
  memberName,
  partNumberLines,
  paymentText,
  poNumberText,
  productLines,
  type RepeatsTyped,
  reductionLines,
  repeatsTyped,
  replacesText,
} from './email-texts.ts'
import { formatItem, formatItems, type Order } from './order-contract.ts'
import { findReplacement, isReplacement } from './order-history.ts'
import { createOrderLink, orderLinkDays } from './order-link.ts'
import { findOrderById, payerIdSql } from './order-queries.ts'
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
    if (await waitForMailOfNextOrder(tx, due)) return { found: true }
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

/** `replacedBy`: the number of the order that has taken its place */
type ReadOrder = { lines: LineRow[]; whole: Order; details: OrderDetails | null; replacedBy: number | undefined }

const readOrder = async (tx: Database, orderId: string): Promise<ReadOrder> => ({
  lines: await findOrderLines(tx, orderId),
  whole: await findOrderById(tx, orderId),
  details: await findDetailsOfOrder(tx, orderId),
  replacedBy: (await findReplacement(tx, orderId))?.number,
})

type LinkTarget = { publicUrl: string; secret: string }

const doers = alias(users, 'doers')

/** The email to be sent next. */
export const selectDueEmail = (tx: Database) =>
  tx
    .select({
      line: orderHistory,
      order: orders,
      payment: payments,
      payerId: payerIdSql,
      verified: sql<boolean>`coalesce(${users.emailVerified}, false)`,
      doerName: doers.name,
      mailbox: sql<string>`coalesce(${users.mailbox}, ${mailboxSql(orders.buyerEmail)})`,
    })
    .from(orderHistory)
    .innerJoin(orders, eq(orders._id, orderHistory.orderId))
    .leftJoin(users, eq(users.id, orders.buyerId)) // a guest has none
    .leftJoin(doers, eq(doers.id, orderHistory.userId))
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
        repeats: repeatsTyped({ verified: due.verified, isPaid: due.payment?.state === 'succeeded', details: due.details }),
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
    /** whether the mail may repeat this text, which was typed with the order */
    repeats: RepeatsTyped
    orderPage: string
    paymentPage: string
    /** undefined for an order of several products */
    productPage: string | undefined
    purchasePage: string | undefined
  }

/**
 * The one email about a guest's order that is not paid. It says nothing that was typed at the checkout: the address may be somebody else's.
 */
const linkEmail = ({ order, lines, whole, orderPage }: OrderEmailContext): OrderEmailContent => ({
  subject: `Order ${order.number}: ${formatTotal(order)}, not paid yet`,
  paragraphs: [
    `Hello, order ${order.number} was placed with your e-mail: ${formatItems(inTotal(lines))} for ${formatTotal(order)}. It is not paid yet.`,
    ...replacesText(whole),
    ...productLines(inTotal(lines)),
    ...costText(whole),
    `The button leads to it: see it, pay it or cancel it there, for ${orderLinkDays} days. Whoever has this link sees the order, so keep this mail to yourself.`,
    `An order that is not paid until ${formatDateTime(order.holdUntil)} ends, and nothing is charged. You have not ordered anything? Then somebody has typed your e-mail: you need not do anything.`,
  ],
  action: { words: 'Show the order', url: orderPage },
})

/** One template per event that is emailed; each starts with the most important fact. */
const emailTemplates: Partial<Record<OrderEvent, (about: OrderEmailContext) => OrderEmailContent>> = {
  placed: ({ order, lines, whole, details, repeats, paymentPage }) => ({
    subject: `Order ${order.number}: ${formatItemsShort(inTotal(lines))}, ${formatTotal(order)}, not paid yet`,
    paragraphs: [
      `${buyerGreeting(order)} your order ${order.number} is placed: ${formatItems(inTotal(lines))} for ${formatTotal(order)}. It is not paid yet.`,
      ...replacesText(whole),
      `The pieces are held for you until ${formatDateTime(order.holdUntil)}. An order that is not paid by then ends, and nothing is charged.`,
      [
        ...productLines(inTotal(lines)),
        ...costText(whole),
        ...detailsText(details, whole, repeats),
        repeats(order.buyerAddress) ? addressText(order, details) : addressOmittedText(order),
      ].join('\n\n'),
    ],
    action: { words: `Pay ${formatTotal(order)}`, url: paymentPage },
  }),
  paid: ({ order, lines, whole, details, payment, payerId, line, repeats, paymentPage }) => ({
    subject: `Receipt for order ${order.number}: ${formatTotal(order)} paid`,
    paragraphs: [
      `${buyerGreeting(order)} thank you. ${isBuyersPayment({ order, payerId }) ? 'Your' : 'The'} payment of ${formatTotal(order)} for order ${order.number} has arrived.`,
      [
        `Order ${order.number} of ${formatDateTime(order.placedAt)}`,
        ...inTotal(lines).flatMap((item) => [
          `${formatItem(item)}, ${formatCents(item.unitPriceCents)} each`,
          ...reductionLines(item),
          ...partNumberLines(item),
        ]),
        ...costTexts(whole),
        `Paid ${formatDateTime(line.at)}${payment?.card ? ` with ${formatCard(payment.card)}` : ''}${whole.paidBy ? ` by ${memberName(whole.paidBy.name)}` : ''}`,
        `Transaction ID: ${payment?.intentId}`,
      ].join('\n'),
      ...detailsText(details, whole, repeats),
      repeats(order.buyerAddress) ? addressText(order, details) : addressOmittedText(order),
      'Keep this mail: it is your receipt.',
    ],
    action: { words: 'Show the receipt', url: paymentPage },
  }),
  expired: ({ order, lines, whole, details, repeats, purchasePage, orderPage }) => ({
    subject: `Order ${order.number} has ended: ${formatTotal(order)} was not paid in time`,
    paragraphs: [
      `${buyerGreeting(order)} your order ${order.number}, ${formatItems(inTotal(lines))} for ${formatTotal(order)}, was not paid until ${formatDateTime(order.holdUntil)} and has ended. Nothing was charged.`,
      ...poNumberText(details, repeats),
      ...productLines(inTotal(lines)),
      ...costText(whole),
      'The pieces are back in stock. You can order them again.',
    ],
    action: purchasePage ? { words: 'Order again', url: purchasePage } : { words: 'Show the order', url: orderPage },
  }),
  cancelled: (about) => (isReplacement(about.line) ? replacedEmail(about) : cancelledEmail(about)),
  'line cancelled': ({ order, lines, whole, line, payerId, details, repeats, doerName, paymentPage, orderPage }) => ({
    subject: `A part of order ${order.number} is cancelled: ${line.amountCents ? `${formatCents(line.amountCents)} goes back to you` : `${formatTotal(order)} is left to pay`}`,
    paragraphs: [
      `${buyerGreeting(order)} ${whoHas(line, order, doerName)} cancelled a part of your order ${order.number}${line.items ? `: ${line.items}` : ''}. ${formatItems(left(lines))} ${line.amountCents ? 'is left, and stays paid' : `for ${formatTotal(order)} is left${order.orderStatus === 'open' ? ', not paid yet' : ''}`}.`,
      line.amountCents
        ? `${formatCents(line.amountCents)} goes back to ${cardText({ order, payerId, whole })}. ${refundDelayText}`
        : 'Nothing was charged for what was cancelled.',
      ...poNumberText(details, repeats),
      ...storesReason(line),
    ],
    action:
      line.amountCents || order.orderStatus !== 'open'
        ? { words: 'Show the order', url: orderPage }
        : { words: `Pay ${formatTotal(order)}`, url: paymentPage },
  }),
  refunded: (about) =>
    refundEmail(
      about,
      about.line.items === null ? `All of ${paymentText(about)} goes back.` : `With this, all of ${paymentText(about)} has gone back.`,
    ),
  'partly refunded': (about) => refundEmail(about, 'The order itself stays as it is.'),
}

function cancelledEmail(about: OrderEmailContext): OrderEmailContent {
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
const replacedEmail = ({ order, lines, details, repeats, replacedBy, orderPage }: OrderEmailContext): OrderEmailContent => ({
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

function refundEmail(about: OrderEmailContext, extent: string): OrderEmailContent {
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
const whoHas = ({ actor, userId }: OrderEmailContext['line'], { buyerId }: OrderEmailContext['order'], doerName: string | null): string =>
  actor !== 'buyer' ? 'the store has' : userId === null || userId === buyerId ? 'you have' : `${memberName(doerName ?? '')} has`
const refundDelayText = 'Banks take up to ten days to show it.'
const storesReason = ({ note, actor }: OrderEmailContext['line']) => (note && actor !== 'buyer' ? [`The store says: ${note}`] : [])
const formatTotal = ({ totalCents }: OrderEmailContext['order']) => formatCents(totalCents)
