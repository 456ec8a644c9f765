import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, inArray, lt, notInArray, or, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#platform/database.ts'
import { forgetTries, limit, networkOf, takeBackTry } from '#platform/limits.ts'
import { knownPlaces, users } from './table.ts'

/** Tries before one has to wait. */
const limits = {
  /** from one network, whatever the account */
  perNetwork: { most: 10, seconds: 60 },
  /** at one account from one network */
  perAccountAndNetwork: { most: 10, seconds: 15 * 60 },
  /** at one account from all the places where nobody has ever signed in to it: guesses that come from many networks */
  perAccount: { most: 30, seconds: 15 * 60 },
  /** at one account from a device that was signed in to it before */
  perDevice: { most: 20, seconds: 15 * 60 },
  /** that succeed, at one account from wherever */
  entries: { most: 100, seconds: 3600 },
  /** a whole office may register at once */
  registrations: { most: 30, seconds: 10 * 60 },
}

const knownForDays = 90
const mostPlaces = 20
const deviceCookie = 'nucleus.device'

/** What counts the sign-ins that are tried as this account from places that it does not know. */
export const signInsAs = (email: string) => `sign-in as ${email}`
const fromNetwork = ({ ip }: FastifyRequest) => `sign-in from ${networkOf(ip)}`
const fromNetworkAs = (email: string, { ip }: FastifyRequest) => `sign-in as ${email} from ${networkOf(ip)}`

const hashed = (place: string) => createHash('sha256').update(place).digest('base64url')
const networkPlace = ({ ip }: FastifyRequest) => hashed(`network ${networkOf(ip)}`)
const devicePlace = (device: string) => hashed(`device ${device}`)

/** The random word that this browser was given at its first sign-in. Clients without cookies have none. */
const deviceOf = ({ headers }: FastifyRequest) => /(?:^|;\s*)nucleus\.device=([\w-]{32})(?:;|$)/.exec(headers.cookie ?? '')?.[1]

/**
 * Counts what is tried without an account, so that one network cannot ask without end. Other networks are not concerned.
 * @throws {Refusal} 429
 */
export const limitNetwork = (db: Database, what: string, { ip }: FastifyRequest) =>
  limit(db, `${what} from ${networkOf(ip)}`, what === 'registration' ? limits.registrations : limits.perNetwork)

/**
 * Counts one more try to sign in as this account. A device that was signed in to it before has a count of its own, and a network that
 * was is not concerned by guesses from others: strangers cannot keep the owner out of places that the account knows.
 * @returns what was counted, for `forgiveSignIn`
 * @throws {Refusal} 429
 */
export async function limitSignIn(db: Database, email: string, request: FastifyRequest): Promise<CountedTry> {
  const device = deviceOf(request)
  const places = await knownAmong(db, email, [networkPlace(request), ...(device ? [devicePlace(device)] : [])])
  if (device && places.has(devicePlace(device))) {
    const byDevice = `sign-in as ${email} by device ${devicePlace(device)}`
    await limit(db, byDevice, limits.perDevice)
    return { takenBack: byDevice }
  }
  await limit(db, fromNetwork(request), limits.perNetwork)
  await limit(db, fromNetworkAs(email, request), limits.perAccountAndNetwork)
  if (!places.has(networkPlace(request))) await limit(db, signInsAs(email), limits.perAccount)
  return { takenBack: fromNetwork(request), forgotten: fromNetworkAs(email, request) }
}

/** What a right password takes back: one try, and all of this network's at the account. A try from a known device was never counted there. */
type CountedTry = { takenBack: string; forgotten?: string }

/** Takes back what `limitSignIn` has counted: the password was right. */
export async function forgiveSignIn(db: Database, { takenBack, forgotten }: CountedTry): Promise<void> {
  await takeBackTry(db, takenBack)
  if (forgotten) await forgetTries(db, forgotten)
}

/**
 * Counts a sign-in that succeeded: each leaves a session.
 * @throws {Refusal} 429
 */
export const limitEntries = (db: Database, email: string) => limit(db, `signed in as ${email}`, limits.entries, 'Too many sign-ins')

/** The password that was tried is gone: what was counted must not keep the owner out. */
export const forgetSignIns = (db: Database, email: string) => forgetTries(db, signInsAs(email))

async function knownAmong(db: Database, email: string, places: string[]): Promise<Set<string>> {
  const known = await db
    .select({ place: knownPlaces.place })
    .from(knownPlaces)
    .innerJoin(users, eq(users.id, knownPlaces.userId))
    .where(and(eq(users.email, email), inArray(knownPlaces.place, places), gt(knownPlaces.lastAt, longAgo)))
  return new Set(known.map(({ place }) => place))
}

const longAgo = sql`now() - make_interval(days => ${knownForDays})`

/** Remembers that this account was signed in from here. The browser gets a cookie, which only the sign-in reads and no script sees; Lax, since the way back from Google begins on another site. */
export async function rememberPlace(db: Database, userId: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const device = deviceOf(request) ?? randomBytes(24).toString('base64url')
  const secure = request.protocol === 'https' ? '; Secure' : ''
  reply.header('set-cookie', `${deviceCookie}=${device}; Path=/api/auth; Max-Age=31536000; HttpOnly; SameSite=Lax${secure}`)
  await db
    .insert(knownPlaces)
    .values([networkPlace(request), devicePlace(device)].map((place) => ({ userId, place })))
    .onConflictDoUpdate({ target: [knownPlaces.userId, knownPlaces.place], set: { lastAt: sql`now()` } })
  const ofUser = eq(knownPlaces.userId, userId)
  const newest = db.select({ place: knownPlaces.place }).from(knownPlaces).where(ofUser).orderBy(desc(knownPlaces.lastAt)).limit(mostPlaces)
  await db.delete(knownPlaces).where(and(ofUser, or(lt(knownPlaces.lastAt, longAgo), notInArray(knownPlaces.place, newest))))
}
