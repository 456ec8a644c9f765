import type { z } from 'zod'
import type { ChangeNotifier } from '#platform/change-notifier.ts'
import { widestClientNetwork } from '#platform/client-network.ts'
import { createConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { InProcessApi } from '#platform/in-process-api.ts'
import { sendSerializedJson } from '#platform/serialized-json.ts'
import { allCategories, categoryDrawingUrl } from '#store/catalogue/categories.ts'
import { categoryOption } from '#store/catalogue/product-attributes.ts'
import type { Topic } from '#store/topics.ts'
import { listCategories, SearchQuery, searchProducts, suggestProducts } from './contract.ts'
import type { LiveSearchIndex } from './live-index.ts'
import { parseProduct } from './parse-product.ts'
import { type ParsedQuery, parseSearchQuery, type SearchResult } from './parsed-query.ts'
import { type Answer, wordsOnly } from './question/answer-question.ts'
import { questionFields } from './question/describe-reading.ts'
import { suggestShortcuts } from './question/suggest.ts'
import { searchInSql } from './search-in-sql.ts'
import type { SearchTurns } from './search-turns.ts'
import { serializeSearchResponse } from './serialize.ts'

/** Maximum number of suggestions of each kind. */
const suggestionLimits = { products: 6, categories: 3 }

/** Until the index is built, also after the import of a first catalogue, searches run in the database. The limit leaves the other connections to orders. */
const sqlSearchLimiterOptions = { maxConcurrent: 4, maxQueued: 64, queueTimeoutMs: 2000, beforeStart: async () => {} }

const categoryChoices = (found: SearchResult | undefined) =>
  found?.facets.flatMap((facet) => (facet.kind === 'choice' && facet.key === 'category' ? facet.choices : [])) ?? []

type Deps = { db: Database; search: LiveSearchIndex; changes: ChangeNotifier<Topic>; inProcessApi: InProcessApi; searchTurns: SearchTurns }

export function registerSearchRoutes(app: HttpApp, { db, search, changes, inProcessApi, searchTurns }: Deps) {
  const sqlSearchLimiter = createConcurrencyLimiter(sqlSearchLimiterOptions)

  const findInMemory = (parsed: ParsedQuery) => {
    const startedAt = performance.now()
    return { found: search.answer(parsed), tookMs: performance.now() - startedAt }
  }

  app.route({
    ...searchProducts,
    config: { skipsReadLimit: true },
    handler: async (request, reply) => {
      const parsed = parseSearchQuery(request.query)
      const client = widestClientNetwork(request.ip)
      const inMemory = await searchTurns.run(() => findInMemory(parsed), client)
      const startedAt = performance.now()
      const found = inMemory.found ?? wordsOnly(parsed, await sqlSearchLimiter.run(() => searchInSql(db, parsed), client))
      const duration = (inMemory.found ? inMemory.tookMs : performance.now() - startedAt).toFixed(2)
      reply.header('server-timing', `search;desc="${inMemory.found ? 'index' : 'sql'}";dur=${duration}`)
      return sendSerializedJson(reply, serializeSearchResponse(responseFields(parsed, found, search, !inMemory.found), found.productsJson))
    },
  })
  inProcessApi.answer(searchProducts, async ({ query, client }) => {
    const parsed = parseSearchQuery(query)
    const inMemory = await searchTurns.run(() => search.answer(parsed), client)
    const found = inMemory ?? wordsOnly(parsed, await searchInSql(db, parsed))
    return { ...responseFields(parsed, found, search, !inMemory), tools: found.productsJson.map(parseProduct) }
  })

  const categories = createCategoryList(search, changes)
  app.route({ ...listCategories, config: { skipsReadLimit: true }, handler: async () => categories() })
  inProcessApi.answer(listCategories, categories)

  app.route({
    ...suggestProducts,
    config: { skipsReadLimit: true },
    handler: async ({ query: { q }, ip }) => {
      const parsed = { ...parseSearchQuery(SearchQuery.parse({ q, limit: suggestionLimits.products })), hasFacetsOfLargest: false }
      const { found } = await searchTurns.run(() => findInMemory(parsed), widestClientNetwork(ip))
      return {
        tools: found?.productsJson.map(parseProduct) ?? [],
        // a question that is about one category is not suggested in others
        categories: found?.reading?.category === undefined ? categoryChoices(found).slice(0, suggestionLimits.categories) : [],
        shortcuts: found ? suggestShortcuts(found, parsed, search.categoryCounts()) : [],
      }
    },
  })
}

const responseFields = (parsed: ParsedQuery, found: Answer, search: LiveSearchIndex, isFromDatabase: boolean) => ({
  total: found.total,
  rows: found.rows,
  families: found.families,
  facets: found.facets,
  next: parsed.offset + parsed.limit < found.rows ? `${parsed.offset + parsed.limit}` : null,
  unread: isFromDatabase && parsed.isRead && parsed.q.trim() !== '',
  ...questionFields(found, parsed, () => search.categoryCounts()),
})

type CategoryList = z.input<(typeof listCategories)['schema']['response'][200]>

/**
 * The categories with their product counts, which every page has in its header: in the order of their definitions, and behind them the others, those
 * with the most products first. Kept until the index has other products.
 */
function createCategoryList(search: LiveSearchIndex, changes: ChangeNotifier<Topic>): () => CategoryList {
  let kept: CategoryList | undefined
  changes.onChange('listings', () => {
    kept = undefined
  })
  return () => {
    if (kept) return kept
    const places = new Map(allCategories().map(({ key }, place) => [key, place]))
    const placeOf = ({ key }: { key: string }) => places.get(key) ?? places.size
    const list = search
      .categoryCounts()
      .toSorted((one, other) => placeOf(one) - placeOf(other))
      .map(({ key, count }) => ({ key, label: categoryOption(key)?.label ?? key, count, drawing: categoryDrawingUrl(key) }))
    if (list.length > 0) kept = list
    return list
  }
}
