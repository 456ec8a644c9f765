import { and, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { orderDetails } from '#store/orders/details/table.ts'
import { documents } from '#store/orders/documents/table.ts'
import { maxOrderNumber } from '#store/orders/order-contract.ts'
import { orders } from '#store/orders/table.ts'
import { type Candidate, invoiceNumbers, type OpenParcel, plainNumbers, referencedNumbers } from './find-match.ts'

/** What is still to be paid of an order: a column of `orders`. What went back of it is not asked for again, unless it is on account, where more than is owed goes back. */
export const dueCentsSql = sql<number>`greatest(0, orders.total_cents - orders.written_off_cents - credited_cents_of(orders.id)
  - (select coalesce(sum(payments.amount_cents - case orders.payment_method when 'on_account' then payments.refunded_cents else 0 end), 0)
    from payments where payments.order_id = orders.id and payments.state = 'succeeded' and not payments.is_surplus))::integer`

const select = (db: Database) =>
  db
    .select({
      _id: orders._id,
      number: orders.number,
      buyerName: orders.buyerName,
      company: orderDetails.company,
      orderStatus: orders.orderStatus,
      paymentMethod: orders.paymentMethod,
      totalCents: orders.totalCents,
      dueCents: dueCentsSql,
    })
    .from(orders)
    .leftJoin(orderDetails, eq(orderDetails.orderId, orders._id))

type Named = { candidates: Candidate[]; parcels: OpenParcel[] }

/** The orders that a text names by a reference, by their number or by that of a parcel's invoice, and the parcels of those on account. */
export async function findNamedOrders(db: Database, text: string): Promise<Named> {
  const numbers = [...new Set([...referencedNumbers(text), ...plainNumbers(text)])]
    .filter((number) => number >= 1 && number <= maxOrderNumber)
    .slice(0, 50)
  const invoices = invoiceNumbers(text).slice(0, 50)
  if (numbers.length === 0 && invoices.length === 0) return { candidates: [], parcels: [] }
  const invoiced = db
    .select({ _id: documents.orderId })
    .from(documents)
    .where(and(inArray(documents.number, invoices), isNotNull(documents.shipmentId)))
  const candidates = await select(db).where(or(inArray(orders.number, numbers), inArray(orders._id, invoiced)))
  const ids = candidates.filter(({ paymentMethod }) => paymentMethod === 'on_account').map(({ _id }) => _id)
  return { candidates, parcels: ids.length === 0 ? [] : await findParcels(db, sql`orders.id in ${ids}`) }
}

/** @param which a condition on `orders` and `parcel`, a row of `parcels_on_account` */
async function findParcels(db: Database, which: SQL): Promise<OpenParcel[]> {
  const { rows } = await db.execute<{ shipment_id: string; order_id: string; open_cents: string; numbers: string[] }>(sql`
    select parcel.shipment_id, orders.id as order_id, parcel.open_cents,
      array(select number from documents where documents.shipment_id = parcel.shipment_id and kind = 'invoice' order by year, serial) as numbers
    from orders, lateral parcels_on_account(orders.id) parcel where ${which} order by orders.number, parcel.due`)
  return rows.map(({ shipment_id, order_id, open_cents, numbers }) => ({
    ...{ shipmentId: shipment_id, orderId: order_id, openCents: Number(open_cents), numbers },
  }))
}

/** The parcels of an order on account. */
export const findParcelsOfOrder = (db: Database, orderId: string): Promise<OpenParcel[]> => findParcels(db, sql`orders.id = ${orderId}`)

const owesOnAccountSql = sql`${orders.paymentMethod} = 'on_account' and ${orders.paymentStatus} in ('unpaid', 'partly_paid') and ${orders.orderStatus} in ('placed', 'completed')`

const maxProposals = 5

type Asked = { _id: string; amountCents: number; payerName: string }

/**
 * Orders that entries may mean, by the id of the entry: those that await just its amount, by the name of the payer first. One query for all of them:
 * what is due of each order that awaits money is reckoned once.
 */
export async function proposeOrders(db: Database, entries: Asked[]): Promise<Map<string, Candidate[]>> {
  if (entries.length === 0) return new Map()
  const awaits = sql`(${orders.orderStatus} = 'open' and ${orders.paymentMethod} = 'bank_transfer' or ${owesOnAccountSql})`
  const ids = sql.param(entries.map(({ _id }) => _id))
  const amounts = sql.param(entries.map(({ amountCents }) => amountCents))
  const patterns = sql.param(entries.map(({ payerName }) => wordPatterns(payerName).join(' ')))
  const { rows } = await db.execute<{ entry_id: string; order_ids: string[] }>(sql`
    with awaiting as materialized (
      select ${orders._id} as id, ${orders.number} as number, ${dueCentsSql} as due,
        lower(concat_ws(' ', ${orders.buyerName}, ${orderDetails.name}, ${orderDetails.company})) as names
      from ${orders} left join ${orderDetails} on ${orderDetails.orderId} = ${orders._id} where ${awaits}),
    asked as materialized (
      select entry_id, cents, string_to_array(patterns, ' ') as patterns
      from unnest(${ids}::uuid[], ${amounts}::bigint[], ${patterns}::text[]) as entry (entry_id, cents, patterns))
    select entry_id, array(
      select id from awaiting where due = cents or names like any (patterns)
      order by (due = cents) desc, names like any (patterns) desc, number limit ${maxProposals}) as order_ids
    from asked`)
  const found = rows.flatMap(({ order_ids }) => order_ids)
  const candidates = found.length === 0 ? [] : await select(db).where(inArray(orders._id, [...new Set(found)]))
  const byId = new Map(candidates.map((candidate) => [candidate._id, candidate]))
  return new Map(rows.map(({ entry_id, order_ids }) => [entry_id, order_ids.flatMap((id) => byId.get(id) ?? [])]))
}

/** A pattern of `like` for each word of a name. */
const wordPatterns = (name: string): string[] => (name.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).map((word) => `%${word}%`)

const hasSuchInvoice = (amountCents: number) =>
  sql`exists (select from parcels_on_account(${orders._id}) parcel where parcel.open_cents = ${amountCents}::bigint)`

/** Orders that await just this amount, by whatever method, or of which an invoice asks for it: at most `maxCompared`. */
export const findAwaiting = (db: Database, amountCents: number): Promise<Candidate[]> =>
  select(db)
    .where(
      or(
        and(
          or(and(eq(orders.orderStatus, 'open'), sql`${orders.totalCents} = ${amountCents}::bigint`), owesOnAccountSql),
          sql`${dueCentsSql} = ${amountCents}::bigint`,
        ),
        and(owesOnAccountSql, sql`${orders.totalCents} > ${amountCents}::bigint`, hasSuchInvoice(amountCents)),
      ),
    )
    .limit(maxCompared)
export const maxCompared = 1000

export async function findOrderByNumber(db: Database, number: number): Promise<Candidate | undefined> {
  const [found] = await select(db).where(eq(orders.number, number))
  return found
}
