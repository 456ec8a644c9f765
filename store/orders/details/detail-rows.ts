import { formatDay } from '#shared/format-day.ts'
import { formatPostalAddress } from '#shared/postal-address.ts'
import type { DeliveryChoice, OrderDetails } from './contract.ts'

// Without zod and database: screens and mails say the same.

/** `text`: an address has a line for each of its own; `isCode`: it is a number or code. */
export type DetailRow = { name: string; text: string; isCode?: boolean }

/**
 * What was typed at the checkout of an order besides products and delivery address, in words.
 * @param lines of the order: of several, each part number is said with its product
 * @param isEnded nothing of the order arrives any more @param awaitsTransfer it is sent once the money is here
 */
export function detailRows(
  details: OrderDetails,
  lines: { productId: string; productName: string }[],
  { isEnded = false, awaitsTransfer = false }: { isEnded?: boolean; awaitsTransfer?: boolean } = {},
): DetailRow[] {
  const { deliveryMethod, billTo, company, vatId, poNumber, buyerReference, partNumbers } = details
  const nameOf = (productId: string) => lines.find((line) => line.productId === productId)?.productName
  const rows: (DetailRow | null)[] = [
    deliveryMethod && { name: 'Delivery', text: isEnded ? methodText(deliveryMethod) : deliveryText(deliveryMethod, awaitsTransfer) },
    billTo && { name: 'Invoice address', text: formatPostalAddress(billTo).join('\n') },
    company ? { name: 'Company', text: company } : null,
    vatId ? { name: 'VAT id', text: vatId } : null,
    poNumber ? { name: 'PO number', text: poNumber } : null,
    buyerReference ? { name: 'Reference', text: buyerReference } : null,
    ...partNumbers.map(({ productId, partNumber }) => ({
      name: 'Own part number',
      text: lines.length > 1 ? `${partNumber}, ${nameOf(productId)}` : partNumber,
      isCode: lines.length === 1,
    })),
  ]
  return rows.filter((row) => row !== null)
}

const methodText = ({ name, carrier }: DeliveryChoice): string => `${name}${carrier && carrier !== name ? `, ${carrier}` : ''}`

/** How an order is delivered, and when it arrives. The buyer has typed nothing of it. */
const deliveryText = (method: DeliveryChoice, awaitsTransfer: boolean): string => {
  const [earliest, latest] = [formatDay(method.earliest), formatDay(method.latest)]
  return `${methodText(method)}, arrives ${earliest === latest ? `on ${earliest}` : `from ${earliest} to ${latest}`}${awaitsTransfer ? ' if the money is here on the day of the order, else so much later' : ''}`
}
