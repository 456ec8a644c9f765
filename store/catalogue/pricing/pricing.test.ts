import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { createProduct } from '#test/order-actions.ts'
import { type Actor, anEmptyStore, type Store } from '#test/store.ts'
import { type BuyerPrice, type DiscountCode, maxListedBuyerPrices } from './contract.ts'
import { type CustomerGroup, maxGroups, maxListedMembers } from './customer-group-contract.ts'
import { findUsableDiscount } from './discount-codes.ts'
import { customerGroups } from './table.ts'

const skuOf = async (store: Store, id: string): Promise<string> => (await store.visitor.request('GET', `/products/${id}`)).json().part.sku

async function addGroup(store: Store, fields: object): Promise<CustomerGroup> {
  const added = await store.admin.request('POST', '/customer-groups', fields)
  assert.equal(added.statusCode, 201, added.body)
  return added.json()
}
const setPrice = (store: Store, body: object) => store.admin.request('POST', '/buyer-prices', body)
const ownPrices = async (actor: Actor, ...ids: string[]) =>
  (await actor.request('GET', `/own-prices?${ids.map((id) => `productId=${id}`).join('&')}`)).json()

test('a customer pays their own price, else that of their group, else the list price less what the group has off', async () => {
  await using store = await anEmptyStore()
  const [drill, saw, board] = [
    await createProduct(store, { dollars: 30 }),
    await createProduct(store, { dollars: 7 }),
    await createProduct(store, { dollars: 0.35 }),
  ]
  await store.customer.token()
  const dealers = await addGroup(store, { name: 'Dealers', percentOff: 10 })
  await store.admin.request('PUT', `/users/${store.customer.email}/customer-group`, { groupId: dealers._id })
  const [listed] = (await store.admin.request('GET', '/customer-groups')).json()
  assert.deepEqual(listed, { ...dealers, memberCount: 1, members: [store.customer.email] })
  const left = store.newCustomer('Lea')
  await left.token()
  const guests = await addGroup(store, { name: 'Guests', percentOff: 0 })
  await store.admin.request('PUT', `/users/${left.email}/customer-group`, { groupId: guests._id })
  await store.admin.request('DELETE', `/user/${left.email}`)
  assert.deepEqual((await store.admin.request('GET', '/customer-groups')).json(), [listed, guests], 'who was removed is in no group')
  await setPrice(store, { sku: await skuOf(store, saw), price: 6.2, groupId: dealers._id })
  await setPrice(store, { sku: await skuOf(store, drill), price: 26, groupId: dealers._id })
  await setPrice(store, { sku: await skuOf(store, drill), price: 28.01, email: store.customer.email })

  const found: { productId: string; price: number }[] = await ownPrices(store.customer, drill, saw, board)

  assert.deepEqual(Object.fromEntries(found.map(({ productId, price }) => [productId, price])), {
    [drill]: 28.01, // their own, though the group has a lower one
    [saw]: 6.2,
    [board]: 0.32, // $0.315, rounded half up
  })
  assert.deepEqual(await ownPrices(store.otherCustomer, drill, saw, board), [])
  assert.equal((await store.visitor.request('GET', `/own-prices?productId=${drill}`)).statusCode, 401)
})

test('a price that is not below the list price is none', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 30 })
  await store.customer.token()
  await setPrice(store, { sku: await skuOf(store, drill), price: 31, email: store.customer.email })
  assert.deepEqual(await ownPrices(store.customer, drill), [])
})

