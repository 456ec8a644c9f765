import pg from 'pg'
import { embeddedConnectionString } from '#platform/embedded-postgres/connection.ts'
import { createOrderLink } from '#store/orders/order-link.ts'
import { createInitializedDataDir } from '../test/initialized-data-dir.ts'
import { findFreePort, startStoreProcess } from '../test/store-process.ts'

export const adminCredentials = { email: 'owner@store.example', password: 'the owner has a key' }

/** Signs sessions, and the links of guests' orders. */
const secret = 'what the built store of the journeys signs with'

export type BuiltStore = {
  address: string
  /** opens its outbox, as the start printed it */
  outboxKey: string
  /** Does to the books what only time, or somebody else's machine, can do. */
  sql(statement: string, values?: unknown[]): Promise<void>
}

/** Makes an order that of a guest with this e-mail. @returns the path of the page that its link leads to */
export async function handToGuest({ sql }: Pick<BuiltStore, 'sql'>, orderId: string, email: string): Promise<string> {
  await sql(`update orders set buyer_id = null, placed_by_guest = true, buyer_name = 'Gwen Guest', buyer_email = $2 where id = $1`, [
    orderId,
    email,
  ])
  await sql(`update order_history set user_id = null where order_id = $1`, [orderId])
  return createOrderLink(secret, orderId)
}

/** Starts a built store with the catalogue to start with and nothing else: on the embedded database, or an empty one of DATABASE_URL's server. */
export async function startBuiltStore(opened: AsyncDisposableStack, settings: Record<string, string> = {}): Promise<BuiltStore> {
  const place = await createStoreDatabase(opened)
  const owner = { ADMIN_EMAIL: adminCredentials.email, ADMIN_PASSWORD: adminCredentials.password }
  // As for who has paid: with less, whether a hold ends today depends on the hour in which the journeys run.
  const holds = { HOLD_MINUTES_FIRST: '1440' }
  const store = startStoreProcess({
    ...place,
    ...owner,
    ...holds,
    SECRET: secret,
    ...settings,
    PORT: `${await findFreePort()}`,
    TRUST_PROXY: 'on',
  })
  opened.defer(async () => void (await store.stop()))
  const address = await store.ready
  const outboxKey = store.output().match(/\/outbox\?key=(\S+)\n/)?.[1] ?? ''
  return { address, outboxKey, sql: (statement, values = []) => runSql(place, statement, values) }
}

type StoreDatabase = { DATA_DIR: string } | { DATABASE_URL: string }

async function runSql(place: StoreDatabase, statement: string, values: unknown[]): Promise<void> {
  const connectionString = 'DATA_DIR' in place ? embeddedConnectionString(place.DATA_DIR) : place.DATABASE_URL
  const books = new pg.Client({ connectionString })
  await books.connect()
  await books.query(statement, values).finally(() => books.end())
}

async function createStoreDatabase(opened: AsyncDisposableStack): Promise<StoreDatabase> {
  if (!process.env.DATABASE_URL) {
    return { DATA_DIR: opened.use(await createInitializedDataDir()).dataDir }
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
