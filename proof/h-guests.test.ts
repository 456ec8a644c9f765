import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Order } from '#store/orders/order-contract.ts'
import { holderOfLink, placeGuestOrder } from '#test/guest-actions.ts'
import { confirmIntent, createProduct, intentIdFromSecret, waitForWebhooks } from '#test/order-actions.ts'
import { type Actor, anEmptyStore, type Store } from '#test/store.ts'
import { sampleSize } from './full-run.ts'

/** Somebody at one network who makes up another e-mail for each order. */
const invented = (nth: number) => ({
  email: `made.up.${nth}@mail-${nth}.example`,
  from: `2001:db8:7:${(nth % 16).toString(16)}::${nth.toString(16)}`,
})

type Held = { orders: number; pieces: number; dollars: number }
async function held(store: Store, whose: string): Promise<Held> {
  const { rows } = await store.db.execute<Held>(sql`select count(distinct o.id)::int as orders, coalesce(sum(quantity), 0)::int as pieces,
    coalesce(sum(l.total_cents) / 100, 0)::int as dollars from orders o join order_lines l on l.order_id = o.id
    where order_status = 'open' and buyer_email like ${whose}`)
  const [found] = rows
  assert.ok(found)
  return found
}

test('H15 a thousand invented addresses of one network hold no more stock as guests, and get no more mails, than one account that has never paid', async (t) => {
  await using store = await anEmptyStore()
  const addresses = sampleSize(60, 1000)
  const toolId = await createProduct(store, { dollars: 1, pieces: 1_000_000 })
  const attempts: (() => Promise<unknown>)[] = Array.from(
    { length: addresses },
    (_, nth) => () => placeGuestOrder(store, { [toolId]: nth % 2 ? 1 : 600 }, invented(nth)),
  )
  let placed = 0
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let next = attempts.pop(); next; next = attempts.pop())
        await next().then(
          () => placed++,
          ({ status }) => assert.ok([409, 429].includes(status)),
        )
    }),
  )
  const account = store.newCustomer('Mallory')
  for (let nth = 0; nth < 40; nth++)
    await account.request('POST', '/orders', { lines: [{ productId: toolId, quantity: nth % 2 ? 1 : 600 }], buyerAddress: '1 Road' })

  const [ofGuests, ofAccount] = [await held(store, 'made.up.%'), await held(store, account.email)]
  const limits = store.orderPolicy.buyerLimits ?? assert.fail()
  assert.equal(ofGuests.orders, limits.openOrders)
  assert.deepEqual([ofGuests.orders, ofGuests.pieces <= limits.heldPieces], [ofAccount.orders, true])
  let mails = 0
  for (let nth = 0; nth < addresses; nth++) mails += (await store.emailsTo(invented(nth).email)).length
  assert.equal(mails, 3)

  const elsewhere = await placeGuestOrder(store, { [toolId]: 600 }, { from: '203.0.113.9', email: 'honest@mail.example' })
  assert.equal((await store.emailsTo(elsewhere.buyerEmail)).length, 1)
  t.diagnostic(`${addresses} addresses placed ${placed} orders, hold ${ofGuests.pieces} pieces and got ${mails} mails`)
})

test('C7 a card tester who orders as a guest with another address each time: after twenty declined cards from one network no card of a guest there reaches the provider, and who has paid before, is verified or comes from elsewhere pays', async (t) => {
  await using store = await anEmptyStore({ cards: true })
  const toolId = await createProduct(store, { pieces: 1000 })
  const open = (buyer: Actor, { _id: orderId }: Order) => buyer.request('POST', '/create-payment-intent', { orderId, productCost: 30 })
  const orderAs = async (buyer: Actor): Promise<Order> => {
    const body = { lines: [{ productId: toolId, quantity: 1 }], buyerAddress: '1 Road' }
    const authorization = `Bearer ${await buyer.token()}`
    return (await store.visitorFrom('2001:db8:7::1').request('POST', '/orders', body, { authorization })).json()
  }
  const regular = store.newCustomer('Regular')
  const bought = await open(regular, await orderAs(regular))
  await confirmIntent(store, intentIdFromSecret(bought.json().clientSecret))
  await waitForWebhooks(store)
  const waiting = await placeGuestOrder(store, { [toolId]: 1 }, invented(999))
  const waitingIntent = intentIdFromSecret((await open(holderOfLink(store, waiting), waiting)).json().clientSecret)

  let [reached, refusals] = [0, 0]
  for (let nth = 0; nth < 8; nth++) {
    const order = await placeGuestOrder(store, { [toolId]: 1 }, invented(nth))
    const opened = await open(holderOfLink(store, order), order)
    if (opened.statusCode === 429) {
      refusals++
      continue
    }
    for (let cards = 0; cards < 6; cards++) {
      await assert.rejects(confirmIntent(store, intentIdFromSecret(opened.json().clientSecret), 'pm_card_visa_chargeDeclined'), (error) => {
        if (error instanceof Stripe.errors.StripeCardError) reached++
        return true
      })
      await waitForWebhooks(store)
    }
  }
  assert.deepEqual([reached, refusals], [20, 4])
  assert.equal(
    (await store.cards.stripe.paymentIntents.retrieve(waitingIntent)).status,
    'canceled',
    'what was opened before is closed, too',
  )
  assert.equal((await open(regular, await orderAs(regular))).statusCode, 200)
  const verified = store.newCustomer('Verified')
  const order = await orderAs(verified)
  await store.db.execute(sql`update users set email_verified = true where email = ${verified.email}`)
  assert.equal((await open(verified, order)).statusCode, 200)
  const elsewhere = await placeGuestOrder(store, { [toolId]: 1 }, { email: 'honest@mail.example', from: '203.0.113.9' })
  assert.equal((await open(holderOfLink(store, elsewhere), elsewhere)).statusCode, 200)
  t.diagnostic(`guests of one network tried ${reached} declined cards of 48`)
})
