import { createHmac, timingSafeEqual } from 'node:crypto'
import { orderIdOfToken } from '#store/orders/order-contract.ts'

/**
 * The path of the page on which whoever has it withdraws from the contract of an order, signed in or not, with or without JavaScript. Made like the
 * token of a guest's order, with which it shares nothing: it shows the buyer's name and e-mail and the names of what was ordered, and lets nobody pay
 * or read more.
 * @param secret the store's
 */
export const createWithdrawalPage = (secret: string, orderId: string): string =>
  `/withdraw/${orderId.replaceAll('-', '')}${signatureOf(secret, orderId)}`

/** The order that a token of such a page leads to; undefined where the store has not made it. */
export function readWithdrawalToken(secret: string, token: string): string | undefined {
  const orderId = orderIdOfToken(token)
  const isSigned = orderId !== undefined && timingSafeEqual(Buffer.from(token.slice(32)), Buffer.from(signatureOf(secret, orderId)))
  return isSigned ? orderId : undefined
}

const signatureOf = (secret: string, orderId: string): string =>
  createHmac('sha256', secret).update(`withdrawal from the order ${orderId}`).digest('hex').slice(0, 32)
