/* The lists that figures lead to. Each address is that of the screen with its filters, as the screen itself writes it. */

const orders = '/dashboard/manageallorders'

export const ordersOfKind = (kind: string): string => `${orders}?${new URLSearchParams({ kind })}`

/** Orders that were placed, paid or refunded on these days. */
export const ordersWithin = (time: 'placed' | 'paid' | 'refunded', { from, to }: { from: string; to: string }): string =>
  `${orders}?${new URLSearchParams({ time, from, to })}`

export const productsOfKind = (kind: string): string => `/dashboard/manageproducts?${new URLSearchParams({ kind })}`
