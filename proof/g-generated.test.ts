import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { limits } from '#platform/limits.ts'
import { users } from '#store/identity/table.ts'
import { aPaidOrder, controlsOf, heard } from '#test/shopping.ts'
import { anEmptyStore, password } from '#test/store.ts'
import { pliers, wishFor } from './access.ts'
import { type Described, readDocument } from './document.ts'
import { anIssuer } from './issuer.ts'
import { type Generated, type Known, requestsTo } from './requests.ts'
import { howMany, whole } from './size.ts'

const seed = 20_261_121

test('G1 requests made from the OpenAPI document, good and broken, by three roles: no failure, and every answer fits the document', async (t) => {
  await using opened = new AsyncDisposableStack()
  const issuer = opened.use(await anIssuer())
  await issuer.start()
  const store = opened.use(await anEmptyStore({ cards: true, google: issuer.google, buyerLimits: 'off' }))
  const toolIds: string[] = []
  for (const name of ['Pliers', 'Pliers', 'Saw', 'Level', 'Clamp'])
    toolIds.push((await store.admin.ask('POST', '/tools', { ...pliers, name })).json()._id)
  const orderIds: string[] = []
  for (const pieces of [1, 2, 3, 4])
    orderIds.push((await store.customer.ask('POST', '/purchase', wishFor(toolIds[0] ?? '', pieces))).json()._id)
  const intents: string[] = []
  for (const [nth, orderId] of orderIds.slice(0, 2).entries()) {
    const { clientSecret } = (await store.customer.ask('POST', '/create-payment-intent', { orderId, productCost: 12 * (nth + 1) })).json()
    intents.push(`${clientSecret}`.split('_secret_')[0] ?? '')
  }
  // What can be given back, and what went wrong after it was paid.
  for (const card of [...Array(6).fill('pm_card_visa'), ...Array(4).fill('pm_card_createDispute')])
    orderIds.push((await aPaidOrder(store, { toolId: toolIds[1], dollars: 12, card })).order._id)
  await controlsOf(store).bank.hurry()
  await heard(store)
  const said = { name: 'Bob', img: '/bob.svg', about: 'Good pliers', rating: 5 }
  const review = await store.otherCustomer.ask('POST', '/reviews', said)
  const { calls, components } = await readDocument(store)

  const emails = [store.customer.email, store.customer.email, store.otherCustomer.email, store.admin.email, 'nobody@shop.example']
  const known: Known = {
    email: emails,
    buyerEmail: emails,
    password: [password],
    'id of tools': [...toolIds, orderIds[0]],
    'id of purchase': [...orderIds, toolIds[0]],
    'id of reviews': [review.json()._id, toolIds[0]],
    id: [...toolIds, ...orderIds],
    toolId: toolIds,
    orderId: orderIds,
    transectionId: intents,
    price: [1, 12, '25'],
    minimum_order_quantity: [1, '10'],
    available_quantity: [40, '100'],
    available_quantity_seen: [40],
    productName: ['Pliers', 'Saw'],
    productCost: [12, 24, 36, '24'],
    amountCents: [100, '200'],
    restock: [0],
    refundedCentsSeen: [0],
    productQuantity: [1, 2, 3, '2'],
    img: ['/drawings/pliers.svg', 'https://pictures.example/x.png'],
    picture: ['/ada.svg'],
    phone: ['+44 20 7946'],
    phone_number: ['+44 20 7946 0018'],
    linkedIn: ['linkedin.com/in/ada'],
    from: ['/home', '//evil.example'],
    'idempotency-key': ['one', 'two'],
  }
  const answers = validators(calls, components)

  /** The three callers stay who they are, whatever a request has just done to them. */
  const tokens: (string | undefined)[] = [undefined, await store.customer.token(), await store.admin.token()]
  async function restore() {
    await store.db.update(users).set({ role: 'customer', removedAt: null }).where(eq(users.email, store.customer.email))
    for (const [role, { email }] of [[1, store.customer] as const, [2, store.admin] as const]) {
      const alive = await store.visitor.ask('GET', `/user/${email}`, undefined, { authorization: `Bearer ${tokens[role]}` })
      if (alive.statusCode === 200) continue
      await store.db.delete(limits)
      tokens[role] = (await store.visitor.ask('POST', '/auth/sign-in/email', { email, password })).json().token
    }
  }
  const endsSession = ['POST /auth/sign-out', 'DELETE /user/{email}', 'PUT /user/admin/{email}']

  const came = new Map<string, number>()
  // What ends something goes last, else nothing would be left to change.
  const last = ['POST /purchase/{id}/cancel', 'DELETE /tools/{id}', 'DELETE /user/{email}', 'PUT /user/restored/{email}']
  const rank = ({ call }: Generated) => last.indexOf(`${call.method} ${call.path}`)
  const asked = fc
    .sample(requestsTo(calls, known, tokens.length), { seed, numRuns: howMany(300, 10_000) })
    .sort((one, other) => rank(one) - rank(other))
  for (const [nth, { call, path, headers, body, role }] of asked.entries()) {
    if (nth % 20 === 0) await store.db.delete(limits) // else most of it would be refused for coming too often
    const token = tokens[role]
    const answer = await store.visitor.ask(call.method, path, body, { ...headers, ...(token && { authorization: `Bearer ${token}` }) })

    const name = `${call.method} ${call.path}`
    const what = `${nth}: ${call.method} ${path} ${JSON.stringify(headers)} ${body?.slice(0, 500)} by ${role}: ${answer.statusCode} ${answer.body.slice(0, 500)}`
    assert.ok(answer.statusCode < 500, what)
    const fits = answers.get(`${name} ${answer.statusCode}`) ?? (answer.statusCode >= 400 && answers.get(`${name} default`))
    assert.ok(fits, `an answer that the document does not name: ${what}`)
    assert.ok(fits(answer.json()), `${what}: ${JSON.stringify(fits.errors)}`)

    came.set(`${answer.statusCode}`, (came.get(`${answer.statusCode}`) ?? 0) + 1)
    if (answer.statusCode < 300) came.set(name, (came.get(name) ?? 0) + 1)
    if (answer.statusCode < 300 && endsSession.includes(name)) await restore()
  }

  const neverWorked = calls.map(({ method, path }) => `${method} ${path}`).filter((name) => !came.has(name))
  // These want a token that nobody can make up, a card that has paid, or a file.
  const files = ['GET /imports/{id}', 'POST /imports', 'POST /imports/{id}/run']
  const cannotWork = [...files, 'PATCH /purchase/{id}', 'POST /auth/reset-password', 'POST /auth/verify-email']
  if (whole) assert.deepEqual(neverWorked.sort(), cannotWork.sort(), 'every other call was also asked as it wants to be asked')
  const statuses = [...came].filter(([name]) => /^\d+$/.test(name)).sort()
  t.diagnostic(
    `${asked.length} requests (seed ${seed}): ${statuses.map(([status, times]) => `${times} x ${status}`).join(', ')}; ${calls.length - neverWorked.length} of ${calls.length} calls also did what they are for`,
  )
})

/** The document's schema of every answer, ready to check with, under `METHOD path status`. */
function validators(calls: Described[], components: object): Map<string, ValidateFunction> {
  const ajv = new Ajv2020({ strict: false, validateFormats: false }) // every format of the document has its pattern beside it
  return new Map(
    calls.flatMap(({ method, path, answers }) =>
      Object.entries(answers).map(([status, schema]) => [`${method} ${path} ${status}`, ajv.compile({ ...schema, components })] as const),
    ),
  )
}
