import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { composeEmail } from '#platform/compose-email.ts'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { RetryItemLaterError } from '#platform/jobs.ts'
import type { EmailMessage, Mailer } from '#platform/mail.ts'
import { mailRetryColumns } from '#platform/mail-queue.ts'
import { formatDay } from '#shared/format-day.ts'
import { formatCents } from '#shared/money.ts'
import { companyMembers } from '#store/companies/table.ts'
import type { User } from '#store/identity/contract.ts'
import { users } from '#store/identity/table.ts'
import { formatIban } from '#store/orders/payment-methods/iban.ts'
import { findBankAccount } from '#store/orders/payment-methods/rules.ts'
import { type OpenInvoice, reminderPauseDays } from './contract.ts'
import { companyNotFoundError } from './credits.ts'
import { findOpenInvoices, isOwingSql, isToBeRemindedSql } from './receivables.ts'
import { companyCredits, reminderLines, reminderSettings, reminders } from './table.ts'

/* Reminders of invoices that are overdue. */

const maxLevel = 3

type Sent = { level: number; invoices: number }

/**
 * Records a reminder of the invoices of a company that are overdue and were not reminded of lately, with its mail. Two at once are one: the credit
 * of the company is locked.
 * @param sentBy null: the store, after so many days
 * @returns undefined where there is nothing to remind of
 */
async function recordReminder(db: Database, companyId: string, sentBy: string | null, minDays: number): Promise<Sent | undefined> {
  return db.transaction(async (tx) => {
    const [credit] = await tx.select().from(companyCredits).where(eq(companyCredits.companyId, companyId)).for('update')
    if (!credit) throw companyNotFoundError()
    const overdue = await findOpenInvoices(tx, sql`orders.company_id = ${companyId} and ${isToBeRemindedSql(minDays)}`)
    if (overdue.length === 0) return undefined
    const lines = overdue.map(({ shipmentId, remindedLevel }) => ({ shipmentId, level: Math.min(maxLevel, remindedLevel + 1) }))
    const level = Math.max(...lines.map((line) => line.level))
    const [row] = await tx.insert(reminders).values({ companyId, level, sentBy }).returning({ _id: reminders._id })
    if (!row) throw new Error('The new reminder was not returned')
    await tx.insert(reminderLines).values(lines.map((line) => ({ reminderId: row._id, ...line })))
    return { level, invoices: lines.length }
  })
}

/** @throws {HttpError} 404 no such company, or none that has credit; 409 nothing is overdue that was not reminded of lately */
export async function sendReminder(db: Database, owner: User, companyId: string): Promise<Sent> {
  const sent = await recordReminder(db, companyId, owner.id, 1)
  if (sent) return sent
  const message = `No invoice is overdue that was not reminded of within the last ${reminderPauseDays} days`
  throw new HttpError(409, message, undefined, { code: 'nothing_to_remind' })
}

export async function changeReminders(db: Database, daysAfterDue: number | null): Promise<{ daysAfterDue: number | null }> {
  if (daysAfterDue === null) await db.delete(reminderSettings)
  else
    await db
      .insert(reminderSettings)
      .values({ daysAfterDue })
      .onConflictDoUpdate({ target: reminderSettings.singleRow, set: { daysAfterDue } })
  return { daysAfterDue }
}

/** Reminds all companies of what has been overdue for as many days as the owner has set; none where reminders are by hand. @returns how many were */
export async function remindOfOverdue(db: Database): Promise<number> {
  const [settings] = await db.select().from(reminderSettings)
  if (!settings) return 0
  let count = 0
  for (const id of await findCompaniesToRemind(db, settings.daysAfterDue))
    if (await recordReminder(db, id, null, settings.daysAfterDue)) count++
  return count
}

/** The companies of whose invoices one is to be reminded of: only their credits are locked. */
async function findCompaniesToRemind(db: Database, minDays: number): Promise<string[]> {
  const { rows } = await db.execute<{ company_id: string }>(sql`
    select distinct company_id from orders, lateral parcels_on_account(orders.id) parcel
    where ${isOwingSql} and parcel.open_cents > 0 and ${isToBeRemindedSql(minDays)}`)
  return rows.map(({ company_id }) => company_id)
}

