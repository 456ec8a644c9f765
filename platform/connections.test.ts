import assert from 'node:assert/strict'
import { on, once } from 'node:events'
import net from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHttpApp, type HttpAppOptions, interceptRequests } from './http.ts'

/** A server with a small response, one that is larger than all buffers, and one that is sent when the test says so. */
async function openServer(connectionLimits: HttpAppOptions['connectionLimits'], options: HttpAppOptions = {}) {
  const app = createHttpApp({ responseTimeoutMs: 60_000, connectionLimits, ...options })
  const running = { now: 0, most: 0, started: [] as string[] }
  const released = Promise.withResolvers<void>()
  app.get('/small/:id', async ({ url }) => {
    running.started.push(url)
    running.most = Math.max(running.most, ++running.now)
    await new Promise(setImmediate)
    running.now--
    return { url }
  })
  app.get('/large', async () => Buffer.alloc(64 * 1024 * 1024))
  app.get('/slow', () => released.promise.then(() => ({ slow: true })))
  interceptRequests(app, () => false)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const connect = async (from = '127.0.0.1') => {
    const socket = net.connect({ port: Number(port), host: '127.0.0.1', localAddress: from }).on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  return { app, running, release: released.resolve, connect, [Symbol.asyncDispose]: () => app.close() }
}

const get = (...paths: string[]) => paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: store\r\n\r\n`).join('')
const small = (count: number) => Array.from({ length: count }, (_, nth) => `/small/${nth}`)

/** So many responses, of a connection that stays open. */
async function readAnswers(socket: net.Socket, count: number): Promise<string[]> {
  let text = ''
  const bodies = () => text.match(/\{[^}]*\}/g) ?? []
  while (bodies().length < count) text += `${(await once(socket, 'data'))[0]}`
  return bodies()
}

/** All that comes until the connection ends, or until so many responses have come. */
async function readResponses(socket: net.Socket, count: number): Promise<string[]> {
  let text = ''
  const bodies = () => text.match(/\{[^}]*\}/g) ?? []
  for await (const chunk of socket) {
    text += chunk
    if (bodies().length >= count) break
  }
  return bodies()
}

test('requests that come without waiting for a response are started one after the other, and answered in their order', async () => {
  await using server = await openServer({ maxPipelined: 10 })
  const socket = await server.connect()
  socket.write(get(...small(11)))
  assert.deepEqual(
    await readResponses(socket, 11),
    small(11).map((url) => JSON.stringify({ url })),
  )
  assert.deepEqual(server.running.started, small(11))
  assert.equal(server.running.most, 1)
})

test('a connection with more requests than may wait behind a response is closed, and others are answered', async (t) => {
  await using server = await openServer({ maxPipelined: 10 })
  const socket = await server.connect()
  socket.resume().write(get(...small(600)))
  await once(socket, 'close')
  assert.ok(server.running.started.length < 12, `${server.running.started.length} were started`)
  t.diagnostic(`of 600 requests ${server.running.started.length} were started`)
  const other = await server.connect()
  other.write(get('/small/other'))
  assert.equal((await readResponses(other, 1)).length, 1)
})

test('behind an unfinished response as many requests wait as may, and all of them are answered; one more closes the connection', async () => {
  for (const [waiting, answered] of [
    [10, 11],
    [11, 0],
  ] as const) {
    await using server = await openServer({ maxPipelined: 10 })
    const socket = await server.connect()
    const arrivals = on(server.app.server, 'request')
    socket.write(get('/slow', ...small(waiting)))
    for (let nth = 0; nth <= waiting; nth++) await arrivals.next()
    server.release()
    const answers = await readResponses(socket, 1 + waiting).catch(() => [])
    assert.equal(answers.length, answered, `${waiting} wait`)
  }
})

test('a connection that does not take its response is closed, and one whose response is still being prepared is not', async () => {
  await using server = await openServer({ stalledTimeoutMs: 100 })
  const patient = await server.connect()
  patient.write(get('/slow'))
  const unread = await server.connect()
  const arrived = once(server.app.server, 'request')
  unread.write(get('/large'))
  const [request] = await arrived
  await once(request.socket, 'close')
  server.release()
  assert.deepEqual(await readResponses(patient, 1), ['{"slow":true}'])
  unread.destroy()
})

test('a client that takes its response slowly gets all of it', async () => {
  await using server = await openServer({ stalledTimeoutMs: 1000 })
  const socket = await server.connect()
  socket.write(get('/large').replace('host:', 'connection: close\r\nhost:'))
  let bytes = 0
  for await (const chunk of socket) {
    bytes += chunk.length
    await sleep(2) // longer than the timeout for all of it
  }
  assert.ok(bytes > 64 * 1024 * 1024, `${bytes} bytes`)
})

test('an unreadable request of a client that does not take its responses ends the connection', async () => {
  await using server = await openServer({})
  const socket = await server.connect()
  const arrived = once(server.app.server, 'request')
  socket.write(get('/large'))
  const [request] = await arrived
  while (request.socket.writableLength === 0) await new Promise(setImmediate)
  socket.write('no request\r\n\r\n')
  await once(request.socket, 'close')
  socket.destroy()
})

test('a network has so many connections and another one as soon as one of them ends; behind a proxy they are not counted', async () => {
  for (const trustProxy of [false, true]) {
    await using server = await openServer(trustProxy ? {} : { maxConnectionsPerNetwork: 3 }, { trustProxy })
    const isAnswered = async (socket: net.Socket) => {
      socket.write(get('/small/x'))
      return (await readResponses(socket, 1).catch(() => [])).length === 1
    }
    const open: net.Socket[] = []
    for (let nth = 0; nth < 3; nth++) {
      const socket = await server.connect()
      socket.write(get('/small/x'))
      await once(socket, 'data')
      open.push(socket)
    }
    assert.equal(await isAnswered(await server.connect()), trustProxy)
    open[0]?.destroy()
    const hasRoom = async () => (await new Promise<number>((resolve) => server.app.server.getConnections((_, count) => resolve(count)))) < 3
    while (!(await hasRoom())) await new Promise(setImmediate)
    assert.ok(await isAnswered(await server.connect()))
    for (const socket of open) socket.destroy()
  }
})

test('behind a proxy a network has so many unfinished requests, and the next one is refused at once; others are served', async () => {
  await using server = await openServer({ maxRequestsPerNetwork: 3 }, { trustProxy: true })
  const from = (client: string, path: string) => `GET ${path} HTTP/1.1\r\nhost: store\r\nx-forwarded-for: ${client}\r\n\r\n`
  const ask = async (client: string, path: string) => {
    const socket = await server.connect()
    const arrived = once(server.app.server, 'request')
    socket.write(from(client, path))
    await arrived
    return socket
  }
  const statusOf = async (client: string) => {
    const socket = await ask(client, '/small/x')
    const [said] = await once(socket, 'data')
    socket.destroy()
    return `${said}`.split(' ')[1]
  }
  const open: net.Socket[] = []
  for (const client of ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1']) open.push(await ask(client, '/slow'))
  assert.equal(await statusOf('2001:db8:1:4::1'), '503')
  assert.equal(await statusOf('192.0.2.1'), '200')
  const [first] = open
  first?.destroy()
  for (let tries = 0; tries < 1000 && (await statusOf('2001:db8:1:4::1')) === '503'; tries++);
  assert.equal(await statusOf('2001:db8:1:4::1'), '200')
  server.release()
  for (const socket of open) socket.destroy()
})

test('when all connections are taken, a newcomer gets the oldest of the network that has the most, unless it has as many itself', async () => {
  await using server = await openServer({ maxConnections: 4, maxConnectionsPerNetwork: 3 })
  const idle = [await server.connect('127.0.1.1'), await server.connect('127.0.1.1'), await server.connect('127.0.1.1')]
  const other = await server.connect('127.0.2.1')
  for (const socket of [...idle, other]) {
    socket.write(get('/small/first'))
    assert.equal((await readAnswers(socket, 1)).length, 1)
  }

  const ended = once(idle[0] ?? assert.fail(), 'close')
  const newcomer = await server.connect('127.0.3.1')
  newcomer.write(get('/small/newcomer'))
  assert.equal((await readAnswers(newcomer, 1)).length, 1)
  await ended
  const refused = await server.connect('127.0.1.1')
  await once(refused.resume(), 'close')
  for (const socket of [idle[1] ?? assert.fail(), other]) {
    socket.write(get('/small/again'))
    assert.equal((await readAnswers(socket, 1)).length, 1, 'others keep theirs')
  }
})
