import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import net from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import * as z from 'zod'
import { closeHttpApp, createHttpApp, interceptRequests } from './http.ts'
import { HttpError } from './http-error.ts'
import { trackPriorityRequests } from './request-priority.ts'
import { requestScope } from './request-scope.ts'
import { securityHeaders } from './security-headers.ts'

const Wish = z.object({
  name: z.string('name is required').min(2, 'name is too short'),
  inside: z.object({ size: z.int('size is needed') }).optional(),
})

/** A server with a call that answers what it was sent, one for members only, and two that fail. */
function aServer(headers?: Record<string, string>) {
  const app = createHttpApp(headers && { headers })
  app.post('/wish', { schema: { body: Wish } }, ({ body }) => body)
  app.post(
    '/members',
    { schema: { body: Wish }, onRequest: async () => Promise.reject(new HttpError(401, 'Sign in first')) },
    ({ body }) => body,
  )
  app.get('/wish/:id', { schema: { params: z.object({ id: z.uuid('There is no such wish') }) } }, ({ params }) => params)
  app.get('/refused', () => Promise.reject(new HttpError(409, 'Too late', { name: 'is taken' })))
  app.get('/broken', () => Promise.reject(new Error('password=secret at table users')))
  const send = (payload: string, type = 'application/json', url = '/wish') =>
    app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
  return { app, send }
}

type Answer = Awaited<ReturnType<ReturnType<typeof aServer>['send']>>
const codeByStatus: Record<number, string> = {
  ...{ 400: 'invalid_request', 401: 'not_signed_in', 404: 'not_found', 409: 'conflict' },
  ...{ 413: 'body_too_large', 415: 'unsupported_media_type', 500: 'internal_error', 503: 'unavailable' },
}
function assertRefused(answer: Answer, status: number, said: { message: string; errors?: Record<string, string> }, what = '') {
  assert.deepEqual([answer.statusCode, answer.json()], [status, { ...said, code: codeByStatus[status] }], what)
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
}

test('a body that is no JSON is refused in words', async () => {
  const { send } = aServer()
  for (const broken of ['{', '{"name":', 'name=Ada', "{'name': 'Ada'}", '\u0000', '{"name":"Ada"}{'])
    assertRefused(await send(broken), 400, { message: 'The body is not valid JSON' }, broken)
  assertRefused(await send(''), 400, { message: 'The body is empty, JSON was expected' })
})

test('an address or a body with a character that no text has is refused in words', async () => {
  const { app, send } = aServer()
  const said = { message: 'The request has a character that no text has (NUL)' }
  for (const url of ['/broken?name=a%00b', '/wish/%00', '/not-there%00']) assertRefused(await app.inject(url), 400, said, url)
  assertRefused(await send('{"name":"Ada\\u0000"}'), 400, said)
  const half = { message: 'The request has half a character, which no text has' }
  for (const text of ['\\ud83d', '\\ude00', 'x\\uD83Dx', '\\ud83d\\ud83d\\ude00'])
    assertRefused(await send(`{"name":"Ada ${text}"}`), 400, half, text)
  for (const text of ['\\ud83d\\ude00', '\\\\ud83d', '😀']) assert.equal((await send(`{"name":"Ada ${text}"}`)).statusCode, 200, text)
})

test('an address with more parameters than any page or call has is refused before they are checked', async () => {
  const { app } = aServer()
  const many = (count: number) => `/not-there?${Array.from({ length: count }, (_, nth) => `a${nth}`).join('&')}`
  assert.equal((await app.inject(many(1500))).statusCode, 404)
  assertRefused(await app.inject(many(1501)), 400, { message: 'An address has at most 1500 parameters' })
})

test('an address that cannot be read is refused in words', async () => {
  const answer = await aServer().app.inject('/%zz')
  assert.deepEqual([answer.statusCode, answer.json()], [400, { message: 'This is not an address', code: 'invalid_request' }])
})