test('prices for buyers are set anew, found by text and removed, and each change is written down with who made it', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = [await createProduct(store, { dollars: 30 }), await createProduct(store, { dollars: 7, name: 'Saw' })]
  const group = await addGroup(store, { name: 'Schools', percentOff: 0 })
  await store.customer.token()
  const sku = await skuOf(store, drill)

  const first: BuyerPrice = (await setPrice(store, { sku, price: 29, groupId: group._id })).json()
  await setPrice(store, { sku, price: 28, groupId: group._id })
  await setPrice(store, { sku: await skuOf(store, saw), price: 6, email: store.customer.email })

  const list = async (q = ''): Promise<{ prices: BuyerPrice[]; total: number }> =>
    (await store.admin.request('GET', `/buyer-prices?q=${encodeURIComponent(q)}`)).json()
  const all = await list()
  assert.deepEqual(
    [all.total, ...all.prices.map(({ productName, price, email, group }) => [productName, price, email, group])],
    [2, ['Saw', 6, store.customer.email, null], ['Drill', 28, null, 'Schools']],
  )
  assert.deepEqual((await list('school')).prices.length, 1)
  assert.deepEqual((await list('%')).total, 0, 'no pattern')
  const removed = await store.admin.request('DELETE', `/buyer-prices/${all.prices[1]?._id}`)
  assert.deepEqual(removed.json(), { deletedCount: 1 })
  assert.equal((await store.admin.request('DELETE', `/buyer-prices/${first._id}`)).statusCode, 404)
  const changes: { what: string; by: string }[] = (await store.admin.request('GET', '/pricing-changes')).json()
  assert.deepEqual(
    changes.map(({ what }) => what.replace(/N-\w+/, 'SKU')),
    [
      'Drill (SKU) for the group Schools has no price of its own any more, was $28',
      `Saw (SKU) for ${store.customer.email} costs $6`,
      'Drill (SKU) for the group Schools costs $28, was $29',
      'Drill (SKU) for the group Schools costs $29',
      'Group Schools (0 % off) added',
    ],
  )
  assert.equal(changes[0]?.by, store.admin.email)
})

test('a removed group takes its prices and members with it, and a customer is in one group at most', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 30 })
  await store.customer.token()
  const [dealers, schools] = [
    await addGroup(store, { name: 'Dealers', percentOff: 10 }),
    await addGroup(store, { name: 'Schools', percentOff: 50 }),
  ]
  const join = (groupId: string | null) => store.admin.request('PUT', `/users/${store.customer.email}/customer-group`, { groupId })
  await join(dealers._id)
  await join(schools._id)
  assert.deepEqual(await ownPrices(store.customer, drill), [{ productId: drill, price: 15 }])
  await join(null)
  assert.deepEqual(await ownPrices(store.customer, drill), [])
  await join(schools._id)
  await setPrice(store, { sku: await skuOf(store, drill), price: 20, groupId: schools._id })
  const changed = await store.admin.request('PUT', `/customer-groups/${dealers._id}`, { name: 'Schools', percentOff: 5 })
  assert.deepEqual([changed.statusCode, changed.json().errors], [409, { name: 'Another group has this name' }])

  assert.deepEqual((await store.admin.request('DELETE', `/customer-groups/${schools._id}`)).json(), { deletedCount: 1 })

  assert.deepEqual(await ownPrices(store.customer, drill), [])
  assert.deepEqual(
    (await store.admin.request('GET', '/customer-groups')).json().map(({ name }: CustomerGroup) => name),
    ['Dealers'],
  )
})

test('wrong groups, prices and codes are refused with words beside the field', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 30 })
  const sku = await skuOf(store, drill)
  await store.customer.token()
  const wrong: [path: string, body: object, status: number, field: string][] = [
    ['/customer-groups', { name: ' ', percentOff: 5 }, 400, 'name'],
    ['/customer-groups', { name: 'A', percentOff: 91 }, 400, 'percentOff'],
    ['/customer-groups', { name: 'A', percentOff: 2.5 }, 400, 'percentOff'],
    ['/buyer-prices', { sku: 'N-NONE', price: 5, email: store.customer.email }, 404, 'sku'],
    ['/buyer-prices', { sku, price: 0, email: store.customer.email }, 400, 'price'],
    ['/buyer-prices', { sku, price: 5, email: 'nobody@shop.example' }, 404, 'email'],
    ['/buyer-prices', { sku, price: 5 }, 400, 'email'],
    ['/buyer-prices', { sku, price: 5, email: store.customer.email, groupId: crypto.randomUUID() }, 400, 'email'],
    ['/discount-codes', { code: 'a b', percentOff: 5 }, 400, 'code'],
    ['/discount-codes', { code: 'SPRING', percentOff: 100 }, 400, 'percentOff'],
    ['/discount-codes', { code: 'SPRING' }, 400, 'percentOff'],
    ['/discount-codes', { code: 'SPRING', percentOff: 5, amountOff: 5 }, 400, 'percentOff'],
    ['/discount-codes', { code: 'SPRING', amountOff: 5.005 }, 400, 'amountOff'],
    ['/discount-codes', { code: 'SPRING', percentOff: 5, startsOn: '2026-12-02', endsOn: '2026-12-01' }, 400, 'endsOn'],
    ['/discount-codes', { code: 'SPRING', percentOff: 5, endsOn: '2020-01-01' }, 400, 'endsOn'],
    ['/discount-codes', { code: 'SPRING', amountOff: 1_000_000 }, 400, 'amountOff'],
    ['/discount-codes', { code: 'SPRING', percentOff: 5, maxUses: 0 }, 400, 'maxUses'],
  ]
  for (const [path, body, status, field] of wrong) {
    const refused = await store.admin.request('POST', path, body)
    assert.equal(refused.statusCode, status, `${path} ${JSON.stringify(body)} ${refused.body}`)
    assert.ok(refused.json().errors?.[field], `${path} ${JSON.stringify(body)} names ${field}: ${refused.body}`)
  }
  const none = await setPrice(store, { sku, price: 5, groupId: crypto.randomUUID() })
  assert.deepEqual([none.statusCode, none.json().message], [404, 'There is no such group'])
})

