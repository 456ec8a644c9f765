import { useWatch } from 'react-hook-form'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import { orderableHint } from '#store/catalogue/screens/orderable-hint.ts'
import { type QuantityTerms, settleQuantity } from '#store/catalogue/settle-quantity.ts'
import { Button } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { Icon } from '#web/icon.tsx'
import { useDebouncedText } from '#web/use-debounced-text.ts'
import type { PurchaseForm } from './purchase-form.ts'

export type QuantityState = ReturnType<typeof useQuantity>

/** The typed quantity. Too many is shown at once, since more digits cannot fix it. Too few is shown after a pause: "2" may become "25". */
export function useQuantity(product: QuantityTerms, form: PurchaseForm) {
  const text = useWatch({ control: form.control, name: 'quantity' })
  const [settledText, settle] = useDebouncedText(text)
  const isSettled = settledText === text
  const quantity = parseWholeNumber(text)
  const settled = settleQuantity(product, quantity)
  const error = settled.problems[0]?.message
  const isShown = isSettled || quantity > product.available_quantity
  return {
    /** NaN when it is not a whole number */
    quantity,
    settled,
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
export function QuantityField({
  product,
  form,
  quantityState,
}: {
  product: QuantityTerms
  form: PurchaseForm
  quantityState: QuantityState
}) {
  const { minimum_order_quantity: min, available_quantity: available, order_multiple: multiple } = product
  const { quantity } = quantityState
  const [fewer, more] = multiple === 1 ? ['One fewer', 'One more'] : ['One pack fewer', 'One pack more']

  const step = (by: number) => {
    const from = Number.isNaN(quantity) ? min - by : quantity
    form.setValue('quantity', String(settleQuantity(product, from + by).quantity ?? min))
  }

  return (
    <div className="sm:max-w-72">
      <Field
        label="Quantity"
        inputMode="numeric"
        autoComplete="off"
        required
        hint={orderableHint(product)}
        error={quantityState.visibleError}
        className="figures text-right"
        {...form.register('quantity', { onBlur: quantityState.settle })}
      >
        <Button variant="quiet" aria-label={fewer} disabled={quantity <= min} onClick={() => step(-multiple)}>
          <Icon name="minus" />
        </Button>
        <Button variant="quiet" aria-label={more} disabled={quantity + multiple > available} onClick={() => step(multiple)}>
          <Icon name="plus" />
        </Button>
      </Field>
    </div>
  )
}
