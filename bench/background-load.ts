import http from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** What goes on while something else is measured. Each connection sends the next request once the last is answered. */
export type BackgroundLoad = {
  url: string
  method: 'GET' | 'POST'
  connections: number
  /** each connection sends those at its place, again from the first where there are fewer */
  headers: Record<string, string>[]
  body?: string
}

/**
 * Sends requests from a thread of their own, so that reading their answers does not slow down what is measured.
 * @returns `end` waits for the last answers and says how many of each status there were
 */
export function startBackgroundLoad(load: BackgroundLoad) {
  const worker = new Worker(new URL(import.meta.url), { workerData: load })
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, number>>()
  worker.once('error', reject)
  worker.once('message', resolve)
  return {
    end(): Promise<Record<string, number>> {
      worker.postMessage('end')
      return promise
    },
  }
}

async function run({ url, method, connections, headers, body }: BackgroundLoad): Promise<Record<string, number>> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const statuses: Record<string, number> = {}
  let isEnding = false
  parentPort?.once('message', () => {
    isEnding = true
  })
  const send = (nth: number) =>
    new Promise<string>((resolve) => {
      const request = http.request(url, { method, agent, headers: headers[nth % headers.length] ?? {} }, (response) => {
        response.resume().once('end', () => resolve(`${response.statusCode}`))
      })
      request.once('error', () => resolve('no answer'))
      request.end(body)
    })
  await Promise.all(
    Array.from({ length: connections }, async (_, nth) => {
      while (!isEnding) {
        const status = await send(nth)
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }),
  )
  agent.destroy()
  return statuses
}

if (!isMainThread) parentPort?.postMessage(await run(workerData))
