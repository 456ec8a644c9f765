import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SQL, sql } from 'drizzle-orm'
import { TransactionRollbackError } from 'drizzle-orm/errors'
import { checkInvariants } from '#store/orders/payments/invariants.ts'
import { createProducts, payOrder, placeLines } from '#test/many-lines-actions.ts'
import { createTestStoreWithCards } from '#test/order-actions.ts'
import { decide, openReturnOf, receiveAll } from '#test/return-actions.ts'
import { sendPieces } from '#test/shipment-actions.ts'

const withoutTriggers = (table: string) => sql.raw(`alter table ${table} disable trigger user`)

/** R1001: one drill refunded into stock, one replaced and sent again. R1002: a saw of a withdrawal, not here yet. */
const tampered: [what: string, statements: SQL[], fault: RegExp][] = [
  [
    'a piece that came',
    [sql`update return_lines set arrived = 1`],
    /^Line 1 of order 1001: 2 pieces returned|^Line 2 of order 1001: 0 pieces returned, its returns make 1;/,
  ],
  [
    'more asked back than sent',
    [sql`update return_lines set quantity = 5 where arrived = 0`],
    /^Of line 2 of order 1001 2 pieces are sent and 0 sent again, 0 have come back and 5 more/,
  ],
  [
    'a replacement that nobody took',
    [sql`update order_lines set replaced = 0 where position = 1`],
    /1 sent again, 1; 0 replaced, 1; 1 back in stock, 1$/,
  ],
  [
    'a restocked piece that counts as unsent',
    [sql`update order_lines set returned_restocked = 0`],
    /1 back in stock, 1$|0 back in stock, 1$/,
  ],
  [
    'a parcel of the return that is gone',
    [sql`delete from shipment_lines where shipment_id = (select id from shipments where return_id is not null)`],
    /^The shipments of return R1001 make 0 pieces of line 1, 1 are sent again$/,
  ],
  [
    'a return of another order',
    [sql`update returns set order_id = (select id from orders where number = 1002) where number = 1002`],
    /^Return R1002 has no lines, or one of another order$/,
  ],
  [
    'a piece decided twice',
    [sql`update return_decisions set quantity = 2`],
    /^Return R1001 is closed: of 2 pieces of line 1 2 have arrived and 0 were refused before, 4 and 0 are decided/,
  ],
  [
    'a closed return that is open',
    [sql`update returns set status = 'open' where number = 1001`],
    /^Return R1001 is decided and not closed$/,
  ],
  [
    'an open return that is closed',
    [sql`update returns set status = 'closed' where number = 1002`],
    /^Return R1002 is closed: of 1 pieces of line 2 0 have arrived/,
  ],
  [
    'a withdrawal that is taken back',
    [sql`update returns set status = 'taken back' where number = 1002`],
    /^Return R1002 comes of a withdrawal, and is taken back$/,
  ],
  [
    'a refund for more than was returned',
    [sql`update refund_lines set pieces = 2, returned = 2`],
    /^A refund of order 1001 is for 2 returned pieces of line 1, 0 of them into stock, its return decides 1$/,
  ],
  ['a refund that returns nothing', [sql`update refund_lines set returned = 0`], /is for 0 returned pieces of line 1/],
  ['a refund that also restocks', [sql`update refund_lines set restock = 1`], /of line 1, 1 of them into stock/],
  [
    'the line of a refund that is gone',
    [sql`delete from refund_lines`],
    /^Return R1001 gives money back for line 1 of order 1001, and its refund has no such line$/,
  ],
]

test('whatever somebody does to returns by hand, the books say so', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 3, [saw]: 2 })
  await payOrder(store, order)
  await placeLines(store, { [drill]: 1 })
  await sendPieces(store, order)
  const asked = await openReturnOf(store, order, 2)
  await receiveAll(store, asked)
  const decided = await decide(store, asked, [
    [0, 1, 'refund', { restock: true }],
    [0, 1, 'replacement'],
  ])
  assert.equal(decided.statusCode, 200, decided.body)
  const lines = [{ _id: order.lines[0]?._id, quantity: 1 }]
  assert.equal((await store.admin.request('POST', `/returns/${asked._id}/shipments`, { lines })).statusCode, 201)
  await openReturnOf(store, order, 0, 1)
  await store.db.execute(sql`update returns set cause = 'withdrawal' where number = 1002`)
  for (const [what, statements, fault] of tampered)
    await store.db
      .transaction(async (tx) => {
        for (const table of ['returns', 'return_lines', 'return_decisions', 'shipment_lines', 'order_lines'])
          await tx.execute(withoutTriggers(table))
        for (const statement of statements) await tx.execute(statement)
        const faults = (await checkInvariants(tx)).flatMap(({ violations }) => violations)
        assert.ok(
          faults.some((said) => fault.test(said)),
          `${what}: ${faults.join('\n')}`,
        )
        tx.rollback()
      })
      .catch((error) => {
        if (!(error instanceof TransactionRollbackError)) throw error
      })
  await store.db.execute(sql`update returns set cause = 'asked' where number = 1002`)
})
