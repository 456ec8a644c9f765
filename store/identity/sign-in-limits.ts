import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, inArray, lt, notInArray, or, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientNetwork, widestClientNetwork } from '#platform/client-network.ts'
import { createConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import type { Database } from '#platform/database.ts'
import {
  enforceNetworkRateLimit,
  enforceRateLimit,
  refuseRateLimitedNetwork,
  resetRateLimit,
  undoNetworkRateLimitAttempt,
  undoRateLimitAttempt,
} from '#platform/rate-limits.ts'
import { knownSignInLocations, users } from './table.ts'

/** How many attempts are allowed in a window before the next one is answered with 429. */
const signInLimits = {
  /** from one network, whatever the account; a right password takes its attempt back */
  perNetwork: { max: 10, seconds: 60 },
  /** on one account from one network */
  perAccountAndNetwork: { max: 10, seconds: 15 * 60 },
  /** on one account from all networks it was never signed in from: password guessing spread over many networks */
  perAccount: { max: 30, seconds: 15 * 60 },
  /** on one account from a device that was signed in to it before */
  perDevice: { max: 20, seconds: 15 * 60 },
  /** successful ones, on one account from anywhere */
  successfulSignIns: { max: 100, seconds: 3600 },
  /** from one network; a whole office may register at once */
  registrations: { max: 30, seconds: 10 * 60 },
}

const locationLifetimeDays = 90
const maxKnownLocations = 20
const deviceCookie = 'nucleus.device'

/** The rate limit key of sign-in attempts on this account from unknown locations. */
export const signInLimitKey = (email: string) => `sign-in as ${email}`
const accountNetworkLimitKey = (email: string, { ip }: FastifyRequest) => `sign-in as ${email} from ${clientNetwork(ip)}`

const hashLocation = (location: string) => createHash('sha256').update(location).digest('base64url')
const networkLocation = ({ ip }: FastifyRequest) => hashLocation(`network ${clientNetwork(ip)}`)
const deviceLocation = (deviceId: string) => hashLocation(`device ${deviceId}`)

/** The random id that this browser was given at its first sign-in. Clients without cookies have none. */
const deviceIdFromCookie = ({ headers }: FastifyRequest) => /(?:^|;\s*)nucleus\.device=([\w-]{32})(?:;|$)/.exec(headers.cookie ?? '')?.[1]

/**
 * Counting an attempt takes connections before anything is known of the client, so few attempts are counted at a time, client networks by
 * turns: the other connections are for customers who are signed in, however many strangers ask.
 */
const countingLimiter = createConcurrencyLimiter({ maxConcurrent: 4, maxQueued: 256, queueTimeoutMs: 2500, beforeStart: async () => {} })

/**
 * Counts requests that need no account, per network.
 * @throws {HttpError} 429; 503 when too many attempts wait to be counted
 */
export async function limitNetworkAttempts(db: Database, what: string, { ip }: FastifyRequest): Promise<void> {
  const window = what === 'registration' ? signInLimits.registrations : signInLimits.perNetwork
  refuseRateLimitedNetwork(db, what, ip, window)
  await countingLimiter.run(() => enforceNetworkRateLimit(db, what, ip, window), widestClientNetwork(ip))
}

/**
 * Counts an attempt to sign in to this account. A device that was signed in to it before has its own count, and attempts from a known
 * network do not count toward `perAccount`, so strangers cannot lock the owner out at known locations.
 * @returns whether the device is known, and how to take the attempt back
 * @throws {HttpError} 429; 503 when too many attempts wait to be counted
 */
export async function limitSignInAttempts(db: Database, email: string, request: FastifyRequest): Promise<CountedAttempt> {
  const device = deviceIdFromCookie(request)
  if (!device) refuseRateLimitedNetwork(db, signInAttempt, request.ip, signInLimits.perNetwork)
  return countingLimiter.run(() => countSignInAttempt(db, email, request, device), widestClientNetwork(request.ip))
}

async function countSignInAttempt(
  db: Database,
  email: string,
  request: FastifyRequest,
  device: string | undefined,
): Promise<CountedAttempt> {
  const knownLocations = await filterKnownLocations(db, email, [networkLocation(request), ...(device ? [deviceLocation(device)] : [])])
  if (device && knownLocations.has(deviceLocation(device))) {
    const byDevice = `sign-in as ${email} by device ${deviceLocation(device)}`
    await enforceRateLimit(db, byDevice, signInLimits.perDevice)
    return { isKnownDevice: true, undo: () => undoRateLimitAttempt(db, byDevice) }
  }
  await enforceNetworkRateLimit(db, signInAttempt, request.ip, signInLimits.perNetwork)
  await enforceRateLimit(db, accountNetworkLimitKey(email, request), signInLimits.perAccountAndNetwork)
  if (!knownLocations.has(networkLocation(request))) await enforceRateLimit(db, signInLimitKey(email), signInLimits.perAccount)
  return {
    isKnownDevice: false,
    undo: async () => {
      await undoNetworkRateLimitAttempt(db, signInAttempt, request.ip)
      await resetRateLimit(db, accountNetworkLimitKey(email, request))
    },
  }
}

/** What sign-in attempts count as in `enforceNetworkRateLimit`. */
const signInAttempt = 'sign-in'

/**
 * `undo`, once the password was right: takes back this attempt where it was counted, and all attempts of this network on the account. An
 * attempt from a known device was not counted there.
 */
type CountedAttempt = { isKnownDevice: boolean; undo: () => Promise<void> }

/**
 * Counts a successful sign-in, since each one inserts a session.
 * @throws {HttpError} 429
 */
export const limitSuccessfulSignIns = (db: Database, email: string) =>
  enforceRateLimit(db, `signed in as ${email}`, signInLimits.successfulSignIns, 'Too many sign-ins')

/** After a password change: the attempts were made on the old password and must not lock the owner out. */
export const resetSignInLimit = (db: Database, email: string) => resetRateLimit(db, signInLimitKey(email))

async function filterKnownLocations(db: Database, email: string, locations: string[]): Promise<Set<string>> {
  const known = await db
    .select({ place: knownSignInLocations.place })
    .from(knownSignInLocations)
    .innerJoin(users, eq(users.id, knownSignInLocations.userId))
    .where(and(eq(users.email, email), inArray(knownSignInLocations.place, locations), gt(knownSignInLocations.lastAt, locationExpirySql)))
  return new Set(known.map(({ place }) => place))
}

const locationExpirySql = sql`now() - make_interval(days => ${locationLifetimeDays})`

/**
 * Records the device and the network of a sign-in as known to the account. The browser gets a device cookie, which is sent to /api/auth
 * only and is hidden from scripts. It is SameSite=Lax, since the redirect back from Google starts on another site.
 */
export async function rememberSignInLocation(db: Database, userId: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const device = deviceIdFromCookie(request) ?? randomBytes(24).toString('base64url')
  const secure = request.protocol === 'https' ? '; Secure' : ''
  reply.header('set-cookie', `${deviceCookie}=${device}; Path=/api/auth; Max-Age=31536000; HttpOnly; SameSite=Lax${secure}`)
  await db
    .insert(knownSignInLocations)
    .values([networkLocation(request), deviceLocation(device)].map((place) => ({ userId, place })))
    .onConflictDoUpdate({ target: [knownSignInLocations.userId, knownSignInLocations.place], set: { lastAt: sql`now()` } })
  const ofUser = eq(knownSignInLocations.userId, userId)
  const newest = db
    .select({ place: knownSignInLocations.place })
    .from(knownSignInLocations)
    .where(ofUser)
    .orderBy(desc(knownSignInLocations.lastAt))
    .limit(maxKnownLocations)
  await db
    .delete(knownSignInLocations)
    .where(and(ofUser, or(lt(knownSignInLocations.lastAt, locationExpirySql), notInArray(knownSignInLocations.place, newest))))
}
