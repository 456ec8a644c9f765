import type { ErrorResponse } from '#shared/endpoint.ts'
import type { ErrorCode } from '#shared/error-codes.ts'
import { nextFullMinute } from './next-full-minute.ts'

/**
 * An API response that is not 2xx, or no response (`status` 0). The message comes from the server and can be displayed.
 * In its own file so that a page can tell an API error from a bug without loading `callApi`.
 */
export class ApiError extends Error {
  status: number
  errors: Record<string, string>
  /** undefined without a response, and in one that does not come from the store, such as a proxy's */
  code: ErrorCode | undefined
  /** from when the request may be sent again, as the response says; a full minute, as pages show times */
  retryAt: Date | undefined

  /** @param retryAfterSeconds the header Retry-After; null without one */
  constructor(status: number, response: Pick<ErrorResponse, 'message'> & Partial<ErrorResponse>, retryAfterSeconds: string | null = null) {
    super(response.message)
    this.status = status
    this.errors = response.errors ?? {}
    this.code = response.code
    this.retryAt = retryAfterSeconds ? nextFullMinute(Number(retryAfterSeconds)) : undefined
  }

  /** No response or a server error: the request may have succeeded, and the client cannot tell. */
  get isOutcomeUnknown(): boolean {
    return this.status === 0 || this.status >= 500
  }
}

export const serverUnreachableMessage = 'The store cannot be reached. Check your connection and try again.'

/**
 * Whether a `fetch` or `import` of somebody else, such as React Router's request for the data of a page, failed for want of a connection.
 * Browsers throw a `TypeError` for it, as for a bug; only its message differs: Chrome "Failed to fetch", Firefox "NetworkError when
 * attempting to fetch resource." and "error loading dynamically imported module", Safari "Load failed" and "Importing a module script failed.".
 */
export const isNetworkFailure = (error: unknown): boolean => error instanceof TypeError && /to fetch|Load failed|module/.test(error.message)
