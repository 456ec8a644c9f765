import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { products } from '#store/catalogue/table.ts'
import { createProduct } from '#test/order-actions.ts'
import { type Actor, anEmptyStore, type Store } from '#test/store.ts'
import { type DeliveryMethod, type DeliveryZone, deliveryLimits } from './contract.ts'
import { findDeliveryOptions } from './find-delivery-options.ts'
import { deliveryZones, shopHolidays } from './table.ts'

const germany = { name: 'Germany', countries: ['DE'], states: [], postalPrefixes: [] }
const parcel = {
  ...{ name: 'Parcel', carrier: 'DHL', pricedBy: 'weight', freeFromCents: null, notForCategories: [] as string[] },
  steps: [
    { upTo: 2000, priceCents: 490 },
    { upTo: 31_500, priceCents: 990 },
  ],
  ...{ daysFrom: 1, daysTo: 2, cutOff: '14:00', handlingDays: 0 },
}

async function addZone(store: Store, fields: object = {}): Promise<DeliveryZone> {
  const added = await store.admin.request('POST', '/delivery/zones', { ...germany, ...fields })
  assert.equal(added.statusCode, 201, added.body)
  return added.json()
}
async function addMethod(store: Store, zone: DeliveryZone, fields: object = {}): Promise<DeliveryMethod> {
  const added = await store.admin.request('POST', `/delivery/zones/${zone._id}/methods`, { ...parcel, ...fields })
  assert.equal(added.statusCode, 201, added.body)
  return added.json()
}
const showDelivery = async (store: Store) => (await store.admin.request('GET', '/delivery')).json()
const changesOf = async (store: Store): Promise<string[]> =>
  (await store.admin.request('GET', '/pricing-changes')).json().map(({ what }: { what: string }) => what)

/** A Tuesday, 10:00 in Berlin. */
const now = new Date('2026-11-24T09:00:00Z')

test('a new shop has no delivery set up: it costs nothing and nothing is said of it', async () => {
  await using store = await anEmptyStore()
  const { categories, ...rest } = await showDelivery(store)
  assert.deepEqual(rest, {
    settings: {
      ...{ timeZone: 'UTC', unknownWeightGrams: null },
      ...{ assumedDeliveryDays: 7, assumedDeliveryDaysAbroad: 21, withdrawalEverywhere: false },
    },
    zones: [],
    holidays: [],
  })
  assert.deepEqual(categories[0], { key: 'video-card', label: 'Graphics cards' })
  const productId = await createProduct(store)
  const ask = () =>
    findDeliveryOptions(store.db, { lines: [{ productId, quantity: 1, amountCents: 3000 }], destination: { country: 'DE' }, now })
  assert.deepEqual(await ask(), { isSetUp: false, options: [], refusals: [] })
  await addZone(store)
  assert.equal((await ask()).isSetUp, false, 'a zone alone says nothing')
})

test('zones and methods are added, changed and removed, and each change is written down', async () => {
  await using store = await anEmptyStore()
  const zone = await addZone(store, { countries: ['de', 'DE'], postalPrefixes: ['8 0', '81'] })
  assert.deepEqual([zone.countries, zone.postalPrefixes, zone.methods], [['DE'], ['80', '81'], []])
  const method = await addMethod(store, zone, { notForCategories: ['mainboard', 'motherboard'] })
  assert.deepEqual(method, { _id: method._id, zoneId: zone._id, ...parcel, notForCategories: ['motherboard'] })
  const changed = await store.admin.request('PUT', `/delivery/zones/${zone._id}`, {
    ...germany,
    name: 'Central Europe',
    countries: ['DE', 'AT'],
  })
  assert.deepEqual(changed.json(), {
    ...{ _id: zone._id, name: 'Central Europe', countries: ['DE', 'AT'], states: [], postalPrefixes: [], methods: [method] },
  })
  const update = (body: object) => store.admin.request('PUT', `/delivery/methods/${method._id}`, { ...parcel, ...body })
  assert.equal((await update({ steps: [{ upTo: null, priceCents: 500 }], freeFromCents: 10_000 })).json().freeFromCents, 10_000)
  await update({ steps: [{ upTo: null, priceCents: 500 }], freeFromCents: 10_000 })
  assert.deepEqual(
    (await showDelivery(store)).zones.map(({ methods }: DeliveryZone) => methods.length),
    [1],
  )
  await addMethod(store, zone, { name: 'Express', carrier: null, pricedBy: 'goods', cutOff: null, handlingDays: 1 })
  assert.equal((await store.admin.request('DELETE', `/delivery/methods/${method._id}`)).statusCode, 200)
  assert.equal((await store.admin.request('DELETE', `/delivery/zones/${zone._id}`)).statusCode, 200)
  assert.deepEqual((await showDelivery(store)).zones, [])

  for (const [verb, path, body] of [
    ['PUT', `/delivery/zones/${zone._id}`, germany],
    ['DELETE', `/delivery/zones/${zone._id}`, undefined],
    ['POST', `/delivery/zones/${zone._id}/methods`, parcel],
    ['PUT', `/delivery/methods/${method._id}`, parcel],
    ['DELETE', `/delivery/methods/${method._id}`, undefined],
  ] as const)
    assert.equal((await store.admin.request(verb, path, body)).statusCode, 404, `${verb} ${path}`)

  assert.deepEqual(await changesOf(store), [
    'Delivery zone Central Europe removed with Express',
    'Delivery by Parcel removed, was DHL; any $5; free from $100; 1 to 2 days; cut-off 14:00',
    'Delivery by Express (Central Europe): up to $20 $4.90, up to $315 $9.90; 1 to 2 days; 1 day of handling',
    'Delivery by Parcel: DHL; any $5; free from $100; 1 to 2 days; cut-off 14:00, was DHL; up to 2 kg $4.90, up to 31.5 kg $9.90; 1 to 2 days; cut-off 14:00; not for motherboard',
    'Delivery zone Central Europe (Germany, Austria), was Germany (Germany; postal codes 80, 81)',
    'Delivery by Parcel (Germany): DHL; up to 2 kg $4.90, up to 31.5 kg $9.90; 1 to 2 days; cut-off 14:00; not for motherboard',
    'Delivery zone Germany (Germany; postal codes 80, 81) added',
  ])
})

