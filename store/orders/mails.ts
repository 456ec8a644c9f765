import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { nextTry } from '#platform/jobs.ts'
import { letter } from '#platform/letter.ts'
import { isWithinLimit } from '#platform/limits.ts'
import type { Letter, Mailer } from '#platform/mail.ts'
import { greeting } from '#store/identity/mails.ts'
import { users } from '#store/identity/table.ts'
import { inDollars } from '#store/in-dollars.ts'
import { inFigures } from '#store/in-figures.ts'
import { momentInWords } from '#store/moment-in-words.ts'
import { cardWords, type OrderEvent } from './contract.ts'
import { orderHistory, orders, payments } from './table.ts'

/** The worker that sends what `sendDueMail` finds. */
export const orderMails = 'order mails'

/**
 * Mails about orders without money to an address of which nobody has shown that it is the buyer's: one that confirms an order, and with it
 * this many of any kind. More would let a stranger fill somebody's mailbox with what they type into orders.
 */
const toUnverified = { most: 3, seconds: 24 * 3600 }

const pauses = { firstSeconds: 10, longestSeconds: 3600 }

/**
 * Sends the order mail that is due longest. Its row is held until the mail is handed over, so of several processes one sends it; after a
 * crash in between it is sent again under the same Message-ID, which is one mail for its reader.
 * @param publicUrl where the links in it lead, without a slash at the end
 * @returns false when none is due
 * @throws what stopped the mail; it is due again after a pause that doubles, from ten seconds to an hour
 */
export async function sendDueMail(db: Database, mailer: Mailer, publicUrl: string): Promise<boolean> {
  const done = await db.transaction(async (tx) => {
    const [due] = await tx
      .select({ line: orderHistory, order: orders, payment: payments, verified: users.emailVerified })
      .from(orderHistory)
      .innerJoin(orders, eq(orders._id, orderHistory.orderId))
      .innerJoin(users, eq(users.id, orders.buyerId))
      .leftJoin(payments, eq(payments._id, orders.paymentId))
      .where(lte(orderHistory.mailDueAt, sql`now()`))
      .orderBy(asc(orderHistory.mailDueAt))
      .limit(1)
      .for('update', { of: orderHistory, skipLocked: true })
    if (!due) return { found: false }
    const send = async () => mailer.send(written(due, publicUrl)) // one that cannot be written waits, too, and keeps no other from its reader
    const [change, trouble] = (await mayBeSent(tx, due))
      ? await send().then(
          () => [{ mailDueAt: null, mailedAt: sql`clock_timestamp()` }, undefined] as const,
          (error: unknown) =>
            [{ mailDueAt: nextTry(orderHistory.mailTries, pauses), mailTries: sql`${orderHistory.mailTries} + 1` }, error] as const,
        )
      : [{ mailDueAt: null }, undefined]
    await tx.update(orderHistory).set(change).where(eq(orderHistory._id, due.line._id))
    return { found: true, trouble }
  })
  if (done.trouble) throw done.trouble
  return done.found
}

type Due = {
  line: typeof orderHistory.$inferSelect
  order: typeof orders.$inferSelect
  payment: typeof payments.$inferSelect | null
  /** whether the buyer's address is verified */
  verified: boolean
}

/** Counts a mail to an unverified address once, at its first try and in its transaction, so that a crash counts nothing. Whoever has paid hears of the money in any case. */
async function mayBeSent(db: Database, { line, order, payment, verified }: Due): Promise<boolean> {
  if (verified || payment?.state === 'succeeded' || line.mailTries > 0) return true
  if (line.event === 'placed' && (await wasConfirmedAnOrder(db, order.buyerEmail))) return false
  return isWithinLimit(db, `order mail to ${order.buyerEmail}`, toUnverified)
}

async function wasConfirmedAnOrder(db: Database, buyerEmail: string): Promise<boolean> {
  const confirmed = and(eq(orders.buyerEmail, buyerEmail), eq(orderHistory.event, 'placed'), isNotNull(orderHistory.mailedAt))
  const [found] = await db
    .select({ number: orders.number })
    .from(orderHistory)
    .innerJoin(orders, eq(orders._id, orderHistory.orderId))
    .where(confirmed)
    .limit(1)
  return found !== undefined
}

function written(due: Due, publicUrl: string): Letter {
  const { line, order } = due
  const write = letters[line.event]
  if (!write) throw new Error(`There is no mail about "${line.event}"`)
  return {
    ...letter({
      to: order.buyerEmail,
      closing: `Nucleus of PC. You get this mail because of your order ${order.number}. Something wrong? ${publicUrl}/help#contact`,
      ...write({
        ...due,
        paymentPage: `${publicUrl}/dashboard/payment/${order._id}`,
        productPage: `${publicUrl}/products/${order.toolId}`,
        purchasePage: `${publicUrl}/purchase/${order.toolId}`,
      }),
    }),
    id: `order-${order.number}-${line._id}`,
    at: new Date(line.at),
  }
}

