import type { z } from 'zod'
import { CheckoutBody } from './contract.ts'
import { type CheckoutForm, toCheckoutBody } from './typed-checkout.ts'

type CheckedCheckout = {
  /** undefined where something is wrong */
  body: z.output<typeof CheckoutBody> | undefined
  issues: { path: (string | number)[]; message: string }[]
}

/**
 * Checks what is typed at the checkout by the rules of the call, in the browser and on the server.
 * @param isVisitor an e-mail is asked for: that of an account is its own
 */
export function checkTyped(form: CheckoutForm, { isVisitor }: { isVisitor: boolean }): CheckedCheckout {
  const { data, error } = CheckoutBody.safeParse(toCheckoutBody(form, { isVisitor }))
  const issues = (error?.issues ?? []).map(({ path, message }) => ({
    path: path.map((key) => (typeof key === 'symbol' ? '' : key)),
    message,
  }))
  return { body: data, issues }
}
