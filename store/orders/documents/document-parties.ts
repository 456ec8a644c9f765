import { shopDay } from '#shared/shop-day.ts'
import type { OrderDetails } from '#store/orders/details/contract.ts'
import type { OrderRow } from '#store/orders/rules.ts'
import type { DocumentData } from './document-data.ts'

/** What a document of an order says besides rows, amounts, number and payment. */
export function documentParties(
  order: OrderRow,
  details: OrderDetails | null,
): Pick<DocumentData, 'order' | 'currency' | 'buyer' | 'deliverTo' | 'delivery' | 'poNumber' | 'buyerReference' | 'tax'> {
  const { kind = 'none', sentence = null, pricesIncludeTax = false } = order.taxTerms ?? {}
  return {
    order: { number: order.number, placedOn: shopDay(new Date(order.placedAt)) },
    currency: order.currency,
    buyer: {
      name: details?.name ?? order.buyerName,
      company: details?.company ?? null,
      vatId: details?.vatId ?? null,
      address: details ? (details.billTo ?? details.deliverTo) : null,
      addressText: details ? null : order.buyerAddress,
    },
    deliverTo: details && { name: details.name, address: details.deliverTo },
    delivery: details?.deliveryMethod ? { earliest: details.deliveryMethod.earliest, latest: details.deliveryMethod.latest } : null,
    poNumber: details?.poNumber ?? null,
    buyerReference: details?.buyerReference ?? null,
    tax: { kind, sentence, pricesIncludeTax },
  }
}
