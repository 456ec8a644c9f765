import { APIError, betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { bearer } from 'better-auth/plugins/bearer'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import type { EmailMessage } from '#platform/mail.ts'
import { EmailParams } from './contract.ts'
import { linkLifetimeMinutes, passwordChangedEmail, passwordRemovedEmail, resetPasswordEmail, unverifiedResetLinkHours } from './emails.ts'
import { markPasswordChosenByOwner, removeUnverifiedPassword, revokeSessions, unqueuedPasswordHasher } from './passwords.ts'
import { resetSignInLimit } from './sign-in-limits.ts'
import { sessions, signInMethods, users, verifications } from './table.ts'

/** How long a session lives after its last use, and how old it must be before a use renews it. */
export const sessionDurations = { seconds: 18 * 3600, renewAfterSeconds: 600 }

/** better-auth does not report why it failed. With correct settings the cause is a failing query on its tables. */
export const providerUnavailableError = (cause?: Error) =>
  new HttpError(503, 'Signing in does not work at the moment: try again in a few seconds', undefined, { cause, retryAfterSeconds: 3 })

export type Deps = {
  secret: string
  /** the store's own origins; the first one is used for links in emails */
  origins: string[]
  /** sends in the background, so the response does not wait for it */
  sendEmail: (email: EmailMessage) => void
}

/** The store's client registration with an OpenID issuer: Google, or the stand-in. */
export type GoogleClient = { clientId: string; clientSecret: string; issuer: string }

/**
 * The sign-in provider: better-auth on the store's own tables, in this process. Its opaque session token is the store's access token:
 * it expires 18 hours after its last use and can be revoked at any time.
 * @param google also offers sign-in with this issuer, which redirects back to `origin`
 */
export function createSignInProvider(db: Database, { secret, origins, sendEmail }: Deps, google?: GoogleClient & { origin: string }) {
  const [publicUrl = ''] = origins
  return betterAuth({
    appName: 'Nucleus of PC',
    basePath: '/api/auth',
    baseURL: google?.origin ?? publicUrl,
    trustedOrigins: origins,
    secret,
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: { user: users, session: sessions, account: signInMethods, verification: verifications },
    }),
    user: {
      additionalFields: {
        role: { type: 'string', input: false, defaultValue: 'customer' },
        removedAt: { type: 'date', input: false, required: false },
      },
      validateUserInfo: ({ user, source }) =>
        source.method === 'oauth' && user.emailVerified !== true ? { error: 'email_not_verified' } : undefined,
    },
    emailAndPassword: {
      enabled: true,
      autoSignIn: true,
      password: unqueuedPasswordHasher,
      minPasswordLength: 8,
      maxPasswordLength: 1000,
      resetPasswordTokenExpiresIn: linkLifetimeMinutes * 60,
      sendResetPassword: async ({ user, token }) => {
        const { removedAt } = user as typeof user & { removedAt?: Date | null }
        if (removedAt) return
        const lifetime = user.emailVerified ? `${linkLifetimeMinutes} minutes` : `${unverifiedResetLinkHours} hours`
        sendEmail(resetPasswordEmail(user, `${publicUrl}/reset-password#${token}`, lifetime))
      },
      onPasswordReset: async ({ user }) => {
        await acceptPasswordReset(db, user)
        sendEmail(passwordChangedEmail(user, `${publicUrl}/login`))
      },
    },
    verification: { storeIdentifier: 'hashed' },
    session: { expiresIn: sessionDurations.seconds, updateAge: sessionDurations.renewAfterSeconds },
    databaseHooks: {
      session: { create: { before: ({ userId }) => assertNotRemoved(db, userId) } },
      account: {
        create: {
          before: (account) =>
            removePasswordBeforeLinking(db, account, (user) => sendEmail(passwordRemovedEmail(user, `${publicUrl}/login`))),
        },
      },
    },
    plugins: [bearer(), ...(google ? [genericOAuth({ config: [googleOAuthConfig(google)] })] : [])],
    rateLimit: { enabled: false }, // the store applies its own rate limits first
    onAPIError: { errorURL: '/login/google' },
    // better-auth skips the origin check by default when NODE_ENV is test or TEST is set. An explicit value overrides that.
    advanced: { cookiePrefix: 'nucleus', useSecureCookies: publicUrl.startsWith('https:'), disableOriginCheck: false },
    logger: { level: 'error', log: (_level, message) => console.error(message) }, // without the further arguments, which contain tokens
    telemetry: { enabled: false },
  })
}

