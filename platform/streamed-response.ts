import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createConcurrencyLimiter } from './concurrency-limiter.ts'

/**
 * Streams a text that is too long for memory, with backpressure. An error before the first chunk becomes a regular error response. A later
 * error closes the connection, so that a truncated text never looks complete.
 */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  contentType: string,
  chunks: AsyncGenerator<string, void>,
): Promise<void> {
  const first = await chunks.next()
  if (reply.sent) return void (await chunks.return()) // the response timeout has already sent an error
  reply.hijack()
  reply.raw.setMaxListeners(20) // `pipeline` adds five for `close` to those of the server, one more than Node expects
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.writeHead(200, { 'content-type': contentType })
  if (request.method === 'HEAD') {
    await chunks.return()
    reply.raw.end()
    return
  }
  const encoded = async function* () {
    if (!first.done) yield Buffer.from(first.value)
    for await (const chunk of chunks) yield Buffer.from(chunk)
  }
  try {
    await pipeline(Readable.from(encoded()), reply.raw)
  } catch (error) {
    const isDisconnect = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (!isDisconnect) request.log.error({ err: error }, `${request.method} ${request.routeOptions.url} broke off`)
  }
}

/** Limits database reads of streamed responses to two at a time. The queue is long, because a started response cannot be rejected. */
export const createStreamLimiter = () =>
  createConcurrencyLimiter({ maxConcurrent: 2, maxQueued: 1000, queueTimeoutMs: 30_000, beforeStart: async () => {} })
