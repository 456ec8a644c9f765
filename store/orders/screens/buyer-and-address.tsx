import type { Order } from '#store/orders/order-contract.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { DescriptionItem } from '#web/description-list.tsx'

/** Who ordered, and where it goes: two items of a description list. */
type BuyerAndAddressProps = { order: Pick<Order, 'buyerName' | 'buyerEmail' | 'buyerAddress' | 'guest'> }

export const BuyerAndAddress = ({ order }: BuyerAndAddressProps) => (
  <>
    <DescriptionItem name="Buyer">
      {order.buyerName},{' '}
      <span className="inline-block max-w-full">
        <BreakableText>{order.buyerEmail}</BreakableText>
        {order.guest && ' (guest)'}
      </span>
    </DescriptionItem>
    <DescriptionItem name="Delivery address">
      <span className="whitespace-pre-line">{order.buyerAddress}</span>
    </DescriptionItem>
  </>
)
