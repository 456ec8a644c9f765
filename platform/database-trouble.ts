import { DrizzleQueryError } from 'drizzle-orm/errors'
import pg from 'pg'
import { Refusal } from './refusal.ts'

/** No connection to the database could be had: `busy` when it was waited for in vain, or too many were waiting already. */
export class NoConnection extends Error {
  busy: boolean

  constructor(busy: boolean, cause?: unknown) {
    super(busy ? 'No connection to the database came free' : 'The database could not be reached', { cause })
    this.busy = busy
  }
}

/** pg's own words for a statement whose answer did not come in `query_timeout`. */
export const isUnanswered = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'

const soonSeconds = 3
const laterSeconds = 60

/**
 * What a visitor is told when it is the database's fault and goes by: it is away, slow, or its disk is full.
 * @returns undefined for every other error, which is a mistake of ours
 */
export function databaseTrouble(error: unknown): Refusal | undefined {
  const kind = kindOf(error, false)
  if (!kind) return undefined
  const [message, retryAfterSeconds] = words[kind]
  return new Refusal(503, message, undefined, { cause: error, retryAfterSeconds })
}

const words = {
  away: ["The store's database does not answer at the moment: try again in a few seconds", soonSeconds],
  busy: ['The store has more to do than it can at the moment: try again in a few seconds', soonSeconds],
  full: ['The store can save nothing at the moment, most likely because its disk is full: try again later', laterSeconds],
} as const

/** @param asked whether a statement or a connection of the database is what failed: other sockets break with the same codes */
function kindOf(error: unknown, asked: boolean): keyof typeof words | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof NoConnection) return error.busy ? 'busy' : (kindOf(error.cause, true) ?? 'away')
  if (error instanceof pg.DatabaseError) return kindOfCode(error.code ?? '')
  if (isUnanswered(error)) return 'busy'
  if (connectionIsGone.test(error.message)) return 'away'
  if (asked && 'code' in error && brokenSocket.has(String(error.code))) return 'away'
  if (error instanceof AggregateError) return kindOf(error.errors[0], asked)
  return kindOf(error.cause, asked || error instanceof DrizzleQueryError)
}

/** pg's words for a connection that ended, and for statements on one that had ended before. */
const connectionIsGone = /^Connection terminated|^Client (was closed|has encountered a connection error) and is not queryable/
const brokenSocket = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
function kindOfCode(code: string): keyof typeof words | undefined {
  // Class 08 is the connection, 57P01 to 57P05 its end by a stop, a crash or a start; 25P03 a transaction that was left idle.
  if (code.startsWith('08') || /^57P0[1-5]$/.test(code) || code === '25P03') return 'away'
  // a statement or a lock that took too long, and no room for another connection
  if (code === '57014' || code === '55P03' || code === '53300') return 'busy'
  // No room on the disk, or read only: the embedded database is so while its disk is nearly full, another after a change of servers.
  if (code === '53100' || code === '25006') return 'full'
  return undefined
}
