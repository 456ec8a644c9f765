import { useRef } from 'react'
import { centsToAmount } from '#shared/money.ts'
import { formatItems, listOrders, type OrderListItem } from '#store/orders/order-contract.ts'
import { isBeingChecked, purchaseState } from '#store/orders/statuses.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { EmptyState } from '#web/empty-state.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { KeyPagination } from '#web/pagination.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { TextLink } from '#web/text-link.tsx'
import { isPayable, OrderStatusSummary } from './order-status-summary.tsx'
import { PayLink } from './pay-link.tsx'

/** A page of the orders of the account's company. */
export type CompanyOrderPage = { name: string; orders: OrderListItem[]; next: string | null; isFirstPage: boolean }

/** @param cursor of a page after the first */
export async function loadCompanyOrders(name: string, cursor: string | null): Promise<CompanyOrderPage> {
  const { orders, next } = await callApi(listOrders, { querystring: { of: 'company', ...(cursor !== null && { cursor }) } })
  return { name, orders, next, isFirstPage: cursor === null }
}

/** The own orders, or those of the company. */
export function WhoseOrders({ company, isOfCompany }: { company: string; isOfCompany: boolean }) {
  return (
    <nav aria-label="Whose orders" className="flex flex-wrap gap-2">
      <ButtonLink dense variant="quiet" prefetch="none" to={{ search: '' }} aria-current={!isOfCompany || undefined}>
        Mine
      </ButtonLink>
      <ButtonLink
        dense
        variant="quiet"
        prefetch="none"
        to={{ search: '?of=company' }}
        aria-current={isOfCompany || undefined}
        className="whitespace-normal! wrap-anywhere"
      >
        {company}
      </ButtonLink>
    </nav>
  )
}

const columns = [{ label: 'Order' }, { label: 'Products' }, { label: 'Total', isNumeric: true }, { label: 'Placed by' }, { label: 'Pay' }]

/** The orders of all members of a company, with who has placed each. */
export function CompanyOrders({ page: { name, orders, next, isFirstPage } }: { page: CompanyOrderPage }) {
  const table = useRef<HTMLDivElement>(null)
  if (orders.length === 0)
    return (
      <EmptyState illustration="no-orders" title="No orders of the company yet">
        What members of {name} order from now on stands here.
      </EmptyState>
    )
  return (
    <>
      <Table ref={table} caption={`Orders of ${name}, newest first`} columns={columns}>
        {orders.map((order) => (
          <CompanyOrder key={order._id} order={order} />
        ))}
      </Table>
      <KeyPagination
        label={`Pages of the orders of ${name}`}
        isFirstPage={isFirstPage}
        names={['cursor']}
        next={next === null ? undefined : { cursor: next }}
        list={table}
      />
    </>
  )
}

function CompanyOrder({ order }: { order: OrderListItem }) {
  const state = purchaseState(order)
  const shown = { ...order, state, checking: isBeingChecked(state, order), productCost: centsToAmount(order.totalCents) }
  return (
    <Row>
      <Cell label="Order" isRowHeader>
        <TextLink to={`/dashboard/myorder/${order._id}`}>Order {order.number}</TextLink>
        <span className="block font-normal text-soft">
          <DateTime at={order.placedAt} />
        </span>
      </Cell>
      <Cell label="Products">
        {formatItems(order.lines)}
        {order.lineCount > order.lines.length && `, ${order.lineCount} in all`}
      </Cell>
      <Cell label="Total" isNumeric>
        <MoneyAmount amountCents={order.totalCents} />
      </Cell>
      <Cell label="Placed by">
        {order.buyerName}
        <span className="block">
          <BreakableText>{order.buyerEmail}</BreakableText>
        </span>
      </Cell>
      <Cell label="Pay">
        <span className="flex flex-col gap-2 @max-3xl:items-end @3xl:items-start">
          {isPayable(shown) && (
            <PayLink dense order={order} aria-label={`Pay Now, order ${order.number}`}>
              Pay Now
            </PayLink>
          )}
          <OrderStatusSummary order={{ ...shown, refundedCents: 0, card: null }} />
        </span>
      </Cell>
    </Row>
  )
}
