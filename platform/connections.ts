import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientAddress, widestClientNetwork } from './client-network.ts'
import { overloadedError } from './concurrency-limiter.ts'

export type ConnectionLimits = {
  /** open connections; a further one is closed at once, or, where networks are counted, takes the place of the network that has the most */
  maxConnections: number
  /** open connections from one network; undefined behind a proxy, from which all visitors come */
  maxConnectionsPerNetwork: number | undefined
  /** unfinished requests from one network, where its connections cannot be counted; further ones are answered with 503 */
  maxRequestsPerNetwork: number | undefined
  /** requests of a connection that wait behind an unfinished response; one more closes the connection */
  maxPipelined: number
  /** how long a connection may take nothing of a response that waits to be sent, or send nothing when it is its turn */
  stalledTimeoutMs: number
}

/**
 * An office or a mobile provider may have hundreds of visitors at one address, with six connections each. Behind a proxy every connection is
 * the proxy's, which opens one for each unfinished request.
 */
export const defaultConnectionLimits = (trustProxy: boolean): ConnectionLimits => ({
  maxConnections: 4000,
  maxConnectionsPerNetwork: trustProxy ? undefined : 1000,
  maxRequestsPerNetwork: trustProxy ? 1000 : undefined,
  maxPipelined: 10,
  stalledTimeoutMs: 30_000,
})

/**
 * Limits what a client can make the server hold without reading a response. Node has no such limits by default: it starts every pipelined
 * request at once and keeps all responses in memory for as long as the client leaves the connection open.
 * Call it when all `request` listeners of the server are in place.
 * @param trustProxy as `createHttpApp` has it
 * @param onAccepted called when a request arrives, also when it has to wait behind another one of its connection
 */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  trustProxy: boolean,
  onAccepted: (request: IncomingMessage) => void,
): void {
  if (limits.maxConnectionsPerNetwork === undefined) server.maxConnections = limits.maxConnections
  else limitConnectionsPerNetwork(server, limits.maxConnectionsPerNetwork, limits.maxConnections)
  if (limits.maxRequestsPerNetwork !== undefined) limitRequestsPerNetwork(server, limits.maxRequestsPerNetwork, trustProxy)
  startInOrder(server, limits.maxPipelined, onAccepted)
  server.setTimeout(limits.stalledTimeoutMs, (socket) => {
    // A response that is still being prepared has a timeout of its own; one whose bytes wait for the client is not taken.
    if (hasUnfinishedResponse(socket) && socket.writableLength === 0) socket.setTimeout(limits.stalledTimeoutMs)
    else socket.destroy()
  })
}

/**
 * When all connections are taken, the network with the most loses its oldest to a newcomer of a network with fewer: else the clients of a few
 * networks could keep everybody out by connections that do nothing.
 */
function limitConnectionsPerNetwork(server: Server, maxOfNetwork: number, maxInAll: number) {
  const connections = new Map<string, Set<Socket>>()
  let inAll = 0
  const forget = (network: string, socket: Socket) => {
    const own = connections.get(network)
    if (!own?.delete(socket)) return
    inAll--
    if (own.size === 0) connections.delete(network)
  }
  server.prependListener('connection', (socket) => {
    const network = widestClientNetwork(socket.remoteAddress ?? '')
    const own = connections.get(network) ?? new Set()
    if (own.size >= maxOfNetwork) return void socket.destroy()
    if (inAll >= maxInAll) {
      const [networkWithMost, most] = [...connections].reduce((one, other) => (other[1].size > one[1].size ? other : one))
      const [oldest] = most
      if (!oldest || most.size <= own.size) return void socket.destroy()
      forget(networkWithMost, oldest)
      oldest.destroy()
    }
    connections.set(network, own.add(socket))
    inAll++
    socket.once('close', () => forget(network, socket))
  })
}

function limitRequestsPerNetwork(server: Server, max: number, trustProxy: boolean) {
  const requests = createCounts()
  const listeners = server.listeners('request')
  const { status, message, code, retryAfterSeconds } = overloadedError()
  const body = JSON.stringify({ message, code })
  const head = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'retry-after': `${retryAfterSeconds}` }
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const network = widestClientNetwork(clientAddress(request, trustProxy))
    if (!requests.add(network, max)) return void response.writeHead(status, head).end(body)
    response.once('close', () => requests.subtract(network))
    for (const listener of listeners) listener.call(server, request, response)
  })
}

function createCounts() {
  const counts = new Map<string, number>()
  return {
    /** @returns false, without counting, when there are `max` already */
    add(key: string, max: number): boolean {
      const count = counts.get(key) ?? 0
      if (count < max) counts.set(key, count + 1)
      return count < max
    },
    subtract(key: string): void {
      const left = (counts.get(key) ?? 0) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    },
  }
}

type QueuedRequest = { request: IncomingMessage; response: ServerResponse }
/**
 * `undefined`: no response is unfinished; `'alone'`: one is; an array: the requests that wait behind it. It stands on the socket: a map
 * would cost every request a few percent of what a cached page takes.
 */
const pending = Symbol('pending requests')
type Connection = Socket & { [pending]?: 'alone' | QueuedRequest[] | undefined }
/** The connection of a response. `response.req.socket` is null once a request that was cut off is destroyed. */
const ownConnection = Symbol('connection')
type TrackedResponse = ServerResponse & { [ownConnection]?: Connection }

const hasUnfinishedResponse = (connection: Connection) => connection[pending] !== undefined

/** Starts the next request of a connection once the response before it has been handed to the network. */
function startInOrder(server: Server, maxPipelined: number, onAccepted: (request: IncomingMessage) => void) {
  const listeners = server.listeners('request')
  const start = (connection: Connection, request: IncomingMessage, response: TrackedResponse) => {
    response[ownConnection] = connection
    response.on('close', startNext)
    for (const listener of listeners) listener.call(server, request, response)
  }
  function startNext(this: TrackedResponse) {
    const connection = this[ownConnection]
    if (!connection) return
    const waiting = connection[pending]
    const next = Array.isArray(waiting) ? waiting.shift() : undefined
    if (next && !connection.destroyed) start(connection, next.request, next.response)
    else connection[pending] = undefined
  }
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection: Connection = request.socket
    if (connection.destroyed) return
    onAccepted(request)
    const waiting = connection[pending]
    if (waiting === undefined) {
      connection[pending] = 'alone'
      start(connection, request, response)
    } else if (waiting === 'alone') connection[pending] = [{ request, response }]
    else if (waiting.length >= maxPipelined) connection.destroy()
    else waiting.push({ request, response })
  })
}
