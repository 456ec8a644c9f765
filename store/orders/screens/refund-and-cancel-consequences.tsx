import { formatNumber } from '#shared/format-number.ts'
import { formatItem } from '#store/orders/order-contract.ts'
import { comingOffDelivery } from '#store/orders/unsent-pieces.ts'
import { MoneyAmount } from '#web/money.tsx'
import { cancelledCents, cancelledPieces, lineOf } from './cancelled-amounts.ts'
import type { DisplayedOrder } from './displayed-order.ts'
import type { OrderFormProps } from './refund-and-cancel-forms.tsx'
import type { RefundFormValues } from './refund-form.ts'

type RefundConsequenceProps = Pick<OrderFormProps, 'order' | 'whole'> & { refund: RefundFormValues; sum: string }

/** Where the money of a refund goes, and its pieces. */
export function RefundConsequence({ refund: { amountCents, restock, delivery }, order, whole, sum }: RefundConsequenceProps) {
  const line = whole.lines.find(({ _id }) => _id === order._id)
  const unsent = line ? (amountCents === order.refundable.cents ? line.toSend : comingOffDelivery(line, restock)) : 0
  return (
    <p>
      <span className="figures font-semibold">{sum}</span>
      {delivery && amountCents === 0 && ' for the delivery'}
      {delivery && amountCents > 0 && (
        <>
          , <MoneyAmount amountCents={whole.refundableDeliveryCents} /> of it for the delivery,
        </>
      )}{' '}
      {whole.paymentMethod === 'card' ? `goes back to the card of ${order.buyerName}` : withoutCardTexts[whole.paymentMethod]}, and{' '}
      {formatReturnedPieces(restock)} back into stock.{' '}
      {unsent > 0 &&
        `${unsent === 1 ? '1 piece that is' : `${formatNumber(unsent)} pieces that are`} still to be sent ${unsent === 1 ? 'is' : 'are'} not sent then. `}
      This cannot be undone.
    </p>
  )
}

/** What becomes of the money and the pieces of what is cancelled. */
export function CancelConsequence({ order, whole, receivedCents }: Pick<OrderFormProps, 'order' | 'whole' | 'receivedCents'>) {
  if (receivedCents > 0)
    return (
      <>
        <MoneyAmount amountCents={receivedCents} /> of the money has come, and {withoutCardTexts.bank_transfer}. The pieces go back into
        stock.
      </>
    )
  if (order.state === 'open') return <>Nothing was charged, and {formatReturnedPieces(order.productQuantity)} back into stock.</>
  const { back, delivery } = cancelledCents(order, whole)
  const line = lineOf(order, whole)
  return (
    <>
      {back > 0 ? (
        <>
          <MoneyAmount amountCents={back} /> {cancelledMoneyText(whole)}
          {delivery > 0 && ' with the delivery'}
        </>
      ) : (
        'Its money has gone back before'
      )}
      , and {formatReturnedPieces(cancelledPieces(order, line))} back into stock.
      {line && line.sent > 0 && ` ${formatItem({ ...line, quantity: line.sent })} was sent, and stays paid.`}
    </>
  )
}

/** What becomes of money that goes back to no card. */
const withoutCardTexts = {
  on_account: 'is credited, and no money moves',
  bank_transfer: 'is to be transferred back: the page Bank says where to',
}

const cancelledMoneyText = ({ paymentMethod }: DisplayedOrder): string =>
  paymentMethod === 'card'
    ? "goes back to the buyer's card"
    : paymentMethod === 'on_account'
      ? 'is owed no more'
      : withoutCardTexts.bank_transfer

const formatReturnedPieces = (count: number): string =>
  count === 1 ? '1 piece goes' : `${count === 0 ? 'no' : formatNumber(count)} pieces go`
