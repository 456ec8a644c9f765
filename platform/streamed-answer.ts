import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { openPlaces } from './places.ts'

/**
 * Answers with a text that is too long to be held as a whole, piece by piece, as fast as the visitor takes it. What fails before the first
 * piece is refused in words as ever; later the connection is cut, so that half a text never looks like a whole one.
 */
export async function answerStreamed(
  request: FastifyRequest,
  reply: FastifyReply,
  contentType: string,
  pieces: AsyncGenerator<string, void>,
): Promise<void> {
  const first = await pieces.next()
  if (reply.sent) return void (await pieces.return()) // it took too long, and the visitor has been told so
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.writeHead(200, { 'content-type': contentType })
  if (request.method === 'HEAD') {
    await pieces.return()
    reply.raw.end()
    return
  }
  const bytes = async function* () {
    if (!first.done) yield Buffer.from(first.value)
    for await (const piece of pieces) yield Buffer.from(piece)
  }
  try {
    await pipeline(Readable.from(bytes()), reply.raw)
  } catch (error) {
    const gone = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (!gone) request.log.error({ err: error }, `${request.method} ${request.routeOptions.url} broke off`)
  }
}

/** Long answers that have begun are read on two at a time. Each waits for its turn, because an answer cannot be refused in its middle. */
export const openReadingOn = () => openPlaces({ places: 2, queue: 1000, waitMs: 30_000, before: async () => {} })
