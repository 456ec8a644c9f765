import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { sampleSize } from '#proof/full-run.ts'
import { users } from '#store/identity/table.ts'
import { anEmptyStore } from '#test/store.ts'
import { deleteOldProductHistory } from './product-history.ts'
import type { ProductHistoryEntry } from './product-history-contract.ts'
import { showProductPage } from './product-page-contract.ts'
import * as catalogue from './rules.ts'
import { productHistory } from './table.ts'

const pliers = {
  name: 'Pliers',
  img: '/drawings/pliers.svg',
  description: 'Grips.',
  price: 12,
  minimum_order_quantity: 5,
  available_quantity: 40,
}
const tenOf = (toolId: string) => ({ toolId, productName: 'Pliers', productQuantity: 10, productCost: 120, buyerAddress: '1 Road' })

test('a product that an admin adds is for sale at once, as the specification spells it', async () => {
  await using store = await anEmptyStore()

  const added = await store.admin.request('POST', '/tools', pliers)

  assert.equal(added.statusCode, 201, added.body)
  const { _id, ...rest } = added.json()
  assert.deepEqual(rest, pliers)
  assert.deepEqual((await store.visitor.request('GET', `/tools/${_id}`)).json(), added.json())
  assert.deepEqual((await store.visitor.request('GET', '/tools')).json(), [added.json()])
})

test('products come in the order in which they were added', async () => {
  await using store = await anEmptyStore()
  for (const name of ['C', 'A', 'B']) await store.admin.request('POST', '/tools', { ...pliers, name })

  const tools: { name: string }[] = (await store.visitor.request('GET', '/tools')).json()

  assert.deepEqual(
    tools.map(({ name }) => name),
    ['C', 'A', 'B'],
  )
})

test('all products are one array, however many they are, and a visitor who only asks about it or goes away costs nothing', async () => {
  await using store = await anEmptyStore()
  const many = Array.from({ length: 1201 }, (_, nth) => ({ ...pliers, name: `Pliers ${nth}`, description: 'x'.repeat(5000) }))
  await catalogue.addProducts(store.db, many)

  const answer = await store.visitor.request('GET', '/tools')

  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  const all: { name: string }[] = answer.json()
  assert.deepEqual(
    all.map(({ name }) => name),
    many.map(({ name }) => name),
  )
  assert.deepEqual(Object.keys(all[0] ?? {}).sort(), ['_id', ...Object.keys(pliers)].sort())
  const lengths: number[] = []
  for await (const some of catalogue.prepareProductQueries(store.db).all()) lengths.push(some.length)
  assert.deepEqual(lengths, [500, 500, 201], 'so that the store never holds all of a large catalogue')

  await store.app.listen({ host: '127.0.0.1', port: Number(new URL(store.origin).port) })
  const asked = await fetch(`${store.origin}/api/tools`, { method: 'HEAD' })
  assert.deepEqual([asked.status, await asked.text()], [200, ''])
  for (let visitor = 0; visitor < sampleSize(8, 30); visitor++) {
    const gone = new AbortController()
    const begun = await fetch(`${store.origin}/api/tools`, { signal: gone.signal })
    await begun.body?.getReader().read()
    gone.abort()
  }
  assert.equal((await (await fetch(`${store.origin}/api/tools`)).json()).length, 1201)
})

test('all products are read once for everybody until one changes, and a visitor who has them already is sent nothing', async (t) => {
  await using store = await anEmptyStore()
  const { _id } = (await store.admin.request('POST', '/tools', pliers)).json()
  const long = { ...pliers, description: 'x'.repeat(5000) }
  await catalogue.addProducts(
    store.db,
    Array.from({ length: 100 }, () => long),
  )
  const first = await store.visitor.request('GET', '/tools')
  const asked = t.mock.method(pg.Client.prototype, 'query')

  const again = await store.visitor.request('GET', '/tools')
  const zipped = await store.visitor.request('GET', '/tools', undefined, { 'accept-encoding': 'gzip' })
  const unchanged = await store.visitor.request('GET', '/tools', undefined, { 'if-none-match': String(first.headers.etag) })

  assert.ok(!asked.mock.calls.some(({ arguments: [query] }) => JSON.stringify(query).includes('next_tools')))
  assert.deepEqual([again.body, gunzipSync(zipped.rawPayload).toString()], [first.body, first.body])
  assert.deepEqual([unchanged.statusCode, unchanged.body], [304, ''])
  await store.admin.request('PUT', `/tools/${_id}`, { ...pliers, available_quantity: 39 })
  assert.equal((await store.visitor.request('GET', '/tools')).json()[0].available_quantity, 39)
})

