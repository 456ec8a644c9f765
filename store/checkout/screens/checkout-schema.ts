import * as z from 'zod'
import { checkTyped } from '#store/checkout/check-typed.ts'
import type { CheckoutForm } from '#store/checkout/typed-checkout.ts'

/** Checks what is typed by the rules of the call. Loaded with the first press of a key. */
export const checkoutSchema = ({ isVisitor }: { isVisitor: boolean }): z.ZodType<CheckoutForm, CheckoutForm> =>
  z.custom<CheckoutForm>().superRefine((form, context) => {
    for (const { path, message } of checkTyped(form, { isVisitor }).issues) context.addIssue({ code: 'custom', path, message })
  }) as z.ZodType<CheckoutForm, CheckoutForm>
