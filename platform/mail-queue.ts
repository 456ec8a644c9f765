import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { nextRetryAt } from './jobs.ts'

const retryDelays = { initialDelaySeconds: 10, maxDelaySeconds: 3600 }

/** A queued email is given up after this many failed tries, which take about a day: the ninth comes after 85 minutes, then one an hour. */
export const maxMailTries = 32

/** The parts of a mail that a refusal is about: the recipient and the message. Other commands fail because of the store's own settings. */
const refusableCommands = ['RCPT TO', 'DATA']

/**
 * Whether the SMTP server has refused this recipient or message for good (5xx), see https://www.rfc-editor.org/rfc/rfc5321#section-4.2.1.
 * A refused sign-in or sender address is no such refusal: the owner can mend it, and the email then goes out.
 */
export const isPermanentMailError = (error: unknown): boolean =>
  error instanceof Error &&
  'responseCode' in error &&
  Number(error.responseCode) >= 500 &&
  Number(error.responseCode) < 600 &&
  (!('command' in error) || refusableCommands.includes(String(error.command)))

/** Whether it was refused for good for what is in it, not for its recipient. */
export const isMessageRefused = (error: unknown): boolean =>
  isPermanentMailError(error) && error instanceof Error && 'command' in error && error.command === 'DATA'

type QueueColumns = { mailTries: PgColumn; tries: number }

/**
 * The columns of a queued email after a failed try: due again after a delay that doubles from 10 s up to 1 h, or given up after a permanent
 * refusal or `maxMailTries`, with `mailDueAt` null.
 * @param queue the column with the number of failed tries, and its value in this row
 */
export const mailRetryColumns = (error: unknown, { mailTries, tries }: QueueColumns): { mailDueAt: SQL | null; mailTries: SQL } => ({
  mailDueAt: isPermanentMailError(error) || tries + 1 >= maxMailTries ? null : nextRetryAt(mailTries, retryDelays),
  mailTries: sql`${mailTries} + 1`,
})
