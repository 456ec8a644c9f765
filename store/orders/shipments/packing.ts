import type { LineToSend, OrderToSend } from './to-send-contract.ts'

/* What a packer does with the lines of an order, in the browser. */

type Coded = Pick<LineToSend, 'sku' | 'mpn' | 'gtin'>

/** Capitals, spaces and punctuation do not count, nor do the zeros by which a shorter GTIN is filled up. */
const plainCode = (code: string): string => code.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const withoutZeros = (code: string): string => code.replace(/^0+/, '')

const hasCode = ({ sku, mpn, gtin }: Coded, code: string): boolean =>
  [sku, mpn].some((known) => known !== null && plainCode(known) === code) ||
  (gtin !== null && /^\d{8,14}$/.test(code) && withoutZeros(gtin) === withoutZeros(code))

/** `pieces`: how many are added. `left`: so many were asked for, and fewer are left. */
export type Scan = { index: number; pieces: number } | { index: number; left: number } | 'unknown' | 'all packed'

/**
 * The line that a scanned or typed GTIN, part number or SKU adds pieces to: of several with that code the first with pieces left. "5x CODE" adds five,
 * unless that is a code itself.
 * @param packed pieces of each line so far
 */
export function findScanned(lines: (Coded & Pick<LineToSend, 'toSend'>)[], packed: number[], typed: string): Scan {
  const whole = findCode(lines, packed, plainCode(typed), 1)
  const [, times, code] = /^\s*(\d{1,5})\s*[x×*]\s*(.+)$/i.exec(typed) ?? []
  return whole !== 'unknown' || !code || Number(times) === 0 ? whole : findCode(lines, packed, plainCode(code), Number(times))
}

function findCode(lines: (Coded & Pick<LineToSend, 'toSend'>)[], packed: number[], code: string, pieces: number): Scan {
  const found = code === '' ? [] : lines.flatMap((line, index) => (hasCode(line, code) ? [index] : []))
  if (found.length === 0) return 'unknown'
  const left = (index: number) => (lines[index]?.toSend ?? 0) - (packed[index] ?? 0)
  const index = found.find((index) => left(index) >= pieces) ?? found.find((index) => left(index) > 0)
  if (index === undefined) return 'all packed'
  return left(index) >= pieces ? { index, pieces } : { index, left: left(index) }
}

export type PickedProduct = Pick<LineToSend, 'productId' | 'productName' | 'brand' | 'mpn' | 'sku' | 'gtin'> & {
  pieces: number
  orders: { number: number; pieces: number }[]
}

/** What is fetched for these orders, each product once, by SKU: how many pieces in all, and how many for which order. */
export function pickList(orders: Pick<OrderToSend, 'number' | 'lines'>[]): PickedProduct[] {
  const picked = new Map<string, PickedProduct>()
  for (const { number, lines } of orders)
    for (const { productId, productName, brand, mpn, sku, gtin, toSend } of lines) {
      const product = picked.get(productId) ?? { productId, productName, brand, mpn, sku, gtin, pieces: 0, orders: [] }
      product.pieces += toSend
      product.orders.push({ number, pieces: toSend })
      picked.set(productId, product)
    }
  return [...picked.values()].sort((a, b) => (a.sku ?? '').localeCompare(b.sku ?? '', 'en', { numeric: true }))
}

/** The name on a parcel and the address below it: one from the checkout begins with the name already. */
export const parcelAddress = ({ recipient, buyerAddress }: Pick<OrderToSend, 'recipient' | 'buyerAddress'>): string =>
  buyerAddress.split('\n').includes(recipient) ? buyerAddress : `${recipient}\n${buyerAddress}`
