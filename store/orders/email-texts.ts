import { formatCents } from '#shared/money.ts'
import { formatPostalAddress } from '#shared/postal-address.ts'
import { isFullName } from '#store/identity/account-fields.ts'
import { hasTelephoneNumber, isNameInMails } from '#store/identity/emails.ts'
import { chargedCentsOf, costParts, costRows, listedLineCents, reductionShareText } from './cost-rows.ts'
import type { OrderDetails } from './details/contract.ts'
import { detailRows } from './details/detail-rows.ts'
import type { DueEmail } from './email-limits.ts'
import { formatItem, formatItems, type Order } from './order-contract.ts'
import type { LineRow } from './rules.ts'

/* What mails say of the lines of an order, of its costs and of what was typed at its checkout. */

/** What an order costs, a line for each row. */
export const costTexts = (order: Order, details: OrderDetails | null): string[] => [
  ...costRows(order, details).map((row) => {
    const cents = chargedCentsOf(row)
    return `${row.label}: ${cents === undefined ? 'free' : formatCents(cents)}`
  }),
  ...(order.taxSentence ? [order.taxSentence] : []),
]

/** The same as a paragraph, where the total is not the sum of the lines. */
export const costText = (order: Order, details: OrderDetails | null): string[] =>
  costParts(order, details).length > 0 ? [costTexts(order, details).join('\n')] : []

/** Whether a mail may repeat a text that was typed with the order. */
export type RepeatsTyped = (text: string) => boolean

/**
 * A verified address is sent all of it. Another one may be somebody else's: of an order that is not paid it is sent nothing, so that nobody writes
 * to strangers by ordering, and of a paid one the short fields of the checkout, as far as they have no way to contact whoever has typed them: no
 * link and no telephone number. Numbers in one word, such as a PO number, and the postal codes are none.
 */
export function repeatsTyped(order: { verified: boolean; isPaid: boolean; details: OrderDetails | null }): RepeatsTyped {
  if (order.verified) return () => true
  const { isPaid, details } = order
  if (!isPaid || !details) return () => false
  const postalCodes = [details.deliverTo, details.billTo].flatMap((address) => address?.postalCode || [])
  return (text) => {
    const lines = (text.includes('\n') ? postalCodes.reduce(withoutLast, text) : text).split('\n') // an address has several lines
    return hasNoWebAddress(text) && (isOneWord(text) || !lines.some(hasTelephoneNumber))
  }
}

/** A web address is one word, whatever invisible characters it has in it, and no name has one. */
const hasNoWebAddress = (text: string): boolean =>
  text
    .replace(/\p{Cf}/gu, '')
    .split(/\s+/)
    .every((word) => word === '' || isFullName(word))

/** Only the last one: what else is like the postal code stands in a line that may be a message. */
function withoutLast(text: string, part: string): string {
  const start = text.lastIndexOf(part)
  return start === -1 ? text : text.slice(0, start) + text.slice(start + part.length)
}

const isOneWord = (text: string): boolean => /^[\p{L}\p{N}/_.-]+$/u.test(text)

/** What was typed at the checkout, as a paragraph. */
export function detailsText(
  details: OrderDetails | null,
  { lines }: Order,
  repeats: RepeatsTyped,
  state: { awaitsTransfer?: boolean } = {},
): string[] {
  if (!details) return []
  const { billTo, company, vatId, poNumber, buyerReference, partNumbers } = details
  const kept = (text: string | null) => (text !== null && repeats(text) ? text : null)
  const said = {
    billTo: billTo !== null && repeats(formatPostalAddress(billTo).join('\n')) ? billTo : null,
    ...{ company: kept(company), vatId: kept(vatId), poNumber: kept(poNumber), buyerReference: kept(buyerReference) },
    partNumbers: partNumbers.filter(({ partNumber }) => repeats(partNumber)),
  }
  const rows = detailRows({ ...details, ...said }, lines, state)
  const texts = rows.map(({ name, text }) => `${name}:${text.includes('\n') ? '\n' : ' '}${text}`)
  return texts.length > 0 ? [texts.join('\n')] : []
}

/** Somebody else of the buyer's company. A name from before the rules for names may hold a message, so it is left out. */
export const memberName = (name: string): string => (isNameInMails(name) ? `${name} of your company` : 'somebody of your company')

type PaidOrder = Pick<DueEmail, 'order' | 'payerId'> & { whole: Order }

/** Whether it was surely the buyer, and not another member of their company. */
export const isBuyersPayment = ({ order: { buyerId, companyId }, payerId }: Omit<PaidOrder, 'whole'>): boolean =>
  buyerId === null || companyId === null || payerId === buyerId

/** The payment of an order, before its buyer. */
export const paymentText = (paid: PaidOrder): string => (isBuyersPayment(paid) ? 'your payment' : 'the payment')

/** Where money goes back to. */
export function cardText(paid: PaidOrder): string {
  const { paidBy, paymentMethod } = paid.whole
  if (paymentMethod === 'bank_transfer') return 'the account that it was transferred from'
  if (paidBy) return `the card that ${memberName(paidBy.name)} paid with`
  return isBuyersPayment(paid) ? 'the card that you paid with' : 'the card that it was paid with'
}

export const replacesText = ({ replaces }: Order): string[] =>
  replaces.map((number) => `It replaces order ${number}, which was not paid and asked for some of the same. Order ${number} is cancelled.`)

export const poNumberText = (details: OrderDetails | null, repeats: RepeatsTyped): string[] =>
  details?.poNumber && repeats(details.poNumber) ? [`PO number: ${details.poNumber}`] : []

export const partNumberLines = ({ brand, mpn }: LineRow): string[] => (mpn ? [`Part number: ${brand ? `${brand} ` : ''}${mpn}`] : [])

/** The lines that were not cancelled before the order was paid. */
export const inTotal = (lines: LineRow[]): LineRow[] => lines.filter(({ isReleased }) => !isReleased)
/** The lines with the pieces that were not cancelled while the order goes on. */
export const left = (lines: LineRow[]): LineRow[] =>
  lines.map((line) => ({ ...line, quantity: line.quantity - line.cancelled })).filter(({ quantity }) => quantity > 0)

/** For an order of several lines. */
export const reductionShareLines = (line: LineRow): string[] => {
  const share = reductionShareText(line)
  return share === null ? [] : [`with ${share}`]
}

/** The part number of the one product, or every line of an order of several. */
export const productLines = (lines: LineRow[]): string[] => {
  const [only, ...others] = lines
  if (only && others.length === 0) return partNumberLines(only)
  return [
    lines
      .map((line) =>
        [`${formatItem(line)}, ${formatCents(listedLineCents(line))}`, ...reductionShareLines(line), ...partNumberLines(line)].join('\n'),
      )
      .join('\n'),
  ]
}

/** For subjects, where a long product name would push the amount out of view. */
export const formatItemsShort = (lines: LineRow[]): string => {
  const items = lines.length > 1 ? `${lines.length} products` : formatItems(lines)
  return items.length > 50 ? `${items.slice(0, 47).trimEnd()}...` : items
}
