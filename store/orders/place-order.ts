import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { type Database, executePrepared } from '#platform/database.ts'
import { isUniqueViolation, retryAfterDeadlock } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import { storeCurrency } from '#shared/currency.ts'
import { lineTotal } from '#shared/money.ts'
import { isHeldByUnpaidOrderSql, isUsableSql, reductionSql, withWrongCodeLimit } from '#store/catalogue/pricing/discount-codes.ts'
import { ownPriceSql } from '#store/catalogue/pricing/own-prices.ts'
import { maxCardPaymentCents } from '#store/catalogue/settle-quantity.ts'
import { unitPriceAtSql } from '#store/catalogue/table.ts'
import type { Buyer } from './buyer.ts'
import { type BuyerLimits, buyerHoldsQuery, hashBuyerNetwork } from './buyer-limits.ts'
import { currencyKey } from './database-currency.ts'
import { type ComputedOrderCharges, chargesSql } from './order-charges.ts'
import type { Order, OrderLine } from './order-contract.ts'
import { type DistinctLine, findOrderCost, findRequestedProducts, type RequestedLine } from './order-cost.ts'
import {
  clampToPayableCents,
  explainRefusal,
  orderRefusalWording,
  type RefusalWording,
  type RequestedOrder,
  type RequestedOrderWithTotal,
  refuseShortOrder,
  stockChangedError,
} from './order-refusals.ts'
import { findOrderByRequest, initialLineState, initialOrderState, type RequestKey } from './placed-order.ts'

/**
 * `requestKey`: the `Idempotency-Key` of an account, if it sent one; `network`: the widest network that the client may have all of;
 * `countsCodes`: false where the caller counts wrong discount codes, outside its transaction.
 */
export type PlacementContext = { requestKey?: string | undefined; network: string; countsCodes?: boolean }
/** How long an order holds its pieces, `newBuyerHoldMinutes` for a buyer who has never paid, and the buyer limits. */
export type OrderPolicy = { holdMinutes: number; newBuyerHoldMinutes: number; buyerLimits: BuyerLimits | undefined }

/** How often an order without a promised total is placed at the catalogue's total, which may change in between. */
const maxTries = 3

/**
 * Places an order: checks its total against the catalogue, takes the pieces of all its lines from stock and holds them, or takes none.
 * The same idempotency key from the same buyer returns the same order, however often it is sent and wherever the first response was lost:
 * the key is in the order's row.
 * A guest's order is limited with all others of guests in the network, and has no such key. Its link is `createOrderLink`.
 * @param hashedBody what the key stands for: the body, as it was validated
 * @returns isNew: false for such a repetition, where nothing has changed
 * @throws {HttpError} 404 no such product; 400 below a minimum, the total is too small for the card provider, or the discount code cannot be
 *   used; 409 the total or the stock has changed, or a buyer limit is exceeded; 422 the key was used for another order; 429 too many orders, or
 *   too many wrong codes, of the account or of its network within an hour or a day
 */
