import path from 'node:path'
import fastifyStatic from '@fastify/static'
import { openCardSandbox } from '#demo/card-sandbox/sandbox.ts'
import { fillCatalogue } from '#demo/catalogue/fill.ts'
import { openGoogleStandIn } from '#demo/google-stand-in/stand-in.ts'
import { openOutbox } from '#demo/outbox/outbox.ts'
import { openAfterwards } from '#platform/afterwards.ts'
import { describeApi } from '#platform/api-document.ts'
import { CannotStart, startOrSayWhy } from '#platform/cannot-start.ts'
import { openChanges } from '#platform/changes.ts'
import { migrateDatabase, openDatabase } from '#platform/database.ts'
import { openEmbeddedPostgres } from '#platform/embedded-postgres.ts'
import { closeHttp, type Http, openHttp } from '#platform/http.ts'
import { openJobs } from '#platform/jobs.ts'
import { keepMode } from '#platform/kept-mode.ts'
import { keptValue, randomSecret } from '#platform/kept-values.ts'
import { openMailer } from '#platform/mail.ts'
import { openPageCache } from '#platform/page-cache.ts'
import { openPlaces } from '#platform/places.ts'
import { openPriority } from '#platform/priority.ts'
import { openScreens } from '#platform/screens.ts'
import { securityHeaders } from '#platform/security-headers.ts'
import { readSettings, type Settings } from '#platform/settings.ts'
import { openSearch } from '#store/catalogue/search/live-index.ts'
import type { GoogleClient } from '#store/identity/provider.ts'
import { makeFirstAdmin } from '#store/identity/rules.ts'
import { openSignIn } from '#store/identity/sign-in.ts'
import { isOfCatalogue, pageAddress } from '#store/page-addresses.ts'
import { readContent } from '#store/pages/content.ts'
import { type CardProvider, connectSandbox, connectStripe } from '#store/payments/card-provider.ts'
import { openRooms, openWork } from '#store/rooms.ts'
import type { Door, Render } from '#web/door.ts'

/** The store runs in the folder of the project: there lie the migrations, the owner's content, the catalogue to start with and the built screens. */
const house = process.cwd()
const say = (line: string) => console.log(line)

/**
 * Where pages are rendered that are not kept, products and categories apart from those that anybody can make up. Rendering one keeps the process for 10 to 30 ms, so more at once would not be sooner, and
 * between two of them calls that are under way get up to `mostMs`.
 */
const pagePlaces = { places: 2, queue: 24, waitMs: 1500, mostMs: 50 }

/** Where calls that are open to everybody read the database: of its 20 connections the others are for who orders, pays and signs in. */
const readPlaces = { places: 6, queue: 64, waitMs: 1500, mostMs: 50 }

