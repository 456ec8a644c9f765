import { type FormEvent, useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import { addToCartUrl, useAddToCart } from '#web/add-to-cart.ts'
import { Button } from '#web/button.tsx'
import { toast } from '#web/toast.tsx'

type AddPiecesFormProps = { product: { _id: string; name: string }; quantity: number }

/** Puts as many pieces of a product into the basket as are typed, in rows. A form of its own, so that it works without a script. */
export function AddPiecesForm({ product: { _id, name }, quantity }: AddPiecesFormProps) {
  const add = useAddToCart()
  const [typed, type] = useState(quantity)
  const [busy, setBusy] = useState(false)

  async function put(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const pieces = parseWholeNumber(`${new FormData(event.currentTarget).get('quantity')}`)
    if (!Number.isFinite(pieces)) return toast('Enter a whole number of pieces', { kind: 'error' })
    setBusy(true)
    try {
      const { message, isRefused } = await add({ productId: _id, quantity: pieces, name })
      toast(message, { kind: isRefused ? 'error' : 'success' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <form method="post" action={addToCartUrl} onSubmit={put} className="flex gap-1 print:hidden">
      <input type="hidden" name="productId" value={_id} />
      <input
        name="quantity"
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        aria-label={`Quantity, ${name}`}
        defaultValue={quantity} // what is typed before hydration stays
        onChange={({ target }) => type(parseWholeNumber(target.value))}
        className="figures min-h-11 w-16 min-w-0 rounded border border-edge bg-panel px-2 text-right text-ink hover:border-ink pointer-fine:min-h-8 pointer-fine:w-13"
      />
      <Button
        type="submit"
        dense
        variant="offer"
        busy={busy}
        aria-label={`Add ${Number.isFinite(typed) ? `${formatNumber(typed)} ` : ''}to the basket, ${name}`}
      >
        Add
      </Button>
    </form>
  )
}
