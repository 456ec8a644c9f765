import { buyerGreeting, type OrderEmailContent, type OrderEmailContext, storesReason } from '#store/orders/email-context.ts'

/** The mail about a corrected invoice: the history's line of it names the documents. */
export const correctionEmail = ({ order, line, orderPage }: OrderEmailContext): OrderEmailContent => ({
  subject: `Order ${order.number}: its invoice is corrected`,
  paragraphs: [
    `${buyerGreeting(order)} the store has corrected the invoice of your order ${order.number}. ${line.items}.`,
    order.paymentMethod === 'on_account'
      ? 'The amount is the same, and so is the day until which it is to be paid.'
      : 'The amount is the same: there is nothing to pay, and no money goes back.',
    ...storesReason(line),
    'Both documents are PDFs on the page of the order, once they are made.',
  ],
  action: { words: 'Show the documents', url: orderPage },
})
