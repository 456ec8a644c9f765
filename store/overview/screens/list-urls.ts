/* URLs of the lists that the counts link to, with the query parameters that those pages use for their filters. */

const ordersUrl = '/dashboard/manageallorders'

export const ordersByKindUrl = (kind: string): string => `${ordersUrl}?${new URLSearchParams({ kind })}`

/** Orders placed, paid or refunded between these days, inclusive. */
export const ordersByDateUrl = (time: 'placed' | 'paid' | 'refunded', { from, to }: { from: string; to: string }): string =>
  `${ordersUrl}?${new URLSearchParams({ time, from, to })}`

export const productsByKindUrl = (kind: string): string => `/dashboard/manageproducts?${new URLSearchParams({ kind })}`
