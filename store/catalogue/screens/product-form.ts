import * as z from 'zod'
import { amountInputSchema } from '#shared/amount-schema.ts'
import { numberInputSchema } from '#shared/whole-number.ts'
import { NewProduct, ProductChanges, priceBreaks } from '#store/catalogue/contract.ts'
import { parsePriceBreaks } from '#store/catalogue/price-breaks-text.ts'

const wholePiecesMessage = 'Enter a whole number of pieces, like 10 or 1,250'

const packPiecesMessage = 'Enter a whole number of pieces, like 5, or 1 where single pieces are sold'
const priceBreaksMessage = 'Enter a quantity, a colon and a price on each line, like 25: 11.30'

const figureSchemas = {
  price: amountInputSchema(NewProduct.shape.price),
  minimum_order_quantity: numberInputSchema(NewProduct.shape.minimum_order_quantity, wholePiecesMessage),
  available_quantity: numberInputSchema(NewProduct.shape.available_quantity, wholePiecesMessage),
  order_multiple: numberInputSchema(NewProduct.shape.order_multiple.unwrap(), packPiecesMessage),
  price_breaks: z.string().transform((text, { addIssue }) => {
    const parsed = parsePriceBreaks(text)
    const result = parsed && priceBreaks.safeParse(parsed)
    // One field of the form: what is wrong with a part of it is said of the whole.
    if (!result?.success) addIssue(result?.error.issues[0]?.message ?? priceBreaksMessage)
    return result?.data ?? []
  }),
}

/** Form input for a new product and for changes: figures are typed text, such as " 16 " or "1,250". */
export const newProductFormSchema = NewProduct.extend(figureSchemas)
export const productChangesFormSchema = ProductChanges.extend(figureSchemas)
export type NewProductFormInput = z.input<typeof newProductFormSchema>
export type ProductChangesFormInput = z.input<typeof productChangesFormSchema>

/** The figures of a product form that are valid; the others are undefined. */
export const validFigures = (formInput: ProductChangesFormInput) => ({
  price: figureSchemas.price.safeParse(formInput.price).data,
  minimum_order_quantity: figureSchemas.minimum_order_quantity.safeParse(formInput.minimum_order_quantity).data,
  available_quantity: figureSchemas.available_quantity.safeParse(formInput.available_quantity).data,
  order_multiple: figureSchemas.order_multiple.safeParse(formInput.order_multiple).data,
  price_breaks: figureSchemas.price_breaks.safeParse(formInput.price_breaks).data,
})

export const productFormLabels = {
  name: 'Product Name',
  img: 'Product Image',
  description: 'Product Description',
  price: 'Product Price',
  minimum_order_quantity: 'Minimum Order Quantity',
  available_quantity: 'Available Quantity',
  order_multiple: 'Sold in packs of',
  price_breaks: 'Price breaks',
} as const

const formField = <Name extends keyof typeof productFormLabels>(name: Name) => ({ name, label: productFormLabels[name] })
export const productChangesFormFields = [
  formField('price'),
  formField('minimum_order_quantity'),
  formField('available_quantity'),
  formField('order_multiple'),
  formField('price_breaks'),
]
export const productFormFields = [formField('name'), formField('img'), formField('description'), ...productChangesFormFields]
