import { randomBytes } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { Letter } from '#platform/mail.ts'
import { Refusal } from '#platform/refusal.ts'
import { brokenLink } from './contract.ts'
import { linkMinutes, verifyMail } from './mails.ts'
import type { SignInProvider } from './provider.ts'
import { users } from './table.ts'

export type Verification = ReturnType<typeof openVerification>

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
     * @returns the address that is verified now
     * @throws {Refusal} 400 when the link was used, is too old, or never was one
     */
    async confirm(token: string): Promise<string> {
      const { internalAdapter } = await provider.$context
      const kept = await internalAdapter.consumeVerificationValue(place(token))
      const user = kept && (await account(eq(users.id, kept.value)))
      if (!user) throw new Refusal(400, brokenLink)
      await db.update(users).set({ emailVerified: true }).where(eq(users.id, user.id))
      return user.email
    },
  }
}
