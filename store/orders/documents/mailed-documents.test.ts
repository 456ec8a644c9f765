import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import type { EmailMessage } from '#platform/mail.ts'
import { users } from '#store/identity/table.ts'
import { sendDueOrderEmail } from '#store/orders/emails.ts'
import { orderHistory, orders } from '#store/orders/table.ts'
import { aSellingStore, correct, placePaidCheckout } from '#test/correction-actions.ts'
import { documentsOf, readPdf, setUpSeller, testSeller } from '#test/document-actions.ts'
import { createTestStoreWithCards, placePaidOrder, waitForWebhooks } from '#test/order-actions.ts'
import type { Store } from '#test/store.ts'
import { sellerText } from './seller.ts'
import { documentFiles } from './table.ts'

/** A store that says who sells, whose customer has verified the e-mail. */
async function aStoreWithDocuments(): Promise<Store> {
  const store = await aSellingStore()
  await store.customer.token()
  await store.db.update(users).set({ emailVerified: true })
  return store
}

const filesOf = ({ attachments = [] }: EmailMessage) => attachments.map(({ filename }) => filename)

/** The mails about orders to this address, without those that they were placed. */
async function mailsOf(store: Store, email: string): Promise<EmailMessage[]> {
  await waitForWebhooks(store)
  return (await store.emailsTo(email)).filter(
    ({ subject, messageIdSeed }) => messageIdSeed?.startsWith('order-') && !/not paid yet/.test(subject),
  )
}

const refundOne = async (store: Store, order: { _id: string; lines: { _id: string }[] }) => {
  const lines = order.lines.slice(0, 1).map(({ _id }) => ({ _id, quantity: 1 }))
  const back = await store.admin.request('POST', `/orders/${order._id}/refunds`, { lines, reason: 'Scratched' })
  assert.equal(back.statusCode, 200, back.body)
}

test('the receipt has the invoice, the mail about a refund its credit note, and that of a corrected invoice both documents, each once', async () => {
  await using store = await aStoreWithDocuments()
  const order = await placePaidCheckout(store)
  const [receipt = assert.fail('No receipt came')] = await mailsOf(store, order.buyerEmail)
  const [invoice = assert.fail('No invoice was issued')] = await documentsOf(store, store.customer, order)
  assert.deepEqual(filesOf(receipt), [`${invoice.number}.pdf`])
  assert.match(receipt.text, new RegExp(`Attached: invoice ${invoice.number}\\.`))
  const { text } = await readPdf(receipt.attachments?.[0]?.content ?? assert.fail('It has no file'))
  assert.ok(text.includes(`Invoice ${invoice.number}`), text)

  await correct(store, order, { poNumber: 'PO-9' })
  const corrected = (await mailsOf(store, order.buyerEmail)).at(-1) ?? assert.fail('No mail came')
  const [, credit, replacement] = await documentsOf(store, store.customer, order)
  assert.deepEqual(filesOf(corrected), [`${credit?.number}.pdf`, `${replacement?.number}.pdf`])

  await refundOne(store, order)
  const refunded = (await mailsOf(store, order.buyerEmail)).at(-1) ?? assert.fail('No mail came')
  const [creditNote] = (await documentsOf(store, store.customer, order)).slice(3)
  assert.deepEqual([creditNote?.kind, filesOf(refunded)], ['credit note', [`${creditNote?.number}.pdf`]])
})

test('no document goes to an address that nobody has proven; once it is, the next mail has what no mail had', async () => {
  await using store = await aSellingStore()
  const order = await placePaidCheckout(store)
  const [receipt = assert.fail('No receipt came')] = await mailsOf(store, order.buyerEmail)
  assert.deepEqual(filesOf(receipt), [])
  assert.match(receipt.text, /The invoice is a PDF on the page of the order, once it is made\./)
  assert.ok(receipt.text.endsWith(`#contact\n\n${sellerText(testSeller)}`), receipt.text)
  assert.match(`${receipt.html}`, />Nucleus of PC<\/div><p/, 'its letterhead')
  await store.db.update(users).set({ emailVerified: true })
  await refundOne(store, order)
  const refunded = (await mailsOf(store, order.buyerEmail)).at(-1) ?? assert.fail('No mail came')
  assert.deepEqual(
    filesOf(refunded),
    (await documentsOf(store, store.customer, order)).map(({ number }) => `${number}.pdf`),
  )
})

/** A store in which the receipt of a paid order is due again, and its documents were mailed by nothing. */
async function aStoreWithDueReceipt(prepare: (store: Store) => Promise<unknown>): Promise<Store> {
  const store = await createTestStoreWithCards()
  await placePaidOrder(store)
  await waitForWebhooks(store)
  await store.db.update(orders).set({ emailConfirmedAt: sql`now()` })
  await prepare(store)
  await setUpSeller(store)
  await store.jobs.runAllOnce()
  assert.equal(await store.db.$count(documentFiles), 1)
  await store.db.update(orderHistory).set({ mailDueAt: sql`now()`, mailedAt: null }).where(isReceipt)
  return store
}
const isReceipt = eq(orderHistory.event, 'paid')

test('a mail waits for its document for five minutes, and goes without one that cannot be made', async () => {
  await using store = await aStoreWithDueReceipt(async ({ db }) => {
    await db.execute(sql`create function cannot_render() returns trigger language plpgsql as
      'begin new.next_try_at := now() + interval ''1 hour''; return new; end'`)
    await db.execute(sql`create trigger cannot_render before insert on document_files for each row execute function cannot_render()`)
  })
  const sent: EmailMessage[] = []
  const mailer = { send: async (letter: EmailMessage) => void sent.push(letter), close: () => {} }
  const send = () => sendDueOrderEmail(store.db, mailer, { publicUrl: store.origin, secret: 'secret' })
  assert.equal(await send(), false, 'it waits')
  await store.db.update(orderHistory).set({ at: sql`now() - interval '6 minutes'` }).where(isReceipt)
  assert.equal(await send(), true)
  assert.deepEqual(sent.map(filesOf), [[]])
})

test('a mail server that takes no files is sent the mail without them', async () => {
  await using store = await aStoreWithDueReceipt(async () => {})
  const tried: EmailMessage[] = []
  const mailer = {
    async send(letter: EmailMessage) {
      tried.push(letter)
      if (letter.attachments) throw Object.assign(new Error('No files here'), { responseCode: 552, command: 'DATA' })
    },
    close: () => {},
  }
  for (let left = 5; left > 0; left--) {
    await sendDueOrderEmail(store.db, mailer, { publicUrl: store.origin, secret: 'secret' }).catch(() => {})
    await store.db.execute(sql`update order_history set mail_due_at = now() where mail_due_at is not null`)
  }
  assert.deepEqual(
    tried.map((letter) => filesOf(letter).length),
    [1, 1, 1, 0],
  )
  assert.match(`${tried.at(-1)?.text}`, /The invoice is a PDF on the page of the order/)
  assert.equal(await store.db.$count(documentFiles, eq(documentFiles.mailed, true)), 0)
})