test('a body of another media type is refused in words', async () => {
  const { send } = aServer()
  for (const type of ['application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'image/png'])
    assertRefused(await send('name=Ada', type), 415, { message: 'The body must be JSON' }, type)
})

test('a body of more than 256 kB is refused in words', async () => {
  const { send } = aServer()
  const ofBytes = (bytes: number) => `{"name":"${'x'.repeat(bytes - '{"name":""}'.length)}"}`
  assert.equal((await send(ofBytes(256 * 1024))).statusCode, 200)
  for (const bytes of [256 * 1024 + 1, 10_000_000]) assertRefused(await send(ofBytes(bytes)), 413, { message: 'The body is too large' })
})

test('a body that is JSON but no object is refused in words', async () => {
  const { send } = aServer()
  for (const body of ['[]', '[{"name":"Ada"}]', '"Ada"', '12', 'true', 'null'])
    assertRefused(await send(body), 400, { message: 'The body must be a JSON object' }, body)
})

test('every wrong field of a body is named once, and the first one is the message', async () => {
  const { send } = aServer()
  assertRefused(await send('{"name":"","inside":{"size":"big"}}'), 400, {
    message: 'name is too short',
    errors: { name: 'name is too short', 'inside.size': 'size is needed' },
  })
})

test('a body cannot reach what all objects share', async () => {
  const { send } = aServer()
  for (const body of ['{"name":"Ada","__proto__":{"admin":true}}', '{"name":"Ada","constructor":{"prototype":{"admin":true}}}'])
    assertRefused(await send(body), 400, { message: 'The body is not valid JSON' }, body)
  assert.equal('admin' in {}, false)
})

test('a deeply nested body is refused and does no harm', async () => {
  const { send } = aServer()
  for (const [open, close] of [
    ['[', ']'],
    ['{"name":', '}'],
  ] as const) {
    const answer = await send(`${open.repeat(10_000)}1${close.repeat(10_000)}`)
    assert.equal(answer.statusCode, 400)
    assert.equal(typeof answer.json().message, 'string')
  }
  assert.equal((await send('{"name":"Ada"}')).statusCode, 200)
})

test('what is not there is answered in the same shape, whatever it looks like', async () => {
  const { app } = aServer()
  assertRefused(await app.inject('/wish/abc'), 404, { message: 'There is no such wish' })
  assertRefused(await app.inject('/nowhere?secret=1'), 404, { message: 'There is nothing at GET /nowhere' })
  assertRefused(await app.inject({ method: 'DELETE', url: '/wish' }), 404, { message: 'There is nothing at DELETE /wish' })
})

test('who may not come in is told so before anything of the body is read', async () => {
  const { send } = aServer()
  for (const body of ['{', '[]', '{}', '{"name":"Ada"}', 'x'.repeat(300_000)])
    assertRefused(await send(body, 'application/json', '/members'), 401, { message: 'Sign in first' })
  assertRefused(await send('<a/>', 'application/xml', '/members'), 401, { message: 'Sign in first' })
})

test('a refusal says its words, and a failure of ours says nothing of the inside', async () => {
  const { app } = aServer()
  assertRefused(await app.inject('/refused'), 409, { message: 'Too late', errors: { name: 'is taken' } })
  assertRefused(await app.inject('/broken'), 500, { message: 'Something went wrong on our side' })
})

test('the security headers stand on every answer, refused or not', async () => {
  const headers = securityHeaders(true)
  const { app, send } = aServer(headers)
  for (const answer of [
    await send('{"name":"Ada"}'),
    await send('{'),
    await send('{}', 'application/json', '/members'),
    await app.inject('/nowhere'),
    await app.inject('/broken'),
  ])
    assert.partialDeepStrictEqual(answer.headers, headers)
  assert.match(headers['strict-transport-security'] ?? '', /max-age=\d+/)
  assert.equal(securityHeaders(false)['strict-transport-security'], undefined, 'without https there is nothing to be strict about')
})

test('a connection that is kept alive does not keep a closing store open', async () => {
  const app = createHttpApp()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  app.get('/slow', async () => {
    asked.resolve()
    await answered
    return { done: true }
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const slow = fetch(`${address}/slow`)
  await asked.promise

  const closed = app.close()
  answer()

  assert.deepEqual(await (await slow).json(), { done: true })
  await closed
  assert.equal(app.server.keepAliveTimeout, 1, 'it would have waited for the connection')
})

/** Many connections to a server on which a look keeps the process for as long as a small page does. @param onLook told of each that begins */
async function aBusyServer(onLook: () => void) {
  const app = createHttpApp()
  const priority = trackPriorityRequests(app)
  app.get('/look', { onRequest: (_request, _reply, done) => done() }, async () => {
    for (const end = performance.now() + 3; performance.now() < end; );
    onLook()
    return {}
  })
  interceptRequests(app, () => false)
  return {
    app,
    priority,
    async connect(many: number): Promise<net.Socket[]> {
      const { port } = z.object({ port: z.int() }).parse(app.server.address())
      return Promise.all(
        Array.from({ length: many }, async () => {
          const socket = net.connect(port, '127.0.0.1')
          socket.write('GET /nothing HTTP/1.1\r\nhost: store\r\n\r\n') // once it is answered the server knows the connection
          await once(socket, 'data')
          return socket
        }),
      )
    },
  }
}
const look = (socket: net.Socket) => void socket.write('GET /look HTTP/1.1\r\nhost: store\r\n\r\n')

test('who changes something is not behind all who only look at the same time', async () => {
  const begun: string[] = []
  const { app, connect } = await aBusyServer(() => void begun.push('look'))
  app.post('/order', async () => {
    begun.push('order')
    return {}
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const visitors = await connect(40)
  const [customer] = await connect(1)
  assert.ok(customer)

  const answered = [...visitors, customer].map((socket) => once(socket, 'data'))
  for (const visitor of visitors) look(visitor)
  customer.write('POST /order HTTP/1.1\r\nhost: store\r\ncontent-length: 0\r\n\r\n')
  await Promise.all(answered)

  assert.equal(begun.length, 41, 'everybody is answered')
  assert.ok(begun.indexOf('order') < 20, `${begun.indexOf('order')} of 40 came first`)
  for (const socket of [...visitors, customer]) socket.destroy()
  await app.close()
})

test('a thousand who look wait for a turn, whoever comes on top of them begins at once, and later ones wait again', async () => {
  const app = createHttpApp()
  let begun = 0
  interceptRequests(app, ({ url }) => {
    begun++
    if (url === '/slow') for (const end = performance.now() + 5; performance.now() < end; );
    return true
  })
  /** How many of these begin before the next turn; resolves when all have. */
  const come = (urls: string[]) => {
    begun = 0
    for (const url of urls) {
      const request = Object.assign(new IncomingMessage(new net.Socket()), { url, method: 'GET' })
      app.server.emit('request', request, new ServerResponse(request))
    }
    return begun
  }
  const untilAllHaveBegun = async (count: number) => {
    while (begun < count) await new Promise(setImmediate)
  }
  const looks = (count: number) => Array<string>(count).fill('/look')
  assert.equal(come(['/slow', ...looks(1000)]), 1)
  await untilAllHaveBegun(1001)
  assert.equal(come(['/slow', ...looks(1001)]), 2)
  await untilAllHaveBegun(1002)
  assert.equal(come(['/slow', ...looks(10)]), 1)
  await untilAllHaveBegun(11)
})

test('a store of which nobody wants anything closes without waiting', async (t) => {
  const app = createHttpApp()
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.mock.timers.enable({ apis: ['setTimeout'] }) // whoever waits does so for ever
  let isClosed = false
  void closeHttpApp(app).then(() => (isClosed = true))
  for (let turns = 0; turns < 1000 && !isClosed; turns++) await new Promise(setImmediate)
  assert.ok(isClosed)
})

test('who leaves while they wait for a turn leaves nothing behind that others would wait for', async () => {
  const begun: string[] = []
  const { app, priority, connect } = await aBusyServer(() => void begun.push('look'))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const visitors = await connect(60)

  const leaving = visitors.slice(0, 50).map((socket) => once(socket, 'close'))
  for (const visitor of visitors) look(visitor)
  const staying = visitors.slice(50).map((socket) => once(socket, 'data'))
  for (const visitor of visitors.slice(0, 50)) visitor.resetAndDestroy()
  await Promise.all([...leaving, ...staying])

  assert.ok(begun.length < 60, 'nothing is done for who has left')
  await priority.waitForPriorityRequests(2 ** 31 - 1) // for ever, if one of them still counted as under way
  await app.close()
})

test('who waits for a turn when the store is closed is still answered', async () => {
  let closed: Promise<void> | undefined
  const { app, connect } = await aBusyServer(() => {
    closed ??= new Promise(setImmediate).then(() => closeHttpApp(app)) // all have come by then
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const visitors = await connect(12)

  const answered = visitors.map((socket) => once(socket, 'data').then(([said]) => `${said}`.split(' ')[1]))
  for (const visitor of visitors) look(visitor)

  assert.deepEqual(await Promise.all(answered), Array(12).fill('200'))
  await closed
})

test('behind a proxy the address is the one that the proxy has added, whatever the client wrote before it', async () => {
  const app = createHttpApp({ trustProxy: true })
  app.get('/me', ({ ip }) => ({ ip }))
  const answer = await app.inject({ url: '/me', headers: { 'x-forwarded-for': '203.0.113.1, 198.51.100.7' } })
  assert.equal(answer.json().ip, '198.51.100.7')
})

test('without a proxy the address is that of the connection, whatever the client says', async () => {
  const app = createHttpApp()
  app.get('/me', ({ ip }) => ({ ip }))
  const answer = await app.inject({ url: '/me', remoteAddress: '192.0.2.9', headers: { 'x-forwarded-for': '198.51.100.7' } })
  assert.equal(answer.json().ip, '192.0.2.9')
})

test('the log of a failed query has its words and none of its values', async () => {
  const lines: string[] = []
  const app = createHttpApp({ logLevel: 'error', logStream: { write: (line: string) => void lines.push(line) } })
  app.get('/fails', () => {
    throw new Error('Failed query: select $1\nparams: the-access-token', { cause: new Error('connection refused') })
  })

  assert.equal((await app.inject('/fails')).statusCode, 500)

  assert.match(lines.join(), /Failed query: select \$1/)
  assert.match(lines.join(), /connection refused/)
  assert.doesNotMatch(lines.join(), /the-access-token/)
})

test('a refusal is answered in its own words, whatever it gives as its cause and whatever that says', async () => {
  const lines: string[] = []
  const app = createHttpApp({ logLevel: 'warn', logStream: { write: (line: string) => void lines.push(line) } })
  const causes = { word: 'FAILED_TO_GET_SESSION', nothing: undefined, speechless: Object.assign(new Error(), { message: undefined }) }
  for (const [name, cause] of Object.entries(causes))
    app.get(`/${name}`, () => Promise.reject(new HttpError(503, `Away: ${name}`, undefined, { cause })))

  for (const name of Object.keys(causes)) assertRefused(await app.inject(`/${name}`), 503, { message: `Away: ${name}` })

  assert.equal(lines.length, 3)
})

test('while everybody is refused for the same reason, one line of the log in a second says it', async () => {
  const lines: string[] = []
  const app = createHttpApp({ logLevel: 'warn', logStream: { write: (line: string) => void lines.push(line) } })
  app.get('/away', () => Promise.reject(new HttpError(503, 'The database is away')))

  for (let nth = 0; nth < 20; nth++) assertRefused(await app.inject('/away'), 503, { message: 'The database is away' })

  assert.ok(lines.length > 0 && lines.length <= 2, `${lines.length} lines`)
})

test('what is done after an answer is still wanted; what is done for somebody who has gone is not', async () => {
  const app = createHttpApp()
  const asked = Promise.withResolvers<void>()
  const ends: Promise<boolean | undefined>[] = []
  app.post('/mail', { schema: { body: Wish } }, async ({ body }, reply) => {
    ends.push(once(reply.raw, 'close').then(() => requestScope.getStore()?.isAbandoned))
    if (body.name === 'Ada') return {}
    asked.resolve()
    return new Promise(() => {})
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const post = (name: string, signal?: AbortSignal) =>
    fetch(`${address}/mail`, {
      method: 'POST',
      body: JSON.stringify({ name }),
      headers: { 'content-type': 'application/json' },
      ...(signal && { signal }),
    })

  assert.equal((await post('Ada')).status, 200)
  const gone = new AbortController()
  const left = post('Eve', gone.signal)
  await asked.promise
  gone.abort()
  await assert.rejects(left)

  assert.deepEqual(await Promise.all(ends), [false, true])
  await closeHttpApp(app)
})

test('who answers again and again after the time is over fills one line of the log in a second', async () => {
  const lines: string[] = []
  const app = createHttpApp({ logLevel: 'warn', responseTimeoutMs: 1, logStream: { write: (line: string) => void lines.push(line) } })
  const { promise: mayAnswer, resolve: goOn } = Promise.withResolvers<void>()
  app.get('/late', async (_request, reply) => {
    await mayAnswer
    return reply.send('late')
  })
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.inject('/late')))
  assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([503]))

  goOn()
  await mayAnswer
  await new Promise(setImmediate)

  const sentAgain = lines.filter((line) => line.includes('already sent'))
  assert.ok(sentAgain.length > 0 && sentAgain.length <= 2, `${sentAgain.length} lines`)
})

test('who fails again and again after the time is over fills one line of the log in a second, which says how many it stands for', async (t) => {
  const lines: string[] = []
  const app = createHttpApp({ logLevel: 'warn', responseTimeoutMs: 1, logStream: { write: (line: string) => void lines.push(line) } })
  let end = Promise.withResolvers<never>()
  app.get('/fails-late', () => end.promise)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  for (const many of [20, 1]) {
    end = Promise.withResolvers<never>()
    const answers = await Promise.all(Array.from({ length: many }, () => app.inject('/fails-late')))
    assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([503]))
    end.reject(new Error('The database is away'))
    await new Promise(setImmediate)
    t.mock.timers.tick(1000)
  }

  const late = lines.filter((line) => line.includes('Promise errored')).map((line) => JSON.parse(line))
  assert.deepEqual(
    late.map(({ err, omitted }) => [err.message, omitted]),
    [
      ['The database is away', undefined],
      ['The database is away', 19],
    ],
  )
})

test('an answer that does not come in time is refused once, and a call may be given longer', async () => {
  const app = createHttpApp({ responseTimeoutMs: 200 })
  const { promise: done, resolve: finish } = Promise.withResolvers<{ done: boolean }>()
  app.get('/slow', () => done)
  app.post('/slow', { schema: { body: Wish } }, () => done)
  app.post('/slower', { config: { responseTimeoutMs: 60_000 } }, () => done)
  app.get('/long', (_request, reply) => reply.send(Readable.from(pieces())))
  async function* pieces() {
    yield 'begun '
    await done
    yield 'and done'
  }
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const post = (where: string) =>
    fetch(address + where, { method: 'POST', body: '{"name":"Ada"}', headers: { 'content-type': 'application/json' } })
  const [slower, long] = [post('/slower'), fetch(`${address}/long`)]

  const [looked, changed] = await Promise.all([fetch(`${address}/slow`), post('/slow')])
  assert.deepEqual(
    [looked.status, await looked.json()],
    [503, { message: 'The store takes too long to answer at the moment: try again in a few seconds', code: 'response_timeout' }],
  )
  assert.deepEqual(
    [changed.status, await changed.json()],
    [
      503,
      {
        message: 'The store took too long to answer. It may have done what you asked all the same: look before you ask again',
        code: 'response_timeout',
      },
    ],
  )
  assert.equal(changed.headers.get('retry-after'), '3')

  finish({ done: true })
  assert.deepEqual(await (await slower).json(), { done: true })
  assert.equal(await (await long).text(), 'begun and done', 'what has begun is not cut')
  await app.close()
})

test('a request whose body does not come in time is refused as too slow, and its connection ends', async () => {
  const app = createHttpApp({ responseTimeoutMs: 100 })
  app.post('/wish', { schema: { body: Wish } }, ({ body }) => body)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const said = await new Promise<string>((resolve) => {
    let heard = ''
    net
      .connect(Number(port), '127.0.0.1')
      .on('data', (chunk) => {
        heard += chunk
      })
      .on('close', () => resolve(heard))
      .write('POST /wish HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":')
  })
  assert.match(said, /^HTTP\/1\.1 408 /)
  assert.match(said, /\{"message":"The request came too slowly","code":"request_timeout"\}$/)
  await app.close()
})
