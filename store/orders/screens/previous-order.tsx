import { formatNumber } from '#shared/format-number.ts'
import type { ProductDetails } from '#store/catalogue/contract.ts'
import { settleQuantity, unitPriceAt } from '#store/catalogue/settle-quantity.ts'
import { type Purchase, showPurchase } from '#store/orders/contract.ts'
import { showOrder } from '#store/orders/order-contract.ts'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'

/** An order to repeat, with the price of one piece then, before what a discount code took off. */
export type PreviousOrder = Purchase & { unitPriceCents: number }

/** The order to repeat is optional: if it cannot be loaded, the form opens without it. */
export async function loadPreviousOrder(id: string | null): Promise<PreviousOrder | undefined> {
  if (!id) return undefined
  const loading = Promise.all([callApi(showPurchase, { params: { id } }), callApi(showOrder, { params: { id } })])
  const [purchase, order] = (await loading.catch(() => undefined)) ?? []
  const line = order?.lines.find(({ _id }) => _id === purchase?._id)
  return purchase && line && { ...purchase, unitPriceCents: line.unitPriceCents }
}

/** Shows what has changed since the repeated order, so that no price or quantity changes silently. */
export function ChangesSincePreviousOrder({ product, previousOrder }: { product: ProductDetails; previousOrder: PreviousOrder }) {
  const wasCents = previousOrder.unitPriceCents
  const ordered = previousOrder.productQuantity
  const isCents = unitPriceAt(product, settleQuantity(product, ordered).quantity ?? ordered)
  const isSamePrice = wasCents === isCents
  const tooFew = ordered < product.minimum_order_quantity
  const tooMany = ordered > product.available_quantity
  const isBrokenPack = ordered % product.order_multiple !== 0
  if (isSamePrice && !tooFew && !tooMany && !isBrokenPack)
    return (
      <Notice kind="info">
        As in order {previousOrder.number} of <DateTime at={previousOrder.placedAt} />: the price is the same.
      </Notice>
    )
  return (
    <Notice
      kind="warning"
      title={
        <>
          Changed since order {previousOrder.number} of <DateTime at={previousOrder.placedAt} />
        </>
      }
    >
      <ul>
        {!isSamePrice && (
          <li>
            Price: was <MoneyAmount amountCents={wasCents} />, is <MoneyAmount amountCents={isCents} />
          </li>
        )}
        {tooFew && (
          <li>
            Smallest order: you ordered {formatNumber(ordered)}, now {formatNumber(product.minimum_order_quantity)} pieces are the fewest
          </li>
        )}
        {tooMany && (
          <li>
            Stock: you ordered {formatNumber(ordered)}, now {formatNumber(product.available_quantity)} are left
          </li>
        )}
        {isBrokenPack && (
          <li>
            Packs: you ordered {formatNumber(ordered)}, now only packs of {formatNumber(product.order_multiple)} are sold
          </li>
        )}
      </ul>
    </Notice>
  )
}
