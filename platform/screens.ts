import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { sendCachedOrRender, sendIfCached, sendRendered } from './cached-response.ts'
import { clientAddress, widestClientNetwork } from './client-network.ts'
import { type ConcurrencyLimiter, overloadedError } from './concurrency-limiter.ts'
import { escapeHtml } from './escape-html.ts'
import { type HttpApp, interceptRequests } from './http.ts'
import { HttpError } from './http-error.ts'
import type { PageCache, RenderedPage } from './page-cache.ts'
import { contentSecurityPolicy } from './security-headers.ts'

/**
 * The page that a URL resolves to, independent of its spelling. `canonicalUrl`: the URL under which it is rendered and cached.
 * `isScreen`: no other route can match it. `isStaticPath`: the number of such pages is limited, so they are always rendered.
 * `isPersonal`: rendered for one visitor by their cookies, and never cached.
 */
export type ResolvedUrl =
  | { canonicalUrl: string; isScreen: boolean; isPersonal: boolean; isStaticPath: boolean }
  | { redirectTo: string }
  | { errorMessage: string }

type ScreenOptions = {
  /** renders the page of a request, e.g. React Router's handler */
  render: (request: Request) => Promise<Response>
  /** resolves the URL of a request (`/path?query`) for a visitor with this cookie */
  resolveUrl: (url: string, cookie: string | undefined) => ResolvedUrl
  /** whether a canonical URL resolves to another one for a visitor with this cookie */
  isOtherPageByCookie: (url: string, cookie: string | undefined) => boolean
  pageCache: PageCache
  /** for URLs with a query string, such as a shared search: their number is unlimited, so they have a small separate cache */
  queryPageCache: PageCache
  /** the concurrency limiter for a page that is not a static path; client networks take turns there */
  limiterFor: (page: string) => ConcurrencyLimiter
  /** the one for personal pages, apart from the others, so that a basket is shown however many others ask for pages */
  personalLimiter: ConcurrencyLimiter
  /** as `createHttpApp` has it */
  trustProxy: boolean
  /** sent with every response */
  headers: Record<string, string>
  /** origin of the URL in the request that is passed to `render` */
  publicUrl: string
  /** the card provider's origins, or undefined to send no Content-Security-Policy (the development server) */
  cardOrigins: { script: string; frames: string; calls: string } | undefined
}

/** Longer than the response timeout of API calls, so that a page whose API calls time out can still render their error message. */
const pageTimeoutMs = 4800

/**
 * Serves every URL that no other route matches as a page. Public pages come from the page cache.
 * A rendered page declares its cache tags in the header `x-cache-tags` (change topics, separated by spaces) and the hashes of its inline
 * scripts in `x-inline-scripts`.
 */
