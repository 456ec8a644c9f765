import { type Ref, useRef } from 'react'
import { useLocation } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import {
  type ListedAdminOrder,
  listPurchasePage,
  orderDateFields,
  type PurchasePage,
  purchaseSortKeys,
} from '#store/orders/admin-list-contract.ts'
import { attentionReasons } from '#store/orders/contract.ts'
import { formatItem } from '#store/orders/order-contract.ts'
import { purchaseStatuses } from '#store/orders/statuses.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { EmptyState } from '#web/empty-state.tsx'
import { FilterLinks } from '#web/filter-links.tsx'
import { loadListPage, parseListQuery } from '#web/list-query.ts'
import { ListSearch } from '#web/list-search.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Pagination } from '#web/pagination.tsx'
import { revalidateOnUrlChange } from '#web/should-revalidate.ts'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { TextLink } from '#web/text-link.tsx'
import { type PaginatedList, useServerPaginatedList } from '#web/use-paginated-list.ts'
import type { Route } from './+types/all-orders'
import { attentionLabel } from './attention-label.ts'
import { isOrderDateField, isReversedRange, OrderDateFilter, OrdersSum } from './order-date-filter.tsx'
import { OrderStatusSummary, purchaseStatusLabel } from './order-status-summary.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Manage All Orders | Nucleus of PC' }]

export const clientLoader = ({ request }: Route.ClientLoaderArgs) => loadPage(new URL(request.url).searchParams)

const filterChoices = { status: purchaseStatuses, attention: attentionReasons }

async function loadPage(searchParams: URLSearchParams): Promise<PurchasePage> {
  const view = parseListQuery(searchParams, filterChoices)
  const { q, from, to } = view
  const date = orderDateFields.find((known) => known === view.date)
  const status = purchaseStatuses.find((known) => known === view.filters.status)
  const attention = attentionReasons.find((known) => known === view.filters.attention)
  const sort = purchaseSortKeys.flatMap((key) => [key, `-${key}` as const]).find((known) => known === view.sort)
  const filters = {
    q: q.slice(0, 100),
    ...(status && { status }),
    ...(attention && { attention }),
    ...(date && { date, ...(from && { from }), ...(to && { to }) }),
    ...(sort && { sort }),
  }
  return loadListPage(view, (paging) => callApi(listPurchasePage, { querystring: { ...filters, ...paging } }))
}

export const shouldRevalidate = revalidateOnUrlChange

export default function AllOrders({ loaderData: { orders, total, sumCents, all, statuses, attention } }: Route.ComponentProps) {
  const table = useRef<HTMLDivElement>(null)
  const listing = useServerPaginatedList(total, filterChoices)
  const { q, filters, date, from, to } = listing.query
  const isOfDays = isOrderDateField(date)

  if (all === 0 && !isOfDays && !q)
    return (
      <Page title="Manage All Orders" wide>
        <EmptyState illustration="no-orders" title="No orders yet">
          What customers order stands here as soon as it is placed.
        </EmptyState>
      </Page>
    )
  return (
    <Page title="Manage All Orders" wide>
      <ListSearch
        listing={listing}
        label="Search order, phone and part numbers, buyers, products and transactions"
        itemNouns={['order', 'orders']}
      />
      <OrderFilters listing={listing} counts={{ all, statuses, attention }} />
      <OrderDateFilter listing={listing} />
      {total > 0 && (Object.keys(filters).length > 0 || date !== '') && <OrdersSum date={date} sumCents={sumCents} />}
      {total === 0 && !q && !(isOfDays && isReversedRange({ from, to })) && (
        <NoOrderNotice date={isOfDays ? date : undefined} hasOrders={all > 0} />
      )}
      {orders.length > 0 && <OrdersTable orders={orders} listing={listing} ref={table} />}
      <Pagination listing={listing} table={table} />
    </Page>
  )
}

type OrderFiltersProps = { listing: PaginatedList; counts: Pick<PurchasePage, 'all' | 'statuses' | 'attention'> }

function OrderFilters({ listing, counts }: OrderFiltersProps) {
  return (
    <div className="flex flex-col gap-2">
      <FilterLinks
        listing={listing}
        name="status"
        label="Orders by payment status"
        choices={purchaseStatuses.map((value) => ({ value, label: purchaseStatusLabel(value), count: counts.statuses[value] }))}
        totalCount={counts.all}
      />
      <FilterLinks
        listing={listing}
        name="attention"
        label="Orders that ask for attention"
        choices={attentionReasons.map((value) => ({ value, label: attentionLabel(value), count: counts.attention[value] }))}
      />
    </div>
  )
}

