import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { anOrder } from './shopping.ts'
import { anEmptyStore } from './store.ts'

/** The owner's command on this database: its exit code and what it said. */
function checkBooks(connectionString: string): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['scripts/check-books.ts'], {
    cwd: path.join(import.meta.dirname, '..'),
    env: { PATH: process.env.PATH, DATABASE_URL: connectionString },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said })))
}

test("the owner's command says of eight things that they are right, and ends with 1 and the fault when one is not", async () => {
  await using store = await anEmptyStore({ cards: true, wrongBooks: true })
  await anOrder(store, { quantity: 2 })

  const right = await checkBooks(store.connectionString)
  assert.deepEqual([right.code, right.said.match(/^right {2}/gm)?.length], [0, 8], right.said)

  await store.db.execute(sql`update tools set available_quantity = 41`)
  const wrong = await checkBooks(store.connectionString)
  assert.equal(wrong.code, 1, wrong.said)
  assert.match(wrong.said, /^WRONG {2}Stock is never negative/m)
  assert.match(wrong.said, /Drill has 41 pieces in stock, its movements make 38/)
  assert.equal(wrong.said.match(/^right {2}/gm)?.length, 7, wrong.said)
})