test('an account that was removed gets no price and is put into no group', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 30 })
  const { email } = store.customer
  await store.customer.token()
  const { _id: groupId } = await addGroup(store, { name: 'Dealers', percentOff: 10 })
  assert.equal((await store.admin.request('DELETE', `/user/${email}`)).statusCode, 200)
  for (const refused of [
    await setPrice(store, { sku: await skuOf(store, drill), price: 20, email }),
    await store.admin.request('PUT', `/users/${email}/customer-group`, { groupId }),
  ])
    assert.deepEqual([refused.statusCode, refused.json().errors], [404, { email: 'There is no account with this e-mail' }])
})

test('a store has at most a hundred groups of customers, and says so', async () => {
  await using store = await anEmptyStore()
  await store.db.insert(customerGroups).values(Array.from({ length: maxGroups - 1 }, (_, nth) => ({ name: `Group ${nth}` })))
  await addGroup(store, { name: 'Dealers', percentOff: 10 })
  const refused = await store.admin.request('POST', '/customer-groups', { name: 'Schools', percentOff: 10 })
  assert.deepEqual([refused.statusCode, refused.json().message], [409, 'A store has at most 100 groups'])
})

test('a code is kept in upper case, there once, ends when an admin ends it, and what it takes off stays', async () => {
  await using store = await anEmptyStore()
  const add = (body: object) => store.admin.request('POST', '/discount-codes', body)
  const added: DiscountCode = (await add({ code: 'spring-10', percentOff: 10, minimum: 50, endsOn: '2027-01-31', maxUses: 3 })).json()
  assert.deepEqual(
    [added.code, added.percentOff, added.minimumCents, added.endsAt, added.uses],
    ['SPRING-10', 10, 5000, '2027-02-01T00:00:00.000Z', 0],
  )
  const again = await add({ code: 'Spring-10', amountOff: 5 })
  assert.deepEqual([again.statusCode, again.json().errors], [409, { code: 'There is such a code already' }])

  const later: DiscountCode = (await add({ code: 'LATER', amountOff: 5, startsOn: '2027-01-01' })).json()
  for (const { _id } of [added, later]) {
    const ended: DiscountCode = (await store.admin.request('POST', `/discount-codes/${_id}/end`)).json()
    assert.ok(ended.endsAt && Date.parse(ended.endsAt) <= Date.now())
    assert.deepEqual((await store.admin.request('POST', `/discount-codes/${_id}/end`)).json(), ended, 'it ends once')
  }
  const changes: { what: string }[] = (await store.admin.request('GET', '/pricing-changes')).json()
  assert.deepEqual(
    changes.map(({ what }) => what),
    [
      'Code LATER ended',
      'Code SPRING-10 ended',
      'Code LATER added: $5 off',
      'Code SPRING-10 added: 10 % off, for goods of $50 or more, 3 uses',
    ],
  )
  await assert.rejects(
    store.db.execute(`update discount_codes set percent_off = 20 where code = 'SPRING-10'`),
    ({ cause }: Error & { cause: { constraint: string } }) => cause.constraint === 'discount_code_stays',
  )
})

