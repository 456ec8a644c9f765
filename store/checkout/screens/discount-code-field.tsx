import type { CheckoutEstimate } from '#store/checkout/contract.ts'
import { Button } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { appliedCodeText } from './applied-code.ts'
import type { CheckoutFormHandle } from './checkout-fields.ts'

type DiscountCodeFieldProps = {
  form: CheckoutFormHandle
  /** the code that the estimate was asked with */
  applied: string
  /** why it cannot be used */
  refusal: string | undefined
  estimate: CheckoutEstimate | undefined
  /** @param options `isPressed`: by its button or Enter, not by leaving the field */
  onApply: (code: string, options: { isPressed: boolean }) => void
}

/** A code is asked for once it is typed, not at each key: codes that cannot be used are counted. */
export function DiscountCodeField({ form, applied, refusal, estimate, onApply }: DiscountCodeFieldProps) {
  const { name, ref, onChange, onBlur } = form.register('discountCode')
  const apply = (isPressed: boolean) => onApply(form.getValues('discountCode').trim(), { isPressed })
  const problem = refusal ?? form.formState.errors.discountCode?.message
  const isKnown = applied !== '' && refusal === undefined
  return (
    <div className="max-w-md">
      <Field
        {...{ name, ref }}
        label="Discount code"
        optional
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        className="figures"
        error={problem && `${problem}. Correct it, or take it out to order without it.`}
        hint={isKnown ? appliedCodeText(applied, estimate) : undefined}
        onChange={async (event) => {
          await onChange(event)
          if (form.getValues('discountCode').trim() === '') onApply('', { isPressed: false }) // there is no more to ask, nor to say
        }}
        onBlur={async (event) => {
          await onBlur(event)
          apply(false)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault() // it would order
          apply(true)
        }}
      >
        <Button variant="quiet" onClick={() => apply(true)} className="shrink-0">
          Apply
        </Button>
      </Field>
    </div>
  )
}
