import type * as z from 'zod'
import { dollarsInputSchema } from '#shared/dollars.ts'
import { numberInputSchema } from '#shared/whole-number.ts'
import { NewProduct, ProductChanges } from '#store/catalogue/contract.ts'

const invalidPriceMessage = 'Enter an amount in dollars and cents, like 16, 12.35 or 1,250'
const wholePiecesMessage = 'Enter a whole number of pieces, like 10 or 1,250'

const numberSchemas = {
  price: dollarsInputSchema(NewProduct.shape.price, invalidPriceMessage),
  minimum_order_quantity: numberInputSchema(NewProduct.shape.minimum_order_quantity, wholePiecesMessage),
  available_quantity: numberInputSchema(NewProduct.shape.available_quantity, wholePiecesMessage),
}

/** Form input for a new product and for changes: numbers are typed text, such as " 16 " or "1,250". */
export const newProductFormSchema = NewProduct.extend(numberSchemas)
export const productChangesFormSchema = ProductChanges.extend(numberSchemas)
export type NewProductFormInput = z.input<typeof newProductFormSchema>
export type ProductChangesFormInput = z.input<typeof productChangesFormSchema>

export const productFormLabels = {
  name: 'Product Name',
  img: 'Product Image',
  description: 'Product Description',
  price: 'Product Price',
  minimum_order_quantity: 'Minimum Order Quantity',
  available_quantity: 'Available Quantity',
} as const

const formField = <Name extends keyof typeof productFormLabels>(name: Name) => ({ name, label: productFormLabels[name] })
export const numberFields = [formField('price'), formField('minimum_order_quantity'), formField('available_quantity')]
export const productFormFields = [formField('name'), formField('img'), formField('description'), ...numberFields]
