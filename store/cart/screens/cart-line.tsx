import { type SyntheticEvent, useId, useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import type { CartLine } from '#store/cart/contract.ts'
import { BrandAndPartNumber } from '#store/catalogue/screens/brand-and-part-number.tsx'
import { CheaperQuantity } from '#store/catalogue/screens/cheaper-quantity.tsx'
import { ProductImage } from '#store/catalogue/screens/product-image.tsx'
import { Button } from '#web/button.tsx'
import { Icon } from '#web/icon.tsx'
import { Link } from '#web/link.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { useHydrated } from '#web/use-hydrated.ts'

type CartLineItemProps = {
  line: CartLine
  /** why the last change of this line was refused */
  refusal: string | undefined
  busy: boolean
  onChange: (quantity: number) => void
  onRemove: () => void
}

/** A line of the basket. Its quantity is changed by leaving the field or pressing Enter; without a script by a button. */
export function CartLineItem({ line, refusal: refused, busy, onChange, onRemove }: CartLineItemProps) {
  const { productId, productName, brand, mpn, sku, img, totalCents, notices, cheaper } = line
  const [problem, setProblem] = useState<string>()
  const refusal = problem ?? (refused && `${refused} (${formatNumber(line.quantity)} in the basket)`)
  const isForSale = !notices.some(({ code }) => code === 'not_for_sale')
  return (
    <li className="flex flex-col gap-3 border-b border-line py-4 first:border-t">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-64 gap-4">
          <ProductImage
            product={{ name: productName, img }}
            drawing="size=small"
            className="aspect-square size-16 self-start max-[24rem]:hidden sm:size-20"
          />
          <div className="min-w-0 flex-1">
            <h2 className="font-semibold text-pretty">
              {isForSale ? (
                <Link to={`/products/${productId}`} className="underline decoration-edge underline-offset-2 hover:text-leaf">
                  {productName}
                </Link>
              ) : (
                productName
              )}
            </h2>
            <BrandAndPartNumber product={{ brand, mpn, sku }} className="text-sm" />
            <UnitPrice line={line} />
          </div>
        </div>
        <div className="flex flex-wrap items-end gap-x-4 gap-y-2 max-sm:w-full">
          {isForSale && <QuantityForm key={line.quantity} {...{ line, refusal, busy, onChange }} onProblem={setProblem} />}
          <RemoveForm line={line} busy={busy} onRemove={onRemove} />
          {isForSale && (
            <p className="min-w-24 pb-2 text-right text-lg font-semibold max-sm:ml-auto">
              <MoneyAmount amountCents={totalCents} />
            </p>
          )}
        </div>
      </div>
      {(notices.length > 0 || refusal) && <LineNotices line={line} refusal={refusal} onTake={onChange} />}
      {cheaper && <CheaperQuantity cheaper={cheaper} onTake={() => onChange(cheaper.quantity)} />}
    </li>
  )
}

const UnitPrice = ({ line: { unitPriceCents, listPriceCents } }: { line: CartLine }) => (
  <p className="text-sm">
    <MoneyAmount amountCents={unitPriceCents} /> each
    {unitPriceCents < listPriceCents && (
      <>
        {' '}
        <s className="text-soft">
          <span className="sr-only">list price </span>
          <MoneyAmount amountCents={listPriceCents} />
        </s>
      </>
    )}
  </p>
)

/** What changed, what keeps the line from being ordered, and the nearest quantity that can be. */
function LineNotices({ line, refusal, onTake }: { line: CartLine; refusal: string | undefined; onTake: (quantity: number) => void }) {
  const { orderableQuantity: nearest, productId, quantity } = line
  return (
    <div className="flex flex-col items-start gap-2">
      <ul role="status" className="flex flex-col gap-1 text-sm font-medium">
        {line.notices.map(({ code, message, isBlocking }) => (
          <li key={code} className={`flex items-start gap-1.5 ${isBlocking ? 'text-bad' : 'text-warn'}`}>
            <Icon name={isBlocking ? 'error' : 'info'} className="size-5" />
            {message}
          </li>
        ))}
        {refusal && (
          <li className="flex items-start gap-1.5 text-bad">
            <Icon name="error" className="size-5" />
            {refusal}
          </li>
        )}
      </ul>
      {nearest !== null && nearest !== quantity && (
        <form
          method="post"
          action="/cart/change"
          onSubmit={(event) => {
            event.preventDefault()
            onTake(nearest)
          }}
        >
          <input type="hidden" name="productId" value={productId} />
          <Button type="submit" name="quantity" value={nearest} variant="offer" dense>
            Take {formatNumber(nearest)}
          </Button>
        </form>
      )}
    </div>
  )
}

type QuantityFormProps = Omit<CartLineItemProps, 'onRemove'> & {
  /** what is wrong with what was typed */
  onProblem: (problem: string | undefined) => void
}

function QuantityForm({ line, refusal, busy, onChange, onProblem }: QuantityFormProps) {
  const [typed, type] = useState(`${line.quantity}`)
  const id = useId()
  const step = line.orderMultiple

  /** @param text of the field itself: what was typed while the page's script took over is not in the state yet */
  function settle(text: string) {
    const quantity = parseWholeNumber(text)
    if (Number.isNaN(quantity) || quantity < 1) {
      type(`${line.quantity}`)
      return onProblem(`Enter a whole number of pieces: it stays at ${formatNumber(line.quantity)}`)
    }
    onProblem(undefined)
    if (quantity !== line.quantity || refusal) onChange(quantity) // what is refused no more is said no more
  }
  function submit(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault()
    settle(`${new FormData(event.currentTarget).get('quantity')}`)
  }
  const stepTo = (to: number) => {
    type(`${to}`)
    onChange(to)
  }

  return (
    <form method="post" action="/cart/change" onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <input type="hidden" name="productId" value={line.productId} />
      <div className="flex flex-col gap-1">
        <label htmlFor={id} className="text-sm font-medium">
          Quantity<span className="sr-only">, {line.productName}</span>
        </label>
        <div className="flex gap-1">
          <StepButton
            label="Fewer"
            icon="minus"
            line={line}
            disabled={busy || line.quantity - step < Math.min(line.minimumOrderQuantity, line.quantity)}
            onPress={() => stepTo(line.quantity - step)}
          />
          <input
            id={id}
            name="quantity"
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={({ target }) => type(target.value)}
            onBlur={({ target, relatedTarget }) => !isRemoving(relatedTarget) && settle(target.value)}
            aria-invalid={refusal !== undefined || undefined}
            className="figures block min-h-11 w-20 rounded border border-edge bg-panel px-3 py-2 text-right text-base hover:border-ink"
          />
          <StepButton label="More" icon="plus" line={line} disabled={busy} onPress={() => stepTo(line.quantity + step)} />
        </div>
      </div>
      <ChangeWithoutScript />
    </form>
  )
}

const ChangeWithoutScript = () =>
  !useHydrated() && (
    <Button type="submit" variant="quiet">
      Change
    </Button>
  )

/** What is typed into a field whose line goes is not looked at. */
const isRemoving = (pressed: EventTarget | null) => pressed instanceof HTMLButtonElement && pressed.name === 'remove'

type StepButtonProps = { label: string; icon: 'minus' | 'plus'; line: CartLine; disabled: boolean; onPress: () => void }

const StepButton = ({ label, icon, line, disabled, onPress }: StepButtonProps) => (
  <Button variant="quiet" disabled={disabled} onClick={onPress} aria-label={`${label}, ${line.productName}`} className="needs-script px-3!">
    <Icon name={icon} />
  </Button>
)

/** A form of its own: Enter in the quantity field presses the first button of its form. */
function RemoveForm({ line, busy, onRemove }: Pick<CartLineItemProps, 'line' | 'busy' | 'onRemove'>) {
  return (
    <form
      method="post"
      action="/cart/change"
      onSubmit={(event) => {
        event.preventDefault()
        onRemove()
      }}
    >
      <input type="hidden" name="productId" value={line.productId} />
      <Button type="submit" name="remove" value="1" variant="quiet" busy={busy} aria-label={`Remove, ${line.productName}`}>
        Remove
      </Button>
    </form>
  )
}
