import { useRef } from 'react'
import { centsToAmount } from '#shared/money.ts'
import { type OwnAccount, showOwnAccount } from '#store/orders/on-account/contract.ts'
import { formatItems, listOrders, type OrderListItem } from '#store/orders/order-contract.ts'
import { isBeingChecked, isPaidState, owesOnAccount, purchaseState } from '#store/orders/statuses.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { EmptyState } from '#web/empty-state.tsx'
import { Field } from '#web/field.tsx'
import { GetForm } from '#web/get-form.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { KeyPagination } from '#web/pagination.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { TextLink } from '#web/text-link.tsx'
import { isPayable, OrderStatusSummary } from './order-status-summary.tsx'
import { PayLink } from './pay-link.tsx'

/** A page of the orders of the account's company. */
export type CompanyOrderPage = {
  name: string
  /** what the list was searched for */
  q: string
  orders: OrderListItem[]
  next: string | null
  isFirstPage: boolean
  /** null: the company orders nothing on account */
  account: OwnAccount | null
}

/** @param address `q` is searched, `cursor` is that of a page after the first */
export async function loadCompanyOrders(name: string, address: URLSearchParams): Promise<CompanyOrderPage> {
  const [q, cursor] = [(address.get('q') ?? '').trim().slice(0, 100), address.get('cursor')]
  const [{ orders, next }, { account }] = await Promise.all([
    callApi(listOrders, { querystring: { of: 'company', ...(q && { q }), ...(cursor !== null && { cursor }) } }),
    callApi(showOwnAccount, {}),
  ])
  return { name, q, orders, next, isFirstPage: cursor === null, account }
}

/** Of the own orders and of those of the company. */
export const orderSearchLabel = 'Search part numbers, products, orders and transactions'

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
export function CompanyOrders({ page }: { page: CompanyOrderPage }) {
  const { name, q, orders, next, isFirstPage, account } = page
  const table = useRef<HTMLDivElement>(null)
  if (orders.length === 0 && q === '')
    return (
      <EmptyState illustration="no-orders" title="No orders of the company yet">
        What members of {name} order from now on stands here.
      </EmptyState>
    )
  return (
    <>
      {account && <OwedOnAccount account={account} />}
      {(orders.length > 1 || q !== '' || !isFirstPage) && <CompanyOrderSearch page={page} />}
      {orders.length > 0 && (
        <Table ref={table} caption={`Orders of ${name}, newest first`} columns={columns}>
          {orders.map((order) => (
            <CompanyOrder key={order._id} order={order} />
          ))}
        </Table>
      )}
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

const OwedOnAccount = ({ account: { owedCents, overdueCents, invoices } }: { account: OwnAccount }) => (
  <p>
    On account: <MoneyAmount amountCents={owedCents} /> owed
    {overdueCents > 0 && (
      <>
        , <MoneyAmount amountCents={overdueCents} /> of it overdue
      </>
    )}
    .{' '}
    <TextLink to="/dashboard/on-account">
      {invoices.length > 0 ? 'Invoices to pay, and the statement' : 'What is left of the limit'}
    </TextLink>
  </p>
)

/** The server pages this list, so it is asked once the words are sent, and does not say how many orders there are on further pages. */
function CompanyOrderSearch({ page: { q, orders, next, isFirstPage } }: { page: CompanyOrderPage }) {
  const isAll = isFirstPage && next === null
  return (
    <search className="flex max-w-form flex-col gap-2">
      <GetForm className="flex items-end gap-3">
        <input type="hidden" name="of" value="company" />
        <div className="min-w-0 grow">
          <Field label={orderSearchLabel} name="q" type="search" autoComplete="off" defaultValue={q} key={q} />
        </div>
        <Button type="submit" variant="quiet" className="shrink-0">
          Search
        </Button>
        {q !== '' && (
          <ButtonLink variant="quiet" prefetch="none" to={{ search: '?of=company' }} className="shrink-0">
            Clear
          </ButtonLink>
        )}
      </GetForm>
      {q !== '' && (
        <p role="status" className="text-soft">
          {isAll ? orders.length : `${orders.length} of the`} {isAll && orders.length === 1 ? 'order' : 'orders'} found for "{q}"
        </p>
      )}
      {q !== '' && orders.length === 0 && <p>Fewer words find more, and so do their beginnings.</p>}
    </search>
  )
}

function CompanyOrder({ order }: { order: OrderListItem }) {
  const state = purchaseState(order)
  const shown = {
    ...order,
    state,
    checking: isBeingChecked(state, order),
    paid: isPaidState(state) && !owesOnAccount(order),
    productCost: centsToAmount(order.totalCents),
  }
  return (
    <Row>
      <Cell label="Order" isRowHeader>
        <TextLink to={`/dashboard/myorder/${order._id}`}>Order {order.number}</TextLink>
        <span className="block font-normal text-soft">
          <DateTime at={order.placedAt} />
          {order.poNumber && `, your number ${order.poNumber}`}
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
          <span>
            <OrderStatusSummary order={shown} />
            {order.paidBy && <span className="block">Paid by {order.paidBy.name}</span>}
          </span>
        </span>
      </Cell>
    </Row>
  )
}
