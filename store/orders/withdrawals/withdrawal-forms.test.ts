import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Order } from '#store/orders/order-contract.ts'
import { createOrderLink } from '#store/orders/order-link.ts'
import { placeGuestOrder } from '#test/guest-actions.ts'
import { createProduct, createTestStoreWithCards, getOrderHistory } from '#test/order-actions.ts'
import { type Store, testSecret } from '#test/store.ts'
import { declared, placePaidInGermany, sendWithdrawalForm, showWithdrawal } from '#test/withdrawal-actions.ts'
import type { EndpointOutput } from '#web/api-caller.ts'
import type { showWithdrawalPage } from './contract.ts'
import { createWithdrawalPage } from './withdrawal-link.ts'

async function lookAt(store: Store, page: string, cookie = ''): Promise<EndpointOutput<typeof showWithdrawalPage>> {
  const answer = await store.visitor.request('GET', page.replace('/withdraw/', '/withdrawals/'), undefined, { cookie })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function pageOf(store: Store, order: Pick<Order, '_id'>): Promise<string> {
  const { page } = await showWithdrawal(store.customer, order)
  return page ?? assert.fail('The buyer has no page')
}

test('a withdrawal is typed, looked at and made without JavaScript and without signing in, by the secret address of its page', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidInGermany(store)
  const page = await pageOf(store, order)
  const opened = await lookAt(store, page)
  assert.deepEqual([opened.orderNumber, opened.typed.name, opened.typed.email], [order.number, 'Ada', store.customer.email])
  const [drills, saws] = order.lines.map(({ _id }) => `pieces.${_id}`) as [string, string]
  const fields = { ...declared, [drills]: '1', [saws]: '0' }

  const reviewed = await sendWithdrawalForm(store, page, { ...fields, send: 'review' })
  assert.deepEqual([reviewed.status, reviewed.location], [303, `${page}?step=confirm`])
  const seen = await lookAt(store, page, reviewed.cookie)
  assert.deepEqual([seen.isTyped, seen.errors, seen.withdrawn], [true, {}, []])
  assert.deepEqual(seen.typed.pieces, Object.fromEntries(order.lines.map(({ _id }, nth) => [_id, nth === 0 ? '1' : '0'])))
  assert.equal((await lookAt(store, createWithdrawalPage(testSecret, order._id), '')).isTyped, false)

  const made = await sendWithdrawalForm(store, page, { ...fields, send: 'withdraw' })
  assert.deepEqual([made.status, made.location], [303, `${page}?step=done`])
  const after = await lookAt(store, page, made.cookie)
  assert.deepEqual(
    after.withdrawn.map(({ name, lines }) => [name, lines.map(({ quantity }) => quantity)]),
    [['Ada Byron', [1]]],
  )
  const event = (await getOrderHistory(store, order)).find((line) => line.event === 'withdrawn')
  assert.deepEqual([event?.actor, event?.by], ['buyer', store.customer.email])
})

test('what is wrong is said at its field, what was typed is kept, and nothing is withdrawn from', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidInGermany(store)
  const page = await pageOf(store, order)
  const [drills, saws] = order.lines.map(({ _id }) => `pieces.${_id}`) as [string, string]
  for (const [fields, wrong] of [
    [{ name: '', email: 'nobody' }, ['email', 'name']],
    [{ ...declared, [drills]: '4', [saws]: '1' }, [drills]],
    [{ ...declared, [drills]: 'two' }, [drills]],
    [{ ...declared, [drills]: '-1' }, [drills]],
    [{ ...declared, [drills]: '0', [saws]: '' }, ['pieces']],
    [{ ...declared, [`pieces.${crypto.randomUUID()}`]: '1' }, undefined],
  ] as const) {
    for (const send of ['review', 'withdraw']) {
      const sent = await sendWithdrawalForm(store, page, { ...fields, send })
      assert.equal(sent.location, `${page}?refused=form`, JSON.stringify(fields))
      const shown = await lookAt(store, page, sent.cookie)
      if (wrong) assert.deepEqual(Object.keys(shown.errors).sort(), [...wrong])
      assert.equal(shown.typed.email, fields.email)
      assert.equal(shown.withdrawn.length, 0)
    }
  }
  const tooMuch = await sendWithdrawalForm(store, page, { ...declared, name: 'ü'.repeat(5000), send: 'review' })
  assert.equal(tooMuch.status, 303)
  const broken = await lookAt(store, page, 'nucleus.withdrawal=bm8')
  assert.equal(broken.isTyped, false)
})

test("a page of another's order, a made-up address and a form of another site withdraw from nothing", async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidInGermany(store)
  const other = await placeGuestOrder(store, { [await createProduct(store)]: 1 }, { more: { country: 'DE' } })
  const page = createWithdrawalPage(testSecret, order._id)
  const typed = await sendWithdrawalForm(store, page, { ...declared, send: 'review' })
  assert.equal((await lookAt(store, createWithdrawalPage(testSecret, other._id), typed.cookie)).isTyped, false)
  const orderLink = createOrderLink(testSecret, order._id) // of the page on which a guest follows an order
  for (const address of [page.slice(0, -1) + (page.endsWith('0') ? '1' : '0'), orderLink.replace('/order/', '/withdraw/'), '/withdraw/x']) {
    assert.equal((await store.visitor.request('GET', address.replace('/withdraw/', '/withdrawals/'))).statusCode, 404)
    assert.equal((await sendWithdrawalForm(store, address, { ...declared, send: 'withdraw' })).location, '/help#contact')
  }
  const asOrderToken = page.replace('/withdraw/', '')
  const read = await store.visitor.request('GET', `/orders/${order._id}`, undefined, { authorization: `Bearer order-${asOrderToken}` })
  assert.equal(read.statusCode, 401)
  const foreign = await sendWithdrawalForm(store, page, { ...declared, send: 'withdraw' }, { 'sec-fetch-site': 'cross-site' })
  assert.equal(foreign.location, `${page}?refused=forbidden`)
  assert.equal((await showWithdrawal(store.customer, order)).withdrawn.length, 0)
})

test("the page of a guest's order leads to that of its withdrawal without JavaScript", async () => {
  await using store = await createTestStoreWithCards()
  const order = await placeGuestOrder(store, { [await createProduct(store)]: 1 }, { more: { country: 'DE' } })
  const led = await sendWithdrawalForm(store, createOrderLink(testSecret, order._id), {})
  assert.deepEqual([led.status, led.location], [303, createWithdrawalPage(testSecret, order._id)])
  const made = await sendWithdrawalForm(store, led.location, { ...declared, send: 'withdraw' })
  assert.equal(made.location, `${led.location}?step=done`)
  const again = await sendWithdrawalForm(store, led.location, { ...declared, send: 'withdraw' })
  assert.equal(again.location, `${led.location}?refused=nothing_to_withdraw`)
  assert.equal((await sendWithdrawalForm(store, '/order/x', {})).location, '/help#contact')
})
