/*
 * Not lru-cache, nor an HTTP cache in front of the store: pages are invalidated by topic, also those that are being rendered, see
 * docs/decisions/0004.
 */

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, gunzip, gzip, constants as zlib } from 'node:zlib'
import type { ChangeNotifier } from './change-notifier.ts'
import { isOverloadedError } from './concurrency-limiter.ts'
import { requestScope } from './request-scope.ts'

/** A rendered page. `cacheTags` are the change topics that invalidate it; without them the page is not cached. */
export type RenderedPage = { status: number; headers: Record<string, string>; body: Buffer; cacheTags: string[] | undefined }
type Encoding = (typeof allEncodings)[number]
/** `head`: header names and values alternating, the form that Node writes fastest */
export type EncodedPage = { headers: Record<string, string>; head: string[]; body: Buffer }
export type CachedPage = {
  status: number
  etag: string
  /** those of every encoding */
  headers: Record<string, string>
  /** of the encodings that are kept */
  totalBytes(): number
  /** This encoding for who asks for it, or undefined: then `encode` makes it. */
  take(encoding: Encoding): EncodedPage | undefined
  /**
   * Makes this encoding from one that is kept, once for all who ask. The page as it was rendered is kept beside compressed ones only if
   * somebody asks for it. A page that is not cached stays as it is, since compression does not pay there.
   */
  encode(encoding: Encoding): Promise<EncodedPage>
}
type PageCacheOptions = { headers?: Record<string, string>; maxBytes?: number; maxAgeMs?: number }
type CacheEntry = { page: CachedPage; cacheTags: string[]; expiresAt: number }
type Rendering = {
  result: Promise<{ page: CachedPage; cacheTags: string[] | undefined }>
  /** what has changed since it began, with the place in which each topic was first announced */
  changedTopics: Map<string, number>
}

const [gzipAsync, brotliAsync] = [promisify(gzip), promisify(brotliCompress)]
const encoders = {
  identity: async (body: Buffer) => body,
  gzip: (body: Buffer) => gzipAsync(body, { level: 6 }),
  br: (body: Buffer) => brotliAsync(body, { params: brotliParams(body.length) }),
}
/** The window, 16 bytes less than a power of two, is no larger than what is compressed: clearing away a larger one takes up to a sixth of the time. */
const brotliParams = (length: number) => ({
  [zlib.BROTLI_PARAM_QUALITY]: 5,
  [zlib.BROTLI_PARAM_SIZE_HINT]: length,
  [zlib.BROTLI_PARAM_LGWIN]: Math.min(zlib.BROTLI_DEFAULT_WINDOW, Math.max(zlib.BROTLI_MIN_WINDOW_BITS, Math.ceil(Math.log2(length + 16)))),
})
const decoders = { identity: encoders.identity, gzip: promisify<Buffer, Buffer>(gunzip), br: promisify<Buffer, Buffer>(brotliDecompress) }
const allEncodings = ['identity', 'gzip', 'br'] as const

/**
 * Caches rendered pages as bytes until one of their cache tags changes, in this or another process.
 * @param headers sent with every page
 * @param maxBytes total size of the cache, addresses and headers included; the pages that were asked for least lately are evicted first
 * @param maxAgeMs maximum age of a page, in case a change notification is lost
 */
export function createPageCache(
  changes: Pick<ChangeNotifier, 'subscribe'>,
  { headers = {}, maxBytes = 16 * 1024 * 1024, maxAgeMs = 60_000 }: PageCacheOptions = {},
) {
  const entries = createBoundedEntries(maxBytes)
  const renderings = new Map<string, Rendering>()
  changes.subscribe((topic) => {
    for (const { changedTopics } of renderings.values()) if (!changedTopics.has(topic)) changedTopics.set(topic, changedTopics.size)
    entries.evictTagged(topic)
  })

  function cache(url: string, { cacheTags, ...rendered }: RenderedPage, { changedTopics }: Rendering): CachedPage {
    const { status } = rendered
    const withHeaders = { ...rendered, headers: { ...headers, ...rendered.headers } }
    if (cacheTags === undefined || (status !== 200 && status !== 404)) return createCachedPage(withHeaders)
    const page = createCachedPage(withHeaders, (grownBytes) => entries.grow(url, page, grownBytes))
    if (!isOutdated(cacheTags, changedTopics, changedTopics.size))
      entries.replace(url, { page, cacheTags, expiresAt: Date.now() + maxAgeMs })
    return page
  }

  function startRendering(url: string, render: () => Promise<RenderedPage>): Rendering {
    const rendering: Rendering = {
      changedTopics: new Map(),
      // Others share it, so it does not end with the request that began it.
      result: requestScope
        .exit(render)
        .then((rendered) => ({ page: cache(url, rendered, rendering), cacheTags: rendered.cacheTags }))
        .finally(() => renderings.delete(url)),
    }
    renderings.set(url, rendering)
    return rendering
  }

  return {
    /** The page cached under this URL, or undefined: then `renderOnce` renders it. */
    get: entries.get,
    /** Whether this URL is being rendered: further requests share the result. */
    isRendering: (url: string): boolean => renderings.has(url),
    /**
     * Renders at most once at a time for all concurrent requests of the same URL. A request that came after a change of what the page shows
     * does not get the rendering that began before: all such requests share the next one. Nor is a request refused because the client that
     * began the rendering had too much in the queue: then it begins one itself.
     */
    async renderOnce(url: string, render: () => Promise<RenderedPage>): Promise<CachedPage> {
      const running = renderings.get(url)
      if (!running) return (await startRendering(url, render).result).page
      const changesBefore = running.changedTopics.size
      const rendered = await running.result.catch((error) => {
        if (!isOverloadedError(error)) throw error
        return undefined
      })
      if (!rendered) return this.renderOnce(url, render)
      const { page, cacheTags } = rendered
      return isOutdated(cacheTags, running.changedTopics, changesBefore) ? this.renderOnce(url, render) : page
    },
  }
}

