import { createServer } from 'node:http'
import pg from 'pg'
import Stripe from 'stripe'
import { createEmptyDatabase } from '#test/postgres.ts'
import { type CardSandbox, openCardSandbox } from './sandbox.ts'

/* Test helpers: an empty database, a sandbox in it, and clients of the shop (Stripe's SDK) and the browser (form by fetch). */

/** Closes resources after the test: a test context, or `{ after }` for a whole file. */
type CleanupRegistrar = { after(close: () => Promise<void>): void }

/** A new empty database, deleted after the test. */
export async function createTestDatabase(until: CleanupRegistrar): Promise<string> {
  const database = await createEmptyDatabase()
  until.after(async () => {
    await database[Symbol.asyncDispose]()
  })
  return database.connectionString
}

export async function runSql<Row extends pg.QueryResultRow>(connectionString: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** A sandbox on the given database. `webhookUrl` defaults to a port on which nothing listens; null means no webhooks. */
export async function startTestSandbox(
  until: CleanupRegistrar,
  connectionString: string,
  { port = 0, webhookUrl = 'http://127.0.0.1:9/' }: { port?: number; webhookUrl?: string | null | undefined } = {},
) {
  const sandbox = await openCardSandbox({ connectionString, port, ...(webhookUrl !== null && { webhookUrl }) })
  until.after(sandbox.close)
  return sandbox
}

/** A sandbox on a new database, with a Stripe client of the shop. */
export async function createTestSandbox(until: CleanupRegistrar, webhookUrl?: string) {
  const connectionString = await createTestDatabase(until)
  const sandbox = await startTestSandbox(until, connectionString, { webhookUrl })
  return { connectionString, sandbox, stripe: stripeClientFor(sandbox) }
}

/** The Stripe client of the shop. Without retries, so that a test sees every response. */
export function stripeClientFor({ secretKey, host, port, protocol }: CardSandbox, key = secretKey): Stripe {
  return new Stripe(key, { host, port, protocol, maxNetworkRetries: 0 })
}

/** Sends a form-encoded POST request, as a browser or curl does. */
export async function postForm(sandbox: CardSandbox, path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(sandbox.origin + path, { method: 'POST', headers, body: new URLSearchParams(form) })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, content: JSON.parse(text) }
}

/** Sends the request of the card frame that confirms a payment. */
export function payAsBrowser(sandbox: CardSandbox, clientSecret: string, card: Record<string, string>, headers?: Record<string, string>) {
  const { number = '4242424242424242', exp_month = '12', exp_year = '40', cvc = '123' } = card
  return postForm(
    sandbox,
    `/v1/payment_intents/${clientSecret.replace(/_secret_.*/, '')}/confirm`,
    {
      key: sandbox.publishableKey,
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': exp_month,
      'payment_method_data[card][exp_year]': exp_year,
      'payment_method_data[card][cvc]': cvc,
      'payment_method_data[billing_details][name]': 'Ada Byron',
      'payment_method_data[billing_details][email]': 'ada@example.com',
    },
    headers,
  )
}

export type ReceivedWebhook = { body: string; signature: string; type: string }

/** A webhook receiver that records requests. @param statusFor the status of the nth response, 200 by default */
export async function startWebhookReceiver(until: CleanupRegistrar, statusFor: (nth: number) => number | Promise<number> = () => 200) {
  const received: ReceivedWebhook[] = []
  let onReceived = () => {}
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', async () => {
      const body = Buffer.concat(parts).toString()
      received.push({ body, signature: String(request.headers['stripe-signature']), type: JSON.parse(body).type })
      onReceived()
      response.writeHead(await statusFor(received.length)).end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  until.after(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/webhooks/stripe`,
    received,
    /** Resolves when `count` deliveries have arrived. */
    async arrived(count: number): Promise<ReceivedWebhook[]> {
      while (received.length < count) await new Promise<void>((resolve) => (onReceived = resolve))
      return received
    },
  }
}

/** The fields of the Stripe error with which this call must fail. */
export async function expectStripeError(call: Promise<unknown>) {
  try {
    await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return { ...error, message: error.message }
    throw error
  }
  throw new Error('This call should have been refused')
}
