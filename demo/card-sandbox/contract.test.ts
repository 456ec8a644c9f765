import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Stripe from 'stripe'
import { cards } from './contract/cards.ts'
import type { ContractTests } from './contract/contract-tests.ts'
import { intents } from './contract/intents.ts'
import { refunds } from './contract/refunds.ts'
import { errors, events, expanding, idempotency, lists, signatures } from './contract/wire.ts'
import { createTestSandbox } from './test-sandbox.ts'

/*
 * What the store relies on in a card provider, tried on the sandbox always and on Stripe too where STRIPE_TEST_SECRET_KEY is set: that
 * the sandbox is faithful is shown by both giving the same answers. On Stripe's side it makes intents, charges and refunds in test mode
 * and nothing else; it makes no webhooks there.
 */
const contract: ContractTests = {
  ...intents,
  ...cards,
  ...refunds,
  ...idempotency,
  ...lists,
  ...expanding,
  ...events,
  ...errors,
  ...signatures,
}

const providers: { [name: string]: Stripe } = { 'the sandbox': (await createTestSandbox({ after })).stripe }
const key = process.env.STRIPE_TEST_SECRET_KEY
if (key) {
  assert.match(key, /^(sk|rk)_test_/, 'STRIPE_TEST_SECRET_KEY is no key of the test mode: no real money is moved here')
  providers.Stripe = new Stripe(key, { maxNetworkRetries: 0, telemetry: false })
}

for (const [name, stripe] of Object.entries(providers)) {
  for (const [sentence, holds] of Object.entries(contract)) test(`${name}: ${sentence}`, () => holds(stripe))
}

test('the contract is of one piece: no sentence of it stands twice', (t) => {
  const parts = [intents, cards, refunds, idempotency, lists, expanding, events, errors, signatures]
  const sentences = parts.reduce((sum, part) => sum + Object.keys(part).length, 0)
  assert.equal(Object.keys(contract).length, sentences)
  t.diagnostic(`${sentences} sentences, tried on ${Object.keys(providers).join(' and ')}`)
})
