import { type FieldPath, get, type UseFormRegisterReturn, type UseFormReturn } from 'react-hook-form'
import type { CheckoutFormState } from '#store/checkout/contract.ts'
import type { CheckoutForm } from '#store/checkout/typed-checkout.ts'

export type CheckoutFormHandle = UseFormReturn<CheckoutForm, unknown, CheckoutForm>
export type CheckoutFieldName = FieldPath<CheckoutForm>

/** The fields of the checkout, so that the same ones stand in the form of the browser and in the one that works without a script. */
export type CheckoutFields = {
  propsOf: (name: CheckoutFieldName) => UseFormRegisterReturn | { id: string; name: string; defaultValue: string }
  errorOf: (name: CheckoutFieldName) => string | undefined
}

export const fieldsOfForm = ({ register, clearErrors, formState: { errors } }: CheckoutFormHandle): CheckoutFields => ({
  propsOf(name) {
    const address = name === 'deliverTo.country' ? 'deliverTo' : name === 'billTo.country' ? 'billTo' : undefined
    // What was wrong by the rules of one country may be right by those of another.
    return register(name, address && { onChange: () => clearErrors([`${address}.postalCode`, `${address}.state`]) })
  },
  errorOf(name) {
    const error: { message?: string } | undefined = get(errors, name)
    return error?.message
  },
})

/** As the server has kept them. */
export const fieldsOfState = ({ typed, refusal }: Pick<CheckoutFormState, 'typed' | 'refusal'>): CheckoutFields => ({
  propsOf: (name) => ({ id: name, name, defaultValue: textAt(typed, name) }),
  errorOf: (name) => refusal?.errors[name],
})

function textAt(typed: CheckoutForm, name: string): string {
  let value: unknown = typed
  for (const key of name.split('.')) value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return typeof value === 'string' ? value : ''
}