test('wrong zones, methods and holidays are refused with words beside the field', async () => {
  await using store = await anEmptyStore()
  const zone = await addZone(store)
  await addMethod(store, zone)
  const methods = `/delivery/zones/${zone._id}/methods`
  const step = (upTo: number | null, priceCents = 490) => ({ upTo, priceCents })
  const refusals: [path: string, body: object, field: string, message: string | RegExp][] = [
    ['/delivery/zones', { ...germany, name: '' }, 'name', 'Enter a name'],
    ['/delivery/zones', { ...germany, name: 'X', countries: ['XX'] }, 'countries.0', 'A country has two letters, such as DE or US'],
    [
      '/delivery/zones',
      { ...germany, name: 'X', countries: ['DE', 'AT'], states: ['BY'] },
      'states',
      'States are for a zone of one country',
    ],
    [
      '/delivery/zones',
      { ...germany, name: 'X', countries: [], postalPrefixes: ['8'] },
      'postalPrefixes',
      'Postal codes are for a zone of one country',
    ],
    ['/delivery/zones', { ...germany, name: 'X', postalPrefixes: ['8%'] }, 'postalPrefixes.0', /1 to 10 letters and digits/],
    [methods, { ...parcel, name: 'X', steps: [] }, 'steps', 'Enter a price'],
    [methods, { ...parcel, name: 'X', steps: [step(2000), step(2000)] }, 'steps', 'Each step goes further than the one before'],
    [methods, { ...parcel, name: 'X', steps: [step(null), step(5)] }, 'steps', 'Each step goes further than the one before'],
    [methods, { ...parcel, name: 'X', steps: [step(0)] }, 'steps.0.upTo', 'Steps begin above 0'],
    [methods, { ...parcel, name: 'X', steps: [step(1, -1)] }, 'steps.0.priceCents', 'Not below 0'],
    [methods, { ...parcel, name: 'X', daysFrom: 3 }, 'daysTo', 'At most must not be less than at least'],
    [methods, { ...parcel, name: 'X', cutOff: '24:00' }, 'cutOff', 'Enter a time of day such as 14:00'],
    [methods, { ...parcel, name: 'X', notForCategories: ['ships'] }, 'notForCategories', 'There is no category ships'],
    ['/delivery/holidays', { day: '2026-02-30', name: 'X' }, 'day', 'Enter a day such as 2026-11-24'],
  ]
  for (const [path, body, field, message] of refusals) {
    const refused = await store.admin.request('POST', path, body)
    assert.equal(refused.statusCode, 400, refused.body)
    assert.match(refused.json().errors[field], message instanceof RegExp ? message : new RegExp(`^${message}$`), refused.body)
  }
  for (const [path, body] of [
    ['/delivery/zones', germany],
    [methods, parcel],
  ] as const) {
    const taken = await store.admin.request('POST', path, body)
    assert.deepEqual([taken.statusCode, Object.keys(taken.json().errors)], [409, ['name']])
  }
  const zoned = await store.admin.request('PUT', '/delivery/settings', { timeZone: 'Europe/Atlantis', unknownWeightGrams: null })
  assert.deepEqual(zoned.json().errors, { timeZone: 'Enter a time zone such as Europe/Berlin' })
  const offset = await store.admin.request('PUT', '/delivery/settings', { timeZone: '+23:59', unknownWeightGrams: null })
  assert.equal(offset.statusCode, 400)
})

