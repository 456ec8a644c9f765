import { formatNumber } from '#shared/format-number.ts'
import { formatPostalAddress } from '#shared/postal-address.ts'
import { type OrderDetails, showOrderDetails } from '#store/orders/details/contract.ts'
import { type Seller, showSeller } from '#store/orders/documents/contract.ts'
import { type Order, showOrder } from '#store/orders/order-contract.ts'
import { carrierText } from '#store/orders/shipments/carriers.ts'
import { parcelAddress } from '#store/orders/shipments/packing.ts'
import type { LineToSend, OrderToSend } from '#store/orders/shipments/to-send-contract.ts'
import { callApi, rethrowAsNotFound } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { OrderedPartNumber } from './ordered-product.tsx'
import { NothingToPrint, PrintButtons } from './print-buttons.tsx'

type SlipLine = Pick<LineToSend, '_id' | 'productName' | 'brand' | 'mpn' | 'sku' | 'partNumber'> & {
  pieces: number
  /** in parcels before this one */
  before: number
}
export type Slip = {
  number: number
  placedAt: string
  address: string
  poNumber: string | null
  buyerReference: string | null
  /** of the parcel, of one that was sent */
  parcel: { number: number; carried: string } | undefined
  lines: SlipLine[]
  rest: number
}

/** @returns null where the owner has not said who sells */
export const loadSeller = async (): Promise<Seller | null> => (await callApi(showSeller, {})).seller

/** @param number of the parcel, within the order @returns nothing where there is no such parcel */
export async function loadSlipOfParcel(id: string, number: number): Promise<Slip[]> {
  const params = { id }
  const [order, { details }] = await Promise.all([callApi(showOrder, { params }), callApi(showOrderDetails, { params })]).catch(
    rethrowAsNotFound,
  )
  return slipOfParcel(order, details, number)
}

export const slipOfOrder = (order: OrderToSend): Slip => ({
  ...order,
  address: parcelAddress(order),
  parcel: undefined,
  lines: order.lines.map((line) => ({ ...line, pieces: line.toSend, before: line.sent })),
  rest: 0,
})

function slipOfParcel(order: Order, details: OrderDetails | null, number: number): Slip[] {
  const shipment = order.shipments.find((each) => each.number === number)
  if (!shipment) return []
  return [
    {
      ...order,
      address: parcelAddress({ recipient: details?.name ?? order.buyerName, buyerAddress: order.buyerAddress }),
      poNumber: details?.poNumber ?? null,
      buyerReference: details?.buyerReference ?? null,
      parcel: { number, carried: carrierText(shipment) },
      lines: shipment.lines.flatMap(({ _id, quantity }) =>
        order.lines
          .filter((line) => line._id === _id)
          .map((line) => ({
            ...line,
            pieces: quantity,
            before: sentBefore(order, number, _id),
            partNumber: details?.partNumbers.find(({ productId }) => productId === line.productId)?.partNumber ?? null,
          })),
      ),
      rest: order.lines.reduce((sum, { toSend }) => sum + toSend, 0),
    },
  ]
}

/** Pieces of a line in the parcels before this one. */
const sentBefore = ({ shipments }: Order, number: number, lineId: string): number =>
  shipments
    .filter((shipment) => shipment.number < number)
    .flatMap(({ lines }) => lines.filter(({ _id }) => _id === lineId))
    .reduce((sum, { quantity }) => sum + quantity, 0)

/** A sheet for each order, or for one parcel: it goes into the box. */
export function PackingSlips({ slips, seller }: { slips: Slip[]; seller: Seller | null }) {
  return (
    <Page title={<span className="print:hidden">{slips.length === 1 ? 'Packing Slip' : 'Packing Slips'}</span>} wide>
      {slips.length === 0 ? (
        <NothingToPrint />
      ) : (
        <>
          <PrintButtons />
          {slips.map((slip) => (
            <SlipSheet key={slip.number} slip={slip} seller={seller} />
          ))}
        </>
      )}
    </Page>
  )
}

type SlipSheetProps = { slip: Slip; seller: Seller | null }

function SlipSheet({ slip: { number, placedAt, address, poNumber, buyerReference, parcel, lines, rest }, seller }: SlipSheetProps) {
  return (
    <Panel
      as="article"
      variant="raised"
      aria-label={`Packing slip of order ${number}`}
      className="flex w-full max-w-read flex-col gap-6 sm:p-8 print:max-w-none print:gap-3 print:break-after-page print:border-0 print:p-0 print:last:break-after-auto"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4 border-b border-line pb-6 print:pb-3">
        <div className="flex items-center gap-3">
          <img src="/favicon.svg" alt="" width="44" height="44" />
          <p>
            <span className="block text-lg font-semibold">Nucleus of PC</span>
            <span className="block text-sm text-soft">Packing slip</span>
            {seller && <span className="block text-sm">{formatPostalAddress(seller, { company: seller.name }).join(', ')}</span>}
          </p>
        </div>
        <p className="sm:text-right">
          <span className="block text-lg font-semibold">
            Order {number}
            {parcel && `, parcel ${parcel.number}`}
          </span>
          <span className="block text-sm text-soft">
            ordered <DateTime at={placedAt} />
          </span>
          {poNumber && <span className="block text-sm">Your number: {poNumber}</span>}
          {buyerReference && <span className="block text-sm">Your reference: {buyerReference}</span>}
          {parcel?.carried && <span className="figures block text-sm">{parcel.carried}</span>}
        </p>
      </div>
      <p className="text-lg whitespace-pre-line">{address}</p>
      <ul aria-label={`In the box of order ${number}`} className="flex flex-col divide-y divide-line border-y border-line">
        {lines.map((line) => (
          <li key={line._id} className="flex items-baseline gap-4 py-2 break-inside-avoid print:py-1">
            <span className="figures min-w-12 text-right text-lg font-semibold">{formatNumber(line.pieces)}</span>
            <div className="min-w-0 break-words">
              <p className="font-semibold">{line.productName}</p>
              <OrderedPartNumber order={line} />
              {line.sku && <p className="figures text-sm text-soft">SKU {line.sku}</p>}
              {line.partNumber && <p className="figures text-sm">Your part number {line.partNumber}</p>}
              {line.before > 0 && <p className="text-sm">{formatNumber(line.before)} sent before</p>}
            </div>
          </li>
        ))}
      </ul>
      {rest > 0 && <p>More of your order follows in another parcel.</p>}
      <p className="text-sm text-soft">
        Something missing or broken? Write to us at {location.host}/help and name order {number}.
      </p>
    </Panel>
  )
}