test('while no place for open reads is free, others are refused at once, and customers order all the same', async () => {
  await using store = await anEmptyStore({ readLimiter: { maxConcurrent: 0, maxQueued: 0 } })
  const { _id } = (await store.admin.request('POST', '/tools', pliers)).json()
  await store.app.listen({ host: '127.0.0.1', port: Number(new URL(store.origin).port) })

  for (const path of [
    '/tools',
    `/tools/${_id}`,
    `/products/${_id}`,
    `/compare?id=${_id}`,
    '/reviews',
    '/reviews/shown',
    '/reviews/summary',
  ])
    for (const method of ['GET', 'HEAD']) {
      const refused = await fetch(`${store.origin}/api${path}`, { method })
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '2'], `${method} ${path}`)
    }
  assert.equal((await fetch(`${store.origin}/sitemap.xml`)).status, 503)
  assert.equal((await fetch(`${store.origin}/sitemap-1.xml`)).status, 503)

  for (const path of ['/search', '/suggestions?q=pl', '/categories'])
    assert.equal((await fetch(`${store.origin}/api${path}`)).status, 200, `${path} is answered from memory`)
  assert.ok('output' in (await store.callInProcess(showProductPage, { params: { id: _id } })), 'a page asks inside the store')
  assert.equal((await store.customer.request('POST', '/purchase', tenOf(_id))).statusCode, 201)
})

test('a network that fills the queue of open reads keeps no other network from its answer', async () => {
  await using store = await anEmptyStore({ readLimiter: { maxConcurrent: 1, maxQueued: 4 }, http: { trustProxy: true } })
  const { _id } = (await store.admin.request('POST', '/tools', pliers)).json()
  await store.app.listen({ host: '127.0.0.1', port: Number(new URL(store.origin).port) })
  const read = async (from: string) => (await fetch(`${store.origin}/api/tools/${_id}`, { headers: { 'x-forwarded-for': from } })).status

  const refused: number[] = []
  const gaveWay = Promise.withResolvers<void>()
  const readAsStranger = async () => {
    if ((await read('192.0.2.1')) === 503 && refused.push(503) === 12 - 4) gaveWay.resolve()
  }
  const { own } = await store.db.transaction(async (tx) => {
    await tx.execute(sql`lock table tools in access exclusive mode`)
    const strangers = Array.from({ length: 12 }, readAsStranger) // one reads, four wait
    await Promise.race(strangers)
    const own = read('198.51.100.1')
    await Promise.race([own, gaveWay.promise])
    return { own }
  })
  assert.equal(await own, 200)
})

test('only an admin adds, changes and removes products', async () => {
  await using store = await anEmptyStore()
  const { _id } = (await store.admin.request('POST', '/tools', pliers)).json()

  for (const [actor, status] of [
    [store.visitor, 401],
    [store.customer, 403],
  ] as const) {
    assert.equal((await actor.request('POST', '/tools', {})).statusCode, status)
    assert.equal((await actor.request('PUT', `/tools/${_id}`, {})).statusCode, status)
    assert.equal((await actor.request('DELETE', `/tools/${_id}`)).statusCode, status)
  }
  assert.equal((await store.visitor.request('GET', '/tools')).json().length, 1)
})

