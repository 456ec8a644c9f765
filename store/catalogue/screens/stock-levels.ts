import { lowBelowOrders } from '#store/catalogue/contract.ts'

/** What lists of products that run out are called. */
export const stockLevels = { out: 'Out of stock', low: 'Low on stock' } as const

/** Which level a list of this name is of. */
export const levelNamed = (name: string): 'out' | 'low' | undefined =>
  name === stockLevels.out ? 'out' : name === stockLevels.low ? 'low' : undefined

/** What they mean. */
export const levelWords = {
  out: 'less left than the smallest order',
  low: `less than ${lowBelowOrders} smallest orders left`,
} as const
