import { APIError, betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { bearer } from 'better-auth/plugins/bearer'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '#platform/database.ts'
import type { Letter } from '#platform/mail.ts'
import { Refusal } from '#platform/refusal.ts'
import { ByEmail } from './contract.ts'
import { linkMinutes, passwordChangedMail, passwordRemovedMail, resetMail } from './mails.ts'
import { endAccess, endUnprovenPassword, markProven, passwordHashes } from './passwords.ts'
import { accounts, sessions, users, verifications } from './table.ts'
import { forgetSignIns } from './tries.ts'

/** How long a session lives after its last use, and how much of that must have passed before a use lengthens it again. */
export const sessionLife = { seconds: 18 * 3600, lengthenedAfterSeconds: 600 }

/** The provider keeps to itself why it failed; with settings that work it is its tables, which is to say the database. */
export const providerAway = (cause?: Error) =>
  new Refusal(503, 'Signing in does not work at the moment: try again in a few seconds', undefined, { cause, retryAfterSeconds: 3 })

export type House = {
  secret: string
  /** the addresses that are the store's own, the one for links in mails first */
  origins: string[]
  /** sends a mail after the answer */
  post: (letter: Letter) => void
}

/** The store as a client of an OpenID issuer: Google, or the stand-in. */
export type GoogleClient = { clientId: string; clientSecret: string; issuer: string }

/**
 * The sign-in provider: better-auth on our own tables, inside the process. Its opaque session token is the store's access token:
 * it ends 18 hours after its last use and can be revoked at any moment.
 * @param google signs in with this issuer as well, coming back to `origin`
 */
export function openSignInProvider(db: Database, { secret, origins, post }: House, google?: GoogleClient & { origin: string }) {
  const [publicUrl = ''] = origins
  return betterAuth({
    appName: 'Nucleus of PC',
    basePath: '/api/auth',
    baseURL: google?.origin ?? publicUrl,
    trustedOrigins: origins,
    secret,
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: { user: users, session: sessions, account: accounts, verification: verifications },
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
      password: passwordHashes,
      minPasswordLength: 8,
      maxPasswordLength: 1000,
      resetPasswordTokenExpiresIn: linkMinutes * 60,
      sendResetPassword: async ({ user, token }) => {
        const { removedAt } = user as typeof user & { removedAt?: Date | null }
        if (!removedAt) post(resetMail(user, `${publicUrl}/reset-password#${token}`))
      },
      onPasswordReset: async ({ user }) => {
        // Whoever had the link has the mailbox.
        await db.update(users).set({ emailVerified: true }).where(eq(users.id, user.id))
        await markProven(db, user.id)
        await endAccess(db, user.id)
        await forgetSignIns(db, user.email)
        post(passwordChangedMail(user, `${publicUrl}/login`))
      },
    },
    verification: { storeIdentifier: 'hashed' },
    session: { expiresIn: sessionLife.seconds, updateAge: sessionLife.lengthenedAfterSeconds },
    databaseHooks: {
      session: { create: { before: ({ userId }) => refuseRemoved(db, userId) } },
      account: {
        create: {
          // Before Google's account is linked: what stops the store in between leaves an account that a reset opens.
          before: async ({ providerId, userId }) => {
            if (providerId === 'credential' || !(await endUnprovenPassword(db, userId))) return
            const [user] = await db.select().from(users).where(eq(users.id, userId))
            if (user) post(passwordRemovedMail(user, `${publicUrl}/login`))
          },
        },
      },
    },
    plugins: [bearer(), ...(google ? [genericOAuth({ config: [openIdClient(google)] })] : [])],
    rateLimit: { enabled: false }, // the store's own limits stand before it
    onAPIError: { errorURL: '/login/google' },
    // The library leaves the check of origins out where NODE_ENV is test or TEST is set: said here, it depends on nothing.
    advanced: { cookiePrefix: 'nucleus', useSecureCookies: publicUrl.startsWith('https:'), disableOriginCheck: false },
    logger: { level: 'error', log: (_level, message) => console.error(message) }, // without what it adds: tokens
    telemetry: { enabled: false },
  })
}

export type SignInProvider = ReturnType<typeof openSignInProvider>

/**
 * The provider that also knows Google, for a visitor who sees the store at this origin. The issuer is asked what it is when somebody first
 * wants to sign in with it, and again as long as it does not answer: a store does not wait for Google, and no restart is needed.
 * @returns throws {Refusal} 503 while the issuer does not answer
 */
export function openGoogle(db: Database, house: House, client: GoogleClient): (origin: string) => Promise<SignInProvider> {
  const opened = new Map<string, SignInProvider>()
  return async (wanted) => {
    const origin = house.origins.includes(wanted) ? wanted : (house.origins[0] ?? '')
    const provider = opened.get(origin) ?? openSignInProvider(db, house, { ...client, origin })
    const { socialProviders } = await provider.$context
    if (!socialProviders.some(({ id }) => id === 'google'))
      throw new Refusal(503, 'Google does not answer at the moment: sign in with your e-mail, or try again in a minute')
    opened.set(origin, provider)
    return provider
  }
}

const openIdClient = ({ clientId, clientSecret, issuer }: GoogleClient) => ({
  providerId: 'google',
  discoveryUrl: `${issuer}/.well-known/openid-configuration`,
  clientId,
  clientSecret,
  scopes: ['openid', 'email', 'profile'],
  pkce: true,
  prompt: 'select_account' as const,
  requireIdTokenVerification: true,
  // Only what the signed token says counts; by now its signature, issuer, audience, age and nonce have been checked.
  getUserInfo: async ({ idToken }: { idToken?: string }) => {
    if (!idToken) return null
    const claims = Claims.safeParse(JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()))
    if (!claims.success) return null
    const { sub, email, email_verified, name, picture } = claims.data
    return { id: sub, sub, email, emailVerified: email_verified === true, name: name ?? '', ...(picture && { image: picture }) }
  },
})

const Claims = z.object({
  sub: z.string().min(1),
  email: ByEmail.shape.email,
  email_verified: z.boolean().optional(),
  name: z.string().trim().max(200).optional().catch(undefined),
  picture: z.string().optional().catch(undefined),
})

/** A removed account gets no session, by whatever way, and hears what an unknown one would. */
async function refuseRemoved(db: Database, userId: string): Promise<void> {
  const [user] = await db.select({ removedAt: users.removedAt }).from(users).where(eq(users.id, userId))
  if (user?.removedAt) throw new APIError('UNAUTHORIZED', { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'This account is closed' })
}