test('every wrong field of a product is named in the words of the form', async () => {
  await using store = await anEmptyStore()

  const empty = await store.admin.request('POST', '/tools', { name: ' ', img: '', description: '' })

  assert.equal(empty.statusCode, 400)
  assert.deepEqual(empty.json().errors, {
    name: 'product name is required',
    img: 'product img is required',
    description: 'product description needed',
    price: 'product price is required',
    minimum_order_quantity: 'minimum order quantity is needed',
    available_quantity: 'available quantity is needed',
  })
  assert.equal(empty.json().message, 'product name is required')
})

test('a price is dollars with at most two decimals, from $0.01 to $999,999, as a number or as text, and anything else is refused', async () => {
  await using store = await anEmptyStore()
  const required = 'product price is required'
  const tooLow = 'A product costs at least $0.01'
  const tooHigh = 'A product costs at most $999,999'
  for (const [price, message] of [
    ...['1.005', '1e3', '', '12,50', '1,250', '$12', '.5', '5.', 1.005, 0.1 + 0.2, null, true, [12], {}].map((price) => [price, required]),
    ...[0, '0', '0.00', -5, '-0.01', -0.01].map((price) => [price, tooLow]),
    ...[1_000_000, 999_999.01, '999999.01', 1e300].map((price) => [price, tooHigh]),
  ]) {
    const answer = await store.admin.request('POST', '/tools', { ...pliers, price })
    assert.deepEqual([answer.statusCode, answer.json().errors?.price], [400, message], `price ${JSON.stringify(price)}`)
  }
  assert.deepEqual((await store.visitor.request('GET', '/tools')).json(), [])

  for (const [price, read] of [
    [12.35, 12.35],
    ['12.35', 12.35],
    [' 12.5 ', 12.5],
    ['0.05', 0.05],
    [0.01, 0.01],
    ['25', 25],
    [999_999, 999_999],
  ])
    assert.equal((await store.admin.request('POST', '/tools', { ...pliers, price })).json().price, read)

  const { paths } = (await store.visitor.request('GET', '/openapi.json')).json()
  const described = paths['/api/tools'].post.requestBody.content['application/json'].schema.properties.price
  assert.deepEqual(
    described.anyOf.map(({ type }: { type: string }) => type),
    ['number', 'string'],
  )
})

test('a price with cents is the same wherever a product is answered, and its history says it in dollars', async () => {
  await using store = await anEmptyStore()
  const { _id } = (await store.admin.request('POST', '/tools', { ...pliers, price: 12.35 })).json()
  const change = { price: '19.99', minimum_order_quantity: 5, available_quantity: 40 }
  assert.equal((await store.admin.request('PUT', `/tools/${_id}`, change)).json().price, 19.99)
  await store.admin.request('PUT', `/tools/${_id}`, { ...change, price: 20 })
  await store.admin.request('PUT', `/tools/${_id}`, { ...change, price: 1.1 })
  await store.search.catchUp()

  const answered = async (path: string) => (await store.visitor.request('GET', path)).json()
  assert.deepEqual(
    [
      (await answered('/tools'))[0].price,
      (await answered(`/tools/${_id}`)).price,
      (await answered(`/products/${_id}`)).part.price,
      (await answered(`/compare?id=${_id}`)).parts[0].price,
      (await answered('/search?q=pliers')).tools[0].price,
      (await answered('/suggestions?q=pliers')).tools[0].price,
    ],
    Array(6).fill(1.1),
  )
  const history: ProductHistoryEntry[] = (await store.admin.request('GET', `/tools/${_id}/history`)).json()
  assert.deepEqual(
    history.map(({ field, before, after }) => [field, before, after]),
    [
      ['price', '20', '1.1'],
      ['price', '19.99', '20'],
      ['price', '12.35', '19.99'],
    ],
  )
  assert.equal((await store.admin.request('DELETE', `/tools/${_id}`)).json().price, 1.1)
  assert.equal((await store.admin.request('GET', '/tools/removed')).json()[0].price, 1.1)
  assert.equal((await store.admin.request('PUT', `/tools/restored/${_id}`)).json().price, 1.1)
})

