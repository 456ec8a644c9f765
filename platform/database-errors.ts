import { DrizzleQueryError } from 'drizzle-orm/errors'
import pg from 'pg'
import { HttpError } from './http-error.ts'

/** No database connection could be acquired. `isPoolExhausted`: waiting for one timed out, or too many requests were waiting already. */
export class DatabaseConnectionError extends Error {
  isPoolExhausted: boolean

  constructor(isPoolExhausted: boolean, cause?: unknown) {
    super(isPoolExhausted ? 'No connection to the database came free' : 'The database could not be reached', { cause })
    this.isPoolExhausted = isPoolExhausted
  }
}

/** The SQLSTATE of a statement that PostgreSQL has refused, such as 23505, a unique violation. */
export function postgresErrorCode(error: unknown): string | undefined {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return cause instanceof pg.DatabaseError ? cause.code : undefined
}

export const isUniqueViolation = (error: unknown): boolean => postgresErrorCode(error) === '23505'

/** Deadlock detected, and a statement in a transaction that has failed: work inside that tries again after a deadlock ends with it. */
const deadlockCodes = ['40P01', '25P02']
const maxDeadlockTries = 3

/** Runs a transaction again that PostgreSQL has ended to resolve a deadlock. */
export async function retryAfterDeadlock<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await transaction()
    } catch (error) {
      if (!deadlockCodes.includes(postgresErrorCode(error) ?? '') || tries === maxDeadlockTries) throw error
    }
}

/** pg's message for a statement that exceeded `query_timeout`. */
export const isQueryTimeout = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'

const shortRetrySeconds = 3
const longRetrySeconds = 60

/**
 * The response to a temporary database failure: unreachable, overloaded, or out of disk space.
 * @returns undefined for every other error, which is a bug
 */
export function databaseUnavailableError(error: unknown): HttpError | undefined {
  const kind = classifyError(error, false)
  if (!kind) return undefined
  const [message, retryAfterSeconds] = unavailableMessages[kind]
  const code = kind === 'busy' ? 'overloaded' : 'unavailable'
  return new HttpError(503, message, undefined, { cause: error, retryAfterSeconds, code })
}

const unavailableMessages = {
  away: ["The store's database does not answer at the moment: try again in a few seconds", shortRetrySeconds],
  busy: ['The store has more to do than it can at the moment: try again in a few seconds', shortRetrySeconds],
  full: ['The store can save nothing at the moment, most likely because its disk is full: try again later', longRetrySeconds],
} as const

/** @param isDatabaseError whether a database statement or connection failed: other sockets fail with the same codes */
function classifyError(error: unknown, isDatabaseError: boolean): keyof typeof unavailableMessages | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof DatabaseConnectionError) return error.isPoolExhausted ? 'busy' : (classifyError(error.cause, true) ?? 'away')
  if (error instanceof pg.DatabaseError) return classifyPostgresCode(error.code ?? '')
  if (isQueryTimeout(error)) return 'busy'
  if (connectionLostPattern.test(error.message)) return 'away'
  if (isDatabaseError && 'code' in error && socketErrorCodes.has(String(error.code))) return 'away'
  if (error instanceof AggregateError) return classifyError(error.errors[0], isDatabaseError)
  return classifyError(error.cause, isDatabaseError || error instanceof DrizzleQueryError)
}

/** pg's messages for a lost connection, and for statements on a connection that was lost before. */
const connectionLostPattern = /^Connection terminated|^Client (was closed|has encountered a connection error) and is not queryable/
const socketErrorCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
function classifyPostgresCode(code: string): keyof typeof unavailableMessages | undefined {
  // Class 08: connection failure. 57P01 to 57P05: closed by a shutdown, a crash or a startup. 25P03: idle-in-transaction timeout.
  if (code.startsWith('08') || /^57P0[1-5]$/.test(code) || code === '25P03') return 'away'
  // 57014: statement timeout. 55P03: lock not available. 53300: too many connections.
  if (code === '57014' || code === '55P03' || code === '53300') return 'busy'
  // 53100: disk full. 25006: read-only; the embedded database while its disk is nearly full, an external one after a failover.
  if (code === '53100' || code === '25006') return 'full'
  return undefined
}
