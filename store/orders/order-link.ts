import { createHmac, timingSafeEqual } from 'node:crypto'
import { orderIdOfToken } from './order-contract.ts'

/** For how long after the order was placed its link works. */
export const orderLinkDays = 90

/**
 * The token of the link to a guest's order: the order's id and 128 bits that only the store can compute of it, in hexadecimal lower case as
 * the paths of pages are. No table holds it, so nobody who reads the database can open orders, and mails can say it again.
 * @param secret the store's
 */
export const createOrderToken = (secret: string, orderId: string): string => `${orderId.replaceAll('-', '')}${signatureOf(secret, orderId)}`

/** The path of the page that a guest follows an order on. */
export const createOrderLink = (secret: string, orderId: string): string => `/order/${createOrderToken(secret, orderId)}`

/** The order that a token leads to; undefined where the store has not made the token. Whether the link has ended is for the caller to see. */
export function readOrderToken(secret: string, token: string): string | undefined {
  const orderId = orderIdOfToken(token)
  const isSigned = orderId !== undefined && timingSafeEqual(Buffer.from(token), Buffer.from(createOrderToken(secret, orderId)))
  return isSigned ? orderId : undefined
}

const signatureOf = (secret: string, orderId: string): string =>
  createHmac('sha256', secret).update(`link to the order ${orderId}`).digest('hex').slice(0, 32)
