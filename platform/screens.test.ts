import assert from 'node:assert/strict'
import { on, once } from 'node:events'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openTestDatabase } from '#test/test-database.ts'
import { createConcurrencyLimiter } from './concurrency-limiter.ts'
import { closeHttpApp, createHttpApp } from './http.ts'
import { HttpError } from './http-error.ts'
import { bytesBesideBody, createPageCache } from './page-cache.ts'
import { type ResolvedUrl, registerScreens } from './screens.ts'

const cards = { script: 'https://cards.example', frames: 'https://cards.example', calls: 'https://cards.example' }

/** Screens whose addresses need no other spelling; only those with a question can be made up without end. */
const asItIs = (url: string): ResolvedUrl => {
  if (url.startsWith('/moved')) return { redirectTo: '/' }
  if (url.startsWith('/refused')) return { errorMessage: 'This is <too> much' }
  return {
    canonicalUrl: url.replace(/[?&]x=\w+/, ''),
    isScreen: !url.startsWith('/other'),
    isPersonal: url === '/basket',
    isStaticPath: !url.includes('?'),
  }
}

/** Screens that only say how often they were rendered. */
async function openTheScreens(begin: (address: string) => Promise<void> | void = () => {}, { trustProxy = false, maxQueued = 1 } = {}) {
  const house = await openTestDatabase()
  const { changes } = house
  const app = createHttpApp({ trustProxy })
  let count = 0
  const render = async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    await begin(pathname + search)
    return new Response(`${pathname} ${++count}${request.headers.get('cookie') ?? ''}`, {
      headers: { 'content-type': 'text/html; charset=utf-8', 'x-cache-tags': 'tools', 'x-inline-scripts': "'sha256-abc'" },
    })
  }
  const onePlace = () => createConcurrencyLimiter({ maxConcurrent: 1, maxQueued, queueTimeoutMs: 60_000, beforeStart: async () => {} })
  const [placesOfProducts, placesOfOthers, personalLimiter] = [onePlace(), onePlace(), onePlace()]
  registerScreens(app, {
    render,
    resolveUrl: asItIs,
    isOtherPageByCookie: () => false,
    limiterFor: (page) => (page.includes('?product') ? placesOfProducts : placesOfOthers),
    personalLimiter,
    trustProxy,
    headers: { 'x-content-type-options': 'nosniff' },
    pageCache: createPageCache(changes, { headers: { 'x-frame-options': 'DENY' } }),
    queryPageCache: createPageCache(changes, { maxBytes: 10 * bytesBesideBody('/?made=10') }),
    publicUrl: 'http://shop.example',
    cardOrigins: cards,
  })
  return {
    app,
    changes,
    [Symbol.asyncDispose]() {
      app.server.close().closeAllConnections()
      return house[Symbol.asyncDispose]()
    },
  }
}

test('a personal page is rendered for each visitor by their cookies, and kept by nobody; no other page knows a cookie', async () => {
  await using it = await openTheScreens()
  const get = (url: string, cookie: string) => it.app.inject({ url, headers: { cookie } })
  assert.equal((await get('/basket', 'cart=a')).body, '/basket 1cart=a')
  const ofAnother = await get('/basket', 'cart=b')
  assert.equal(ofAnother.body, '/basket 2cart=b')
  assert.equal(ofAnother.headers['cache-control'], 'private, no-store')
  assert.equal(ofAnother.headers['x-content-type-options'], 'nosniff')
  assert.equal((await get('/', 'cart=a')).body, '/ 3')
})

test('a page is rendered once for everybody, until what it shows changes', async () => {
  await using it = await openTheScreens()
  assert.equal((await it.app.inject('/')).body, '/ 1')
  assert.equal((await it.app.inject('/')).body, '/ 1')
  it.changes.notify('tools')
  assert.equal((await it.app.inject('/')).body, '/ 2')
})

test('an address with a question is kept apart: made-up questions fill little memory, and put no page out of it', async () => {
  await using it = await openTheScreens()
  assert.equal((await it.app.inject('/')).body, '/ 1')
  assert.equal((await it.app.inject('/?q=1')).body, '/ 2')
  assert.equal((await it.app.inject('/?q=1')).body, '/ 2')
  for (let made = 0; made < 20; made++) await it.app.inject(`/?made=${made}`)
  assert.equal((await it.app.inject('/?q=1')).body, '/ 23')
  assert.equal((await it.app.inject('/')).body, '/ 1')
})

