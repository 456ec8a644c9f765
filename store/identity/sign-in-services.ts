import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BackgroundTasks } from '#platform/background-tasks.ts'
import type { Database } from '#platform/database.ts'
import type { EmailMessage, Mailer } from '#platform/mail.ts'
import { createEmailVerification, type EmailVerification } from './email-verification.ts'
import { createGoogleSignIn, createSignInProvider, type GoogleClient, type SignInProvider } from './sign-in-provider.ts'

/** What else a browser is told when somebody has signed in or out there; `signedIn` finds them in `request.user`. */
export type SessionHooks = Record<'signedIn' | 'signedOut', (request: FastifyRequest, reply: FastifyReply) => Promise<void>>

/** The services that authenticate users. */
export type SignInServices = {
  provider: SignInProvider
  /** the provider with Google sign-in, for a visitor who reaches the store at `origin`; undefined where Google sign-in is not configured */
  google: ((origin: string) => Promise<SignInProvider>) | undefined
  verification: EmailVerification
}

type Deps = {
  secret: string
  /** the store's own origins; the first one is used for links in emails */
  origins: string[]
  google: GoogleClient | undefined
  mailer: Mailer
  backgroundTasks: BackgroundTasks
}

export function createSignInServices(db: Database, { secret, origins, google, mailer, backgroundTasks }: Deps): SignInServices {
  const sendEmail = (email: EmailMessage) => backgroundTasks.run(`Sending "${email.subject}"`, () => mailer.send(email))
  const deps = { secret, origins, sendEmail }
  const provider = createSignInProvider(db, deps)
  return {
    provider,
    google: google && createGoogleSignIn(db, deps, google),
    verification: createEmailVerification(db, provider, { publicUrl: origins[0] ?? '', sendEmail }),
  }
}
