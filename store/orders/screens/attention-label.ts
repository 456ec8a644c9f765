import type { AttentionReason } from '#store/orders/contract.ts'

/** The label of the filter for orders with this attention reason. */
export const attentionLabel = (attention: AttentionReason): string => attention.charAt(0).toUpperCase() + attention.slice(1)
