import type { Purchase } from '#store/orders/contract.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { DescriptionItem } from '#web/description-list.tsx'

/** Who ordered, and where it goes: two items of a description list. */
export const BuyerAndAddress = ({ order }: { order: Pick<Purchase, 'buyerName' | 'buyerEmail' | 'buyerAddress'> }) => (
  <>
    <DescriptionItem name="Buyer">
      {order.buyerName},{' '}
      <span className="inline-block max-w-full">
        <BreakableText>{order.buyerEmail}</BreakableText>
      </span>
    </DescriptionItem>
    <DescriptionItem name="Delivery address">
      <span className="whitespace-pre-line">{order.buyerAddress}</span>
    </DescriptionItem>
  </>
)
