import fc from 'fast-check'
import type { BankEntry, RefundToTransfer } from '#store/orders/bank/contract.ts'
import { entryDecisions } from '#store/orders/bank/contract.ts'
import type { OpenOrder } from '#store/orders/on-account/contract.ts'
import { creditorReference } from '#store/orders/payment-methods/iban.ts'
import { paymentMethods } from '#store/orders/statuses.ts'
import { foundCompany, verifyEmail } from '#test/company-actions.ts'
import { approveCredit } from '#test/on-account-actions.ts'
import type { ApiResponse, Store } from '#test/store.ts'
import { camt, type EntryInFile, setUpTransfers } from '#test/transfer-actions.ts'
import { fillsWith, openSellingShop, placing } from './history-baskets.ts'
import type { HistoryOrder, HistoryShop, Step } from './history-shop.ts'
import { lost, type Which } from './history-steps.ts'

/* What happens in histories to orders that are paid by bank: before they are sent, or on account. */

const today = () => new Date().toISOString().slice(0, 10)

/** A shop that also takes transfers, and lets the company of Ada order on account. */
export async function openShopWithTransfers(store: Store, nth: number): Promise<void> {
  await openSellingShop(store, nth)
  await setUpTransfers(store, { onAccount: true })
  await verifyEmail(store, store.customer)
  await approveCredit(store, await foundCompany(store.customer), 50_000_000)
}

/** Ada orders by transfer and on account, a guest by transfer, so that there is money to await. */
export async function orderByBank(shop: HistoryShop): Promise<void> {
  const placed = { expects: 'nothing', sent: 1, vatId: false, lost: 'no' } as const
  await fillsWith('Ada', 0, 3, true).run(shop)
  await fillsWith('Ada', 2, 2, true).run(shop)
  await placing({ ...placed, who: 'Ada', method: 'on_account' }).run(shop)
  await fillsWith('Ada', 1, 2, true).run(shop)
  await placing({ ...placed, who: 'Ada', method: 'bank_transfer' }).run(shop)
  await fillsWith('a guest', 0, 2, true).run(shop)
  await placing({ ...placed, who: 'a guest', method: 'bank_transfer' }).run(shop)
}

const byMethods = fc.oneof(
  fc.record({ who: fc.constant('Ada' as const), method: fc.constantFrom(...paymentMethods) }),
  fc.record({ who: fc.constant('a guest' as const), method: fc.constantFrom('card' as const, 'bank_transfer' as const) }),
)

export const placesByAnyMethod = fc
  .record({ by: byMethods, sent: fc.constantFrom(1, 1, 3), vatId: fc.constantFrom(false, false, true), lost })
  .map(({ by, ...more }) => placing({ expects: 'nothing', ...by, ...more }))

const send = (shop: HistoryShop, entries: EntryInFile[]): Promise<ApiResponse> =>
  shop.ask(shop.store.admin, 'POST', '/bank-statements?name=history.xml&again=true', Buffer.from(camt(entries)), {
    'content-type': 'application/octet-stream',
  })

/** What is still to be paid, or where nothing is, what the order costs. */
async function askDueCents(shop: HistoryShop, { _id, amount }: HistoryOrder): Promise<number> {
  const answer = await shop.ask(shop.store.admin, 'GET', `/orders/${_id}/transfer`)
  const { dueCents = 0 } = answer.statusCode === 200 ? answer.json() : {}
  return dueCents || Math.round(amount * 100)
}

const textOf = {
  'its reference': ({ number }: HistoryOrder) => `Order ${creditorReference(number)}`,
  'its number': ({ number }: HistoryOrder) => `Your order ${number}`,
  'nothing of it': () => 'With thanks',
}

export const transfers = (nth: Which) =>
  fc
    .record({
      nth,
      offCents: fc.constantFrom(0, 0, 0, -300, -1, 500),
      says: fc.constantFrom('its reference' as const, 'its reference' as const, 'its number' as const, 'nothing of it' as const),
      imported: fc.constantFrom(1, 1, 2),
    })
    .map(
      ({ nth, offCents, says, imported }): Step => ({
        what: `what is due of order ${nth} and ${offCents} cents come by bank, saying ${says}, in a statement imported ${imported} times at once`,
        needsOrder: true,
        async run(shop) {
          const order = shop.order(nth)
          const amountCents = Math.max(1, (await askDueCents(shop, order)) + offCents)
          const entry = { amountCents, text: textOf[says](order), reference: crypto.randomUUID() }
          await Promise.all(Array.from({ length: imported }, () => send(shop, [entry])))
        },
      }),
    )

