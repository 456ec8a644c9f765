import { type FormEvent, useRef } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { formatDay } from '#shared/format-day.ts'
import { formatNumber } from '#shared/format-number.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { formatItem } from '#store/orders/order-contract.ts'
import { listOrdersToSend, type OrderToSend, type ToSendPage } from '#store/orders/shipments/to-send-contract.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { downloadFile } from '#web/download.ts'
import { EmptyState } from '#web/empty-state.tsx'
import { Page } from '#web/page.tsx'
import { KeyPagination } from '#web/pagination.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { TextLink } from '#web/text-link.tsx'
import { useSubmit } from '#web/use-submit.ts'
import type { Route } from './+types/to-send'
import { loadSeller, loadSlipOfParcel, PackingSlips, slipOfOrder } from './packing-slips.tsx'
import { PickList } from './pick-list.tsx'
import { paperUrl } from './print-buttons.tsx'
import { blockLabels } from './sending-block-label.ts'
import { TrackingNumbers } from './tracking-numbers.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) => [
  {
    title: `${loaderData?.picked ? 'Pick List' : loaderData?.slips ? 'Packing Slips' : loaderData?.isTracking ? 'Tracking Numbers' : 'To Send'} | Nucleus of PC`,
  },
]

/**
 * The page of a list or, with `paper` in the address, what is printed of the orders that it names; with `parcel` the packing slip of a parcel that
 * was sent.
 */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url)
  const [paper, parcel, cursor] = ['paper', 'parcel', 'cursor'].map((name) => searchParams.get(name))
  const ids = searchParams.getAll('order')
  if (paper === 'tracking-numbers') return { isTracking: true }
  if (ids[0] && parcel) return { slips: await loadSlipOfParcel(ids[0], Number(parcel)), seller: await loadSeller() }
  if (!paper) {
    const list = searchParams.get('list') === 'blocked' ? 'blocked' : 'ready'
    return { page: await callApi(listOrdersToSend, { querystring: { list, ...(cursor && { cursor }) } }) }
  }
  const orders = ids.length === 0 ? [] : (await callApi(listOrdersToSend, { querystring: { order: ids } })).orders
  return paper === 'pick-list' ? { picked: orders } : { slips: orders.map(slipOfOrder), seller: await loadSeller() }
}

export default function ToSend({ loaderData: { page, picked, slips, seller, isTracking } }: Route.ComponentProps) {
  if (isTracking) return <TrackingNumbers />
  if (picked) return <PickList orders={picked} />
  if (slips) return <PackingSlips slips={slips} seller={seller} />
  return page && <ToSendLists page={page} />
}

function ToSendLists({ page: { orders, next, counts } }: { page: ToSendPage }) {
  const [search] = useSearchParams()
  const list = useRef<HTMLDivElement>(null)
  const isBlocked = search.get('list') === 'blocked'
  return (
    <Page title="To Send" wide>
      <nav aria-label="Which orders" className="flex flex-wrap gap-2">
        <ListLink label="To be sent" count={counts.ready} search="" isCurrent={!isBlocked} />
        <ListLink label="Not now" count={counts.blocked} search="?list=blocked" isCurrent={isBlocked} />
        {counts.returns > 0 && (
          <ButtonLink dense variant="quiet" prefetch="none" to="/dashboard/returns?list=to resend">
            Returns to send again <span className="figures font-normal">{formatNumber(counts.returns)}</span>
          </ButtonLink>
        )}
        <ButtonLink dense variant="quiet" prefetch="none" to={{ search: '?paper=tracking-numbers' }} className="ms-auto">
          Tracking numbers from a file
        </ButtonLink>
      </nav>
      {orders.length === 0 ? (
        <EmptyState illustration="no-orders" title={isBlocked ? 'Nothing is kept from being sent' : 'Everything is sent'}>
          {isBlocked
            ? 'Orders that you hold back, and those whose payment is disputed or that you have to look at, stand here with the reason.'
            : 'Orders stand here as soon as they are paid, the oldest first.'}
        </EmptyState>
      ) : (
        <OrdersToSend key={search.toString()} orders={orders} isBlocked={isBlocked} tableRef={list} />
      )}
      <KeyPagination
        label="Pages of orders"
        isFirstPage={!search.has('cursor')}
        names={['cursor']}
        next={next === null ? undefined : { cursor: next }}
        list={list}
      />
    </Page>
  )
}

type ListLinkProps = { label: string; count: number; search: string; isCurrent: boolean }

const ListLink = ({ label, count, search, isCurrent }: ListLinkProps) => (
  <ButtonLink dense variant="quiet" prefetch="none" to={{ search }} aria-current={isCurrent || undefined}>
    {label} <span className="figures font-normal">{formatNumber(count)}</span>
  </ButtonLink>
)

type OrdersToSendProps = { orders: OrderToSend[]; isBlocked: boolean; tableRef: React.RefObject<HTMLDivElement | null> }