export async function placeOrder(
  db: Database,
  buyer: Buyer,
  request: RequestedOrder,
  terms: OrderPolicy,
  { requestKey, network, countsCodes = true }: PlacementContext,
  { hashedBody = request, refusals = orderRefusalWording }: { hashedBody?: object; refusals?: RefusalWording } = {},
): Promise<{ order: Order; isNew: boolean }> {
  const hash = createHash('sha256').update(JSON.stringify(hashedBody)).digest('base64url')
  const idempotency = requestKey === undefined || buyer.id === null ? undefined : { buyerId: buyer.id, key: requestKey, hash }
  const context = { idempotency, network: hashBuyerNetwork(network) }
  const codeUser = { id: buyer.id, network: context.network }
  const lines = addUpRepeated(request.lines)
  const { discountCode } = request
  // A repetition uses no code again, and so is no guess.
  const placedWithCode = discountCode !== undefined && idempotency && (await findOrderByRequest(db, idempotency))
  if (placedWithCode) return { order: placedWithCode, isNew: false }
  const place = async (isLastTry: boolean): Promise<Order | 'total changed'> => {
    const short = await refuseShortOrder(db, buyer, { lines, discountCode }, refusals)
    if (short) throw short
    const totalCents =
      request.expectedTotalCents ?? (await findOrderCost(db, codeUser, await findRequestedProducts(db, buyer.id, lines), discountCode))
    const sized = { ...request, lines, totalCents }
    const order = await retryAfterDeadlock(() => insertOrder(db, buyer, sized, terms, context))
    if (order) return order
    const refusal = await explainRefusal(db, buyer, sized, terms.buyerLimits, context.network, refusals)
    if (refusal === 'total changed' && !isLastTry) return refusal // between the two statements, and no total was promised
    throw refusal === 'total changed' ? stockChangedError() : refusal
  }
  for (let tries = 1; ; tries++)
    try {
      const placing = () => place(tries === maxTries)
      const placed = await (discountCode === undefined || !countsCodes ? placing() : withWrongCodeLimit(db, codeUser, placing))
      if (placed !== 'total changed') return { order: placed, isNew: true }
    } catch (error) {
      // Whatever the error: if an earlier request with this key placed an order, that order is the response.
      const placedBefore = idempotency && (await findOrderByRequest(db, idempotency))
      // After any other error, such as a lost connection, it may be the order of this very call.
      const isRefused = error instanceof HttpError || isUniqueViolation(error)
      if (placedBefore) return { order: placedBefore, isNew: !isRefused }
      throw error
    }
}

/**
 * One line for each product, in the order in which they come first. Ids are compared as PostgreSQL does, which takes upper and lower case for
 * the same.
 */
function addUpRepeated(lines: RequestedLine[]): DistinctLine[] {
  const summed = new Map<string, DistinctLine>()
  for (const [index, { productId: written, quantity }] of lines.entries()) {
    const productId = written.toLowerCase()
    const first = summed.get(productId)
    summed.set(productId, { productId, quantity: (first?.quantity ?? 0) + quantity, index: first?.index ?? index })
  }
  return [...summed.values()]
}

type InsertContext = { idempotency: RequestKey | undefined; network: string }
type PlacedRow = Record<'number' | 'placed_at' | 'hold_until', string> & {
  line_id: string
  product_id: string
  name: string
  brand: string | null
  mpn: string | null
  sku: string
  quantity: number
  list_price_cents: number
  unit_price_cents: number
  price_reason: OrderLine['priceReason']
  reduction_cents: number
  goods_cents: number
}

/** Whether so many pieces of a product can be ordered, as `settleQuantity` says; what a payment can be is asked of the whole order. */
export const canBeOrderedSql: SQL = sql`removed_at is null and available_quantity >= quantity and minimum_order_quantity <= quantity and quantity % order_multiple = 0`
/** What the buyer of a line pays for a piece: the price of the catalogue at this quantity, or their own. */
export const buyerPriceSql: SQL = sql`least(public_cents, own_cents)`

/**
 * One statement, so that the row locks on popular products are not held for a round trip between store and database. It locks the products
 * by id and takes the pieces if all products are for sale, have enough in stock and are asked for in whole packs, and the total is the one
 * that was named. It writes the order, its lines, the stock movements and the first history event with them. Otherwise, or if a buyer limit
 * would be exceeded, it writes nothing. The buyer's holds are counted and locked first. The stock is that of the locked row, not of
 * `tools`: PostgreSQL checks constraints for the version of the row that the statement began with, too, where there may have been less.
 */
