import { cardWords, type Order } from '#store/orders/contract.ts'
import { OrderedPart } from '#store/orders/screens/ordered-part.tsx'
import { Bill, Sum } from '#web/bill.tsx'
import { CopyButton } from '#web/copy-button.tsx'
import { Fact, Facts } from '#web/facts.tsx'
import { LongWord } from '#web/long-word.tsx'
import { Amount, Dollars, GroupedDigits } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { When } from '#web/when.tsx'

/** A receipt to keep: who sold what to whom, for how much, and how it was paid. On paper it is one sheet. */
export function ReceiptSheet({ order }: { order: Order }) {
  const left = order.productCost * 100 - order.refundedCents
  return (
    <Panel
      as="article"
      look="raised"
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
            <When at={order.paidAt ?? order.placedAt} />
          </span>
        </p>
      </div>
      <div className="flex flex-col gap-3">
        <OrderedPart order={order} />
        <Bill>
          <Sum
            of={
              <>
                <GroupedDigits number={order.productQuantity} /> x <Dollars amount={order.productCost / order.productQuantity} />
              </>
            }
          >
            <Dollars amount={order.productCost} />
          </Sum>
          <Sum of="Total paid" final>
            <Dollars amount={order.productCost} />
          </Sum>
          {order.refundedCents > 0 && (
            <>
              <Sum of="Refunded">
                -<Amount amountCents={order.refundedCents} />
              </Sum>
              <Sum of="Paid after the refund" final>
                <Amount amountCents={left} />
              </Sum>
            </>
          )}
        </Bill>
      </div>
      <Facts>
        <Fact name="Ordered">
          <When at={order.placedAt} />
        </Fact>
        {order.paidAt && (
          <Fact name="Paid">
            <When at={order.paidAt} />
            {order.card && `, ${cardWords(order.card)}`}
          </Fact>
        )}
        <Fact name="Buyer">
          {order.buyerName},{' '}
          <span className="inline-block max-w-full">
            <LongWord>{order.buyerEmail}</LongWord>
          </span>
        </Fact>
        <Fact name="Delivery address">
          <span className="whitespace-pre-line">{order.buyerAddress}</span>
        </Fact>
      </Facts>
      <div className="flex flex-wrap items-center gap-x-3 border-t border-line pt-4">
        <p>
          TransectionID: <span className="figures break-all select-all">{order.transectionId}</span>
        </p>
        {order.transectionId && <CopyButton label="transaction id" text={order.transectionId} />}
      </div>
    </Panel>
  )
}