test('a visitor who has the page already is told so and sent nothing', async () => {
  await using it = await openTheScreens()
  const { headers } = await it.app.inject('/')
  const { etag } = headers
  const again = await it.app.inject({ url: '/', headers: { 'if-none-match': String(etag) } })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
  const told = ['etag', 'vary', 'cache-control', 'content-security-policy', 'x-frame-options'] as const
  for (const name of told) assert.equal(again.headers[name], headers[name], name)
  assert.deepEqual([headers['cache-control'], again.headers['content-type']], ['no-cache', headers['content-type']])
  it.changes.notify('tools')
  assert.equal((await it.app.inject({ url: '/', headers: { 'if-none-match': String(etag) } })).statusCode, 200)
})

test('a page runs the inline scripts that were marked and no other, and tells nobody what it shows', async () => {
  await using it = await openTheScreens()
  const { headers } = await it.app.inject('/')
  assert.match(String(headers['content-security-policy']), /script-src 'self' 'sha256-abc' https:\/\/cards\.example;/)
  assert.doesNotMatch(String(headers['content-security-policy']), /script-src[^;]*unsafe/)
  assert.equal(headers['x-frame-options'], 'DENY')
  assert.equal(headers['x-cache-tags'], undefined)
  assert.equal(headers['x-inline-scripts'], undefined)
})

test('a kept page is answered before routes and hooks are asked, with the same head', async () => {
  await using it = await openTheScreens()
  let asked = 0
  it.app.addHook('onRequest', async () => void asked++)
  const address = await it.app.listen({ port: 0, host: '127.0.0.1' })
  const rendered = await fetch(address)
  const kept = await fetch(address)
  assert.deepEqual([await rendered.text(), await kept.text(), asked], ['/ 1', '/ 1', 1])
  const heads = [rendered, kept].map(({ headers }) => Object.fromEntries([...headers].filter(([name]) => name !== 'date')))
  assert.deepEqual(heads[0], heads[1])
  const unchanged = await fetch(address, { headers: { 'if-none-match': kept.headers.get('etag') ?? '' } })
  assert.deepEqual([unchanged.status, asked], [304, 1])
  const head = await fetch(address, { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text(), asked], [200, '', 1])
  await closeHttpApp(it.app)
})

test('what is sent to change something goes to its own route, whatever the screens do', async () => {
  await using it = await openTheScreens()
  let asked = 0
  it.app.addHook('onRequest', async () => void asked++)
  it.app.post('/order', async () => 'placed')
  const address = await it.app.listen({ port: 0, host: '127.0.0.1' })
  const arrived = once(it.app.server, 'request')
  const sent = fetch(`${address}/order`, { method: 'POST' }).then((answer) => answer.text())
  await arrived
  assert.equal(asked, 1)
  assert.equal(await sent, 'placed')
  await closeHttpApp(it.app)
})

test('who shares the rendering of a page that cannot be rendered is told so with the first, and it is not tried again for them', async () => {
  let count = 0
  await using it = await openTheScreens(async () => {
    count++
    throw new HttpError(503, 'The database is away')
  })
  const answers = await Promise.all([it.app.inject('/'), it.app.inject('/')])
  assert.deepEqual([answers.map(({ statusCode }) => statusCode), count], [[503, 503], 1])
})

