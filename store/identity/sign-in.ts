import type { Afterwards } from '#platform/afterwards.ts'
import type { Database } from '#platform/database.ts'
import type { Letter, Mailer } from '#platform/mail.ts'
import { type GoogleClient, openGoogle, openSignInProvider, type SignInProvider } from './provider.ts'
import { openVerification, type Verification } from './verification.ts'

/** Everything that finds out who somebody is. */
export type SignIn = {
  provider: SignInProvider
  /** the same with Google, for a visitor who sees the store at this origin; not there where the store is no client of Google */
  google: ((origin: string) => Promise<SignInProvider>) | undefined
  verification: Verification
}

type House = {
  secret: string
  /** the addresses that are the store's own, the one for links in mails first */
  origins: string[]
  google: GoogleClient | undefined
  mailer: Mailer
  afterwards: Afterwards
}

export function openSignIn(db: Database, { secret, origins, google, mailer, afterwards }: House): SignIn {
  const post = (letter: Letter) => afterwards.run(`Sending "${letter.subject}"`, () => mailer.send(letter))
  const house = { secret, origins, post }
  const provider = openSignInProvider(db, house)
  return {
    provider,
    google: google && openGoogle(db, house, google),
    verification: openVerification(db, provider, { publicUrl: origins[0] ?? '', post }),
  }
}
