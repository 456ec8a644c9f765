import { and, eq, sql } from 'drizzle-orm'
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { widestClientNetwork } from '#platform/client-network.ts'
import { createConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import type { Guards } from '#store/identity/guards.ts'
import type { LinkHolder, Viewer } from './buyer.ts'
import { orderLinkDays, readOrderToken } from './order-link.ts'
import { orders } from './table.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** who asks for an order; set only behind the guard `buyer` */
    viewer: Viewer
  }
}

/** With the guard of the calls that guests make, too: who has signed in, or has the link of an order as `Authorization: Bearer order-<token>`. */
export type OrderGuards = Guards & { buyer: onRequestAsyncHookHandler }

type Deps = {
  db: Database
  guards: Guards
  /** the store's, which has signed the links */
  secret: string
  buyerQueueTimeoutMs: number
}

export function createOrderGuards(app: HttpApp, { db, guards, secret, buyerQueueTimeoutMs }: Deps): OrderGuards {
  app.decorateRequest('viewer')
  const lookups = createConcurrencyLimiter({ ...linkLookupOptions, queueTimeoutMs: buyerQueueTimeoutMs })

  async function holderOfLink(token: string, { ip }: FastifyRequest): Promise<LinkHolder> {
    const orderId = readOrderToken(secret, token)
    const isLive = orderId !== undefined && (await lookups.run(() => isLinkLive(db, orderId), widestClientNetwork(ip)))
    if (!isLive) throw new HttpError(401, 'The link to this order has ended')
    return { role: 'guest', orderId }
  }

  return {
    ...guards,
    async buyer(request) {
      const token = orderTokenOf(request)
      if (token === undefined) request.viewer = await guards.findUser(request)
      else request.viewer = await holderOfLink(token, request)
    },
  }
}

const orderTokenOf = ({ headers: { authorization = '' } }: FastifyRequest) => /^bearer +order-(\S*)$/i.exec(authorization)?.[1]

const isLinkLive = async (db: Database, orderId: string): Promise<boolean> =>
  (await db.$count(
    orders,
    and(
      eq(orders._id, orderId),
      eq(orders.placedByGuest, true),
      sql`${orders.placedAt} > now() - make_interval(days => ${orderLinkDays}::integer)`,
    ),
  )) > 0

/** Only links that the store has signed are looked up. Networks take turns, so that one link sent hundreds of times at once leaves connections. */
const linkLookupOptions = { maxConcurrent: 2, maxQueued: 200, beforeStart: async () => {} }
