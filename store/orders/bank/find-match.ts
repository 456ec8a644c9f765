import { orderNumberOfReference } from '#store/orders/payment-methods/iban.ts'
import type { OrderStatus, PaymentMethod } from '#store/orders/statuses.ts'
import type { EntryReason } from './contract.ts'

/** An order that an entry may be for. `dueCents`: what is still to be paid of it. */
export type Candidate = {
  _id: string
  number: number
  buyerName: string
  company: string | null
  orderStatus: OrderStatus
  paymentMethod: PaymentMethod
  totalCents: number
  dueCents: number
}

type NamedEntry = { text: string; payerName: string; amountCents: number }

/** The numbers of orders that a text names by references with right check digits. A reference may be written in groups. */
export function referencedNumbers(text: string): number[] {
  const found = [...text.matchAll(/(?<![\p{L}\p{N}])RF[\s.-]*\d{2}(?:[\s.-]*\d)+/giu)].flatMap(([written]) => {
    const [first = '', ...groups] = written.split(/[\s.-]+/).filter(Boolean)
    // A number of something else may stand behind it: each group may be the last one of the reference.
    const lengths = [first, ...groups.map((_, nth) => first + groups.slice(0, nth + 1).join(''))]
    return lengths.flatMap((reference) => orderNumberOfReference(reference) ?? [])
  })
  return [...new Set(found)]
}

/** Numbers that stand for themselves in a text, such as "order 1001", and that may be those of orders. */
export const plainNumbers = (text: string): number[] => [
  ...new Set([...text.matchAll(/(?<![\p{L}\p{N}.,-])\d{1,10}(?![\p{L}\p{N}]|[.,-]\d)/gu)].map(([digits]) => Number(digits))),
]

const wordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)

/** Whether a payer is called as a buyer or their company: each word of that name stands in the payer's, in whatever order. */
export function isNamedLike(payerName: string, { buyerName, company }: Pick<Candidate, 'buyerName' | 'company'>): boolean {
  const payer = new Set(wordsOf(payerName))
  return [buyerName, company ?? ''].some((name) => {
    const words = wordsOf(name)
    return words.length > 0 && words.every((word) => payer.has(word))
  })
}

export type Match = { order: Candidate | null; isSure: boolean; reason: EntryReason }

/**
 * What money that has arrived is for. It is sure only where a reference with right check digits names one order that awaits just this amount, or
 * where the plain number of one, the amount and the name all agree: a number alone may be mistyped, and be that of another order.
 * @param candidates the orders with the numbers that the entry names
 */
export function findMatch(entry: NamedEntry, candidates: Candidate[]): Match {
  const numbers = referencedNumbers(entry.text)
  const [number, ...others] = numbers
  if (others.length > 0) return { order: null, isSure: false, reason: 'several orders' }
  if (number !== undefined) {
    const order = candidates.find((candidate) => candidate.number === number) ?? null
    return order ? settleReferenced(entry, order) : { order, isSure: false, reason: 'unknown order' }
  }
  const named = plainNumbers(entry.text).flatMap((plain) => candidates.filter((candidate) => candidate.number === plain))
  const [only, ...more] = named
  const isSure =
    only !== undefined && more.length === 0 && isAwaited(only) && only.dueCents === entry.amountCents && isNamedLike(entry.payerName, only)
  return isSure ? { order: only, isSure, reason: 'not looked at' } : { order: null, isSure: false, reason: 'no reference' }
}

function settleReferenced({ amountCents }: NamedEntry, order: Candidate): Match {
  const isSure = isAwaited(order) && order.dueCents === amountCents
  return { order, isSure, reason: isSure ? 'not looked at' : reasonOf(order, amountCents) }
}

/** Whether money is to come for an order: it is open, or it was placed on account and is not paid. */
const isAwaited = (order: Candidate): boolean => canBePaid(order) && order.dueCents > 0

/** Whether it is open, or placed and not done; on account it is paid also when it is. */
export const canBePaid = ({ orderStatus, paymentMethod }: Pick<Candidate, 'orderStatus' | 'paymentMethod'>): boolean =>
  orderStatus === 'open' || orderStatus === 'placed' || (orderStatus === 'completed' && paymentMethod === 'on_account')

function reasonOf(order: Candidate, amountCents: number): EntryReason {
  if (order.orderStatus === 'expired' || order.orderStatus === 'cancelled') return 'order ended'
  if (order.dueCents === 0 || !canBePaid(order)) return 'paid already'
  return amountCents < order.dueCents ? 'too little' : 'too much'
}