/**
 * What is kept of a page besides its bodies: the address, of up to two bytes for each character, as key and in what grows the page; headers in
 * two forms, and what makes further encodings.
 */
export const bytesBesideBody = (url: string): number => 4 * url.length + 4096
const bytesOf = (url: string, page: CachedPage): number => page.totalBytes() + bytesBesideBody(url)

/** Cached pages by URL. Those asked for least lately are evicted first when they are more than so many bytes together. */
function createBoundedEntries(maxBytes: number) {
  const entries = new Map<string, CacheEntry>()
  let cachedBytes = 0

  const evict = (url: string) => {
    const entry = entries.get(url)
    if (entry) cachedBytes -= bytesOf(url, entry.page)
    entries.delete(url)
  }
  const evictOldest = () => {
    for (const [oldest] of entries) {
      if (cachedBytes <= maxBytes) break
      evict(oldest)
    }
  }
  return {
    get(url: string): CachedPage | undefined {
      const entry = entries.get(url)
      if (!entry) return undefined
      if (entry.expiresAt <= Date.now()) {
        evict(url)
        return undefined
      }
      entries.delete(url)
      entries.set(url, entry)
      return entry.page
    },
    replace(url: string, entry: CacheEntry) {
      evict(url)
      entries.set(url, entry)
      cachedBytes += bytesOf(url, entry.page)
      evictOldest()
    },
    /** Counts an encoding that a page has got since. */
    grow(url: string, page: CachedPage, bytes: number) {
      if (entries.get(url)?.page !== page) return
      cachedBytes += bytes
      evictOldest()
    },
    evictTagged(topic: string) {
      for (const [url, { cacheTags }] of entries) if (topic === '*' || cacheTags.includes(topic)) evict(url)
    },
  }
}

/** Whether one of the first `count` changes is of what a page shows. A page that does not say what it shows may show anything. */
function isOutdated(cacheTags: string[] | undefined, changedTopics: Rendering['changedTopics'], count: number): boolean {
  if (!cacheTags) return count > 0
  return ['*', ...cacheTags].some((topic) => (changedTopics.get(topic) ?? count) < count)
}

export type PageCache = ReturnType<typeof createPageCache>

/** Matches an encoding in `Accept-Encoding` that is not excluded by `q=0`. */
const acceptEncodingPattern = (name: string) => new RegExp(`(?:^|[ ,])${name}(?=$|[ ,;])(?! *; *q=0(?:\\.0+)? *(?:,|$))`)
const brotliPattern = acceptEncodingPattern('br')
const gzipPattern = acceptEncodingPattern('gzip')

/** The best supported encoding in `Accept-Encoding`. */
export function bestEncoding(accepted = ''): Encoding {
  return brotliPattern.test(accepted) ? 'br' : gzipPattern.test(accepted) ? 'gzip' : 'identity'
}

/**
 * @param onGrown told the bytes of each further encoding, less those that are kept no longer. Without it, for a page that is not cached,
 * nothing is compressed.
 */
export function createCachedPage(
  { status, headers: own, body }: Omit<RenderedPage, 'cacheTags'>,
  onGrown: ((bytes: number) => void) | undefined = undefined,
): CachedPage {
  const etag = `W/"${createHash('sha256').update(body).update(JSON.stringify(own)).digest('base64url').slice(0, 22)}"`
  const headers = { ...own, etag, vary: 'accept-encoding', 'cache-control': own['cache-control'] ?? 'no-cache' }
  const withHead = (body: Buffer, encoding: Encoding): EncodedPage => {
    const all = { ...headers, 'content-length': String(body.length), ...(encoding !== 'identity' && { 'content-encoding': encoding }) }
    return { headers: all, head: Object.entries(all).flat(), body }
  }
  const identity = withHead(body, 'identity')
  const encodings: Partial<Record<Encoding, EncodedPage>> = { identity, ...(!onGrown && { gzip: identity, br: identity }) }
  const making: Partial<Record<Encoding, Promise<EncodedPage>>> = {}
  let isIdentityAsked = false

  const totalBytes = () => [...new Set(Object.values(encodings))].reduce((sum, { body }) => sum + body.length, 0)
  async function add(encoding: Encoding): Promise<EncodedPage> {
    const from = allEncodings.find((one) => encodings[one])
    const kept = from && encodings[from]
    if (!kept) throw new Error('A page is kept in no encoding')
    const made = await encoders[encoding](await decoders[from](kept.body))
    const before = totalBytes()
    // Zlib's results lie in blocks of 64 kB: as such a small page would hold far more than is counted.
    const added = withHead(Buffer.from(new Uint8Array(made).buffer), encoding)
    encodings[encoding] = added
    if (!isIdentityAsked) delete encodings.identity
    onGrown?.(totalBytes() - before)
    return added
  }
  return {
    ...{ status, etag, headers, totalBytes },
    take(encoding) {
      if (encoding === 'identity') isIdentityAsked = true
      return encodings[encoding]
    },
    async encode(encoding) {
      const existing = this.take(encoding)
      if (existing) return existing
      making[encoding] ??= add(encoding).finally(() => delete making[encoding])
      return making[encoding]
    },
  }
}
