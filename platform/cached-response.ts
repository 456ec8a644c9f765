import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bestEncoding, type CachedPage, createCachedPage, type EncodedPage, type PageCache, type RenderedPage } from './page-cache.ts'

/** Sends the page cached under this URL, written directly to the raw response. @returns whether there was such a page in an encoding for it */
export function sendIfCached(pages: PageCache, url: string, request: IncomingMessage, response: ServerResponse): boolean {
  const page = pages.get(url)
  if (page && isUnchanged(page, request)) {
    writeUnchanged(page, response)
    return true
  }
  const encoded = page?.take(bestEncoding(request.headers['accept-encoding']))
  if (page && encoded) writePage(page, encoded, request, response)
  return encoded !== undefined
}

/** Sends a page that was rendered for this request alone. */
export async function sendRendered(rendered: RenderedPage, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await sendPage(
    createCachedPage(rendered, () => {}),
    request,
    reply,
  )
}

/** Sends the page cached under this URL, or renders it now. */
export async function sendCachedOrRender(
  pages: PageCache,
  url: string,
  request: FastifyRequest,
  reply: FastifyReply,
  render: () => Promise<RenderedPage>,
): Promise<void> {
  await sendPage(pages.get(url) ?? (await pages.renderOnce(url, render)), request, reply)
}

async function sendPage(page: CachedPage, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const encoded = await page.encode(bestEncoding(request.headers['accept-encoding']))
  if (reply.sent) return // the response timeout has already sent an error
  reply.hijack()
  if (isUnchanged(page, request.raw)) writeUnchanged(page, reply.raw)
  else writePage(page, encoded, request.raw, reply.raw)
}

/** Sends a cached API response. Headers that hooks have set, such as `cache-control: no-store`, take precedence over the cached ones. */
export async function sendCachedApiResponse(page: CachedPage, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { headers, body } = await page.encode(bestEncoding(request.headers['accept-encoding']))
  if (reply.sent) return // the response timeout has already sent an error
  for (const [name, value] of Object.entries(page.headers)) if (!reply.hasHeader(name)) reply.header(name, value)
  if (isUnchanged(page, request.raw)) return void (await reply.code(304).send())
  const { 'content-encoding': encoding } = headers
  if (encoding) reply.header('content-encoding', encoding)
  await reply.send(body)
}

/** Whether the client has this page already, in whatever encoding. */
const isUnchanged = ({ status, etag }: CachedPage, { headers }: IncomingMessage): boolean =>
  status === 200 && headers['if-none-match']?.includes(etag) === true

const writeUnchanged = ({ headers }: CachedPage, response: ServerResponse) => void response.writeHead(304, headers).end()

function writePage({ status }: CachedPage, { head, body }: EncodedPage, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(status, head).end(request.method === 'HEAD' ? undefined : body)
}
