import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { type Actor, anEmptyStore, type Store } from '#test/store.ts'
import { maxTaxRates, type TaxRate } from './contract.ts'
import { findTaxTerms } from './rules.ts'
import { taxRates } from './table.ts'

const showTax = async (store: Store): Promise<{ settings: object; rates: TaxRate[]; sets: { key: string }[] }> =>
  (await store.admin.request('GET', '/tax')).json()
const setRate = (store: Store, body: object, by: Actor = store.admin) => by.request('POST', '/tax/rates', body)
const changesOf = async (store: Store): Promise<string[]> =>
  (await store.admin.request('GET', '/pricing-changes')).json().map(({ what }: { what: string }) => what)
const german = { country: 'DE', state: null, pricesIncludeTax: true }

test('a new shop has said nothing of taxes, and taxes nothing', async () => {
  await using store = await anEmptyStore()
  const { settings, rates, sets } = await showTax(store)
  assert.deepEqual([settings, rates], [{ country: null, state: null, pricesIncludeTax: false }, []])
  assert.deepEqual(
    sets.map(({ key }) => key),
    ['eu-vat', 'us-sales-tax'],
  )
  assert.equal((await findTaxTerms(store.db, { country: 'DE', isBusiness: false })).kind, 'none')
})

test("the shop's country, its prices and its rates are set, changed and removed, and decide what is taxed", async () => {
  await using store = await anEmptyStore()
  const put = (body: object) => store.admin.request('PUT', '/tax/settings', body)
  assert.deepEqual((await put(german)).json(), german)
  assert.equal((await put(german)).statusCode, 200)
  const standard = await setRate(store, { country: 'de', taxClass: 'standard', ratePpm: 160_000 })
  assert.equal(standard.statusCode, 201, standard.body)
  const again = await setRate(store, { country: 'DE', state: null, taxClass: 'standard', ratePpm: 190_000 })
  assert.equal(again.json()._id, standard.json()._id, 'over the one before')
  await setRate(store, { country: 'DE', taxClass: 'standard', ratePpm: '190000' })
  await setRate(store, { country: 'DE', taxClass: 'reduced', ratePpm: 70_000 })
  await setRate(store, { country: 'US', state: 'ca', taxClass: 'standard', ratePpm: 72_500 })

  assert.deepEqual(
    (await showTax(store)).rates.map(({ country, state, taxClass, ratePpm }) => [country, state, taxClass, ratePpm]),
    [
      ['DE', null, 'standard', 190_000],
      ['DE', null, 'reduced', 70_000],
      ['US', 'CA', 'standard', 72_500],
    ],
  )
  const terms = (country: string) => findTaxTerms(store.db, { country, isBusiness: false })
  assert.deepEqual(await terms('DE'), {
    ...{ kind: 'domestic', pricesIncludeTax: true, sentence: null },
    rates: { standard: 190_000, reduced: 70_000, zero: 0 },
  })
  assert.equal((await terms('AT')).kind, 'EU consumer')
  assert.equal((await terms('US')).kind, 'export')

  assert.equal((await store.admin.request('DELETE', `/tax/rates/${standard.json()._id}`)).statusCode, 200)
  assert.equal((await store.admin.request('DELETE', `/tax/rates/${standard.json()._id}`)).statusCode, 404)
  assert.equal((await terms('DE')).rates.standard, 0)
  await put({ ...german, country: null })
  assert.equal((await terms('DE')).kind, 'none')
  assert.deepEqual(await changesOf(store), [
    'Tax: nothing is taxed, prices include tax, was: the shop is in Germany, prices include tax',
    'Tax rate of Germany, standard removed, was 19 %',
    'Tax rate of United States (CA), standard: 7.25 %',
    'Tax rate of Germany, reduced: 7 %',
    'Tax rate of Germany, standard: 19 %, was 16 %',
    'Tax rate of Germany, standard: 16 %',
    'Tax: the shop is in Germany, prices include tax, was: nothing is taxed, prices exclude tax',
  ])
})

test('a set of rates is loaded whole or of one country, and leaves what is set already', async () => {
  await using store = await anEmptyStore()
  const load = (body: object) => store.admin.request('POST', '/tax/rate-sets', body)
  await setRate(store, { country: 'AT', taxClass: 'standard', ratePpm: 210_000 })
  assert.deepEqual((await load({ set: 'eu-vat', country: 'DE' })).json(), { added: 2, kept: 0 })
  assert.deepEqual((await load({ set: 'eu-vat' })).json(), { added: 50, kept: 3 })
  assert.deepEqual((await load({ set: 'eu-vat' })).json(), { added: 0, kept: 53 })
  assert.deepEqual((await load({ set: 'us-sales-tax', country: null })).json(), { added: 50, kept: 0 })
  const { rates } = await showTax(store)
  assert.equal(rates.length, 103)
  assert.equal(rates[0]?.ratePpm, 210_000)
  for (const wrong of [{ set: 'world' }, { set: 'eu-vat', country: 'US' }]) assert.equal((await load(wrong)).statusCode, 404)
  assert.deepEqual((await changesOf(store)).slice(0, 3), [
    '50 tax rates loaded: Sales tax of the states of the USA, as of 2025-07-01',
    '50 tax rates loaded: VAT rates of the European Union, as of 2026-11-01',
    '2 tax rates loaded for Germany: VAT rates of the European Union, as of 2026-11-01',
  ])
})