test('a whole number written as text counts as that number', async () => {
  await using store = await anEmptyStore()
  const answer = await store.admin.request('POST', '/tools', { ...pliers, price: ' 12 ', available_quantity: '40' })
  assert.deepEqual([answer.json().price, answer.json().available_quantity], [12, 40])
})

test('a picture that is no address of a picture is refused', async () => {
  await using store = await anEmptyStore()
  for (const img of [
    'javascript:alert(1)',
    '//evil.example/x.png',
    '/\\evil.example/x.png',
    'http://shop.example/x.png',
    'data:text/html,x',
    'pliers.png',
  ])
    assert.equal((await store.admin.request('POST', '/tools', { ...pliers, img })).statusCode, 400, img)
})

test('price, minimum and stock can be changed; name and description stay', async () => {
  await using store = await anEmptyStore()
  const { _id } = (await store.admin.request('POST', '/tools', pliers)).json()

  const changed = await store.admin.request('PUT', `/tools/${_id}`, {
    price: 15,
    minimum_order_quantity: 2,
    available_quantity: 9,
    name: 'Hammer',
  })

  assert.deepEqual(changed.json(), { ...pliers, _id, price: 15, minimum_order_quantity: 2, available_quantity: 9 })
})

test('a change of the stock starts from the stock of that product, whatever others have', async () => {
  await using store = await anEmptyStore()
  for (const available_quantity of [900, 40, 800]) await store.admin.request('POST', '/tools', { ...pliers, available_quantity })
  const [, { _id }] = (await store.visitor.request('GET', '/tools')).json()

  const change = { price: 12, minimum_order_quantity: 5, available_quantity: 30, available_quantity_seen: 40 }
  assert.equal((await store.admin.request('PUT', `/tools/${_id}`, change)).json().available_quantity, 30)
})

test('the changed figures of a product may be written as text', async () => {
  await using store = await anEmptyStore()
  const { _id } = (await store.admin.request('POST', '/tools', pliers)).json()

  const changed = await store.admin.request('PUT', `/tools/${_id}`, {
    price: ' 15 ',
    minimum_order_quantity: '2',
    available_quantity: '009',
    available_quantity_seen: '40',
  })

  assert.deepEqual(changed.json(), { ...pliers, _id, price: 15, minimum_order_quantity: 2, available_quantity: 9 })
})

test('a change of a product without its figures is refused in the words of the form, and changes nothing', async () => {
  await using store = await anEmptyStore()
  const { _id } = (await store.admin.request('POST', '/tools', pliers)).json()
  const errors = {
    price: 'product price is required',
    minimum_order_quantity: 'minimum order quantity is needed',
    available_quantity: 'available quantity is needed',
  }

  for (const figure of [undefined, '', ' ', null, '1.505', '1e3', 'ten', 2.505]) {
    const answer = await store.admin.request('PUT', `/tools/${_id}`, {
      price: figure,
      minimum_order_quantity: figure,
      available_quantity: figure,
    })
    assert.deepEqual(
      [answer.statusCode, answer.json()],
      [400, { message: errors.price, errors, code: 'invalid_request' }],
      JSON.stringify(figure),
    )
  }

  assert.deepEqual((await store.visitor.request('GET', `/tools/${_id}`)).json(), { ...pliers, _id })
})

test('a product without a picture of its own shows its drawing, and the drawing of its category where parts of it are not drawn', async () => {
  await using store = await anEmptyStore()
  const { img: _, ...without } = pliers
  // No call adds a product without a picture: an import does.
  const processor = { ...without, category: 'processor', specs: { cores: 8, socket: 'AM5' } }
  const camera = { ...without, category: 'tester', specs: { kind: 'thermal camera' } }
  await catalogue.addProducts(store.db, [processor, { ...without, category: 'webcam' }, without, camera])

  const listed: { _id: string; img: string }[] = (await store.visitor.request('GET', '/tools')).json()

  const [drawn, ...others] = listed
  assert.match(drawn?.img ?? '', new RegExp(`^/drawings/${drawn?._id}\\.svg\\?v=[0-9a-f]{8}$`))
  assert.deepEqual(
    others.map(({ img }) => img),
    ['/drawings/webcam.svg', '/drawings/part.svg', '/drawings/thermal-camera.svg'],
  )
  for (const tool of listed) assert.deepEqual((await store.visitor.request('GET', `/tools/${tool._id}`)).json(), tool)
})

