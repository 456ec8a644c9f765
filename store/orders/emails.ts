import { and, asc, eq, lte, not, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { composeEmail } from '#platform/compose-email.ts'
import type { Database } from '#platform/database.ts'
import { RetryItemLaterError } from '#platform/jobs.ts'
import type { EmailMessage, Mailer } from '#platform/mail.ts'
import { isMessageRefused, mailRetryColumns } from '#platform/mail-queue.ts'
import { companyMembers } from '#store/companies/table.ts'
import { mailboxSql, users } from '#store/identity/table.ts'
import { findAwaitedTransfer } from './bank/transfer-emails.ts'
import { createMailProof } from './bank/transfer-instructions.ts'
import { findDetailsOfOrder } from './details/rules.ts'
import { attachedText, attachmentOf, findDocumentsToMail, isWaitingForDocuments, markAsMailed } from './documents/mailed-documents.ts'
import { findSeller, sellerText } from './documents/seller.ts'
import type { ReadOrder } from './email-context.ts'
import { type DueEmail, dropEmail, isSendingAllowed, waitForMailOfNextOrder } from './email-limits.ts'
import { emailTemplates, linkEmail } from './email-templates.ts'
import { repeatsTyped } from './email-texts.ts'
import { accountEmailTemplates } from './on-account/emails.ts'
import { findReplacement } from './order-history.ts'
import { createOrderLink } from './order-link.ts'
import { findOrderById, payerIdSql } from './order-queries.ts'
import { findReturnOfEvent } from './returns/return-of-event.ts'
import { findOrderLines } from './rules.ts'
import { findShipmentOfEvent } from './shipments/find-shipments.ts'
import { orderHistory, orders, payments } from './table.ts'
import { findWithdrawalOfEvent } from './withdrawals/find-withdrawals.ts'
import { withdrawals } from './withdrawals/table.ts'

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
    const send = async () => sendWithDocuments(tx, mailer, { ...due, ...(await readOrder(tx, due)) }, store)
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

/** A message that is refused for good with its files is tried again, at last without them: not every server takes files. */
async function sendWithDocuments(tx: Database, mailer: Mailer, due: DueEmail & ReadOrder, store: LinkTarget): Promise<void> {
  const { attached } = due
  await mailer.send(composeOrderEmail(due, store)).catch((error: unknown) => {
    throw attached.length > 0 && isMessageRefused(error) ? new Error('The mail was refused with its files', { cause: error }) : error
  })
  await markAsMailed(tx, attached)
}

async function readOrder(tx: Database, due: DueEmail): Promise<ReadOrder> {
  const { order, line } = due
  const { _id } = order
  const seller = await findSeller(tx)
  const shipment = line.event === 'sent' || line.event === 'tracking changed' ? await findShipmentOfEvent(tx, line._id) : undefined
  return {
    lines: await findOrderLines(tx, _id),
    whole: await findOrderById(tx, _id),
    details: await findDetailsOfOrder(tx, _id),
    replacedBy: (await findReplacement(tx, _id, sql`false`))?.number,
    hasDocuments: seller !== null,
    seller: seller && sellerText(seller),
    attached: await findDocumentsToMail(tx, due, shipment),
    transfer: await findAwaitedTransfer(tx, order),
    shipment,
    returned: await findReturnOfEvent(tx, line),
    withdrawal: line.event === 'withdrawn' ? await findWithdrawalOfEvent(tx, _id, line._id) : undefined,
  }
}

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
      memberEmail: sql<string | null>`case when ${doers.emailVerified}
        and exists (select from ${companyMembers} where user_id = ${doers.id} and company_id = ${orders.companyId}) then ${doers.email} end`,
      mailbox: sql<string>`coalesce(${mailboxSql(withdrawals.email)}, ${users.mailbox}, ${mailboxSql(orders.buyerEmail)})`,
      receiptEmail: withdrawals.email,
    })
    .from(orderHistory)
    .innerJoin(orders, eq(orders._id, orderHistory.orderId))
    .leftJoin(users, eq(users.id, orders.buyerId)) // a guest has none
    .leftJoin(doers, eq(doers.id, orderHistory.userId))
    .leftJoin(payments, eq(payments._id, orders.paymentId))
    .leftJoin(withdrawals, eq(withdrawals.eventId, orderHistory._id))
    .where(and(lte(orderHistory.mailDueAt, sql`now()`), not(isWaitingForDocuments)))
    .orderBy(asc(orderHistory.mailTries), asc(orderHistory.mailDueAt))
    .limit(1)
    .for('update', { of: orderHistory, skipLocked: true })

function composeOrderEmail(due: DueEmail & ReadOrder, { publicUrl, secret }: LinkTarget): EmailMessage {
  const { line, order, lines } = due
  const [only, ...others] = lines
  const toPayer = line.event === 'receipt to payer' ? due.memberEmail : null
  const isGuest = order.buyerId === null
  const orderLink = publicUrl + createOrderLink(secret, order._id)
  const orderPage = isGuest ? orderLink : `${publicUrl}/dashboard/myorder/${order._id}`
  const productId = others.length === 0 ? only?.toolId : undefined
  const ofMethod = order.paymentMethod === 'on_account' ? accountEmailTemplates[line.event] : undefined
  const write = ofMethod ?? (isGuest && line.event === 'placed' ? linkEmail : emailTemplates[line.event])
  if (!write) throw new Error(`There is no mail about "${line.event}"`)
  const content = write({
    ...due,
    repeats: repeatsTyped({
      verified: toPayer !== null || due.verified,
      isPaid: due.payment?.state === 'succeeded',
      details: due.details,
    }),
    orderPage,
    mailedPage: isGuest ? `${orderLink}?mail=${createMailProof(secret, order._id)}` : orderPage,
    paymentPage: isGuest ? `${orderLink}?pay=1` : `${publicUrl}/dashboard/payment/${order._id}`,
    productPage: productId && `${publicUrl}/products/${productId}`,
    purchasePage: productId && !isGuest ? `${publicUrl}/purchase/${productId}` : undefined,
  })
  return {
    ...composeEmail({
      to: toPayer ?? due.receiptEmail ?? order.buyerEmail,
      closing: [
        `Nucleus of PC. You get this mail because ${toPayer ? 'you have paid' : 'of your'} order ${order.number}. Something wrong? ${publicUrl}/help#contact`,
        ...(due.seller ? [due.seller] : []),
      ].join('\n\n'),
      ...content,
      paragraphs: [...content.paragraphs, ...attachedText(due.attached)],
    }),
    ...(due.attached.length > 0 && { attachments: due.attached.map(attachmentOf) }),
    messageIdSeed: `order-${order.number}-${line._id}`,
    occurredAt: new Date(line.at),
  }
}
