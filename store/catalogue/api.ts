import type { ChangeNotifier } from '#platform/change-notifier.ts'
import type { ConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { type InProcessApi, registerPageQuery } from '#platform/in-process-api.ts'
import type { Guards } from '#store/identity/guards.ts'
import type { Topic } from '#store/topics.ts'
import { compareProducts } from './compare-contract.ts'
import { addProduct, listRemovedProducts, removeProduct, restoreProduct, showProduct, updateProduct } from './contract.ts'
import { showProductHistory } from './product-history-contract.ts'
import { registerProductList } from './product-list.ts'
import { showProductPage } from './product-page-contract.ts'
import * as parts from './product-pages.ts'
import * as removedProducts from './removed-products.ts'
import * as catalogue from './rules.ts'

type Deps = {
  db: Database
  guards: Guards
  changes: ChangeNotifier<Topic>
  readLimiter: ConcurrencyLimiter
  inProcessApi: InProcessApi
  /** announces a product change, and resolves once this process finds the product as it is now */
  publishProductChange: () => Promise<void>
} & parts.AskedOfOthers

export function registerCatalogueRoutes(
  app: HttpApp,
  { db, guards, changes, readLimiter, inProcessApi, publishProductChange, ...askedOfOthers }: Deps,
) {
  const lookups = catalogue.prepareProductQueries(db)

  registerProductList(app, { productQueries: lookups, changes, readLimiter })

  registerPageQuery(app, inProcessApi, showProduct, async ({ params }) => {
    const [product] = await lookups.one.execute(params)
    if (!product) throw catalogue.productNotFoundError()
    return product
  })
  registerPageQuery(app, inProcessApi, showProductPage, ({ params, client }) => parts.getProductPage(db, params.id, askedOfOthers, client))
  registerPageQuery(app, inProcessApi, compareProducts, ({ query }) => parts.compareProducts(db, query.id))

  app.route({
    ...addProduct,
    onRequest: guards.admin,
    handler: async ({ body, user }, reply) => {
      const added = await catalogue.addProduct(db, body, user.id)
      await publishProductChange()
      return reply.code(201).send(added)
    },
  })

  app.route({
    ...updateProduct,
    onRequest: guards.admin,
    handler: async ({ params, body, user }) => {
      const updated = await catalogue.updateProduct(db, params.id, body, user.id)
      await publishProductChange()
      return updated
    },
  })

  app.route({
    ...removeProduct,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      const removed = await removedProducts.removeProduct(db, params.id, user)
      await publishProductChange()
      return removed
    },
  })

  app.route({ ...showProductHistory, onRequest: guards.admin, handler: ({ params }) => catalogue.listHistory(db, params.id) })

  app.route({ ...listRemovedProducts, onRequest: guards.admin, handler: () => removedProducts.listRemovedProducts(db) })

  app.route({
    ...restoreProduct,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      const restored = await removedProducts.restoreProduct(db, params.id, user.id)
      await publishProductChange()
      return restored
    },
  })
}
