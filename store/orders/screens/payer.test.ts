import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payerOf } from './payer.ts'

const [ada, bob, carol] = ['ada@shop.example', 'bob@shop.example', 'carol@shop.example']

test('the card that money goes back to is that of the viewer where they have paid, or of the colleague who has, and of nobody where it is not known', () => {
  const ofBob = { buyerEmail: bob, paidBy: null }
  const paidByAda = { ...ofBob, paidBy: { name: 'Ada', email: ada } }
  const cardFor = (order: typeof ofBob | typeof paidByAda, viewer: string) => {
    const { isViewer, name, card } = payerOf(order, { isViewer: (email) => email === viewer })
    return [isViewer, name, card]
  }
  assert.deepEqual(cardFor(ofBob, bob), [true, null, 'your card'])
  assert.deepEqual(cardFor(ofBob, ada), [false, null, 'the card that it was paid with'])
  assert.deepEqual(cardFor(paidByAda, ada), [true, 'you', 'your card'])
  for (const other of [bob, carol]) assert.deepEqual(cardFor(paidByAda, other), [false, 'Ada', 'the card that Ada paid with'])
})
