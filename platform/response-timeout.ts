import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestTimeoutMessage, sendError } from './error-responses.ts'
import { HttpError } from './http-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** response timeout in milliseconds of a route that calls an external service, such as the card provider */
    responseTimeoutMs?: number
  }
}

/**
 * Sends an error when the response does not start in time. A response that has started, such as a file over a slow connection, continues.
 * Not Fastify's `handlerTimeout`: its timer stops once the body has been read (Node then emits `close` on the request), and it cuts off
 * slow file downloads.
 */
export function startResponseTimeout(request: FastifyRequest, reply: FastifyReply, withinMs: number): { isAbandoned: boolean } {
  const scope = { isAbandoned: false }
  const timer = setTimeout(() => {
    if (reply.sent || reply.raw.headersSent) return
    scope.isAbandoned = true
    const { readableFlowing, readableEnded } = request.raw
    if (readableFlowing && !readableEnded) sendRequestTimeout(reply)
    else reply.send(responseTimeoutError(request.method))
  }, withinMs)
  reply.raw.once('finish', () => clearTimeout(timer))
  reply.raw.once('close', () => {
    clearTimeout(timer)
    if (!reply.raw.writableFinished) scope.isAbandoned = true // work after a finished response, such as an email, must still run
  })
  return scope
}

export function responseTimeoutError(method: string): HttpError {
  const isReadOnly = method === 'GET' || method === 'HEAD'
  const message = isReadOnly
    ? 'The store takes too long to answer at the moment: try again in a few seconds'
    : 'The store took too long to answer. It may have done what you asked all the same: look before you ask again'
  return new HttpError(503, message, undefined, { retryAfterSeconds: 3, code: 'response_timeout' })
}

/** The request body has not arrived in time: the connection is closed after the response. */
const sendRequestTimeout = (reply: FastifyReply) => sendError(reply.header('connection', 'close'), 408, requestTimeoutMessage)
