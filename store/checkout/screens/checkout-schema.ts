import * as z from 'zod'
import { CheckoutBody } from '#store/checkout/contract.ts'
import { type CheckoutForm, toCheckoutBody } from './checkout-form.ts'

/** Checks what is typed by the rules of the call. Loaded with the first press of a key. */
export const checkoutSchema = ({ isVisitor }: { isVisitor: boolean }): z.ZodType<CheckoutForm, CheckoutForm> =>
  z.custom<CheckoutForm>().superRefine((form, context) => {
    const { data: _, error } = CheckoutBody.safeParse(toCheckoutBody(form, { isVisitor }))
    for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path: [...path], message })
    if (isVisitor && form.email.trim() === '') context.addIssue({ code: 'custom', path: ['email'], message: 'Enter your e-mail' })
  }) as z.ZodType<CheckoutForm, CheckoutForm>
