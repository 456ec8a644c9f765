import { and, eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { shopDay } from '#shared/shop-day.ts'
import { isVisibleSql, type Viewer } from '#store/orders/buyer.ts'
import { findDetailsOfOrder } from '#store/orders/details/rules.ts'
import { invoiceAmounts } from '#store/orders/documents/document-data.ts'
import { documentParties } from '#store/orders/documents/document-parties.ts'
import { renderInWorker } from '#store/orders/documents/render-in-worker.ts'
import { findSeller } from '#store/orders/documents/seller.ts'
import { findOrderIdOfLine, orderNotFoundError } from '#store/orders/order-queries.ts'
import { creditorReference, formatIban } from '#store/orders/payment-methods/iban.ts'
import { findBankAccount } from '#store/orders/payment-methods/rules.ts'
import { findOrderLines } from '#store/orders/rules.ts'
import { orders } from '#store/orders/table.ts'

/**
 * A pro forma invoice of an order that is not paid: what its invoice will say, outside of the series of numbers, with where to transfer to. It is
 * made anew each time and kept nowhere.
 * @throws {HttpError} 404 no such order of the viewer; 409 it is paid or has ended, or nobody has said who sells
 */
export async function renderProForma(db: Database, viewer: Viewer, id: string): Promise<{ name: string; pdf: Uint8Array }> {
  const orderId = await findOrderIdOfLine(db, id)
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders._id, orderId), isVisibleSql(viewer)))
  if (!order) throw orderNotFoundError()
  if (order.orderStatus !== 'open')
    throw new HttpError(409, 'This order does not wait for money: what is paid has an invoice', undefined, { code: 'order_not_open' })
  const seller = await findSeller(db)
  if (!seller) throw new HttpError(409, 'The shop has not said yet who sells: the amount and the account stand on the page of the order')
  const account = await findBankAccount(db)
  const [details, lines] = [await findDetailsOfOrder(db, orderId), await findOrderLines(db, orderId)]
  const number = `PF-${order.number}`
  const { pdf } = await renderInWorker({
    ...{ kind: 'pro forma', number, issuedOn: shopDay(new Date()), corrects: null, seller },
    ...documentParties(order, details),
    ...invoiceAmounts(order, lines, details?.partNumbers ?? []),
    payment: {
      ...{ card: null, paidOn: shopDay(new Date(order.holdUntil)) },
      transfer: account && {
        ...{ holder: account.holder, iban: formatIban(account.iban), bic: account.bic, bankName: account.bankName },
        reference: creditorReference(order.number),
      },
    },
  })
  return { name: `${number}.pdf`, pdf }
}
