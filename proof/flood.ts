import net from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { seededRandom } from './seeded-random.ts'

/** What a flood was answered: how often each status, and how often a connection ended without an answer. */
export type FloodResult = { statuses: Record<string, number>; unanswered: number }

/**
 * So many clients at the store's door, each on a connection of its own that stays open, who ask for one address after the other as soon as
 * they are answered. In a thread of their own, so that they do not slow down the customers of the test.
 * @param kinds addresses, in which each `*` becomes something new each time
 * @param withTokens whether every second question carries a token that nobody has
 * @param seed makes up the questions: the same ones in the same order, whoever asks them
 */
export function startFlood(
  origin: string,
  { clients, kinds, withTokens = false, seed }: { clients: number; kinds: string[]; withTokens?: boolean; seed: number },
) {
  const settings: Settings = { origin, clients, kinds, withTokens, seed }
  const worker = new Worker(new URL(import.meta.url), { workerData: settings })
  const { promise, resolve, reject } = Promise.withResolvers<FloodResult>()
  worker.once('error', reject)
  worker.once('message', resolve)
  return {
    /** Lets everybody hear the answer to the last question, and tells. */
    end(): Promise<FloodResult> {
      worker.postMessage('end')
      return promise
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  }
}

type Settings = { origin: string; clients: number; kinds: string[]; withTokens: boolean; seed: number }

async function flood({ origin, clients, kinds, withTokens, seed }: Settings): Promise<FloodResult> {
  const { below } = seededRandom(seed)
  const { hostname, port } = new URL(origin)
  const flooded: FloodResult = { statuses: {}, unanswered: 0 }
  let asked = 0
  let ending = false
  parentPort?.once('message', () => {
    ending = true
  })
  const client = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = net.connect(Number(port), hostname)
      let text = ''
      let tail = '' // the last bytes of an answer in chunks
      let missing = -1 // bytes of the answer still to come, -1 while its head is not complete, without end while it comes in chunks
      let isAnswered = false
      const ask = () => {
        isAnswered = false
        const made = `${(++asked).toString(36)}${below(36 ** 6).toString(36)}`
        const token = withTokens && asked % 2 === 0 ? `authorization: Bearer ${made}\r\n` : ''
        const path = (kinds[below(kinds.length)] ?? '/').replaceAll('*', made).replaceAll('UUID', () => uuidFrom(below))
        socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\naccept: text/html\r\naccept-encoding: br\r\n${token}\r\n`)
      }
      socket.on('connect', ask)
      socket.on('error', () => {})
      socket.on('close', () => {
        if (!isAnswered) flooded.unanswered++
        resolve()
      })
      socket.on('data', (chunk) => {
        if (missing < 0) {
          text += chunk.toString('latin1')
          const end = text.indexOf('\r\n\r\n')
          if (end < 0) return
          const status = text.slice(9, 12)
          flooded.statuses[status] = (flooded.statuses[status] ?? 0) + 1
          const isChunked = /\r\ntransfer-encoding: *chunked/i.test(text.slice(0, end))
          missing = isChunked ? Infinity : end + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0) - text.length
        } else missing -= chunk.length
        if (missing === Infinity) {
          tail = (tail + chunk.toString('latin1')).slice(-lastChunk.length)
          if (tail !== lastChunk) return
        } else if (missing > 0) return
        text = ''
        tail = ''
        missing = -1
        isAnswered = true
        if (ending) socket.end()
        else ask()
      })
    })
  await Promise.all(Array.from({ length: clients }, client))
  return flooded
}

const uuidFrom = (below: (most: number) => number) => 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () => below(16).toString(16))

/** Ends an answer in chunks. */
const lastChunk = '\r\n0\r\n\r\n'

if (!isMainThread) parentPort?.postMessage(await flood(workerData))