await startOrSayWhy(async () => {
  const settings = readSettings(process.env)
  const opened = new AsyncDisposableStack()
  const starting = openStore(settings, opened)
  stopOnSignal(starting, opened)
  try {
    await starting
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
})

/** Settings, database, rooms under /api, screens for everything else. What is opened is closed in the opposite order. */
async function openStore(settings: Settings, opened: AsyncDisposableStack) {
  const content = await readContent(path.join(house, 'content'))
  const connectionString = settings.databaseUrl ?? (await openEmbedded(settings, opened))
  await migrateDatabase(connectionString, path.join(house, 'migrations'))

  const headers = securityHeaders(settings.publicUrl.startsWith('https:'))
  const development = process.argv.includes('--development') ? await import('#platform/development.ts') : undefined
  const vite = await development?.openVite(opened)
  const app = openHttp({ ...settings, headers, ...(vite && { serverFactory: vite.serverFactory }) })
  const priority = openPriority(app)

  const lost = (error: Error) => app.log.error({ err: error }, 'A connection to the database broke')
  const { db, pool } = openDatabase(connectionString, lost)
  opened.defer(() => pool.end())
  await keepMode(db, settings.mode)
  const changes = await openChanges(connectionString, pool)
  opened.defer(() => changes.close())

  const secret = settings.secret ?? (await keptValue(db, 'secret', randomSecret))
  const outbox = path.join(settings.dataDir, 'outbox')
  const mailer = openMailer({ smtpUrl: settings.smtpUrl, from: settings.mailFrom, outbox })
  opened.defer(() => mailer.close())
  const afterwards = openAfterwards((what, error) => app.log.error({ err: error }, `${what} failed`))
  opened.defer(() => afterwards.close())
  const origins = ownOrigins(settings)
  const google = settings.google ?? (settings.mode === 'demo' ? await openStandIn(settings, origins, opened) : undefined)
  const signIn = openSignIn(db, { secret, origins, google, mailer, afterwards })
  const generated = await makeFirstAdmin(db, signIn.provider, settings.admin)
  // Said at once: whatever goes wrong after this, it is not said again.
  if (generated) say(`  Admin    ${settings.admin.email}  password ${generated}  (shown this once)`)
  if (settings.mode === 'demo') await fillCatalogue(db, path.join(house, 'demo/catalogue'))
  const cards = settings.stripe ? connectStripe(settings.stripe) : await openSandbox(settings, connectionString, opened)

  describeApi(app, { title: 'Nucleus of PC', version: '1', publicUrl: settings.publicUrl })
  const pages = openPageCache(changes, { headers })
  const unasked = openDatabase(connectionString, lost, { statementMs: 30_000, connections: 5 }) // so that a rush does not keep money from its way
  opened.defer(() => unasked.pool.end())
  const jobs = openJobs(unasked.pool, (name, error) => app.log.error({ err: error }, `The job "${name}" failed and will be tried again`))
  opened.defer(() => jobs.close())
  const search = openSearch(unasked.db, changes, (error) =>
    app.log.error({ err: error }, 'The search could not follow the catalogue and tries again'),
  )
  opened.defer(() => search.close())
  const { publicUrl, holdMinutes, holdMinutesFirst, buyerLimits } = settings
  const rooms = {
    db,
    changes,
    afterwards,
    signIn,
    cards,
    content,
    jobs,
    mailer,
    search,
    reads: openPlaces({ ...readPlaces, before: () => priority.afterCalls(readPlaces.mostMs) }),
    publicUrl,
    holdMinutes,
    holdMinutesFirst,
    buyerLimits,
  }
  openRooms(app, rooms)
  openWork({ ...rooms, db: unasked.db })
  const outboxKey = randomSecret()
  const showsOutbox =
    !settings.smtpUrl && openOutbox(app, { outbox, font: path.join(house, 'web/fonts/geist.woff2'), publicUrl, key: outboxKey })
  app.get('/healthz', { schema: { hide: true } }, () => ({ alive: true }))
  app.get('/readyz', { schema: { hide: true }, config: { answerMs: 2000 } }, () => db.execute('select 1').then(() => ({ ready: true })))

  if (!vite) serveBuiltFiles(app)
  const screens = vite ? vite.screens : await builtScreens()
  const shop = {
    origin: settings.publicUrl,
    sinceYear: settings.sinceYear,
    testMode: settings.mode !== 'live',
    outbox: showsOutbox,
    google: google !== undefined,
  }
  const from = { door: doorInto(app), shop }
  const placesOfPages = () => openPlaces({ ...pagePlaces, before: () => priority.afterCalls(pagePlaces.mostMs) })
  const [placesOfCatalogue, placesOfOthers] = [placesOfPages(), placesOfPages()]
  openScreens(app, {
    render: async (request) => (await screens()).render(request, from),
    pageAddress,
    pages,
    asked: openPageCache(changes, { headers, maxBytes: 16 * 1024 * 1024 }),
    placesOf: (page) => (isOfCatalogue(page, search) ? placesOfCatalogue : placesOfOthers),
    headers,
    publicUrl: settings.publicUrl,
    cards: vite ? undefined : cards.origins,
  })

  await listen(app, settings)
  opened.defer(() => closeHttp(app))
  jobs.start()

  say(`Nucleus of PC is open at ${settings.publicUrl}`)
  say(`  Cards    ${describeCards(settings, cards)}`)
  say(`  Google   ${describeGoogle(settings, google)}`)
  say(
    `  Mails    ${settings.smtpUrl ? `by ${new URL(settings.smtpUrl).host}` : showsOutbox ? `${publicUrl}/outbox?key=${outboxKey}` : outbox}`,
  )
  say(`  Calls    ${settings.publicUrl}/api/docs`)
  if (settings.mode === 'demo' && !['127.0.0.1', 'localhost', '::1'].includes(settings.host)) {
    say(`  From other machines people can sign in at ${settings.publicUrl} only: set PUBLIC_URL to the address that they type`)
    if (!settings.stripe) say('  The card sandbox listens on this machine only: paying works here and nowhere else')
    if (!settings.google) say('  So does the stand-in for Google')
  }
}

async function openEmbedded(settings: Settings, opened: AsyncDisposableStack): Promise<string> {
  const postgres = await openEmbeddedPostgres(settings.dataDir, { say, taken: endStore })
  opened.defer(() => postgres.close())
  return postgres.connectionString
}

/** Ends a store that must not go on, as a stop signal would. */
function endStore(line: string) {
  console.error(line)
  process.exitCode = 1
  process.kill(process.pid, 'SIGTERM')
}

async function openSandbox(settings: Settings, connectionString: string, opened: AsyncDisposableStack) {
  const reachable = ['0.0.0.0', '::', 'localhost'].includes(settings.host) ? '127.0.0.1' : settings.host
  const webhookUrl = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${settings.port}/webhooks/stripe`
  const sandbox = await openCardSandbox({ connectionString, port: settings.port + 1, webhookUrl })
  opened.defer(() => sandbox.close())
  return connectSandbox(sandbox)
}

async function openStandIn(settings: Settings, origins: string[], opened: AsyncDisposableStack): Promise<GoogleClient> {
  const standIn = await openGoogleStandIn({ port: settings.port + 2, origins })
  opened.defer(() => standIn.close())
  return standIn
}

function describeCards({ mode, stripe }: Settings, { origins }: CardProvider): string {
  if (mode === 'live') return 'Stripe, live'
  if (stripe) return `${stripe.apiUrl ?? 'Stripe'}, test keys`
  return `sandbox at ${origins.script}, pay with 4242 4242 4242 4242`
}

function describeGoogle(settings: Settings, google: GoogleClient | undefined): string {
  if (!google) return 'none: people sign in with e-mail and password'
  return settings.google ? google.issuer : `stand-in at ${google.issuer}, pick a test person`
}

/** In demo mode `localhost` and `127.0.0.1` are both the store's own. */
function ownOrigins({ mode, publicUrl, port }: Settings): string[] {
  if (mode === 'live') return [new URL(publicUrl).origin]
  return [...new Set([new URL(publicUrl).origin, `http://localhost:${port}`, `http://127.0.0.1:${port}`])]
}

/** Files of the build, compressed when it was made. Those under /assets carry a hash of their content in the name. */
function serveBuiltFiles(app: Http) {
  const root = path.join(house, 'build/client')
  app.register(fastifyStatic, {
    root,
    wildcard: false,
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

async function builtScreens(): Promise<() => Promise<{ render: Render }>> {
  const built: { render: Render } = await import(path.join(house, 'build/server/index.js'))
  return async () => built
}

/** The API's door for loaders on the server: the same calls with the same guards, without a network between. */
function doorInto(app: Http): Door {
  return async (address) => {
    const answer = await app.inject({ method: 'GET', url: address })
    const retryAfter = answer.headers['retry-after']
    const headers = { 'content-type': 'application/json', ...(retryAfter && { 'retry-after': `${retryAfter}` }) }
    return new Response(answer.body, { status: answer.statusCode, headers })
  }
}

async function listen(app: Http, { port, host }: Settings) {
  const { level } = app.log
  app.log.level = 'warn' // the address is said below, once and for people
  try {
    await app.listen({ port, host, backlog: 4096 }) // a rush is refused in words, not left to knock again after 1 s and 3 s
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') throw new CannotStart(`Port ${port} on ${host} is taken: stop what listens there, or set PORT to another`)
    if (code === 'EACCES') throw new CannotStart(`Port ${port} on ${host} may not be opened by this user: set PORT to one above 1023`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') throw new CannotStart(`HOST ${host} is no address of this machine`)
    throw error
  } finally {
    app.log.level = level
  }
}

/**
 * Ctrl-C and SIGTERM finish what is under way and stop the embedded database; the same signal again changes nothing. A start that is under
 * way comes to its end first: PostgreSQL, half started, would be left behind.
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
