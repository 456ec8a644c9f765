import { isAPIError } from 'better-auth/api'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import { networkOf } from '#platform/limits.ts'
import { openPlaces } from '#platform/places.ts'
import { Refusal } from '#platform/refusal.ts'
import { ByEmail, type User } from './contract.ts'
import { providerAway, type SignInProvider, sessionLife } from './provider.ts'
import { isOwner } from './rules.ts'
import { sessions, users } from './table.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** who is asking; only behind a guard */
    user: User
    /** the sign-in provider's session token; only behind `justSignedIn` */
    sessionToken: string
  }
}

/** Hooks that stand before a call: they refuse before anything of the request is read, so a stranger's wrong body is 401, not 400. */
export type Guards = Record<'signedIn' | 'customer' | 'admin' | 'owner' | 'selfOrAdmin' | 'justSignedIn', onRequestAsyncHookHandler> & {
  /**
   * Asks the sign-in provider something with what this request proves its visitor by: the bearer, unless it is made up, and the cookie.
   * Only a token that was good when it was used last needs no place for it.
   * @throws {Refusal} 503 when too many others ask
   */
  askProvider<Answer>(request: FastifyRequest, question: (proof: Headers) => Promise<Answer>): Promise<Answer>
}

/** Calls accept the bearer only; a cookie would let other sites act in the visitor's name. */
export function openGuards(app: Http, db: Database, provider: SignInProvider): Guards {
  app.decorateRequest('user')
  app.decorateRequest('sessionToken')
  const holderOfSession = prepareHolderOfSession(db)
  const lookups = openPlaces(unknownTokens)
  const known = new Set<string>()

  /** A token that was good when it was used last is looked up at once; all others, which anybody can make up, a few at a time. */
  async function holderOf(token: string, { ip }: FastifyRequest) {
    const look = () => holderOfSession.execute({ token })
    const [holder] = known.has(token) ? await look() : await lookups.run(look, networkOf(ip))
    known.delete(token)
    if (holder) known.add(token)
    for (const oldest of known) if (known.size > mostKnown) known.delete(oldest)
    return holder
  }

  async function signedIn(request: FastifyRequest) {
    const token = bearerOf(request)
    if (!token) throw new Refusal(401, 'Sign in first')
    const holder = isSigned(token) ? undefined : await holderOf(token, request)
    if (holder?.isYoung) request.user = holder.user
    else if (holder || isSigned(token)) request.user = await askForUser(request)
    else throw new Refusal(401, 'Sign in first')
  }

  async function askForUser(request: FastifyRequest): Promise<User> {
    const session = await askProvider(request, (proof) => {
      proof.delete('cookie')
      return sessionOf(proof)
    })
    if (!session || session.user.removedAt) throw new Refusal(401, 'Sign in first')
    const { id, name, email, role } = session.user
    return { id, name, email, role: role === 'admin' ? 'admin' : 'customer' }
  }

  const askProvider: Guards['askProvider'] = async (request, question) => {
    const { authorization, cookie } = request.headers
    const token = bearerOf(request)
    const isHeld = token !== undefined && !isSigned(token) && (await holderOf(token, request)) !== undefined
    const mayBeGood = isHeld || (token !== undefined && isSigned(token))
    const proof = new Headers({ ...(mayBeGood && authorization && { authorization }), ...(cookie && { cookie }) })
    const ask = () => question(proof)
    return isHeld ? ask() : lookups.run(ask, networkOf(request.ip))
  }

  const sessionOf = (headers: Headers) =>
    provider.api.getSession({ headers }).catch((error) => {
      throw isAPIError(error) && error.statusCode >= 500 ? providerAway(error) : error
    })

  return {
    askProvider,
    signedIn,
    async customer(request) {
      await signedIn(request)
      if (request.user.role === 'admin') throw new Refusal(403, 'This is for customers only')
    },
    async admin(request) {
      await signedIn(request)
      if (request.user.role !== 'admin') throw new Refusal(403, 'This is for admins only')
    },
    async owner(request) {
      await signedIn(request)
      if (!(await isOwner(db, request.user.email))) throw new Refusal(403, 'This is for owners of the store only')
    },
    /** for addresses with `:email`: a live sign-in of that account, by the provider's bearer or cookie; beside `showSession` the one place where the cookie counts */
    async justSignedIn(request) {
      const session = await askProvider(request, sessionOf)
      if (!session || session.user.removedAt) throw new Refusal(401, 'Sign in first')
      if (session.user.email !== emailOf(request)) throw new Refusal(403, 'This sign-in belongs to another e-mail')
      request.sessionToken = session.session.token
    },
    /** for addresses with `:email`: the account itself, or an admin */
    async selfOrAdmin(request) {
      await signedIn(request)
      if (emailOf(request) !== request.user.email && request.user.role !== 'admin')
        throw new Refusal(403, 'This is for the account itself only')
    },
  }
}

const emailOf = ({ params }: FastifyRequest) => ByEmail.safeParse(params).data?.email

const bearerOf = ({ headers: { authorization = '' } }: FastifyRequest) => /^bearer +(\S+)$/i.exec(authorization)?.[1]

/** With the provider's signature after a dot, which is checked before anything is looked up. */
const isSigned = (token: string) => token.includes('.')

/**
 * Whose token this is, and whether the session is not yet due to be lengthened: one prepared statement on the provider's own table. Each use
 * that has to lengthen a session is a question to the provider, which takes ten times as long, and so is a signed token.
 */
function prepareHolderOfSession(db: Database) {
  const { seconds, lengthenedAfterSeconds } = sessionLife
  return db
    .select({
      user: { id: users.id, name: users.name, email: users.email, role: users.role },
      isYoung: sql<boolean>`${sessions.expiresAt} > now() + make_interval(secs => ${seconds - lengthenedAfterSeconds})`,
    })
    .from(sessions)
    .innerJoin(users, eq(sessions.userId, users.id))
    .where(and(eq(sessions.token, sql.placeholder('token')), isNull(users.removedAt), gt(sessions.expiresAt, sql`now()`)))
    .prepare('holder_of_session')
}

/** Where tokens are looked up that nobody has come in with here: most visitors do so once, and who makes up tokens does so without end. */
const unknownTokens = { places: 4, queue: 512, waitMs: 2500, before: async () => {} }
const mostKnown = 10_000
