import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { StartupError } from '#platform/startup-error.ts'
import { storedValues } from '#platform/stored-values.ts'
import { isFullRun } from '#proof/full-run.ts'
import { waitUntil } from '#proof/running-store.ts'
import { type CurrencyCode, currencies, currencyCodes } from '#shared/currencies.ts'
import { setStoreCurrency, storeCurrency } from '#shared/currency.ts'
import { createProduct, createTestStoreWithCards, openPaymentIntent, placePurchase } from '#test/order-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { adoptDatabaseCurrency, currencyKey, setCurrencyFromDatabase } from './database-currency.ts'

const usd = storeCurrency()
afterEach(() => setStoreCurrency(usd))

/** The currency after a start with this setting. */
async function startedWith({ db }: Store, setting?: CurrencyCode) {
  setStoreCurrency(usd)
  await adoptDatabaseCurrency(db, setting)
  return storeCurrency().code
}
const storedCurrency = async ({ db }: Store) =>
  (await db.select().from(storedValues).where(eq(storedValues.name, currencyKey))).map(({ value }) => value)
/** How many connections wait for a lock. */
async function waitingFor({ db }: Store): Promise<number> {
  const { rows } = await db.execute(sql`select pid from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database() group by pid`)
  return rows.length
}
const order = (store: Store, price: number, quantity: number, toolId: string) =>
  store.customer.request('POST', '/purchase', {
    ...{ productName: 'Drill', productQuantity: quantity, productCost: price * quantity, buyerAddress: '1 Road', toolId },
  })

test('a store sells in US dollars unless told otherwise, remembers what it was told, and changes it until the first order', async () => {
  await using store = await createTestStoreWithCards()
  const starts = [await startedWith(store), await startedWith(store, 'eur'), await startedWith(store), await startedWith(store, 'gbp')]
  assert.deepEqual(starts, ['usd', 'eur', 'eur', 'gbp'])

  await openPaymentIntent(store, await placePurchase(store, { dollars: 12, quantity: 2 }))
  const { rows } = await store.db.execute(
    sql`select o.currency as ordered, p.currency as asked from orders o join payments p on p.order_id = o.id`,
  )
  assert.deepEqual(rows, [{ ordered: 'gbp', asked: 'gbp' }])
  assert.equal((await store.cards.stripe.paymentIntents.list()).data[0]?.currency, 'gbp')

  assert.deepEqual([await startedWith(store), await startedWith(store, 'gbp')], ['gbp', 'gbp'])
  const message = 'CURRENCY is EUR, but this store has orders in GBP, and the first order fixes the currency'
  await assert.rejects(startedWith(store, 'eur'), (error) => error instanceof StartupError && error.message === message)
})

test('a store from before there was a setting keeps the currency of its orders, of the first where there are others', async () => {
  await using store = await anEmptyStore({ allowWrongBooks: true })
  await placePurchase(store)
  await placePurchase(store)
  await store.db.execute(sql`update orders set currency = 'eur' where number = (select min(number) from orders)`)
  assert.deepEqual(await storedCurrency(store), [])
  await assert.rejects(startedWith(store, 'usd'), StartupError)
  assert.equal(await startedWith(store), 'eur')
})

test('a command takes the currency of the setting or the database, and changes neither', async () => {
  await using store = await anEmptyStore()
  assert.deepEqual([await setCurrencyFromDatabase(store.db, 'eur'), await storedCurrency(store)], ['eur', []])
  await startedWith(store, 'gbp')
  assert.deepEqual(
    [await setCurrencyFromDatabase(store.db, undefined), storeCurrency().code, await storedCurrency(store)],
    ['gbp', 'gbp', ['gbp']],
  )
})

test('a process that is still open in another currency than the store has by now places no order', async () => {
  await using store = await anEmptyStore()
  const toolId = await createProduct(store, { dollars: 5 })
  await startedWith(store, 'eur')
  setStoreCurrency(usd)
  const refused = await order(store, 5, 1, toolId)
  assert.deepEqual([refused.statusCode, refused.json().message], [503, 'Orders cannot be placed at the moment: try again in a few minutes'])
  assert.equal(await store.db.$count(sql`orders`), 0)
  await startedWith(store, 'eur')
  assert.equal((await order(store, 5, 1, toolId)).statusCode, 201)
})

