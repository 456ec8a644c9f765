import fc from 'fast-check'
import type { Return } from '#store/orders/returns/contract.ts'
import type { Shipment } from '#store/orders/shipments/contract.ts'
import { correctionOf } from '#test/correction-actions.ts'
import { linesOf } from './history-baskets.ts'
import type { HistoryShop, Step } from './history-shop.ts'
import { lost, pays, type Which } from './history-steps.ts'

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

/** One of what a list of the order holds, chosen by a number. */
async function oneOf<Entry>(shop: HistoryShop, path: string, list: (body: never) => Entry[], nth: number): Promise<Entry | undefined> {
  const answer = await shop.ask(shop.store.admin, 'GET', path)
  const entries = answer.statusCode === 200 ? list(answer.json() as never) : []
  return entries.at(nth % Math.max(entries.length, 1))
}

const anyParcel = (shop: HistoryShop, id: string, nth: number) =>
  oneOf(shop, `/orders/${id}`, ({ shipments }: { shipments: Shipment[] }) => shipments, nth)

export const takesBack = (nth: Which) =>
  fc.record({ nth, parcel: fc.nat({ max: 2 }) }).map(
    ({ nth, parcel }): Step => ({
      what: `parcel ${parcel} of order ${nth} was not sent after all`,
      needsOrder: true,
      async run(shop) {
        const { _id } = shop.order(nth)
        const one = await anyParcel(shop, _id, parcel)
        if (one) await shop.ask(shop.store.admin, 'DELETE', `/orders/${_id}/shipments/${one._id}`)
      },
    }),
  )

export const isDelivered = (nth: Which) =>
  fc.record({ nth, parcel: fc.nat({ max: 2 }), byBuyer: fc.boolean() }).map(
    ({ nth, parcel, byBuyer }): Step => ({
      what: `parcel ${parcel} of order ${nth} is delivered, says ${byBuyer ? 'its buyer' : 'the admin'}`,
      needsOrder: true,
      async run(shop) {
        const { _id, buyer } = shop.order(nth)
        const one = await anyParcel(shop, _id, parcel)
        if (one) await shop.ask(byBuyer ? buyer : shop.store.admin, 'PUT', `/orders/${_id}/shipments/${one._id}/delivered`, {})
      },
    }),
  )

export const asksToReturn = (nth: Which) =>
  fc.record({ nth, line: anyLine, pieces: fc.integer({ min: 1, max: 3 }) }).map(
    ({ nth, line, pieces }): Step => ({
      what: `the buyer of order ${nth} asks to return ${pieces} pieces of ${line === null ? 'each line' : `line ${line}`}`,
      needsOrder: true,
      async run(shop) {
        const { _id, buyer } = shop.order(nth)
        const lines = (await piecesOf(shop, _id, line, pieces)).map((asked) => ({ ...asked, reason: 'other' }))
        await shop.ask(buyer, 'POST', `/orders/${_id}/returns`, { lines })
      },
    }),
  )

export const withdraws = (nth: Which) =>
  fc.record({ nth, line: anyLine, pieces: fc.integer({ min: 1, max: 3 }) }).map(
    ({ nth, line, pieces }): Step => ({
      what: `the buyer of order ${nth} withdraws from ${line === null ? 'all of it' : `${pieces} pieces of line ${line}`}`,
      needsOrder: true,
      async run(shop) {
        const { _id, buyer } = shop.order(nth)
        const lines = line === null ? {} : { lines: await piecesOf(shop, _id, line, pieces) }
        await shop.ask(buyer, 'POST', `/orders/${_id}/withdrawal`, { ...lines, name: 'Ada Byron', email: 'ada@shop.example' })
      },
    }),
  )

const outcomes = ['refund', 'refund', 'replacement', 'repair', 'refused'] as const

/** Up to so many pieces of each line of a return arrive, and all of these are decided in one way, or sent to the buyer again. */
export const decidesReturn = (nth: Which) =>
  fc
    .record({
      ...{ nth, which: fc.nat({ max: 2 }), arrived: fc.integer({ min: 0, max: 3 }), outcome: fc.constantFrom(...outcomes) },
      ...{ restock: fc.boolean(), sendsAgain: fc.boolean(), lost },
    })
    .map(
      ({ nth, which, arrived, outcome, restock, sendsAgain, lost }): Step => ({
        what: `${arrived} pieces of each line of return ${which} of order ${nth} arrive: ${outcome}, ${restock ? '' : 'not '}into stock, lost: ${lost}`,
        needsOrder: true,
        async run(shop) {
          const { _id } = shop.order(nth)
          const { admin } = shop.store
          const find = () => oneOf(shop, `/orders/${_id}/returns`, ({ returns }: { returns: Return[] }) => returns, which)
          const asked = await find()
          if (!asked) return
          const came = asked.lines.map(({ _id, quantity, arrived: before }) => ({
            _id,
            arrived: Math.max(before, Math.min(arrived, quantity)),
          }))
          await shop.ask(admin, 'PUT', `/returns/${asked._id}/arrived`, { lines: came })
          const decisions = ((await find())?.lines ?? []).flatMap(({ _id, toDecide: quantity }) =>
            quantity === 0 ? [] : { _id, quantity, outcome, restock, ...(outcome === 'refused' && { reason: 'Scratched' }) },
          )
          if (decisions.length > 0)
            await shop.troubled(lost, '/v1/refunds', () => shop.ask(admin, 'POST', `/returns/${asked._id}/decisions`, { decisions }))
          const again = ((await find())?.lines ?? []).filter(({ toResend }) => toResend > 0)
          const lines = again.map(({ _id, toResend: quantity }) => ({ _id, quantity }))
          if (sendsAgain && lines.length > 0) await shop.ask(admin, 'POST', `/returns/${asked._id}/shipments`, { lines })
        },
      }),
    )

export const corrects = (nth: Which) =>
  nth.map(
    (nth): Step => ({
      what: `the invoice of order ${nth} is corrected`,
      needsOrder: true,
      async run(shop) {
        const path = `/orders/${shop.order(nth)._id}/documents/corrections`
        const shown = await shop.ask(shop.store.admin, 'GET', path)
        if (shown.statusCode !== 200) return
        await shop.ask(shop.store.admin, 'POST', path, correctionOf(shown.json(), { poNumber: `PO ${shop.steps}` }))
      },
    }),
  )
