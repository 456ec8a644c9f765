import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Cause } from './events.ts'
import { transaction } from './ledger.ts'
import { type Answer, invalid, WireError } from './wire.ts'

/** What a key stands for: the endpoint, and the parameters as parsed, in which a card is already without its number. */
export type Command = { cause: Cause; endpoint: string; parameters: unknown }

/**
 * Runs a command in a transaction, once per idempotency key: later runs get the first one's status and body, declines included.
 * The answer is kept in the same transaction as the result, so a crash leaves both or neither. A command that throws leaves neither.
 * Refuses other parameters or another endpoint (400) and a key whose first run is still under way (409).
 * Source: https://docs.stripe.com/api/idempotent_requests
 */
export async function once(
  pool: pg.Pool,
  command: Command,
  run: (tx: pg.PoolClient) => Promise<Answer>,
): Promise<Answer & { originalRequest?: string }> {
  const key = command.cause.idempotency_key
  if (key === null) return transaction(pool, run)
  if (key.length > 255) throw invalid('Idempotency keys can be at most 255 characters long.')

  // What has been answered once is only read, so that twenty tabs with one key get twenty answers.
  const kept = await firstAnswer(pool, key, command)
  if (kept) return kept

  return transaction(pool, async (tx) => {
    const { rows: locks } = await tx.query<{ free: boolean }>('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as free', [
      `card sandbox: ${key}`,
    ])
    if (!locks[0]?.free) throw inUse(key)

    const first = await firstAnswer(tx, key, command)
    if (first) return first

    const answer = await run(tx)
    // What is in the way here is older than a day: its key counts as new.
    await tx.query(
      `insert into sandbox.idempotency (key, endpoint, fingerprint, request_id, status, body) values ($1, $2, $3, $4, $5, $6)
       on conflict (key) do update set endpoint = excluded.endpoint, fingerprint = excluded.fingerprint,
         request_id = excluded.request_id, status = excluded.status, body = excluded.body, created_at = now()`,
      [key, command.endpoint, fingerprintOf(command.parameters), command.cause.id, answer.status, answer.body],
    )
    return answer
  })
}

/** What the key's first run answered, if it has ended within a day. Refuses another endpoint or other parameters. */
async function firstAnswer(
  db: pg.Pool | pg.PoolClient,
  key: string,
  command: Command,
): Promise<(Answer & { originalRequest: string }) | undefined> {
  const { rows } = await db.query<{ endpoint: string; fingerprint: string; request_id: string; status: number; body: string }>(
    `select endpoint, fingerprint, request_id, status, body from sandbox.idempotency
     where key = $1 and created_at > now() - interval '24 hours'`,
    [key],
  )
  const [first] = rows
  if (!first) return undefined
  if (first.endpoint !== command.endpoint) throw otherUse(key, `for the same endpoint they were first used for ('${first.endpoint}')`)
  if (first.fingerprint !== fingerprintOf(command.parameters)) throw otherUse(key, 'with the same parameters they were first used with')
  return { status: first.status, body: first.body, originalRequest: first.request_id }
}

/** The same for the same parameters in whatever order they came. */
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

function inUse(key: string): WireError {
  const message =
    'There is currently another in progress request using this Idempotent Key ' +
    `(that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`
  return new WireError(409, { type: 'invalid_request_error', code: 'idempotency_key_in_use', message })
}

function otherUse(key: string, onlyUse: string): WireError {
  const message =
    `Keys for idempotent requests can only be used ${onlyUse}. ` +
    `Try using a key other than '${key}' if you meant to execute a different request.`
  return new WireError(400, { type: 'idempotency_error', message })
}
