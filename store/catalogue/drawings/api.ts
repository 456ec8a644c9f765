import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { sendCachedApiResponse } from '#platform/cached-response.ts'
import type { ChangeNotifier } from '#platform/change-notifier.ts'
import { widestClientNetwork } from '#platform/client-network.ts'
import type { ConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import { createPageCache, type RenderedPage } from '#platform/page-cache.ts'
import type { Topic } from '#store/topics.ts'
import { kindDrawingUrl } from '../categories.ts'
import { ProductIdParams } from '../contract.ts'
import { knownThingNames } from '../drawing-contract.ts'
import { isForSale } from '../rules.ts'
import { products } from '../table.ts'
import { drawProduct, isDrawnFromData, spanBounds } from './draw-product.ts'

type Deps = {
  db: Database
  changes: ChangeNotifier<Topic>
  /** limits the database reads of public endpoints */
  readLimiter: ConcurrencyLimiter
}

/** What an address may ask of a drawing besides the product: `DrawingOptions`. Unknown keys are left out, so that they make no other drawing. */
const DrawingQuery = z.object({
  v: z.string().max(20).optional(),
  size: z.enum(['small', 'medium', 'large']).default('medium'),
  span: z.coerce.number().int().min(spanBounds.min).max(spanBounds.max).optional(),
  beside: z.enum(knownThingNames).optional(),
})
type DrawingQuery = z.output<typeof DrawingQuery>

/** Opened by itself, a drawing is a document of the store: it may run nothing. */
const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'"
const maxCachedBytes = 16 * 1024 * 1024
/** With the revision in its address a drawing changes only with the code that draws it. */
const dayLong = 'public, max-age=86400'

/**
 * `GET /drawings/{productId}.svg`: the drawing of a product from its attributes. Drawings of the current revision (`v`) are kept, those
 * on a scale of their own (`span`, `beside`) are not: there is any number of them. What was kept is answered for a day, also when the product is
 * removed meanwhile. Products of a category without drawings of its parts
 * are sent to the drawing of their kind.
 */
export function registerDrawings(app: HttpApp, { db, changes, readLimiter }: Deps) {
  const cache = createPageCache(changes, { maxBytes: maxCachedBytes, maxAgeMs: 24 * 3600_000 })
  const drawable = db
    .select({
      category: products.category,
      specs: products.specs,
      name: products.name,
      brand: products.brand,
      revision: products.drawingRevision,
    })
    .from(products)
    .where(and(eq(products._id, sql.placeholder('id')), isForSale))
    .prepare('drawn_product')

  async function render(id: string, { v, ...options }: DrawingQuery, client: string): Promise<RenderedPage> {
    const [product] = await readLimiter.run(() => drawable.execute({ id }), client)
    if (!product) throw new HttpError(404, 'There is no such product')
    const { category, specs, name, brand, revision } = product
    if (!isDrawnFromData(category)) {
      const location = kindDrawingUrl(category ?? '', typeof specs?.kind === 'string' ? specs.kind : '')
      return { status: 302, headers: { location }, body: Buffer.alloc(0), cacheTags: undefined }
    }
    const isCurrent = v === revision
    return {
      status: 200,
      headers: {
        'content-type': 'image/svg+xml',
        'content-security-policy': drawingPolicy,
        'cache-control': isCurrent ? dayLong : 'no-cache',
      },
      body: Buffer.from(drawProduct({ category, specs: specs ?? {}, name, brand }, options)),
      cacheTags: isCurrent && options.span === undefined && options.beside === undefined ? [] : undefined,
    }
  }

  app.get<{ Params: { id: string } }>('/drawings/:id(^[0-9a-f-]{36}$).svg', { schema: { hide: true } }, async (request, reply) => {
    const asked = DrawingQuery.safeParse(request.query)
    if (!asked.success) throw new HttpError(400, 'There is no such drawing of a product: see size, span and beside')
    const { id } = request.params
    if (!ProductIdParams.safeParse({ id }).success) throw new HttpError(404, 'There is no such product')
    const { v, size, span, beside } = asked.data
    const key = [id, v, size, span, beside].join(' ')
    const page = cache.get(key) ?? (await cache.renderOnce(key, () => render(id, asked.data, widestClientNetwork(request.ip))))
    reply.code(page.status)
    await sendCachedApiResponse(page, request, reply)
  })
}
