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
import { formatReturnNumber } from '#store/orders/returns/return-reasons.ts'
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
  const ofReturn = shipment.returnNumber === undefined ? undefined : formatReturnNumber(shipment.returnNumber)
  return {
    subject: `Order ${order.number}: ${ofReturn ? `return ${ofReturn} is on its way back to you` : rest.length === 0 && whole.shipments.length <= 1 ? 'it is on its way' : `parcel ${shipment.number} is on its way`}`,
    paragraphs: [
      `${buyerGreeting(order)} ${formatItems(sent)} of your ${ofReturn ? `return ${ofReturn} of ` : ''}order ${order.number} ${sent.length === 1 && sent[0]?.quantity === 1 ? 'is' : 'are'} on the way${carried ? ` with ${carried}` : ''}.`,
      sent.map((line) => [formatItem(line), ...partNumberLines(line)].join('\n')).join('\n'),
      ofReturn
        ? 'It costs you nothing.'
        : rest.length > 0
          ? `Still to come: ${formatItems(rest)}. We write again when it is sent.`
          : 'With this, all of your order is sent.',
      ...(ofReturn ? [] : parcelInvoiceText(about)),
      ...poNumberText(details, repeats),
      repeats(order.buyerAddress) ? addressText(order, details) : addressOmittedText(order),
    ],
    action: { words: 'Show the order', url: orderPage },
    links: trackingLinks(shipment),
  }
}

/** What was left of an order when a shipment was sent: also what later ones have in them by now. */
const leftAfter = ({ number }: Shipment, { lines, shipments }: Order): { productName: string; quantity: number }[] => {
  const later = shipments
    .filter((shipment) => shipment.number > number && shipment.returnNumber === undefined)
    .flatMap((shipment) => shipment.lines)
  return lines
    .map(({ _id, productName, toSend }) => ({
      productName,
      quantity: later.reduce((sum, line) => sum + (line._id === _id ? line.quantity : 0), toSend),
    }))
    .filter(({ quantity }) => quantity > 0)
}

const trackingLinks = ({ trackingUrl }: Shipment) => (trackingUrl ? [{ words: 'How it stands with the carrier', url: trackingUrl }] : [])

/** The mail about another carrier or tracking number than a mail has said before. */
export function trackingChangedEmail({ order, details, repeats, shipment, orderPage }: OrderEmailContext): OrderEmailContent {
  if (!shipment) throw new Error(`Order ${order.number} has no shipment that this mail is about`)
  const carried = carrierText(shipment)
  const parcel = `parcel ${shipment.number} of your order ${order.number}`
  return {
    subject: `Order ${order.number}: ${carried ? `parcel ${shipment.number} is on its way with ${carried}` : `parcel ${shipment.number} has no tracking number`}`,
    paragraphs: [
      carried
        ? `${buyerGreeting(order)} ${parcel} is on the way with ${carried}. What we told you before about carrier or tracking number was not right.`
        : `${buyerGreeting(order)} ${parcel} cannot be followed: the carrier and the tracking number that we told you were not right.`,
      ...poNumberText(details, repeats),
    ],
    action: { words: 'Show the order', url: orderPage },
    links: trackingLinks(shipment),
  }
}

/** The mail about a parcel that was not sent, though a mail has said so. */
export const takenBackEmail = ({ order, line, details, repeats, orderPage }: OrderEmailContext): OrderEmailContent => ({
  subject: `Order ${order.number}: not on its way yet`,
  paragraphs: [
    `${buyerGreeting(order)} we told you that ${line.items ?? 'a parcel'} of your order ${order.number} is on the way. That was too early: it is still to be sent. We write again when it is.`,
    ...poNumberText(details, repeats),
  ],
  action: { words: 'Show the order', url: orderPage },
})