/** @param date what happened to the orders on the chosen days, if any are chosen */
function NoOrderNotice({ date, hasOrders }: { date: string | undefined; hasOrders: boolean }) {
  return (
    <Notice
      kind="info"
      title={
        date === undefined
          ? 'No order is in this list now'
          : !hasOrders
            ? `No order was ${date} on these days`
            : 'No order of these days is in this list now'
      }
      action={
        <ButtonLink variant="quiet" to={{ search: '' }}>
          Show all orders
        </ButtonLink>
      }
    >
      {date !== undefined && !hasOrders ? 'Choose other days.' : 'Orders leave it as soon as they are paid, end or are looked at.'}
    </Notice>
  )
}

type OrdersTableProps = { orders: ListedAdminOrder[]; listing: PaginatedList; ref: Ref<HTMLDivElement> }

function OrdersTable({ orders, listing, ref }: OrdersTableProps) {
  return (
    <Table
      ref={ref}
      caption="Orders of all buyers"
      columns={[
        { label: 'Buyer Name', sortBy: 'name' },
        { label: 'Buyer Email', sortBy: 'email' },
        { label: 'Buyer Address' },
        { label: 'Product Name', sortBy: 'product' },
        { label: 'Product Quantity', isNumeric: true, sortBy: 'quantity' },
        { label: 'Total Cost', isNumeric: true, sortBy: 'cost' },
        { label: 'Payment Status', sortBy: 'status' },
      ]}
      sorting={{ by: listing.query.sort, onSort: (sort) => listing.updateQuery({ sort }), unsortedLabel: 'Newest first' }}
    >
      {orders.map((order) => (
        <OrderRow key={order._id} order={order} />
      ))}
    </Table>
  )
}

function OrderRow({ order }: { order: ListedAdminOrder }) {
  const { search } = useLocation()
  return (
    <Row className="@3xl:*:align-top">
      <Cell label="Buyer Name" isRowHeader className="@3xl:min-w-36">
        {order.buyerName}
        <span className="block font-normal text-soft">
          <TextLink to={`/dashboard/order/${order._id}`} state={{ list: search }}>
            Order {order.number}
          </TextLink>
          , <DateTime at={order.placedAt} />
          {order.poNumber && `, the buyer's ${order.poNumber}`}
        </span>
      </Cell>
      <Cell label="Buyer Email" className="@3xl:min-w-28 @3xl:wrap-anywhere">
        <BreakableText>{order.buyerEmail}</BreakableText>
        {order.guest && <span className="block text-soft">guest</span>}
      </Cell>
      <Cell label="Buyer Address" className="whitespace-pre-line @3xl:min-w-28">
        {order.buyerAddress}
      </Cell>
      <Cell label="Product Name" className="@3xl:min-w-52">
        <ProductNames order={order} />
      </Cell>
      <Cell label="Product Quantity" isNumeric>
        {formatNumber(order.pieces)}
      </Cell>
      <Cell label="Total Cost" isNumeric>
        <MoneyAmount amountCents={order.totalCents} />
      </Cell>
      <Cell label="Payment Status" className="@3xl:min-w-36 @5xl:min-w-56">
        <OrderStatusSummary order={order} />
      </Cell>
    </Row>
  )
}

/** More lines are folded away, so that the next order is in view. */
const maxLinesInView = 3

/** The name of the product of an order or, of several, a list of them with their pieces. */
function ProductNames({ order: { number, lines, lineCount } }: { order: ListedAdminOrder }) {
  const [only] = lines
  if (lineCount === 1) return only?.productName
  return (
    <>
      <ul aria-label={`Products of order ${number}`}>
        {lines.slice(0, maxLinesInView).map((line) => (
          <LineItem key={line._id} line={line} />
        ))}
      </ul>
      {lineCount > maxLinesInView && (
        <details>
          <summary className="min-h-6 cursor-pointer text-soft">and {formatNumber(lineCount - maxLinesInView)} more</summary>
          <ul aria-label={`More products of order ${number}`}>
            {lines.slice(maxLinesInView).map((line) => (
              <LineItem key={line._id} line={line} />
            ))}
            {lineCount > lines.length && <li className="text-soft">and {formatNumber(lineCount - lines.length)} more</li>}
          </ul>
        </details>
      )}
    </>
  )
}

function LineItem({ line }: { line: ListedAdminOrder['lines'][number] }) {
  if (line.cancelled !== line.quantity) return <li>{formatItem(line)}</li>
  return (
    <li>
      <s className="text-soft">{formatItem(line)}</s> cancelled
    </li>
  )
}