test('wrong countries, states and rates are refused with words beside the field', async () => {
  await using store = await anEmptyStore()
  const refusals: [body: object, field: string, message: string][] = [
    [{ country: 'UK', taxClass: 'standard', ratePpm: 1 }, 'country', 'A country has two letters, such as DE or US'],
    [{ country: 'US', state: 'California', taxClass: 'standard', ratePpm: 1 }, 'state', 'Enter the code of a state, such as CA'],
    [{ country: 'DE', taxClass: 'zero', ratePpm: 0 }, 'taxClass', 'Choose a class'],
    [{ country: 'DE', taxClass: 'standard', ratePpm: -1 }, 'ratePpm', 'At least 0 %'],
    [{ country: 'DE', taxClass: 'standard', ratePpm: 1_000_001 }, 'ratePpm', 'At most 100 %'],
    [{ country: 'DE', taxClass: 'standard', ratePpm: 0.19 }, 'ratePpm', 'Enter a rate'],
  ]
  for (const [body, field, message] of refusals) {
    const refused = await setRate(store, body)
    assert.deepEqual([refused.statusCode, refused.json().errors], [400, { [field]: message }], JSON.stringify(body))
  }
  const lost = await store.admin.request('PUT', '/tax/settings', { country: null, state: 'CA', pricesIncludeTax: false })
  assert.deepEqual(lost.json().errors, { country: 'Choose the country of the state' })
})

test('a shop has at most a thousand rates, and says so', async () => {
  await using store = await anEmptyStore()
  const states = Array.from({ length: maxTaxRates }, (_, nth) => nth.toString(36).toUpperCase().padStart(2, '0'))
  await store.db.insert(taxRates).values(states.map((state) => ({ country: 'US', state, taxClass: 'standard' as const, ratePpm: 1 })))
  assert.equal((await setRate(store, { country: 'US', taxClass: 'standard', ratePpm: 1 })).statusCode, 409)
  assert.equal(
    (await setRate(store, { country: 'US', state: '00', taxClass: 'standard', ratePpm: 2 })).statusCode,
    201,
    'over the one before',
  )
  assert.equal((await store.admin.request('POST', '/tax/rate-sets', { set: 'eu-vat', country: 'DE' })).statusCode, 409)
})

test('rates that several admins set at once for one place are one rate', async () => {
  await using store = await anEmptyStore()
  const set = await Promise.all([1, 2, 3, 4].map((ratePpm) => setRate(store, { country: 'DE', taxClass: 'standard', ratePpm })))
  assert.deepEqual(
    set.map(({ statusCode }) => statusCode),
    [201, 201, 201, 201],
  )
  assert.equal((await showTax(store)).rates.length, 1)
})

test('owners are told at once of an admin who is none of them and changes what is taxed', async () => {
  await using store = await anEmptyStore()
  const colleague = store.newCustomer('Colin')
  await colleague.token()
  await store.admin.request('PUT', `/user/admin/${colleague.email}`)
  const { _id } = (await setRate(store, { country: 'DE', taxClass: 'standard', ratePpm: 0 }, colleague)).json()
  await setRate(store, { country: 'AT', taxClass: 'standard', ratePpm: 0 })
  await colleague.request('DELETE', `/tax/rates/${_id}`)
  await colleague.request('POST', '/tax/rate-sets', { set: 'eu-vat', country: 'FR' })
  await colleague.request('PUT', '/tax/settings', german)
  const told = (await store.emailsTo(store.admin.email)).filter(({ subject }) => /has changed what customers pay/.test(subject))
  const by = ': by colin@shop\\.example'
  const expected = [
    'Tax rate of Germany, standard: 0 %',
    'Tax rate of Germany, standard removed, was 0 %',
    '2 tax rates loaded for France: .*',
    'Tax: the shop is in Germany, prices include tax, was: .*',
  ]
  assert.equal(told.length, expected.length)
  for (const [nth, what] of expected.entries()) assert.match(told[nth]?.text ?? '', new RegExp(what + by))
})

test('the database keeps no settings and no rate that no admin could have set, whoever writes', async () => {
  await using store = await anEmptyStore()
  const wrong: [constraint: string, statement: ReturnType<typeof sql>][] = [
    ['tax_settings_single_row', sql`insert into tax_settings (single_row) values (false)`],
    ['tax_settings_country', sql`insert into tax_settings (country) values ('Germany')`],
    ['tax_settings_state', sql`insert into tax_settings (state) values ('CA')`],
    ['tax_rates_country', sql`insert into tax_rates values (gen_random_uuid(), 'de', null, 'standard', 1)`],
    ['tax_rates_state', sql`insert into tax_rates values (gen_random_uuid(), 'US', 'Texas', 'standard', 1)`],
    ['tax_rates_class', sql`insert into tax_rates values (gen_random_uuid(), 'DE', null, 'zero', 0)`],
    ['tax_rates_rate', sql`insert into tax_rates values (gen_random_uuid(), 'DE', null, 'standard', 1000001)`],
    ['tax_rates_of_place', sql`insert into tax_rates select gen_random_uuid(), 'DE', null, 'standard', 1 from generate_series(1, 2)`],
  ]
  for (const [constraint, statement] of wrong)
    await assert.rejects(store.db.execute(statement), (error: Error) => {
      assert.equal((error.cause as { constraint?: string }).constraint, constraint)
      return true
    })
})
