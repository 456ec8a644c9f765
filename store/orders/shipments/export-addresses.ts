import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { products } from '#store/catalogue/table.ts'
import { knownWeight } from '#store/delivery/find-delivery-options.ts'
import { findDeliverySetup } from '#store/delivery/rules.ts'
import { formatCsvRow } from '#store/imports/csv.ts'
import { orderDetails } from '#store/orders/details/table.ts'
import { orderLines, orders, payments } from '#store/orders/table.ts'
import { hasLeftToSend, leftToSend } from './left-to-send.ts'
import { isOfList } from './to-send.ts'

const columns = [
  ...['order_number', 'name', 'company', 'address_1', 'address_2', 'postal_code', 'city', 'state', 'country', 'phone', 'email'],
  ...['weight_g', 'method', 'reference'],
]

const ordersPerQuery = 500

/**
 * The addresses of the orders that are to be sent now, oldest first, as rows of a CSV file with its header.
 * @param orderIds these orders alone; undefined: all
 */
export async function* exportAddresses(db: Database, orderIds: string[] | undefined): AsyncGenerator<string> {
  yield formatCsvRow(columns)
  const { settings } = await findDeliverySetup(db)
  for (let after = 0; ; ) {
    const page = await findAddresses(db, orderIds, after)
    const weights = await findWeights(
      db,
      page.map(({ _id }) => _id),
      settings.unknownWeightGrams,
    )
    yield page.map((order) => formatCsvRow(addressCells(order, weights.get(order._id) ?? null))).join('')
    const last = page.at(-1)
    if (!last || page.length < ordersPerQuery) return
    after = last.number
  }
}

type AddressedOrder = Awaited<ReturnType<typeof findAddresses>>[number]

const findAddresses = (db: Database, orderIds: string[] | undefined, after: number) =>
  db
    .select({
      _id: orders._id,
      number: orders.number,
      name: sql<string>`coalesce(${orderDetails.name}, ${orders.buyerName})`,
      company: orderDetails.company,
      deliverTo: orderDetails.deliverTo,
      buyerAddress: orders.buyerAddress,
      country: orders.country,
      phone: orders.phoneNumber,
      email: orders.buyerEmail,
      method: sql<string | null>`${orderDetails.deliveryMethod} ->> 'name'`,
      reference: sql<string | null>`coalesce(${orderDetails.poNumber}, ${orderDetails.buyerReference})`,
    })
    .from(orders)
    .leftJoin(payments, eq(payments._id, orders.paymentId))
    .leftJoin(orderDetails, eq(orderDetails.orderId, orders._id))
    .where(and(hasLeftToSend, isOfList('ready'), gt(orders.number, after), orderIds && inArray(orders._id, orderIds)))
    .orderBy(asc(orders.number))
    .limit(ordersPerQuery)

/** An address that was typed as one text has its first line as such, and the others as the second. */
function addressCells({ number, deliverTo, buyerAddress, ...order }: AddressedOrder, grams: number | null): string[] {
  const [first = '', ...others] = buyerAddress.split('\n').filter((line) => line.trim() !== '' && line !== order.name)
  const address = deliverTo
    ? [deliverTo.line1, deliverTo.line2, deliverTo.postalCode, deliverTo.city, deliverTo.state, deliverTo.country]
    : [first, others.join(', '), '', '', '', order.country]
  return [`${number}`, order.name, order.company, ...address, order.phone, order.email, grams, order.method, order.reference].map((cell) =>
    `${cell ?? ''}`.replace(/\s*\n\s*/g, ', '),
  )
}

/** What is left to send of each order weighs so many grams; none where a weight is not known. */
async function findWeights(db: Database, orderIds: string[], unknownGrams: number | null): Promise<Map<string, number>> {
  const lines = await db
    .select({ orderId: orderLines.orderId, category: products.category, weightGrams: products.weightGrams, pieces: leftToSend })
    .from(orderLines)
    .innerJoin(orders, eq(orders._id, orderLines.orderId))
    .innerJoin(products, eq(products._id, orderLines.toolId))
    .where(inArray(orderLines.orderId, orderIds))
  const weights = new Map<string, number>()
  for (const [orderId, ofOrder] of Map.groupBy(lines, ({ orderId }) => orderId)) {
    const grams = ofOrder.filter(({ pieces }) => pieces > 0).map((line) => (knownWeight(line) ?? unknownGrams ?? Number.NaN) * line.pieces)
    const sum = grams.reduce((total, each) => total + each, 0)
    if (!Number.isNaN(sum)) weights.set(orderId, sum)
  }
  return weights
}
