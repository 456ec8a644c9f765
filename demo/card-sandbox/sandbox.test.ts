import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { Script } from 'node:vm'
import { createTestDatabase, runSql, startTestSandbox, stripeClientFor } from './test-sandbox.ts'

const connectionString = await createTestDatabase({ after })
// At one moment, in an empty database: both make the tables.
const [first, second] = await Promise.all([startTestSandbox({ after }, connectionString), startTestSandbox({ after }, connectionString)])

test('two processes that open at one moment share keys and ledger', async () => {
  assert.match(first.secretKey, /^sk_test_sandbox\w{20,}$/)
  assert.match(first.publishableKey, /^pk_test_sandbox\w{20,}$/)
  assert.match(first.webhookSecret, /^whsec_\w{20,}$/)
  assert.deepEqual(
    [second.secretKey, second.publishableKey, second.webhookSecret],
    [first.secretKey, first.publishableKey, first.webhookSecret],
  )
  const { id } = await stripeClientFor(first).paymentIntents.create({ amount: 500, currency: 'usd' })
  assert.equal((await stripeClientFor(second).paymentIntents.retrieve(id)).amount, 500)
})

test('where the port is taken the next free one is used', async (t) => {
  const { port } = first
  const next = await startTestSandbox(t, connectionString, { port })
  assert.ok(next.port > port && next.port <= port + 20)
  assert.equal(next.origin, `http://127.0.0.1:${next.port}`)
  assert.equal((await fetch(next.libraryUrl)).status, 200)
})

test('a ledger from before there were lists is opened all the same, and keeps what it has', async (t) => {
  const database = await createTestDatabase(t)
  const old = await startTestSandbox(t, database)
  const { id } = await stripeClientFor(old).paymentIntents.create({
    amount: 500,
    currency: 'usd',
    payment_method: 'pm_card_visa',
    confirm: true,
  })
  await old.close()
  for (const table of ['intents', 'charges']) await runSql(database, `alter table sandbox.${table} drop column seq`)
  for (const table of ['refunds', 'disputes', 'challenges', 'later']) await runSql(database, `drop table sandbox.${table}`)
  await runSql(database, 'comment on schema sandbox is null')

  const shop = stripeClientFor(await startTestSandbox(t, database))
  assert.deepEqual(
    (await shop.paymentIntents.list()).data.map((intent) => intent.id),
    [id],
  )
  assert.equal((await shop.refunds.create({ payment_intent: id })).amount, 500)
})

test('closing ends a connection that a browser has opened in advance and sent nothing over', async (t) => {
  const closing = await startTestSandbox(t, connectionString)
  const silent = connect(closing.port, '127.0.0.1')
  await once(silent, 'connect')
  assert.equal((await fetch(closing.libraryUrl)).status, 200)
  const closed = closing.close()
  const isOpen = () =>
    fetch(closing.libraryUrl).then(
      () => true,
      () => false,
    )
  while (await isOpen());
  for (let turn = 0; turn < 100 && !silent.closed; turn++) await new Promise(setImmediate)
  const endedBy = silent.closed ? 'the sandbox' : 'the browser'
  silent.destroy()
  await closed
  assert.equal(endedBy, 'the sandbox')
})

test('nothing of the controls is reached over HTTP', async () => {
  for (const path of ['/controls', '/v1/controls', '/v1/test_helpers', '/v1/webhook_endpoints']) {
    const response = await fetch(first.origin + path, { method: 'POST', headers: { authorization: `Bearer ${first.secretKey}` } })
    assert.equal(response.status, 404)
  }
})

test('a page of another origin may load the library, and it is a script', async () => {
  const response = await fetch(first.libraryUrl)
  assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin')
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  assert.ok(new Script(await response.text()))
})

test('the card frame runs its own script and style and nothing else, and only pages on this machine may show it', async () => {
  const response = await fetch(`${first.origin}/frame`)
  const page = await response.text()
  const policy = new Map((response.headers.get('content-security-policy') ?? '').split('; ').map((rule) => [rule.split(' ')[0], rule]))
  assert.equal(policy.get('default-src'), "default-src 'none'")
  assert.equal(policy.get('connect-src'), "connect-src 'self'")
  assert.equal(policy.get('frame-ancestors'), 'frame-ancestors http://localhost:* http://127.0.0.1:*')
  for (const element of ['script', 'style']) {
    const [text] = [...page.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map((match) => match[1] ?? '')
    const hash = createHash('sha256')
      .update(text ?? '')
      .digest('base64')
    assert.equal(policy.get(`${element}-src`), `${element}-src 'sha256-${hash}'`)
  }
  assert.doesNotMatch(page, /src="|href="|https?:\/\/(?!\\)[a-z]/)
})

test('the card fields can be filled in by the browser and typed on a number pad', async () => {
  const page = await (await fetch(`${first.origin}/frame`)).text()
  for (const kind of ['cc-number', 'cc-exp', 'cc-csc']) {
    assert.match(page, new RegExp(`<input [^>]*inputmode="numeric" autocomplete="${kind}"`))
  }
})
