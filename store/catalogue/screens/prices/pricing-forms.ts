import * as z from 'zod'
import { amountInputSchema } from '#shared/amount-schema.ts'
import { numberInputSchema } from '#shared/whole-number.ts'
import { NewBuyerPrice, NewDiscountCode } from '#store/catalogue/pricing/contract.ts'
import { NewCustomerGroup } from '#store/catalogue/pricing/customer-group-contract.ts'

/* The forms of the page Prices: what is typed is text. */

const invalidPercentMessage = 'Enter a whole number, like 10'

/** A field that may stay empty. */
const optionalInput = <Schema extends z.ZodType<unknown, string>>(schema: Schema) =>
  z
    .string()
    .transform((text) => (text.trim() === '' ? undefined : text))
    .pipe(schema.optional())

export const groupFormSchema = NewCustomerGroup.extend({
  percentOff: numberInputSchema(NewCustomerGroup.shape.percentOff, invalidPercentMessage),
})

export type GroupFormInput = z.input<typeof groupFormSchema>

export const buyerPriceFormSchema = NewBuyerPrice.safeExtend({
  price: amountInputSchema(NewBuyerPrice.shape.price),
  email: optionalInput(NewBuyerPrice.shape.email.unwrap()),
  groupId: optionalInput(NewBuyerPrice.shape.groupId.unwrap()),
})

export type BuyerPriceFormInput = z.input<typeof buyerPriceFormSchema>

const { percentOff, amountOff, minimum, startsOn, endsOn, maxUses } = NewDiscountCode.shape
export const codeFormSchema = NewDiscountCode.safeExtend({
  percentOff: optionalInput(numberInputSchema(percentOff.unwrap(), invalidPercentMessage)),
  amountOff: optionalInput(amountInputSchema(amountOff.unwrap())),
  minimum: optionalInput(amountInputSchema(minimum.unwrap())),
  startsOn: optionalInput(startsOn.unwrap()),
  endsOn: optionalInput(endsOn.unwrap()),
  maxUses: optionalInput(numberInputSchema(maxUses.unwrap(), 'Enter a whole number, like 100')),
})
export type CodeFormInput = z.input<typeof codeFormSchema>
