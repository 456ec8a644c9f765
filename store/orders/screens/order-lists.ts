import type { Attention } from '#store/orders/contract.ts'

/** The name of the list of orders that ask for attention for this reason. */
export const attentionWords = (attention: Attention): string => attention.charAt(0).toUpperCase() + attention.slice(1)