export type SignInProvider = ReturnType<typeof createSignInProvider>

/**
 * Returns the provider with Google sign-in for a visitor who reaches the store at a given origin. The issuer's discovery document is
 * fetched when somebody first signs in with Google, and again as long as that fails, so the store starts without waiting for Google and
 * needs no restart once Google responds.
 * @returns a function that throws {HttpError} 503 while the issuer does not respond
 */
export function createGoogleSignIn(db: Database, deps: Deps, client: GoogleClient): (origin: string) => Promise<SignInProvider> {
  const providersByOrigin = new Map<string, SignInProvider>()
  return async (requestedOrigin) => {
    const origin = deps.origins.includes(requestedOrigin) ? requestedOrigin : (deps.origins[0] ?? '')
    const provider = providersByOrigin.get(origin) ?? createSignInProvider(db, deps, { ...client, origin })
    const { socialProviders } = await provider.$context
    if (!socialProviders.some(({ id }) => id === 'google'))
      throw new HttpError(503, 'Google does not answer at the moment: sign in with your e-mail, or try again in a minute')
    providersByOrigin.set(origin, provider)
    return provider
  }
}

const googleOAuthConfig = ({ clientId, clientSecret, issuer }: GoogleClient) => ({
  providerId: 'google',
  discoveryUrl: `${issuer}/.well-known/openid-configuration`,
  clientId,
  clientSecret,
  scopes: ['openid', 'email', 'profile'],
  pkce: true,
  prompt: 'select_account' as const,
  requireIdTokenVerification: true,
  // Only the claims of the signed token are used. Its signature, issuer, audience, age and nonce have been checked before this call.
  getUserInfo: async ({ idToken }: { idToken?: string }) => {
    if (!idToken) return null
    const claims = IdTokenClaims.safeParse(JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()))
    if (!claims.success) return null
    const { sub, email, email_verified, name } = claims.data
    return { id: sub, sub, email, emailVerified: email_verified === true, name: name ?? '' }
  },
})

const IdTokenClaims = z.object({
  sub: z.string().min(1),
  email: EmailParams.shape.email,
  email_verified: z.boolean().optional(),
  name: z.string().trim().max(200).optional().catch(undefined),
})

/** A removed account gets no session by any sign-in method, and the same error code as an unknown account. */
async function assertNotRemoved(db: Database, userId: string): Promise<void> {
  const [user] = await db.select({ removedAt: users.removedAt }).from(users).where(eq(users.id, userId))
  if (user?.removedAt) throw new APIError('UNAUTHORIZED', { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'This account is closed' })
}

/** Whoever had the link has access to the mailbox, which verifies the address, too. */
async function acceptPasswordReset(db: Database, { id, email }: { id: string; email: string }): Promise<void> {
  await db.update(users).set({ emailVerified: true }).where(eq(users.id, id))
  await markPasswordChosenByOwner(db, id)
  await revokeSessions(db, id)
  await resetSignInLimit(db, email)
}

/**
 * Removes a password that nobody has verified before the Google account is linked: if the store stops in between, a password reset still gives
 * access to the account.
 */
async function removePasswordBeforeLinking(
  db: Database,
  { providerId, userId }: { providerId: string; userId: string },
  tellOwner: (user: typeof users.$inferSelect) => void,
): Promise<void> {
  if (providerId === 'credential' || !(await removeUnverifiedPassword(db, userId))) return
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (user) tellOwner(user)
}