async function insertOrder(
  db: Database,
  buyer: Buyer,
  {
    lines,
    buyerAddress,
    phone_number,
    country,
    totalCents,
    discountCode,
    acceptsListTotal = false,
    charges: asked,
  }: RequestedOrderWithTotal,
  { holdMinutes, newBuyerHoldMinutes, buyerLimits }: OrderPolicy,
  { idempotency, network }: InsertContext,
): Promise<Order | undefined> {
  const { code: currency, minCents } = storeCurrency()
  const buyerEmail = buyer.email.toLowerCase()
  const id = crypto.randomUUID()
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const lineIds = sql.param(lines.length === 1 ? [id] : lines.map(() => crypto.randomUUID())) // an only line has the id of its order
  const productIds = sql.param(lines.map(({ productId }) => productId))
  const quantities = sql.param(lines.map(({ quantity }) => quantity))
  const { charges, besideGoodsCents, ...charged } = chargesSql(asked)
  const payableCents = clampToPayableCents(totalCents + besideGoodsCents)
  const rows = await executePrepared<PlacedRow>(
    db,
    sql`
    with buyer as materialized (${buyerHoldsQuery(buyer.id, buyerLimits, { lines: lines.length, pieces, totalCents: payableCents }, network)}), asked as materialized (
      select * from unnest(${lineIds}::uuid[], ${productIds}::uuid[], ${quantities}::integer[]${charged.askedValues}) with ordinality
        as asked (line_id, product_id, quantity${charged.askedNames}, position)
    ), listed as materialized (
      select asked.*, name, brand, mpn, sku, price_cents as list_price_cents, price_breaks, ${unitPriceAtSql(sql`quantity`)} as public_cents,
        removed_at, available_quantity, minimum_order_quantity, order_multiple
      from asked join tools on tools.id = product_id
      where exists (select from buyer where over is null)
      order by product_id
      for no key update of tools
    ), priced as materialized (
      select *, ${buyerPriceSql} as unit_price_cents,
        case when ${buyerPriceSql} = list_price_cents then 'list'
          when public_cents <= coalesce(own_cents, public_cents) then 'price break' else own_reason end as price_reason,
        ${buyerPriceSql}::bigint * quantity as cost_cents
      from listed left join lateral ${ownPriceSql(buyer.id, { productId: sql`listed.product_id`, listCents: sql`list_price_cents` })} own on true
    ), ${reducedLinesSql(discountCode)}, acceptable as materialized (
      select sum(cost_cents - reduction_cents)::integer as goods_cents from product
      having count(*) = ${lines.length} and sum(cost_cents - reduction_cents) + ${besideGoodsCents} between ${minCents} and ${maxCardPaymentCents}${charged.isAsExpected}
        and (sum(cost_cents - reduction_cents) = ${totalCents} or ${acceptsListTotal}::boolean
          and ${totalCents} in (sum(public_cents::bigint * quantity), sum(list_price_cents::bigint * quantity)))
        and coalesce((select value from kept_values where name = ${currencyKey}), ${currency}) = ${currency}
        and bool_and(${canBeOrderedSql})
    ), ${acceptedSql({ id: buyer.id, network }, discountCode)}, taken as (
      update tools set available_quantity = product.available_quantity - product.quantity
      from product where tools.id = product_id and exists (select from accepted)
    ), placed as (
      insert into orders (id, buyer_id, placed_by_guest, buyer_name, buyer_email, buyer_address, country, phone_number, network, placed_from_network,
        currency, request_key, request_hash, discount_code_id, goods_cents, total_cents${charged.orderColumns}, hold_until)
      select ${id}::uuid, ${buyer.id}, ${buyer.id === null}::boolean, ${buyer.name}, ${buyerEmail}, ${buyerAddress}, ${country ?? null}, ${phone_number ?? null},
        (select counted_network from buyer), (select placed_from_network from buyer), ${currency}, ${idempotency?.key ?? null}, ${idempotency?.hash ?? null},
        discount_code_id, goods_cents, goods_cents + ${besideGoodsCents}::integer${charged.orderValues},
        now() + make_interval(mins => case when (select has_paid from buyer) then ${holdMinutes}::integer else ${newBuyerHoldMinutes}::integer end)
      from accepted
      returning id, number, placed_at, hold_until, goods_cents
    ), lines as (
      insert into order_lines (id, order_id, position, tool_id, product_name, brand, mpn, sku, quantity, list_price_cents, offered_breaks,
        own_price_cents, unit_price_cents, price_reason, reduction_cents, reduction_reason, total_cents${charged.lineColumns})
      select line_id, placed.id, position, product_id, name, brand, mpn, sku, quantity, list_price_cents, price_breaks,
        own_cents, unit_price_cents, price_reason, reduction_cents, case when reduction_cents > 0 then ${discountCode ?? null} end, cost_cents - reduction_cents${charged.lineValues}
      from product, placed
    ), moved as (
      insert into stock_movements (tool_id, pieces, reason, order_line_id) select product_id, -quantity, 'order', line_id from product, placed
    ), noted as (
      insert into order_history (order_id, event, state, order_status, actor, user_id, mail_due_at)
      select id, 'placed', 'open', 'open', 'buyer', ${buyer.id}, now() from placed
    )
    select number, placed_at, hold_until, goods_cents, line_id, product_id, name, brand, mpn, sku, quantity, list_price_cents, unit_price_cents,
      price_reason, reduction_cents::integer
    from placed, product order by position`,
  )
  const [placed] = rows
  if (!placed) return undefined
  return {
    _id: id,
    number: Number(placed.number),
    placedAt: new Date(placed.placed_at).toISOString(),
    holdUntil: new Date(placed.hold_until).toISOString(),
    guest: buyer.id === null,
    buyerName: buyer.name,
    buyerEmail,
    buyerAddress,
    country: country ?? null,
    currency,
    goodsCents: placed.goods_cents,
    ...charges,
    totalCents: placed.goods_cents + besideGoodsCents,
    taxes: asked?.taxes ?? [],
    pricesIncludeTax: asked?.terms?.pricesIncludeTax ?? false,
    taxSentence: asked?.terms?.sentence ?? null,
    ...initialOrderState,
    lines: rows.map((line, nth) => ({
      _id: line.line_id,
      productId: line.product_id,
      productName: line.name,
      brand: line.brand,
      mpn: line.mpn,
      sku: line.sku,
      quantity: line.quantity,
      listPriceCents: line.list_price_cents,
      unitPriceCents: line.unit_price_cents,
      priceReason: line.price_reason,
      reductionCents: line.reduction_cents,
      reductionReason: line.reduction_cents > 0 && discountCode !== undefined ? discountCode : null,
      ...lineAmounts(line, asked?.lines[nth]),
      ...initialLineState,
    })),
  }
}

