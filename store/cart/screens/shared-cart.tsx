import { useState } from 'react'
import { data, useNavigate } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { addSharedCart, type CartLine, type PastedLine, showSharedCart } from '#store/cart/contract.ts'
import { applyVisitorToNavigation } from '#web/account.ts'
import { apiCallerContext } from '#web/api-caller.ts'
import { ApiError } from '#web/api-error.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { EmptyState } from '#web/empty-state.tsx'
import { Link } from '#web/link.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { useSubmit } from '#web/use-submit.ts'
import type { Route } from './+types/shared-cart'
import { callCart } from './call-cart.ts'
import { CartSummary } from './cart-summary.tsx'
import { NotAddedList } from './not-added-list.tsx'

export async function loader({ params, context }: Route.LoaderArgs) {
  try {
    return { cart: await context.get(apiCallerContext)(showSharedCart, { params: { token: params.id } }) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    return data({ cart: null }, { status: 404 })
  }
}

export const meta: Route.MetaFunction = () => [{ title: 'A shared basket | Nucleus of PC' }, { name: 'robots', content: 'noindex' }]

export default function SharedCart({ loaderData: { cart }, params: { id: token } }: Route.ComponentProps) {
  if (!cart) return <BasketGonePage />
  return (
    <Page wide title="A shared basket" lead="Somebody has sent you these parts. Prices are those of the catalogue, of this moment.">
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <ul aria-label="Lines of the basket">
          {cart.lines.map((line) => (
            <SharedLine key={line.productId} line={line} />
          ))}
        </ul>
        <div className="flex flex-col gap-4">
          <PutIntoBasket token={token} />
          <CartSummary cart={cart} />
        </div>
      </div>
    </Page>
  )
}

function BasketGonePage() {
  return (
    <Page title="This basket is gone">
      <EmptyState
        illustration="nothing-found"
        title="There is nothing at this link"
        actions={
          <ButtonLink to="/cart" prefetch="none">
            To your basket
          </ButtonLink>
        }
      >
        Links to baskets end after 90 days. Ask whoever sent it for a new one.
      </EmptyState>
    </Page>
  )
}

/** The button that puts all of a shared basket into the visitor's own, and what of it could not be put there. */
function PutIntoBasket({ token }: { token: string }) {
  const [notAdded, setNotAdded] = useState<PastedLine[]>()
  const navigate = useNavigate()
  const { submit, busy, refusal } = useSubmit({
    send: () => callCart(addSharedCart, { params: { token } }),
    onDone(taken) {
      applyVisitorToNavigation()
      if (taken.notAdded.length === 0) return navigate('/cart')
      setNotAdded(taken.notAdded)
    },
  })
  return (
    <>
      <form
        method="post"
        action={`/cart/shared/${token}`}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Button type="submit" busy={busy} busyLabel="Putting them in" className="w-full">
          Put all into my basket
        </Button>
      </form>
      {refusal && <Notice kind="error">{refusal.message}</Notice>}
      {notAdded && (
        <Notice
          kind="warning"
          title={`${formatNumber(notAdded.length)} not put into your basket`}
          action={
            <ButtonLink to="/cart" prefetch="none">
              To your basket
            </ButtonLink>
          }
        >
          <NotAddedList lines={notAdded} />
        </Notice>
      )}
    </>
  )
}

function SharedLine({ line: { productId, productName, quantity, totalCents, notices } }: { line: CartLine }) {
  return (
    <li className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-b border-line py-3 first:border-t">
      <span>
        <span className="figures">{formatNumber(quantity)}</span> x{' '}
        <Link to={`/products/${productId}`} className="underline decoration-edge underline-offset-2 hover:text-leaf">
          {productName}
        </Link>
      </span>
      <MoneyAmount amountCents={totalCents} className="ml-auto" />
      {notices.map(({ code, message }) => (
        <span key={code} className="w-full text-sm font-medium text-bad">
          {message}
        </span>
      ))}
    </li>
  )
}
