import { sendCachedApiResponse } from '#platform/cached-response.ts'
import type { ChangeNotifier } from '#platform/change-notifier.ts'
import { widestClientNetwork } from '#platform/client-network.ts'
import type { ConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import { type HttpApp, jsonSerializerFor } from '#platform/http.ts'
import { createPageCache, type RenderedPage } from '#platform/page-cache.ts'
import { createStreamLimiter, sendStream } from '#platform/streamed-response.ts'
import type { Topic } from '#store/topics.ts'
import { listProducts } from './contract.ts'
import type { prepareProductQueries } from './rules.ts'

type Deps = {
  productQueries: ReturnType<typeof prepareProductQueries>
  changes: ChangeNotifier<Topic>
  /** limits the database reads of public endpoints */
  readLimiter: ConcurrencyLimiter
}

/** Responses up to this size are cached. Rendering a larger one again after each change would take too long. */
const maxCachedBytes = 2 * 1024 * 1024

const contentType = 'application/json; charset=utf-8'
const serializeProducts = jsonSerializerFor(listProducts.schema.response[200])

/**
 * `GET /tools`: all products in one public response, cached as bytes until a product changes. A large catalogue is streamed a few hundred
 * products at a time, and a slow client holds no limiter slot between batches.
 */
export function registerProductList(app: HttpApp, { productQueries, changes, readLimiter }: Deps) {
  const cache = createPageCache(changes, { maxBytes: 4 * maxCachedBytes })
  const streamLimiter = createStreamLimiter()
  let isTooLong = false

  async function* streamJsonArray(client: string): AsyncGenerator<string, void> {
    const all = productQueries.all()
    let { value: batch } = await readLimiter.run(() => all.next(), client)
    let bytes = 0
    for (let separator = '['; batch; separator = ',') {
      const chunk = separator + serializeProducts(batch).slice(1, -1)
      bytes += Buffer.byteLength(chunk)
      yield chunk
      batch = (await streamLimiter.run(() => all.next(), client)).value
    }
    isTooLong = bytes > maxCachedBytes
    yield bytes === 0 ? '[]' : ']'
  }

  async function render(client: string): Promise<RenderedPage> {
    let text = ''
    for await (const chunk of streamJsonArray(client)) {
      text += chunk
      isTooLong = text.length > maxCachedBytes
      if (isTooLong) break
    }
    // The search index notifies `search-results` when it applies a change whose `products` notification was lost.
    const cacheTags = isTooLong ? undefined : ['products', 'search-results']
    return { status: 200, headers: { 'content-type': contentType }, body: Buffer.from(text), cacheTags }
  }

  app.route({
    ...listProducts,
    config: { skipsReadLimit: true },
    handler: async (request, reply) => {
      const client = widestClientNetwork(request.ip)
      const page = cache.get(listProducts.url) ?? (isTooLong ? undefined : await cache.renderOnce(listProducts.url, () => render(client)))
      if (page && !isTooLong) await sendCachedApiResponse(page, request, reply)
      else await sendStream(request, reply, contentType, streamJsonArray(client))
    },
  })
}
