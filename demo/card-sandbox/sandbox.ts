import { type Bank, startBank } from './bank.ts'
import { type CallControls, openCallControls } from './call-controls.ts'
import { openDoors } from './doors.ts'
import { openLedger } from './ledger.ts'
import { startDeliveries, type WebhookControls } from './webhooks.ts'

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
  /** For tests, in the sandbox's own process only: nothing of it can be reached over HTTP. */
  controls: Controls
  /** Finishes what is under way, deliveries included, and cuts what a control holds. What is still to be delivered waits in the ledger. */
  close(): Promise<void>
}

/** What may go wrong between a shop and its provider, at a test's word. */
export type Controls = {
  calls: CallControls
  webhooks: WebhookControls
  /** What happens by itself a second after its cause: pending refunds that arrive, refunds that come back, disputes. */
  bank: Omit<Bank, 'stop'>
}

/**
 * Opens what stands in for Stripe in demo mode: a server of its own on loopback, so that card digits never touch the store's origin,
 * and a ledger of its own in the schema `sandbox`, which several processes may share. Takes the first free port from `port` on, at
 * most twenty further (0: any); fails when all are taken or the database does not answer. The facts: payments.md.
 * Without `webhookUrl` it only answers: nothing is delivered and nothing happens by itself, for a command that asks beside the store.
 */
export async function openCardSandbox(wish: { connectionString: string; port: number; webhookUrl?: string }): Promise<CardSandbox> {
  const { pool, keys } = await openLedger(wish.connectionString)
  const deliveries = startDeliveries(pool, wish.webhookUrl, keys.webhookSecret)
  const bank = startBank(pool, deliveries.wake, wish.webhookUrl !== undefined)
  const calls = openCallControls()
  const doors = openDoors(pool, keys, calls.accompany, deliveries.wake)
  const host = '127.0.0.1'

  let closing: Promise<void> | undefined
  function close() {
    closing ??= (async () => {
      calls.close()
      // The doors stay open while deliveries end: the shop may ask back while it answers one.
      await bank.stop()
      await deliveries.stop()
      await doors.close()
      await pool.end()
    })()
    return closing
  }

  try {
    const port = await listen(doors, host, wish.port)
    const origin = `http://${host}:${port}`
    const controls = { calls, webhooks: deliveries.controls, bank }
    return { origin, host, port, protocol: 'http', ...keys, library: `${origin}/sandbox.js`, controls, close }
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
