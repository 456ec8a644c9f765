import { createServer } from 'node:http'
import pg from 'pg'
import Stripe from 'stripe'
import { anEmptyDatabase } from '#test/postgres.ts'
import { type CardSandbox, openCardSandbox } from './sandbox.ts'

/* What the tests stand on: an empty database, a sandbox in it, the shop's way in (Stripe's SDK) and the browser's (a form by fetch). */

/** What is opened is closed by this: a test's context, or `{ after }` for a whole file. */
type Until = { after(close: () => Promise<void>): void }

/** An empty database of its own, gone when the test is. */
export async function freshDatabase(until: Until): Promise<string> {
  const database = await anEmptyDatabase()
  until.after(async () => {
    await database[Symbol.asyncDispose]()
  })
  return database.connectionString
}

export async function statement<Row extends pg.QueryResultRow>(connectionString: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** A sandbox of the given ledger; `webhookUrl` defaults to a place where nobody listens, and null is none at all. */
export async function openSandbox(
  until: Until,
  connectionString: string,
  { port = 0, webhookUrl = 'http://127.0.0.1:9/' }: { port?: number; webhookUrl?: string | null | undefined } = {},
) {
  const sandbox = await openCardSandbox({ connectionString, port, ...(webhookUrl !== null && { webhookUrl }) })
  until.after(sandbox.close)
  return sandbox
}

/** A sandbox in a database of its own, and the shop's way in. */
export async function freshSandbox(until: Until, webhookUrl?: string) {
  const connectionString = await freshDatabase(until)
  const sandbox = await openSandbox(until, connectionString, { webhookUrl })
  return { connectionString, sandbox, stripe: shopOf(sandbox) }
}

/** The shop's way in. Without retries, so that a test sees every answer. */
export function shopOf({ secretKey, host, port, protocol }: CardSandbox, key = secretKey): Stripe {
  return new Stripe(key, { host, port, protocol, maxNetworkRetries: 0 })
}

/** A POST by form as the browser or curl sends it. */
export async function post(sandbox: CardSandbox, path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(sandbox.origin + path, { method: 'POST', headers, body: new URLSearchParams(form) })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, content: JSON.parse(text) }
}

/** What the card frame sends when somebody pays. */
export function payAsBrowser(sandbox: CardSandbox, clientSecret: string, card: Record<string, string>, headers?: Record<string, string>) {
  const { number = '4242424242424242', exp_month = '12', exp_year = '40', cvc = '123' } = card
  return post(
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

export type Received = { body: string; signature: string; type: string }

/** A shop that only listens: it keeps what arrives and answers as it is told (200 by default). */
export async function openReceiver(until: Until, answer: (nth: number) => number | Promise<number> = () => 200) {
  const received: Received[] = []
  let heard = () => {}
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', async () => {
      const body = Buffer.concat(parts).toString()
      received.push({ body, signature: String(request.headers['stripe-signature']), type: JSON.parse(body).type })
      heard()
      response.writeHead(await answer(received.length)).end()
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
    /** Resolves when so many deliveries have arrived. */
    async arrived(count: number): Promise<Received[]> {
      while (received.length < count) await new Promise<void>((resolve) => (heard = resolve))
      return received
    },
  }
}

/** The fields of Stripe's error of a call that must fail. */
export async function refused(call: Promise<unknown>) {
  try {
    await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return { ...error, message: error.message }
    throw error
  }
  throw new Error('This call should have been refused')
}
