import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import type { EmailMessage } from '#platform/mail.ts'
import { users } from '#store/identity/table.ts'
import { openBrowser } from '#test/cart-actions.ts'
import { type CheckedOut, checkOut, putIntoCart, setUpTaxAndDelivery, typed } from '#test/checkout-actions.ts'
import { companyOf } from '#test/company-actions.ts'
import { createProducts, payOrder } from '#test/many-lines-actions.ts'
import {
  cancelPurchase,
  confirmIntent,
  createTestStoreWithCards,
  expireHold,
  intentIdFromSecret,
  waitForWebhooks,
} from '#test/order-actions.ts'
import type { Store } from '#test/store.ts'

/* What a purchaser files mails by: the own number of the order, what it was for, and who has done what. */

const business = {
  ...{ company: 'Engines', vatId: 'DE136695976', poNumber: 'PO-77', buyerReference: 'Lab 4' },
  billTo: { country: 'DE', line1: 'Chausseestraße 1', city: 'Berlin', postalCode: '10115' },
}
const typedForInvoice = [
  'Invoice address:\nChausseestraße 1\n10115 Berlin\nGermany\nCompany: Engines\nVAT id: DE136695976\nPO number: PO-77\nReference: Lab 4',
  'Delivery address:\nAda Byron\nEngines\nInvalidenstraße 116\n10115 Berlin\nGermany',
]

const mailsAbout = async (store: Store, email: string, { number }: { number: number }): Promise<EmailMessage[]> => {
  await waitForWebhooks(store)
  return (await store.emailsTo(email)).filter(({ messageIdSeed }) => messageIdSeed?.startsWith(`order-${number}-`))
}
const assertSays = (mail: EmailMessage | undefined, ...words: string[]) => {
  for (const each of words) assert.ok(mail?.text.includes(each), `${JSON.stringify(each)} in ${mail?.text}`)
}

test('the receipt of an order from the checkout says what was typed there, also to a guest and to an e-mail that is not verified; before the payment nothing does', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTaxAndDelivery(store)
  const [drill, saw] = await createProducts(store)
  const browser = openBrowser(store.visitor)
  await browser.add(drill, 2)
  await browser.add(saw, 2)
  const email = 'gwen@mail.example'
  const ofGuest: CheckedOut = (await browser.request('POST', '/checkout', { ...typed, ...business, email })).json()
  await putIntoCart(store.customer, { [drill]: 2 })
  const ofMember = await checkOut(store.customer, business)
  for (const [buyer, order] of [
    [email, ofGuest],
    [store.customer.email, ofMember],
  ] as const) {
    const [unpaid, ...none] = await mailsAbout(store, buyer, order)
    assert.deepEqual(none, [])
    assert.doesNotMatch(unpaid?.text ?? '', /Engines|DE136695976|PO-77|Lab 4|Chausseestraße|Invalidenstraße/)
    await confirmIntent(store, intentIdFromSecret(order.clientSecret ?? ''))
    assertSays((await mailsAbout(store, buyer, order)).at(-1), 'Keep this mail: it is your receipt.', ...typedForInvoice)
  }
  const [link] = await mailsAbout(store, email, ofGuest)
  assert.equal(link?.subject, `Order ${ofGuest.number}: $93.89, not paid yet`)
  const costs = 'Goods: $74\nDelivery: $4.90\n19 % tax on $78.90: $14.99\nTotal: $93.89'
  assertSays(link, '2 x Drill, 2 x Saw for $93.89', '2 x Drill, $60\n2 x Saw, $14', costs)
})

