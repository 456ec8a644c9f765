import type { ProductDetails } from '#store/catalogue/contract.ts'

/** A product as the index keeps it: the text of an answer. */
export const parseProduct = (json: string): ProductDetails => JSON.parse(json)
