import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { enforceRateLimit, type RateLimitWindow } from '#platform/rate-limits.ts'
import type { User } from './contract.ts'
import { isOwner } from './rules.ts'

/**
 * What admins who are no owners can do within a while, counted for all of them together: one of them can make others, so a limit for each
 * would be none. Owners are not counted.
 */
export type AdminLimit = {
  key: string
  window: RateLimitWindow
  /** was done too often, for the error message */
  what: string
}

/**
 * Counts an act of an admin, whatever comes of it.
 * @throws {HttpError} 429, with the time to wait, when the limit is exceeded
 */
export async function enforceAdminLimit(db: Database, { email }: User, { key, window, what }: AdminLimit): Promise<void> {
  if (await isOwner(db, email)) return
  await enforceRateLimit(db, key, window, what).catch((error: unknown) => {
    throw error instanceof HttpError ? appendAskAnOwner(error) : error
  })
}

/** The same error with the other way out: an owner has no such limit. */
export const appendAskAnOwner = ({ status, message, retryAfterSeconds }: HttpError): HttpError =>
  new HttpError(status, `${message}, or ask an owner to do it`, undefined, retryAfterSeconds ? { retryAfterSeconds } : {})
