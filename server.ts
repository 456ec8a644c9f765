import path from 'node:path'
import fastifyStatic from '@fastify/static'
import { openCardSandbox } from '#demo/card-sandbox/sandbox.ts'
import { seedCatalogue } from '#demo/catalogue/seed.ts'
import { openGoogleSandbox } from '#demo/google-sandbox/google-sandbox.ts'
import { registerOutboxRoutes } from '#demo/outbox/outbox.ts'
import { openChangeNotifier } from '#platform/change-notifier.ts'
import { createConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import { migrateDatabase, openDatabase } from '#platform/database.ts'
import { pinDatabaseToStoreMode } from '#platform/database-mode.ts'
import { openEmbeddedPostgres } from '#platform/embedded-postgres.ts'
import { closeHttpApp, createHttpApp, defaultResponseTimeoutMs, type HttpApp } from '#platform/http.ts'
import { createMailer } from '#platform/mail.ts'
import { createPageCache } from '#platform/page-cache.ts'
import { createReadinessCheck } from '#platform/readiness.ts'
import { trackPriorityRequests } from '#platform/request-priority.ts'
import { registerScreens } from '#platform/screens.ts'
import { securityHeaders } from '#platform/security-headers.ts'
import { readSettings, type Settings } from '#platform/settings.ts'
import { exitOnStartupError, StartupError } from '#platform/startup-error.ts'
import { getOrCreateStoredValue, randomSecret } from '#platform/stored-values.ts'
import { storeCurrency } from '#shared/currency.ts'
import { storeTimeZone } from '#shared/time-zone.ts'
import { adoptOriginalDefinitions } from '#store/catalogue/definitions/rules.ts'
import { ensureFirstOwner } from '#store/identity/rules.ts'
import type { GoogleClient } from '#store/identity/sign-in-provider.ts'
import { openShop } from '#store/open-shop.ts'
import { adoptDatabaseCurrency, assertCurrencyIsKept } from '#store/orders/database-currency.ts'
import { type CardProvider, connectSandbox, connectStripe } from '#store/orders/payments/card-provider.ts'
import { isCataloguePage, isOtherPageByCookie, resolveUrl } from '#store/page-urls.ts'
import { loadSiteContent } from '#store/pages/content.ts'
import type { Topic } from '#store/topics.ts'
import type { RequestRenderer } from '#web/api-caller.ts'

/** The store runs in the project folder, which contains the migrations, the owner's content, the demo catalogue and the built screens. */
const projectRoot = process.cwd()
const printLine = (line: string) => console.log(line)

/**
 * Limits for rendering uncached pages. Catalogue pages and all others, whose number is unlimited, have separate limiters. Rendering blocks
 * the event loop for several milliseconds, so more concurrency would not be faster. Before each page, running priority requests get up to
 * `maxPriorityWaitMs`.
 */
const pageConcurrency = { maxConcurrent: 2, maxQueued: 24, queueTimeoutMs: 1500, maxPriorityWaitMs: 50 }

/** Limits for database reads of public API calls. The rest of the 20 connections are for orders, payments and sign-ins. */
const readConcurrency = { maxConcurrent: 6, maxQueued: 64, queueTimeoutMs: 1500, maxPriorityWaitMs: 50 }

await exitOnStartupError(async () => {
  const settings = readSettings(process.env)
  const opened = new AsyncDisposableStack()
  const starting = startStore(settings, opened)
  stopOnSignal(starting, opened)
  try {
    await starting
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
})

/** Starts the database, the modules under /api, and the screens for all other URLs. Resources in `opened` are closed in reverse order. */
async function startStore(settings: Settings, opened: AsyncDisposableStack) {
  const content = await loadSiteContent(path.join(projectRoot, 'content'))
  const connectionString = settings.databaseUrl ?? (await startEmbeddedPostgres(settings, opened))
  await migrateDatabase(connectionString, path.join(projectRoot, 'migrations'))

  const headers = securityHeaders(settings.publicUrl.startsWith('https:'))
  const development = process.argv.includes('--development') ? await import('#platform/vite-dev-server.ts') : undefined
  const vite = await development?.createViteServer(opened)
  const app = createHttpApp({ ...settings, headers, ...(vite && { serverFactory: vite.serverFactory }) })
  const priority = trackPriorityRequests(app)

  const onConnectionLost = (error: Error) => app.log.error({ err: error }, 'A connection to the database broke')
  const { db, pool } = openDatabase(connectionString, onConnectionLost)
  opened.defer(() => pool.end())
  await pinDatabaseToStoreMode(db, settings.mode)
  await adoptDatabaseCurrency(db, settings.currency)
  const changes = await openChangeNotifier<Topic>(connectionString, pool)
  opened.defer(() => changes.close())

  const secret = settings.secret ?? (await getOrCreateStoredValue(db, 'secret', randomSecret))
  const outbox = path.join(settings.dataDir, 'outbox')
  const mailer = createMailer({ smtpUrl: settings.smtpUrl, from: settings.mailFrom, outboxDir: outbox })
  opened.defer(() => mailer.close())
  const origins = allowedOrigins(settings)
  const google = settings.google ?? (settings.mode === 'demo' ? await startGoogleSandbox(settings, origins, opened) : undefined)
  const cards = settings.stripe ? connectStripe(settings.stripe) : await startCardSandbox(settings, connectionString, opened)
  const jobDatabase = openDatabase(connectionString, onConnectionLost, { statementTimeoutMs: 30_000, maxConnections: 14 })
  opened.defer(() => jobDatabase.pool.end())
  await adoptOriginalDefinitions(db)
  if (settings.mode === 'demo') await seedCatalogue(db, path.join(projectRoot, 'demo/catalogue'))
  const readLimiter = createConcurrencyLimiter({
    ...readConcurrency,
    beforeStart: () => priority.waitForPriorityRequests(readConcurrency.maxPriorityWaitMs),
  })
  const onError = (message: string, error: unknown) => app.log.error({ err: error }, message)
  const { publicUrl, holdMinutes, newBuyerHoldMinutes, buyerLimits } = settings
  const shop = openShop({
    ...{ app, db, jobDatabase, changes, readLimiter, mailer, cards, content, secret, origins, google, onError },
    ...{ publicUrl, holdMinutes, newBuyerHoldMinutes, buyerLimits },
    buyerQueueTimeoutMs: 3000,
    inProcessTimeoutMs: defaultResponseTimeoutMs,
  })
  opened.defer(() => shop.close())
  await shop.readSettings()
  const generated = await ensureFirstOwner(db, shop.signInProvider, settings.admin)
  // Printed immediately, because the password is not shown again even if the startup fails after this.
  if (generated) printLine(`  Admin    ${settings.admin.email}  password ${generated}  (shown this once)`)
  const outboxKey = randomSecret()
  const showsOutbox =
    !settings.smtpUrl &&
    registerOutboxRoutes(app, { outbox, font: path.join(projectRoot, 'web/fonts/geist.woff2'), publicUrl, key: outboxKey })
  app.get('/healthz', { schema: { hide: true } }, () => ({ alive: true }))
  const isReady = createReadinessCheck(() => assertCurrencyIsKept(db))
  app.get('/readyz', { schema: { hide: true }, config: { responseTimeoutMs: 2000 } }, isReady)

  if (!vite) serveBuiltFiles(app)
  const loadRenderer = vite ? vite.loadRenderer : await loadBuiltRenderer()
  const shopConfig = {
    origin: settings.publicUrl,
    currency: storeCurrency(),
    sinceYear: settings.sinceYear,
    testMode: settings.mode !== 'live',
    hasOutbox: showsOutbox,
    hasGoogleSignIn: google !== undefined,
  }
  const renderPage = async (request: Request) => {
    const [saleTerms] = await Promise.all([shop.readSaleTerms(), shop.whenSettingsAreRead()])
    const from = { callInProcess: shop.inProcessApi.call, shopConfig: { ...shopConfig, timeZone: storeTimeZone(), saleTerms } }
    return (await loadRenderer()).render(request, from)
  }
  const createPageLimiter = () =>
    createConcurrencyLimiter({ ...pageConcurrency, beforeStart: () => priority.waitForPriorityRequests(pageConcurrency.maxPriorityWaitMs) })
  const [catalogueLimiter, otherLimiter, personalLimiter] = [createPageLimiter(), createPageLimiter(), createPageLimiter()]
  registerScreens(app, {
    render: renderPage,
    resolveUrl,
    isOtherPageByCookie,
    pageCache: createPageCache(changes, { headers }),
    queryPageCache: createPageCache(changes, { headers, maxBytes: 4 * 1024 * 1024 }),
    limiterFor: (page) => (isCataloguePage(page, shop.search) ? catalogueLimiter : otherLimiter),
    personalLimiter,
    trustProxy: settings.trustProxy,
    headers,
    publicUrl: settings.publicUrl,
    cardOrigins: vite ? undefined : cards.cspOrigins,
  })

  await listen(app, settings)
  opened.defer(() => closeHttpApp(app))
  shop.jobs.start()

  printLine(`Nucleus of PC is open at ${settings.publicUrl}`)
  printLine(`  Cards    ${describeCards(settings, cards)}`)
  printLine(`  Google   ${describeGoogle(settings, google)}`)
  printLine(
    `  Mails    ${settings.smtpUrl ? `by ${new URL(settings.smtpUrl).host}` : showsOutbox ? `${publicUrl}/outbox?key=${outboxKey}` : outbox}`,
  )
  printLine(`  Calls    ${settings.publicUrl}/api/docs`)
  if (settings.mode === 'demo' && !['127.0.0.1', 'localhost', '::1'].includes(settings.host)) {
    printLine(`  From other machines people can sign in at ${settings.publicUrl} only: set PUBLIC_URL to the address that they type`)
    if (!settings.stripe) printLine('  The card sandbox listens on this machine only: paying works here and nowhere else')
    if (!settings.google) printLine('  So does the stand-in for Google')
  }
}

async function startEmbeddedPostgres(settings: Settings, opened: AsyncDisposableStack): Promise<string> {
  const postgres = await openEmbeddedPostgres(settings.dataDir, { onNotice: printLine, onLockLost: stopWithError })
  opened.defer(() => postgres.close())
  return postgres.connectionString
}

/** Shuts the store down as a stop signal would, with exit code 1. */
function stopWithError(line: string) {
  console.error(line)
  process.exitCode = 1
  process.kill(process.pid, 'SIGTERM')
}

async function startCardSandbox(settings: Settings, connectionString: string, opened: AsyncDisposableStack) {
  const reachable = ['0.0.0.0', '::', 'localhost'].includes(settings.host) ? '127.0.0.1' : settings.host
  const webhookUrl = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${settings.port}/webhooks/stripe`
  const sandbox = await openCardSandbox({ connectionString, port: settings.port + 1, webhookUrl })
  opened.defer(() => sandbox.close())
  return connectSandbox(sandbox)
}

async function startGoogleSandbox(settings: Settings, origins: string[], opened: AsyncDisposableStack): Promise<GoogleClient> {
  const sandbox = await openGoogleSandbox({ port: settings.port + 2, origins })
  opened.defer(() => sandbox.close())
  return sandbox
}

function describeCards({ mode, stripe }: Settings, { cspOrigins }: CardProvider): string {
  if (mode === 'live') return 'Stripe, live'
  if (stripe) return `${stripe.apiUrl ?? 'Stripe'}, test keys`
  return `sandbox at ${cspOrigins.script}, pay with 4242 4242 4242 4242`
}

function describeGoogle(settings: Settings, google: GoogleClient | undefined): string {
  if (!google) return 'none: people sign in with e-mail and password'
  return settings.google ? google.issuer : `stand-in at ${google.issuer}, pick a test person`
}

/** In demo mode the store is reachable as `localhost` and as `127.0.0.1`. */
function allowedOrigins({ mode, publicUrl, port }: Settings): string[] {
  if (mode === 'live') return [new URL(publicUrl).origin]
  return [...new Set([new URL(publicUrl).origin, `http://localhost:${port}`, `http://127.0.0.1:${port}`])]
}

/** Serves the build output, precompressed by the build. File names under /assets contain a hash of their content. */
function serveBuiltFiles(app: HttpApp) {
  const root = path.join(projectRoot, 'build/client')
  app.register(fastifyStatic, {
    root,
    wildcard: false,
    globIgnore: ['**/*.{br,gz}'], // sent in place of the file that they are of: a route for each would take a tenth of the start
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders: (reply, file) =>
      reply.header(
        'cache-control',
        path.relative(root, file).startsWith('assets') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      ),
  })
}

async function loadBuiltRenderer(): Promise<() => Promise<{ render: RequestRenderer }>> {
  const built: { render: RequestRenderer } = await import(path.join(projectRoot, 'build/server/index.js'))
  return async () => built
}

async function listen(app: HttpApp, { port, host }: Settings) {
  const { level } = app.log
  app.log.level = 'warn' // suppresses Fastify's log of the URL, which is printed after the start
  try {
    // With a large backlog, a burst of connections gets error responses instead of TCP connection retries after 1 s and 3 s.
    await app.listen({ port, host, backlog: 4096 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') throw new StartupError(`Port ${port} on ${host} is taken: stop what listens there, or set PORT to another`)
    if (code === 'EACCES') throw new StartupError(`Port ${port} on ${host} may not be opened by this user: set PORT to one above 1023`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') throw new StartupError(`HOST ${host} is no address of this machine`)
    throw error
  } finally {
    app.log.level = level
  }
}

/**
 * On Ctrl-C and SIGTERM, finishes open requests and stops the embedded database; further signals are ignored. A startup in progress is
 * completed first, because a PostgreSQL that is still starting would be left running.
 */
function stopOnSignal(starting: Promise<void>, opened: AsyncDisposableStack) {
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await starting.catch(() => {})
    await opened.disposeAsync()
    process.exit()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}
