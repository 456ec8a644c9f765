import type { UseFormReturn } from 'react-hook-form'
import * as z from 'zod'
import { numberInputSchema } from '#shared/whole-number.ts'
import { discountCode } from '#store/catalogue/pricing/contract.ts'
import { type QuantityTerms, quantityRequiredMessage } from '#store/catalogue/settle-quantity.ts'
import { orderQuantitySchema, purchaseFormSchema } from '#store/orders/purchase-form-schema.ts'

/** The purchase form before parsing: the quantity is text, such as " 25 " or "1,250", and the discount code may be empty. */
export const purchaseFormInputSchema = (product: QuantityTerms) =>
  purchaseFormSchema(product).extend({
    quantity: numberInputSchema(orderQuantitySchema(product), quantityRequiredMessage),
    discountCode: z
      .string()
      .transform((typed) => typed.trim() || undefined)
      .pipe(discountCode.optional()),
  })

export type PurchaseFormInput = z.input<ReturnType<typeof purchaseFormInputSchema>>
export type PurchaseForm = UseFormReturn<PurchaseFormInput, unknown, z.output<ReturnType<typeof purchaseFormInputSchema>>>