type Words = Omit<Parameters<typeof letter>[0], 'to' | 'closing'>
type About = Due & { paymentPage: string; productPage: string; purchasePage: string }

/** The mails, each saying the most important first. */
const letters: Partial<Record<OrderEvent, (about: About) => Words>> = {
  placed: ({ order, verified, paymentPage }) => ({
    subject: `Order ${order.number}: ${briefly(order)}, ${total(order)}, not paid yet`,
    paragraphs: [
      `${hello(order)} your order ${order.number} is placed: ${what(order)} for ${total(order)}. It is not paid yet.`,
      `The pieces are held for you until ${momentInWords(order.holdUntil)}. An order that is not paid by then ends, and nothing is charged.`,
      [...partNumber(order), verified ? `Delivery address:\n${order.buyerAddress}` : notRepeated].join('\n\n'),
    ],
    action: { words: `Pay ${total(order)}`, url: paymentPage },
  }),
  paid: ({ order, payment, line, verified, paymentPage }) => ({
    subject: `Receipt for order ${order.number}: ${total(order)} paid`,
    paragraphs: [
      `${hello(order)} thank you. Your payment of ${total(order)} for order ${order.number} has arrived.`,
      [
        `Order ${order.number} of ${momentInWords(order.placedAt)}`,
        `${what(order)}, ${inDollars(order.unitPrice * 100)} each`,
        ...partNumber(order),
        `Total: ${total(order)}`,
        `Paid ${momentInWords(line.at)}${payment?.card ? ` with ${cardWords(payment.card)}` : ''}`,
        `TransectionID: ${payment?.intentId}`,
      ].join('\n'),
      verified ? `Delivery address:\n${order.buyerName}\n${order.buyerAddress}` : notRepeated,
      'Keep this mail: it is your receipt.',
    ],
    action: { words: 'Show the receipt', url: paymentPage },
  }),
  expired: ({ order, purchasePage }) => ({
    subject: `Order ${order.number} has ended: ${total(order)} was not paid in time`,
    paragraphs: [
      `${hello(order)} your order ${order.number}, ${what(order)}, was not paid until ${momentInWords(order.holdUntil)} and has ended. Nothing was charged.`,
      'The pieces are back in stock. You can order them again.',
    ],
    action: { words: 'Order again', url: purchasePage },
  }),
  cancelled: ({ order, line, productPage }) => ({
    subject: `Order ${order.number} is cancelled: ${line.amountCents ? `${inDollars(line.amountCents)} goes back to you` : 'nothing was charged'}`,
    paragraphs: [
      `${hello(order)} ${line.actor === 'buyer' ? 'you have' : 'the store has'} cancelled your order ${order.number}, ${what(order)}.`,
      line.amountCents ? `${inDollars(line.amountCents)} go back to the card that you paid with. ${patience}` : 'Nothing was charged.',
      ...(line.note && line.actor !== 'buyer' ? [`The store says: ${line.note}`] : []),
    ],
    action: { words: 'See the product', url: productPage },
  }),
  refunded: (about) => refund(about, 'All of your payment goes back.'),
  'partly refunded': (about) => refund(about, 'The order itself stays as it is.'),
}

function refund({ order, line, payment, paymentPage }: About, extent: string): Words {
  const amount = inDollars(line.amountCents ?? 0)
  const ended = line.state === 'expired' || line.state === 'cancelled'
  return {
    subject: `${amount} of order ${order.number} go back to you`,
    paragraphs: [
      ended
        ? `${hello(order)} your payment of ${amount} came after order ${order.number} had ended. It goes back to your card by itself: you need not do anything.`
        : `${hello(order)} ${amount} of your payment for order ${order.number}, ${what(order)}, go back to ${payment?.card ? cardWords(payment.card) : 'your card'}. ${extent}`,
      patience,
      ...(line.note && !ended ? [`The store says: ${line.note}`] : []),
    ],
    action: { words: 'Show the order', url: paymentPage },
  }
}

/** What a buyer typed is not sent to an address that may be somebody else's. */
const notRepeated =
  'Name and address for the delivery stand with the order. Verify your e-mail on My Profile, and mails say them too, and confirm every order.'

const hello = ({ buyerName }: About['order']) => greeting({ name: buyerName })
const patience = 'Banks take up to ten days to show it.'
const what = ({ productQuantity, productName }: About['order']) => `${inFigures(productQuantity)} x ${productName}`
const total = ({ productCost }: About['order']) => inDollars(productCost * 100)
const partNumber = ({ brand, mpn }: About['order']): string[] => (mpn ? [`Part number: ${brand ? `${brand} ` : ''}${mpn}`] : [])

/** In a subject, where a long name would push out the sum. */
const briefly = (order: About['order']) => {
  const words = what(order)
  return words.length > 50 ? `${words.slice(0, 47).trimEnd()}...` : words
}
