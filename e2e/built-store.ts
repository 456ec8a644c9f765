import pg from 'pg'
import { embeddedConnection } from '#platform/embedded-postgres.ts'
import { anOpenedDataFolder } from '../test/opened-store.ts'
import { freePort, startStore } from '../test/process.ts'

export const admin = { email: 'owner@store.example', password: 'the owner has a key' }

export type BuiltStore = {
  address: string
  /** opens its outbox, as the start printed it */
  outboxKey: string
  /** Does to the books what only time, or somebody else's machine, can do. */
  sql(statement: string, values?: unknown[]): Promise<void>
}

/** Starts a built store with the catalogue to start with and nothing else: on the embedded database, or an empty one of DATABASE_URL's server. */
export async function openBuiltStore(opened: AsyncDisposableStack): Promise<BuiltStore> {
  const place = await aPlaceForData(opened)
  const owner = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
  // As for who has paid: with less, whether a hold ends today depends on the hour in which the journeys run.
  const holds = { HOLD_MINUTES_FIRST: '1440' }
  const store = startStore({ ...place, ...owner, ...holds, PORT: `${await freePort()}`, TRUST_PROXY: 'on' })
  opened.defer(async () => void (await store.stop()))
  const address = await store.opened
  const outboxKey = store.said().match(/\/outbox\?key=(\S+)\n/)?.[1] ?? ''
  return { address, outboxKey, sql: (statement, values = []) => onBooks(place, statement, values) }
}

type Place = { DATA_DIR: string } | { DATABASE_URL: string }

async function onBooks(place: Place, statement: string, values: unknown[]): Promise<void> {
  const connectionString = 'DATA_DIR' in place ? embeddedConnection(place.DATA_DIR) : place.DATABASE_URL
  const books = new pg.Client({ connectionString })
  await books.connect()
  await books.query(statement, values).finally(() => books.end())
}

async function aPlaceForData(opened: AsyncDisposableStack): Promise<Place> {
  if (!process.env.DATABASE_URL) {
    return { DATA_DIR: opened.use(await anOpenedDataFolder()).dataDir }
  }
  const name = `store_journey_${crypto.randomUUID().replaceAll('-', '')}`
  const server = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await server.connect()
  await server.query(`create database ${name}`)
  opened.defer(async () => {
    await server.query(`drop database ${name} with (force)`)
    await server.end()
  })
  const address = new URL(process.env.DATABASE_URL)
  address.pathname = `/${name}`
  return { DATABASE_URL: address.href }
}
