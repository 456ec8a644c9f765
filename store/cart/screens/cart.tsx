import { useEffect, useRef, useState } from 'react'
import { Outlet } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import { type Cart, changeCartLine, joinCart, markCartSeen, removeCartLine, showCart, showPastedList } from '#store/cart/contract.ts'
import { showProductPage } from '#store/catalogue/product-page-contract.ts'
import { PrintedSource, printedDay } from '#store/catalogue/screens/price-note.tsx'
import { settleQuantity } from '#store/catalogue/settle-quantity.ts'
import { applyVisitorToNavigation, useAccount } from '#web/account.ts'
import { apiCallerContext } from '#web/api-caller.ts'
import { ApiError } from '#web/api-error.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { EmptyState } from '#web/empty-state.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { toast } from '#web/toast.tsx'
import type { Route } from './+types/cart'
import { callCart } from './call-cart.ts'
import { CartLineItem } from './cart-line.tsx'
import { CartSummary } from './cart-summary.tsx'
import { useLineCountInNavigation } from './line-count.ts'
import { PasteForm } from './paste-form.tsx'
import { SavedCarts } from './saved-carts.tsx'
import { ShareCart } from './share-cart.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  const call = context.get(apiCallerContext)
  const { searchParams } = new URL(request.url)
  const cart = await call(showCart, {})
  const refused = searchParams.get('refused')
  const [product, quantity] = [searchParams.get('product') ?? '', searchParams.get('quantity') ?? '']
  const pasted = searchParams.has('pasted') ? (await call(showPastedList, {})).list : null
  const shown = { cart, pasted, day: printedDay() }
  if (!refused) return { ...shown, refusal: null }
  const page = product ? await call(showProductPage, { params: { id: product } }).catch(() => undefined) : undefined
  return { ...shown, refusal: { code: refused, quantity, product: page ? withoutSpecs(page.part) : null } }
}

const withoutSpecs = <Part extends { specs: unknown }>({ specs: _, ...part }: Part) => part

export const meta: Route.MetaFunction = () => [{ title: 'Basket | Nucleus of PC' }, { name: 'robots', content: 'noindex' }]

export default function CartScreen({ loaderData }: Route.ComponentProps) {
  const { cart, change, refusals, isBusy, show } = useCart(loaderData.cart)
  const { pasted, day, refusal } = loaderData
  const account = useAccount()
  useLineCountInNavigation(cart.lines.length)
  return (
    <Page
      wide
      title="Basket"
      lead={cart.lines.length > 0 && `${formatNumber(cart.lines.length)} ${cart.lines.length === 1 ? 'line' : 'lines'}`}
    >
      {refusal && <RefusalNotice refusal={refusal} />}
      {cart.lines.length === 0 ? (
        <EmptyState illustration="no-orders" title="Your basket is empty" actions={<ButtonLink to="/allproducts">All tools</ButtonLink>}>
          What you add stays here, also when you come back in a few days. With an account you find it on every device.
        </EmptyState>
      ) : (
        <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="flex min-w-0 flex-col gap-4">
            <PrintedSource day={day} />
            <ChangesNotice cart={cart} onSeen={() => change('', () => callCart(markCartSeen, {}))} />
            <ul aria-label="Lines of the basket">
              {cart.lines.map((line) => (
                <CartLineItem
                  key={line.productId}
                  line={line}
                  refusal={refusals[line.productId]}
                  busy={isBusy}
                  onChange={(quantity) =>
                    change(line.productId, () => callCart(changeCartLine, { params: { productId: line.productId }, body: { quantity } }))
                  }
                  onRemove={() => change(line.productId, () => callCart(removeCartLine, { params: { productId: line.productId } }))}
                />
              ))}
            </ul>
          </div>
          <CartSummary cart={cart}>
            <Outlet context={{ cart, loaded: loaderData.cart }} />
          </CartSummary>
        </div>
      )}
      <PasteForm key={`${pasted !== null}`} sent={pasted} onPasted={show} />
      {account && <SavedCarts hasLines={cart.lines.length > 0} onPutIn={show} />}
      {cart.lines.length > 0 && <ShareCart key={JSON.stringify(cart.lines.map(({ productId, quantity }) => [productId, quantity]))} />}
    </Page>
  )
}

