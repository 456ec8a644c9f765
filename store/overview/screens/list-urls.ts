import type { StockLevel } from '#store/catalogue/contract.ts'
import type { OrderDateField } from '#store/orders/admin-list-contract.ts'
import type { AttentionReason } from '#store/orders/contract.ts'
import type { PurchaseStatus } from '#store/orders/statuses.ts'

/* URLs of the lists that the counts link to, with the query parameters that those pages use for their filters. */

const ordersUrl = '/dashboard/manageallorders'

export const ordersUrlFilteredBy = (filter: { status: PurchaseStatus } | { attention: AttentionReason }): string =>
  `${ordersUrl}?${new URLSearchParams(filter)}`

/** Orders placed, paid or refunded between these days, inclusive. */
export const ordersByDateUrl = (date: OrderDateField, { from, to }: { from: string; to: string }): string =>
  `${ordersUrl}?${new URLSearchParams({ date, from, to })}`

export const productsByStockUrl = (stock: StockLevel): string => `/dashboard/manageproducts?${new URLSearchParams({ stock })}`