test("the days of a code are those of the shop's time zone", async () => {
  await using store = await anEmptyStore()
  await store.admin.request('PUT', '/delivery/settings', { timeZone: 'America/New_York', unknownWeightGrams: null })
  const days = { startsOn: '2099-01-01', endsOn: '2099-07-31' }
  const added = await store.admin.request('POST', '/discount-codes', { code: 'SUMMER', percentOff: 10, ...days })
  const { _id, startsAt, endsAt } = added.json()
  assert.deepEqual([startsAt, endsAt], ['2099-01-01T05:00:00.000Z', '2099-08-01T04:00:00.000Z'])
  await store.admin.request('POST', `/discount-codes/${_id}/end`)
  const restored = await store.admin.request('POST', `/discount-codes/${_id}/restore`, { endsOn: '2099-01-01' })
  assert.equal(restored.json().endsAt, '2099-01-02T05:00:00.000Z')
})

test('an ended code is brought back with its period and its uses, and told to owners; one whose last day is over gets another', async () => {
  await using store = await anEmptyStore()
  const colleague = store.newCustomer('Colin')
  await colleague.token()
  await store.admin.request('PUT', `/user/admin/${colleague.email}`)
  const ask = (id: string, what: string, body = {}) => colleague.request('POST', `/discount-codes/${id}/${what}`, body)
  const add = async (body: object): Promise<DiscountCode> => (await store.admin.request('POST', '/discount-codes', body)).json()
  const spring = await add({ code: 'SPRING', percentOff: 10, startsOn: '2026-01-01', endsOn: '2100-01-31', maxUses: 3 })
  const drill = await createProduct(store, { dollars: 100 })
  const order = (buyer: Actor) =>
    buyer.request('POST', '/orders', {
      ...{ lines: [{ productId: drill, quantity: 1 }], buyerAddress: '1 Road', discountCode: 'SPRING' },
    })
  assert.equal((await order(store.customer)).statusCode, 201)

  assert.equal((await ask(spring._id, 'restore')).statusCode, 409, 'it has not ended')
  assert.equal((await ask(spring._id, 'end')).statusCode, 200)
  assert.equal((await order(store.otherCustomer)).json().message, 'The code SPRING has ended')
  const anew = await store.admin.request('POST', '/discount-codes', { code: 'SPRING', percentOff: 90 })
  assert.deepEqual([anew.statusCode, anew.json().message], [409, 'This code has ended: bring it back, or choose another'])

  const restored = await ask(spring._id, 'restore')
  assert.deepEqual([restored.statusCode, restored.json()], [200, { ...spring, uses: 1 }])
  assert.equal((await order(store.otherCustomer)).json().totalCents, 9000)
  const [{ what }] = (await store.admin.request('GET', '/pricing-changes')).json()
  assert.equal(what, 'Code SPRING brought back, until 1 Feb 2100, 00:00 UTC: 10 % off, 3 uses')
  assert.equal((await store.emailsTo(store.admin.email)).filter(({ text }) => text.includes(`${what}: by ${colleague.email}`)).length, 1)

  const later = await add({ code: 'LATER', amountOff: 5, startsOn: '2099-01-01' })
  await ask(later._id, 'end')
  assert.deepEqual((await ask(later._id, 'restore', { endsOn: '2098-12-31' })).json().errors, {
    endsOn: 'The last day is before the first',
  })
  assert.deepEqual((await ask(later._id, 'restore')).json(), later, 'it begins when it was to begin')

  await store.db.execute(sql`update discount_codes set ends_at = now() where code = 'SPRING'`)
  for (const [body, message] of [
    [{}, 'Its last day is over: enter another one'],
    [{ endsOn: '2026-01-02' }, 'This day is over'],
  ] as const) {
    const refused = await ask(spring._id, 'restore', body)
    assert.deepEqual([refused.statusCode, refused.json().errors], [400, { endsOn: message }])
  }
  assert.equal((await ask(spring._id, 'restore', { endsOn: '2101-01-31' })).json().endsAt, '2101-02-01T00:00:00.000Z')
  assert.equal((await ask(crypto.randomUUID(), 'restore')).statusCode, 404)
})