test('an order that comes while the currency is changed waits, and is refused', async () => {
  await using store = await anEmptyStore()
  const toolId = await createProduct(store, { dollars: 5 })
  await startedWith(store, 'usd')
  await store.customer.token()
  let placing: ReturnType<typeof order> | undefined
  await store.db.transaction(async (tx) => {
    await adoptDatabaseCurrency(tx, 'eur')
    setStoreCurrency(usd) // the process that sells is another one
    placing = order(store, 5, 1, toolId)
    await waitUntil('the order waits', async () => (await waitingFor(store)) === 1)
  })
  assert.equal((await placing)?.statusCode, 503)
  assert.equal(await store.db.$count(sql`orders`), 0)
})

test('a change of the currency waits for an order that is being placed, and is refused', async () => {
  await using store = await anEmptyStore()
  const toolId = await createProduct(store, { dollars: 5 })
  await startedWith(store, 'usd')
  await store.customer.token()
  const asked: { placing?: ReturnType<typeof order>; starting?: Promise<unknown> } = {}
  await store.db.transaction(async (tx) => {
    await tx.execute(sql`lock table stock_movements in share mode`) // where a placing order stops, after it has been written
    asked.placing = order(store, 5, 1, toolId)
    await waitUntil('the order waits', async () => (await waitingFor(store)) === 1)
    asked.starting = startedWith(store, 'eur').catch((error) => error)
    await waitUntil('the start waits', async () => (await waitingFor(store)) === 2)
  })
  assert.equal((await asked.placing)?.statusCode, 201)
  assert.ok((await asked.starting) instanceof StartupError)
  assert.deepEqual(await storedCurrency(store), ['usd'])
})

test('a start without a setting heals a database whose orders are in another currency than it keeps', async () => {
  await using store = await anEmptyStore()
  const toolId = await createProduct(store, { dollars: 5 })
  assert.equal((await order(store, 5, 1, toolId)).statusCode, 201)
  await store.db.insert(storedValues).values({ name: currencyKey, value: 'eur' })
  assert.equal(await startedWith(store), 'usd')
  assert.equal((await order(store, 5, 1, toolId)).statusCode, 201)
})

test('in every currency the least that a card can pay can be ordered and is asked for at the provider, and a cent less is refused in words', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store, { dollars: 0.01, pieces: 100_000 })
  for (const code of currencyCodes.filter((_, nth) => isFullRun || nth % 4 === 0)) {
    setStoreCurrency({ code, ...currencies[code] })
    const { symbol, minCents } = storeCurrency()
    const tooLittle = await order(store, 0.01, minCents - 1, toolId)
    const least = `${symbol}${minCents % 100 === 0 ? minCents / 100 : (minCents / 100).toFixed(2)}`
    assert.deepEqual(
      [tooLittle.statusCode, tooLittle.json().message],
      [400, `An order costs at least ${least}, the least that a card can pay`],
    )
    const placed = await order(store, 0.01, minCents, toolId)
    assert.equal(placed.statusCode, 201, `${code}: ${placed.body}`)
    const intent = await store.cards.stripe.paymentIntents.retrieve(await openPaymentIntent(store, placed.json()))
    assert.deepEqual([intent.currency, intent.amount], [code, minCents])
    await store.customer.request('POST', `/purchase/${placed.json()._id}/cancel`, {})
    await store.db.execute(sql`update orders set currency = 'usd'`) // for the books, which want one
    await store.db.execute(sql`update payments set currency = 'usd'`)
  }
})

test('the books say when orders are in two currencies', async () => {
  await using store = await anEmptyStore({ allowWrongBooks: true })
  await placePurchase(store)
  await placePurchase(store)
  assert.deepEqual(await store.faults(), [])
  await store.db.execute(sql`update orders set currency = 'eur' where number = (select min(number) from orders)`)
  assert.deepEqual(await store.faults(), ['There are orders in eur, usd'])
})
