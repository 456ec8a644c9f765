import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bestEncoding, type Page, type PageCache, type Rendered } from './page-cache.ts'

/** Answers with what is kept under this address, written to the socket as it is. @returns whether there is such a page */
export function answerIfKept(pages: PageCache, address: string, request: IncomingMessage, answer: ServerResponse): boolean {
  const page = pages.kept(address)
  if (page) write(page, request, answer)
  return page !== undefined
}

/** Answers with what is kept under this address, or with what `render` makes of it now. */
export async function answerKept(
  pages: PageCache,
  address: string,
  request: FastifyRequest,
  reply: FastifyReply,
  render: () => Promise<Rendered>,
): Promise<void> {
  const page = pages.kept(address) ?? (await pages.render(address, render))
  if (reply.sent) return // it took too long, and the visitor has been told so
  reply.hijack()
  write(page, request.raw, reply.raw)
}

/** Answers a call with what is kept. What hooks have said in the head, such as that nobody may keep the answer, comes before what the page says. */
export async function answerKeptCall(page: Page, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (reply.sent) return // it took too long, and the visitor has been told so
  const { headers, body } = page.encodings[bestEncoding(request.headers['accept-encoding'])]
  const { 'content-length': _, 'content-encoding': encoding, ...unchanged } = headers
  for (const [name, value] of Object.entries(unchanged)) if (!reply.hasHeader(name)) reply.header(name, value)
  if (request.headers['if-none-match']?.includes(page.etag)) return void (await reply.code(304).send())
  if (encoding) reply.header('content-encoding', encoding)
  await reply.send(body)
}

/**
 * What a browser fetches ahead, when the pointer comes to a link, is what the press on it shows: without a lifetime it would be fetched again.
 * Only then: what is asked for at the press itself, or again after something was changed, is as it is now.
 */
const aheadCacheControl = 'private, max-age=10'

function write(page: Page, request: IncomingMessage, answer: ServerResponse): void {
  const encoded = page.encodings[bestEncoding(request.headers['accept-encoding'])]
  const { body } = encoded
  const ahead = page.status === 200 && request.headers['sec-purpose']?.includes('prefetch')
  const headers = ahead ? { ...encoded.headers, 'cache-control': aheadCacheControl } : encoded.headers
  const head = ahead ? Object.entries(headers).flat() : encoded.head
  if (page.status === 200 && request.headers['if-none-match']?.includes(page.etag)) {
    const { 'content-length': _, 'content-encoding': __, ...unchanged } = headers
    answer.writeHead(304, unchanged).end()
  } else {
    answer.writeHead(page.status, head).end(request.method === 'HEAD' ? undefined : body)
  }
}
