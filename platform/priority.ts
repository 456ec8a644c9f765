import { IncomingMessage } from 'node:http'
import type { Http } from './http.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the route has a guard of its own */
    isGuarded?: boolean
  }
}

/** For work that comes after calls: resolves when none is under way. */
export type Priority = { afterCalls: (mostMs: number) => Promise<void> }

/**
 * Notes the calls that come first while many pages are asked for: those that change something, and those that only who is signed in may ask. A call
 * counts once its guards have let it in and its body has come, so a stranger holds up nothing with a token that is none or a body that
 * never ends. To be opened before the routes.
 */
export function openPriority(app: Http): Priority {
  const waiting = new Set<() => void>()
  let underWay = 0

  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, isGuarded: route.onRequest !== undefined }
  })
  app.addHook('preHandler', (request, reply, done) => {
    const looks = request.method === 'GET' || request.method === 'HEAD'
    // What a page asks inside the store has no connection, and belongs to the page.
    if (request.raw instanceof IncomingMessage && !reply.raw.closed && (!looks || request.routeOptions.config.isGuarded)) {
      underWay++
      reply.raw.once('close', () => {
        underWay--
        if (underWay === 0) for (const go of waiting) go()
      })
    }
    done()
  })

  return {
    /** @param mostMs how long to wait at most: calls may never end where many come one after another */
    async afterCalls(mostMs) {
      await new Promise(setImmediate) // what has arrived meanwhile is read first
      if (underWay === 0) return
      await new Promise<void>((resolve) => {
        const go = () => {
          clearTimeout(clock)
          waiting.delete(go)
          resolve()
        }
        const clock = setTimeout(go, mostMs)
        waiting.add(go)
      })
    },
  }
}
