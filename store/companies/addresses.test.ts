import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, like } from 'drizzle-orm'
import { users } from '#store/identity/table.ts'
import { berlin } from '#test/checkout-actions.ts'
import { companyOf, removeMember, setRole } from '#test/company-actions.ts'
import { type Actor, type ApiResponse, anEmptyStore } from '#test/store.ts'
import { companyLimits } from './contract.ts'
import { companyHistory } from './table.ts'

const warehouse = { label: 'Warehouse', forDelivery: true, forInvoice: false, ...berlin }
const office = { ...warehouse, label: 'Office', forInvoice: true, country: 'us', city: 'Springfield', state: 'IL', postalCode: '62701' }
const refusalOf = ({ statusCode, json }: ApiResponse) => [statusCode, json().code]
const labelsSeenBy = async (actor: Actor) =>
  (await actor.request('GET', '/company/addresses')).json().addresses.map(({ label }: { label: string }) => label)

test('the members of a company share its addresses, each with the fields of its country and a name of its own', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  await companyOf(store, ada, bob)
  const added = await ada.request('POST', '/company/addresses', warehouse)
  assert.equal(added.statusCode, 201, added.body)
  const { _id } = added.json()
  assert.deepEqual(added.json(), { _id, ...warehouse, line2: null, state: null })
  assert.equal((await ada.request('POST', '/company/addresses', office)).json().country, 'US')
  for (const member of [ada, bob]) assert.deepEqual(await labelsSeenBy(member), ['Office', 'Warehouse'])
  const errorsOf = async (fields: object) =>
    Object.keys((await ada.request('POST', '/company/addresses', { ...warehouse, label: 'New', ...fields })).json().errors ?? {})
  assert.deepEqual(await errorsOf({ postalCode: '1011' }), ['postalCode'])
  assert.deepEqual(await errorsOf({ country: 'US', postalCode: '62701' }), ['state'])
  assert.deepEqual(await errorsOf({ country: '' }), ['country'])
  assert.deepEqual(await errorsOf({ forDelivery: false }), ['forDelivery'])
  assert.deepEqual(await errorsOf({ label: ' WAREHOUSE ' }), ['label'])
  const changed = await ada.request('PUT', `/company/addresses/${_id}`, { ...warehouse, line1: '2 Road', line2: 'Gate 3' })
  assert.deepEqual([changed.statusCode, changed.json().line1, changed.json().line2], [200, '2 Road', 'Gate 3'])
  assert.equal((await ada.request('PUT', `/company/addresses/${_id}`, { ...warehouse, label: 'office' })).statusCode, 409)
  assert.equal((await ada.request('DELETE', `/company/addresses/${_id}`)).statusCode, 200)
  assert.equal((await ada.request('DELETE', `/company/addresses/${_id}`)).statusCode, 404)
  assert.equal((await removeMember(ada, bob)).statusCode, 200)
  assert.deepEqual(refusalOf(await bob.request('GET', '/company/addresses')), [404, 'no_company'])
  assert.deepEqual(refusalOf(await bob.request('POST', '/company/addresses', warehouse)), [404, 'no_company'])
})

test('managers alone change the addresses of a company, and its history says who, and to what', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  await companyOf(store, ada, bob)
  const { _id } = (await ada.request('POST', '/company/addresses', warehouse)).json()
  const changeBy = (actor: Actor) => actor.request('PUT', `/company/addresses/${_id}`, { ...warehouse, line1: '13 Elsewhere' })
  const removeBy = (actor: Actor) => actor.request('DELETE', `/company/addresses/${_id}`)
  const refused = [await bob.request('POST', '/company/addresses', office), await changeBy(bob), await removeBy(bob)]
  assert.deepEqual(
    refused.map(({ statusCode }) => statusCode),
    [403, 403, 403],
  )
  assert.equal((await ada.request('GET', '/company/addresses')).json().addresses[0].line1, warehouse.line1)

  assert.equal((await setRole(ada, bob, 'manager')).statusCode, 200)
  for (const _ of ['changed', 'and as it is']) assert.equal((await changeBy(bob)).statusCode, 200)
  assert.equal((await removeBy(ada)).statusCode, 200)
  const written = await store.db
    .select({ event: companyHistory.event, by: users.email, detail: companyHistory.detail })
    .from(companyHistory)
    .innerJoin(users, eq(users.id, companyHistory.userId))
    .where(like(companyHistory.event, 'address %'))
    .orderBy(companyHistory._id)
  const at = (line1: string) => `Warehouse, ${line1}, 10115 Berlin, Germany (deliveries)`
  assert.deepEqual(written, [
    { event: 'address added', by: ada.email, detail: at(warehouse.line1) },
    { event: 'address changed', by: bob.email, detail: `${at(warehouse.line1)}; now ${at('13 Elsewhere')}` },
    { event: 'address removed', by: ada.email, detail: at('13 Elsewhere') },
  ])
})

test('a company has at most fifty addresses', async () => {
  await using store = await anEmptyStore()
  const company = await companyOf(store, store.customer)
  await store.db.execute(`insert into company_addresses (id, company_id, label, for_delivery, for_invoice, country, line1, city)
    select gen_random_uuid(), '${company._id}', n::text, true, false, 'DE', 'x', 'y' from generate_series(2, ${companyLimits.addresses}) n`)
  assert.equal((await store.customer.request('POST', '/company/addresses', warehouse)).statusCode, 201)
  assert.deepEqual(refusalOf(await store.customer.request('POST', '/company/addresses', office)), [409, 'company_full'])
})

test('the checkout of a member begins with name and VAT id of the company, and offers its addresses', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  await companyOf(store, ada, bob)
  await ada.request('PUT', '/company', { name: 'Engines', vatId: 'DE136695976' })
  await ada.request('POST', '/company/addresses', { ...office, forDelivery: false })
  await ada.request('POST', '/company/addresses', warehouse)
  const defaults = (await bob.request('GET', '/checkout/defaults')).json()
  assert.deepEqual([defaults.company, defaults.vatId, defaults.deliverTo, defaults.billTo], ['Engines', 'DE136695976', berlin, null])
  assert.deepEqual(defaults.ofCompany.name, 'Engines')
  assert.deepEqual(
    defaults.ofCompany.addresses.map(({ label }: { label: string }) => label),
    ['Office', 'Warehouse'],
  )
  await removeMember(ada, bob)
  const later = (await bob.request('GET', '/checkout/defaults')).json()
  assert.deepEqual([later.company, later.vatId, later.deliverTo, later.ofCompany], [null, null, null, null])
})
