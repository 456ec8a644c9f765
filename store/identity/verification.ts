import { randomBytes } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { isWithinLimit } from '#platform/limits.ts'
import type { Letter } from '#platform/mail.ts'
import { Refusal } from '#platform/refusal.ts'
import { brokenLink } from './contract.ts'
import { linkMinutes, passwordChangedMail, verifyMail } from './mails.ts'
import { markProven, passwordHashes, setProvenPassword } from './passwords.ts'
import type { SignInProvider } from './provider.ts'
import { users } from './table.ts'
import { forgetSignIns } from './tries.ts'

export type Verification = ReturnType<typeof openVerification>

/**
 * Mails with a link for a new password. Who asks beyond them has a link in the mailbox that still works, since links work as long as the
 * hour of these windows: nobody keeps the owner out by asking, and nobody fills a mailbox.
 */
const resetMails = { verified: { most: 5, seconds: linkMinutes * 60 }, unverified: { most: 3, seconds: linkMinutes * 60 } }

const passwordNeeded = 'Set a password for your account: with it your e-mail is verified'

/**
 * Shows that an e-mail address belongs to its account: a link in a mail, which works once. The provider's own links are signed statements
 * that work as often as one likes until they end; these are kept, as hashes, and taken away with their use.
 */
export function openVerification(
  db: Database,
  provider: SignInProvider,
  { publicUrl, post }: { publicUrl: string; post: (letter: Letter) => void },
) {
  const account = async (which: ReturnType<typeof eq>) => {
    const [found] = await db
      .select()
      .from(users)
      .where(and(which, isNull(users.removedAt)))
    return found
  }
  const place = (token: string) => `verify-email:${token}`

  return {
    isDone: async (email: string): Promise<boolean> => (await account(eq(users.email, email)))?.emailVerified ?? false,

    /** Sends the mail, unless there is nothing to verify. */
    async ask(email: string): Promise<void> {
      const user = await account(eq(users.email, email))
      if (!user || user.emailVerified) return
      const token = randomBytes(24).toString('base64url')
      const { internalAdapter } = await provider.$context
      await internalAdapter.createVerificationValue({
        identifier: place(token),
        value: user.id,
        expiresAt: new Date(Date.now() + linkMinutes * 60_000),
      })
      post(verifyMail(user, `${publicUrl}/verify-email#${token}`))
    },

    /**
     * Proves the mailbox. Whoever opens the link may not be who registered the address and chose the password: unless it is opened in a
     * session of the account, it takes a new password, and every session ends.
     * @param openedBy whose session it is opened in
     * @returns the account, and its address that is verified now
     * @throws {Refusal} 400 when the link was used, is too old, or never was one; 409 when it takes a new password, and then it still works
     */
    async confirm(token: string, { openedBy, newPassword }: { openedBy: string | undefined; newPassword: string | undefined }) {
      const { internalAdapter } = await provider.$context
      const found = await internalAdapter.findVerificationValue(place(token))
      const user = found && found.expiresAt > new Date() ? await account(eq(users.id, found.value)) : undefined
      if (!user) throw new Refusal(400, brokenLink)
      const own = user.id === openedBy
      if (!own && !newPassword) throw new Refusal(409, passwordNeeded, { newPassword: passwordNeeded })
      const hash = newPassword && (await passwordHashes.hash(newPassword)) // before the link is used up: it may fail
      if (!(await internalAdapter.consumeVerificationValue(place(token)))) throw new Refusal(400, brokenLink)
      if (hash) await setProvenPassword(db, user.id, hash)
      else await markProven(db, user.id)
      await db.update(users).set({ emailVerified: true }).where(eq(users.id, user.id))
      if (hash) {
        await forgetSignIns(db, user.email)
        post(passwordChangedMail(user, `${publicUrl}/login`))
      }
      return { userId: user.id, email: user.email }
    },

    /** Sends the mail with a link for a new password, where there is such an account. */
    async askForReset(email: string): Promise<void> {
      const user = await account(eq(users.email, email))
      if (!user) return
      const window = user.emailVerified ? resetMails.verified : resetMails.unverified
      if (await isWithinLimit(db, `reset mail to ${email}`, window)) await provider.api.requestPasswordReset({ body: { email } })
    },

    /** Whose password this link sets, if it still works. */
    async ownerOfReset(token: string): Promise<string | undefined> {
      const { internalAdapter } = await provider.$context
      return (await internalAdapter.findVerificationValue(`reset-password:${token}`))?.value
    },
  }
}
