import pg from 'pg'
import type { Pool } from './database.ts'

const channel = 'changes'
const gatheredMs = 20

/**
 * Who shows what has changed: `tell('tools')` after a commit reaches the listeners of this process before it returns, and those of
 * every other process on the same database through NOTIFY. Notices of a moment travel as one, outside the transaction: inside, each
 * commit would queue behind PostgreSQL's one lock for notices.
 */
export type Changes = {
  tell(topic: string): void
  on(listener: (topic: string) => void): void
  close(): Promise<void>
}

/** Listens on a connection of its own, and opens a new one when it breaks; `'*'` is told then, for what was missed. */
export async function openChanges(connectionString: string, pool: Pool): Promise<Changes> {
  const listeners: ((topic: string) => void)[] = []
  const here = crypto.randomUUID()
  const unsent = new Set<string>()
  let closed = false
  let client: pg.Client
  let retry: NodeJS.Timeout | undefined

  const spread = (topic: string) => {
    for (const listener of listeners) listener(topic)
  }
  const listen = async () => {
    client = new pg.Client({ connectionString, keepAlive: true, connectionTimeoutMillis: 5000, query_timeout: 5000 })
    client.on('error', reopen)
    client.on('end', reopen)
    client.on('notification', ({ payload = '' }) => {
      const [sender, ...topics] = payload.split(' ')
      if (sender !== here) for (const topic of topics) spread(topic)
    })
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
    } catch (error) {
      client.end()
      throw error
    }
  }
  // A notice that cannot be sent is made good by the age limit of what is kept.
  const send = async () => {
    if (closed || unsent.size === 0) return
    const payload = [here, ...unsent].join(' ')
    unsent.clear()
    await pool.query('select pg_notify($1, $2)', [channel, payload]).catch(() => {})
  }
  const reopen = () => {
    if (closed || retry) return
    retry = setTimeout(async () => {
      retry = undefined
      await listen().then(() => spread('*'), reopen)
    }, 500)
  }
  await listen().catch(reopen) // a database that ends in this moment does not end the start

  return {
    tell(topic) {
      spread(topic)
      if (unsent.size === 0) setTimeout(send, gatheredMs)
      unsent.add(topic)
    },
    on: (listener) => void listeners.push(listener),
    async close() {
      await send() // a command tells and ends
      closed = true
      clearTimeout(retry)
      await client.end().catch(() => {})
    },
  }
}
