import {
  addressOmittedText,
  addressText,
  buyerGreeting,
  type OrderEmailContent,
  type OrderEmailContext,
} from '#store/orders/email-context.ts'
import { partNumberLines, poNumberText } from '#store/orders/email-texts.ts'
import { parcelInvoiceText } from '#store/orders/on-account/emails.ts'
import { formatItem, formatItems, type Order } from '#store/orders/order-contract.ts'
import { carrierText } from './carriers.ts'
import type { Shipment } from './contract.ts'

/** The mail about one shipment: what is in it, who brings it, and what of the order is still to come. */
export function sentEmail(about: OrderEmailContext): OrderEmailContent {
  const { order, lines, whole, details, repeats, shipment, orderPage } = about
  if (!shipment) throw new Error(`Order ${order.number} has no shipment that this mail is about`)
  const sent = shipment.lines.flatMap(({ _id, quantity }) =>
    lines.filter((line) => line._id === _id).map((line) => ({ ...line, quantity })),
  )
  const rest = leftAfter(shipment, whole)
  const carried = carrierText(shipment)
  return {
    subject: `Order ${order.number}: ${rest.length === 0 && shipment.number === 1 ? 'it is on its way' : `parcel ${shipment.number} is on its way`}`,
    paragraphs: [
      `${buyerGreeting(order)} ${formatItems(sent)} of your order ${order.number} ${sent.length === 1 && sent[0]?.quantity === 1 ? 'is' : 'are'} on the way${carried ? ` with ${carried}` : ''}.`,
      sent.map((line) => [formatItem(line), ...partNumberLines(line)].join('\n')).join('\n'),
      rest.length > 0 ? `Still to come: ${formatItems(rest)}. We write again when it is sent.` : 'With this, all of your order is sent.',
      ...(shipment.trackingUrl ? [`How it stands with the carrier: ${shipment.trackingUrl}`] : []),
      ...parcelInvoiceText(about),
      ...poNumberText(details, repeats),
      repeats(order.buyerAddress) ? addressText(order, details) : addressOmittedText(order),
    ],
    action: { words: 'Show the order', url: orderPage },
  }
}

/** What was left of an order when a shipment was sent: also what later ones have in them by now. */
const leftAfter = ({ number }: Shipment, { lines, shipments }: Order): { productName: string; quantity: number }[] => {
  const later = shipments.filter((shipment) => shipment.number > number).flatMap((shipment) => shipment.lines)
  return lines
    .map(({ _id, productName, toSend }) => ({
      productName,
      quantity: later.reduce((sum, line) => sum + (line._id === _id ? line.quantity : 0), toSend),
    }))
    .filter(({ quantity }) => quantity > 0)
}
