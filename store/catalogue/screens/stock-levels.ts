import { lowStockInMinimumOrders } from '#store/catalogue/contract.ts'

/** Labels of the stock levels that admins filter by. */
export const stockLevelLabels = { out: 'Out of stock', low: 'Low on stock' } as const

/** The stock level with this label. */
export const stockLevelByLabel = (name: string): 'out' | 'low' | undefined =>
  name === stockLevelLabels.out ? 'out' : name === stockLevelLabels.low ? 'low' : undefined

/** Explanations of the stock levels. */
export const stockLevelDescriptions = {
  out: 'less left than the smallest order',
  low: `less than ${lowStockInMinimumOrders} smallest orders left`,
} as const
