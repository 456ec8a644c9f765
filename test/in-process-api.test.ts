import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { createHttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import { createInProcessApi, registerPageQuery } from '#platform/in-process-api.ts'
import { requestScope } from '#platform/request-scope.ts'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { compareProducts } from '#store/catalogue/compare-contract.ts'
import { showProduct } from '#store/catalogue/contract.ts'
import { showProductPage } from '#store/catalogue/product-page-contract.ts'
import { products } from '#store/catalogue/table.ts'
import { showHelp, showPortfolio } from '#store/pages/contract.ts'
import { listReviewPage, summarizeShopReviews } from '#store/reviews/contract.ts'
import { listCategories, searchProducts } from '#store/search/contract.ts'
import { anEmptyStore } from './store.ts'

const part = {
  img: '/drawings/pliers.svg',
  description: 'Blows.',
  price: 12.5,
  minimum_order_quantity: 5,
  available_quantity: 40,
}
const missing = '00000000-0000-4000-8000-000000000000'

test('a page that is rendered is answered what everybody is answered over HTTP, refusals included', async () => {
  await using store = await anEmptyStore()
  const first = (await store.admin.request('POST', '/tools', { ...part, name: 'Dark fan' })).json()
  const second = (await store.admin.request('POST', '/tools', { ...part, name: 'Quiet fan' })).json()
  assert.deepEqual(await store.callInProcess(listCategories, {}), { output: [] })
  const sold = {
    brand: 'Arctic',
    category: 'Case Fans',
    mpn: 'AC-1',
    specs: { size_mm: 120 },
    incoming: { quantity: 5, date: '2027-01-05' },
  }
  await store.db.update(products).set(sold).where(eq(products._id, first._id))
  await store.search.catchUp()
  assert.partialDeepStrictEqual(await store.callInProcess(listCategories, {}), { output: [{ count: 1 }] }, 'the kept list is renewed')
  await store.customer.request('POST', '/reviews', { name: 'Ada', img: '/drawings/pliers.svg', description: 'Fits', ratings: '4' })
  const calls: [Endpoint, { params?: Record<string, string>; querystring?: Record<string, string | number | string[] | undefined> }][] = [
    [searchProducts, { querystring: { q: 'a', limit: 5 } }],
    [searchProducts, { querystring: { brand: ['Arctic', 'Noctua'], facets: 'no', sort: undefined } }],
    [searchProducts, { querystring: { sort: 'colour' } }],
    [searchProducts, { querystring: { brand: ['Arctic'] } }],
    [listCategories, {}],
    [showProduct, { params: { id: first._id } }],
    [showProduct, { params: { id: missing } }],
    [showProduct, { params: { id: 'none' } }],
    [showProductPage, { params: { id: first._id } }],
    [compareProducts, { querystring: { id: [first._id, second._id] } }],
    [compareProducts, { querystring: {} }],
    [listReviewPage, { querystring: {} }],
    [summarizeShopReviews, {}],
    [showPortfolio, {}],
    [showHelp, {}],
  ]
  for (const [endpoint, { params = {}, querystring = {} }] of calls) {
    const path = endpoint.url.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
    const entries = Object.entries(querystring).flatMap(([name, values]) =>
      [values ?? []].flat().map((value): [string, string] => [name, `${value}`]),
    )
    const overHttp = await store.visitor.request('GET', `${path}?${new URLSearchParams(entries)}`)
    const inProcess = await store.callInProcess(endpoint, { params, querystring })
    const [status, body] = 'output' in inProcess ? [200, inProcess.output] : [inProcess.error.status, inProcess.error.body]
    assert.deepEqual(
      [status, JSON.parse(JSON.stringify(body))],
      [overHttp.statusCode, overHttp.json()],
      `${path} ${JSON.stringify(querystring)}`,
    )
  }
})

const thing = {
  method: 'GET',
  url: '/things/:id',
  schema: {
    summary: 'A thing',
    tags: [],
    params: z.object({ id: z.string() }),
    response: { 200: z.object({ name: z.string() }), default: ErrorResponse },
  },
} satisfies Endpoint

const lines: string[] = []
const openApi = (timeoutMs = 10_000) =>
  createInProcessApi(createHttpApp({ logLevel: 'warn', logStream: { write: (line) => void lines.push(line) } }).log, timeoutMs)
const ask = (api: ReturnType<typeof openApi>, id = '1') => api.call(thing, { params: { id } })

test('what the contract does not name stays on the server', async () => {
  const app = createHttpApp()
  const api = openApi()
  const stored = { name: 'A', cost: 12 }
  registerPageQuery(app, api, thing, () => stored)
  assert.deepEqual([await ask(api), (await app.inject('/things/1')).json()], [{ output: { name: 'A' } }, { name: 'A' }])
})

test('an answer that does not fit the contract fails no page', async () => {
  const api = openApi()
  api.answer(thing, () => ({ name: 7 as unknown as string, cost: 12 }))
  assert.deepEqual(await ask(api), { output: { name: '7' } })
})

test('what asks for a sign-in, or changes something, is never answered to pages', () => {
  const api = openApi()
  for (const other of [
    { ...thing, method: 'PUT' },
    { ...thing, schema: { ...thing.schema, security: bearerAuth } },
  ] as const)
    assert.throws(() => api.answer(other, () => ({ name: 'A' })), /is not public/)
})

test('a failure is told like that of a request, and logged without what was asked', async () => {
  const api = openApi()
  for (const [error, status, code, retryAfterSeconds] of [
    [new Error('broken'), 500, 'internal_error', undefined],
    [new HttpError(503, 'Too much', undefined, { retryAfterSeconds: 2, code: 'overloaded' }), 503, 'overloaded', 2],
    [new HttpError(404, 'There is no such thing'), 404, 'not_found', undefined],
  ] as const) {
    lines.length = 0
    api.answer(thing, () => Promise.reject(error))
    assert.partialDeepStrictEqual(await ask(api, 'secret'), { error: { status, body: { code }, retryAfterSeconds } })
    assert.equal(lines.length, status === 404 ? 0 : 1)
    assert.doesNotMatch(lines.join(), /secret/)
  }
})

test('a page does not wait longer for an answer than a request, and what it asked for is given up', async () => {
  const api = openApi(20)
  const answered = Promise.withResolvers<void>()
  const abandoned = Promise.withResolvers<boolean | undefined>()
  api.answer(thing, async () => {
    await answered.promise
    abandoned.resolve(requestScope.getStore()?.isAbandoned)
    return { name: 'late' }
  })
  assert.partialDeepStrictEqual(await ask(api), { error: { status: 503, body: { code: 'response_timeout' }, retryAfterSeconds: 3 } })
  answered.resolve()
  assert.equal(await abandoned.promise, true)
})

test('only what was made for pages is answered', async () => {
  assert.partialDeepStrictEqual(await ask(openApi()), { error: { status: 500 } })
})
