import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { overloadedError } from '#platform/concurrency-limiter.ts'
import { createHttpApp } from '#platform/http.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import type { Product } from './contract.ts'
import * as catalogue from './rules.ts'
import { registerSitemap } from './sitemap.ts'
import { products } from './table.ts'

const pliers = { name: 'Pliers', category: 'pliers', description: 'Grips.', price: 12, minimum_order_quantity: 5, available_quantity: 40 }
const read = async (store: Store, url: string) => (await store.app.inject({ url })).body
const listed = (xml: string) => [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => address)

test('the sitemap names every product for sale once, in parts, and the pages', async () => {
  await using store = await anEmptyStore()
  await catalogue.addProducts(
    store.db,
    Array.from({ length: 1005 }, () => pliers),
  )
  await store.db.execute(sql`select setval('tools_position_seq', 49000)`)
  await catalogue.addProducts(store.db, [pliers])
  const all: Product[] = (await store.visitor.request('GET', '/tools')).json()
  await store.admin.request('DELETE', `/tools/${all[3]?._id}`)

  const parts = listed(await read(store, '/sitemap.xml'))
  const addresses = await Promise.all(parts.map(async (part) => listed(await read(store, new URL(part).pathname))))

  assert.deepEqual(parts, [`${store.origin}/sitemap-1.xml`, `${store.origin}/sitemap-2.xml`])
  const products = all.filter((_, place) => place !== 3).map(({ _id }) => `${store.origin}/products/${_id}`)
  assert.deepEqual(addresses, [
    [
      ...['/', '/allproducts', '/blogs', '/help', '/myportfolio', '/allproducts?category=pliers'].map((page) => store.origin + page),
      ...products.slice(0, -1),
    ],
    products.slice(-1),
  ])
})

test('a sitemap of an empty store has its pages, and parts that are none are not there', async () => {
  await using store = await anEmptyStore()

  assert.equal(listed(await read(store, '/sitemap-1.xml')).length, 5)
  for (const url of ['/sitemap-0.xml', '/sitemap-2.xml', '/sitemap-999999.xml', '/sitemap-x.xml', '/sitemap-1.xmlx'])
    assert.equal((await store.app.inject({ url })).statusCode, 404, url)
})

test('a part of the sitemap that has begun is told to its end, also while all places for open reads are taken', async () => {
  await using store = await anEmptyStore()
  await catalogue.addProducts(
    store.db,
    Array.from({ length: 1005 }, () => pliers),
  )
  await store.search.catchUp()
  let asked = 0
  const forTwo = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (++asked > 2) throw overloadedError()
    return work()
  }
  const app = createHttpApp()
  registerSitemap(app, {
    db: store.db,
    changes: store.changes,
    readLimiter: { isFullFor: () => asked >= 2, run: forTwo },
    publicUrl: store.origin,
  })

  const whole = await app.inject({ url: '/sitemap-1.xml' })
  assert.equal(listed(whole.body).length, 6 + 1005)
  assert.equal((await app.inject({ url: '/sitemap-1.xml' })).statusCode, 503, 'the next one has none to begin in')
  await app.close()
})

test('robots are kept from what is for people only, and told of the sitemap', async () => {
  await using store = await anEmptyStore()

  const lines = (await read(store, '/robots.txt')).split('\n')

  for (const line of ['User-agent: *', 'Disallow: /api/', 'Disallow: /dashboard', 'Disallow: /purchase/', 'Disallow: /allproducts?*spec.'])
    assert.ok(lines.includes(line), line)
  assert.ok(lines.includes(`Sitemap: ${store.origin}/sitemap.xml`))
  for (const open of ['/login', '/register', '/allproducts?*q='])
    assert.ok(!lines.includes(`Disallow: ${open}`), `${open} may be read: somebody may look for it`)
})

test('a database that fails in the middle of a sitemap or of all products cuts the answer, and before it refuses in words', async () => {
  await using store = await anEmptyStore()
  await catalogue.addProducts(
    store.db,
    Array.from({ length: 3000 }, () => ({ ...pliers, description: 'x'.repeat(5000) })),
  )
  await store.app.listen({ host: '127.0.0.1', port: Number(new URL(store.origin).port) })
  const answer = await fetch(`${store.origin}/api/tools`)
  const pieces = answer.body?.getReader()
  await pieces?.read()

  await store.db.execute(sql`alter table ${products} rename column img to was`)

  let end: unknown
  try {
    while (!(await pieces?.read())?.done);
  } catch (error) {
    end = error
  }
  assert.ok(end instanceof Error, 'the answer has no end')
  const refused = await fetch(`${store.origin}/api/tools`)
  assert.equal(refused.status, 500)
  assert.deepEqual(await refused.json(), { message: 'Something went wrong on our side', code: 'internal_error' })
  await store.db.execute(sql`alter table ${products} rename column was to img`)
  assert.equal((await store.visitor.request('GET', '/tools')).json().length, 3000)
})
