import type { ErrorCode } from '#shared/error-codes.ts'

/** An error response whose message is meant for the user. Any other exception is a bug and becomes a 500 response. */
export class HttpError extends Error {
  status: 400 | 401 | 402 | 403 | 404 | 409 | 422 | 429 | 503
  errors: Record<string, string> | undefined
  retryAfterSeconds: number | undefined
  code: ErrorCode
  details: object | undefined

  /**
   * @param errors message per form field
   * @param options `cause`: the reason for a status of 500 or above, for the log; `retryAfterSeconds`: sent as Retry-After;
   *   `code`: tells the error apart from others of its status; `details`: further fields of the response, named in `ErrorResponse`
   */
  constructor(
    status: HttpError['status'],
    message: string,
    errors?: Record<string, string>,
    { cause, retryAfterSeconds, code, details }: { cause?: unknown; retryAfterSeconds?: number; code?: ErrorCode; details?: object } = {},
  ) {
    super(message, { cause })
    this.status = status
    this.errors = errors
    this.retryAfterSeconds = retryAfterSeconds
    this.code = code ?? defaultErrorCode(status)
    this.details = details
  }
}

/** A refusal as the state of something does not allow what is asked. @param errors message per form field */
export const conflictError = (message: string, code: ErrorCode, errors?: Record<string, string>): HttpError =>
  new HttpError(409, message, errors, { code })

const errorCodeByStatus: Partial<Record<number, ErrorCode>> = {
  401: 'not_signed_in',
  402: 'payment_required',
  403: 'forbidden',
  404: 'not_found',
  408: 'request_timeout',
  409: 'conflict',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  431: 'headers_too_large',
  503: 'unavailable',
}

/** The code of an error response that has no more specific one. */
export const defaultErrorCode = (status: number): ErrorCode =>
  errorCodeByStatus[status] ?? (status < 500 ? 'invalid_request' : 'internal_error')
