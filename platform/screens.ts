import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Http } from './http.ts'
import { bestEncoding, type Page, type PageCache, type Rendered } from './page-cache.ts'
import { contentSecurityPolicy } from './security-headers.ts'

type ScreenSettings = {
  /** turns a request into a page, e.g. React Router's handler */
  render: (request: Request) => Promise<Response>
  pages: PageCache
  /** sent with every page */
  securityHeaders: Record<string, string>
  /** the store's own address, for the request that the screens see */
  publicUrl: string
  /** the card provider's origins, or undefined to send no Content-Security-Policy (the development server) */
  cards: { script: string; frames: string; calls: string } | undefined
}

/**
 * Every address that is nothing else is a screen. Public pages come from the page cache, written to the socket as they are kept.
 * A page says what it shows in the header `x-shows` (topics of `changes`, blank between) and its inline scripts in `x-inline-scripts`.
 */
export function openScreens(app: Http, { render, pages, securityHeaders, publicUrl, cards }: ScreenSettings) {
  async function show(address: string): Promise<Rendered> {
    const response = await render(new Request(new URL(address, publicUrl)))
    const { 'x-shows': shows, 'x-inline-scripts': scripts, ...headers } = Object.fromEntries(response.headers)
    if (scripts && cards) headers['content-security-policy'] = contentSecurityPolicy(scripts, cards)
    return {
      status: response.status,
      headers: { ...securityHeaders, ...headers },
      body: Buffer.from(await response.arrayBuffer()),
      shows: shows?.split(' '),
    }
  }

  app.get('/*', (request, reply) => {
    const address = request.url
    const page = pages.kept(address)
    if (page) return write(page, request, reply)
    return pages.render(address, () => show(address)).then((rendered) => write(rendered, request, reply))
  })
}

function write(page: Page, request: FastifyRequest, reply: FastifyReply) {
  const { headers, body } = page.encodings[bestEncoding(request.headers['accept-encoding'])]
  reply.hijack()
  if (page.status === 200 && request.headers['if-none-match']?.includes(page.etag)) {
    const { 'content-length': _, 'content-encoding': __, ...unchanged } = headers
    reply.raw.writeHead(304, unchanged).end()
  } else {
    reply.raw.writeHead(page.status, headers).end(request.method === 'HEAD' ? undefined : body)
  }
}
