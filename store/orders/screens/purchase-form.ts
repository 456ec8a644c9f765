import type { UseFormReturn } from 'react-hook-form'
import type * as z from 'zod'
import type { Tool } from '#store/catalogue/contract.ts'
import { noQuantity, purchaseForm, quantityFor } from '#store/orders/contract.ts'
import { typed } from '#store/whole-number.ts'

/** The purchase form as a person types it: the quantity is text, as " 25 " or "1,250". */
export const typedPurchaseForm = (tool: Tool) => purchaseForm(tool).extend({ quantity: typed(quantityFor(tool), noQuantity) })

export type Typed = z.input<ReturnType<typeof typedPurchaseForm>>
export type PurchaseForm = UseFormReturn<Typed, unknown, z.output<ReturnType<typeof typedPurchaseForm>>>

/** What is wrong with this quantity, in the words of the form; undefined when it can be ordered. */
export const quantityTrouble = (tool: Tool, quantity: number): string | undefined =>
  quantityFor(tool).safeParse(quantity).error?.issues[0]?.message
