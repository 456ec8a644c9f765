import { useWatch } from 'react-hook-form'
import type { Tool } from '#store/catalogue/contract.ts'
import { inFigures } from '#store/in-figures.ts'
import { typedWholeNumber } from '#store/typed-whole-number.ts'
import { Button } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { Icon } from '#web/icon.tsx'
import { useSettled } from '#web/settled.ts'
import { type PurchaseForm, quantityTrouble } from './purchase-form.ts'

export type Wanted = ReturnType<typeof useQuantity>

/** What is typed as quantity. Too many is said at once: more digits cannot cure it. Too few waits, since "2" may become "25". */
export function useQuantity(tool: Tool, form: PurchaseForm) {
  const text = useWatch({ control: form.control, name: 'quantity' })
  const [settledText, settle] = useSettled(text)
  const settled = settledText === text
  const quantity = typedWholeNumber(text)
  const trouble = quantityTrouble(tool, quantity)
  const said = settled || quantity > tool.available_quantity
  return {
    /** NaN when it is no whole number */
    quantity,
    /** why it cannot be ordered */
    trouble,
    /** the trouble, once it is time to say it */
    toldTrouble: said ? trouble : undefined,
    /** typing has paused, or the field was left */
    settled,
    settle,
  }
}

/** A quantity to type, with a step up and down. */
export function Quantity({ tool, form, wanted }: { tool: Tool; form: PurchaseForm; wanted: Wanted }) {
  const { minimum_order_quantity: min, available_quantity: available } = tool
  const { quantity } = wanted

  const step = (by: number) => {
    const from = Number.isNaN(quantity) ? min : quantity
    form.setValue('quantity', String(Math.min(Math.max(from + by, min), available)))
  }

  return (
    <div className="sm:max-w-72">
      <Field
        label="Quantity"
        inputMode="numeric"
        autoComplete="off"
        required
        hint={`${inFigures(min)} to ${inFigures(available)} pieces`}
        error={wanted.toldTrouble}
        className="figures text-right"
        {...form.register('quantity', { onBlur: wanted.settle })}
      >
        <Button look="quiet" aria-label="One fewer" disabled={quantity <= min} onClick={() => step(-1)}>
          <Icon name="minus" />
        </Button>
        <Button look="quiet" aria-label="One more" disabled={quantity >= available} onClick={() => step(1)}>
          <Icon name="plus" />
        </Button>
      </Field>
    </div>
  )
}
