import { createOrderToken, readOrderToken } from '#store/orders/order-link.ts'

const cookieName = 'nucleus.ordered'

/**
 * The header by which a browser remembers until it is closed which order a guest has placed with it. The cookie of the basket, which stays in a
 * browser for months and whose basket becomes that of whoever signs in there, leads to no order of a guest.
 */
export const orderedCookie = (secret: string, orderId: string, { isSecure }: { isSecure: boolean }): string =>
  `${cookieName}=${createOrderToken(secret, orderId)}; HttpOnly; Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`

/** The order that a guest has placed with this browser; undefined for none, and for a token that the store has not made. */
export function orderedBefore(secret: string, cookies: string | undefined): string | undefined {
  const token = /(?:^|;\s*)nucleus\.ordered=([0-9a-f]{64})(?:;|$)/.exec(cookies ?? '')?.[1]
  return token && readOrderToken(secret, token)
}
