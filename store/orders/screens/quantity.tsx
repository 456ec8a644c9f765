import { useWatch } from 'react-hook-form'
import type { Tool } from '#store/catalogue/contract.ts'
import { typedWholeNumber } from '#store/whole-number.ts'
import { Button } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { Icon } from '#web/icon.tsx'
import { useRested } from '#web/rested.ts'
import { type PurchaseForm, quantityTrouble } from './purchase-form.ts'

/** A quantity to type, with a step up and down. Too many is said at once: more digits cannot cure it. Too few waits, since "2" may become "25". */
export function Quantity({ tool, form }: { tool: Tool; form: PurchaseForm }) {
  const { minimum_order_quantity: min, available_quantity: available } = tool
  const text = useWatch({ control: form.control, name: 'quantity' })
  const quantity = typedWholeNumber(text)
  const trouble = quantityTrouble(tool, quantity)
  const rested = useRested(text)

  const step = (by: number) => {
    const from = Number.isNaN(quantity) ? min : quantity
    form.setValue('quantity', String(Math.min(Math.max(from + by, min), available)), { shouldDirty: true, shouldValidate: true })
  }

  return (
    <Field
      label="Quantity"
      inputMode="numeric"
      autoComplete="off"
      required
      hint={`${min} to ${available} pieces`}
      error={quantity > available || rested || form.formState.isSubmitted ? trouble : undefined}
      className="figures text-right"
      {...form.register('quantity')}
    >
      <Button look="quiet" aria-label="One fewer" disabled={quantity <= min} onClick={() => step(-1)}>
        <Icon name="minus" />
      </Button>
      <Button look="quiet" aria-label="One more" disabled={quantity >= available} onClick={() => step(1)}>
        <Icon name="plus" />
      </Button>
    </Field>
  )
}
