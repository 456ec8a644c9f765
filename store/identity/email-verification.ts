import { randomBytes } from 'node:crypto'
import { and, eq, gte, isNull, type SQL } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import type { EmailMessage } from '#platform/mail.ts'
import { isWithinRateLimit } from '#platform/rate-limits.ts'
import { invalidLinkMessage } from './contract.ts'
import { linkLifetimeMinutes, passwordChangedEmail, unverifiedResetLinkHours, verificationEmail } from './emails.ts'
import { markPasswordChosenByOwner, passwordHasher, setVerifiedPassword } from './passwords.ts'
import { resetSignInLimit } from './sign-in-limits.ts'
import type { SignInProvider } from './sign-in-provider.ts'
import { users, verifications } from './table.ts'

export type EmailVerification = ReturnType<typeof createEmailVerification>

/**
 * Reset emails per address, within the time for which a link works: whoever hits the limit has a working link in the mailbox, so nobody can
 * lock the owner out by requesting resets, and nobody can flood a mailbox. An unverified address may have been registered by a stranger: it
 * gets a few emails a day, whose links work as long.
 */
const resetEmailLimits = {
  verified: { max: 5, seconds: linkLifetimeMinutes * 60 },
  unverified: { max: 6, seconds: unverifiedResetLinkHours * 3600 },
}

/**
 * Emails to unverified spellings of one mailbox other than its own, such as a+1@x of a@x: anybody can make up any number of them. Its own
 * spelling is not counted, so that nobody can use up what its owner needs to register.
 */
const otherSpellingsLimit = { max: 6, seconds: 24 * 3600 }

const invalidLinkError = () => new HttpError(400, invalidLinkMessage, undefined, { code: 'invalid_link' })

const passwordRequiredMessage = 'Set a password for your account: with it your e-mail is verified'
const passwordRequiredError = () =>
  new HttpError(409, passwordRequiredMessage, { newPassword: passwordRequiredMessage }, { code: 'password_required' })

/**
 * Verifies that an e-mail address belongs to its account with an emailed link that works once. better-auth's own verification links are
 * signed tokens that work any number of times until they expire; these are stored as hashes and deleted when used.
 */
export function createEmailVerification(
  db: Database,
  provider: SignInProvider,
  { publicUrl, sendEmail }: { publicUrl: string; sendEmail: (email: EmailMessage) => void },
) {
  const linkIdentifier = (token: string) => `verify-email:${token}`

  return {
    ...createPasswordResets(db, provider),

    isVerified: async (email: string): Promise<boolean> => (await findAccount(db, eq(users.email, email)))?.emailVerified ?? false,

    /** Sends nothing when there is no such account, it is verified already, or too many spellings of its mailbox have had mails. */
    async sendVerificationEmail(email: string): Promise<void> {
      const user = await findAccount(db, eq(users.email, email))
      if (!user || user.emailVerified) return
      if (!(await mayEmailUnverified(db, user))) return
      const token = randomBytes(24).toString('base64url')
      const { internalAdapter } = await provider.$context
      await internalAdapter.createVerificationValue({
        identifier: linkIdentifier(token),
        value: user.id,
        expiresAt: new Date(Date.now() + linkLifetimeMinutes * 60_000),
      })
      sendEmail(verificationEmail(user, `${publicUrl}/verify-email#${token}`))
    },

    /**
     * Verifies the address of the link. Whoever opens the link may not be the person who registered the address and chose the password:
     * unless it is opened in a session of that account, a new password is required and every session is revoked.
     * @param openedBy the user id of the session in which the link is opened
     * @returns the user id and the verified address
     * @throws {HttpError} 400 when the link was used, has expired or is invalid; 409 when a new password is required; then the link still works
     */
    async confirm(token: string, { openedBy, newPassword }: { openedBy: string | undefined; newPassword: string | undefined }) {
      const { internalAdapter } = await provider.$context
      const link = await internalAdapter.findVerificationValue(linkIdentifier(token))
      const user = link && link.expiresAt > new Date() ? await findAccount(db, eq(users.id, link.value)) : undefined
      if (!user) throw invalidLinkError()
      const isOwnSession = user.id === openedBy
      if (!isOwnSession && !newPassword) throw passwordRequiredError()
      const hash = newPassword && (await passwordHasher.hash(newPassword)) // before the link is consumed, since hashing may fail
      if (!(await internalAdapter.consumeVerificationValue(linkIdentifier(token)))) throw invalidLinkError()
      if (hash) await setVerifiedPassword(db, user.id, hash)
      else await markPasswordChosenByOwner(db, user.id)
      await db.update(users).set({ emailVerified: true }).where(eq(users.id, user.id))
      if (hash) {
        await resetSignInLimit(db, user.email)
        sendEmail(passwordChangedEmail(user, `${publicUrl}/login`))
      }
      return { userId: user.id, email: user.email }
    },
  }
}

/** Links to set a new password: better-auth's own, sent within limits, and for a longer time to an address that is not verified. */
function createPasswordResets(db: Database, provider: SignInProvider) {
  return {
    /** Sends nothing when there is no such account, or the address has reached its limit. */
    async sendResetEmail(email: string): Promise<void> {
      const user = await findAccount(db, eq(users.email, email))
      if (!user) return
      const limit = user.emailVerified ? resetEmailLimits.verified : resetEmailLimits.unverified
      if (!(await isWithinRateLimit(db, `reset mail to ${email}`, limit))) return
      if (!user.emailVerified && !(await mayEmailUnverified(db, user))) return
      const usualExpiry = new Date(Date.now() + linkLifetimeMinutes * 60_000)
      await provider.api.requestPasswordReset({ body: { email } })
      if (user.emailVerified) return
      // better-auth has one lifetime for all reset links. Their identifiers are hashes, so the link is found by its account and expiry.
      const expiresAt = new Date(Date.now() + unverifiedResetLinkHours * 3600_000)
      await db
        .update(verifications)
        .set({ expiresAt })
        .where(and(eq(verifications.value, user.id), gte(verifications.expiresAt, usualExpiry)))
    },

    /** The id of the user whose password this link resets; undefined when the link no longer works. */
    async findResetUserId(token: string): Promise<string | undefined> {
      const { internalAdapter } = await provider.$context
      return (await internalAdapter.findVerificationValue(`reset-password:${token}`))?.value
    },
  }
}

async function findAccount(db: Database, condition: SQL) {
  const [found] = await db
    .select()
    .from(users)
    .where(and(condition, isNull(users.removedAt)))
  return found
}

const mayEmailUnverified = async (db: Database, { email, mailbox }: { email: string; mailbox: string }) =>
  email === mailbox || isWithinRateLimit(db, `mail to other spellings of ${mailbox}`, otherSpellingsLimit)
