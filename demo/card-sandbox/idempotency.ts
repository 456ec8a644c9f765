import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { EventRequest } from './events.ts'
import { transaction } from './ledger.ts'
import { type ApiResponse, invalidRequestError, StripeApiError } from './wire.ts'

/** What a key is bound to: the endpoint and the parsed parameters, in which a card no longer has its number. */
export type IdempotentRequest = { cause: EventRequest; endpoint: string; parameters: unknown }

/**
 * Runs a command in a transaction, once per idempotency key: later runs get the first one's status and body, declines included.
 * The response is stored in the same transaction as the result, so a crash leaves both or neither. A command that throws leaves neither.
 * 400 for other parameters or another endpoint, 409 for a key whose first request is still running.
 * Source: https://docs.stripe.com/api/idempotent_requests
 */
export async function runIdempotently(
  pool: pg.Pool,
  command: IdempotentRequest,
  run: (tx: pg.PoolClient) => Promise<ApiResponse>,
): Promise<ApiResponse & { originalRequest?: string }> {
  const key = command.cause.idempotency_key
  if (key === null) return transaction(pool, run)
  if (key.length > 255) throw invalidRequestError('Idempotency keys can be at most 255 characters long.')

  // Stored responses are read without the lock, so that concurrent repeats with the same key all succeed.
  const stored = await findStoredResponse(pool, key, command)
  if (stored) return stored

  return transaction(pool, async (tx) => {
    const { rows: locks } = await tx.query<{ free: boolean }>('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as free', [
      `card sandbox: ${key}`,
    ])
    if (!locks[0]?.free) throw keyInUseError(key)

    const first = await findStoredResponse(tx, key, command)
    if (first) return first

    const response = await run(tx)
    // A conflicting row is older than 24 hours, so its key counts as new.
    await tx.query(
      `insert into sandbox.idempotency (key, endpoint, fingerprint, request_id, status, body) values ($1, $2, $3, $4, $5, $6)
       on conflict (key) do update set endpoint = excluded.endpoint, fingerprint = excluded.fingerprint,
         request_id = excluded.request_id, status = excluded.status, body = excluded.body, created_at = now()`,
      [key, command.endpoint, fingerprintOf(command.parameters), command.cause.id, response.status, response.body],
    )
    return response
  })
}

/** The stored response of the key's first request within 24 hours; 400 for another endpoint or other parameters. */
async function findStoredResponse(
  db: pg.Pool | pg.PoolClient,
  key: string,
  command: IdempotentRequest,
): Promise<(ApiResponse & { originalRequest: string }) | undefined> {
  const { rows } = await db.query<{ endpoint: string; fingerprint: string; request_id: string; status: number; body: string }>(
    `select endpoint, fingerprint, request_id, status, body from sandbox.idempotency
     where key = $1 and created_at > now() - interval '24 hours'`,
    [key],
  )
  const [first] = rows
  if (!first) return undefined
  if (first.endpoint !== command.endpoint) throw keyReusedError(key, `for the same endpoint they were first used for ('${first.endpoint}')`)
  if (first.fingerprint !== fingerprintOf(command.parameters))
    throw keyReusedError(key, 'with the same parameters they were first used with')
  return { status: first.status, body: first.body, originalRequest: first.request_id }
}

/** Independent of the order of the parameters. */
function fingerprintOf(parameters: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(parameters)))
    .digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)])
}

function keyInUseError(key: string): StripeApiError {
  const message =
    'There is currently another in progress request using this Idempotent Key ' +
    `(that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`
  return new StripeApiError(409, { type: 'invalid_request_error', code: 'idempotency_key_in_use', message })
}

function keyReusedError(key: string, onlyUse: string): StripeApiError {
  const message =
    `Keys for idempotent requests can only be used ${onlyUse}. ` +
    `Try using a key other than '${key}' if you meant to execute a different request.`
  return new StripeApiError(400, { type: 'idempotency_error', message })
}
