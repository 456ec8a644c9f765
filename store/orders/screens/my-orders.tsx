import { type ReactNode, type Ref, useMemo, useRef, useState } from 'react'
import { redirect, type ShouldRevalidateFunction, useRevalidator } from 'react-router'
import { amountToCents } from '#shared/money.ts'
import { showCompany } from '#store/companies/contract.ts'
import { clearSession } from '#store/identity/screens/session.ts'
import { signedOutOfOrdersUrl } from '#store/identity/screens/signed-out-notice.tsx'
import { listBuyerPurchases, type Purchase, type PurchaseListItem } from '#store/orders/contract.ts'
import { cancelOrder, formatItems } from '#store/orders/order-contract.ts'
import { cancelPurchase } from '#store/orders/payments/contract.ts'
import { isPayable, purchaseStatusLabel } from '#store/orders/screens/order-status-summary.tsx'
import { purchaseStatuses } from '#store/orders/statuses.ts'
import { accountStorage } from '#web/account.ts'
import { ApiError } from '#web/api-error.ts'
import { ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { EmptyState } from '#web/empty-state.tsx'
import { FilterLinks } from '#web/filter-links.tsx'
import { filterAndSortRows } from '#web/list-query.ts'
import { ListSearch } from '#web/list-search.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Pagination } from '#web/pagination.tsx'
import { revalidateOnPathChange } from '#web/should-revalidate.ts'
import { Table } from '#web/table.tsx'
import { usePaginatedList } from '#web/use-paginated-list.ts'
import type { Route } from './+types/my-orders'
import { CancelOrderDialog, cancelledText, cancelledTitle } from './cancel-order-dialog.tsx'
import { type CompanyOrderPage, CompanyOrders, loadCompanyOrders, orderSearchLabel, WhoseOrders } from './company-orders.tsx'
import { MyOrderRow } from './my-order-row.tsx'
import { type OrderOfLines, ordersOfLines, statusOfOrder, wholeOf } from './orders-of-lines.ts'

export const meta: Route.MetaFunction = () => [{ title: 'My Orders | Nucleus of PC' }]

/** A list of up to this many orders has no search and no filter. */
const maxOrdersWithoutSearch = 5

type LoadedOrders = {
  orders: PurchaseListItem[]
  /** the name of the company that the account is in; null: none */
  company: string | null
  /** what is shown in the place of the own orders */
  companyPage: CompanyOrderPage | undefined
}

export async function clientLoader({ request }: Route.ClientLoaderArgs): Promise<LoadedOrders> {
  const { searchParams } = new URL(request.url)
  const isOfCompany = searchParams.get('of') === 'company'
  const ownOrders = () => callApi(listBuyerPurchases, { querystring: { buyerEmail: accountStorage.get()?.email ?? '' } })
  try {
    const [{ company }, own] = await Promise.all([callApi(showCompany, {}), isOfCompany ? undefined : ownOrders()])
    const name = company?.name ?? null
    if (name !== null && isOfCompany) return { orders: [], company: name, companyPage: await loadCompanyOrders(name, searchParams) }
    return { orders: own ?? (await ownOrders()), company: name, companyPage: undefined }
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code !== 'not_signed_in' && error.code !== 'forbidden')) throw error
    clearSession()
    throw redirect(signedOutOfOrdersUrl)
  }
}

/** The own orders are searched and paged in the browser; the company's are loaded page by page. */
export const shouldRevalidate: ShouldRevalidateFunction = (change) => {
  const shown = ({ searchParams }: URL) =>
    searchParams.get('of') === 'company' ? `company ${searchParams.get('cursor')} ${searchParams.get('q')}` : 'own'
  return shown(change.currentUrl) !== shown(change.nextUrl) || revalidateOnPathChange(change)
}

const rowAccessors = {
  text: ({ lines }: OrderOfLines) =>
    lines
      .map(
        ({ number, productName, brand, buyerAddress, transectionId, poNumber }) =>
          `${number} ${productName} ${brand ?? ''} ${buyerAddress} ${transectionId ?? ''} ${poNumber ?? ''}`,
      )
      .join(' '),
  number: ({ number }: OrderOfLines) => number,
  codes: ({ lines }: OrderOfLines) => lines.flatMap(({ mpn, sku }) => [mpn ?? '', sku]),
  filters: { status: { choices: purchaseStatuses, valuesOf: statusOfOrder } },
  sortKeys: {},
}

function captionOf(found: number, all: number, hasPayable: boolean): string {
  if (all === 1) return '1 order'
  return found === all ? `${all} orders, ${hasPayable ? 'to be paid first, then ' : ''}newest first` : `${found} of ${all} orders`
}

/** What a buyer is asked about, or was told of: an order, or a line of one that goes on without it. */
type Cancellation = { order: OrderOfLines; line: PurchaseListItem | undefined }

export default function MyOrders({ loaderData }: Route.ComponentProps) {
  const { orders, company, companyPage } = loaderData
  const choice = company !== null && <WhoseOrders company={company} isOfCompany={companyPage !== undefined} />
  if (!companyPage) return <OwnOrders orders={orders} choice={choice} />
  return (
    <Page title="My Orders" wide>
      {choice}
      <CompanyOrders page={companyPage} />
    </Page>
  )
}

