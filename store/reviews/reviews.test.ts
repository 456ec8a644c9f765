import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEmptyStore } from '#test/store.ts'
import { reviews } from './table.ts'

test('what customers say of the store is listed from the newest on, as the specification spells it', async () => {
  await using store = await anEmptyStore()
  assert.deepEqual((await store.visitor.ask('GET', '/reviews')).json(), [])
  const written = [
    { name: 'Ada', img: '/people/ada.svg', about: 'Came in time.', rating: 5, example: false },
    { name: 'Bob', img: '/people/bob.svg', about: 'Nearly all of it.', rating: 3.5, example: true },
    { name: 'Cy', img: '/people/cy.svg', about: '<b>Not</b> a word.', rating: 0, example: false },
  ]
  await store.db.insert(reviews).values(written) // no call writes reviews yet

  const answer = await store.visitor.ask('GET', '/reviews')

  assert.equal(answer.statusCode, 200)
  const listed: { _id: string }[] = answer.json()
  assert.deepEqual(
    listed.map(({ _id, ...review }) => review),
    written.reverse(),
  )
  assert.equal(new Set(listed.map(({ _id }) => _id)).size, 3)
})
