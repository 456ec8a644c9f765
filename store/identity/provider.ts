import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { bearer } from 'better-auth/plugins/bearer'
import type { Database } from '#platform/database.ts'
import { accounts, sessions, users, verifications } from './table.ts'

/** The header in which the store tells the sign-in provider who knocks; what a client sends under this name is dropped. */
export const clientAddressHeader = 'x-nucleus-client-address'

/** How long a session lives after its last use, and how much of that must have passed before a use lengthens it again. */
export const sessionLife = { seconds: 18 * 3600, lengthenedAfterSeconds: 600 }

/**
 * The sign-in provider: better-auth on our own tables, inside the process. Its opaque session token is the store's access token:
 * it ends 18 hours after its last use and can be revoked at any moment.
 * @param origins the addresses that are the store's own
 */
export function openSignInProvider(db: Database, { secret, origins }: { secret: string; origins: string[] }) {
  const [baseURL = ''] = origins
  return betterAuth({
    appName: 'Nucleus of PC',
    basePath: '/api/auth',
    baseURL,
    trustedOrigins: origins,
    secret,
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: { user: users, session: sessions, account: accounts, verification: verifications },
    }),
    user: { additionalFields: { role: { type: 'string', input: false, defaultValue: 'customer' } } },
    emailAndPassword: { enabled: true, autoSignIn: true, minPasswordLength: 8, maxPasswordLength: 1000 },
    session: { expiresIn: sessionLife.seconds, updateAge: sessionLife.lengthenedAfterSeconds },
    plugins: [bearer()],
    // Slower after ten tries in a minute from one address, never locked for good.
    rateLimit: {
      enabled: true,
      window: 60,
      max: 300,
      customRules: { '/sign-in/email': { window: 60, max: 10 }, '/sign-up/email': { window: 60, max: 10 } },
    },
    advanced: {
      cookiePrefix: 'nucleus',
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      useSecureCookies: baseURL.startsWith('https:'),
    },
    logger: { level: 'error' },
    telemetry: { enabled: false },
  })
}

export type SignInProvider = ReturnType<typeof openSignInProvider>
