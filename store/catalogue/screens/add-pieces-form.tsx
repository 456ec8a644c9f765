import { type FormEvent, useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { addToCartUrl, useAddToCart } from '#web/add-to-cart.ts'
import { Button } from '#web/button.tsx'
import { toast } from '#web/toast.tsx'

type AddPiecesFormProps = { product: { _id: string; name: string }; quantity: number }

/** Puts as many pieces of a product into the basket as are typed, in rows. A form of its own, so that it works without a script. */
export function AddPiecesForm({ product: { _id, name }, quantity }: AddPiecesFormProps) {
  const add = useAddToCart()
  const [typed, type] = useState(formatNumber(quantity))
  const [busy, setBusy] = useState(false)

  async function put(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const text = `${new FormData(event.currentTarget).get('quantity')}`
    const { parseWholeNumber } = await import('#shared/parse-whole-number.ts') // in one file with the rules of quantities, for a press alone
    const pieces = parseWholeNumber(text)
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
        maxLength={9}
        autoComplete="off"
        aria-label={`Quantity, ${name}`}
        defaultValue={quantity} // what is typed before hydration stays
        onChange={({ target }) => type(target.value)}
        className="figures min-h-11 w-16 min-w-0 rounded border border-edge bg-panel px-2 text-right pointer-fine:min-h-8 pointer-fine:w-13"
      />
      <Button type="submit" dense variant="offer" busy={busy} aria-label={`Add ${typed} to the basket, ${name}`}>
        Add
      </Button>
    </form>
  )
}