test('a code can be used from the very moment at which it begins, and no more at that at which it ends', async () => {
  await using store = await anEmptyStore()
  await store.admin.request('POST', '/discount-codes', { code: 'SPRING', percentOff: 10 })
  await store.db.transaction(async (tx) => {
    const find = () => findUsableDiscount(tx, { id: 'ada', network: 'here' }, 'SPRING')
    // The time of a transaction stands still.
    await tx.execute(sql`update discount_codes set starts_at = now()`)
    assert.equal((await find()).percentOff, 10)
    await tx.execute(sql`update discount_codes set starts_at = now() - interval '1 day', ends_at = now()`)
    await assert.rejects(find(), { message: 'The code SPRING has ended' })
  })
})

test('the database keeps no code that no admin could have added, whoever writes', async () => {
  await using store = await anEmptyStore()
  const wrong: [constraint: string, columns: string, values: string][] = [
    ['discount_codes_spelling', 'code, percent_off', `'spring', 10`],
    ['discount_codes_reduction', 'code', `'SPRING'`],
    ['discount_codes_reduction', 'code, percent_off, amount_off_cents', `'SPRING', 10, 500`],
    ['discount_codes_percent', 'code, percent_off', `'SPRING', 0`],
    ['discount_codes_percent', 'code, percent_off', `'SPRING', 91`],
    ['discount_codes_amount', 'code, amount_off_cents', `'SPRING', 0`],
    ['discount_codes_amount', 'code, amount_off_cents', `'SPRING', 99999901`],
    ['discount_codes_minimum', 'code, percent_off, minimum_cents', `'SPRING', 10, -1`],
    ['discount_codes_period', 'code, percent_off, ends_at', `'SPRING', 10, now()`],
    ['discount_codes_uses', 'code, percent_off, max_uses', `'SPRING', 10, 0`],
  ]
  for (const [constraint, columns, values] of wrong)
    await assert.rejects(
      store.db.execute(sql.raw(`insert into discount_codes (id, ${columns}) values (gen_random_uuid(), ${values})`)),
      ({ cause }: Error & { cause: { constraint: string } }) => {
        assert.equal(cause.constraint, constraint, values)
        return true
      },
    )
})

test('codes that have not ended are listed first and found by their beginning, and older changes by pages', async () => {
  await using store = await anEmptyStore()
  const add = async (code: string) => (await store.admin.request('POST', '/discount-codes', { code, percentOff: 10 })).json()._id
  await add('SPRING')
  const ended = await add('SUMMER')
  await store.admin.request('POST', `/discount-codes/${ended}/end`)
  const list = async (q: string) => (await store.admin.request('GET', `/discount-codes?q=${q}`)).json()
  const codes = ({ codes }: { codes: DiscountCode[] }) => codes.map(({ code }) => code)
  assert.deepEqual(codes(await list('')), ['SPRING', 'SUMMER'])
  assert.deepEqual(codes(await list('su')), ['SUMMER'])
  assert.equal((await list('%25')).total, 0)
  const changes = async (query: string) => (await store.admin.request('GET', `/pricing-changes${query}`)).json()
  const [newest, ...older] = await changes('')
  assert.deepEqual(await changes(`?before=${newest._id}`), older)
})

/** All rows of a list, page by page. */
async function readPages<Row>(store: Store, path: string, rowsOf: (page: Record<string, Row[]>) => Row[] | undefined) {
  const pages: Row[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await store.admin.request('GET', `${path}${cursor && `${path.includes('?') ? '&' : '?'}cursor=${cursor}`}`)
    assert.equal(answer.statusCode, 200, answer.body)
    pages.push(rowsOf(answer.json()) ?? [])
    cursor = answer.json().next
  }
  return pages
}

