import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Afterwards } from '#platform/afterwards.ts'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import { limit, networkOf } from '#platform/limits.ts'
import {
  askAdmin,
  askToVerify,
  brokenLink,
  listUsers,
  makeAdmin,
  register,
  removeUser,
  requestReset,
  resetPassword,
  showVerification,
  signIn,
  signInWithGoogle,
  signOut,
  takeToken,
  verifyEmail,
} from './contract.ts'
import type { Guards } from './guards.ts'
import { providerAway, type SignInProvider, signInsAs } from './provider.ts'
import * as identity from './rules.ts'
import type { SignIn } from './sign-in.ts'

type House = {
  db: Database
  guards: Guards
  signIn: SignIn
  afterwards: Afterwards
}

/** Tries before one has to wait. The account's own count is for guesses that come from many addresses. */
const limits = {
  perClient: { most: 10, seconds: 60 },
  perAccount: { most: 30, seconds: 15 * 60 },
  mailsPerAddress: { most: 5, seconds: 3600 },
}

export function identityCalls(app: Http, { db, guards, signIn: { provider, google, verification }, afterwards }: House) {
  const limitClient = (what: string, { ip }: FastifyRequest) => limit(db, `${what} from ${networkOf(ip)}`, limits.perClient)

  // The sign-in provider answers these itself; its other calls have no address here.
  app.route({
    ...signIn,
    handler: async (request, reply) => {
      await limitClient('sign-in', request)
      await limit(db, signInsAs(request.body.email), limits.perAccount)
      return hand(await ask(provider, request, '/sign-in/email', request.body), reply)
    },
  })

  app.route({
    ...register,
    handler: async (request, reply) => {
      await limitClient('registration', request)
      const answer = await ask(provider, request, '/sign-up/email', request.body)
      if (answer.ok) afterwards.run('Asking to verify an e-mail', () => verification.ask(request.body.email))
      return hand(answer, reply)
    },
  })

  app.route({ ...signOut, handler: async (request, reply) => hand(await ask(provider, request, '/sign-out', {}), reply) })

  app.route({
    ...requestReset,
    handler: async (request) => {
      const { email } = request.body
      await limitClient('reset', request)
      await limit(db, `reset mail to ${email}`, limits.mailsPerAddress)
      // Looked up after the answer: neither its words nor its time tell whether there is such an account.
      afterwards.run('Asking for a new password', () => provider.api.requestPasswordReset({ body: { email } }))
      return { status: true as const }
    },
  })

  app.route({
    ...resetPassword,
    handler: async (request, reply) => {
      await limitClient('new password', request)
      return hand(await ask(provider, request, '/reset-password', request.body), reply)
    },
  })

  app.route({
    ...showVerification,
    onRequest: guards.signedIn,
    handler: async ({ user }) => ({ verified: await verification.isDone(user.email) }),
  })

  app.route({
    ...askToVerify,
    onRequest: guards.signedIn,
    handler: async ({ user }) => {
      if (await verification.isDone(user.email)) return { verified: true }
      await limit(db, `verification mail to ${user.email}`, limits.mailsPerAddress)
      afterwards.run('Asking to verify an e-mail', () => verification.ask(user.email))
      return { verified: false }
    },
  })

  app.route({
    ...verifyEmail,
    handler: async (request) => {
      await limitClient('verification', request)
      return { email: await verification.confirm(request.body.token) }
    },
  })

  app.route({
    ...signInWithGoogle,
    handler: async (request, reply) => {
      await limitClient('google', request)
      const back = `/login/google${request.body.from ? `?${new URLSearchParams({ from: request.body.from })}` : ''}`
      const wish = { provider: 'google', callbackURL: back, errorCallbackURL: back, disableRedirect: true }
      return hand(await ask(await google(originOf(request)), request, '/sign-in/social', wish), reply)
    },
  })

  app.get('/auth/callback/google', { schema: { hide: true } }, async (request, reply) => {
    const asked = await google(originOf(request))
    const answer = await asked.handler(new Request(new URL(request.url, asked.options.baseURL), { headers: headersOf(request) }))
    keepCookies(answer, reply)
    return reply.header('cache-control', 'no-store').redirect(await wayBackFromGoogle(asked, answer))
  })

  app.route({
    ...takeToken,
    onRequest: guards.justSignedIn,
    handler: async ({ sessionToken }) => ({ token: sessionToken }),
  })

  app.route({
    ...askAdmin,
    onRequest: guards.selfOrAdmin,
    handler: async ({ params }) => ({ admin: await identity.isAdmin(db, params.email) }),
  })

  app.route({ ...listUsers, onRequest: guards.admin, handler: () => identity.listAccounts(db) })

  app.route({
    ...makeAdmin,
    onRequest: guards.admin,
    handler: async ({ params }) => ({ modifiedCount: await identity.makeAdmin(db, params.email) }),
  })

  app.route({
    ...removeUser,
    onRequest: guards.admin,
    handler: ({ params, user }) => identity.removeUser(db, user, params.email),
  })
}

/** Where this visitor sees the store. */
const originOf = ({ protocol, host }: FastifyRequest) => `${protocol}://${host}`

/** Asks the sign-in provider one of its own calls, on behalf of this request. */
const ask = (provider: SignInProvider, request: FastifyRequest, call: string, body: object): Promise<Response> =>
  provider.handler(
    new Request(new URL(`/api/auth${call}`, provider.options.baseURL), {
      method: 'POST',
      headers: { ...headersOf(request), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

function headersOf({ headers }: FastifyRequest): Record<string, string> {
  const { 'content-length': _, ...kept } = headers
  return Object.fromEntries(Object.entries(kept).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

function keepCookies(answer: Response, reply: FastifyReply) {
  for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
}

/** Hands the provider's answer on, its refusals in the store's words. */
async function hand(answer: Response, reply: FastifyReply) {
  reply.code(answer.status).header('cache-control', 'no-store')
  keepCookies(answer, reply)
  const said: unknown = (await answer.json().catch(() => null)) ?? {}
  if (answer.ok) return reply.send(said)
  const { code = '', message = 'The sign-in was refused' } = ProviderRefusal.parse(said)
  if (answer.status >= 500 || code.startsWith('FAILED_TO_')) throw providerAway(code)
  return reply.send({ message: words[code] ?? message })
}

const ProviderRefusal = z.object({ code: z.string().optional(), message: z.string().optional() })

/** The provider's refusals in the store's words, where its own would tell too much or too little. */
const words: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD: 'The e-mail or the password is not right',
  USER_ALREADY_EXISTS: 'This e-mail has an account already: sign in instead',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'This e-mail has an account already: sign in instead',
  MISSING_OR_NULL_ORIGIN: 'A browser has to say which page it comes from (Origin)',
  INVALID_ORIGIN: 'Sign in on the page of the store itself',
  INVALID_TOKEN: brokenLink,
}

/**
 * Google leads back to /login/google. Who came in stands behind the #, which no server and no log sees; the screen takes the access token with
 * it, and the cookie that was just set is the proof. A refusal is named by its code in `error`.
 */
async function wayBackFromGoogle(provider: SignInProvider, answer: Response): Promise<string> {
  const location = new URL(answer.headers.get('location') ?? '/login/google?error=unknown', provider.options.baseURL)
  if (location.searchParams.has('error')) return location.pathname + location.search
  const cookie = answer.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ')
  const session = await provider.api.getSession({ headers: new Headers({ cookie }) })
  if (!session) return '/login/google?error=unknown'
  const { email, name } = session.user
  return `${location.pathname}${location.search}#${new URLSearchParams({ email, name })}`
}
