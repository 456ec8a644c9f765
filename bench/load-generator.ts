import net from 'node:net'

export type LoadResult = {
  perSecond: number
  p50: number
  p99: number
  kilobytes: number
  failed: number
  /** milliseconds of all runs as `Server-Timing` told them, by its names */
  serverTimings: Map<string, number[]>
}
/** The same for every request, or what a connection sends the nth time. */
type OfRequest<Value> = Value | ((connection: number, nth: number) => Value)
export type LoadOptions = {
  connections: number
  method?: 'GET' | 'POST'
  headers?: OfRequest<Record<string, string>>
  body?: OfRequest<string>
}

/** An address, or many: `path` says what a connection asks for the nth time, so that no two need ask the same. `headers` are its own, besides those of all. */
export type LoadTarget = string | { address: string; path(connection: number, nth: number): string; headers?: Record<string, string> }

const lastChunk = Buffer.from('0\r\n\r\n')
const runs = 3
const seconds = 3

/**
 * Loads one address three times, after a warm-up, and answers with the median run: requests a second, milliseconds, kilobytes an answer,
 * and how many answers of all runs were not 2xx. Each connection asks again as soon as it has its answer.
 *
 * Written here because the usual generator for Node parses so slowly that it, not the store, set the figure (3,000/s where wrk saw 27,000/s).
 * It understands what the measured servers send: answers with a content-length, or in chunks that end with a piece of their own.
 */
export async function runLoad(target: LoadTarget, wish: LoadOptions): Promise<LoadResult> {
  const [measured] = await runLoadInterleaved([target], wish)
  return measured
}

/** Loads several addresses like `runLoad`, by turns, so that whatever else the machine does falls on all of them. */
export async function runLoadInterleaved<Targets extends [LoadTarget, ...LoadTarget[]]>(
  targets: Targets,
  wish: LoadOptions,
): Promise<{ [Nth in keyof Targets]: LoadResult }>
export async function runLoadInterleaved(targets: LoadTarget[], wish: LoadOptions): Promise<LoadResult[]> {
  for (const target of targets) await runOnce(target, wish, 1)
  const measured = targets.map((): LoadResult[] => [])
  for (let run = 0; run < runs; run++)
    for (const [nth, target] of targets.entries()) measured[nth]?.push(await runOnce(target, wish, seconds))
  return measured.map((ofTarget) => {
    const median = ofTarget.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(runs / 2)]
    if (!median) throw new Error('Nothing was measured')
    const server = new Map(
      [...median.serverTimings.keys()].map((name) => [name, ofTarget.flatMap((run) => run.serverTimings.get(name) ?? [])]),
    )
    return { ...median, failed: ofTarget.reduce((sum, { failed }) => sum + failed, 0), serverTimings: server }
  })
}

/** Asks each of these paths once, one after another over one connection. */
export async function runSequentially(address: string, paths: string[], headers: Record<string, string> = {}): Promise<LoadResult> {
  return runOnce({ address, path: (_connection, nth) => paths[nth] ?? '/' }, { connections: 1, headers }, 600, paths.length)
}

/** The milliseconds that so many of a hundred did not exceed. */
export function percentile(milliseconds: number[], percent: number): number {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}

async function runOnce(
  target: LoadTarget,
  { connections, method = 'GET', headers = {}, body = '' }: LoadOptions,
  duration: number,
  most = Infinity,
): Promise<LoadResult> {
  const from = typeof target === 'string' ? new URL(target) : new URL(target.address)
  const path = typeof target === 'string' ? () => from.pathname + from.search : target.path
  const afterPath = (fields: Record<string, string>, content: string) => {
    const all = {
      host: from.host,
      ...(typeof target !== 'string' && target.headers),
      ...fields,
      ...(content && { 'content-length': String(Buffer.byteLength(content)) }),
    }
    return ` HTTP/1.1\r\n${Object.entries(all)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n${content}`
  }
  const constant = typeof headers === 'object' && typeof body === 'string' ? afterPath(headers, body) : undefined
  const restOf = (connection: number, nth: number) =>
    constant ??
    afterPath(typeof headers === 'object' ? headers : headers(connection, nth), typeof body === 'string' ? body : body(connection, nth))
  const waits: number[] = []
  const server = new Map<string, number[]>()
  let bytes = 0
  let failed = 0
  const start = performance.now()
  const end = start + duration * 1000

  const connection = (_: unknown, number: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = net.connect(Number(from.port), from.hostname)
      let sentAt = 0
      let asked = 0
      let head = Buffer.alloc(0)
      let tail = Buffer.alloc(0)
      let missing = -1 // bytes of the answer still to come: -1 while its head is not complete, without end in chunks
      const ask = () => {
        const request = `${method} ${path(number, asked)}${restOf(number, asked)}`
        asked++
        sentAt = performance.now()
        socket.write(request)
      }
      socket.setNoDelay(true)
      socket.on('connect', ask)
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        bytes += chunk.length
        if (missing < 0) {
          head = head.length ? Buffer.concat([head, chunk]) : chunk
          const headEnd = head.indexOf('\r\n\r\n')
          if (headEnd < 0) return
          const text = head.toString('latin1', 0, headEnd)
          if (text[9] !== '2') failed++
          collectServerTimings(text, server)
          const inChunks = /transfer-encoding: *chunked/i.test(text)
          missing = inChunks ? Infinity : headEnd + 4 + Number(/content-length: *(\d+)/i.exec(text)?.[1] ?? 0) - head.length
        } else missing -= chunk.length
        if (missing === Infinity) {
          tail = Buffer.concat([tail, chunk]).subarray(-lastChunk.length)
          if (!tail.equals(lastChunk)) return
        } else if (missing > 0) return
        const now = performance.now()
        waits.push(now - sentAt)
        head = tail = Buffer.alloc(0)
        missing = -1
        if (now < end && asked < most) return ask()
        socket.end(resolve)
      })
    })
  await Promise.all(Array.from({ length: connections }, connection))
  const took = Math.min(duration, (performance.now() - start) / 1000)
  return {
    perSecond: waits.length / took,
    p50: percentile(waits, 50),
    p99: percentile(waits, 99),
    kilobytes: bytes / waits.length / 1000,
    failed,
    serverTimings: server,
  }
}

/** Adds up what an answer's head says of where its time went. */
function collectServerTimings(head: string, server: Map<string, number[]>) {
  const said = /\r\nserver-timing: *([^\r]+)/i.exec(head)?.[1]
  if (said === undefined) return
  for (const [, name = '', milliseconds] of said.matchAll(/([\w-]+)(?:;desc=[^;,]+)?;dur=([\d.]+)/g))
    addTiming(server, name, Number(milliseconds))
}

function addTiming(server: Map<string, number[]>, name: string, milliseconds: number) {
  const known = server.get(name)
  if (known) known.push(milliseconds)
  else server.set(name, [milliseconds])
}