test('a day that is none is no holiday to remove, also in the year 0, which the database does not know', async () => {
  await using store = await anEmptyStore()
  for (const day of ['0000-02-29', '2026-02-30', 'today'])
    assert.equal((await store.admin.request('DELETE', `/delivery/holidays/${day}`)).statusCode, 404, day)
})

test('there are only so many zones, methods of a zone and holidays, and that is said', async () => {
  await using store = await anEmptyStore()
  const zones = Array.from({ length: deliveryLimits.zones - 1 }, (_, nth) => ({ ...germany, name: `Zone ${nth}` }))
  await store.db.insert(deliveryZones).values(zones)
  const zone = await addZone(store)
  assert.equal((await store.admin.request('POST', '/delivery/zones', { ...germany, name: 'Another' })).statusCode, 409)
  for (let nth = 0; nth < deliveryLimits.methodsOfZone; nth++) await addMethod(store, zone, { name: `Method ${nth}` })
  assert.equal((await store.admin.request('POST', `/delivery/zones/${zone._id}/methods`, parcel)).statusCode, 409)
  await store.db.execute(
    sql`insert into ${shopHolidays} select date '2026-01-01' + n, 'Closed' from generate_series(1, ${deliveryLimits.holidays}) n`,
  )
  const set = (day: string) => store.admin.request('POST', '/delivery/holidays', { day, name: 'Christmas' })
  assert.equal((await set('2026-01-01')).statusCode, 409)
  assert.equal((await set('2026-01-02')).statusCode, 201, 'another name of one that is there')
})

test('methods that are added to a zone at once are no more than it can have', async () => {
  await using store = await anEmptyStore()
  const zone = await addZone(store)
  const fewerMethods = deliveryLimits.methodsOfZone - 3
  for (let nth = 0; nth < fewerMethods; nth++) await addMethod(store, zone, { name: `Method ${nth}` })
  const names = Array.from({ length: 8 }, (_, nth) => `Another ${nth}`)
  const added = await Promise.all(
    names.map((name) => store.admin.request('POST', `/delivery/zones/${zone._id}/methods`, { ...parcel, name })),
  )
  assert.equal(added.filter(({ statusCode }) => statusCode === 201).length, 3)
})

test('a method that is not for a category is not for products that name it by another word', async () => {
  await using store = await anEmptyStore()
  await addMethod(store, await addZone(store), { notForCategories: ['video-card'] })
  const ask = async (category: string | null) => {
    const productId = await createProduct(store)
    await store.db.update(products).set({ category, weightGrams: 100 }).where(eq(products._id, productId))
    const lines = [{ productId, quantity: 1, amountCents: 3000 }]
    return (await findDeliveryOptions(store.db, { lines, destination: { country: 'DE' }, now })).options.length
  }
  assert.deepEqual(
    [await ask('graphics-card'), await ask('video-card'), await ask('cpu'), await ask('ships'), await ask(null)],
    [0, 0, 1, 1, 1],
  )
})

test("options are found by the shop's clock and holidays, and by the weight of the product, else of its category, else of the shop", async () => {
  await using store = await anEmptyStore()
  await store.admin.request('PUT', '/delivery/settings', { timeZone: 'Europe/Berlin', unknownWeightGrams: null })
  await store.admin.request('POST', '/delivery/holidays', { day: '2026-11-25', name: 'Closed' })
  const zone = await addZone(store)
  await addMethod(store, zone)
  const [own, ofCategory, unknown] = [await createProduct(store), await createProduct(store), await createProduct(store)]
  await store.db.update(products).set({ weightGrams: 1999, category: 'case' }).where(eq(products._id, own))
  await store.db.update(products).set({ category: 'graphics-card' }).where(eq(products._id, ofCategory))
  const ask = async (productId: string, quantity = 1) => {
    const lines = [{ productId, quantity, amountCents: 3000 }]
    const { options, refusals } = await findDeliveryOptions(store.db, { lines, destination: { country: 'DE' }, now })
    return options.map(({ priceCents, earliest, latest }) => [priceCents, earliest, latest]).concat(refusals.map(({ code }) => [code]))
  }
  assert.deepEqual(await ask(own), [[490, '2026-11-26', '2026-11-27']])
  assert.deepEqual(await ask(own, 2), [[990, '2026-11-26', '2026-11-27']])
  assert.deepEqual(await ask(ofCategory), [[490, '2026-11-26', '2026-11-27']], '1.5 kg')
  assert.deepEqual(await ask(ofCategory, 2), [[990, '2026-11-26', '2026-11-27']])
  assert.deepEqual(await ask(unknown), [['weight_unknown']])
  await store.admin.request('PUT', '/delivery/settings', { timeZone: 'Asia/Tokyo', unknownWeightGrams: 500 })
  assert.deepEqual(await ask(unknown), [[490, '2026-11-27', '2026-11-30']], '18:00 in Tokyo: after the cut-off')
  assert.equal((await store.admin.request('DELETE', '/delivery/holidays/2026-11-25')).statusCode, 200)
  assert.equal((await store.admin.request('DELETE', '/delivery/holidays/2026-11-25')).statusCode, 404)
  assert.deepEqual(await ask(unknown), [[490, '2026-11-26', '2026-11-27']])
  assert.deepEqual(await ask(crypto.randomUUID()), [[490, '2026-11-26', '2026-11-27']])
  assert.deepEqual((await changesOf(store)).slice(0, 2), [
    'Holiday 2026-11-25 (Closed) removed',
    'Delivery: times of Asia/Tokyo, products of unknown weight weigh 500 g, was: times of Europe/Berlin, products of unknown weight do not go by weight',
  ])
})

