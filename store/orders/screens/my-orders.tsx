import { useMemo, useRef, useState } from 'react'
import { redirect, useRevalidator } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { amountToCents } from '#shared/money.ts'
import { clearSession } from '#store/identity/screens/session.ts'
import { signedOutOfOrdersUrl } from '#store/identity/screens/signed-out-notice.tsx'
import { listBuyerPurchases, type Purchase, type PurchaseListItem } from '#store/orders/contract.ts'
import { formatItem } from '#store/orders/order-contract.ts'
import { cancelPurchase } from '#store/orders/payments/contract.ts'
import {
  hasEnded,
  isPayable,
  OrderAgainLink,
  OrderStatusSummary,
  purchaseStatusLabel,
} from '#store/orders/screens/order-status-summary.tsx'
import { OrderedPartNumber } from '#store/orders/screens/ordered-product.tsx'
import { PayLink } from '#store/orders/screens/pay-link.tsx'
import { purchaseStatuses, purchaseStatusOf } from '#store/orders/statuses.ts'
import { accountStorage } from '#web/account.ts'
import { ApiError } from '#web/api-error.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { EmptyState } from '#web/empty-state.tsx'
import { FilterLinks } from '#web/filter-links.tsx'
import { ListSearch } from '#web/list-search.tsx'
import { Amount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Pagination } from '#web/pagination.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { TextLink } from '#web/text-link.tsx'
import { revalidateOnPathChange, usePaginatedList } from '#web/use-paginated-list.ts'
import type { Route } from './+types/my-orders'
import { CancelOrderDialog, cancelledText, cancelledTitle } from './cancel-order-dialog.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'My Orders | Nucleus of PC' }]

export async function clientLoader() {
  try {
    return { orders: await callApi(listBuyerPurchases, { querystring: { buyerEmail: accountStorage.get()?.email ?? '' } }) }
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code !== 'not_signed_in' && error.code !== 'forbidden')) throw error
    clearSession()
    throw redirect(signedOutOfOrdersUrl)
  }
}

export const shouldRevalidate = revalidateOnPathChange

const rowAccessors = {
  text: ({ number, productName, brand, buyerAddress, transectionId }: PurchaseListItem) =>
    `${number} ${productName} ${brand ?? ''} ${buyerAddress} ${transectionId ?? ''}`,
  number: ({ number }: PurchaseListItem) => number,
  codes: ({ mpn, sku }: PurchaseListItem) => [mpn ?? '', sku],
  filters: { status: { choices: purchaseStatuses, valuesOf: purchaseStatusOf } },
  sortKeys: {},
}

function captionOf(found: number, all: number, hasPayable: boolean): string {
  if (all === 1) return '1 order'
  return found === all ? `${all} orders, ${hasPayable ? 'to be paid first, then ' : ''}newest first` : `${found} of ${all} orders`
}

/** A list of up to this many orders has no search and no filter. */
const maxOrdersWithoutSearch = 5

