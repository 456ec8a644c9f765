import { eq } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Afterwards } from '#platform/afterwards.ts'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import type { Jobs } from '#platform/jobs.ts'
import { limit } from '#platform/limits.ts'
import { Refusal } from '#platform/refusal.ts'
import {
  askAdmin,
  askToVerify,
  brokenLink,
  liftLimits,
  listRemoved,
  listUsers,
  makeAdmin,
  register,
  removeUser,
  requestReset,
  resetPassword,
  restoreUser,
  showSession,
  showVerification,
  signIn,
  signInWithGoogle,
  signOut,
  takeAdminBack,
  takeToken,
  type User,
  verifyEmail,
} from './contract.ts'
import type { Guards } from './guards.ts'
import { ownerMails } from './owner-notices.ts'
import { currentHash } from './passwords.ts'
import { providerAway, type SignInProvider } from './provider.ts'
import * as identity from './rules.ts'
import type { SignIn } from './sign-in.ts'
import { sessions } from './table.ts'
import { forgiveSignIn, limitEntries, limitNetwork, limitSignIn, rememberPlace } from './tries.ts'

type House = {
  db: Database
  guards: Guards
  signIn: SignIn
  afterwards: Afterwards
  jobs: Jobs
  /** what else the removal of an account leads to: in its transaction, and once that is committed */
  removal: { within: (tx: Database, userId: string) => Promise<void>; after: () => void }
}

/** Mails that verify an address and are asked for again; a new password verifies it too, and has links of its own. */
const verificationMails = { most: 3, seconds: 24 * 3600 }

/** Roles, removals and restorations that an admin who is no owner asks for: they are mails to every owner, and end a customer's orders for good. */
const changes = { most: 20, seconds: 3600 }

async function limitChanges(db: Database, { email }: User): Promise<void> {
  if (await identity.isOwner(db, email)) return
  const often = `Admins who are no owners have asked for ${changes.most} changes of roles, removals and restorations within an hour, which is as many as they can together`
  await limit(db, 'account changes by admins', changes, often)
}

/** Passwords are hashed a few at a time, and a rush of them waits in turn. */
const hashing = { answerMs: 20_000 }

export function identityCalls(app: Http, { db, guards, signIn: { provider, google, verification }, afterwards, jobs, removal }: House) {
  // The sign-in provider answers these itself; its other calls have no address here.
  app.route({
    ...signIn,
    config: hashing,
    handler: async (request, reply) => {
      const { email } = request.body
      const counted = await limitSignIn(db, email, request)
      const before = await currentHash(db, email)
      const answer = await ask(provider, request, '/sign-in/email', request.body)
      if (!answer.ok) return hand(answer, reply)
      const { token, user } = await enteredBy(answer)
      // Set anew since the old one was read: that ended the sessions that it found, and this one may have been written after it looked.
      try {
        if ((await currentHash(db, email)) !== before) throw new Refusal(401, passwordChanged)
        await limitEntries(db, email)
      } catch (refusal) {
        await db.delete(sessions).where(eq(sessions.token, token))
        throw refusal
      }
      await forgiveSignIn(db, counted)
      await rememberPlace(db, user.id, request, reply)
      return hand(answer, reply)
    },
  })

  app.route({
    ...register,
    config: hashing,
    handler: async (request, reply) => {
      await limitNetwork(db, 'registration', request)
      const answer = await ask(provider, request, '/sign-up/email', request.body)
      if (!answer.ok) return hand(answer, reply)
      afterwards.run('Asking to verify an e-mail', () => verification.ask(request.body.email))
      await rememberPlace(db, (await enteredBy(answer)).user.id, request, reply)
      return hand(answer, reply)
    },
  })

  app.route({
    ...signOut,
    handler: async (request, reply) => {
      const out = (proof: Headers) => ask(provider, request, '/sign-out', {}, proof)
      return hand(await guards.askProvider(request, out), reply)
    },
  })

  app.route({
    ...requestReset,
    handler: async (request) => {
      await limitNetwork(db, 'reset', request)
      // Looked up after the answer: neither its words nor its time tell whether there is such an account.
      afterwards.run('Asking for a new password', () => verification.askForReset(request.body.email))
      return { status: true as const }
    },
  })

  app.route({
    ...resetPassword,
    config: hashing,
    handler: async (request, reply) => {
      await limitNetwork(db, 'new password', request)
      const userId = await verification.ownerOfReset(request.body.token)
      const answer = await ask(provider, request, '/reset-password', request.body)
      if (answer.ok && userId) await rememberPlace(db, userId, request, reply)
      return hand(answer, reply)
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
      await limit(db, `verification mail to ${user.email}`, verificationMails)
      afterwards.run('Asking to verify an e-mail', () => verification.ask(user.email))
      return { verified: false }
    },
  })

  app.route({
    ...verifyEmail,
    config: hashing,
    handler: async (request, reply) => {
      await limitNetwork(db, 'verification', request)
      const { token, newPassword } = request.body
      const { authorization = '' } = request.headers
      const opener = await provider.api.getSession({ headers: new Headers({ authorization }) })
      const { userId, email } = await verification.confirm(token, { openedBy: opener?.user.id, newPassword })
      if (userId !== opener?.user.id) await rememberPlace(db, userId, request, reply)
      return { email }
    },
  })

  if (google) openGoogleCalls(google)

  app.route({
    ...showSession,
    handler: async (request) => {
      const session = await guards.askProvider(request, (headers) => provider.api.getSession({ headers }))
      if (!session || session.user.removedAt) throw new Refusal(401, 'Sign in first')
      return { name: session.user.name, email: session.user.email }
    },
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
    handler: async ({ params, user }) => {
      await limitChanges(db, user)
      return { modifiedCount: await tellingOwners(identity.makeAdmin(db, params.email, user.email)) }
    },
  })

  app.route({
    ...removeUser,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      await limitChanges(db, user)
      const removed = await tellingOwners(identity.removeUser(db, user, params.email, removal.within))
      removal.after()
      return removed
    },
  })

  app.route({
    ...liftLimits,
    onRequest: guards.admin,
    handler: ({ params, body }) => identity.liftLimits(db, params.email, body.lifted),
  })

  app.route({
    ...takeAdminBack,
    onRequest: guards.owner,
    handler: async ({ params, user }) => {
      await tellingOwners(identity.demote(db, params.email, user.email))
      return { modifiedCount: 1 }
    },
  })

  app.route({ ...listRemoved, onRequest: guards.admin, handler: () => identity.listRemoved(db) })

  app.route({
    ...restoreUser,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      await limitChanges(db, user)
      return identity.restoreUser(db, params.email)
    },
  })

  /** What owners are to be told of a change of the admins is in the database once it is done. */
  async function tellingOwners<Done>(change: Promise<Done>): Promise<Done> {
    const done = await change
    jobs.wake(ownerMails)
    return done
  }

  function openGoogleCalls(google: NonNullable<SignIn['google']>) {
    app.route({
      ...signInWithGoogle,
      handler: async (request, reply) => {
        await limitNetwork(db, 'google', request)
        const back = `/login/google${request.body.from ? `?${new URLSearchParams({ from: request.body.from })}` : ''}`
        const wish = { provider: 'google', callbackURL: back, errorCallbackURL: back, disableRedirect: true }
        return hand(await ask(await google(originOf(request)), request, '/sign-in/social', wish), reply)
      },
    })

    app.get('/auth/callback/google', { schema: { hide: true } }, async (request, reply) => {
      await limitNetwork(db, 'coming back from google', request)
      const asked = await google(originOf(request))
      const answer = await asked.handler(new Request(new URL(request.url, asked.options.baseURL), { headers: headersOf(request) }))
      keepCookies(answer, reply)
      const { to, userId } = await wayBackFromGoogle(asked, answer)
      if (userId) await rememberPlace(db, userId, request, reply)
      return reply.redirect(to)
    })
  }
}

