import { formatDay } from '#shared/format-day.ts'
import { formatPostalAddress } from '#shared/postal-address.ts'
import { type OrderDetails, showOrderDetails } from '#store/orders/details/contract.ts'
import type { OrderLine } from '#store/orders/order-contract.ts'
import { DescriptionItem } from '#web/description-list.tsx'
import type { OrderAccess } from './order-access.ts'

/** @param id of the order or of one of its lines @returns null of an order that no checkout has placed */
export const loadOrderDetails = async (id: string, access: OrderAccess): Promise<OrderDetails | null> =>
  (await access.call(showOrderDetails, { params: { id } })).details

type OrderDetailsItemsProps = { details: OrderDetails | null; lines: Pick<OrderLine, 'productId' | 'productName'>[] }

/** What was typed at the checkout besides products and address: items of a description list. */
export function OrderDetailsItems({ details, lines }: OrderDetailsItemsProps) {
  if (!details) return null
  const { deliveryMethod, billTo, company, vatId, poNumber, buyerReference, partNumbers } = details
  const texts: [name: string, text: string | null][] = [
    ['Company', company],
    ['VAT id', vatId],
    ['Order number of the buyer', poNumber],
    ['Reference of the buyer', buyerReference],
  ]
  return (
    <>
      {deliveryMethod && (
        <DescriptionItem name="Delivery">
          {deliveryMethod.name}
          {deliveryMethod.carrier && deliveryMethod.carrier !== deliveryMethod.name && `, ${deliveryMethod.carrier}`}, arrives{' '}
          {deliveryMethod.earliest === deliveryMethod.latest
            ? `on ${formatDay(deliveryMethod.earliest)}`
            : `from ${formatDay(deliveryMethod.earliest)} to ${formatDay(deliveryMethod.latest)}`}
        </DescriptionItem>
      )}
      {billTo && (
        <DescriptionItem name="Invoice address">
          <span className="whitespace-pre-line">{formatPostalAddress(billTo).join('\n')}</span>
        </DescriptionItem>
      )}
      {texts.map(
        ([name, text]) =>
          text && (
            <DescriptionItem key={name} name={name}>
              {text}
            </DescriptionItem>
          ),
      )}
      {partNumbers.map(({ productId, partNumber }) => (
        <DescriptionItem key={productId} name="Part number of the buyer">
          <span className="figures">{partNumber}</span>
          {lines.length > 1 && `, ${lines.find((line) => line.productId === productId)?.productName}`}
        </DescriptionItem>
      ))}
    </>
  )
}