test('prices for buyers are listed page by page, newest first, each once, also those of the same moment', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 30 })
  const count = 2 * maxListedBuyerPrices
  await store.db.execute(
    sql`insert into customer_groups (id, name) select gen_random_uuid(), 'Group ' || nth from generate_series(1, ${count}) nth`,
  )
  await store.db.execute(sql`insert into buyer_prices (id, product_id, group_id, price_cents, created_at)
    select gen_random_uuid(), ${drill}, id, 2000, now() - interval '0.001 milliseconds' * (row_number() over () / 3) from customer_groups`)
  await store.customer.token()
  await setPrice(store, { sku: await skuOf(store, drill), price: 20, email: store.customer.email })

  const pages = await readPages<BuyerPrice>(store, '/buyer-prices', ({ prices }) => prices)

  assert.deepEqual(
    pages.map(({ length }) => length),
    [maxListedBuyerPrices, maxListedBuyerPrices, 1],
  )
  assert.equal(pages[0]?.[0]?.email, store.customer.email)
  assert.equal(new Set(pages.flat().map(({ _id }) => _id)).size, count + 1)
  const ofGroups = await readPages<BuyerPrice>(store, '/buyer-prices?q=group', ({ prices }) => prices)
  assert.deepEqual(
    ofGroups.map(({ length }) => length),
    [maxListedBuyerPrices, maxListedBuyerPrices],
    'a page that is full is the last where no other follows',
  )
  assert.equal((await store.admin.request('GET', '/buyer-prices?cursor=200')).json().errors.cursor, 'There is no such page')
  const farAway = '9999999999999999.1.00000000-0000-4000-8000-000000000000'
  assert.equal((await store.admin.request('GET', `/discount-codes?cursor=${farAway}`)).statusCode, 200, 'numbers of any size')
})

test('codes are listed page by page, those that have ended last, each once', async () => {
  await using store = await anEmptyStore()
  await store.db.execute(sql`insert into discount_codes (id, code, percent_off, starts_at, ends_at)
    select gen_random_uuid(), 'CODE-' || nth, 10, now() - interval '2 days', case when nth % 2 = 0 then now() - interval '1 day' end
    from generate_series(1, ${maxListedBuyerPrices + 50}) nth`)

  const pages = await readPages<DiscountCode>(store, '/discount-codes?q=code', ({ codes }) => codes)

  assert.deepEqual(
    pages.map(({ length }) => length),
    [maxListedBuyerPrices, 50],
  )
  assert.equal(new Set(pages.flat().map(({ code }) => code)).size, maxListedBuyerPrices + 50)
  const firstEnded = pages.flat().findIndex(({ endsAt }) => endsAt !== null)
  assert.equal(firstEnded, maxListedBuyerPrices / 2 + 25)
  assert.ok(
    pages
      .flat()
      .slice(firstEnded)
      .every(({ endsAt }) => endsAt !== null),
  )
})

test('every member of a large group is listed, page by page by the alphabet, without removed accounts', async () => {
  await using store = await anEmptyStore()
  const { _id, members: none } = await addGroup(store, { name: 'Dealers', percentOff: 10 })
  assert.deepEqual(none, [])
  const other = await addGroup(store, { name: 'Schools', percentOff: 10 })
  await store.db.execute(sql`insert into users (id, name, email, removed_at)
    select 'id-' || nth, 'Dealer', 'dealer-' || lpad(nth::text, 3, '0') || '@shop.example', case when nth = 150 then now() end
    from generate_series(1, ${maxListedMembers + 60}) nth`)
  await store.db.execute(sql`insert into customer_group_members (user_id, group_id)
    select id, case when id = 'id-151' then ${other._id}::uuid else ${_id}::uuid end from users where name = 'Dealer'`)
  const page = async (query: string): Promise<{ members: string[]; hasMore: boolean }> =>
    (await store.admin.request('GET', `/customer-groups/${_id}/members${query}`)).json()

  const [listed]: CustomerGroup[] = (await store.admin.request('GET', '/customer-groups')).json()
  const first = await page('')
  const second = await page(`?after=${encodeURIComponent(first.members.at(-1)?.toUpperCase() ?? '')}`)

  assert.equal(listed?.memberCount, maxListedMembers + 58)
  assert.deepEqual([first.members, first.hasMore], [listed?.members, true])
  assert.equal(second.hasMore, false)
  assert.deepEqual(
    second.members,
    Array.from({ length: 60 }, (_, nth) => `dealer-${maxListedMembers + 1 + nth}@shop.example`).filter((email) => !/15[01]@/.test(email)),
  )
  assert.deepEqual((await store.admin.request('GET', `/customer-groups/${crypto.randomUUID()}/members`)).json(), {
    members: [],
    hasMore: false,
  })
})