/** The buttons print papers of the ticked orders or, where none is ticked, of all on this page; the file of addresses then has all that are to be sent. */
function OrdersToSend({ orders, isBlocked, tableRef }: OrdersToSendProps) {
  const navigate = useNavigate()
  const {
    submit: download,
    busy,
    refusal,
  } = useSubmit({
    send: (ids: string[]) =>
      downloadFile(`/orders/to-send/addresses?${new URLSearchParams(ids.map((id) => ['order', id]))}`, 'addresses.csv'),
  })
  function print(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const ticked = new FormData(event.currentTarget).getAll('order').map(String)
    const asked = submitter instanceof HTMLButtonElement ? submitter.value : ''
    if (asked === 'addresses') return download(ticked)
    const paper = asked === 'packing-slips' ? 'packing-slips' : 'pick-list'
    navigate(paperUrl(paper, ticked.length > 0 ? ticked : orders.map(({ _id }) => _id)))
  }
  return (
    <form onSubmit={print} className="flex flex-col gap-4">
      {!isBlocked && (
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="quiet" value="pick-list">
            Pick list
          </Button>
          <Button type="submit" variant="quiet" value="packing-slips">
            Packing slips
          </Button>
          <Button type="submit" variant="quiet" value="addresses" busy={busy} busyLabel="Loading">
            Addresses as CSV
          </Button>
          <p className="text-sm text-soft">
            Of the orders that you tick, or papers of all {formatNumber(orders.length)} below and addresses of all that are to be sent
          </p>
        </div>
      )}
      {refusal && <RefusalNotice refusal={refusal}>Nothing was loaded.</RefusalNotice>}
      <Table
        ref={tableRef}
        caption={isBlocked ? 'Paid orders that are not sent now, oldest first' : 'Paid orders to be sent, oldest first'}
        columns={[
          { label: 'Order' },
          { label: 'For' },
          { label: 'What' },
          { label: 'Delivery' },
          { label: isBlocked ? 'Why not now' : 'Send' },
        ]}
      >
        {orders.map((order) => (
          <OrderRow key={order._id} order={order} />
        ))}
      </Table>
    </form>
  )
}

function OrderRow({ order }: { order: OrderToSend }) {
  const { _id, number, block, deliveryMethod } = order
  return (
    <Row className="@3xl:*:align-top">
      <Cell label="Order" isRowHeader className="@3xl:min-w-44">
        <span className="flex items-start gap-3 @max-3xl:justify-end">
          {block === null && (
            <input
              type="checkbox"
              name="order"
              value={_id}
              aria-label={`Print for order ${number}`}
              className="mt-0.5 size-5 shrink-0 accent-leaf"
            />
          )}
          <span>
            <TextLink to={`/dashboard/order/${_id}`}>Order {number}</TextLink>
            <span className="block font-normal text-soft">
              {order.paidAt ? 'paid' : 'on account'} <DateTime at={order.paidAt ?? order.placedAt} />
            </span>
            {order.shipments > 0 && <StatusBadge kind="neutral">Partly sent</StatusBadge>}
          </span>
        </span>
      </Cell>
      <Cell label="For" className="@3xl:min-w-36">
        <Recipient order={order} />
      </Cell>
      <Cell label="What" className="@3xl:min-w-52">
        <ItemsToSend order={order} />
      </Cell>
      <Cell label="Delivery" className="@3xl:min-w-36">
        {deliveryMethod ? (
          <>
            {deliveryMethod.name}
            <span className="block text-soft">arrives by {formatDay(deliveryMethod.latest)}</span>
          </>
        ) : (
          <span className="text-soft">Not chosen</span>
        )}
      </Cell>
      {block === null ? (
        <Cell label="Send">
          <ButtonLink dense variant="offer" to={`/dashboard/send/${_id}`} aria-label={`Send order ${number}`}>
            Send
          </ButtonLink>
        </Cell>
      ) : (
        <Cell label="Why not now" className="@3xl:min-w-44">
          <StatusBadge kind="bad">{blockLabels[block]}</StatusBadge>
          {order.heldBackReason && <span className="block wrap-anywhere">{order.heldBackReason}</span>}
        </Cell>
      )}
    </Row>
  )
}

function Recipient({ order: { recipient, company, city, buyerName } }: { order: OrderToSend }) {
  return (
    <>
      {recipient}
      {company && <span className="block wrap-anywhere">{company}</span>}
      {city && <span className="block text-soft">{city}</span>}
      {recipient !== buyerName && <span className="block text-soft">ordered by {buyerName}</span>}
    </>
  )
}

/** More lines are folded away, so that the next order is in view. */
const maxItemsInView = 4

function ItemsToSend({ order: { number, lines } }: { order: OrderToSend }) {
  const items = lines.map(({ _id, productName, toSend }) => <li key={_id}>{formatItem({ productName, quantity: toSend })}</li>)
  const more = items.length - maxItemsInView
  return (
    <>
      <ul aria-label={`To send of order ${number}`}>{items.slice(0, maxItemsInView)}</ul>
      {more > 0 && (
        <details>
          <summary className="min-h-6 cursor-pointer text-soft">and {formatNumber(more)} more</summary>
          <ul>{items.slice(maxItemsInView)}</ul>
        </details>
      )}
    </>
  )
}
