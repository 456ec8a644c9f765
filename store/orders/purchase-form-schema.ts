import * as z from 'zod'
import { wholeNumberSchema } from '#shared/whole-number.ts'
import { type QuantityTerms, quantityRequiredMessage, settleQuantity } from '#store/catalogue/settle-quantity.ts'
import { deliveryAddress, phoneNumber } from './contract.ts'

/** The quantities that can be ordered of a product, with the form's error messages. */
export const orderQuantitySchema = (product: QuantityTerms) =>
  wholeNumberSchema(quantityRequiredMessage, (number) =>
    number.superRefine((quantity, { addIssue }) => {
      const [problem] = settleQuantity(product, quantity).problems
      if (problem) addIssue(problem.message)
    }),
  )

/** The purchase form. The screen validates with it while the buyer types; the server checks the quantity again with the current stock. */
export const purchaseFormSchema = (product: QuantityTerms) =>
  z.object({ address: deliveryAddress, phone_number: phoneNumber, quantity: orderQuantitySchema(product) })
