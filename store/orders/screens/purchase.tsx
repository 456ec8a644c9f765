import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { formatLeft, formatPieces } from '#shared/format-pieces.ts'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import { sellsByBasketOnly } from '#shared/sale-terms.ts'
import { isInStock, type ProductDetails } from '#store/catalogue/contract.ts'
import { withArrival } from '#store/catalogue/incoming-stock.ts'
import { showProductPage } from '#store/catalogue/product-page-contract.ts'
import { loadOwnPrice } from '#store/catalogue/screens/load-own-price.ts'
import { termsForBuyer } from '#store/catalogue/settle-quantity.ts'
import type { Purchase } from '#store/orders/contract.ts'
import { accountStorage, useAccount, useAccountAtOpening } from '#web/account.ts'
import { ApiError } from '#web/api-error.ts'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { ButtonLink } from '#web/button.tsx'
import { callApi, rethrowAsNotFound } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { Amount, MoneyAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { useSaleTerms } from '#web/sale-terms.ts'
import type { Route } from './+types/purchase'
import { BuyerForm, type UsedCode } from './buyer-form.tsx'
import { DiscontinuedProductPage } from './discontinued-product-page.tsx'
import { OrderedProductSummary } from './ordered-product-summary.tsx'
import { PayLink } from './pay-link.tsx'
import { loadPreviousOrder, type PreviousOrder } from './previous-order.tsx'
import { SoldByBasket } from './sold-by-basket.tsx'
import { loadVerified, UnverifiedBuyer } from './unverified-buyer.tsx'

export async function clientLoader({ params, request }: Route.ClientLoaderArgs) {
  const pricedFor = accountStorage.get()?.email // before the price is asked for: another tab may sign in meanwhile
  const { searchParams } = new URL(request.url)
  const [found, ownPrice, previousOrder, verified] = await Promise.all([
    callApi(showProductPage, { params: { id: params.id } }).catch((loadError: unknown) => ({ loadError })),
    loadOwnPrice(params.id).catch(() => undefined), // the order costs what the buyer pays, whatever the form says
    loadPreviousOrder(searchParams.get('again')),
    loadVerified(),
  ])
  if ('loadError' in found) {
    const isGone = found.loadError instanceof ApiError && found.loadError.code === 'not_found'
    if (isGone && previousOrder?.toolId === params.id) return { gone: previousOrder }
    return rethrowAsNotFound(found.loadError)
  }
  const { part } = found
  return {
    product: termsForBuyer(part, ownPrice),
    listed: part,
    pricedFor,
    initialQuantity: parseWholeNumber(searchParams.get('quantity') ?? ''),
    previousOrder: previousOrder?.toolId === part._id ? previousOrder : undefined,
    verified,
  }
}

export const meta = ({ loaderData }: Route.MetaArgs) => {
  const name = loaderData?.product?.name ?? loaderData?.gone?.productName
  return [{ title: `${name ? `Order ${name}` : 'Order'} | Nucleus of PC` }]
}

export default function PurchasePage({ loaderData }: Route.ComponentProps) {
  return loaderData.product ? <PurchaseOffer {...loaderData} /> : <DiscontinuedProductPage order={loaderData.gone} />
}

function PurchaseOffer({
  product,
  listed,
  pricedFor,
  initialQuantity,
  previousOrder,
  verified,
}: {
  /** with the price of the buyer */
  product: ProductDetails
  /** as everybody sees it */
  listed: ProductDetails
  /** the e-mail of the account whose price it is */
  pricedFor: string | undefined
  initialQuantity: number
  previousOrder: PreviousOrder | undefined
  /** whether the account's e-mail is verified */
  verified: boolean
}) {
  const account = useAccountAtOpening()
  const { revalidate } = useRevalidator()
  const email = useAccount()?.email
  useEffect(() => {
    if (email && email !== pricedFor) revalidate() // another account has signed in in another tab
  }, [email, pricedFor, revalidate])
  const [placed, setPlaced] = useState<{ order: Purchase; usedCode: UsedCode | undefined }>()
  const [missed, setMissed] = useState(false)
  const isByBasket = sellsByBasketOnly(useSaleTerms())
  return (
    <Page title={product.name} breadcrumbs={<Breadcrumbs steps={[{ label: 'All tools', to: '/allproducts' }]} />} wide>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:gap-10">
        <OrderedProductSummary product={product} listPrice={listed.price} />
        {placed?.order.toolId === product._id ? (
          <OrderPlacedNotice {...placed} verified={verified} />
        ) : isInStock(product) && isByBasket ? (
          <SoldByBasket product={product} initialQuantity={initialQuantity} />
        ) : isInStock(product) ? (
          <BuyerForm
            key={`${product._id} ${initialQuantity} ${account?.email}`}
            product={product}
            listed={listed}
            initialQuantity={initialQuantity}
            previousOrder={previousOrder}
            onPlaced={(order, usedCode) => setPlaced({ order, usedCode })}
            onStale={() => setMissed(true)}
          />
        ) : (
          <Notice kind="warning" title="Out of stock" action={<ButtonLink to="/allproducts">All Tools Have on Stock</ButtonLink>}>
            {missed && 'Others were faster: nothing was ordered. '}The smallest order is {formatPieces(product.minimum_order_quantity)}, and{' '}
            {withArrival(formatLeft(product.available_quantity), product)}.
          </Notice>
        )}
      </div>
    </Page>
  )
}

/** Confirms the order and leads to its payment. */
function OrderPlacedNotice({ order, usedCode, verified }: { order: Purchase; usedCode: UsedCode | undefined; verified: boolean }) {
  return (
    <Panel variant="raised" className="flex flex-col gap-4 sm:p-6">
      <Notice kind="success" title="order placed successfully" ref={focusOnMount}>
        Order {order.number}: {formatNumber(order.productQuantity)} x {order.productName} for <Amount value={order.productCost} />
        {usedCode && (
          <>
            : the code {usedCode.code} took <MoneyAmount amountCents={usedCode.reductionCents} /> off
          </>
        )}
        . The pieces are held for you until <DateTime at={order.holdUntil} />; it is not paid yet.
      </Notice>
      <div className="flex flex-wrap gap-3">
        <PayLink order={order} className="grow text-lg">
          Pay <Amount value={order.productCost} />
        </PayLink>
        <ButtonLink to="/dashboard/myorder" variant="quiet">
          My Orders
        </ButtonLink>
      </div>
      {!verified && <UnverifiedBuyer email={order.buyerEmail} />}
    </Panel>
  )
}