/** Where this visitor sees the store. */
const originOf = ({ protocol, host }: FastifyRequest) => `${protocol}://${host}`

const passwordChanged = 'The password was changed at this moment: sign in with the new one'

/** Who has just come in, and with which session. */
const enteredBy = async (answer: Response) => Entered.parse(await answer.clone().json())
const Entered = z.object({ token: z.string(), user: z.object({ id: z.string() }) })

/**
 * Asks the sign-in provider one of its own calls, on behalf of this request.
 * @param proof what of the request's bearer and cookie it is to see, where that is not all
 */
function ask(provider: SignInProvider, request: FastifyRequest, call: string, body: object, proof?: Headers): Promise<Response> {
  const headers = new Headers({ ...headersOf(request), 'content-type': 'application/json' })
  if (proof && !proof.has('authorization')) headers.delete('authorization')
  const asked = new Request(new URL(`/api/auth${call}`, provider.options.baseURL), { method: 'POST', headers, body: JSON.stringify(body) })
  return provider.handler(asked)
}

function headersOf({ headers }: FastifyRequest): Record<string, string> {
  const { 'content-length': _, ...kept } = headers
  return Object.fromEntries(Object.entries(kept).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

function keepCookies(answer: Response, reply: FastifyReply) {
  for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
}

/** Hands the provider's answer on, its refusals in the store's words. */
async function hand(answer: Response, reply: FastifyReply) {
  reply.code(answer.status)
  keepCookies(answer, reply)
  const said: unknown = (await answer.json().catch(() => null)) ?? {}
  if (answer.ok) return reply.send(said)
  const { code = '', message = 'The sign-in was refused' } = ProviderRefusal.parse(said)
  if (answer.status >= 500 || code.startsWith('FAILED_TO_')) throw providerAway(new Error(code))
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
 * Google leads back to /login/google. The address says nothing of who came in, since anybody can write one: the screen asks with the
 * cookie that was just set. A refusal is named by its code in `error`.
 */
async function wayBackFromGoogle(provider: SignInProvider, answer: Response): Promise<{ to: string; userId?: string }> {
  const location = new URL(answer.headers.get('location') ?? '/login/google?error=unknown', provider.options.baseURL)
  const to = location.pathname + location.search
  if (location.searchParams.has('error')) return { to }
  const cookie = answer.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ')
  const session = await provider.api.getSession({ headers: new Headers({ cookie }) })
  return session ? { to, userId: session.user.id } : { to: '/login/google?error=unknown' }
}