test('a stock that was changed from an old page moves by the difference, so that what was sold stays sold', async () => {
  await using store = await anEmptyStore()
  const { _id } = (await store.admin.request('POST', '/tools', pliers)).json()
  const change = { price: 12, minimum_order_quantity: 5, available_quantity_seen: 40 }
  await store.customer.request('POST', '/purchase', tenOf(_id))

  const added = await store.admin.request('PUT', `/tools/${_id}`, { ...change, available_quantity: 60 })
  assert.equal(added.json().available_quantity, 50)

  const tooFew = await store.admin.request('PUT', `/tools/${_id}`, { ...change, available_quantity_seen: 100, available_quantity: 0 })
  assert.equal(tooFew.statusCode, 409)
  assert.equal(tooFew.json().errors.available_quantity, '50 pieces are left now')
})

test('while no place is left for reads that are open to everybody, what belongs to an account is answered', async () => {
  await using store = await anEmptyStore({ cards: true, readLimiter: { maxConcurrent: 0, maxQueued: 0 } }) // it listens
  const headers = { authorization: `Bearer ${await store.customer.token()}` }
  const paths = ['/products/00000000-0000-4000-8000-000000000000', `/purchase?buyerEmail=${store.customer.email}`, '/search']
  const answers = await Promise.all(paths.map((path) => fetch(`${store.origin}/api${path}`, { headers })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [503, 200, 200],
  )
})

test('all that is left of a stock can be taken out of it', async () => {
  await using store = await anEmptyStore()
  const { _id } = (await store.admin.request('POST', '/tools', pliers)).json()
  const change = { price: 12, minimum_order_quantity: 5, available_quantity: 0, available_quantity_seen: pliers.available_quantity }
  const emptied = await store.admin.request('PUT', `/tools/${_id}`, change)
  assert.deepEqual([emptied.statusCode, emptied.json().available_quantity], [200, 0])
})

test('of two changes of a stock at the same time both count', async () => {
  await using store = await anEmptyStore()
  const { _id } = (await store.admin.request('POST', '/tools', pliers)).json()
  const figures = { price: 12, minimum_order_quantity: 5, available_quantity_seen: 40 }
  const [owner] = await store.db.select({ id: users.id }).from(users)
  assert.ok(owner)

  const { other } = await store.db.transaction(async (tx) => {
    await catalogue.updateProduct(tx, _id, { ...figures, available_quantity: 30 }, owner.id)
    const other = store.admin.request('PUT', `/tools/${_id}`, { ...figures, available_quantity: 45 })
    let isAnswered = false
    other.then(() => (isAnswered = true))
    while (!isAnswered) {
      const { rows } = await store.db.execute(
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%"tools"%'`,
      )
      if (rows.length > 0) break
    }
    return { other }
  })

  assert.equal((await other).json().available_quantity, 35)
  assert.equal((await store.visitor.request('GET', `/tools/${_id}`)).json().available_quantity, 35)
})

test('a removed product is gone from the catalogue, and its orders keep name and price', async () => {
  await using store = await anEmptyStore()
  const { _id } = (await store.admin.request('POST', '/tools', pliers)).json()
  await store.customer.request('POST', '/purchase', tenOf(_id))

  assert.equal((await store.admin.request('DELETE', `/tools/${_id}`)).statusCode, 200)

  assert.deepEqual((await store.visitor.request('GET', '/tools')).json(), [])
  for (const answer of [
    await store.visitor.request('GET', `/tools/${_id}`),
    await store.admin.request('DELETE', `/tools/${_id}`),
    await store.admin.request('PUT', `/tools/${_id}`, { price: 1, minimum_order_quantity: 1, available_quantity: 1 }),
    await store.customer.request('POST', '/purchase', tenOf(_id)),
  ])
    assert.equal(answer.statusCode, 404, answer.body)
  const [order] = (await store.customer.request('GET', `/purchase?buyerEmail=${store.customer.email}`)).json()
  assert.deepEqual([order.productName, order.productCost], ['Pliers', 120])

  await store.admin.request('POST', '/tools', pliers)
  const byName = await store.customer.request('POST', '/purchase', { ...tenOf(_id), toolId: undefined })
  assert.equal(byName.statusCode, 201, 'whoever orders by name gets the one that is for sale')
})

test('an id that no product has, or that is no id, is not there', async () => {
  await using store = await anEmptyStore()
  for (const id of ['abc', '00000000-0000-4000-8000-000000000000', "1' or '1'='1"]) {
    const answer = await store.visitor.request('GET', `/tools/${encodeURIComponent(id)}`)
    assert.equal(answer.statusCode, 404)
    assert.equal(answer.json().message, 'There is no such product')
  }
})

test('a product whose stock could not be written down is not added', async () => {
  await using store = await anEmptyStore()
  await store.db.execute(sql`alter table stock_movements add constraint no_stock check (reason <> 'initial')`)
  const { error } = console
  console.error = () => {}
  const answer = await store.admin.request('POST', '/tools', pliers)
  console.error = error
  assert.equal(answer.statusCode, 500)
  assert.deepEqual((await store.visitor.request('GET', '/tools')).json(), [])
})

test('packs and price breaks are set by the calls, stay where a change leaves them out, and stand in the history', async () => {
  await using store = await anEmptyStore()
  const breaks = [{ min_quantity: 25, price: 11.3 }]
  const { _id } = (
    await store.admin.request('POST', '/tools', { ...pliers, minimum_order_quantity: 5, order_multiple: 5, price_breaks: breaks })
  ).json()
  const figures = { price: 12, minimum_order_quantity: 10, available_quantity: 40 }
  const shown = async () => {
    const { order_multiple, price_breaks } = (await store.visitor.request('GET', `/products/${_id}`)).json().part
    return [order_multiple, price_breaks]
  }
  await store.admin.request('PUT', `/tools/${_id}`, figures)
  assert.deepEqual(await shown(), [5, breaks])
  const changed = await store.admin.request('PUT', `/tools/${_id}`, { ...figures, order_multiple: 2, price_breaks: [] })
  assert.equal(changed.statusCode, 200, changed.body)
  assert.deepEqual(await shown(), [2, []])

  const odd = await store.admin.request('PUT', `/tools/${_id}`, { ...figures, minimum_order_quantity: 5 })
  const message = 'Sold in packs of 2: the minimum order quantity has to be a multiple of it'
  assert.deepEqual([odd.statusCode, odd.json()], [400, { message, errors: { minimum_order_quantity: message }, code: 'invalid_request' }])
  const oddNew = await store.admin.request('POST', '/tools', { ...pliers, minimum_order_quantity: 5, order_multiple: 2 })
  assert.equal(oddNew.statusCode, 400)
  for (const price_breaks of [[{ min_quantity: 25, price: 1.005 }], [...breaks, ...breaks], 'none'])
    assert.equal(
      (await store.admin.request('PUT', `/tools/${_id}`, { ...figures, price_breaks })).statusCode,
      400,
      JSON.stringify(price_breaks),
    )
  const limits: [quantities: number[], message: string][] = [
    [[1], 'A price break begins at 2 pieces or more'],
    [[10_000_001], 'A price break begins at 10,000,000 pieces or less'],
    [Array.from({ length: 11 }, (_, nth) => nth + 2), 'At most 10 price breaks'],
  ]
  for (const [quantities, message] of limits) {
    const price_breaks = quantities.map((min_quantity, nth) => ({ min_quantity, price: 11 - nth }))
    const refused = await store.admin.request('PUT', `/tools/${_id}`, { ...figures, price_breaks })
    assert.deepEqual([refused.statusCode, refused.json().message], [400, message])
  }

  const history: ProductHistoryEntry[] = (await store.admin.request('GET', `/tools/${_id}/history`)).json()
  const recorded = history.map(({ field, before, after }) => [field, before, after])
  assert.deepEqual(
    recorded.filter(([field]) => field === 'order_multiple' || field === 'price_breaks'),
    [
      ['order_multiple', '5', '2'],
      ['price_breaks', '25: 11.30', null],
    ],
  )
})

test('an admin gives a product its SKU, brand, part number and category, and changes its texts; what a change does not name stays', async () => {
  await using store = await anEmptyStore()
  const texts = { sku: ' PL-160 ', brand: 'Knipex', mpn: '03 01 160', category: 'GRAPHICS cards' }
  const { _id } = (await store.admin.request('POST', '/tools', { ...pliers, ...texts })).json()
  const part = async () => (await store.visitor.request('GET', `/products/${_id}`)).json().part
  const figures = { price: 12, minimum_order_quantity: 5, available_quantity: 40 }
  const change = async (changes: object) => {
    const changed = await store.admin.request('PUT', `/tools/${_id}`, { ...figures, details: changes })
    assert.equal(changed.statusCode, 200, changed.body)
    const { sku, name, img, description, brand, mpn, category } = await part()
    return { sku, name, img, description, brand, mpn, category }
  }
  const given = { sku: 'PL-160', brand: 'Knipex', mpn: '03 01 160', category: 'video-card' }
  const { name, img, description } = pliers
  assert.deepEqual(await change({}), { ...given, name, img, description })

  const renamed = { name: 'Long pliers', description: 'Of 160 mm.', img: '/drawings/vise.svg' }
  assert.deepEqual(await change({ ...renamed, mpn: '0301160', category: 'Pliers of ours' }), {
    ...{ ...given, ...renamed },
    ...{ mpn: '0301160', category: 'Pliers of ours' },
  })
  assert.deepEqual(await change({ brand: '', mpn: ' ', category: '' }), { ...given, ...renamed, brand: null, mpn: null, category: null })
  const history: ProductHistoryEntry[] = (await store.admin.request('GET', `/tools/${_id}/history`)).json()
  const recorded = (of: string) => history.filter(({ field }) => field === of).map(({ before, after }) => [before, after])
  assert.deepEqual(recorded('name'), [[name, 'Long pliers']])
  assert.deepEqual(recorded('category'), [
    ['Pliers of ours', null],
    ['video-card', 'Pliers of ours'],
  ])

  const twin = await store.admin.request('POST', '/tools', { ...pliers, sku: 'PL-160' })
  const message = 'Another product has this SKU, or a removed one has'
  assert.deepEqual([twin.statusCode, twin.json().code, twin.json().errors], [409, 'conflict', { sku: message }])
  for (const [field, long] of Object.entries({ sku: 101, brand: 201, mpn: 201, category: 101 }))
    assert.equal((await store.admin.request('POST', '/tools', { ...pliers, [field]: 'x'.repeat(long) })).statusCode, 400, field)
  for (const changes of [{ name: '' }, { description: ' ' }, { img: 'javascript:alert(1)' }])
    assert.equal(
      (await store.admin.request('PUT', `/tools/${_id}`, { ...figures, details: changes })).statusCode,
      400,
      JSON.stringify(changes),
    )
})

test('a history that has become too old is deleted in parts, however much of it there is, and what is younger stays', async () => {
  await using store = await anEmptyStore()
  await store.db.execute(
    sql`insert into product_history (tool_id, field, before, after, at)
      select gen_random_uuid(), 'price', '1', '2', now() - interval '401 days' from generate_series(1, 10001)
      union all select gen_random_uuid(), 'name', 'Old', 'New', now() - interval '399 days'`,
  )
  const deleted = async () => {
    const before = await store.db.$count(productHistory)
    await deleteOldProductHistory(store.db)
    return before - (await store.db.$count(productHistory))
  }
  assert.deepEqual([await deleted(), await deleted(), await deleted()], [10_000, 1, 0])
  assert.deepEqual(
    (await store.db.select().from(productHistory)).map(({ field }) => field),
    ['name'],
  )
})
