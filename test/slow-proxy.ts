import net from 'node:net'

/** A TCP proxy before a database. It understands nothing of what goes by: it keeps answers back, or cuts connections. */
export type SlowProxy = {
  /** the database's address, by way of this proxy */
  connectionString: string
  /** how long each piece of an answer is kept back */
  delayMs: number
  /** connections that are open now */
  readonly connections: number
  /** Resets every connection at once. */
  resetConnections(): void
} & AsyncDisposable

export async function openSlowProxy(connectionString: string): Promise<SlowProxy> {
  const target = new URL(connectionString)
  const open = new Set<net.Socket>()
  const server = net.createServer((asker) => {
    const answerer = net.connect(Number(target.port), target.hostname)
    open.add(asker)
    asker.on('close', () => {
      open.delete(asker)
      answerer.destroy()
    })
    answerer.on('close', () => asker.destroy())
    asker.on('error', () => {})
    answerer.on('error', () => {})
    asker.pipe(answerer)
    answerer.on('data', (piece) => {
      if (proxy.delayMs === 0) asker.write(piece)
      else setTimeout(() => asker.writable && asker.write(piece), proxy.delayMs).unref()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const through = new URL(connectionString)
  through.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

  const proxy: SlowProxy = {
    connectionString: through.href,
    delayMs: 0,
    get connections() {
      return open.size
    },
    resetConnections() {
      for (const asker of open) asker.resetAndDestroy()
    },
    async [Symbol.asyncDispose]() {
      proxy.resetConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  return proxy
}
