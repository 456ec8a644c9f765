import path from 'node:path'
import pg from 'pg'
import { createConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import { createHttpApp } from '#platform/http.ts'
import type { EmailMessage, Mailer } from '#platform/mail.ts'
import { readSettings } from '#platform/settings.ts'
import { openShop } from '#store/open-shop.ts'
import { loadSiteContent } from '#store/pages/content.ts'
import { type Actor, type ApiResponse, type Store, testSecret } from './store.ts'
import { openTestPool } from './test-database.ts'

type SecondInstanceOptions = { cards?: Store['cards']; mailer?: Mailer; buyerLimits?: 'off' | undefined }

/**
 * The store a second time on the same database and card provider, as another process would be: with a pool, jobs and doors of its own.
 * @param cards another way to the card provider, such as one that waits less
 * @param buyerLimits off where few buyers are all of the load
 */
export async function createSecondInstance(store: Store, { cards = store.cards, mailer, buyerLimits: limits }: SecondInstanceOptions = {}) {
  const name = `process ${crypto.randomUUID()}`
  const address = new URL(store.connectionString)
  address.searchParams.set('application_name', name)
  const { db, pool } = openTestPool(address.href)
  const sent: EmailMessage[] = []
  const errors: unknown[] = []
  const app = createHttpApp({ responseTimeoutMs: 60_000 }) // no test judges speed
  const { holdMinutes, buyerLimits } = readSettings({})
  const shop = openShop({
    ...{ app, db, cards, holdMinutes, buyerLimits: limits === 'off' ? undefined : buyerLimits },
    changes: store.changes,
    jobDatabase: { db, pool },
    content: await loadSiteContent(path.join(import.meta.dirname, '../content')),
    readLimiter: createConcurrencyLimiter({ maxConcurrent: 6, maxQueued: 500, queueTimeoutMs: 60_000, beforeStart: async () => {} }),
    mailer: mailer ?? { send: async (letter: EmailMessage) => void sent.push(letter), close: () => {} },
    secret: testSecret,
    origins: [store.origin],
    google: { clientId: 'store', clientSecret: 'secret', issuer: 'http://127.0.0.1:9' },
    onError: (_message, error) => void errors.push(error),
    publicUrl: store.origin,
    newBuyerHoldMinutes: holdMinutes,
    buyerQueueTimeoutMs: 60_000,
    inProcessTimeoutMs: 60_000,
  })
  const { jobs, search } = shop
  let over = false

  return {
    db,
    pool,
    app,
    jobs,
    search,
    /** the mails that it has sent */
    sentEmails: sent,
    /** what its jobs have failed with so far */
    errors,
    request: async (
      actor: Pick<Actor, 'token'>,
      method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
      url: string,
      body?: object,
      headers: Record<string, string> = {},
    ): Promise<ApiResponse> => {
      const token = await actor.token()
      return app.inject({
        method,
        url: `/api${url}`,
        headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
        ...(body && { payload: body }),
      })
    },
    /**
     * Ends it as `kill -9` would, as far as a part of a process can be killed: at once its statements fail, its transactions are undone
     * and its connections are gone, whatever it was about; none of its jobs goes on.
     */
    async crash() {
      over = true
      const ended = pool.end().catch(() => {}) // no new connection from here on
      const client = new pg.Client({ connectionString: store.connectionString })
      await client.connect()
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [name])
      await client.end()
      await Promise.all([ended, app.close(), shop.close()])
    },
    async [Symbol.asyncDispose]() {
      if (over) return
      await app.close()
      await shop.close()
      await pool.end()
    },
  }
}

export type SecondInstance = Awaited<ReturnType<typeof createSecondInstance>>
