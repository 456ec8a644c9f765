import type { BackgroundTasks } from '#platform/background-tasks.ts'
import type { ChangeNotifier } from '#platform/change-notifier.ts'
import { widestClientNetwork } from '#platform/client-network.ts'
import { type ConcurrencyLimiter, createConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { InProcessApi } from '#platform/in-process-api.ts'
import { qrCodeDataUrl } from '#platform/qr-code.ts'
import { registerCartRoutes } from './cart/api.ts'
import { registerCartForms } from './cart/cart-forms.ts'
import { assertFromThisSite } from './cart/cart-tokens.ts'
import { acceptFormFields, fieldsOf } from './cart/form-fields.ts'
import { removeCartOf } from './cart/rules.ts'
import { deleteSavedCartsOf } from './cart/saved-carts.ts'
import { createCartPaymentHook, createCartSessionHooks } from './cart/session-hooks.ts'
import { registerCatalogueRoutes } from './catalogue/api.ts'
import type { ProductDetails } from './catalogue/contract.ts'
import { registerDefinitionRoutes } from './catalogue/definitions/api.ts'
import { registerDrawings } from './catalogue/drawings/api.ts'
import { registerPricingRoutes } from './catalogue/pricing/api.ts'
import { registerSitemap } from './catalogue/sitemap.ts'
import { registerCheckoutRoutes } from './checkout/api.ts'
import { registerCheckoutForms } from './checkout/checkout-forms.ts'
import { registerCompanyRoutes } from './companies/api.ts'
import { endMembershipOfRemovedAccount } from './companies/members.ts'
import { registerDeliveryRoutes } from './delivery/api.ts'
import { createDeliveryOfferFinder } from './delivery/delivery-offer.ts'
import type { DomainEvents } from './domain-events.ts'
import { registerIdentityRoutes } from './identity/api.ts'
import { createGuards } from './identity/guards.ts'
import type { SignInServices } from './identity/sign-in-services.ts'
import { registerImportRoutes } from './imports/api.ts'
import { registerOrderRoutes } from './orders/api.ts'
import { registerBankRoutes } from './orders/bank/api.ts'
import { createOrderGuards } from './orders/buyer-guard.ts'
import { registerOrderDetailsRoutes } from './orders/details/api.ts'
import { registerDocumentRoutes } from './orders/documents/api.ts'
import { registerArchiveRoutes } from './orders/documents/archive/api.ts'
import { registerCorrectionRoutes } from './orders/documents/corrections/api.ts'
import { type BuyerQueue, createBuyerLimiter, createPlacingLimiter } from './orders/keyed-limiter.ts'
import { registerOnAccountRoutes } from './orders/on-account/api.ts'
import { registerPaymentMethodRoutes } from './orders/payment-methods/api.ts'
import { registerPaymentRoutes } from './orders/payments/api.ts'
import type { CardProvider } from './orders/payments/card-provider.ts'
import { registerStripeWebhook } from './orders/payments/webhook.ts'
import type { OrderPolicy } from './orders/place-order.ts'
import { registerReturnRoutes } from './orders/returns/api.ts'
import { endBuyerHolds } from './orders/rules.ts'
import { registerShipmentRoutes } from './orders/shipments/api.ts'
import { registerWithdrawalRoutes } from './orders/withdrawals/api.ts'
import { registerWithdrawalForms } from './orders/withdrawals/withdrawal-forms.ts'
import { registerOverviewRoutes } from './overview/api.ts'
import { registerPageRoutes } from './pages/api.ts'
import type { SiteContent } from './pages/content.ts'
import { registerProfileRoutes } from './profiles/api.ts'
import { endExpiredHolds } from './register-jobs.ts'
import { registerReviewRoutes } from './reviews/api.ts'
import { findReviewsOnProductPage } from './reviews/product-reviews.ts'
import { registerSearchRoutes } from './search/api.ts'
import { findByFiltersIn } from './search/find-by-filters.ts'
import type { LiveSearchIndex } from './search/live-index.ts'
import { createSearchTurns, type SearchTurns } from './search/search-turns.ts'
import { registerTaxRoutes } from './tax/api.ts'
import type { Topic } from './topics.ts'

/** The modules in dependency order: a module imports only modules before it. */
export const modules = [
  'identity',
  'profiles',
  'catalogue',
  'search',
  'imports',
  'tax',
  'delivery',
  'companies',
  'orders',
  'cart',
  'checkout',
  'reviews',
  'dashboard',
  'pages',
  'overview',
] as const

type RouteDeps = OrderPolicy &
  BuyerQueue & {
    db: Database
    changes: ChangeNotifier<Topic>
    events: DomainEvents
    backgroundTasks: BackgroundTasks
    signIn: SignInServices
    /** signs the links of guests' orders */
    secret: string
    cards: CardProvider
    content: SiteContent
    search: LiveSearchIndex
    findBestsellers: () => Promise<ProductDetails[]>
    readLimiter: ConcurrencyLimiter
    /** answers what pages ask while they are rendered */
    inProcessApi: InProcessApi
    /** resolves once this process has read the settings and definitions that were changed last */
    whenSettingsAreRead: () => Promise<void>
    publicUrl: string
  }

/** Registers the endpoints of all modules under `/api`, the Stripe webhook and the sitemap. */
export function registerModules(app: HttpApp, deps: RouteDeps) {
  const guards = createGuards(app, deps.db, deps.signIn.provider, deps.buyerQueueTimeoutMs)
  registerStripeWebhook(app, deps)
  registerSitemap(app, deps)
  registerDrawings(app, deps)
  registerCartForms(app, { ...deps, guards })
  registerWithdrawalForms(app, deps, { accept: acceptFormFields, fieldsOf, assertFromThisSite })
  const placing = createPlacingLimiter(deps)
  registerCheckoutForms(app, { ...deps, placing })
  app.register(
    async (api) => {
      preventPersonalCaching(api)
      limitReads(api, deps.readLimiter, createConcurrencyLimiter({ ...signedInReadOptions, queueTimeoutMs: deps.buyerQueueTimeoutMs }))
      const moduleDeps = { ...deps, guards, searchTurns: createSearchTurns() }
      const orderDeps = { ...deps, guards: createOrderGuards(api, { ...deps, guards }) }
      const removalHooks = {
        within: async (tx: Database, userId: string) => {
          await removeCartOf(tx, userId) // first, as a checkout locks the cart before the buyer
          await deleteSavedCartsOf(tx, userId)
          await endBuyerHolds(tx, userId)
          await endMembershipOfRemovedAccount(tx, userId)
        },
        after: () => deps.backgroundTasks.run('Ending the orders of a removed account', () => endExpiredHolds(deps)),
      }
      registerIdentityRoutes(api, { ...moduleDeps, removalHooks, sessionHooks: createCartSessionHooks(deps.db, deps) })
      registerProfileRoutes(api, moduleDeps)
      registerCatalogueRoutes(api, {
        ...moduleDeps,
        ...askedOfProducts(moduleDeps),
        publishProductChange: () => publishProductChange(deps),
      })
      registerDefinitionRoutes(api, moduleDeps)
      registerPricingRoutes(api, moduleDeps)
      registerSearchRoutes(api, moduleDeps)
      registerImportRoutes(api, moduleDeps)
      registerTaxRoutes(api, moduleDeps)
      registerDeliveryRoutes(api, moduleDeps)
      registerCompanyRoutes(api, { ...moduleDeps, ofAccount: createBuyerLimiter(deps, 1), ofNetwork: createBuyerLimiter(deps, 3) })
      registerOrderRoutes(api, { ...orderDeps, placing })
      registerOrderDetailsRoutes(api, orderDeps)
      registerDocumentRoutes(api, orderDeps)
      registerCorrectionRoutes(api, orderDeps)
      registerArchiveRoutes(api, orderDeps)
      registerPaymentMethodRoutes(api, orderDeps)
      registerOnAccountRoutes(api, orderDeps)
      registerPaymentRoutes(api, { ...orderDeps, paymentRecorded: createCartPaymentHook(deps.db, deps) })
      registerBankRoutes(api, orderDeps)
      registerShipmentRoutes(api, orderDeps)
      registerWithdrawalRoutes(api, orderDeps)
      registerReturnRoutes(api, orderDeps)
      registerCartRoutes(api, moduleDeps)
      registerCheckoutRoutes(api, { ...moduleDeps, placing })
      registerReviewRoutes(api, moduleDeps)
      registerPageRoutes(api, moduleDeps)
      registerOverviewRoutes(api, moduleDeps)
      api.all('/*', { schema: { hide: true } }, (_request, reply) => reply.callNotFound())
    },
    { prefix: '/api' },
  )
}

/** What product pages ask of modules after the catalogue. */
const askedOfProducts = ({
  db,
  search,
  searchTurns,
  changes,
  publicUrl,
}: Pick<RouteDeps, 'db' | 'search' | 'changes' | 'publicUrl'> & { searchTurns: SearchTurns }) => ({
  qrCodeOfPage: (productId: string) => qrCodeDataUrl(`${publicUrl}/products/${productId}`),
  findByFilters: findByFiltersIn(search),
  inSearchTurn: searchTurns.run,
  findDeliveryOffer: createDeliveryOfferFinder(db, changes),
  findReviews: (productId: string) => findReviewsOnProductPage(db, productId),
})

/**
 * Announces a product change and waits until the search index of this process contains it, so that the admin sees the change on every page.
 */
async function publishProductChange({ events, search }: Pick<RouteDeps, 'events' | 'search'>): Promise<void> {
  events.productsChanged()
  await search.catchUp().catch(() => {}) // the index also polls the change log
}

/** Forbids caching (`no-store`) of responses that depend on the account. Responses of public endpoints may be cached. */
function preventPersonalCaching(api: Pick<HttpApp, 'addHook'>) {
  api.addHook('onRoute', (route) => {
    const isPublic = ['GET', 'HEAD'].includes(`${route.method}`) && !route.onRequest && !route.url.startsWith('/api/auth/')
    route.config = { ...route.config, isPersonal: !isPublic }
  })
  api.addHook('onRequest', (request, reply, done) => {
    const { authorization, cookie } = request.headers
    if (request.routeOptions.config.isPersonal || authorization || cookie) reply.header('cache-control', 'no-store')
    done()
  })
}

/** What signed-in people only read, of the 20 connections to the database: else one account with hundreds of requests would have all. */
const signedInReadOptions = { maxConcurrent: 6, maxQueued: 400, beforeStart: async () => {} }

/**
 * Limits concurrent database reads, of public endpoints and of those behind a guard apart, with turns between client networks. The sign-in
 * endpoints have their own rate limits.
 */
function limitReads(api: Pick<HttpApp, 'addHook'>, publicReads: ConcurrencyLimiter, signedInReads: ConcurrencyLimiter) {
  api.addHook('onRoute', (route) => {
    const { method, onRequest, url, config, handler } = route
    if (!['GET', 'HEAD'].includes(`${method}`) || url.startsWith('/api/auth/') || config?.skipsReadLimit) return
    const reads = onRequest ? signedInReads : publicReads
    route.handler = function (request, reply) {
      const read = async () => handler.call(this, request, reply)
      return reads.run(read, widestClientNetwork(request.ip))
    }
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** an endpoint that uses a limiter itself or does not query the database, see `limitReads` */
    skipsReadLimit?: boolean
    /** the response depends on the account, see `preventPersonalCaching` */
    isPersonal?: boolean
  }
}
