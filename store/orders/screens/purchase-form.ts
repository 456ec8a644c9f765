import type { UseFormReturn } from 'react-hook-form'
import type * as z from 'zod'
import { numberInputSchema } from '#shared/whole-number.ts'
import type { Product } from '#store/catalogue/contract.ts'
import { orderQuantitySchema, purchaseFormSchema } from '#store/orders/contract.ts'
import { quantityRequiredMessage } from '#store/orders/order-fields.ts'

/** The purchase form before parsing: the quantity is text, such as " 25 " or "1,250". */
export const purchaseFormInputSchema = (tool: Product) =>
  purchaseFormSchema(tool).extend({ quantity: numberInputSchema(orderQuantitySchema(tool), quantityRequiredMessage) })

export type PurchaseFormInput = z.input<ReturnType<typeof purchaseFormInputSchema>>
export type PurchaseForm = UseFormReturn<PurchaseFormInput, unknown, z.output<ReturnType<typeof purchaseFormInputSchema>>>

/** The form's error message for this quantity; undefined when it can be ordered. */
export const quantityError = (tool: Product, quantity: number): string | undefined =>
  orderQuantitySchema(tool).safeParse(quantity).error?.issues[0]?.message