/** An admin says of one of the entries that wait that it is for this order. */
export const decidesEntry = (nth: Which) =>
  fc
    .record({
      nth,
      which: fc.nat({ max: 3 }),
      decision: fc.constantFrom('assign' as const, ...entryDecisions),
      part: fc.constantFrom(1, 1, 2),
    })
    .map(
      ({ nth, which, decision, part }): Step => ({
        what: `entry ${which} that waits is decided: ${decision}${part > 1 ? ' half of it' : ''}, order ${nth}`,
        needsOrder: true,
        async run(shop) {
          const order = shop.order(nth)
          const { entries } = (await shop.ask(shop.store.admin, 'GET', '/bank-entries?list=waiting')).json() as { entries: BankEntry[] }
          const entry = entries.at(which % Math.max(entries.length, 1))
          if (!entry) return
          const due = await askDueCents(shop, order)
          const amountCents = Math.max(1, Math.floor(Math.min(entry.leftCents, decision === 'send back' ? Infinity : due) / part))
          const orders = decision === 'set aside' || decision === 'take up again' ? [] : [{ number: order.number, amountCents }]
          await shop.ask(shop.store.admin, 'POST', `/bank-entries/${entry._id}/decision`, {
            ...{ decision, orders, reason: 'As they said', leftCentsSeen: entry.leftCents },
          })
        },
      }),
    )

/** The owner writes down, without an entry, what has come for an order on account or was given back of it. */
export const booksByHand = (nth: Which) =>
  fc.record({ nth, isBack: fc.boolean(), part: fc.constantFrom(1, 2, 3) }).map(
    ({ nth, isBack, part }): Step => ({
      what: `1/${part} of what ${isBack ? 'is to be given back' : 'is owed'} of order ${nth} is written down`,
      needsOrder: true,
      async run(shop) {
        const { _id } = shop.order(nth)
        const open = await findOpenOrder(shop, _id)
        const cents = isBack ? open?.toGiveBackCents : open?.owedCents
        if (!cents) return
        const body = { amountCents: Math.max(1, Math.floor(cents / part)), on: today(), owedCentsSeen: cents }
        await shop.ask(shop.store.admin, 'POST', `/orders/${_id}/${isBack ? 'paybacks' : 'payments'}`, body)
      },
    }),
  )

async function findOpenOrder(shop: HistoryShop, id: string): Promise<OpenOrder | undefined> {
  const { companies } = (await shop.ask(shop.store.admin, 'GET', '/receivables')).json()
  const account = (await shop.ask(shop.store.admin, 'GET', `/receivables/${companies[0].company._id}`)).json() as { orders: OpenOrder[] }
  return account.orders.find(({ _id }) => _id === id)
}

const askRefunds = async (shop: HistoryShop): Promise<RefundToTransfer[]> =>
  (await shop.ask(shop.store.admin, 'GET', '/bank-entries?list=debits')).json().refunds

const saysTransferred = (shop: HistoryShop, { _id }: RefundToTransfer) =>
  shop.ask(shop.store.admin, 'POST', `/transfer-refunds/${_id}/done`, { doneOn: today() })

export const transfersRefund = fc
  .record({ which: fc.nat({ max: 2 }), by: fc.constantFrom('the owner', 'a debit', 'both at once'), offCents: fc.constantFrom(0, 0, -1) })
  .map(
    ({ which, by, offCents }): Step => ({
      what: `refund ${which} by transfer is done, says ${by}, off by ${offCents} cents`,
      needsOrder: true,
      async run(shop) {
        const refunds = await askRefunds(shop)
        const refund = refunds.at(which % Math.max(refunds.length, 1))
        if (!refund) return
        const { amountCents, payees, reference } = refund
        const [payee] = payees
        const debit = {
          amountCents: -Math.max(1, amountCents + offCents),
          text: reference,
          ...(payee && { name: payee.name }),
          ...(payee?.iban && { iban: payee.iban }),
        }
        await Promise.all([
          ...(by === 'the owner' ? [] : [send(shop, [{ ...debit, reference: crypto.randomUUID() }])]),
          ...(by === 'a debit' ? [] : [saysTransferred(shop, refund)]),
        ])
      },
    }),
  )

/** What the owner does in the end: no refund waits for its transfer any more. */
export async function transferAllRefunds(shop: HistoryShop): Promise<void> {
  for (const refund of await askRefunds(shop)) await saysTransferred(shop, refund)
}
