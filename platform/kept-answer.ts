import type { FastifyReply, FastifyRequest } from 'fastify'
import { bestEncoding, type Page, type PageCache, type Rendered } from './page-cache.ts'

/** Answers with what is kept under this address, written to the socket as it is, or with what `render` makes of it now. */
export function answerKept(
  pages: PageCache,
  address: string,
  request: FastifyRequest,
  reply: FastifyReply,
  render: () => Promise<Rendered>,
): void | Promise<void> {
  const page = pages.kept(address)
  return page ? write(page, request, reply) : pages.render(address, render).then((rendered) => write(rendered, request, reply))
}

function write(page: Page, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent) return // it took too long, and the visitor has been told so
  const { headers, body } = page.encodings[bestEncoding(request.headers['accept-encoding'])]
  reply.hijack()
  if (page.status === 200 && request.headers['if-none-match']?.includes(page.etag)) {
    const { 'content-length': _, 'content-encoding': __, ...unchanged } = headers
    reply.raw.writeHead(304, unchanged).end()
  } else {
    reply.raw.writeHead(page.status, headers).end(request.method === 'HEAD' ? undefined : body)
  }
}