/** The basket as the last change has left it, and why changes were refused, by product. */
function useCart(loaded: Cart) {
  const [later, setLater] = useState({ loaded, cart: loaded })
  const cart = later.loaded === loaded ? later.cart : loaded
  const [refusals, setRefusals] = useState<Record<string, string>>({})
  const [isBusy, setBusy] = useState(false)
  const account = useAccount()
  const latest = useRef(loaded) // the page may have loaded the basket anew since a change was sent
  useEffect(() => {
    latest.current = loaded
  }, [loaded])
  const show = (changed: Cart) => {
    setLater({ loaded: latest.current, cart: changed })
    // A refusal stays only with the quantity that it was about.
    const quantityIn = ({ lines }: Cart, id: string) => lines.find(({ productId }) => productId === id)?.quantity
    const isAsBefore = ([id]: [string, string]) => quantityIn(changed, id) === quantityIn(cart, id)
    setRefusals((before) => Object.fromEntries(Object.entries(before).filter(isAsBefore)))
    applyVisitorToNavigation()
  }

  const isToJoin = account !== null && !cart.isOfAccount
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for a session from before this browser knew the account's basket
  useEffect(() => {
    if (isToJoin) callApi(joinCart, {}).then(show, () => {})
  }, [isToJoin])

  async function change(productId: string, send: () => Promise<Cart>) {
    setBusy(true)
    setRefusals((before) => ({ ...before, [productId]: '' }))
    try {
      show(await send())
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!productId) toast(error.message, { kind: 'error' })
      show(await callCart(showCart, {}).catch(() => cart)) // what was refused may be about something newer than what is shown
      setRefusals((before) => ({ ...before, [productId]: error.message }))
    } finally {
      setBusy(false)
    }
  }
  return { cart, change, refusals, isBusy, show }
}

/** Once read, what has changed is not said again. */
function ChangesNotice({ cart, onSeen }: { cart: Cart; onSeen: () => void }) {
  const changed = cart.lines.filter(({ notices }) => notices.some(({ isBlocking }) => !isBlocking))
  if (changed.length === 0) return null
  return (
    <Notice
      kind="warning"
      title={
        changed.length === 1 ? 'One line has changed since you put it in' : `${changed.length} lines have changed since you put them in`
      }
      action={
        <form
          method="post"
          action="/cart/seen"
          onSubmit={(event) => {
            event.preventDefault()
            onSeen()
          }}
        >
          <Button type="submit" variant="quiet" dense>
            I have seen it
          </Button>
        </form>
      }
    />
  )
}

type Refusal = NonNullable<Route.ComponentProps['loaderData']['refusal']>

/** Why a form that was sent without a script has changed nothing. */
function RefusalNotice({ refusal: { code, product, quantity } }: { refusal: Refusal }) {
  const problem = product ? settleQuantity(product, parseWholeNumber(quantity)).problems[0]?.message : undefined
  return (
    <Notice
      kind="error"
      title={product ? `${product.name}: not changed` : 'Your basket was not changed'}
      action={
        product && (
          <ButtonLink variant="quiet" to={`/products/${product._id}?quantity=${encodeURIComponent(quantity)}`}>
            To the product
          </ButtonLink>
        )
      }
    >
      {problem ?? refusalWords.get(code) ?? otherRefusal}
    </Notice>
  )
}

const otherRefusal = 'Something in the form was not right. Try again.'

/** As a Map: the code stands in the address. */
const refusalWords = new Map(
  Object.entries({
    cart_full: 'A basket has at most 100 lines: order these first, or take some out.',
    stock_too_low: 'There are not as many in stock as you would have with those in your basket.',
    too_many_requests: 'Your basket was changed very often today. Try again later.',
    list_empty: 'Type or paste part numbers and quantities.',
    not_found: 'This product is no longer sold.',
  }),
)
