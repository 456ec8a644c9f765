import { useWatch } from 'react-hook-form'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import type { ProductDetails } from '#store/catalogue/contract.ts'
import { withArrival } from '#store/catalogue/incoming-stock.ts'
import { orderableQuantityHint } from '#store/catalogue/screens/orderable-hint.ts'
import { type QuantityTerms, settleQuantity } from '#store/catalogue/settle-quantity.ts'
import { Button } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { Icon } from '#web/icon.tsx'
import { useDebouncedText } from '#web/use-debounced-text.ts'
import type { PurchaseForm } from './purchase-form.ts'

export type QuantityState = ReturnType<typeof useQuantity>

/** The typed quantity. Too many is shown at once, since more digits cannot fix it. Too few is shown after a pause: "2" may become "25". */
export function useQuantity(product: ProductDetails, form: PurchaseForm) {
  const text = useWatch({ control: form.control, name: 'quantity' })
  const [settledText, settle] = useDebouncedText(text)
  const isSettled = settledText === text
  const quantity = parseWholeNumber(text)
  const settledQuantity = settleQuantity(product, quantity)
  const [problem] = settledQuantity.problems
  const error = problem?.code === 'stock_too_low' ? withArrival(problem.message, product) : problem?.message
  const isShown = isSettled || quantity > product.available_quantity
  return {
    /** NaN when it is not a whole number */
    quantity,
    settledQuantity,
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
  const { order_multiple: multiple } = product
  const { quantity, settledQuantity } = quantityState
  const { lowest, highest } = settledQuantity.orderable ?? { lowest: 0, highest: 0 }
  const [fewer, more] = multiple === 1 ? ['One fewer', 'One more'] : ['One pack fewer', 'One pack more']

  /** @param packs how many whole packs: what was typed may be between two */
  const step = (packs: number) => form.setValue('quantity', `${settleQuantity(product, packs * multiple).quantity ?? lowest}`)
  const oneFewer = () => step(Math.ceil(quantity / multiple) - 1)
  const oneMore = () => step(Math.floor(quantity / multiple) + 1)

  return (
    <div className="sm:max-w-72">
      <Field
        label="Quantity"
        inputMode="numeric"
        autoComplete="off"
        required
        hint={orderableQuantityHint(product, settledQuantity)}
        error={quantityState.visibleError}
        className="figures text-right"
        {...form.register('quantity', { onBlur: quantityState.settle })}
      >
        <Button variant="quiet" aria-label={fewer} disabled={quantity <= lowest} onClick={oneFewer}>
          <Icon name="minus" />
        </Button>
        <Button variant="quiet" aria-label={more} disabled={quantity >= highest} onClick={oneMore}>
          <Icon name="plus" />
        </Button>
      </Field>
    </div>
  )
}
