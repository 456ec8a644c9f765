import { formatCard } from '#store/orders/contract.ts'
import { listedLineCents } from '#store/orders/cost-rows.ts'
import type { OrderDetails } from '#store/orders/details/contract.ts'
import { hasEnded } from '#store/orders/screens/order-status-summary.tsx'
import { OrderedProduct } from '#store/orders/screens/ordered-product.tsx'
import { CopyButton } from '#web/copy-button.tsx'
import { DateTime } from '#web/date-time.tsx'
import { DescriptionItem, DescriptionList } from '#web/description-list.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { PriceBreakdownLine, PriceBreakdownList } from '#web/price-breakdown.tsx'
import { BuyerAndAddress } from './buyer-and-address.tsx'
import { type DisplayedOrder, getOnlyLine } from './displayed-order.ts'
import { OrderCosts } from './order-costs.tsx'
import { OrderDetailsItems } from './order-details-items.tsx'
import { OrderLines, QuantityAndPrice } from './order-lines.tsx'

/** The receipt of a paid order. It prints on one page. */
export function ReceiptSheet({ order, details }: { order: DisplayedOrder; details: OrderDetails | null }) {
  const only = getOnlyLine(order)
  return (
    <Panel
      as="article"
      variant="raised"
      aria-label={`Receipt of order ${order.number}`}
      className="flex w-full max-w-read flex-col gap-6 sm:p-8 print:max-w-none print:border-0 print:p-0"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4 border-b border-line pb-6">
        <div className="flex items-center gap-3">
          <img src="/favicon.svg" alt="" width="44" height="44" />
          <p>
            <span className="block text-lg font-semibold">Nucleus of PC</span>
            <span className="block text-sm text-soft">{location.host}</span>
          </p>
        </div>
        <p className="sm:text-right">
          <span className="block text-lg font-semibold">Order {order.number}</span>
          <span className="block text-sm text-soft">
            <DateTime at={order.paidAt ?? order.placedAt} />
          </span>
        </p>
      </div>
      <div className="flex flex-col gap-3">
        {only ? <OrderedProduct order={only} /> : <OrderLines lines={order.lines} />}
        {only && (
          <PriceBreakdownList>
            <PriceBreakdownLine label={<QuantityAndPrice line={only} />}>
              <MoneyAmount amountCents={listedLineCents(only)} />
            </PriceBreakdownLine>
          </PriceBreakdownList>
        )}
        <OrderCosts order={order} details={details} />
      </div>
      <DescriptionList>
        <DescriptionItem name="Ordered">
          <DateTime at={order.placedAt} />
        </DescriptionItem>
        {order.paidAt && (
          <DescriptionItem name="Paid">
            <DateTime at={order.paidAt} />
            {order.card && `, ${formatCard(order.card)}`}
            {order.paidBy && `, by ${order.paidBy.name}` /* whoever pays, too: a printed receipt is read by others */}
          </DescriptionItem>
        )}
        <BuyerAndAddress order={order} />
        <OrderDetailsItems details={details} lines={order.lines} isEnded={hasEnded(order)} />
      </DescriptionList>
      <div className="flex flex-wrap items-center gap-x-3 border-t border-line pt-4">
        <p>
          TransectionID: <span className="figures break-all select-all">{order.transectionId}</span>
        </p>
        {order.transectionId && <CopyButton label="transaction id" text={order.transectionId} />}
      </div>
    </Panel>
  )
}
