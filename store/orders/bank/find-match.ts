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

/** A parcel of an order on account, by the numbers of its invoice and of those that have replaced it. */
export type OpenParcel = { shipmentId: string; orderId: string; numbers: string[]; openCents: number }

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

/** The numbers of invoices that stand in a text, such as "invoice 2026-00042". A credit note's is none. */
export const invoiceNumbers = (text: string): string[] => [
  ...new Set([...text.matchAll(/(?<!\p{N}[.,-]?|CN[\s-]*)\d{4}-\d{5,9}(?![\p{L}\p{N}]|[.,-]\d)/giu)].map(([number]) => number)),
]

/** The parcels whose invoices a text names. */
export function namedParcels<P extends Pick<OpenParcel, 'numbers'>>(text: string, parcels: P[]): P[] {
  const named = new Set(invoiceNumbers(text))
  return parcels.filter(({ numbers }) => numbers.some((number) => named.has(number)))
}

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

/** `shipmentId`: of the parcel whose invoice it is for; undefined: it is for all that is due, or not sure */
export type Match = { order: Candidate | null; isSure: boolean; reason: EntryReason; shipmentId?: string | undefined }

/**
 * What money that has arrived is for. It is sure only where a reference with right check digits names one order that awaits just this amount, or
 * where the plain number of one, or that of an invoice, the amount and the name all agree: a number alone may be mistyped, and be that of another
 * order. An order on account also awaits what one of its invoices asks for.
 * @param candidates the orders with the numbers that the entry names
 * @param parcels those of the candidates that are on account
 */
export function findMatch(entry: NamedEntry, candidates: Candidate[], parcels: OpenParcel[]): Match {
  const [number, ...others] = referencedNumbers(entry.text)
  if (others.length > 0) return { order: null, isSure: false, reason: 'several orders' }
  const invoiced = namedParcels(entry.text, parcels)
  if (number !== undefined) {
    const order = candidates.find((candidate) => candidate.number === number)
    if (!order) return { order: null, isSure: false, reason: 'unknown order' }
    if (invoiced.some(({ orderId }) => orderId !== order._id)) return { order: null, isSure: false, reason: 'several orders' }
    const awaited = findAwaited(entry, order, parcels)
    return awaited ? sure(order, awaited) : { order, isSure: false, reason: reasonOf(order, entry.amountCents) }
  }
  const plain = new Set(plainNumbers(entry.text))
  const named = candidates.filter(({ _id, number }) => plain.has(number) || invoiced.some(({ orderId }) => orderId === _id))
  const [only, ...more] = named
  const awaited = only && more.length === 0 && isNamedLike(entry.payerName, only) ? findAwaited(entry, only, parcels) : undefined
  return only && awaited ? sure(only, awaited) : { order: null, isSure: false, reason: 'no reference' }
}

type Awaited = Pick<Match, 'shipmentId'>

const sure = (order: Candidate, { shipmentId }: Awaited): Match => ({ order, isSure: true, reason: 'not looked at', shipmentId })

/**
 * What of an order just this amount is awaited for: all that is due, or one invoice, which the text names or no other of the order is like.
 * Undefined: nothing, or it cannot be told which.
 */
function findAwaited({ text, amountCents }: NamedEntry, order: Candidate, parcels: OpenParcel[]): Awaited | undefined {
  if (!isAwaited(order)) return undefined
  if (order.dueCents === amountCents) return {}
  const own = parcels.filter(({ orderId }) => orderId === order._id)
  const named = namedParcels(text, own)
  if (named.length > 1) return undefined
  const [only, ...more] = (named.length === 1 ? named : own).filter(({ openCents }) => openCents === amountCents)
  return only && more.length === 0 ? { shipmentId: only.shipmentId } : undefined
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
