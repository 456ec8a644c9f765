import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import Stripe from 'stripe'
import { callProvider, callProviderForEach, connectStripe } from './card-provider.ts'

const keys = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: 'whsec_1' }

test('an address of another card provider without a port has the port of its scheme, and IPv6 loses its brackets', () => {
  const reached = ['http://cards.example', 'https://cards.example', 'http://cards.example:7001', 'http://[::1]:7001'].map((apiUrl) => {
    const { stripe } = connectStripe({ ...keys, apiUrl })
    return [stripe.getApiField('protocol'), stripe.getApiField('host'), stripe.getApiField('port')].join(' ')
  })
  assert.deepEqual(reached, ['http cards.example 80', 'https cards.example 443', 'http cards.example 7001', 'http ::1 7001'])
})

test('the card provider is told nothing of how long its earlier answers took', async () => {
  const told: IncomingHttpHeaders[] = []
  const provider = createServer(({ headers }, response) => {
    told.push(headers)
    response.setHeader('request-id', `req_${told.length}`).setHeader('content-type', 'application/json').end('{"object":"balance"}')
  })
  await once(provider.listen(0, '127.0.0.1'), 'listening')
  const { port } = provider.address() as AddressInfo
  const { stripe } = connectStripe({ ...keys, apiUrl: `http://127.0.0.1:${port}` })
  for (const _ of [1, 2]) await stripe.balance.retrieve()
  provider.closeAllConnections()
  provider.close()
  assert.deepEqual(
    told.map((headers) => headers['x-stripe-client-telemetry']),
    [undefined, undefined],
  )
})

test('one object that the provider has no answer for stops nothing behind it; three in a row do', async () => {
  const away = () => callProvider(Promise.reject(new Stripe.errors.StripeConnectionError({ message: 'away', type: 'api_error' })))
  const done: number[] = []
  const run = (lost: number[]) =>
    callProviderForEach([1, 2, 3, 4, 5, 6], async (nth) => {
      done.push(nth)
      if (lost.includes(nth)) await away()
    })
  await assert.rejects(run([1, 2, 4, 5]), AggregateError)
  assert.deepEqual(done.splice(0), [1, 2, 3, 4, 5, 6])
  await assert.rejects(run([2, 3, 4]), AggregateError)
  assert.deepEqual(done, [1, 2, 3, 4])
})
