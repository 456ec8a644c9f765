import { openDoors } from './doors.ts'
import { openLedger } from './ledger.ts'
import { startDeliveries } from './webhooks.ts'

const PORTS_TO_TRY = 21

/** Where the sandbox listens and with which keys it is spoken to: what `new Stripe(secretKey, { host, port, protocol })` needs. */
export type CardSandbox = {
  /** http://127.0.0.1:PORT */
  origin: string
  host: string
  port: number
  protocol: 'http'
  secretKey: string
  publishableKey: string
  webhookSecret: string
  /** The browser's library, for a script tag. */
  library: string
  /** Finishes what is under way, deliveries included. What is still to be delivered waits in the ledger. */
  close(): Promise<void>
}

/**
 * Opens what stands in for Stripe in demo mode: a server of its own on loopback, so that card digits never touch the store's origin,
 * and a ledger of its own in the schema `sandbox`, which several processes may share. Takes the first free port from `port` on, at
 * most twenty further (0: any); fails when all are taken or the database does not answer. The facts: payments.md.
 */
export async function openCardSandbox(wish: { connectionString: string; port: number; webhookUrl: string }): Promise<CardSandbox> {
  const { pool, keys } = await openLedger(wish.connectionString)
  const deliveries = startDeliveries(pool, wish.webhookUrl, keys.webhookSecret)
  const doors = openDoors(pool, keys, deliveries.wake)
  const host = '127.0.0.1'

  let closing: Promise<void> | undefined
  function close() {
    closing ??= (async () => {
      // The doors stay open while deliveries end: the shop may ask back while it answers one.
      await deliveries.stop()
      await doors.close()
      await pool.end()
    })()
    return closing
  }

  try {
    const port = await listen(doors, host, wish.port)
    const origin = `http://${host}:${port}`
    return { origin, host, port, protocol: 'http', ...keys, library: `${origin}/sandbox.js`, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function listen(doors: ReturnType<typeof openDoors>, host: string, first: number): Promise<number> {
  for (let port = first; ; port++) {
    try {
      return Number(new URL(await doors.listen({ host, port })).port)
    } catch (error) {
      const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      if (!taken || port + 1 >= first + PORTS_TO_TRY) throw error
    }
  }
}
