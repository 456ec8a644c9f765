import type { TrackingRow } from './carrier-files-contract.ts'
import {
  type Carrier,
  carriers,
  carrierText,
  findCarrier,
  isTrackingNumber,
  maxTrackingCharacters,
  plainTrackingNumber,
  trackingNumberFault,
  trackingNumberWarning,
} from './carriers.ts'
import type { TypedTracking } from './tracking-file.ts'

/* What becomes of a row of a carrier's file of tracking numbers. */

/** What is known of an order that a row names. */
export type OrderToTrack = {
  _id: string
  /** why nothing of it can be sent now, in words; null where something can */
  whyNot: string | null
  /** of the delivery that the buyer has chosen */
  carrier: string | null
  shipments: { _id: string; number: number; carrier: Carrier | null; trackingNumber: string | null }[]
}

export type PlannedRow = TrackingRow & { orderId: string | null; shipmentId: string | null }

const maxOrderCharacters = 40

/** The number in "1001", "#1001" or "Order 1001". */
export const orderNumberOf = (typed: string): number | undefined => {
  const plain = typed.trim()
  if (plain.length > maxOrderCharacters) return undefined // the time that the pattern takes grows with the square of the spaces
  const [, digits] = /^(?:order\s*)?(?:no\.?\s*)?#?\s*(\d{1,9})$/i.exec(plain) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/**
 * Decides for each row of a file.
 * @param orders by number @param carrier of the rows that name none
 */
export function planRows(rows: TypedTracking[], orders: Map<number, OrderToTrack>, carrier: Carrier | undefined): PlannedRow[] {
  const ofOrders = new Map([...Map.groupBy(rows, ({ order }) => orderNumberOf(order))].map(([number, same]) => [number, summarize(same)]))
  return rows.map((row) => {
    const number = orderNumberOf(row.order)
    return planRow(row, number === undefined ? undefined : orders.get(number), { beside: ofOrders.get(number), carrier })
  })
}

/** The rows of one order that have a tracking number: the first one, and the first one that has another tracking number than it. */
type RowsOfOrder = { first: TypedTracking | undefined; trackingNumber: string; other: TypedTracking | undefined }

function summarize(rows: TypedTracking[]): RowsOfOrder {
  const numbered = rows.filter((row) => plainTrackingNumber(row.trackingNumber) !== '')
  const [first] = numbered
  const trackingNumber = plainTrackingNumber(first?.trackingNumber ?? '')
  return { first, trackingNumber, other: numbered.find((row) => plainTrackingNumber(row.trackingNumber) !== trackingNumber) }
}

type Beside = { beside: RowsOfOrder | undefined; carrier: Carrier | undefined }

function planRow(typed: TypedTracking, order: OrderToTrack | undefined, { beside, carrier }: Beside): PlannedRow {
  const trackingNumber = plainTrackingNumber(typed.trackingNumber)
  const row = {
    row: typed.row,
    order: typed.order,
    trackingNumber,
    carrier: null,
    warning: null,
    orderId: order?._id ?? null,
    shipmentId: null,
  }
  const refused = (text: string): PlannedRow => ({ ...row, action: 'refused', text })
  if (orderNumberOf(typed.order) === undefined)
    return refused(typed.order === '' ? 'The row names no order' : 'This is no number of an order')
  if (!order) return refused('There is no such order')
  if (trackingNumber === '') return refused('The row has no tracking number')
  if (/^\d([.,]\d+)?E\+\d+$/.test(trackingNumber))
    return refused('A spreadsheet has rounded this number: format the column as text, and save the file again')
  if (trackingNumber.length > maxTrackingCharacters || !isTrackingNumber(trackingNumber))
    return refused('This is no tracking number: it has letters, digits and dashes')
  const known = order.shipments.find((shipment) => shipment.trackingNumber === trackingNumber)
  if (known) return { ...row, carrier: known.carrier, action: 'nothing', text: `Parcel ${known.number} has this number already` }
  const further = beside?.trackingNumber === trackingNumber ? beside.other : beside?.first
  if (further) return refused(`Ambiguous: row ${further.row} has another number for this order. Type them on the page of the order`)
  const first = beside?.first
  if (first && first !== typed) return { ...row, action: 'nothing', text: `The same as row ${first.row}` }
  return planForOrder(typed, order, { row, carrier, refused })
}

type ForOrder = {
  row: Omit<PlannedRow, 'action' | 'text'>
  carrier: Carrier | undefined
  refused: (text: string) => PlannedRow
}

/** Of a row whose number no parcel of the order has. */
function planForOrder(typed: TypedTracking, order: OrderToTrack, { row, carrier: ofFile, refused }: ForOrder): PlannedRow {
  const { whyNot, shipments } = order
  const without = shipments.filter((shipment) => shipment.trackingNumber === null)
  const [only, ...more] = without
  if (more.length > 0)
    return refused(`Ambiguous: ${without.length} parcels of this order have no tracking number. Type it on the page of the order`)
  if (only && whyNot === null)
    return refused(`Ambiguous: parcel ${only.number} has no tracking number, and more is left to send. Type it on the page of the order`)
  if (!only && whyNot !== null) {
    const tracked = shipments.map(({ number, ...shipment }) => `parcel ${number} has ${carrierText(shipment)}`).join(', ')
    return refused(tracked ? `${whyNot}, and ${tracked} as its tracking number` : whyNot)
  }
  if (typed.carrier !== '' && !findCarrier(typed.carrier))
    return refused(`There is no carrier "${typed.carrier}": it is one of ${carriers.join(', ')}`)
  const carrier = findCarrier(typed.carrier) ?? ofFile ?? only?.carrier ?? findCarrier(order.carrier ?? '')
  if (!carrier) return refused('Say which carrier this number is of: in the row, or for the whole file')
  const fault = trackingNumberFault({ carrier, trackingNumber: row.trackingNumber })
  if (fault) return refused(fault)
  const planned = { ...row, carrier, warning: trackingNumberWarning({ carrier, trackingNumber: row.trackingNumber }) ?? null }
  return only
    ? { ...planned, action: 'fill', text: `Parcel ${only.number} gets this number`, shipmentId: only._id }
    : { ...planned, action: 'send', text: 'All that is left is sent with this number' }
}
