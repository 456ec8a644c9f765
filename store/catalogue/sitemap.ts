import { and, asc, gt, isNotNull, lte, max, sql } from 'drizzle-orm'
import { sendCachedApiResponse } from '#platform/cached-response.ts'
import type { ChangeNotifier } from '#platform/change-notifier.ts'
import { widestClientNetwork } from '#platform/client-network.ts'
import type { ConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import { createPageCache, type RenderedPage } from '#platform/page-cache.ts'
import { createStreamLimiter, sendStream } from '#platform/streamed-response.ts'
import type { Topic } from '#store/topics.ts'
import { categoryOf } from './categories.ts'
import { isForSale } from './rules.ts'
import { products } from './table.ts'

/** A sitemap holds at most 50,000 URLs (https://www.sitemaps.org/protocol.html). The rest leaves room for the static and category pages. */
const positionsPerSitemap = 49_000
const batchSize = 1000
const staticPaths = ['/', '/allproducts', '/blogs', '/help', '/myportfolio']

/**
 * Paths that crawlers should skip: pages for people only, and filtered or sorted lists of the same products, of which there are any number.
 * Category pages are allowed. Search texts (`q=`) need no rule: crawlers do not make them up, and the canonical URL of the results is the
 * list itself.
 */
const disallowedPaths = [
  ...['/api/', '/dashboard', '/instrument/', '/purchase/', '/compare', '/outbox'],
  ...['brand=', 'brand.', 'in_stock=', 'pieces=', 'price.', 'spec.', 'sort=', 'look='].map((filter) => `/allproducts?*${filter}`),
]

type Deps = {
  db: Database
  changes: ChangeNotifier<Topic>
  /** limits the database reads of public endpoints */
  readLimiter: ConcurrencyLimiter
  publicUrl: string
}

/**
 * `/robots.txt` and `/sitemap.xml`, an index of `/sitemap-1.xml` and so on. Each sitemap covers a range of `position`, so that no product
 * moves between sitemaps and nothing has to be counted. The entries have no `lastmod`: price and stock may change at any time, and the time
 * of the last change is not recorded.
 */
export function registerSitemap(app: HttpApp, deps: Deps) {
  const { changes, publicUrl } = deps
  const cache = createPageCache(changes)
  const streamLimiter = createStreamLimiter()
  const hidden = { schema: { hide: true } }
  const xml = 'application/xml; charset=utf-8'

  app.get('/robots.txt', hidden, (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\n${disallowedPaths.map((path) => `Disallow: ${path}\n`).join('')}\nSitemap: ${publicUrl}/sitemap.xml\n`),
  )

  async function renderSitemapIndex(client: string): Promise<RenderedPage> {
    const parts = Array.from(
      { length: await findLastSitemap(deps, client) },
      (_, nth) => `<sitemap><loc>${publicUrl}/sitemap-${nth + 1}.xml</loc></sitemap>\n`,
    )
    const body = Buffer.from(`${openRootElement('sitemapindex')}${parts.join('')}</sitemapindex>\n`)
    return { status: 200, headers: { 'content-type': xml }, body, cacheTags: ['products', 'search-results'] }
  }

  app.get('/sitemap.xml', hidden, async (request, reply) => {
    const page =
      cache.get('/sitemap.xml') ?? (await cache.renderOnce('/sitemap.xml', () => renderSitemapIndex(widestClientNetwork(request.ip))))
    await sendCachedApiResponse(page, request, reply)
  })

  app.get<{ Params: { part: string } }>('/sitemap-:part(^\\d{1,6}$).xml', hidden, async (request, reply) => {
    const part = Number(request.params.part)
    const client = widestClientNetwork(request.ip)
    if (part < 1 || part > (await findLastSitemap(deps, client))) throw new HttpError(404, 'There is no such part of the sitemap')
    await sendStream(request, reply, xml, generateSitemap(deps, streamLimiter, part, client))
  })
}

/** The number of the last sitemap that has products; 1 in an empty shop. */
async function findLastSitemap({ db, readLimiter }: Deps, client: string): Promise<number> {
  const read = () =>
    db
      .select({ last: max(products.position) })
      .from(products)
      .where(isForSale)
  const [row] = await readLimiter.run(read, client)
  return Math.max(1, Math.ceil((row?.last ?? 0) / positionsPerSitemap))
}

async function findCategoryPages({ db, readLimiter }: Deps, client: string): Promise<string[]> {
  const read = () =>
    db
      .selectDistinct({ category: products.category })
      .from(products)
      .where(and(isForSale, isNotNull(products.category)))
  const rows = await readLimiter.run(read, client)
  const keys = new Set(rows.flatMap(({ category }) => categoryOf(category)?.key ?? category ?? []))
  return [...keys].sort().map((key) => `/allproducts?category=${encodeURIComponent(key)}`)
}

async function* generateSitemap(deps: Deps, streamLimiter: ConcurrencyLimiter, part: number, client: string): AsyncGenerator<string, void> {
  const { db, publicUrl } = deps
  const urlEntry = (path: string) => `<url><loc>${publicUrl}${path}</loc></url>\n`
  yield openRootElement('urlset') + (part === 1 ? [...staticPaths, ...(await findCategoryPages(deps, client))].map(urlEntry).join('') : '')
  let after = (part - 1) * positionsPerSitemap
  for (;;) {
    const from = after
    const read = () =>
      db
        .select({ _id: products._id, position: sql<number>`${products.position}` })
        .from(products)
        .where(and(isForSale, gt(products.position, from), lte(products.position, part * positionsPerSitemap)))
        .orderBy(asc(products.position))
        .limit(batchSize)
    const batch = await streamLimiter.run(read, client)
    if (batch.length > 0) yield batch.map(({ _id }) => urlEntry(`/products/${_id}`)).join('')
    if (batch.length < batchSize) break
    after = batch.at(-1)?.position ?? after
  }
  yield '</urlset>\n'
}

const openRootElement = (root: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`
