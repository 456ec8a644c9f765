import type { UseFormRegisterReturn } from 'react-hook-form'
import * as z from 'zod'
import { amountInputSchema } from '#shared/amount-schema.ts'
import { amountToCents } from '#shared/money.ts'
import { formatPlainCents } from '#shared/typed-amount.ts'
import { numberInputSchema } from '#shared/whole-number.ts'
import { NewProduct, ProductChanges, type ProductDetails, priceBreaks } from '#store/catalogue/contract.ts'
import { formatPriceBreaks, parsePriceBreaks } from '#store/catalogue/price-breaks-text.ts'

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

/** A form has a field for each text: an empty one clears it. */
const identifyingSchemas = {
  brand: NewProduct.shape.brand.unwrap(),
  mpn: NewProduct.shape.mpn.unwrap(),
  category: NewProduct.shape.category.unwrap(),
}

/** Form input for a new product and for changes: figures are typed text, such as " 16 " or "1,250". */
export const newProductFormSchema = NewProduct.extend({
  ...figureSchemas,
  ...identifyingSchemas,
  sku: z
    .string()
    .transform((typed) => typed.trim() || undefined)
    .pipe(NewProduct.shape.sku),
})
export const productChangesFormSchema = ProductChanges.omit({ details: true }).extend({
  ...figureSchemas,
  ...identifyingSchemas,
  ...NewProduct.pick({ name: true, img: true, description: true }).shape,
})
export type NewProductFormInput = z.input<typeof newProductFormSchema>
export type ProductChangesFormInput = z.input<typeof productChangesFormSchema>

/**
 * The form for changes of a product. `available_quantity_seen` is stored with the draft, so that a quantity typed earlier does not revert
 * sales made before it is submitted.
 */
export const toChangesFormInput = (product: ProductDetails): ProductChangesFormInput => ({
  price: formatPlainCents(amountToCents(product.price)),
  minimum_order_quantity: `${product.minimum_order_quantity}`,
  available_quantity: `${product.available_quantity}`,
  available_quantity_seen: product.available_quantity,
  order_multiple: `${product.order_multiple}`,
  price_breaks: formatPriceBreaks(product.price_breaks, '\n'),
  ...{ name: product.name, description: product.description, img: product.img },
  ...{ brand: product.brand ?? '', mpn: product.mpn ?? '', category: product.category ?? '' },
})

const changedTexts = ['name', 'description', 'img', 'brand', 'mpn', 'category'] as const

/** The changes as the call takes them, without texts that are as they were: what somebody else has changed in these meanwhile stays. */
export function toProductChanges(formOutput: z.output<typeof productChangesFormSchema>, product: ProductDetails) {
  const { name, description, img, brand, mpn, category, ...figures } = formOutput
  const texts = { name, description, img, brand, mpn, category }
  const before = toChangesFormInput(product)
  const changed = changedTexts.filter((key) => texts[key] !== before[key])
  return { ...figures, ...(changed.length > 0 && { details: Object.fromEntries(changed.map((key) => [key, texts[key]])) }) }
}

/** The figures of a product form that are valid; the others are undefined. */
export const validFigures = (formInput: Pick<ProductChangesFormInput, keyof typeof figureSchemas>) => ({
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
  sku: 'SKU',
  brand: 'Brand',
  mpn: 'Part number',
  category: 'Category',
} as const

/** What a field of a product form gets from its form. */
export type RegisteredField = UseFormRegisterReturn & { id: string; error: string | undefined }

const formField = <Name extends keyof typeof productFormLabels>(name: Name) => ({ name, label: productFormLabels[name] })
const figureFormFields = [
  formField('price'),
  formField('minimum_order_quantity'),
  formField('available_quantity'),
  formField('order_multiple'),
  formField('price_breaks'),
]
const identifyingFormFields = [formField('brand'), formField('mpn'), formField('category')]
/** The fields of the form for a new product, and of that for changes, from top to bottom. */
export const productFormFields = [
  ...[formField('name'), formField('img'), formField('description')],
  ...figureFormFields,
  formField('sku'),
  ...identifyingFormFields,
]
export const newTextLabels = { name: 'New name', description: 'New description', img: 'Picture' } as const
export const productChangesFormFields = [
  ...figureFormFields,
  ...(['name', 'description', 'img'] as const).map((name) => ({ name, label: newTextLabels[name] })),
  ...identifyingFormFields,
]