function OwnOrders({ orders: loaded, choice }: { orders: PurchaseListItem[]; choice: ReactNode }) {
  const { revalidate } = useRevalidator()
  const { orders, cancelled, dialog, ask, cancel, close, focusAfterClose } = useCancellation(loaded)
  const listing = usePaginatedList(orders, rowAccessors)
  const table = useRef<HTMLDivElement>(null)

  return (
    <Page title="My Orders" wide>
      {choice}
      {cancelled && (
        <Notice kind="success" title={cancelledTitle(cancelled.order.number, cancelled.line !== undefined)}>
          {cancelledText(formatCancelled(cancelled), cancelled.line !== undefined)}
        </Notice>
      )}
      {orders.length === 0 && <NoOrdersYet />}
      {(orders.length > maxOrdersWithoutSearch || listing.query.q || listing.query.filters.status) && (
        <OrderSearch orders={orders} listing={listing} />
      )}
      {listing.rows.length > 0 && <OwnOrdersTable orders={orders} listing={listing} ref={table} onCancel={ask} />}
      {orders.length > 0 && <Pagination listing={listing} table={table} />}
      {dialog && (
        <CancelOrderDialog
          number={dialog.order.number}
          items={formatCancelled(dialog)}
          amountCents={dialog.line ? amountToCents(dialog.line.productCost) : totalCentsOf(dialog.order)}
          isPart={dialog.line !== undefined}
          open={dialog.open}
          cancel={() => cancel(dialog)}
          onReload={revalidate}
          onCancel={() => close(dialog)}
          focusAfterClose={focusAfterClose}
        />
      )}
    </Page>
  )
}

/** The orders with what was cancelled, and cancelling: asked, sent, told. */
function useCancellation(loaded: PurchaseListItem[]) {
  const [dialog, setDialog] = useState<Cancellation & { open: boolean }>()
  const [cancelled, setCancelled] = useState<Cancellation>()
  // What was cancelled is shown as such at once, until the list is reloaded. Payable orders come first.
  const orders = useMemo(() => {
    const isCancelled = ({ _id, number, state }: Purchase) =>
      state === 'open' && cancelled?.order.number === number && (!cancelled.line || cancelled.line._id === _id)
    const all = ordersOfLines(loaded.map((line) => (isCancelled(line) ? { ...line, state: 'cancelled', checking: false } : line)))
    return [...all.filter(hasPayableLine), ...all.filter((order) => !hasPayableLine(order))]
  }, [loaded, cancelled])
  const opener = useRef<{ button: HTMLElement; row: HTMLTableRowElement | null }>(null)

  function ask(order: OrderOfLines, line: PurchaseListItem | undefined, button: HTMLElement) {
    setCancelled(undefined)
    opener.current = { button, row: button.closest('tr') }
    setDialog({ order, line, open: true })
  }

  async function cancel(asked: Cancellation) {
    const { order, line } = asked
    if (line || order.lines.length === 1) await callApi(cancelPurchase, { params: { id: (line ?? order.first)._id }, body: {} })
    else await callApi(cancelOrder, { params: { id: order.first._id }, body: {} })
    setCancelled({ order, line })
    close(asked)
  }

  const close = (asked: Cancellation) => setDialog({ ...asked, open: false })

  function focusAfterClose() {
    const { button, row } = opener.current ?? {}
    return button?.isConnected ? button : (row?.querySelector<HTMLElement>('td:last-child :is(button, a)') ?? null)
  }

  return { orders, cancelled, dialog, ask, cancel, close, focusAfterClose }
}

function NoOrdersYet() {
  return (
    <EmptyState illustration="no-orders" title="No orders yet" actions={<ButtonLink to="/allproducts">All Tools Have on Stock</ButtonLink>}>
      What you order stands here, to be paid and followed.
    </EmptyState>
  )
}

type Listing = ReturnType<typeof usePaginatedList<OrderOfLines>>

function OrderSearch({ orders, listing }: { orders: OrderOfLines[]; listing: Listing }) {
  const { q } = listing.query
  const searched = useMemo(() => filterAndSortRows(orders, { q, filters: {}, sort: '' }, rowAccessors), [orders, q])
  const statuses = purchaseStatuses.map((value) => {
    const count = searched.filter((order) => statusOfOrder(order) === value).length
    return { value, label: purchaseStatusLabel(value), count }
  })
  return (
    <>
      <ListSearch listing={listing} label={orderSearchLabel} itemNouns={['order', 'orders']} />
      <FilterLinks listing={listing} name="status" label="Orders by payment status" choices={statuses} totalCount={searched.length} />
    </>
  )
}

type OwnOrdersTableProps = {
  orders: OrderOfLines[]
  listing: Listing
  ref: Ref<HTMLDivElement>
  onCancel: (order: OrderOfLines, line: PurchaseListItem | undefined, button: HTMLElement) => void
}

function OwnOrdersTable({ orders, listing, ref, onCancel }: OwnOrdersTableProps) {
  const first = (listing.page - 1) * listing.query.limit
  return (
    <Table
      ref={ref}
      caption={captionOf(listing.total, orders.length, orders.some(hasPayableLine))}
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
        <MyOrderRow key={order.number} place={first + index + 1} order={order} onCancel={(line, button) => onCancel(order, line, button)} />
      ))}
    </Table>
  )
}

function totalCentsOf(order: OrderOfLines): number {
  const { orderTotalCents, productCost } = wholeOf(order)
  return orderTotalCents ?? amountToCents(productCost)
}

const hasPayableLine = ({ lines }: OrderOfLines) => lines.some(isPayable)

const formatCancelled = ({ order, line }: Cancellation) =>
  formatItems(
    (line ? [line] : order.lines.filter(({ state }) => state === 'open')).map(({ productQuantity: quantity, productName }) => ({
      quantity,
      productName,
    })),
  )
