import type { PostalAddress } from '#shared/postal-address.ts'
import type { OrderDetails, StructuredAddress } from '#store/orders/details/contract.ts'
import { normalizeVatId } from '#store/tax/vat-id.ts'
import type { ComputedCharges } from './charges.ts'
import type { CheckoutInput } from './place-checkout.ts'

/** A field that was left empty is one that was not sent. */
export function withoutBlanks(typed: CheckoutInput): CheckoutInput {
  const { company, vatId, poNumber, buyerReference, deliveryMethod, partNumbers = [] } = typed
  return {
    ...typed,
    company: company || undefined,
    vatId: (vatId && normalizeVatId(vatId)) || undefined,
    poNumber: poNumber || undefined,
    buyerReference: buyerReference || undefined,
    deliveryMethod: deliveryMethod || undefined,
    partNumbers: partNumbers.filter(({ partNumber }) => partNumber !== ''),
  }
}

/** What is kept of a checkout, as it was typed, with the delivery as it was promised. Of products that are not ordered nothing is kept. */
export function describeDetails(
  body: CheckoutInput,
  { method, lines }: Pick<ComputedCharges, 'method'> & { lines: { productId: string }[] },
): OrderDetails {
  const { name, deliverTo, billTo, company, vatId, poNumber, buyerReference, partNumbers = [] } = body
  return {
    name,
    deliverTo: toStructuredAddress(deliverTo),
    billTo: billTo ? toStructuredAddress(billTo) : null,
    company: company ?? null,
    vatId: vatId ?? null,
    poNumber: poNumber ?? null,
    buyerReference: buyerReference ?? null,
    deliveryMethod: method && {
      id: method.id,
      name: method.name,
      carrier: method.carrier,
      earliest: method.earliest,
      latest: method.latest,
    },
    partNumbers: [...new Map(partNumbers.map((one) => [one.productId, one])).values()].filter(({ productId }) =>
      lines.some((line) => line.productId === productId),
    ),
  }
}

const toStructuredAddress = ({ country, line1, line2, city, postalCode, state }: PostalAddress): StructuredAddress => ({
  country,
  line1,
  city,
  ...(line2 && { line2 }),
  ...(postalCode && { postalCode }),
  ...(state && { state }),
})