test('a store that closes answers nobody with a kept page any more', async () => {
  await using it = await openTheScreens()
  const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  it.app.get('/slow', async () => {
    begun.resolve()
    await mayEnd.promise
    return 'done'
  })
  await it.app.inject('/')
  const { port } = new URL(await it.app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = net.connect(Number(port), '127.0.0.1')
  const heard = text(socket)
  socket.write('GET /slow HTTP/1.1\r\nHost: shop.example\r\n\r\n')
  await begun.promise
  const closed = closeHttpApp(it.app)
  const latecomer = once(it.app.server, 'request')
  socket.write('GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n')
  await latecomer
  mayEnd.resolve()
  await closed
  assert.match(await heard, /^HTTP\/1\.1 200 .*done.*HTTP\/1\.1 503 /s)
})

test('an address with another spelling is moved to its own, and what means nothing in it makes no other page', async () => {
  await using it = await openTheScreens()
  const moved = await it.app.inject('/moved')
  assert.deepEqual([moved.statusCode, moved.headers.location], [301, '/'])
  for (const address of ['/?q=1', '/?q=1&x=2', '/?q=1&x=3']) assert.equal((await it.app.inject(address)).body, '/ 1', address)
})

test('an address that leads elsewhere or is refused, and one that another route may answer, goes to the routes and hooks', async () => {
  await using it = await openTheScreens(() => assert.fail('nothing is rendered'))
  const asked: string[] = []
  it.app.addHook('onRequest', async ({ url }) => void asked.push(url))
  it.app.get('/other/call', async () => 'answered')
  const address = await it.app.listen({ port: 0, host: '127.0.0.1' })
  for (const [url, status] of [
    ['/moved', 301],
    ['/refused', 400],
    ['/other/call', 200],
  ] as const) {
    const arrived = once(it.app.server, 'request')
    const answer = fetch(address + url, { redirect: 'manual' })
    await arrived
    assert.equal(asked.pop(), url)
    assert.equal((await answer).status, status)
  }
  await closeHttpApp(it.app)
})

test('an address that is refused says why in a small page, or in JSON to who reads that', async () => {
  await using it = await openTheScreens(() => assert.fail('nothing is rendered'))
  const page = await it.app.inject('/refused')
  assert.deepEqual([page.statusCode, page.headers['content-type']], [400, 'text/html; charset=utf-8'])
  assert.equal(page.headers['retry-after'], undefined, 'to come again would not help')
  assert.match(page.body, /<h1>This address cannot be shown<\/h1><p>This is &#60;too&#62; much\.</)
  for (const [url, accept] of [
    ['/refused', 'application/json'],
    ['/refused.data?x', '*/*'],
  ]) {
    const data = await it.app.inject({ url, headers: { accept } })
    assert.deepEqual([data.statusCode, data.json()], [400, { message: 'This is <too> much', code: 'invalid_request' }])
  }
})

test('when all places are taken and enough wait, another page is refused at once, and what is kept, one of few or has places of its own is not', async () => {
  const begun = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  await using it = await openTheScreens(async (address) => {
    if (!address.includes('?slow')) return
    begun.resolve()
    await mayEnd.promise
  })
  await it.app.inject('/?q=kept')
  const address = await it.app.listen({ port: 0, host: '127.0.0.1' })
  const rendering = fetch(`${address}/?slow=1`)
  await begun.promise
  const waiting = it.app.inject('/?slow=2')
  const shared = it.app.inject('/?slow=2')
  for (const [refused, type] of [
    [await fetch(`${address}/?slow=3`), 'text/html; charset=utf-8'],
    [await fetch(`${address}/list.data?slow=3`), 'application/json; charset=utf-8'],
    [await fetch(`${address}/?slow=3`, { method: 'HEAD' }), 'text/html; charset=utf-8'],
  ] as const) {
    assert.deepEqual([refused.status, refused.headers.get('retry-after'), refused.headers.get('content-type')], [503, '2', type])
    const text = await refused.text()
    if (type.startsWith('application')) assert.match(JSON.parse(text).message, /^Too much is being asked/)
    else assert.match(text, /^$|<h1>This page could not be shown<\/h1><p>Too much is being asked/)
  }
  for (const shown of ['/?q=kept', '/another', '/?product=1'])
    for (const method of ['GET', 'HEAD']) assert.equal((await fetch(address + shown, { method })).status, 200, shown)
  mayEnd.resolve()
  assert.deepEqual([(await rendering).status, (await waiting).statusCode, (await shared).statusCode], [200, 200, 200])
  assert.equal((await waiting).body, (await shared).body)
  await closeHttpApp(it.app)
})

test('a network that asks for many pages takes the places of nobody else, nor of who asks for one of them too', async () => {
  const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await using it = await openTheScreens(
    async () => {
      begun.resolve()
      await mayEnd.promise
    },
    { trustProxy: true, maxQueued: 4 },
  )
  const address = await it.app.listen({ port: 0, host: '127.0.0.1' })
  const arrivals = on(it.app.server, 'request')
  const look = async (url: string, from: string) => {
    const looked = fetch(address + url, { headers: { 'x-forwarded-for': from } }).then(({ status, headers }) => {
      assert.equal(headers.get('retry-after'), status === 503 ? '2' : null, 'who is refused hears when to come again')
      return status
    })
    await arrivals.next()
    await new Promise(setImmediate)
    return { looked }
  }
  const first = await look('/?page=0', '2001:db8:1:1::1')
  await begun.promise
  const many = []
  for (let nth = 1; nth <= 8; nth++) many.push(await look(`/?page=${nth}`, `2001:db8:1:${nth}::1`))
  const sharedByItself = await look('/?page=4', '2001:db8:1:4::1')
  const shared = await look('/?page=4', '192.0.2.1')
  const others = [await look('/?page=a', '192.0.2.2'), await look('/?page=b', '192.0.2.3')]
  mayEnd.resolve()
  const statuses = async (all: { looked: Promise<number> }[]) => Promise.all(all.map(({ looked }) => looked))
  assert.deepEqual(await statuses([first, ...many]), [200, 200, 503, 503, 503, 503, 503, 503, 503])
  assert.deepEqual(await statuses([shared, ...others]), [200, 200, 200])
  assert.equal(await sharedByItself.looked, 503)
  await closeHttpApp(it.app)
})
