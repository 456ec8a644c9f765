import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inArray } from 'drizzle-orm'
import { companyOf, removeMember, setRole } from '#test/company-actions.ts'
import { anEmptyStore } from '#test/store.ts'
import { companyHistory } from './table.ts'

test('name and roles of a company change fifty times a day, and the history has no more rows', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  await companyOf(store, ada, bob)
  const rename = (nth: number) => ada.request('PUT', '/company', { name: `Engines ${nth}` })
  for (let nth = 1; nth <= 49; nth++) {
    assert.equal((await rename(nth)).statusCode, 200)
    if (nth === 1) assert.equal((await rename(nth)).statusCode, 200, 'the same name is no change')
  }
  assert.equal((await setRole(ada, bob, 'manager')).statusCode, 200)
  assert.equal((await rename(51)).statusCode, 429)
  assert.equal((await setRole(ada, bob, 'member')).statusCode, 429)
  const changes = await store.db.$count(companyHistory, inArray(companyHistory.event, ['renamed', 'made manager', 'made member']))
  assert.equal(changes, 50)
  assert.equal((await ada.request('GET', '/company')).json().company.name, 'Engines 49')
  assert.equal((await removeMember(ada, bob)).statusCode, 200, 'whoever is to go goes')
})
