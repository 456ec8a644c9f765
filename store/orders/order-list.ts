import type { FastifyReply, FastifyRequest } from 'fastify'
import { jsonSerializerFor } from '#platform/http.ts'
import { createStreamLimiter, sendStream } from '#platform/streamed-response.ts'
import { listAllPurchases, listBuyerPurchases } from './contract.ts'
import type { KeyedLimiter } from './keyed-limiter.ts'
import type { PurchaseBatch } from './purchases.ts'

/** How many lines one statement reads and one turn of the event loop serializes. */
const batchSize = 200

/** Lists that one account reads at once, and that wait. A list is as long as the account, or the store, has orders. */
export const listsPerAccount = { maxConcurrent: 2, maxQueued: 4, queueTimeoutMs: 3000 }

const contentType = 'application/json; charset=utf-8'
const serializers = {
  ofBuyer: jsonSerializerFor(listBuyerPurchases.schema.response[200]),
  all: jsonSerializerFor(listAllPurchases.schema.response[200]),
}

/** Reads a page of lines of orders, newest order first. */
type ReadBatch = (page: PurchaseBatch) => Promise<{ number: number; position: number }[]>

/**
 * Sends a whole list of purchases as one JSON array, newest first, in batches: no statement and no turn of the event loop grows with the list.
 * As order numbers only grow, every order that was there before the request is sent once; one that changes meanwhile is sent as it is when
 * its batch is read.
 */
export function createOrderListSender(accounts: KeyedLimiter) {
  const batches = createStreamLimiter()

  async function* streamJsonArray(list: keyof typeof serializers, accountId: string, readBatch: ReadBatch): AsyncGenerator<string, void> {
    let after: PurchaseBatch['after']
    for (let separator = '['; ; separator = ',') {
      const batch = await batches.run(() => readBatch({ after, limit: batchSize }), accountId)
      if (batch.length > 0) yield separator + serializers[list](batch).slice(1, -1)
      after = batch.at(-1)
      if (batch.length < batchSize) return yield batch.length === 0 && separator === '[' ? '[]' : ']'
    }
  }

  /** @param accountId who asks: an account has a share of the reads, however many lists it asks for */
  return (request: FastifyRequest, reply: FastifyReply, list: keyof typeof serializers, accountId: string, readBatch: ReadBatch) =>
    accounts.run(accountId, () => sendStream(request, reply, contentType, streamJsonArray(list, accountId, readBatch)))
}
