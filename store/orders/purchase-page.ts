import { and, asc, desc, eq, inArray, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { containsPattern } from '#platform/like-pattern.ts'
import { attentionConditions } from './attention.ts'
import { attentionReasons, type PurchasePage, type PurchasePageQuery } from './contract.ts'
import { hasPhoneNumber } from './phone-search.ts'
import { purchaseStatusSql } from './purchase-status-sql.ts'
import { listAdminPurchases } from './purchases.ts'
import { purchaseStatuses } from './statuses.ts'
import { orderLines, orders, payments } from './table.ts'

const isOfPayment = sql`${payments.state} = 'succeeded' and not ${orderLines.isReleased}`

/**
 * A page of the lines of all orders, for admins: filtered, searched and sorted by the database.
 * @returns the counts of each status and attention reason among what is searched within the chosen days, and the sum of what the whole list is about
 */
export async function listPurchasePage(db: Database, query: PurchasePageQuery): Promise<PurchasePage> {
  const [purchases, counts] = await Promise.all([listLines(db, query), countLines(db, query)])
  return { purchases, ...counts }
}

async function listLines(db: Database, query: PurchasePageQuery): Promise<PurchasePage['purchases']> {
  const [orderBy, limit] = [sorting(query), query.limit]
  const where = and(isOfDays(query), isOfFilters(query, purchaseStatusSql))
  if (query.q === '') return listAdminPurchases(db, { where, orderBy, limit, offset: offsetOf(query) })
  const ids = await searchLines(db, query, where)
  return ids.length === 0 ? [] : listAdminPurchases(db, { where: inArray(orderLines._id, ids), orderBy, limit })
}

type Counts = Omit<PurchasePage, 'purchases'>

/** How many of the lines that are searched have each status and each attention reason, how many the filters show, and their sum. */
async function countLines(db: Database, query: PurchasePageQuery): Promise<Counts> {
  const byStatus = await db
    .select({ status: purchaseStatusSql.as('status'), lines: sql<number>`count(*)::integer`, cents: sumOfShownCents(query) })
    .from(orderLines)
    .innerJoin(orders, eq(orders._id, orderLines.orderId))
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(and(isOfDays(query), matchesSearch(query.q)))
    .groupBy(sql`status`)
  const attention = {} as Counts['attention']
  for (const reason of attentionReasons) attention[reason] = (await countAttention(db, query, attentionConditions[reason])).lines
  const shown = query.attention
    ? [await countAttention(db, query, isOfFilters(query, purchaseStatusSql))]
    : byStatus.filter(({ status }) => query.status === undefined || status === query.status)
  return {
    total: shown.reduce((sum, { lines }) => sum + lines, 0),
    sumCents: shown.reduce((sum, { cents }) => sum + cents, 0),
    all: byStatus.reduce((sum, { lines }) => sum + lines, 0),
    statuses: Object.fromEntries(
      purchaseStatuses.map((status) => [status, byStatus.find((counted) => counted.status === status)?.lines ?? 0]),
    ) as Counts['statuses'],
    attention,
  }
}

/** Lines of the orders that need attention: few, which indexes find, and so apart from all the others. */
async function countAttention(db: Database, query: PurchasePageQuery, condition: SQL): Promise<{ lines: number; cents: number }> {
  const [counted] = await db
    .select({ lines: sql<number>`count(*)::integer`, cents: sumOfShownCents(query) })
    .from(orderLines)
    .innerJoin(orders, eq(orders._id, orderLines.orderId))
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(and(isOfDays(query), matchesSearch(query.q), condition))
  return counted ?? { lines: 0, cents: 0 }
}

const offsetOf = ({ page, limit }: PurchasePageQuery) => (page - 1) * limit

/** The ids of a page of the lines that a search finds. Without a CTE, so that PostgreSQL can divide the lines among several workers. */
async function searchLines(db: Database, query: PurchasePageQuery, where: SQL | undefined): Promise<string[]> {
  const rows = await db
    .select({ _id: orderLines._id })
    .from(orderLines)
    .innerJoin(orders, eq(orders._id, orderLines.orderId))
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(and(where, matchesSearch(query.q)))
    .orderBy(...sorting(query))
    .limit(query.limit)
    .offset(offsetOf(query))
  return rows.map(({ _id }) => _id)
}

const isOfFilters = ({ status, attention }: PurchasePageQuery, statusSql: SQLWrapper): SQL =>
  and(status && sql`${statusSql} = ${status}`, attention && attentionConditions[attention]) ?? sql`true`

/** Whether the moment is on one of the chosen days, in UTC. */
const isWithinDays = (moment: SQL, { from, to }: Pick<PurchasePageQuery, 'from' | 'to'>): SQL =>
  sql`${moment} is not null and ${moment} >= coalesce(${from ?? null}::date::timestamp at time zone 'utc', '-infinity')
    and ${moment} < coalesce((${to ?? null}::date + 1)::timestamp at time zone 'utc', 'infinity')`

/** The refunds of a line that count, on the chosen days. */
const refundsOfDays = (query: PurchasePageQuery) => sql`from refund_lines join refunds on refunds.id = refund_lines.refund_id
  where order_line_id = ${orderLines._id} and refund_lines.amount_cents > 0 and refunds.state <> 'failed' and ${isWithinDays(sql`refunds.asked_at`, query)}`

function isOfDays(query: PurchasePageQuery): SQL | undefined {
  if (query.date === 'placed') return isWithinDays(sql`${orders.placedAt}`, query)
  if (query.date === 'refunded') return sql`exists (select ${refundsOfDays(query)})`
  // What was cancelled before it was paid was not paid, though its order was.
  if (query.date === 'paid') return and(isOfPayment, isWithinDays(sql`${payments.settledAt}`, query))
  return undefined
}

/** In cents, of one line: its refunds on the chosen days where the list is of refunds, else what it costs. */
const shownCents = (query: PurchasePageQuery): SQL =>
  query.date === 'refunded' ? sql`(select sum(refund_lines.amount_cents) ${refundsOfDays(query)})` : sql`${orderLines.totalCents}`

const sumOfShownCents = (query: PurchasePageQuery) => sql<number>`coalesce(sum(${shownCents(query)}), 0)::float8`

function sorting({ q, sort }: PurchasePageQuery): SQL[] {
  const column = {
    name: sql`lower(${orders.buyerName})`,
    email: sql`${orders.buyerEmail}`,
    product: sql`lower(${orderLines.productName})`,
    quantity: sql`${orderLines.quantity}`,
    cost: sql`${orderLines.totalCents}`,
    status: sql`array_position(array['cancelled', 'expired', 'open', 'paid', 'checking', 'refunded'], ${purchaseStatusSql})`, // as their labels
  }[sort?.replace(/^-/, '') ?? '']
  return [
    ...(q === '' ? [] : [sql`${orders.number}::text = ${q} desc`]), // an order number comes first
    ...(column ? [sort?.startsWith('-') ? desc(column) : asc(column)] : []),
    desc(orders.number),
    asc(orderLines.position),
  ]
}

/** Of a product, as it is called today. It is compared for each product, and not for each line. */
const skuCodeSql = sql`regexp_replace(lower(sku), '[^[:alnum:]]', '', 'g')`
const intentSql = sql`case when ${isOfPayment} then lower(${payments.intentId}) end`

/** Each word has to be in the texts of a line or in one of its codes, whatever stands between their letters; or all are one code, or a phone number. */
function matchesSearch(q: string): SQL | undefined {
  if (q === '') return undefined
  const words = [...new Set(q.toLowerCase().split(/\s+/))]
  const isIn = (columns: SQLWrapper[], text: string) => or(...columns.map((column) => sql`${column} like ${containsPattern(text)}`))
  const inCode = (text: string) => {
    const code = text.replace(/[^\p{L}\p{N}]/gu, '')
    return code === ''
      ? undefined
      : or(isIn([orderLines.mpnCode], code), sql`${orderLines.toolId} in (select id from tools where ${isIn([skuCodeSql], code)})`)
  }
  const everyWord = and(...words.map((word) => or(isIn([orders.searchText, orderLines.searchText, intentSql], word), inCode(word))))
  const together = words.length > 1 ? inCode(words.join('')) : undefined // one word was compared with the codes already
  return sql`(${or(everyWord, together, hasPhoneNumber(q))})`
}
