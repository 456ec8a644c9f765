import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, isNotNull, sql } from 'drizzle-orm'
import type { EmailMessage } from '#platform/mail.ts'
import { aSellingStore, correct, placePaidCheckout } from '#test/correction-actions.ts'
import { documentsOf, readPdf, setUpSeller } from '#test/document-actions.ts'
import { createTestStoreWithCards, placePaidOrder, waitForWebhooks } from '#test/order-actions.ts'
import { sendDueOrderEmail } from '../emails.ts'
import { orderHistory } from '../table.ts'
import { documents } from './table.ts'

const filesOf = ({ attachments = [] }: EmailMessage) => attachments.map(({ filename }) => filename)

test('the receipt has the invoice, the mail about a refund its credit note, and that of a corrected invoice both documents, each once', async () => {
  await using store = await aSellingStore()
  const order = await placePaidCheckout(store)
  await waitForWebhooks(store)
  const mails = async () => {
    await waitForWebhooks(store)
    return (await store.emailsTo(order.buyerEmail)).filter(({ messageIdSeed }) => messageIdSeed?.startsWith('order-')).slice(1)
  }
  const [receipt = assert.fail('No receipt came')] = await mails()
  const [invoice = assert.fail('No invoice was issued')] = await documentsOf(store, store.customer, order)
  assert.deepEqual(filesOf(receipt), [`${invoice.number}.pdf`])
  assert.match(receipt.text, new RegExp(`Attached: invoice ${invoice.number}\\.`))
  const { text } = await readPdf(receipt.attachments?.[0]?.content ?? assert.fail('It has no file'))
  assert.ok(text.includes(`Invoice ${invoice.number}`), text)

  await correct(store, order, { poNumber: 'PO-9' })
  const corrected = (await mails()).at(-1) ?? assert.fail('No mail came')
  const [, credit, replacement] = await documentsOf(store, store.customer, order)
  assert.deepEqual(filesOf(corrected), [`${credit?.number}.pdf`, `${replacement?.number}.pdf`])

  const back = await store.admin.request('POST', `/orders/${order._id}/refunds`, {
    lines: order.lines.slice(0, 1).map(({ _id }) => ({ _id, quantity: 1 })),
    reason: 'Scratched',
  })
  assert.equal(back.statusCode, 200, back.body)
  const refunded = (await mails()).at(-1) ?? assert.fail('No mail came')
  const [creditNote] = (await documentsOf(store, store.customer, order)).slice(3)
  assert.deepEqual([creditNote?.kind, filesOf(refunded)], ['credit note', [`${creditNote?.number}.pdf`]])
})

test('a mail waits for its document for five minutes, and goes without one that cannot be made', async () => {
  await using store = await createTestStoreWithCards()
  await placePaidOrder(store)
  await waitForWebhooks(store)
  await store.db.execute(sql`create function cannot_render() returns trigger language plpgsql as
    'begin new.next_try_at := now() + interval ''1 hour''; return new; end'`)
  await store.db.execute(sql`create trigger cannot_render before insert on document_files for each row execute function cannot_render()`)
  await setUpSeller(store)
  await store.jobs.runAllOnce()
  assert.equal(await store.db.$count(documents), 1)

  const sent: EmailMessage[] = []
  const mailer = { send: async (letter: EmailMessage) => void sent.push(letter), close: () => {} }
  const link = { publicUrl: store.origin, secret: 'secret' }
  const paid = eq(orderHistory.event, 'paid')
  await store.db.update(orderHistory).set({ mailDueAt: sql`now()`, mailedAt: null }).where(paid)
  assert.equal(await sendDueOrderEmail(store.db, mailer, link), false, 'it waits')
  await store.db.update(orderHistory).set({ at: sql`now() - interval '6 minutes'` }).where(paid)
  assert.equal(await sendDueOrderEmail(store.db, mailer, link), true)
  assert.deepEqual(sent.map(filesOf), [[]])
  assert.match(`${sent[0]?.text}`, /The invoice is a PDF on the page of the order/)
  assert.equal(await store.db.$count(orderHistory, isNotNull(orderHistory.mailDueAt)), 0)
})
