import type { UseFormReturn } from 'react-hook-form'
import type * as z from 'zod'
import { numberInputSchema } from '#shared/whole-number.ts'
import { type QuantityTerms, quantityRequiredMessage } from '#store/catalogue/settle-quantity.ts'
import { orderQuantitySchema, purchaseFormSchema } from '#store/orders/contract.ts'

/** The purchase form before parsing: the quantity is text, such as " 25 " or "1,250". */
export const purchaseFormInputSchema = (product: QuantityTerms) =>
  purchaseFormSchema(product).extend({ quantity: numberInputSchema(orderQuantitySchema(product), quantityRequiredMessage) })

export type PurchaseFormInput = z.input<ReturnType<typeof purchaseFormInputSchema>>
export type PurchaseForm = UseFormReturn<PurchaseFormInput, unknown, z.output<ReturnType<typeof purchaseFormInputSchema>>>
