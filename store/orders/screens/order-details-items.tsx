import { type OrderDetails, showOrderDetails } from '#store/orders/details/contract.ts'
import { type DetailRow, detailRows } from '#store/orders/details/detail-rows.ts'
import type { OrderLine } from '#store/orders/order-contract.ts'
import { DescriptionItem } from '#web/description-list.tsx'
import type { OrderAccess } from './order-access.ts'

/** @param id of the order or of one of its lines @returns null of an order that no checkout has placed */
export const loadOrderDetails = async (id: string, access: OrderAccess): Promise<OrderDetails | null> =>
  (await access.call(showOrderDetails, { params: { id } })).details

type OrderDetailsItemsProps = {
  details: OrderDetails | null
  lines: Pick<OrderLine, 'productId' | 'productName'>[]
  /** nothing of the order arrives any more */
  isEnded?: boolean
  /** it is sent once the money is here */
  awaitsTransfer?: boolean
}

/** What was typed at the checkout besides products and address: items of a description list. */
export const OrderDetailsItems = ({ details, lines, ...state }: OrderDetailsItemsProps) =>
  details && <DetailItems rows={detailRows(details, lines, state)} />

/** The most asked for of it, before paying: how and when it arrives, for whom, and under which numbers of the buyer. */
export function OrderDetailsSummary({ details }: Pick<OrderDetailsItemsProps, 'details'>) {
  const short = details && { ...details, billTo: null, partNumbers: [] }
  return <OrderDetailsItems details={short} lines={[]} />
}

const DetailItems = ({ rows }: { rows: DetailRow[] }) =>
  rows.map(({ name, text, isCode }) => (
    <DescriptionItem key={`${name} ${text}`} name={name}>
      <span className={isCode ? 'figures' : 'whitespace-pre-line'}>{text}</span>
    </DescriptionItem>
  ))