export function registerScreens(
  app: HttpApp,
  {
    render,
    resolveUrl,
    isOtherPageByCookie,
    pageCache,
    queryPageCache,
    limiterFor,
    personalLimiter,
    trustProxy,
    headers,
    publicUrl,
    cardOrigins,
  }: ScreenOptions,
) {
  const renderPage = createPageRenderer({ render, publicUrl, cardOrigins })
  const cacheFor = (url: string) => (url.includes('?') ? queryPageCache : pageCache)
  const sendOverloaded = createOverloadResponder(headers)
  interceptRequests(app, (request, response) => {
    const { method, url = '' } = request
    const { cookie } = request.headers
    if (method !== 'GET' && method !== 'HEAD') return false
    // Only canonical URLs are cache keys, so a direct hit needs no resolving.
    if (!isOtherPageByCookie(url, cookie) && sendIfCached(cacheFor(url), url, request, response)) return true
    const resolved = resolveUrl(url, cookie)
    if (!('canonicalUrl' in resolved) || !resolved.isScreen) return false
    const cache = cacheFor(resolved.canonicalUrl)
    if (resolved.isPersonal) return false
    if (sendIfCached(cache, resolved.canonicalUrl, request, response)) return true
    const isShared = cache.isRendering(resolved.canonicalUrl) || cache.get(resolved.canonicalUrl) // then it has only to be compressed
    if (resolved.isStaticPath || isShared) return false
    if (!limiterFor(resolved.canonicalUrl).isFullFor(widestClientNetwork(clientAddress(request, trustProxy)))) return false
    sendOverloaded(request, response)
    return true
  })
  app.get('/*', { config: { responseTimeoutMs: pageTimeoutMs } }, async (request, reply) => {
    const resolved = resolveUrl(request.url, request.headers.cookie)
    if ('redirectTo' in resolved) return reply.redirect(resolved.redirectTo, 301)
    try {
      if ('errorMessage' in resolved) throw new HttpError(400, resolved.errorMessage)
      const { canonicalUrl, isStaticPath, isPersonal } = resolved
      const network = widestClientNetwork(request.ip)
      if (isPersonal) {
        const page = await personalLimiter.run(() => renderPage(canonicalUrl, request.headers.cookie ?? ''), network)
        return await sendRendered(
          { ...page, headers: { ...headers, ...page.headers, 'cache-control': 'private, no-store' } },
          request,
          reply,
        )
      }
      const renderResolved = () =>
        isStaticPath ? renderPage(canonicalUrl) : limiterFor(canonicalUrl).run(() => renderPage(canonicalUrl), network)
      await sendCachedOrRender(cacheFor(canonicalUrl), canonicalUrl, request, reply, renderResolved)
    } catch (error) {
      if (!(error instanceof HttpError) || wantsJson(request.raw)) throw error
      return sendPlainErrorPage(error, reply)
    }
  })
}

type PageRendererOptions = Pick<ScreenOptions, 'render' | 'publicUrl' | 'cardOrigins'>

function createPageRenderer({ render, publicUrl, cardOrigins }: PageRendererOptions) {
  return async function renderPage(url: string, cookie?: string): Promise<RenderedPage> {
    const response = await render(new Request(publicUrl + url, cookie === undefined ? {} : { headers: { cookie } }))
    const { 'x-cache-tags': cacheTags, 'x-inline-scripts': scripts, ...headers } = Object.fromEntries(response.headers)
    const bytes = await response.bytes()
    if (scripts && cardOrigins) headers['content-security-policy'] = contentSecurityPolicy(scripts, cardOrigins)
    return {
      status: response.status,
      headers,
      body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      cacheTags: cacheTags?.split(' '),
    }
  }
}

/** React Router's client, and clients that accept JSON but not HTML, get no HTML page. */
const wantsJson = ({ url = '', headers: { accept = '' } }: IncomingMessage): boolean =>
  /^[^?]*\.data(\?|$)/.test(url) || (accept.includes('json') && !accept.includes('html'))

function sendPlainErrorPage({ status, message, retryAfterSeconds }: HttpError, reply: FastifyReply) {
  if (retryAfterSeconds) reply.header('retry-after', retryAfterSeconds)
  return reply.code(status).headers(plainPageHeaders).send(renderPlainErrorPage(status, message))
}

const plainPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** A static error page: rendering the regular error page would take longer than rendering the page that was rejected. */
function renderPlainErrorPage(status: number, message: string): string {
  const title = status < 500 ? 'This address cannot be shown' : 'This page could not be shown'
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><main><h1>${title}</h1><p>${escapeHtml(message)}.</p><p>${status < 500 ? '<a href="?">The page without filters</a>' : '<a href="">Try again</a>'} <a href="/">Home</a></p></main></html>`
}

/** Rejects a page request before routes and hooks run, with a precomputed response. */
function createOverloadResponder(headers: Record<string, string>) {
  const { status, message, retryAfterSeconds, code } = overloadedError()
  const bytes = (type: Record<string, string>, body: string) => {
    const own = { ...headers, ...type, 'retry-after': `${retryAfterSeconds}`, 'content-length': `${Buffer.byteLength(body)}` }
    return { head: Object.entries(own).flat(), body: Buffer.from(body) }
  }
  const page = bytes(plainPageHeaders, renderPlainErrorPage(status, message))
  const json = bytes({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }, JSON.stringify({ message, code }))
  return (request: IncomingMessage, response: ServerResponse) => {
    const { head, body } = wantsJson(request) ? json : page
    response.writeHead(status, head).end(body)
  }
}
