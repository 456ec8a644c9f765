import { type MouseEvent, useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { addToCartFormId, useAddToCart } from '#web/add-to-cart.ts'
import { Button } from '#web/button.tsx'
import { toast } from '#web/toast.tsx'

type AddToCartButtonProps = {
  product: { _id: string; name: string; minimum_order_quantity: number }
  className?: string
}

/** Puts the smallest order of a product into the basket, in lists. */
export function AddToCartButton({ product: { _id, name, minimum_order_quantity: quantity }, className }: AddToCartButtonProps) {
  const add = useAddToCart()
  const [busy, setBusy] = useState(false)

  async function put(event: MouseEvent) {
    event.preventDefault() // without a script the form is sent
    setBusy(true)
    try {
      const { message, isRefused } = await add({ productId: _id, quantity, name })
      toast(message, { kind: isRefused ? 'error' : 'success' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button
      type="submit"
      form={addToCartFormId}
      name="productId"
      value={_id}
      dense
      variant="quiet"
      busy={busy}
      onClick={put}
      aria-label={`Add ${formatNumber(quantity)} to the basket, ${name}`}
      className={className ?? ''}
    >
      Add {formatNumber(quantity)}
    </Button>
  )
}