test('owners are told at once of an admin who is none of them and changes what delivery costs', async () => {
  await using store = await anEmptyStore()
  const colleague = store.newCustomer('Colin')
  await colleague.token()
  await store.admin.request('PUT', `/user/admin/${colleague.email}`)
  const add = (by: Actor, name: string) =>
    by.request('POST', '/delivery/zones', { ...germany, name, states: ['BY'], postalPrefixes: ['80'] })
  const zone = (await add(colleague, 'North')).json()
  await add(store.admin, 'South')
  const method = (await colleague.request('POST', `/delivery/zones/${zone._id}/methods`, parcel)).json()
  await colleague.request('PUT', `/delivery/methods/${method._id}`, { ...parcel, name: 'Post' })
  await colleague.request('DELETE', `/delivery/methods/${method._id}`)
  await colleague.request('PUT', `/delivery/zones/${zone._id}`, germany)
  await colleague.request('DELETE', `/delivery/zones/${zone._id}`)
  const told = (await store.emailsTo(store.admin.email)).filter(({ subject }) => /has changed what customers pay/.test(subject))
  const expected = [
    /Delivery zone North \(Germany; states BY; postal codes 80\) added: by colin@shop\.example/,
    /Delivery by Parcel \(North\): DHL; .*: by colin/,
    /Delivery by Post: DHL; .*, was Parcel: DHL; .*: by colin/,
    /Delivery by Post removed, was DHL; .*: by colin/,
    /Delivery zone Germany \(Germany\), was North \(Germany; states BY; postal codes 80\): by colin/,
    /Delivery zone Germany removed: by colin/,
  ]
  assert.equal(told.length, expected.length)
  for (const [nth, what] of expected.entries()) assert.match(told[nth]?.text.replaceAll('\n', ' ') ?? '', what)
})

test('the database keeps no zone, method or setting that no admin could have set, whoever writes', async () => {
  await using store = await anEmptyStore()
  const zone = await addZone(store)
  await addMethod(store, zone)
  const wrong: [constraint: string, statement: ReturnType<typeof sql>][] = [
    ['delivery_settings_single_row', sql`insert into delivery_settings (single_row) values (false)`],
    ['delivery_settings_weight', sql`insert into delivery_settings (unknown_weight_g) values (0)`],
    ['delivery_zones_named', sql`update delivery_zones set name = ''`],
    ['delivery_zones_of_one_country', sql`update delivery_zones set countries = '{DE,AT}', states = '{BY}'`],
    ['delivery_zones_of_one_country', sql`update delivery_zones set countries = '{}', postal_prefixes = '{8}'`],
    ['delivery_methods_named', sql`update delivery_methods set name = ''`],
    ['delivery_methods_priced', sql`update delivery_methods set priced_by = 'volume'`],
    ['delivery_methods_steps', sql`update delivery_methods set steps = '[]'`],
    ['delivery_methods_free', sql`update delivery_methods set free_from_cents = -1`],
    ['delivery_methods_days', sql`update delivery_methods set days_from = 3`],
    ['delivery_methods_days', sql`update delivery_methods set days_to = 91`],
    ['delivery_methods_handling', sql`update delivery_methods set handling_days = -1`],
    ['delivery_methods_cut_off', sql`update delivery_methods set cut_off = '2 pm'`],
    ['delivery_methods_zone_id_delivery_zones_id_fk', sql`delete from delivery_zones`],
  ]
  for (const [constraint, statement] of wrong)
    await assert.rejects(store.db.execute(statement), (error: Error) => {
      assert.equal((error.cause as { constraint?: string }).constraint, constraint)
      return true
    })
})
