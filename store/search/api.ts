import { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { widestClientNetwork } from '#platform/client-network.ts'
import { createConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import type { Database } from '#platform/database.ts'
import { createEventLoopThrottle } from '#platform/event-loop-throttle.ts'
import type { HttpApp } from '#platform/http.ts'
import { sendSerializedJson } from '#platform/serialized-json.ts'
import { categoryDrawingUrl } from '#store/catalogue/categories.ts'
import type { ProductDetails } from '#store/catalogue/contract.ts'
import { listCategories, SearchQuery, searchProducts, suggestProducts } from './contract.ts'
import type { LiveSearchIndex } from './live-index.ts'
import { type ParsedQuery, parseSearchQuery, type SearchResult } from './parsed-query.ts'
import { searchInSql } from './search-in-sql.ts'
import { serializeSearchResponse } from './serialize.ts'

/** Maximum number of suggestions of each kind. */
const suggestionLimits = { products: 6, categories: 3 }

/**
 * A search blocks the event loop for up to a few milliseconds. Anyone can send any number of searches, and orders must still be served
 * between them.
 */
const searchThrottleOptions = { budgetMsPerTurn: 10, maxQueued: 512, queueTimeoutMs: 2000 }
/** Until the index is built, searches run in the database. The limit leaves the other connections to orders. */
const sqlSearchLimiterOptions = { maxConcurrent: 4, maxQueued: 64, queueTimeoutMs: 2000, beforeStart: async () => {} }

const matchAllQuery = parseSearchQuery(SearchQuery.parse({ limit: 1 }))

const categoryChoices = (found: SearchResult | undefined) =>
  found?.facets.flatMap((facet) => (facet.kind === 'choice' && facet.key === 'category' ? facet.choices : [])) ?? []

export function registerSearchRoutes(app: HttpApp, { db, search }: { db: Database; search: LiveSearchIndex }) {
  const searchThrottle = createEventLoopThrottle(searchThrottleOptions)
  const sqlSearchLimiter = createConcurrencyLimiter(sqlSearchLimiterOptions)

  /**
   * A request made while rendering a page has no socket (`raw` is no `IncomingMessage`) and is not limited: the page request already was.
   */
  const find = async (parsed: ParsedQuery, { raw, ip }: FastifyRequest) => {
    const timed = () => {
      const startedAt = performance.now()
      return { inMemory: search.search(parsed), tookMs: performance.now() - startedAt }
    }
    return raw instanceof IncomingMessage ? searchThrottle.run(timed, widestClientNetwork(ip)) : timed()
  }

  const findInSql = async (parsed: ParsedQuery, { raw, ip }: FastifyRequest) => {
    const read = () => searchInSql(db, parsed)
    return raw instanceof IncomingMessage ? sqlSearchLimiter.run(read, widestClientNetwork(ip)) : read()
  }

  app.route({
    ...searchProducts,
    config: { skipsReadLimit: true },
    handler: async (request, reply) => {
      const parsed = parseSearchQuery(request.query)
      const { inMemory, tookMs } = await find(parsed, request)
      const startedAt = performance.now()
      const { total, facets, productsJson } = inMemory ?? (await findInSql(parsed, request))
      const duration = (inMemory ? tookMs : performance.now() - startedAt).toFixed(2)
      const end = parsed.offset + parsed.limit
      const page = serializeSearchResponse({ total, facets, next: end < total ? `${end}` : null }, productsJson)
      reply.header('server-timing', `search;desc="${inMemory ? 'index' : 'sql'}";dur=${duration}`)
      return sendSerializedJson(reply, page)
    },
  })

  app.route({
    ...listCategories,
    config: { skipsReadLimit: true },
    handler: async () =>
      categoryChoices(search.search(matchAllQuery)).map(({ value, label, count }) => ({
        key: value,
        label,
        count,
        drawing: categoryDrawingUrl(value),
      })),
  })

  app.route({
    ...suggestProducts,
    config: { skipsReadLimit: true },
    handler: async (request) => {
      const { inMemory: found } = await find(
        parseSearchQuery(SearchQuery.parse({ q: request.query.q, limit: suggestionLimits.products })),
        request,
      )
      return {
        tools: found?.productsJson.map((card): ProductDetails => JSON.parse(card)) ?? [],
        categories: categoryChoices(found).slice(0, suggestionLimits.categories),
      }
    },
  })
}
