import { lowStockInMinimumOrders, type StockLevel } from '#store/catalogue/contract.ts'

export const stockLevelLabels = { out: 'Out of stock', low: 'Low on stock' } satisfies Record<StockLevel, string>

/** Explanations of the stock levels. */
export const stockLevelDescriptions = {
  out: 'less left than the smallest order',
  low: `less than ${lowStockInMinimumOrders} smallest orders left`,
} satisfies Record<StockLevel, string>
