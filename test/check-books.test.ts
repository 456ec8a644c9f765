import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { isFullRun } from '../proof/full-run.ts'
import { placePurchase } from './order-actions.ts'
import { anEmptyStore } from './store.ts'
import { runCommand } from './store-process.ts'

const checkBooks = (connectionString: string) => runCommand('check-books.ts', connectionString)

test("the owner's command says of each thing that they are right, and ends with 1 and the fault when one is not", async () => {
  await using store = await anEmptyStore({ cards: true, allowWrongBooks: true })
  await placePurchase(store, { quantity: 2 })

  if (isFullRun) {
    const right = await checkBooks(store.connectionString)
    assert.deepEqual([right.code, right.said.match(/^right {2}/gm)?.length], [0, 22], right.said)
  }

  await store.db.execute(sql`update tools set available_quantity = 41`)
  const wrong = await checkBooks(store.connectionString)
  assert.equal(wrong.code, 1, wrong.said)
  assert.match(wrong.said, /^WRONG {2}Stock is never negative/m)
  assert.match(wrong.said, /Drill has 41 pieces in stock, its movements make 38/)
  assert.equal(wrong.said.match(/^right {2}/gm)?.length, 21, wrong.said)
})
