import { isAPIError } from 'better-auth/api'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { widestClientNetwork } from '#platform/client-network.ts'
import { createConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import { EmailParams, type User } from './contract.ts'
import { isOwner } from './rules.ts'
import { providerUnavailableError, type SignInProvider, sessionDurations } from './sign-in-provider.ts'
import { sessions, users } from './table.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** the signed-in user; set only behind a guard */
    user: User
    /** the sign-in provider's session token; set only behind `justSignedIn` */
    sessionToken: string
  }
}

/** onRequest hooks: they run before the body is parsed and validated, so a stranger's invalid body is answered with 401, not 400. */
export type Guards = Record<'signedIn' | 'customer' | 'admin' | 'owner' | 'selfOrAdmin' | 'justSignedIn', onRequestAsyncHookHandler> & {
  /**
   * Calls the sign-in provider with the request's credentials: the bearer token, unless it belongs to no session, and the cookie.
   * Calls whose token belongs to a session skip the concurrency limit.
   * @throws {HttpError} 503 when the queue for that limit is full
   */
  callWithCredentials<Answer>(request: FastifyRequest, call: (credentials: Headers) => Promise<Answer>): Promise<Answer>
  /** For endpoints that visitors may call, too: the user of the access token. @throws {HttpError} 401 it is missing or its session has ended */
  findUser(request: FastifyRequest): Promise<User>
}

/**
 * Endpoints accept the bearer token only: with a cookie, other sites could send requests in the visitor's name (CSRF).
 * @param queueTimeoutMs how long a request waits for the place of a lookup
 */
export function createGuards(app: HttpApp, db: Database, provider: SignInProvider, queueTimeoutMs: number): Guards {
  app.decorateRequest('user')
  app.decorateRequest('sessionToken')
  const { callWithCredentials, findUser, findSession } = createCredentialsReader(db, provider, queueTimeoutMs)

  async function signedIn(request: FastifyRequest) {
    request.user = await findUser(request)
  }

  return {
    callWithCredentials,
    async findUser(request) {
      await signedIn(request)
      return request.user
    },
    signedIn,
    async customer(request) {
      await signedIn(request)
      if (request.user.role === 'admin') throw new HttpError(403, 'This is for customers only')
    },
    async admin(request) {
      await signedIn(request)
      if (request.user.role !== 'admin') throw new HttpError(403, 'This is for admins only')
    },
    async owner(request) {
      await signedIn(request)
      if (!(await isOwner(db, request.user.email))) throw new HttpError(403, 'This is for owners of the store only')
    },
    /** for URLs with `:email`: a valid session of that account, by bearer token or cookie; only this and `showSession` use the cookie */
    async justSignedIn(request) {
      const session = await callWithCredentials(request, findSession)
      if (!session || session.user.removedAt) throw new HttpError(401, 'Sign in first')
      if (session.user.email !== emailParam(request)) throw new HttpError(403, 'This sign-in belongs to another e-mail')
      request.user = userOf(session.user)
      request.sessionToken = session.session.token
    },
    /** for URLs with `:email`: the account itself, or an admin */
    async selfOrAdmin(request) {
      await signedIn(request)
      if (emailParam(request) !== request.user.email && request.user.role !== 'admin')
        throw new HttpError(403, 'This is for the account itself only')
    },
  }
}

