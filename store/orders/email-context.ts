import type { composeEmail } from '#platform/compose-email.ts'
import { formatCents } from '#shared/money.ts'
import { greeting } from '#store/identity/emails.ts'
import type { AwaitedTransfer } from './bank/transfer-emails.ts'
import type { OrderDetails } from './details/contract.ts'
import type { DocumentKind } from './documents/contract.ts'
import type { MailedDocument } from './documents/mailed-documents.ts'
import type { DueEmail } from './email-limits.ts'
import { memberName, type RepeatsTyped } from './email-texts.ts'
import type { Order } from './order-contract.ts'
import type { MailedReturn } from './returns/return-of-event.ts'
import type { LineRow } from './rules.ts'
import type { Shipment } from './shipments/contract.ts'
import type { Withdrawal } from './withdrawals/contract.ts'

/* What the mails about an order are written of, and the sentences that several of them have. */

/** `replacedBy`: the number of the order that has taken its place; `shipment`, `returned` and `withdrawal`: those that the mail is about; `hasDocuments`: what is paid has an invoice, and what goes back a credit note; `seller`: who sells, one line each, null before the shop has said it; `attached`: those of them that go with the mail */
export type ReadOrder = {
  lines: LineRow[]
  whole: Order
  details: OrderDetails | null
  replacedBy: number | undefined
  shipment: Shipment | undefined
  returned: MailedReturn | undefined
  withdrawal: Withdrawal | undefined
  hasDocuments: boolean
  seller: string | null
  attached: MailedDocument[]
  /** undefined: it awaits none */
  transfer: AwaitedTransfer | undefined
}

export type OrderEmailContent = Omit<Parameters<typeof composeEmail>[0], 'to' | 'closing'>
export type OrderEmailContext = DueEmail &
  ReadOrder & {
    /** whether the mail may repeat this text, which was typed with the order */
    repeats: RepeatsTyped
    orderPage: string
    /** of a guest: the same, and opened from the mail */
    mailedPage: string
    paymentPage: string
    /** undefined for an order of several products */
    productPage: string | undefined
    purchasePage: string | undefined
  }

/** Where an order goes, with the name: an address from the checkout begins with that of the recipient. */
export const addressText = ({ buyerName, buyerAddress }: OrderEmailContext['order'], details: OrderDetails | null): string =>
  `Delivery address:\n${buyerAddress.split('\n').includes(details?.name ?? buyerName) ? '' : `${buyerName}\n`}${buyerAddress}`

/** Replaces the text that a buyer typed in emails to an unverified address, which may be somebody else's. */
export const addressOmittedText = ({ buyerId }: OrderEmailContext['order']) =>
  `Name and address for the delivery stand with the order.${buyerId === null ? '' : ' Verify your e-mail on My Profile, and mails say them too, and confirm every order.'}`

/** Whether an order has ended unpaid since what an email is about, such as one that a later order has replaced: then there is nothing to pay. */
export const isOver = ({ orderStatus }: OrderEmailContext['order']): boolean => orderStatus === 'cancelled' || orderStatus === 'expired'

export const buyerGreeting = ({ buyerName }: OrderEmailContext['order']) => greeting({ name: buyerName })
/** The buyer, somebody else of their company who may act as the buyer, or the store. */
export const whoHas = (
  { actor, userId }: OrderEmailContext['line'],
  { buyerId }: OrderEmailContext['order'],
  doerName: string | null,
): string =>
  actor !== 'buyer' ? 'the store has' : userId === null || userId === buyerId ? 'you have' : `${memberName(doerName ?? '')} has`
export const refundDelayText = 'Banks take up to ten days to show it.'
export const storesReason = ({ note, actor }: OrderEmailContext['line']) => (note && actor !== 'buyer' ? [`The store says: ${note}`] : [])
export const formatTotal = ({ totalCents }: OrderEmailContext['order']) => formatCents(totalCents)
/** Where the document is that the mail's event has issued, where the mail itself does not have it. */
export const documentText = (
  { hasDocuments, attached }: Pick<OrderEmailContext, 'hasDocuments' | 'attached'>,
  name: DocumentKind,
): string[] =>
  hasDocuments && attached.every(({ kind }) => kind !== name) ? [`The ${name} is a PDF on the page of the order, once it is made.`] : []
