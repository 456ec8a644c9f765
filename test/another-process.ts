import path from 'node:path'
import pg from 'pg'
import { openAfterwards } from '#platform/afterwards.ts'
import { openDatabase } from '#platform/database.ts'
import { openHttp } from '#platform/http.ts'
import { openJobs } from '#platform/jobs.ts'
import type { Letter, Mailer } from '#platform/mail.ts'
import { openPlaces } from '#platform/places.ts'
import { readSettings } from '#platform/settings.ts'
import { openSearch } from '#store/catalogue/search/live-index.ts'
import { openSignIn } from '#store/identity/sign-in.ts'
import { readContent } from '#store/pages/content.ts'
import { openRooms, openWork } from '#store/rooms.ts'
import type { Actor, Answer, Store } from './store.ts'

type Wish = { cards?: Store['cards']; mailer?: Mailer }

/**
 * The store a second time on the same database and card provider, as another process would be: with a pool, jobs and doors of its own.
 * @param cards another way to the card provider, such as one that waits less
 */
export async function anotherProcess(store: Store, { cards = store.cards, mailer }: Wish = {}) {
  const name = `process ${crypto.randomUUID()}`
  const address = new URL(store.connectionString)
  address.searchParams.set('application_name', name)
  const { db, pool } = openDatabase(address.href, () => {})
  const sent: Letter[] = []
  const errors: unknown[] = []
  const signIn = openSignIn(db, {
    secret: 'a secret of thirty-two characters',
    origins: [store.origin],
    google: { clientId: 'store', clientSecret: 'secret', issuer: 'http://127.0.0.1:9' },
    mailer: { send: async () => {}, close: () => {} },
    afterwards: openAfterwards(() => {}),
  })
  const app = openHttp()
  const { holdMinutes, buyerLimits } = readSettings({})
  const jobs = openJobs(pool, (_name, error) => void errors.push(error))
  const house = {
    ...{ db, changes: store.changes, afterwards: openAfterwards(() => {}), signIn, cards, jobs },
    content: await readContent(path.join(import.meta.dirname, '../content')),
    search: openSearch(db, store.changes, (error) => void errors.push(error)),
    reads: openPlaces({ places: 6, queue: 500, waitMs: 60_000, before: async () => {} }),
    mailer: mailer ?? { send: async (letter: Letter) => void sent.push(letter), close: () => {} },
    publicUrl: store.origin,
    holdMinutes,
    holdMinutesFirst: holdMinutes,
    buyerLimits,
  }
  openRooms(app, house)
  openWork(house)
  let over = false

  return {
    db,
    pool,
    app,
    jobs,
    search: house.search,
    /** the mails that it has sent */
    sent,
    /** what its jobs have failed with so far */
    errors,
    ask: async (actor: Actor, method: 'GET' | 'POST' | 'PATCH' | 'PUT', url: string, body?: object): Promise<Answer> =>
      app.inject({
        method,
        url: `/api${url}`,
        headers: { authorization: `Bearer ${await actor.token()}` },
        ...(body && { payload: body }),
      }),
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
      await Promise.all([ended, jobs.close(), app.close(), house.search.close()])
    },
    async [Symbol.asyncDispose]() {
      if (over) return
      await app.close()
      await jobs.close()
      await house.search.close()
      await pool.end()
    },
  }
}

export type AnotherProcess = Awaited<ReturnType<typeof anotherProcess>>
