import type * as z from 'zod'
import { NewTool, ToolChanges } from '#store/catalogue/contract.ts'
import { typed } from '#store/whole-number.ts'

const dollars = 'Enter a whole number of dollars, without cents, like 16 or 1,250'
const pieces = 'Enter a whole number of pieces, like 10 or 1,250'

const figures = {
  price: typed(NewTool.shape.price, dollars),
  minimum_order_quantity: typed(NewTool.shape.minimum_order_quantity, pieces),
  available_quantity: typed(NewTool.shape.available_quantity, pieces),
}

/** A new product, and the changes of one, as a person types them: figures are text, as " 16 " or "1,250". */
export const typedNewTool = NewTool.extend(figures)
export const typedToolChanges = ToolChanges.extend(figures)
export type TypedNewTool = z.input<typeof typedNewTool>
export type TypedToolChanges = z.input<typeof typedToolChanges>

export const labels = {
  name: 'Product Name',
  img: 'Product Image',
  description: 'Product Description',
  price: 'Product Price',
  minimum_order_quantity: 'Minimum Order Quantity',
  available_quantity: 'Available Quantity',
} as const

const field = <Name extends keyof typeof labels>(name: Name) => ({ name, label: labels[name] })
export const figureFields = [field('price'), field('minimum_order_quantity'), field('available_quantity')]
export const fields = [field('name'), field('img'), field('description'), ...figureFields]