test('what mail clients would turn into a link, and a telephone number, is left out of the receipt to an address that is not verified', async () => {
  await using store = await createTestStoreWithCards()
  const [drill] = await createProducts(store)
  await putIntoCart(store.customer, { [drill]: 2 })
  const order = await checkOut(store.customer, {
    ...{ company: 'Win at evil.example', poNumber: 'PO-77', buyerReference: 'https://evil.example' },
    billTo: { ...business.billTo, line1: 'www.evil.example' },
  })
  await confirmIntent(store, intentIdFromSecret(order.clientSecret ?? ''))
  const receipt = (await mailsAbout(store, store.customer.email, order)).at(-1)
  assertSays(receipt, 'PO number: PO-77', 'Name and address for the delivery stand with the order.') // the company stands above the address
  assert.doesNotMatch(receipt?.text ?? '', /evil/)

  await putIntoCart(store.customer, { [drill]: 2 })
  const asMessage = await checkOut(store.customer, {
    ...{ company: 'Not you? CALL +1 (888) 555-0142', poNumber: '4500001234', buyerReference: 'refund.\uFEFFexample' },
    billTo: business.billTo,
  })
  await confirmIntent(store, intentIdFromSecret(asMessage.clientSecret ?? ''))
  const second = (await mailsAbout(store, store.customer.email, asMessage)).at(-1)
  assertSays(second, 'PO number: 4500001234', 'Chausseestraße 1\n10115 Berlin', 'Name and address for the delivery stand with the order.')
  assert.doesNotMatch(second?.text ?? '', /CALL|888|refund\./)

  await putIntoCart(store.customer, { [drill]: 2 })
  const withItAsPostalCode = await checkOut(store.customer, {
    ...{ company: 'CALL 555-0142', deliverTo: { country: 'JP', line1: '1 Chome', city: 'Chiyoda', postalCode: '555-0142', state: '13' } },
  })
  await confirmIntent(store, intentIdFromSecret(withItAsPostalCode.clientSecret ?? ''))
  assert.doesNotMatch((await mailsAbout(store, store.customer.email, withItAsPostalCode)).at(-1)?.text ?? '', /CALL/)
})

test('mails about an order that expires, is cancelled or refunded in part say its own number, and who has done it', async () => {
  await using store = await createTestStoreWithCards()
  const { customer: ada, otherCustomer: bob } = store
  const products = await createProducts(store)
  const [drill, saw, board] = products
  await companyOf(store, ada, bob)
  await store.db.update(users).set({ emailVerified: true })
  const lineOf = ({ lines }: CheckedOut, product: string) => lines.find(({ productId }) => productId === product) ?? { _id: '' }
  await putIntoCart(bob, { [drill]: 2, [saw]: 2, [board]: 1 })
  const order = await checkOut(bob, business)
  await cancelPurchase(ada, lineOf(order, saw))
  await payOrder(store, { ...order, totalCents: order.totalCents - 1400 }) // by Ada
  const refunded = await store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ ...lineOf(order, drill), quantity: 1 }] })
  assert.equal(refunded.statusCode, 200, refunded.body)
  await cancelPurchase(store.admin, lineOf(order, board))
  const [, byColleague, receipt, refund, byStore] = await mailsAbout(store, bob.email, order)
  assertSays(byColleague, `Ada of your company has cancelled a part of your order ${order.number}: 2 x Saw.`, 'PO number: PO-77')
  assertSays(receipt, 'PO number: PO-77')
  assertSays(refund, '1 x Drill, goes back to Visa ending 4242.', 'The store has given it back. Banks', 'PO number: PO-77')
  assertSays(byStore, `the store has cancelled a part of your order ${order.number}: `, 'PO number: PO-77')

  await putIntoCart(bob, { [drill]: 2, [saw]: 2 })
  const left = await checkOut(bob, business)
  await expireHold(store, left as never)
  await store.jobs.runAllOnce()
  const expired = (await mailsAbout(store, bob.email, left)).at(-1)
  assertSays(expired, '4 x Saw, 2 x Drill for $88, was not paid by', 'PO number: PO-77', '4 x Saw, $28\n2 x Drill, $60')
  assert.ok((await store.db.execute(sql`select from order_history where mail_due_at is not null`)).rows.length === 0)
})

test('mails say of a delivery that was chosen and costs nothing that it is free', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTaxAndDelivery(store)
  await store.db.execute(sql`update delivery_methods set free_from_cents = 0`)
  const { customer: ada } = store
  const [drill] = await createProducts(store)
  await putIntoCart(ada, { [drill]: 2 })
  const order = await checkOut(ada)
  await payOrder(store, order)
  const [unpaid, receipt] = await mailsAbout(store, ada.email, order)
  assertSays(unpaid, 'Goods: $60\nDelivery: free\n19 % tax on $60: $11.40\nTotal: $71.40')
  assertSays(receipt, 'Goods: $60\nDelivery: free\n19 % tax on $60: $11.40\nTotal paid: $71.40')
})
