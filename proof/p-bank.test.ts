import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { users } from '#store/identity/table.ts'
import { creditorReference } from '#store/orders/payment-methods/iban.ts'
import { orders } from '#store/orders/table.ts'
import { checkOut, putIntoCart } from '#test/checkout-actions.ts'
import { createProduct, createTestStoreWithCards } from '#test/order-actions.ts'
import { createSecondInstance } from '#test/second-instance.ts'
import type { Store } from '#test/store.ts'
import { camt, type EntryInFile, importEntries, sendStatement, setUpTransfers } from '#test/transfer-actions.ts'
import { sampleSize } from './full-run.ts'
import { pickRandom } from './generated-queries.ts'
import { seededRandom } from './seeded-random.ts'

const seed = 20_261_126

type AwaitingOrder = { number: number; totalCents: number; name: string }
const names = ['Ada Byron', 'Bob Boole', 'Grace Hopper', 'Edsger Dijkstra']

/** Orders that await a transfer, many of them of the same amount, by buyers whose names are alike. */
async function placeAwaitingOrders(store: Store, count: number): Promise<AwaitingOrder[]> {
  await setUpTransfers(store)
  await store.customer.token()
  await store.db.update(users).set({ emailVerified: true, limitsLiftedAt: new Date() })
  const toolId = await createProduct(store, { pieces: 5000, dollars: 10 })
  const placed: AwaitingOrder[] = []
  for (let nth = 0; nth < count; nth++) {
    const name = names[nth % names.length] ?? ''
    await putIntoCart(store.customer, { [toolId]: 1 + (nth % 3) })
    const { number, totalCents } = await checkOut(store.customer, { name, paymentMethod: 'bank_transfer' })
    placed.push({ number, totalCents, name })
  }
  return placed
}

const asTransferred = ({ number, totalCents, name }: AwaitingOrder): EntryInFile => ({
  ...{ amountCents: totalCents, name, text: `Order ${creditorReference(number)}`, reference: `B-${number}` },
})

/** What payers and banks do to a transfer. */
function disturb(entry: EntryInFile, all: AwaitingOrder[], random: ReturnType<typeof seededRandom>): EntryInFile {
  const { text = '', name = '', amountCents } = entry
  const at = text.length - 1 - random.below(6)
  const digit = `${(Number(text[at]) + 1 + random.below(8)) % 10}`
  const other = pickRandom(all, random)
  return pickRandom(
    [
      { ...entry, amountCents: amountCents - 1 - random.below(900) },
      { ...entry, amountCents: amountCents + 1 + random.below(900) },
      { ...entry, text: text.slice(0, at) + digit + text.slice(at + 1) },
      { ...entry, text: text.slice(0, at) + text.slice(at + 1) },
      {
        ...entry,
        text: text
          .replace(/^Order /, '')
          .split('')
          .reverse()
          .join(''),
      },
      { ...entry, text: `Invoice ${other.number}` },
      { ...entry, text: `${other.number} ${text.slice(0, -1)}`, name: name.split(' ').reverse().join(' ') },
      { ...entry, text: '', name: other.name },
      { ...entry, text: `${text} and ${creditorReference(other.number)}` },
    ],
    random,
  )
}

test('P1 of a statement whose lines are disturbed in amount, reference, name and order of words no money is booked to a wrong order', async (t) => {
  await using store = await createTestStoreWithCards()
  const random = seededRandom(seed)
  const count = sampleSize(20, 200)
  const placed = await placeAwaitingOrders(store, count)
  const disturbedOnes = new Set<number>()
  const entries = placed.map((order, nth) => {
    const entry = asTransferred(order)
    if (nth % 5 !== 0) return entry
    disturbedOnes.add(order.number)
    return disturb(entry, placed, random)
  })
  await importEntries(store, entries)
  const { rows } = await store.db.execute<{ number: number; text: string; amount: string; total: number }>(sql`
    select o.number, e.text, a.amount_cents as amount, o.total_cents as total
    from bank_assignments a join bank_entries e on e.id = a.entry_id join payments p on p.id = a.payment_id join orders o on o.id = p.order_id`)
  for (const { number, text, amount, total } of rows) {
    assert.equal(Number(amount), total)
    const meant = entries.find((entry) => entry.text === text && entry.amountCents === Number(amount) && entry.reference === `B-${number}`)
    assert.ok(meant, `"${text}" was booked to order ${number}`)
  }
  const untouched = placed.filter(({ number }) => !disturbedOnes.has(number)).length
  assert.ok(rows.length >= untouched, 'what was not disturbed is booked')
  assert.deepEqual(await store.faults(), [])
  t.diagnostic(`${count} lines, ${disturbedOnes.size} disturbed (seed ${seed}): ${rows.length} booked, none to a wrong order`)
})

test('P2 a statement is booked once, however often it is imported at once and whatever is killed meanwhile', async (t) => {
  await using store = await createTestStoreWithCards()
  const placed = await placeAwaitingOrders(store, sampleSize(8, 60))
  const file = Buffer.from(camt(placed.map(asTransferred)))
  const headers = { 'content-type': 'application/octet-stream' }
  let kills = 0
  for (let left = sampleSize(2, 25); left > 0; left--) {
    const other = await createSecondInstance(store)
    const sending = other.request(store.admin, 'POST', '/bank-statements?name=killed.xml', file, headers).catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 150 * left))
    await other.crash()
    kills++
    await sending
  }
  await Promise.all([sendStatement(store.admin, file), sendStatement(store.admin, file), sendStatement(store.admin, file)])
  await store.db.execute(sql`update bank_entries set added_at = now() - interval '1 hour' where matched_at is null`)
  await store.db.execute(sql`delete from job_runs`)
  await store.jobs.runAllOnce()
  const { rows } = await store.db.execute(sql`select count(*)::integer as entries, sum(left_cents)::integer as left from bank_entries`)
  assert.deepEqual(rows, [{ entries: placed.length, left: 0 }])
  assert.equal(await store.db.$count(orders, sql`payment_status = 'paid' and order_status = 'placed'`), placed.length)
  assert.deepEqual(await store.faults(), [])
  t.diagnostic(`${placed.length} entries, ${kills} kills`)
})
