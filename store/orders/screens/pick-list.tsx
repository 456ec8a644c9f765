import { formatNumber } from '#shared/format-number.ts'
import { formatPieces } from '#shared/format-pieces.ts'
import { type PickedProduct, pickList } from '#store/orders/shipments/packing.ts'
import type { OrderToSend } from '#store/orders/shipments/to-send-contract.ts'
import { Page } from '#web/page.tsx'
import { formatOrderNumbers } from './displayed-order.ts'
import { NothingToPrint, PrintButtons } from './print-buttons.tsx'

/** What is fetched for several orders, by product. */
export function PickList({ orders }: { orders: OrderToSend[] }) {
  const products = pickList(orders)
  if (orders.length === 0)
    return (
      <Page title="Pick List" wide>
        <NothingToPrint />
      </Page>
    )
  const pieces = products.reduce((sum, product) => sum + product.pieces, 0)
  return (
    <Page
      title="Pick List"
      wide
      lead={`${formatPieces(pieces)} of ${formatNumber(products.length)} ${products.length === 1 ? 'product' : 'products'}, for ${formatOrderNumbers(orders.map(({ number }) => number))}`}
    >
      <PrintButtons />
      <table className="w-full max-w-4xl border-collapse text-left">
        <caption className="sr-only">What to fetch, by SKU</caption>
        <thead>
          <tr className="border-b-2 border-line align-bottom text-sm *:py-2 *:pe-4 *:font-semibold">
            <th scope="col">
              <span className="sr-only">Fetched</span>
            </th>
            <th scope="col" className="text-right">
              Pieces
            </th>
            <th scope="col">SKU and product</th>
            <th scope="col">For</th>
          </tr>
        </thead>
        <tbody>
          {products.map((product) => (
            <PickedRow key={product.productId} product={product} />
          ))}
        </tbody>
      </table>
    </Page>
  )
}

function PickedRow({ product: { pieces, sku, productName, brand, mpn, gtin, orders } }: { product: PickedProduct }) {
  return (
    <tr className="break-inside-avoid border-b border-line align-top *:py-2 *:pe-4">
      <td>
        <span aria-hidden="true" className="mt-0.5 inline-block size-4 border-2 border-edge" />
      </td>
      <td className="figures text-right text-lg font-semibold">{formatNumber(pieces)}</td>
      <th scope="row" className="font-normal wrap-anywhere">
        {sku && <span className="figures me-4 font-semibold whitespace-nowrap">{sku}</span>}
        <span className="inline-block">{productName}</span>
        <span className="block text-sm text-soft">
          {[[brand, mpn].filter(Boolean).join(' '), gtin && `GTIN ${gtin}`].filter(Boolean).join(', ')}
        </span>
      </th>
      <td>
        <ul className="text-sm">
          {orders.map((order) => (
            <li key={order.number} className="figures whitespace-nowrap">
              {formatNumber(order.pieces)} for {order.number}
            </li>
          ))}
        </ul>
      </td>
    </tr>
  )
}
