import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { instantSql } from '#platform/instant-sql.ts'
import { endOfShopDay, startOfShopDay } from '#shared/shop-day.ts'
import type { PurchasePage, PurchasePageQuery } from './admin-list-contract.ts'
import { attentionConditions } from './attention.ts'
import { attentionReasons } from './contract.ts'
import { orderDetails } from './details/table.ts'
import { findListedLines, orderRefundedCents, paymentColumns } from './order-queries.ts'
import { isFoundAmongAllOrders } from './order-search.ts'
import { wholeOrderStatusSql } from './purchase-status-sql.ts'
import { isDisputed } from './purchases.ts'
import { isBeingChecked, owesOnAccount, type PurchaseStatus, purchaseState, purchaseStatuses } from './statuses.ts'
import { orderLines, orders, payments } from './table.ts'

/**
 * A page of all orders, for admins: filtered, searched and sorted by the database.
 * @returns the counts of each status and attention reason among what is searched within the chosen days, and the sum of what the whole list is about
 */
export async function listPurchasePage(db: Database, query: PurchasePageQuery): Promise<PurchasePage> {
  const [listed, counts] = await Promise.all([listOrdersOfPage(db, query), countOrders(db, query)])
  return { orders: listed, ...counts }
}

const ofLines = (sum: SQL) => sql<number>`(select ${sum} from order_lines where order_lines.order_id = ${orders._id})::integer`

