import { type SyntheticEvent, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { formatPieces } from '#shared/format-pieces.ts'
import { formatCents } from '#shared/money.ts'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import { sellsByBasketOnly } from '#shared/sale-terms.ts'
import { type QuantityProblem, type QuantityTerms, settleQuantity } from '#store/catalogue/settle-quantity.ts'
import { addToCartUrl, useAddToCart } from '#web/add-to-cart.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { Icon } from '#web/icon.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { useSaleTerms } from '#web/sale-terms.ts'
import { TextLink } from '#web/text-link.tsx'
import { useDebouncedText } from '#web/use-debounced-text.ts'
import { CheaperQuantity } from './cheaper-quantity.tsx'
import { orderableQuantityHint } from './orderable-hint.ts'

/**
 * Quantity field with the resulting price: updated while typing, or on submit without JavaScript. The quantity is passed on to the order
 * page, or to the basket in a shop that sells by it; one that cannot be ordered is not passed on silently, but leads back to the field. Its error takes the place of the price, so that
 * leaving the field by pressing the button does not move the button away from the pointer.
 */
export function QuantityForm({ product, wanted }: { product: QuantityTerms & { _id: string; name: string }; wanted: string }) {
  const typedQuantity = useTypedQuantity(product, wanted)
  const { typed, type, settle, quantity, settledQuantity, trouble, shownError } = typedQuantity
  const { cheaper } = settledQuantity
  const errorId = useId()
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const isByBasket = sellsByBasketOnly(useSaleTerms())
  const purchase = `/purchase/${product._id}${trouble ? '' : `?quantity=${quantity}`}`

  function stayWhileInvalid(event: SyntheticEvent) {
    if (!trouble) return
    event.preventDefault()
    settle()
    field.current?.focus()
  }

  return (
    <form
      method="get"
      className="print:hidden"
      onSubmit={(event) => {
        stayWhileInvalid(event)
        if (event.defaultPrevented || isByBasket) return
        event.preventDefault() // Enter buys. Without JavaScript the form says what so many cost.
        navigate(purchase)
      }}
    >
      <Panel variant="raised" className="flex flex-col gap-3">
        <div className="flex items-start gap-x-4">
          <div className="w-24 shrink-0 min-[24rem]:w-32 sm:w-40">
            <Field
              label="Quantity"
              name="quantity"
              inputMode="numeric"
              autoComplete="off"
              hint={orderableQuantityHint(product, settledQuantity)}
              ref={field}
              aria-invalid={shownError !== undefined || undefined}
              aria-describedby={shownError && errorId}
              className="figures text-right"
              value={typed}
              onChange={({ target }) => type(target.value)}
              onBlur={settle}
            />
          </div>
          <QuantityCost {...typedQuantity} errorId={errorId} />
        </div>
        {cheaper && <CheaperQuantity cheaper={cheaper} onTake={() => type(`${cheaper.quantity}`)} />}
        <BuyButtons
          product={product}
          quantity={quantity}
          isByBasket={isByBasket}
          purchaseUrl={purchase}
          stayWhileInvalid={stayWhileInvalid}
        />
      </Panel>
    </form>
  )
}

/** What is typed as the quantity, and what settling it says. */
function useTypedQuantity(product: QuantityTerms, wanted: string) {
  const [typed, type] = useState(wanted || String(product.minimum_order_quantity))
  const [settled, settle] = useDebouncedText(typed)
  const isPaused = settled === typed
  const quantity = parseWholeNumber(typed)
  const settledQuantity = settleQuantity(product, quantity)
  const [problem] = settledQuantity.problems
  const trouble = problem && problemText(product, problem)
  // Too small a number may become valid with the next digit, so its error waits until typing has paused; too large a number cannot.
  const shownError = quantity > product.available_quantity || isPaused ? trouble : undefined
  return { typed, type, settle, isPaused, quantity, settledQuantity, trouble, shownError }
}

/** What the quantity costs, or why it cannot be ordered. */
function QuantityCost({
  quantity,
  settledQuantity: { unitPriceCents, totalCents },
  trouble,
  shownError,
  isPaused,
  errorId,
}: Omit<ReturnType<typeof useTypedQuantity>, 'typed' | 'type' | 'settle'> & { errorId: string }) {
  const each = `${formatNumber(quantity)} x ${formatCents(unitPriceCents)} =`
  return (
    <div className="flex min-h-11 min-w-0 flex-1 items-center self-start pt-7 text-lg">
      {shownError && (
        <p id={errorId} className="flex items-start gap-1.5 text-sm font-medium text-bad">
          <Icon name="error" className="size-5" />
          {shownError}
        </p>
      )}
      <p aria-hidden="true">
        {!trouble && (
          <>
            <span className="figures max-sm:text-sm">{each}</span> <MoneyAmount amountCents={totalCents} className="font-semibold" />
          </>
        )}
      </p>
      <p role="status" className="sr-only">
        {isPaused && !trouble && `${each} ${formatCents(totalCents)}`}
      </p>
    </div>
  )
}

type AddedToBasket = { message: string; isRefused: boolean }

type BuyButtonsProps = {
  product: { _id: string; name: string }
  quantity: number
  isByBasket: boolean
  purchaseUrl: string
  /** prevents the default of an event, and leads back to the field, where the quantity cannot be ordered */
  stayWhileInvalid: (event: SyntheticEvent) => void
}

function BuyButtons({ product, quantity, isByBasket, purchaseUrl, stayWhileInvalid }: BuyButtonsProps) {
  const add = useAddToCart()
  const [added, setAdded] = useState<AddedToBasket>()
  const [isAdding, setAdding] = useState(false)
  /** The form, sent so, leads to the basket. */
  const addsToBasket = { type: 'submit', formMethod: 'post', formAction: addToCartUrl, name: 'productId', value: product._id } as const

  async function putIntoBasket(event: SyntheticEvent) {
    stayWhileInvalid(event)
    if (event.defaultPrevented) return
    event.preventDefault() // without a script the form is sent
    setAdding(true)
    setAdded(undefined)
    try {
      setAdded(await add({ productId: product._id, quantity, name: product.name }))
    } finally {
      setAdding(false)
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
      {isByBasket ? (
        <Button {...addsToBasket} onClick={stayWhileInvalid} className="max-sm:w-full sm:min-w-40">
          Buy Now
        </Button>
      ) : (
        <>
          {/* the button that Enter presses: the form's own, not the basket's */}
          <input type="submit" value="Buy Now" hidden />
          <ButtonLink to={purchaseUrl} onClick={stayWhileInvalid} className="max-sm:w-full sm:min-w-40">
            Buy Now
          </ButtonLink>
        </>
      )}
      <Button {...addsToBasket} variant="offer" busy={isAdding} onClick={putIntoBasket} className="max-sm:w-full">
        Add to basket
      </Button>
      <noscript>
        <Button type="submit" variant="quiet">
          What do so many cost?
        </Button>
      </noscript>
      <AddedStatus added={added} />
      <p className="text-sm text-soft">
        <TextLink to="/help#delivery">Delivery</TextLink>, <TextLink to="/help#returns">returns</TextLink>,{' '}
        <TextLink to="/help#contact">questions</TextLink>
      </p>
    </div>
  )
}

function AddedStatus({ added }: { added: AddedToBasket | undefined }) {
  return (
    <p role="status" className={added ? `w-full font-medium ${added.isRefused ? 'text-bad' : 'text-good'}` : 'sr-only'}>
      {added?.message}{' '}
      {added && !added.isRefused && (
        <TextLink to="/cart" prefetch="none">
          To the basket
        </TextLink>
      )}
    </p>
  )
}

/** The product page says in few words what the order form says in those of the specification. */
function problemText(
  { minimum_order_quantity: min, available_quantity: available }: QuantityTerms,
  { code, message }: QuantityProblem,
): string {
  if (code === 'not_a_whole_number') return 'Type a whole number of pieces'
  if (code === 'stock_too_low') return `${formatPieces(available)} ${available === 1 ? 'is' : 'are'} left`
  if (code === 'below_minimum') return `The smallest order is ${formatPieces(min)}`
  return message
}
