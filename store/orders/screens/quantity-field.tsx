import { useWatch } from 'react-hook-form'
import { formatNumber } from '#shared/format-number.ts'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import type { Product } from '#store/catalogue/contract.ts'
import { Button } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { Icon } from '#web/icon.tsx'
import { useDebouncedText } from '#web/use-debounced-text.ts'
import { type PurchaseForm, quantityError } from './purchase-form.ts'

export type QuantityState = ReturnType<typeof useQuantity>

/** The typed quantity. Too many is shown at once, since more digits cannot fix it. Too few is shown after a pause: "2" may become "25". */
export function useQuantity(tool: Product, form: PurchaseForm) {
  const text = useWatch({ control: form.control, name: 'quantity' })
  const [settledText, settle] = useDebouncedText(text)
  const isSettled = settledText === text
  const quantity = parseWholeNumber(text)
  const error = quantityError(tool, quantity)
  const isShown = isSettled || quantity > tool.available_quantity
  return {
    /** NaN when it is not a whole number */
    quantity,
    /** why it cannot be ordered */
    error,
    /** the error, once it is to be shown */
    visibleError: isShown ? error : undefined,
    /** typing has paused, or the field was left */
    isSettled,
    settle,
  }
}

/** A text field for the quantity, with buttons for one more and one fewer. */
export function QuantityField({ product, form, quantityState }: { product: Product; form: PurchaseForm; quantityState: QuantityState }) {
  const { minimum_order_quantity: min, available_quantity: available } = product
  const { quantity } = quantityState

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
        hint={`${formatNumber(min)} to ${formatNumber(available)} pieces`}
        error={quantityState.visibleError}
        className="figures text-right"
        {...form.register('quantity', { onBlur: quantityState.settle })}
      >
        <Button variant="quiet" aria-label="One fewer" disabled={quantity <= min} onClick={() => step(-1)}>
          <Icon name="minus" />
        </Button>
        <Button variant="quiet" aria-label="One more" disabled={quantity >= available} onClick={() => step(1)}>
          <Icon name="plus" />
        </Button>
      </Field>
    </div>
  )
}
