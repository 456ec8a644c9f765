import assert from 'node:assert/strict'
import { sql } from 'drizzle-orm'
import { ErrorResponse } from '#shared/endpoint.ts'
import type { Product } from '#store/catalogue/contract.ts'
import { Purchase } from '#store/orders/contract.ts'
import { type ApiClient, orderRequest, parseResponse, type StoreCluster } from './store-cluster.ts'

/**
 * Everybody wants one piece at the same moment, and there are fewer: as many as there are get one, the others hear what is available and
 * leave nothing behind.
 */
export async function raceForStock(shop: StoreCluster, tool: Product, buyers: ApiClient[]) {
  const stock = tool.available_quantity
  const from = performance.now()
  let askedAgain = 0
  const answers = await Promise.all(
    buyers.map(async (buyer) => {
      const headers = { 'idempotency-key': crypto.randomUUID() }
      const answer = await buyer.request('POST', '/purchase', orderRequest(tool, 1), headers)
      if (answer.status !== 503) return answer
      askedAgain++ // a machine that is busy with other things says so, and the buyer comes back
      return buyer.requestWithRetry('POST', '/purchase', orderRequest(tool, 1), headers)
    }),
  )
  const seconds = (performance.now() - from) / 1000

  const others = answers.filter(({ status }) => status !== 201 && status !== 409)
  assert.deepEqual(others, [], 'an order, or what is available')
  const sold = answers.filter(({ status }) => status === 201)
  const refused = answers.filter(({ status }) => status === 409)
  assert.deepEqual({ sold: sold.length, refused: refused.length }, { sold: stock, refused: buyers.length - stock })
  for (const { body } of refused) assert.match(ErrorResponse.parse(JSON.parse(body)).message, /^You can't order more than \d+ pieces$/)

  const ids = sold.map((answer) => parseResponse(Purchase, answer)._id).sort()
  const kept = await shop.db.execute<{ _id: string }>(sql`select id as "_id" from order_lines where tool_id = ${tool._id} order by id`)
  assert.deepEqual(
    kept.rows.map(({ _id }) => _id),
    ids,
    'whoever got nothing has no order',
  )
  const left = await shop.db.execute<{ stock: number }>(sql`select available_quantity as stock from tools where id = ${tool._id}`)
  assert.deepEqual(left.rows, [{ stock: 0 }])
  assert.deepEqual(await shop.faults(), [])
  return { seconds, sold: sold.length, refused: refused.length, askedAgain }
}