function lineAmounts(
  { unit_price_cents, quantity, reduction_cents }: PlacedRow,
  charged: ComputedOrderCharges['lines'][number] | undefined,
) {
  const totalCents = lineTotal(unit_price_cents, quantity) - reduction_cents
  const { includedTaxCents = 0, taxCents = 0 } = charged ?? {}
  return { totalCents, taxCents, chargedCents: totalCents - includedTaxCents + taxCents }
}

/**
 * The CTE `product`: the lines of `priced` with what a discount code takes off each, by largest remainder in proportion to what can be taken off
 * them: every piece still costs a cent, so that it can be refunded. It has no lines where the code cannot be used.
 */
const reducedLinesSql = (discountCode: string | undefined) =>
  discountCode === undefined
    ? sql`product as materialized (select *, 0 as reduction_cents from priced)`
    : sql`reduction as materialized (
      select ${reductionSql(sql`cost_cents`, sql`pieces`)} as order_reduction_cents, nullif(cost_cents - pieces, 0) as order_reducible_cents
      from discount_codes, (select sum(cost_cents) as cost_cents, sum(quantity) as pieces from priced) as ordered
      where code = ${discountCode} and ${isUsableSql} and minimum_cents <= cost_cents
    ), product as materialized (
      select *, rounded_down + case when place <= order_reduction_cents - sum(rounded_down) over () then 1 else 0 end as reduction_cents
      from (
        select *, coalesce(div(order_reduction_cents * (cost_cents - quantity), order_reducible_cents), 0) as rounded_down,
          row_number() over (order by order_reduction_cents * (cost_cents - quantity) % order_reducible_cents desc nulls last, position) as place
        from priced, reduction
      ) as shared_out
    )`

/** The CTE `accepted`: what is acceptable, once a discount code has counted its use. */
const acceptedSql = (buyer: { id: string | null; network: string }, discountCode: string | undefined) =>
  discountCode === undefined
    ? sql`accepted as materialized (select goods_cents, null::uuid as discount_code_id from acceptable)`
    : sql`used as (
      update discount_codes set uses = uses + 1
      where code = ${discountCode} and ${isUsableSql} and not ${isHeldByUnpaidOrderSql(buyer)} and exists (select from acceptable)
      returning id
    ), accepted as materialized (
      select goods_cents, used.id as discount_code_id from acceptable, used
    )`
