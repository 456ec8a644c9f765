import { createHmac, timingSafeEqual } from 'node:crypto'

/** For how long after the order was placed its link works. */
export const orderLinkDays = 90

const tokenPattern = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})([0-9a-f]{32})$/

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
  const [, first, second, third, fourth, fifth, signature] = tokenPattern.exec(token) ?? []
  if (signature === undefined) return undefined
  const orderId = [first, second, third, fourth, fifth].join('-')
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(secret, orderId))) ? orderId : undefined
}

const signatureOf = (secret: string, orderId: string): string =>
  createHmac('sha256', secret).update(`link to the order ${orderId}`).digest('hex').slice(0, 32)