export default function MyOrders({ loaderData }: Route.ComponentProps) {
  const { revalidate } = useRevalidator()
  const [dialog, setDialog] = useState<{ order: Purchase; isPart: boolean; open: boolean }>()
  const [cancelled, setCancelled] = useState<{ order: Purchase; isPart: boolean }>()
  // A cancelled order is shown as such at once, until the list is reloaded. Payable orders come first.
  const orders = useMemo(() => {
    const all = loaderData.orders.map((order) => (order._id === cancelled?.order._id ? { ...order, ...cancelled.order } : order))
    return [...all.filter(isPayable), ...all.filter((order) => !isPayable(order))]
  }, [loaderData.orders, cancelled])
  const hasPayable = orders.some(isPayable)
  const linesOf = ({ number }: Purchase) => orders.filter((line) => line.number === number)
  /** Whether an order goes on without this line of it. */
  const isPart = (order: Purchase) => linesOf(order).some(({ _id, state }) => _id !== order._id && state === 'open')
  const listing = usePaginatedList(orders, rowAccessors)
  const statuses = useMemo(
    () =>
      purchaseStatuses.map((value) => {
        const count = orders.filter((order) => purchaseStatusOf(order) === value).length
        return { value, label: purchaseStatusLabel(value), count }
      }),
    [orders],
  )
  const table = useRef<HTMLDivElement>(null)
  const opener = useRef<{ button: HTMLElement; row: HTMLTableRowElement | null }>(null)
  const first = (listing.page - 1) * listing.query.limit

  function openCancelDialog(order: Purchase, button: HTMLElement) {
    setCancelled(undefined)
    opener.current = { button, row: button.closest('tr') }
    setDialog({ order, isPart: isPart(order), open: true })
  }

  return (
    <Page title="My Orders" wide>
      {cancelled && (
        <Notice kind="success" title={cancelledTitle(cancelled.order.number, cancelled.isPart)}>
          {cancelledText(formatPurchase(cancelled.order), cancelled.isPart)}
        </Notice>
      )}
      {orders.length === 0 && (
        <EmptyState
          illustration="no-orders"
          title="No orders yet"
          actions={<ButtonLink to="/allproducts">All Tools Have on Stock</ButtonLink>}
        >
          What you order stands here, to be paid and followed.
        </EmptyState>
      )}
      {(orders.length > maxOrdersWithoutSearch || listing.query.q || listing.query.filters.status) && (
        <>
          <ListSearch listing={listing} label="Search part numbers, products, orders and transactions" itemNouns={['order', 'orders']} />
          <FilterLinks listing={listing} name="status" label="Orders by payment status" choices={statuses} totalCount={orders.length} />
        </>
      )}
      {listing.rows.length > 0 && (
        <Table
          ref={table}
          caption={captionOf(listing.total, orders.length, hasPayable)}
          columns={[
            { label: 'No.', isNumeric: true },
            { label: 'Product Name' },
            { label: 'Product Quantity', isNumeric: true },
            { label: 'Product Cost', isNumeric: true },
            { label: 'Buyer Name' },
            { label: 'Buyer Email' },
            { label: 'Buyer Address' },
            { label: 'Pay' },
          ]}
        >
          {listing.rows.map((order, index) => (
            <Row key={order._id}>
              <Cell label="No." isNumeric>
                {first + index + 1}
              </Cell>
              <Cell label="Product Name" isRowHeader className="@3xl:min-w-52">
                {order.productName}
                <OrderedPartNumber order={order} />
                <span className="block font-normal text-soft">
                  <TextLink to={`/dashboard/myorder/${order._id}`}>Order {order.number}</TextLink>, <DateTime at={order.placedAt} />
                  <LineCount count={linesOf(order).length} />
                </span>
              </Cell>
              <Cell label="Product Quantity" isNumeric>
                {formatNumber(order.productQuantity)}
              </Cell>
              <Cell label="Product Cost" isNumeric>
                <Amount value={order.productCost} />
              </Cell>
              <Cell label="Buyer Name">{order.buyerName}</Cell>
              <Cell label="Buyer Email" className="@3xl:min-w-36 @3xl:wrap-anywhere">
                <BreakableText>{order.buyerEmail}</BreakableText>
              </Cell>
              <Cell label="Buyer Address" className="@3xl:min-w-28">
                {order.buyerAddress}
              </Cell>
              <Cell label="Pay" className="@3xl:min-w-44 @5xl:min-w-60">
                <PaymentCell order={order} isPart={isPart(order)} onCancel={(button) => openCancelDialog(order, button)} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {orders.length > 0 && <Pagination listing={listing} table={table} />}
      {dialog && (
        <CancelOrderDialog
          number={dialog.order.number}
          items={formatPurchase(dialog.order)}
          amountCents={amountToCents(dialog.order.productCost)}
          isPart={dialog.isPart}
          open={dialog.open}
          cancel={async () => {
            const order = await callApi(cancelPurchase, { params: { id: dialog.order._id }, body: {} })
            setCancelled({ order, isPart: dialog.isPart })
            setDialog({ ...dialog, open: false })
          }}
          onReload={revalidate}
          onCancel={() => setDialog({ ...dialog, open: false })}
          focusAfterClose={() => {
            const { button, row } = opener.current ?? {}
            return button?.isConnected ? button : (row?.querySelector<HTMLElement>('td:last-child :is(button, a)') ?? null)
          }}
        />
      )}
    </Page>
  )
}

const formatPurchase = ({ productQuantity, productName }: Purchase) => formatItem({ quantity: productQuantity, productName })

function LineCount({ count }: { count: number }) {
  return count > 1 && <span className="block">One of {count} products of this order</span>
}

/** The status of an order and the actions that its buyer can take now. */
function PaymentCell({ order, isPart, onCancel }: { order: Purchase; isPart: boolean; onCancel: (button: HTMLElement) => void }) {
  const payment = `/dashboard/payment/${order._id}`
  if (order.state === 'open' && order.checking)
    return (
      <>
        <OrderStatusSummary order={order} />
        <span className="block">You need not pay again.</span>
      </>
    )
  if (order.state === 'open')
    return (
      order.productCost > 0 && (
        <span className="flex flex-col gap-2 @max-3xl:items-end @3xl:items-start">
          <span className="flex flex-wrap gap-2 @max-3xl:justify-end">
            <PayLink dense order={order} aria-label={`Pay Now, order ${order.number}`}>
              Pay Now
            </PayLink>
            <Button
              dense
              variant="quiet"
              aria-label={isPart ? `Cancel this part of order ${order.number}, ${order.productName}` : `Cancel order ${order.number}`}
              onClick={({ currentTarget }) => onCancel(currentTarget)}
            >
              {isPart ? 'Cancel this part' : 'Cancel order'}
            </Button>
          </span>
          {isPart && <span className="text-soft">Pay Now is for the whole order</span>}
          <OrderStatusSummary order={order} />
          <span className="text-soft">
            held until <DateTime at={order.holdUntil} />
          </span>
        </span>
      )
    )
  return (
    <>
      <OrderStatusSummary order={order} />
      {order.refundedCents > 0 && <span className="block text-soft">Banks take up to ten days to show it</span>}
      {order.transectionId && (
        <>
          <span className="block">
            Transaction ID: <span className="figures break-all">{order.transectionId}</span>
          </span>
          <span className="block min-h-6">
            <TextLink to={payment} aria-label={`Receipt of order ${order.number}`}>
              Receipt
            </TextLink>
          </span>
        </>
      )}
      {hasEnded(order) && (
        <span className="block min-h-6">
          <OrderAgainLink order={order} />
        </span>
      )}
    </>
  )
}
