/** An answer that the visitor is meant to read. Anything else that is thrown is a bug and answers 500. */
export class Refusal extends Error {
  status: 400 | 401 | 402 | 403 | 404 | 409 | 422 | 429 | 503
  errors: Record<string, string> | undefined
  retryAfterSeconds: number | undefined
  code: string | undefined

  /**
   * @param errors what is wrong with each field, in the form's words
   * @param more `cause`: what made a refusal of 500 or above necessary, for the log; `retryAfterSeconds`: sent as Retry-After;
   *   `code`: which refusal it is, for a screen that has more to offer than its words
   */
  constructor(
    status: Refusal['status'],
    message: string,
    errors?: Record<string, string>,
    { cause, retryAfterSeconds, code }: { cause?: unknown; retryAfterSeconds?: number; code?: string } = {},
  ) {
    super(message, { cause })
    this.status = status
    this.errors = errors
    this.retryAfterSeconds = retryAfterSeconds
    this.code = code
  }
}
