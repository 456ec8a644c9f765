import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { RetryItemLaterError } from '#platform/jobs.ts'
import { setUpSeller } from '#test/document-actions.ts'
import { createTestStoreWithCards, placePaidOrder, waitForWebhooks } from '#test/order-actions.ts'
import { issueDueDocument } from './issue-documents.ts'
import { processDueDocument } from './render-documents.ts'
import { renderInWorker } from './render-in-worker.ts'
import { documents } from './table.ts'

test('a document that cannot be rendered keeps no other waiting, and is tried again later', async () => {
  await using store = await createTestStoreWithCards()
  for (let nth = 0; nth < 2; nth++) await placePaidOrder(store)
  await waitForWebhooks(store)
  await store.db.execute(
    sql`create function skip_rendering() returns trigger language plpgsql as 'begin new.next_try_at := now() + interval ''1 hour''; return new; end'`,
  )
  await store.db.execute(sql`create trigger skip_rendering before insert on document_files for each row execute function skip_rendering()`)
  await setUpSeller(store)
  while (await issueDueDocument(store.db));
  await store.jobs.whenIdle()
  await store.db.execute(sql`update document_files set next_try_at = now()`)

  let tries = 0
  const failing = async () => {
    tries++
    throw new Error('no ink')
  }
  await assert.rejects(processDueDocument(store.db, failing), RetryItemLaterError)
  const rendered: string[] = []
  const rendering: typeof renderInWorker = async ({ number }) => {
    rendered.push(number)
    return { pdf: new Uint8Array([37]), xml: null }
  }
  assert.equal(await processDueDocument(store.db, rendering), true)
  assert.equal(await processDueDocument(store.db, rendering), false, 'the first is due later')
  await store.db.execute(sql`update document_files set next_try_at = now() where pdf is null`)
  assert.equal(await processDueDocument(store.db, rendering), true)
  assert.deepEqual([tries, new Set(rendered).size], [1, 2])
})

test('a fault in the worker thread is the fault of one document, and the next has a worker', async () => {
  const broken = { number: 'broken' } as Parameters<typeof renderInWorker>[0]
  await using store = await createTestStoreWithCards()
  await setUpSeller(store)
  await placePaidOrder(store)
  await waitForWebhooks(store)
  await store.jobs.runAllOnce()
  const [document] = await store.db.select({ data: documents.data }).from(documents)
  await assert.rejects(renderInWorker(broken), /TypeError/)
  const { pdf } = await renderInWorker(document?.data ?? assert.fail('Nothing was issued'))
  assert.ok(pdf.length > 1000)
})
