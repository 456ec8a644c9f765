import { lowStockInMinimumOrders } from '#store/catalogue/contract.ts'

/** The stock levels that admins filter by. */
export const stockLevels = ['out', 'low'] as const

export const stockLevelLabels = { out: 'Out of stock', low: 'Low on stock' } as const

/** The stock level of this name, as in the query of `GET /search`. */
export const findStockLevel = (name: string | undefined) => stockLevels.find((level) => level === name)

/** Explanations of the stock levels. */
export const stockLevelDescriptions = {
  out: 'less left than the smallest order',
  low: `less than ${lowStockInMinimumOrders} smallest orders left`,
} as const