/**
 * Sends the reminder that has been due longest to the managers of its company, or to all members where no manager has verified an e-mail. Its row
 * is locked until the mailer has accepted it.
 * @returns false when none is due
 * @throws {RetryItemLaterError} with the error that stopped it; it is due again later or given up, see `mailRetryColumns`
 */
export async function sendDueReminder(db: Database, mailer: Mailer, publicUrl: string): Promise<boolean> {
  const done = await db.transaction(async (tx) => {
    const [due] = await tx
      .select()
      .from(reminders)
      .where(lte(reminders.mailDueAt, sql`now()`))
      .orderBy(asc(reminders.mailTries), asc(reminders.mailDueAt))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!due) return { found: false }
    const mailedTo = [...due.mailedTo]
    const send = async () => {
      for (const mail of await composeReminders(tx, due, publicUrl)) {
        if (mailedTo.includes(mail.to)) continue
        await mailer.send(mail)
        mailedTo.push(mail.to)
      }
    }
    const [change, error] = await send().then(
      () => [{ mailDueAt: null }, undefined] as const,
      (error: unknown) => [mailRetryColumns(error, { mailTries: reminders.mailTries, tries: due.mailTries }), error] as const,
    )
    await tx
      .update(reminders)
      .set({ ...change, mailedTo })
      .where(eq(reminders._id, due._id))
    return { found: true, error }
  })
  if (done.error) throw new RetryItemLaterError(done.error)
  return done.found
}

type Reminder = typeof reminders.$inferSelect

/** None where all was paid meanwhile, or nobody of the company has a verified e-mail. */
async function composeReminders(tx: Database, { _id, companyId, level, recordedAt }: Reminder, publicUrl: string): Promise<EmailMessage[]> {
  const isInReminder = sql`exists (select from reminder_lines where reminder_id = ${_id} and reminder_lines.shipment_id = parcel.shipment_id)`
  const invoices = await findOpenInvoices(tx, isInReminder)
  if (invoices.length === 0) return []
  const account = await findBankAccount(tx)
  const members = await tx
    .select({ email: users.email, role: companyMembers.role })
    .from(companyMembers)
    .innerJoin(users, eq(users.id, companyMembers.userId))
    .where(and(eq(companyMembers.companyId, companyId), eq(users.emailVerified, true)))
  const managers = members.filter(({ role }) => role === 'manager')
  const owed = formatCents(invoices.reduce((sum, { openCents }) => sum + openCents, 0))
  return (managers.length > 0 ? managers : members).map(({ email }) => ({
    ...composeEmail({
      to: email,
      subject: `${level === 1 ? 'Reminder' : `Reminder ${level}`}: ${owed} of your company is overdue`,
      paragraphs: [
        `Hello, ${level === maxLevel ? 'once more, and for the last time before we look for another way' : 'perhaps it was overlooked'}: ${owed} of orders on account of your company is overdue.`,
        invoices.map(describeInvoice).join('\n'),
        account
          ? `Please transfer it to ${account.holder}, ${formatIban(account.iban)}${account.bic && `, ${account.bic}`}, and name the invoices.`
          : 'Please pay the invoices, and name them.',
        'Until it is paid, nothing more can be ordered on account. It has crossed with your payment? Then you need not do anything.',
      ],
      action: { words: 'Show the orders', url: `${publicUrl}/dashboard/myorder?of=company` },
      closing: `Nucleus of PC. You get this mail because your company orders on account.`,
    }),
    messageIdSeed: `reminder-${_id}-${email}`,
    occurredAt: new Date(recordedAt),
  }))
}

const describeInvoice = ({ number, orderNumber, dueOn, openCents, totalCents }: OpenInvoice): string =>
  `${number ? `Invoice ${number}` : 'Invoice'} of order ${orderNumber}, due on ${formatDay(dueOn)}: ${formatCents(openCents)}${openCents < totalCents ? ` of ${formatCents(totalCents)}` : ''}`