test('owners are told of an admin who changes what all products cost, and of one who changes many prices', async () => {
  await using store = await anEmptyStore()
  const colleague = store.newCustomer('Colin')
  await colleague.token()
  await store.admin.request('PUT', `/user/admin/${colleague.email}`)
  const told = async () =>
    (await store.emailsTo(store.admin.email))
      .filter(({ subject }) => /has changed what customers pay/.test(subject))
      .map(({ text }) => text)
  const group: CustomerGroup = (await colleague.request('POST', '/customer-groups', { name: 'Friends', percentOff: 0 })).json()
  assert.deepEqual(await told(), [], 'a group that pays the list prices')

  await colleague.request('PUT', `/customer-groups/${group._id}`, { name: 'Friends', percentOff: 90 })

  const [mail] = await told()
  assert.match(mail ?? '', /Group Friends \(0 % off\) is Friends \(90 % off\) now: by colin@shop\.example/)
  await colleague.request('POST', '/discount-codes', { code: 'MINE', percentOff: 90 })
  assert.match((await told())[1] ?? '', /Code MINE added: 90 % off: by colin@shop\.example/)
  const [code]: DiscountCode[] = (await store.admin.request('GET', '/discount-codes')).json().codes
  assert.equal((await colleague.request('POST', `/discount-codes/${code?._id}/end`)).statusCode, 200)
  assert.match((await told())[2] ?? '', /Code MINE ended: by colin@shop\.example/)
  assert.equal((await store.admin.request('POST', '/discount-codes', { code: 'OWN', percentOff: 50 })).statusCode, 201)
  assert.equal((await told()).length, 3, 'of owners nobody is told')
})

test('of what an admin changes about all prices within an hour, the first ten changes are told one by one', async () => {
  await using store = await anEmptyStore()
  const colleague = store.newCustomer('Colin')
  await colleague.token()
  await store.admin.request('PUT', `/user/admin/${colleague.email}`)
  for (let nth = 1; nth <= 12; nth++) await colleague.request('POST', '/discount-codes', { code: `CODE-${nth}`, percentOff: 90 })
  const told = (await store.emailsTo(store.admin.email)).flatMap(({ text }) => /Code (CODE-\d+) added/.exec(text)?.[1] ?? [])
  assert.deepEqual(
    told,
    Array.from({ length: 10 }, (_, nth) => `CODE-${nth + 1}`),
  )
})

test('a removed group is told to owners at once, and the list of changes says who was in it and what they paid', async () => {
  await using store = await anEmptyStore()
  const [{ _id }, { _id: otherId }] = [
    await addGroup(store, { name: 'Dealers', percentOff: 15 }),
    await addGroup(store, { name: 'Guests', percentOff: 0 }),
  ]
  const productId = await createProduct(store)
  const sku = await skuOf(store, productId)
  await store.customer.token()
  const setGroup = (groupId: string) => store.admin.request('PUT', `/users/${store.customer.email}/customer-group`, { groupId })
  for (const groupId of [otherId, _id]) assert.equal((await setGroup(groupId)).statusCode, 200)
  const priced = await setPrice(store, { sku, groupId: _id, price: 25 })
  assert.equal(priced.statusCode, 201, priced.body)
  const colleague = store.newCustomer('Colin')
  await colleague.token()
  await store.admin.request('PUT', `/user/admin/${colleague.email}`)

  assert.equal((await colleague.request('DELETE', `/customer-groups/${_id}`)).statusCode, 200)

  const changes: { what: string }[] = (await store.admin.request('GET', '/pricing-changes')).json()
  const said = changes.map(({ what }) => what)
  assert.ok(said.includes(`In the group Dealers, removed: ${store.customer.email}`), said.join('\n'))
  assert.ok(said.includes(`Prices of the group Dealers, removed: ${sku} $25`), said.join('\n'))
  assert.ok(said.includes(`${store.customer.email} is in the group Dealers now, was in Guests`), said.join('\n'))
  assert.equal((await store.emailsTo(store.admin.email)).filter(({ text }) => text.includes('Dealers (15 % off) removed')).length, 1)
})
