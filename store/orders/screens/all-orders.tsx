import { useMemo, useRef } from 'react'
import { useLocation } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { type AdminPurchase, attentionReasons, listAllPurchases, orderDateGetters } from '#store/orders/contract.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { EmptyState } from '#web/empty-state.tsx'
import { KindFilterLinks } from '#web/kind-filter-links.tsx'
import { filterByDate } from '#web/list-query.ts'
import { ListSearch } from '#web/list-search.tsx'
import { DollarAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Pagination } from '#web/pagination.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { TextLink } from '#web/text-link.tsx'
import { revalidateOnPathChange, usePaginatedList } from '#web/use-paginated-list.ts'
import type { Route } from './+types/all-orders'
import { attentionLabel } from './attention-label.ts'
import { isReversedRange, OrderDateFilter, OrderTotals } from './order-date-filter.tsx'
import { OrderStatusSummary, orderStatusLabel, orderStatusLabels } from './order-status-summary.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Manage All Orders | Nucleus of PC' }]

export const clientLoader = async () => ({ orders: await callApi(listAllPurchases, {}) })

export const shouldRevalidate = revalidateOnPathChange

const rowAccessors = {
  text: ({ number, buyerName, buyerEmail, buyerAddress, productName, brand, transectionId }: AdminPurchase) =>
    `${number} ${buyerName} ${buyerEmail} ${buyerAddress} ${productName} ${brand ?? ''} ${transectionId ?? ''}`,
  number: ({ number }: AdminPurchase) => number,
  codes: ({ mpn, sku }: AdminPurchase) => [mpn ?? '', sku],
  phone: ({ phone_number }: AdminPurchase) => phone_number ?? '',
  kind: (order: AdminPurchase) => [orderStatusLabel(order), ...order.attention.map(attentionLabel)],
  dates: orderDateGetters,
  sortKeys: {
    name: ({ buyerName }: AdminPurchase) => buyerName,
    email: ({ buyerEmail }: AdminPurchase) => buyerEmail,
    product: ({ productName }: AdminPurchase) => productName,
    quantity: ({ productQuantity }: AdminPurchase) => productQuantity,
    cost: ({ productCost }: AdminPurchase) => productCost,
    status: orderStatusLabel,
  },
}

export default function AllOrders({ loaderData: { orders } }: Route.ComponentProps) {
  const { search } = useLocation()
  const table = useRef<HTMLDivElement>(null)
  const listing = usePaginatedList(orders, rowAccessors)
  const { dateField, from, to } = listing.query
  const withDates = Object.hasOwn(orderDateGetters, dateField)
  const ofDays = useMemo(() => filterByDate(orders, { dateField, from, to }, orderDateGetters), [orders, dateField, from, to])
  const counted = (kinds: string[]) =>
    kinds.map((kind) => ({ kind, count: ofDays.filter((order) => rowAccessors.kind(order).includes(kind)).length }))

  if (orders.length === 0)
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
      <div className="flex flex-col gap-2">
        <KindFilterLinks listing={listing} label="Orders by payment status" kinds={counted(orderStatusLabels)} totalCount={ofDays.length} />
        <KindFilterLinks listing={listing} label="Orders that ask for attention" kinds={counted(attentionReasons.map(attentionLabel))} />
      </div>
      <OrderDateFilter listing={listing} />
      <OrderTotals listing={listing} />
      {listing.total === 0 && !listing.query.q && !(withDates && isReversedRange({ from, to })) && (
        <Notice
          kind="info"
          title={
            !withDates
              ? 'No order is in this list now'
              : ofDays.length === 0
                ? `No order was ${dateField} on these days`
                : 'No order of these days is in this list now'
          }
          action={
            <ButtonLink variant="quiet" to={{ search: '' }} defaultShouldRevalidate={false}>
              Show all orders
            </ButtonLink>
          }
        >
          {withDates && ofDays.length === 0 ? 'Choose other days.' : 'Orders leave it as soon as they are paid, end or are looked at.'}
        </Notice>
      )}
      {listing.rows.length > 0 && (
        <Table
          ref={table}
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
          {listing.rows.map((order) => (
            <Row key={order._id}>
              <Cell label="Buyer Name" isRowHeader className="@3xl:min-w-40">
                {order.buyerName}
                <span className="block font-normal text-soft">
                  <TextLink to={`/dashboard/order/${order._id}`} state={{ list: search }}>
                    Order {order.number}
                  </TextLink>
                  , <DateTime at={order.placedAt} />
                </span>
              </Cell>
              <Cell label="Buyer Email" className="@3xl:min-w-36 @3xl:wrap-anywhere">
                <BreakableText>{order.buyerEmail}</BreakableText>
              </Cell>
              <Cell label="Buyer Address" className="@3xl:min-w-28">
                {order.buyerAddress}
              </Cell>
              <Cell label="Product Name">{order.productName}</Cell>
              <Cell label="Product Quantity" isNumeric>
                {formatNumber(order.productQuantity)}
              </Cell>
              <Cell label="Total Cost" isNumeric>
                <DollarAmount dollars={order.productCost} />
              </Cell>
              <Cell label="Payment Status" className="@3xl:min-w-56">
                <OrderStatusSummary order={order} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <Pagination listing={listing} table={table} />
    </Page>
  )
}