/** Finds out whose credentials a request has. */
function createCredentialsReader(db: Database, provider: SignInProvider, queueTimeoutMs: number) {
  const { holderOf, lookups } = createSessionLookup(db, queueTimeoutMs)

  const findSession = (headers: Headers) =>
    provider.api.getSession({ headers }).catch((error) => {
      throw isAPIError(error) && error.statusCode >= 500 ? providerUnavailableError(error) : error
    })

  const callWithCredentials: Guards['callWithCredentials'] = async (request, call) => {
    const { authorization, cookie } = request.headers
    const token = bearerToken(request)
    const hasSession = token !== undefined && !isSignedToken(token) && (await holderOf(token, request)) !== undefined
    const mayBeValid = hasSession || (token !== undefined && isSignedToken(token))
    const credentials = new Headers({ ...(mayBeValid && authorization && { authorization }), ...(cookie && { cookie }) })
    const run = () => call(credentials)
    return hasSession ? run() : lookups.run(run, widestClientNetwork(request.ip))
  }

  async function fetchUser(request: FastifyRequest): Promise<User> {
    const session = await callWithCredentials(request, (credentials) => {
      credentials.delete('cookie')
      return findSession(credentials)
    })
    if (!session || session.user.removedAt) throw new HttpError(401, 'Sign in first')
    return userOf(session.user)
  }

  async function findUser(request: FastifyRequest): Promise<User> {
    const token = bearerToken(request)
    if (!token) throw new HttpError(401, 'Sign in first')
    const holder = isSignedToken(token) ? undefined : await holderOf(token, request)
    if (holder?.isYoung) return holder.user
    if (holder || isSignedToken(token)) return fetchUser(request)
    throw new HttpError(401, 'Sign in first')
  }

  return { callWithCredentials, findUser, findSession }
}

function createSessionLookup(db: Database, queueTimeoutMs: number) {
  const holderOfSession = prepareSessionLookup(db)
  const lookups = createConcurrencyLimiter(unknownTokenLookupOptions)
  const lookupsOfKnown = createConcurrencyLimiter({ ...knownTokenLookupOptions, queueTimeoutMs })
  const known = new Set<string>()

  /** Tokens that were valid at their last use have places of their own: all others anybody can make up. */
  async function holderOf(token: string, { ip }: FastifyRequest) {
    const lookUp = () => holderOfSession.execute({ token })
    const [holder] = await (known.has(token) ? lookupsOfKnown : lookups).run(lookUp, widestClientNetwork(ip))
    known.delete(token)
    if (holder) known.add(token)
    for (const oldest of known) if (known.size > maxKnownTokens) known.delete(oldest)
    return holder
  }

  return { holderOf, lookups }
}

const emailParam = ({ params }: FastifyRequest) => EmailParams.safeParse(params).data?.email

const userOf = ({ id, name, email, role }: Omit<User, 'role'> & { role?: string | null | undefined }): User => ({
  id,
  name,
  email,
  role: role === 'admin' ? 'admin' : 'customer',
})

const bearerToken = ({ headers: { authorization = '' } }: FastifyRequest) => /^bearer +(\S+)$/i.exec(authorization)?.[1]

/** `token.signature`: the provider checks the signature before it looks up anything. */
const isSignedToken = (token: string) => token.includes('.')

/**
 * Whose token this is, and whether its session is not yet due for renewal: one prepared statement on the provider's own table. Only signed
 * tokens and sessions due for renewal need a call to the provider, which takes ten times as long.
 */
function prepareSessionLookup(db: Database) {
  const { seconds, renewAfterSeconds } = sessionDurations
  return db
    .select({
      user: { id: users.id, name: users.name, email: users.email, role: users.role },
      isYoung: sql<boolean>`${sessions.expiresAt} > now() + make_interval(secs => ${seconds - renewAfterSeconds})`,
    })
    .from(sessions)
    .innerJoin(users, eq(sessions.userId, users.id))
    .where(and(eq(sessions.token, sql.placeholder('token')), isNull(users.removedAt), gt(sessions.expiresAt, sql`now()`)))
    .prepare('holder_of_session')
}

/** Limits lookups of tokens not yet seen in this process. Most visitors need one such lookup, an attacker with made-up tokens many. */
const unknownTokenLookupOptions = { maxConcurrent: 4, maxQueued: 512, queueTimeoutMs: 2500, beforeStart: async () => {} }
const maxKnownTokens = 10_000
/**
 * Of the 20 connections to the database, so many are for lookups of sessions. Else one account that sends hundreds of requests at a time would
 * fill the queue of the pool, and everybody else would be refused. Networks take turns.
 */
const knownTokenLookupOptions = { maxConcurrent: 4, maxQueued: 400, beforeStart: async () => {} }
