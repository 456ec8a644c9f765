import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorResponse } from '#shared/endpoint.ts'
import { databaseUnavailableError } from './database-errors.ts'
import { warnOncePerSecond } from './error-log.ts'
import { defaultErrorCode, HttpError } from './http-error.ts'

/* The status and the message for the user of every response to a request that failed. */

/** The error handler of the server: `{ message, errors?, code }` for every error that a route or Fastify itself throws. */
export function createErrorHandler() {
  const report = createErrorReporter()
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    if (error.validation) return sendValidationError(error, reply)
    if (!(error instanceof HttpError) && error.statusCode && error.statusCode < 500)
      return sendError(reply, error.statusCode, fastifyErrorMessages[error.code] ?? error.message)
    const { status, body, retryAfterSeconds } = report(error, request.log, `${request.method} ${request.routeOptions.url}`)
    if (retryAfterSeconds) reply.header('retry-after', retryAfterSeconds)
    return reply.code(status).send(body)
  }
}

export type ErrorReport = { status: number; body: ErrorResponse; retryAfterSeconds: number | undefined }

/** @returns the response to whatever a route has thrown, `what` says which; logs what is not the client's fault */
export function createErrorReporter() {
  const warn = warnOncePerSecond()
  return (error: unknown, log: FastifyBaseLogger, what: string): ErrorReport => {
    const httpError = error instanceof HttpError ? error : databaseUnavailableError(error)
    if (!httpError) {
      log.error({ err: error }, `${what} failed`)
      return { status: 500, body: errorBody(500, 'Something went wrong on our side'), retryAfterSeconds: undefined }
    }
    if (httpError.status >= 500) warn(httpError, log)
    const { status, message, errors, code, details, retryAfterSeconds } = httpError
    return { status, body: { message, errors, code, ...details }, retryAfterSeconds }
  }
}

/** The body of an error that is not an `HttpError`. */
export const errorBody = (status: number, message: string, errors?: Record<string, string>) => ({
  message,
  errors,
  code: defaultErrorCode(status),
})

export const sendError = (reply: FastifyReply, status: number, message: string, errors?: Record<string, string>) =>
  reply.code(status).send(errorBody(status, message, errors))

/** Messages for errors that Fastify raises before the route handler runs. */
const fastifyErrorMessages: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body must be JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty, JSON was expected',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is too large',
}

/** Invalid body fields are 400 with a message per field. An invalid id in the path is 404, like an unknown id. */
function sendValidationError(error: FastifyError, reply: FastifyReply) {
  const errors = new Map<string, string>() // only the first error of each field
  for (const { instancePath, message = 'is wrong' } of error.validation ?? []) {
    const field = instancePath.split('/').filter(Boolean).join('.')
    if (!errors.has(field)) errors.set(field, message)
  }
  const [message = 'Something in the request is wrong'] = errors.values()
  if (error.validationContext === 'params') return sendError(reply, 404, message)
  if (errors.has('')) return sendError(reply, 400, 'The body must be a JSON object')
  return sendError(reply, 400, message, Object.fromEntries(errors))
}

/** Responds to an unparsable request with the same error body and closes the connection. */
export function rejectMalformedRequest({ code }: { code: string }, socket: Socket) {
  // A client that does not read its responses would not read this one, and the connection would stay open until it did.
  if (code === 'ECONNRESET' || !socket.writable || socket.writableLength > 0) return socket.destroy()
  const [status, message] = malformedRequestResponses[code] ?? [400, 'This is not a request']
  const body = JSON.stringify(errorBody(status, message))
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  socket.destroySoon()
}

export const requestTimeoutMessage = 'The request came too slowly'

const malformedRequestResponses: Record<string, [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, requestTimeoutMessage],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large'],
}
