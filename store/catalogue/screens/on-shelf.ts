import { inStock, type Part, type Tool } from '#store/catalogue/contract.ts'

export type ToolOnShelf = Tool & Partial<Pick<Part, 'brand' | 'mpn' | 'category' | 'specs'>> & { inStock: boolean }
export type PartOnShelf = Part & { inStock: boolean }

/** Asked in the loaders: a screen that asked the contract itself would send the browser 26 kB of schemas for one comparison. */
export const onShelf = <Shelved extends Pick<Tool, 'minimum_order_quantity' | 'available_quantity'>>(
  tool: Shelved,
): Shelved & { inStock: boolean } => ({ ...tool, inStock: inStock(tool) })
