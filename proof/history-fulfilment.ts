import fc from 'fast-check'
import { linesOf } from './history-baskets.ts'
import type { HistoryShop, Step } from './history-shop.ts'
import { pays, type Which } from './history-steps.ts'

/* What happens to orders in histories once they are paid. */

/** Asks for up to so many pieces of one line, or of all. */
const piecesOf = async (shop: HistoryShop, id: string, line: number | null, pieces: number) => {
  const lines = await linesOf(shop, id)
  const chosen = line === null ? lines : lines.slice(line % Math.max(lines.length, 1)).slice(0, 1)
  return chosen.map(({ _id, quantity }) => ({ _id, quantity: Math.min(pieces, quantity) }))
}

const anyLine = fc.option(fc.nat({ max: 2 }), { freq: 2 })

export const sends = (nth: Which) =>
  fc.record({ nth, line: anyLine, pieces: fc.integer({ min: 1, max: 3 }), sent: fc.constantFrom(1, 1, 2) }).map(
    ({ nth, line, pieces, sent }): Step => ({
      what: `${pieces} pieces of ${line === null ? 'each line' : `line ${line}`} of order ${nth} are sent${sent > 1 ? ', twice under one key' : ''}`,
      needsOrder: true,
      async run(shop) {
        const { _id } = shop.order(nth)
        const lines = await piecesOf(shop, _id, line, pieces)
        const headers = { 'idempotency-key': crypto.randomUUID() }
        const send = () => shop.ask(shop.store.admin, 'POST', `/orders/${_id}/shipments`, { lines }, headers)
        await Promise.all(Array.from({ length: sent }, send))
      },
    }),
  )

export const isHeldBack = (nth: Which) =>
  fc.record({ nth, isReleased: fc.boolean() }).map(
    ({ nth, isReleased }): Step => ({
      what: `order ${nth} is ${isReleased ? 'released' : 'held back'}`,
      needsOrder: true,
      async run(shop) {
        const path = `/orders/${shop.order(nth)._id}/held-back`
        await (isReleased ? shop.ask(shop.store.admin, 'DELETE', path) : shop.ask(shop.store.admin, 'PUT', path, { reason: 'the address' }))
      },
    }),
  )

/** Pays and hopes for the best: most of what follows is about paid orders. */
export const paysWell = (nth: Which) => pays(nth, fc.constant('no'))
