import { type BankSimulator, startBankSimulator } from './bank-simulator.ts'
import { createSandboxServer } from './http-server.ts'
import { openLedger, openLedgerPool } from './ledger.ts'
import { createRequestFaults, type RequestFaults } from './request-faults.ts'
import { startDeliveryWorker, type WebhookControls } from './webhooks.ts'

const PORTS_TO_TRY = 21

/** Address and API keys of the sandbox, as needed by `new Stripe(secretKey, { host, port, protocol })`. */
export type CardSandbox = {
  /** http://127.0.0.1:PORT */
  origin: string
  host: string
  port: number
  protocol: 'http'
  secretKey: string
  publishableKey: string
  webhookSecret: string
  /** URL of the browser library, for a script tag. */
  libraryUrl: string
  /** For tests in the same process only: not accessible over HTTP. */
  controls: SandboxControls
  /** Finishes running requests and deliveries, and resets requests held by a fault. Pending deliveries stay in the database. */
  close(): Promise<void>
}

/** Fault injection for tests. */
export type SandboxControls = {
  calls: RequestFaults
  webhooks: WebhookControls
  /** Steps scheduled one second after their cause: pending refunds that succeed, refunds that fail, disputes. */
  bank: Omit<BankSimulator, 'stop'>
}

/**
 * Starts the replacement for Stripe in demo mode: a separate server on loopback, so that card numbers never reach the store's origin, and a
 * separate ledger in the database schema `sandbox`, which several processes may share. Uses the first free port from `port` to `port` + 20
 * (0: any). Fails when all are taken or the database is unreachable.
 * Without `webhookUrl` it only responds to requests: no webhooks and no scheduled steps, for a script that runs beside the store.
 * @param openPool opens the connections to its ledger, for a test that has them already
 */
export async function openCardSandbox(
  options: { connectionString: string; port: number; webhookUrl?: string },
  openPool = openLedgerPool,
): Promise<CardSandbox> {
  const pool = openPool(options.connectionString)
  const keys = await openLedger(pool)
  const deliveries = startDeliveryWorker(pool, options.webhookUrl, keys.webhookSecret)
  const bank = startBankSimulator(pool, deliveries.wake, options.webhookUrl !== undefined)
  const calls = createRequestFaults()
  const server = createSandboxServer(pool, keys, calls.accompany, deliveries.wake)
  const host = '127.0.0.1'

  let closing: Promise<void> | undefined
  function close() {
    closing ??= (async () => {
      calls.close()
      // The server stays open until deliveries end: the shop may call the API while it handles a webhook.
      await bank.stop()
      await deliveries.stop()
      await server.close()
      await pool.end()
    })()
    return closing
  }

  try {
    const port = await listen(server, host, options.port)
    const origin = `http://${host}:${port}`
    const controls = { calls, webhooks: deliveries.controls, bank }
    return { origin, host, port, protocol: 'http', ...keys, libraryUrl: `${origin}/sandbox.js`, controls, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function listen(server: ReturnType<typeof createSandboxServer>, host: string, first: number): Promise<number> {
  for (let port = first; ; port++) {
    try {
      return Number(new URL(await server.listen({ host, port })).port)
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      if (!isTaken || port + 1 >= first + PORTS_TO_TRY) throw error
    }
  }
}
