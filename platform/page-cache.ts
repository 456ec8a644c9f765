import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { Changes } from './changes.ts'

/** A rendered page. `shows` names what must not change for it to stay true; without it the page is not kept. */
export type Rendered = { status: number; headers: Record<string, string>; body: Buffer; shows: string[] | undefined }
type Encoding = 'identity' | 'gzip' | 'br'
/** Ready bytes in each encoding, with the headers that go with them. */
export type Page = {
  status: number
  etag: string
  bytes: number
  /** `head`: names and values of the headers by turns, as Node writes them quickest */
  encodings: Record<Encoding, { headers: Record<string, string>; head: string[]; body: Buffer }>
}
type Settings = { headers?: Record<string, string>; maxBytes?: number; maxAgeMs?: number }
type Kept = Page & { shows: string[]; until: number }

const compress = { gzip: promisify(gzip), br: promisify(brotliCompress) }

/**
 * Pages rendered once and kept as bytes until what they show changes, here or on another process.
 * @param headers sent with every page
 * @param maxBytes the oldest pages go first when more than this is kept
 * @param maxAgeMs how long a page may stay true without a word: makes good a notice that was lost
 */
export function openPageCache(changes: Changes, { headers = {}, maxBytes = 64 * 1024 * 1024, maxAgeMs = 60_000 }: Settings = {}) {
  const kept = new Map<string, Kept>()
  const rendering = new Map<string, Promise<Page>>()
  let bytes = 0
  let changeCount = 0

  const drop = (address: string) => {
    bytes -= kept.get(address)?.bytes ?? 0
    kept.delete(address)
  }
  changes.on((topic) => {
    changeCount++
    rendering.clear() // what is being rendered may have read the shop as it was; the next visitor renders anew
    for (const [address, page] of kept) if (topic === '*' || page.shows.includes(topic)) drop(address)
  })

  async function renderAndKeep(address: string, render: () => Promise<Rendered>): Promise<Page> {
    const changesSeen = changeCount
    const rendered = await render()
    const keepable = rendered.shows !== undefined && (rendered.status === 200 || rendered.status === 404)
    const page = await ready({ ...rendered, headers: { ...headers, ...rendered.headers } }, keepable)
    if (keepable && rendered.shows && changesSeen === changeCount) {
      drop(address)
      kept.set(address, { ...page, shows: rendered.shows, until: Date.now() + maxAgeMs })
      bytes += page.bytes
      for (const [oldest] of kept) {
        if (bytes <= maxBytes) break
        drop(oldest)
      }
    }
    return page
  }

  return {
    /** The page kept under this address, or undefined: then `render` makes it. */
    kept(address: string): Page | undefined {
      const page = kept.get(address)
      if (!page || page.until > Date.now()) return page
      drop(address)
      return undefined
    },
    /** Whether this address is being rendered: who asks now shares what comes of it. */
    isRendering: (address: string): boolean => rendering.has(address),
    /** Renders once for all who ask for the same address at the same time. */
    async render(address: string, render: () => Promise<Rendered>): Promise<Page> {
      const running = rendering.get(address)
      if (running) return running
      const page = renderAndKeep(address, render).finally(() => {
        if (rendering.get(address) === page) rendering.delete(address)
      })
      rendering.set(address, page)
      return page
    },
  }
}

export type PageCache = ReturnType<typeof openPageCache>

/** A name in `Accept-Encoding` that is not ruled out by a quality of nothing. */
const offers = (name: string) => new RegExp(`(?:^|[ ,])${name}(?=$|[ ,;])(?! *; *q=0(?:\\.0+)? *(?:,|$))`)
const offersBrotli = offers('br')
const offersGzip = offers('gzip')

/** The encoding that serves this visitor best, of those in `Accept-Encoding`. */
export function bestEncoding(accepted = ''): Encoding {
  return offersBrotli.test(accepted) ? 'br' : offersGzip.test(accepted) ? 'gzip' : 'identity'
}

/** @param compressed whether the bytes will be sent often enough to be worth it */
async function ready({ status, headers, body }: Rendered, compressed: boolean): Promise<Page> {
  const etag = `W/"${createHash('sha256').update(body).update(JSON.stringify(headers)).digest('base64url').slice(0, 22)}"`
  const encoded = (body: Buffer, encoding?: string) => {
    const own = {
      ...headers,
      etag,
      vary: 'accept-encoding',
      'cache-control': headers['cache-control'] ?? 'no-cache',
      'content-length': String(body.length),
      ...(encoding && { 'content-encoding': encoding }),
    }
    return { headers: own, head: Object.entries(own).flat(), body }
  }
  const identity = encoded(body)
  if (!compressed) return { status, etag, bytes: body.length, encodings: { identity, gzip: identity, br: identity } }

  const [zipped, brotli] = await Promise.all([
    compress.gzip(body, { level: 6 }),
    compress.br(body, { params: { [zlib.BROTLI_PARAM_QUALITY]: 5, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length } }),
  ])
  return {
    status,
    etag,
    bytes: body.length + zipped.length + brotli.length,
    encodings: { identity, gzip: encoded(zipped, 'gzip'), br: encoded(brotli, 'br') },
  }
}