async function listOrdersOfPage(db: Database, query: PurchasePageQuery): Promise<PurchasePage['orders']> {
  const ids = await findIdsOfPage(db, query)
  if (ids.length === 0) return []
  const rows = await db
    .select({
      _id: orders._id,
      number: orders.number,
      placedAt: orders.placedAt,
      buyerName: orders.buyerName,
      buyerEmail: orders.buyerEmail,
      buyerAddress: orders.buyerAddress,
      guest: sql<boolean>`${orders.buyerId} is null`,
      phone_number: orders.phoneNumber,
      poNumber: orderDetails.poNumber,
      totalCents: orders.totalCents,
      refundedCents: orderRefundedCents,
      card: paymentColumns.card,
      disputed: isDisputed,
      orderStatus: orders.orderStatus,
      paymentStatus: orders.paymentStatus,
      paymentMethod: orders.paymentMethod,
      fulfilmentStatus: orders.fulfilmentStatus,
      lineCount: ofLines(sql`count(*)`),
      pieces: ofLines(sql`coalesce(sum(quantity) filter (where not is_released), sum(quantity))`),
    })
    .from(orders)
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .leftJoin(orderDetails, eq(orderDetails.orderId, orders._id))
    .where(inArray(orders._id, ids))
  const lines = await findListedLines(db, ids)
  const byId = new Map(rows.map((row) => [row._id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const state = purchaseState(row)
    const onAccount = owesOnAccount(row) && ({ onAccount: true } as const)
    return [{ ...row, state, ...onAccount, checking: isBeingChecked(state, row), lines: lines.filter(({ orderId }) => orderId === id) }]
  })
}

/** The ids of the orders of a page. Apart from what each shows, which PostgreSQL would look up for the orders before this page too. */
async function findIdsOfPage(db: Database, query: PurchasePageQuery): Promise<string[]> {
  const rows = await selectFound(db, query, isOfFilters(query))
    .orderBy(...sorting(query))
    .limit(query.limit)
    .offset(offsetOf(query))
  return rows.map(({ _id }) => _id)
}

/**
 * The orders of the chosen days that are searched, with what counts of each. A search joins the lines and takes each order of them once: so
 * PostgreSQL can divide the lines among several workers, which it does neither within `exists` nor within a CTE.
 */
function selectFound(db: Database, query: PurchasePageQuery, condition?: SQL) {
  const found = db
    .select({ _id: orders._id, status: wholeOrderStatusSql.as('status'), cents: shownCents(query).as('cents') })
    .from(orders)
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .$dynamic()
  if (query.q === '') return found.where(and(isOfDays(query), condition))
  return found
    .innerJoin(orderLines, eq(orderLines.orderId, orders._id))
    .leftJoin(orderDetails, eq(orderDetails.orderId, orders._id))
    .where(and(isOfDays(query), condition, isFoundAmongAllOrders(query.q)))
    .groupBy(orders._id)
}

type Counts = Omit<PurchasePage, 'orders'>

/** How many of the orders that are searched have each status and each attention reason, how many the filters show, and their sum. */
async function countOrders(db: Database, query: PurchasePageQuery): Promise<Counts> {
  const byStatus = await countFound(db, query)
  const attention = {} as Counts['attention']
  for (const reason of attentionReasons) attention[reason] = sumOf(await countFound(db, query, attentionConditions[reason]), 'orders')
  const shown = query.attention
    ? await countFound(db, query, isOfFilters(query))
    : byStatus.filter(({ status }) => query.status === undefined || status === query.status)
  return {
    total: sumOf(shown, 'orders'),
    sumCents: sumOf(shown, 'cents'),
    all: sumOf(byStatus, 'orders'),
    statuses: Object.fromEntries(
      purchaseStatuses.map((status) => [status, byStatus.find((counted) => counted.status === status)?.orders ?? 0]),
    ) as Counts['statuses'],
    attention,
  }
}

type CountedStatus = { status: PurchaseStatus; orders: number; cents: number }

/** How many of the orders that are searched there are in each status. @param condition of which ones, such as the few that need attention */
function countFound(db: Database, query: PurchasePageQuery, condition?: SQL): Promise<CountedStatus[]> {
  const found = selectFound(db, query, condition).as('found')
  return db
    .select({
      status: sql<PurchaseStatus>`found.status`,
      orders: sql<number>`count(*)::integer`,
      cents: sql<number>`coalesce(sum(found.cents), 0)::float8`,
    })
    .from(found)
    .groupBy(sql`found.status`)
}

const sumOf = (counted: CountedStatus[], field: 'orders' | 'cents') => counted.reduce((sum, each) => sum + each[field], 0)

const offsetOf = ({ page, limit }: PurchasePageQuery) => (page - 1) * limit

const isOfFilters = ({ status, attention }: PurchasePageQuery): SQL =>
  and(status && sql`${wholeOrderStatusSql} = ${status}`, attention && attentionConditions[attention]) ?? sql`true`

/** Whether the moment is on one of the chosen days, in the shop's time zone. */
const isWithinDays = (moment: SQL, { from, to }: Pick<PurchasePageQuery, 'from' | 'to'>): SQL =>
  sql`${moment} is not null and ${moment} >= ${from === undefined ? sql`'-infinity'` : instantSql(startOfShopDay(from))}
    and ${moment} < ${to === undefined ? sql`'infinity'` : instantSql(endOfShopDay(to))}`

/** The refunds of the money that paid an order, on the chosen days. What was paid twice and goes back is none of it. */
const refundsOfDays = (query: PurchasePageQuery) => sql`from refunds where refunds.order_id = ${orders._id}
  and refunds.payment_id = ${orders.paymentId} and refunds.state <> 'failed' and refunds.amount_cents > 0
  and ${isWithinDays(sql`refunds.asked_at`, query)}`

function isOfDays(query: PurchasePageQuery): SQL | undefined {
  if (query.date === 'placed') return isWithinDays(sql`${orders.placedAt}`, query)
  if (query.date === 'refunded') return sql`exists (select ${refundsOfDays(query)})`
  if (query.date === 'paid') return and(sql`${payments.state} = 'succeeded'`, isWithinDays(sql`${payments.settledAt}`, query))
  return undefined
}

/** In cents, of one order: its refunds on the chosen days where the list is of refunds, else what it costs. */
const shownCents = (query: PurchasePageQuery): SQL<number> =>
  query.date === 'refunded' ? sql`(select sum(refunds.amount_cents) ${refundsOfDays(query)})` : sql`${orders.totalCents}`

function sorting({ q, sort }: PurchasePageQuery): SQL[] {
  const column = {
    name: sql`lower(${orders.buyerName})`,
    email: sql`${orders.buyerEmail}`,
    product: sql`(select lower(product_name) from order_lines where order_lines.order_id = ${orders._id} and position = 1)`,
    quantity: ofLines(sql`coalesce(sum(quantity) filter (where not is_released), sum(quantity))`),
    cost: sql`${orders.totalCents}`,
    status: sql`array_position(array['cancelled', 'expired', 'open', 'paid', 'checking', 'refunded'], ${wholeOrderStatusSql})`, // as their labels
  }[sort?.replace(/^-/, '') ?? '']
  return [
    ...(q === '' ? [] : [sql`${orders.number}::text = ${q} desc`]), // an order number comes first
    ...(column ? [sort?.startsWith('-') ? desc(column) : asc(column)] : []),
    desc(orders.number),
  ]
}
