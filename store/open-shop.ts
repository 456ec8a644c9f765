import { registerApiDocs } from '#platform/api-docs.ts'
import { createBackgroundTasks } from '#platform/background-tasks.ts'
import type { ChangeNotifier } from '#platform/change-notifier.ts'
import type { ConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import type { Database, Pool } from '#platform/database.ts'
import { followChanges } from '#platform/follow-changes.ts'
import type { HttpApp } from '#platform/http.ts'
import { createInProcessApi } from '#platform/in-process-api.ts'
import { createJobs } from '#platform/jobs.ts'
import type { Mailer } from '#platform/mail.ts'
import { storeCurrency } from '#shared/currency.ts'
import { createDefinitionsReader } from './catalogue/definitions/definitions-reader.ts'
import { createSaleTermsReader } from './delivery/sale-terms.ts'
import { setTimeZoneFromDatabase } from './delivery/time-zone.ts'
import { createDomainEvents, type WorkerName } from './domain-events.ts'
import type { GoogleClient } from './identity/sign-in-provider.ts'
import { createSignInServices } from './identity/sign-in-services.ts'
import { registerModules } from './modules.ts'
import { followBuyers } from './orders/bestsellers/rules.ts'
import type { BuyerQueue } from './orders/keyed-limiter.ts'
import type { CardProvider } from './orders/payments/card-provider.ts'
import type { OrderPolicy } from './orders/place-order.ts'
import type { SiteContent } from './pages/content.ts'
import { registerJobs } from './register-jobs.ts'
import { openLiveSearchIndex } from './search/live-index.ts'
import type { Topic } from './topics.ts'

type ShopDeps = OrderPolicy &
  BuyerQueue & {
    app: HttpApp
    db: Database
    /** the database again with connections of its own, so that a burst of requests does not delay payments: see `createJobs` */
    jobDatabase: { db: Database; pool: Pool }
    changes: ChangeNotifier<Topic>
    /** limits concurrent database reads of public endpoints, so that all others always get a connection */
    readLimiter: ConcurrencyLimiter
    mailer: Mailer
    cards: CardProvider
    content: SiteContent
    /** signs sessions and one-time links */
    secret: string
    /** the origins at which browsers may sign in */
    origins: string[]
    google: GoogleClient | undefined
    /** the origin for links in e-mails, without a trailing slash */
    publicUrl: string
    /** how long a page waits for what it asks in process, in milliseconds */
    inProcessTimeoutMs: number
    /** what failed in the background; none of it is lost */
    onError: (message: string, error: unknown) => void
  }

/**
 * Assembles the store behind an HTTP server: all endpoints, the search index, the count of buyers and the background jobs, which run once `jobs.start`
 * is called.
 * The server, the tests and a second process of the tests all open it here.
 */
export function openShop({ app, jobDatabase, secret, origins, google, inProcessTimeoutMs, onError, ...deps }: ShopDeps) {
  const opened = new AsyncDisposableStack()
  const { db, changes, mailer, publicUrl } = deps
  const backgroundTasks = createBackgroundTasks((what, error) => onError(`${what} failed`, error))
  opened.defer(() => backgroundTasks.close())
  const readTimeZone = () => setTimeZoneFromDatabase(db)
  const timeZone = followChanges({ topic: 'sale-terms', what: 'the time zone', readNow: readTimeZone }, changes, backgroundTasks)
  opened.defer(timeZone.close)
  const signIn = createSignInServices(db, { secret, origins, google, mailer, backgroundTasks })
  const jobs = createJobs<WorkerName>(jobDatabase.pool, (name, error) => onError(`The job "${name}" failed and will be tried again`, error))
  opened.defer(() => jobs.close())
  const onIndexError = (error: unknown) => onError('The search could not follow the catalogue and tries again', error)
  const onOther = () => {
    changes.notifyLocally('*') // drop pages that show them
    search.rebuild()
  }
  const readDefinitions = createDefinitionsReader(db, { onOther, onUnreadable: onError })
  const definitions = followChanges({ topic: 'definitions', what: 'the definitions', readNow: readDefinitions }, changes, backgroundTasks)
  opened.defer(definitions.close)
  const search = openLiveSearchIndex(jobDatabase.db, changes, onIndexError, { beforeBuild: definitions.whenRead })
  opened.defer(() => search.close())
  const onCountError = (error: unknown) => onError('Who buys what could not be counted, and is counted again', error)
  const bestsellers = followBuyers(jobDatabase.db, { use: search.setBuyers, onError: onCountError })
  opened.defer(() => bestsellers.close())
  const events = createDomainEvents(changes, jobs)
  const inProcessApi = createInProcessApi(app.log, inProcessTimeoutMs)

  registerApiDocs(app, {
    title: 'Nucleus of PC',
    version: '1',
    description: `Prices and amounts are in ${storeCurrency().code.toUpperCase()}.`,
    publicUrl,
  })
  const whenSettingsAreRead = async () => void (await Promise.all([timeZone.whenRead(), definitions.whenRead()]))
  registerModules(app, {
    ...deps,
    secret,
    backgroundTasks,
    signIn,
    search,
    findBestsellers: bestsellers.findBestsellers,
    events,
    inProcessApi,
    whenSettingsAreRead,
  })
  registerJobs({ ...deps, secret, db: jobDatabase.db, jobs, events })
  return {
    ...{ signInProvider: signIn.provider, backgroundTasks, jobs, search, events, inProcessApi },
    /** for pages */
    readSaleTerms: createSaleTermsReader(db, changes),
    /** reads what this process says times and knows kinds of products by, before it answers anything */
    readSettings: async () => void (await Promise.all([timeZone.read(), definitions.read()])),
    whenSettingsAreRead,
    close: () => opened.disposeAsync(),
  }
}

export type Shop = ReturnType<typeof openShop>
