import { formatCents, lineTotal } from '#shared/money.ts'
import { costParts, costRows } from './cost-rows.ts'
import type { OrderDetails } from './details/contract.ts'
import { detailRows } from './details/detail-rows.ts'
import { formatItem, formatItems, type Order } from './order-contract.ts'
import type { LineRow } from './rules.ts'

/* What mails say of the lines of an order, of its costs and of what was typed at its checkout. */

/** What an order costs, a line for each row. */
export const costTexts = (order: Order): string[] => [
  ...costRows(order).map(({ label, amountCents }) => `${label}: ${formatCents(amountCents)}`),
  ...(order.taxSentence ? [order.taxSentence] : []),
]

/** The same as a paragraph, where the total is not the sum of the lines. */
export const costText = (order: Order): string[] => (costParts(order).length > 0 ? [costTexts(order).join('\n')] : [])

/**
 * What was typed at the checkout, as a paragraph.
 * @param isAll false: only what the buyer has not typed, for an address that may be somebody else's
 */
export function detailsText(details: OrderDetails | null, { lines }: Order, { isAll }: { isAll: boolean }): string[] {
  if (!details) return []
  const nothingTyped = { billTo: null, company: null, vatId: null, poNumber: null, buyerReference: null, partNumbers: [] }
  const rows = detailRows(isAll ? details : { ...details, ...nothingTyped }, lines)
  const texts = rows.map(({ name, text }) => `${name}:${text.includes('\n') ? '\n' : ' '}${text}`)
  return texts.length > 0 ? [texts.join('\n')] : []
}

export const reductionLines = ({ reductionCents, reductionReason }: LineRow): string[] =>
  reductionCents > 0 ? [`less ${formatCents(reductionCents)} by the code ${reductionReason}`] : []
export const partNumberLines = ({ brand, mpn }: LineRow): string[] => (mpn ? [`Part number: ${brand ? `${brand} ` : ''}${mpn}`] : [])

/** The lines that were not cancelled before the order was paid. */
export const inTotal = (lines: LineRow[]): LineRow[] => lines.filter(({ isReleased }) => !isReleased)
/** The lines that were not cancelled while the order goes on. */
export const left = (lines: LineRow[]): LineRow[] => lines.filter(({ cancelled, quantity }) => cancelled < quantity)

/** The part number of the one product, or every line of an order of several. */
export const productLines = (lines: LineRow[]): string[] => {
  const [only, ...others] = lines
  if (only && others.length === 0) return [...reductionLines(only), ...partNumberLines(only)]
  return [
    lines
      .map((line) =>
        [
          `${formatItem(line)}, ${formatCents(lineTotal(line.unitPriceCents, line.quantity))}`,
          ...reductionLines(line),
          ...partNumberLines(line),
        ].join('\n'),
      )
      .join('\n'),
  ]
}

/** For subjects, where a long product name would push the amount out of view. */
export const formatItemsShort = (lines: LineRow[]): string => {
  const items = lines.length > 1 ? `${lines.length} products` : formatItems(lines)
  return items.length > 50 ? `${items.slice(0, 47).trimEnd()}...` : items
}
