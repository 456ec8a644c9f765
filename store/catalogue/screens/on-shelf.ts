import { inStock, type Tool } from '#store/catalogue/contract.ts'

export type ToolOnShelf = Tool & { inStock: boolean }

/** Asked in the loaders: a screen that asked the contract itself would send the browser 26 kB of schemas for one comparison. */
export const onShelf = (tool: Tool): ToolOnShelf => ({ ...tool, inStock: inStock(tool) })
