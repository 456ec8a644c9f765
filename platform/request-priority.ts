import { IncomingMessage } from 'node:http'
import type { HttpApp } from './http.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the route has an `onRequest` guard, such as authentication; set by `trackPriorityRequests` */
    hasGuard?: boolean
  }
}

/** For low-priority work: resolves when no priority request is running. */
export type RequestPriority = { waitForPriorityRequests: (mostMs: number) => Promise<void> }

/**
 * Tracks running priority requests, which precede page rendering under load: those that change something and those that need a sign-in.
 * A request counts once its guards have passed and its body has arrived, so that an anonymous client cannot delay others with an invalid
 * token or an endless body. Must be created before the routes are registered.
 */
export function trackPriorityRequests(app: HttpApp): RequestPriority {
  const waiting = new Set<() => void>()
  let running = 0

  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, hasGuard: route.onRequest !== undefined }
  })
  app.addHook('preHandler', (request, reply, done) => {
    const isReadOnly = request.method === 'GET' || request.method === 'HEAD'
    // Without a connection (app.inject) no `close` would follow.
    if (request.raw instanceof IncomingMessage && !reply.raw.closed && (!isReadOnly || request.routeOptions.config.hasGuard)) {
      running++
      reply.raw.once('close', () => {
        running--
        if (running === 0) for (const resume of waiting) resume()
      })
    }
    done()
  })

  return {
    /** @param mostMs maximum wait, as priority requests may overlap without a gap */
    async waitForPriorityRequests(mostMs) {
      await new Promise(setImmediate) // lets requests that have already arrived be read first
      if (running === 0) return
      await new Promise<void>((resolve) => {
        const resume = () => {
          clearTimeout(timeout)
          waiting.delete(resume)
          resolve()
        }
        const timeout = setTimeout(resume, mostMs)
        waiting.add(resume)
      })
    },
  }
}
