import { IncomingMessage } from 'node:http'
import type { Afterwards } from '#platform/afterwards.ts'
import type { Changes } from '#platform/changes.ts'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import type { Jobs } from '#platform/jobs.ts'
import { networkOf } from '#platform/limits.ts'
import type { Mailer } from '#platform/mail.ts'
import type { Places } from '#platform/places.ts'
import { catalogueCalls } from './catalogue/api.ts'
import { dueImports, workOffImport } from './catalogue/import/due-imports.ts'
import { forgetOldImports } from './catalogue/import/sent-files.ts'
import { forgetChanges, type Search } from './catalogue/search/live-index.ts'
import { openSitemap } from './catalogue/sitemap.ts'
import { identityCalls } from './identity/api.ts'
import { openGuards } from './identity/guards.ts'
import { forgetOldNotices, ownerMails, sendDueNotice } from './identity/owner-notices.ts'
import type { SignIn } from './identity/sign-in.ts'
import { orderCalls } from './orders/api.ts'
import { orderMails, sendDueMail } from './orders/mails.ts'
import { endHoldsOf, type Terms } from './orders/rules.ts'
import { overviewCalls } from './overview/api.ts'
import { pageCalls } from './pages/api.ts'
import type { Content } from './pages/content.ts'
import { paymentCalls } from './payments/api.ts'
import type { CardProvider } from './payments/card-provider.ts'
import { endHolds } from './payments/ending.ts'
import { cardEvents, readEvents, workOffEvent } from './payments/events.ts'
import { refundsUnderWay, workOffRefund } from './payments/refunds.ts'
import { settleQuestioned } from './payments/rules.ts'
import { openWebhook } from './payments/webhook.ts'
import { profileCalls } from './profiles/api.ts'
import { reviewCalls } from './reviews/api.ts'

/** The rooms, in the order in which they may know one another: a room imports only rooms before it. */
export const rooms = ['identity', 'profiles', 'catalogue', 'orders', 'payments', 'reviews', 'dashboard', 'pages', 'overview'] as const

type House = Terms & {
  db: Database
  changes: Changes
  afterwards: Afterwards
  signIn: SignIn
  cards: CardProvider
  content: Content
  search: Search
  jobs: Jobs
  mailer: Mailer
  /** where calls that are open to everybody read the database, so that all others always find a connection */
  reads: Places
  /** the store's address in mails, without a slash at the end */
  publicUrl: string
}

/** Opens every room's calls under `/api`, and beside it the webhook and what search engines read. */
export function openRooms(app: Http, house: House) {
  const guards = openGuards(app, house.db, house.signIn.provider)
  openWebhook(app, house)
  openSitemap(app, house)
  app.register(
    async (api) => {
      forbidKeeping(api)
      limitReads(api, house.reads)
      const within = { ...house, guards }
      const removal = {
        within: endHoldsOf,
        after: () => house.afterwards.run('Ending the orders of a removed account', () => endHoldsNow(house)),
      }
      identityCalls(api, { ...within, removal })
      profileCalls(api, within)
      catalogueCalls(api, within)
      orderCalls(api, within)
      paymentCalls(api, within)
      reviewCalls(api, within)
      pageCalls(api, within)
      overviewCalls(api, within)
      api.all('/*', { schema: { hide: true } }, (_request, reply) => reply.callNotFound())
    },
    { prefix: '/api' },
  )
}

/** Answers that depend on who asks are kept nowhere between the store and who asked. What is open to everybody may be. */
function forbidKeeping(api: Pick<Http, 'addHook'>) {
  api.addHook('onRoute', (route) => {
    const isOpen = ['GET', 'HEAD'].includes(`${route.method}`) && !route.onRequest && !route.url.startsWith('/api/auth/')
    route.config = { ...route.config, isPersonal: !isOpen }
  })
  api.addHook('onRequest', (request, reply, done) => {
    const { authorization, cookie } = request.headers
    if (request.routeOptions.config.isPersonal || authorization || cookie) reply.header('cache-control', 'no-store')
    done()
  })
}

/**
 * Lets what is open to everybody ask the database in its few places only, for which networks take turns. What a page asks inside the store
 * has no connection and waits for nobody: the page had to. The calls of signing in have limits of their own.
 */
function limitReads(api: Pick<Http, 'addHook'>, reads: Places) {
  api.addHook('onRoute', (route) => {
    const { method, onRequest, url, config, handler } = route
    const isOpen = ['GET', 'HEAD'].includes(`${method}`) && !onRequest && !url.startsWith('/api/auth/')
    if (!isOpen || config?.boundsItself) return
    route.handler = function (request, reply) {
      const read = async () => handler.call(this, request, reply)
      return request.raw instanceof IncomingMessage ? reads.run(read, networkOf(request.ip)) : read()
    }
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** an open call that takes places by itself or asks no database, see `limitReads` */
    boundsItself?: boolean
    /** the answer depends on who asks, see `forbidKeeping` */
    isPersonal?: boolean
  }
}

/**
 * What the rooms do without being asked: files of parts that are to be read, the provider's events, refunds and mails that are due, what
 * was missed, and holds that are over.
 */
export function openWork({ jobs, db, cards, changes, mailer, publicUrl }: House) {
  jobs.worker(dueImports, () => workOffImport(db, () => changes.tell('tools')))
  jobs.worker(cardEvents, async () => {
    const found = await workOffEvent(db, cards)
    if (found) jobs.wake(orderMails)
    return found
  })
  jobs.worker(refundsUnderWay, () => workOffRefund(db, cards))
  jobs.worker(ownerMails, () => sendDueNotice(db, mailer, publicUrl))
  jobs.worker(orderMails, () => sendDueMail(db, mailer, publicUrl))
  jobs.everyMinute('reconcile', async () => {
    try {
      if ((await readEvents(db, cards)) > 0) jobs.wake(cardEvents)
    } finally {
      await settleQuestioned(db, cards) // a provider that lists no events may still say how a payment stands
    }
  })
  jobs.everyMinute('forget changes', () => forgetChanges(db))
  jobs.everyMinute('forget old imports and notices', async () => {
    await forgetOldImports(db)
    await forgetOldNotices(db)
  })
  jobs.everyMinute('end holds', () => endHoldsNow({ db, cards, changes }))
}

async function endHoldsNow({ db, cards, changes }: Pick<House, 'db' | 'cards' | 'changes'>): Promise<void> {
  if ((await endHolds(db, cards)) > 0) changes.tell('tools')
}
