import pg from 'pg'
import type { Pool } from './database.ts'

const notifyChannel = 'changes'
const batchMs = 20

/** PostgreSQL takes 8,000 bytes, see https://www.postgresql.org/docs/current/sql-notify.html; a topic with an id has about 45. */
const maxTopicsPerNotification = 100

/**
 * Publishes changed topics. `notify` after a commit calls the listeners of this process before it returns, and those of every other process
 * on the same database through NOTIFY. Topics are batched for `batchMs` and sent outside the transaction: inside one, every commit would
 * queue for the single lock that PostgreSQL takes for NOTIFY. A topic contains no space.
 */
export type ChangeNotifier<Topic extends string = string> = {
  notify(topic: Topic): void
  /** calls only the listeners of this process: for changes that every process detects by itself; `'*'`: anything may have changed */
  notifyLocally(topic: Topic | '*'): void
  /** calls the listener for this topic, and whenever anything may have changed */
  onChange(topic: Topic, listener: () => void): void
  /** calls the listener with every topic, and with `'*'` whenever anything may have changed */
  subscribe(listener: (topic: string) => void): void
  close(): Promise<void>
}

/** What listens for changes needs of a connection. */
export type ListeningClient = {
  connect(): Promise<unknown>
  query(statement: string): Promise<unknown>
  on(event: 'error' | 'end', listener: () => void): unknown
  on(event: 'notification', listener: (notification: pg.Notification) => void): unknown
  end(): Promise<unknown>
}

type ConnectionSource = string | (() => ListeningClient)

const createListeningClient = (connectionString: string): ListeningClient =>
  new pg.Client({ connectionString, keepAlive: true, connectionTimeoutMillis: 5000, query_timeout: 5000 })

/**
 * Listens on a dedicated connection. When it breaks, a new one is opened and listeners get `'*'`, for changes missed meanwhile.
 * @param from the connection string, or what makes the connection, for a test that has one already
 */
export async function openChangeNotifier<Topic extends string>(from: ConnectionSource, pool: Pool): Promise<ChangeNotifier<Topic>> {
  const listeners: ((topic: string) => unknown)[] = []
  const ownId = crypto.randomUUID()
  const pendingTopics = new Set<string>()
  let closed = false
  let client: ListeningClient
  let retry: NodeJS.Timeout | undefined

  const notifyListeners = (topic: string) => {
    for (const listener of listeners) listener(topic)
  }
  const listen = async () => {
    client = typeof from === 'string' ? createListeningClient(from) : from()
    client.on('error', scheduleReconnect)
    client.on('end', scheduleReconnect)
    client.on('notification', ({ payload = '' }) => {
      const [sender, ...topics] = payload.split(' ')
      if (sender !== ownId) for (const topic of topics) notifyListeners(topic)
    })
    try {
      await client.connect()
      await client.query(`listen ${notifyChannel}`)
    } catch (error) {
      client.end()
      throw error
    }
  }
  // A notification that cannot be sent is made up for by the maximum age of cache entries.
  const send = async () => {
    if (closed || pendingTopics.size === 0) return
    const payloads = payloadsOf(ownId, [...pendingTopics])
    pendingTopics.clear()
    for (const payload of payloads) await pool.query('select pg_notify($1, $2)', [notifyChannel, payload]).catch(() => {})
  }
  const scheduleReconnect = () => {
    if (closed || retry) return
    retry = setTimeout(async () => {
      retry = undefined
      await listen().then(() => notifyListeners('*'), scheduleReconnect)
    }, 500)
  }
  await listen().catch(scheduleReconnect) // a database that goes away at this moment does not fail the startup

  return {
    notify(topic) {
      notifyListeners(topic)
      if (pendingTopics.size === 0) setTimeout(send, batchMs)
      pendingTopics.add(topic)
    },
    notifyLocally: notifyListeners,
    onChange: (topic, listener) => void listeners.push((changed) => (changed === topic || changed === '*') && listener()),
    subscribe: (listener) => void listeners.push(listener),
    async close() {
      await send() // a command-line script notifies and exits
      closed = true
      clearTimeout(retry)
      await client.end().catch(() => {})
    },
  }
}

const payloadsOf = (sender: string, topics: string[]): string[] =>
  Array.from({ length: Math.ceil(topics.length / maxTopicsPerNotification) }, (_, nth) =>
    [sender, ...topics.slice(nth * maxTopicsPerNotification, (nth + 1) * maxTopicsPerNotification)].join(' '),
  )
