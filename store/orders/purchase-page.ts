import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { products } from '#store/catalogue/table.ts'
import { attentionConditions } from './attention.ts'
import { type AttentionReason, attentionReasons, type PurchasePage, type PurchasePageQuery } from './contract.ts'
import { hasPhoneNumber } from './phone-search.ts'
import { purchaseStatusSql } from './purchase-status-sql.ts'
import { listAdminPurchases } from './purchases.ts'
import { type PurchaseStatus, purchaseStatuses } from './statuses.ts'
import { orderLines, orders, payments } from './table.ts'

const isOfPayment = sql`${payments.state} = 'succeeded' and not ${orderLines.isReleased}`

/**
 * A page of the lines of all orders, for admins: filtered, searched and sorted by the database.
 * @returns the counts of each status and attention reason among what is searched within the chosen days, and the sum of what the whole list is about
 */
export async function listPurchasePage(db: Database, query: PurchasePageQuery): Promise<PurchasePage> {
  const searched = and(isOfDays(query), matchesSearch(query.q))
  const shown = and(isOfStatus(query), query.attention && attentionConditions[query.attention]) ?? sql`true`
  const [purchases, counts] = await Promise.all([
    listAdminPurchases(db, {
      where: and(searched, shown),
      orderBy: sorting(query),
      limit: query.limit,
      offset: (query.page - 1) * query.limit,
    }),
    countLines(db, query, searched, shown),
  ])
  return { purchases, ...counts }
}

/** One pass over the lines that are searched: how many have each status and each attention reason, how many are shown, and their sum. */
async function countLines(
  db: Database,
  query: PurchasePageQuery,
  searched: SQL | undefined,
  shown: SQL,
): Promise<Omit<PurchasePage, 'purchases'>> {
  const counting = (condition: SQL) => sql<number>`count(*) filter (where ${condition})::integer`
  const countingEach = <Kind extends string>(kinds: readonly Kind[], condition: (kind: Kind) => SQL) =>
    Object.fromEntries(kinds.map((kind) => [kind, counting(condition(kind))])) as Record<Kind, SQL<number>>
  const columns = {
    total: counting(shown),
    sumCents: sql<number>`coalesce(sum(${shownCents(query)}) filter (where ${shown}), 0)::float8`,
    all: sql<number>`count(*)::integer`,
    ...countingEach(purchaseStatuses, (status) => sql`${purchaseStatusSql} = ${status}`),
    ...countingEach(attentionReasons, (reason) => attentionConditions[reason]),
  }
  const [counted] = await db
    .select(columns)
    .from(orderLines)
    .innerJoin(orders, eq(orders._id, orderLines.orderId))
    .innerJoin(products, eq(products._id, orderLines.toolId))
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(searched)
  const countsOf = <Kind extends PurchaseStatus | AttentionReason>(kinds: readonly Kind[]) =>
    Object.fromEntries(kinds.map((kind) => [kind, counted?.[kind] ?? 0])) as Record<Kind, number>
  const { total = 0, sumCents = 0, all = 0 } = counted ?? {}
  return { total, sumCents, all, statuses: countsOf(purchaseStatuses), attention: countsOf(attentionReasons) }
}

const isOfStatus = ({ status }: PurchasePageQuery) => status && sql`${purchaseStatusSql} = ${status}`

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

const textSql = sql`lower(concat_ws(' ', ${orders.number}, ${orders.buyerName}, ${orders.buyerEmail}, ${orders.buyerAddress},
  ${orderLines.productName}, ${orderLines.brand}, case when ${isOfPayment} then ${payments.intentId} end))`
const codesSql = sql`array[regexp_replace(lower(coalesce(${orderLines.mpn}, '')), '[^[:alnum:]]', '', 'g'),
  regexp_replace(lower(${products.sku}), '[^[:alnum:]]', '', 'g')]`

/** Each word has to be in the texts of a line or in one of its codes, whatever stands between their letters; or all are one code, or a phone number. */
function matchesSearch(q: string): SQL | undefined {
  if (q === '') return undefined
  const words = q.toLowerCase().split(/\s+/)
  const inCode = (text: string) => {
    const code = text.replace(/[^\p{L}\p{N}]/gu, '')
    return code === '' ? sql`false` : sql`exists (select from unnest(${codesSql}) code where strpos(code, ${code}) > 0)`
  }
  const everyWord = and(...words.map((word) => sql`(strpos(${textSql}, ${word}) > 0 or ${inCode(word)})`))
  const together = words.length > 1 ? inCode(words.join('')) : sql`false` // one word was compared with the codes already
  return sql`(${everyWord} or ${together} or ${hasPhoneNumber(q)})`
}
