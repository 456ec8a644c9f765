import { type SQL, sql } from 'drizzle-orm'
import { type Database, executePrepared } from '#platform/database.ts'
import { storeCurrency } from '#shared/currency.ts'
import { lineTotal } from '#shared/money.ts'
import { isHeldByUnpaidOrderSql, isUsableSql, reductionSql } from '#store/catalogue/pricing/discount-codes.ts'
import { ownPriceSql } from '#store/catalogue/pricing/own-prices.ts'
import { maxCardPaymentCents } from '#store/catalogue/settle-quantity.ts'
import { unitPriceAtSql } from '#store/catalogue/table.ts'
import { type Buyer, companyOfSql } from './buyer.ts'
import { buyerHoldsQuery } from './buyer-limits.ts'
import { currencyKey } from './database-currency.ts'
import { insertAccountOrderSql, withCreditSql } from './on-account/place-on-account.ts'
import { type ComputedOrderCharges, chargesSql } from './order-charges.ts'
import type { Order, OrderLine } from './order-contract.ts'
import { findOrderById } from './order-queries.ts'
import { clampToPayableCents, type RequestedOrderWithTotal } from './order-refusals.ts'
import type { OrderPolicy } from './place-order.ts'
import { initialLineState, initialOrderState, type RequestKey } from './placed-order.ts'

/** What a caller has the statement do that places an order, in SQL. */
export type PlacedWith = {
  /** CTEs that come first, such as one that locks a row, each with a comma behind it */
  before: SQL
  /** has to hold before the products are locked */
  isUnchanged: SQL
  /** has to hold once they are */
  isStillSo: SQL
  /** CTEs that write what belongs to the order, which is the row of `placed`, each with a comma before it */
  rows: SQL
  /** of the payment that `rows` insert; null: they insert none */
  paymentId: string | null
  /** the numbers of the orders that it replaces, as JSON */
  replaces: SQL
}

/** `idempotency`: a key of the buyer for this order; `network`: hashed. */
type InsertContext = { idempotency?: RequestKey | undefined; network: string; placedWith?: PlacedWith | undefined }
type PlacedRow = Record<'number' | 'placed_at' | 'hold_until', string> & {
  payment_method: Order['paymentMethod']
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
  replaces: number[]
}

const nothingElse: PlacedWith = {
  before: sql``,
  isUnchanged: sql`true`,
  isStillSo: sql`true`,
  rows: sql``,
  paymentId: null,
  replaces: sql`'[]'::json`,
}

/** Whether so many pieces of a product can be ordered, as `settleQuantity` says; what a payment can be is asked of the whole order. */
export const canBeOrderedSql: SQL = sql`removed_at is null and available_quantity >= quantity and minimum_order_quantity <= quantity and quantity % order_multiple = 0`
/** What the buyer of a line pays for a piece: the price of the catalogue at this quantity, or their own. */
export const buyerPriceSql: SQL = sql`least(public_cents, own_cents)`

/**
 * One statement, so that the row locks on popular products are not held for a round trip between store and database. It locks the products
 * by id and takes the pieces if all products are for sale, have enough in stock and are asked for in whole packs, and the total is the one
 * that was named. It writes the order, its lines, the stock movements and the first history event with them. Otherwise, or if a buyer limit
 * would be exceeded, it writes nothing. The buyer's holds are counted and locked first.
 * Long because it is the text of that one statement.
 * @returns undefined where nothing was placed: `explainRefusal` says why
 */
export async function insertOrder(
  db: Database,
  buyer: Buyer,
  {
    lines,
    buyerAddress,
    phone_number,
    country,
    paymentMethod,
    totalCents,
    discountCode,
    acceptsListTotal = false,
    charges: asked,
  }: RequestedOrderWithTotal,
  { holdMinutes, newBuyerHoldMinutes, buyerLimits }: OrderPolicy,
  { idempotency, network, placedWith = nothingElse }: InsertContext,
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
    with ${placedWith.before}buyer as materialized (${buyerHoldsQuery(buyer.id, buyerLimits, { lines: lines.length, pieces, totalCents: payableCents }, network)}), asked as materialized (
      select * from unnest(${lineIds}::uuid[], ${productIds}::uuid[], ${quantities}::integer[]${charged.askedValues}) with ordinality
        as asked (line_id, product_id, quantity${charged.askedNames}, position)
    ), payment as materialized (
      select method, hold_days from payment_terms(${paymentMethod ?? null}::text)
    ), listed as materialized (
      select asked.*, name, brand, mpn, sku, price_cents as list_price_cents, price_breaks, ${unitPriceAtSql(sql`quantity`)} as public_cents,
        removed_at, available_quantity, minimum_order_quantity, order_multiple, tools.tax_class as sold_tax_class, weight_g, category
      from asked join lock_products(case when ${placedWith.isUnchanged} and exists (select from buyer where over is null) then ${productIds}::uuid[] end) tools
        on tools.id = product_id
    ), priced as materialized (
      select *, ${buyerPriceSql} as unit_price_cents,
        case when ${buyerPriceSql} = list_price_cents then 'list'
          when public_cents <= coalesce(own_cents, public_cents) then 'price break' else own_reason end as price_reason,
        ${buyerPriceSql}::bigint * quantity as cost_cents
      from listed left join lateral ${ownPriceSql(buyer.id, { productId: sql`listed.product_id`, listCents: sql`list_price_cents` })} own on true
    ), ${reducedLinesSql(discountCode)}, in_stock as materialized (
      select sum(cost_cents - reduction_cents)::integer as goods_cents from product
      having count(*) = ${lines.length} and sum(cost_cents - reduction_cents) + ${besideGoodsCents} between ${minCents} and ${maxCardPaymentCents}${charged.isAsExpected}
        and (sum(cost_cents - reduction_cents) = ${totalCents} or ${acceptsListTotal}::boolean
          and ${totalCents} in (sum(public_cents::bigint * quantity), sum(list_price_cents::bigint * quantity)))
        and coalesce((select value from kept_values where name = ${currencyKey}), ${currency}) = ${currency}
        and bool_and(${canBeOrderedSql}) and ${placedWith.isStillSo} and exists (select from payment)
    ), ${withCreditSql(buyer, besideGoodsCents)}, ${acceptedSql({ id: buyer.id, network }, discountCode)}, taken as materialized (
      select take_pieces(${productIds}, ${quantities}) from accepted
    ), placed as (
      insert into orders (id, buyer_id, company_id, placed_by_guest, buyer_name, buyer_email, buyer_address, country, phone_number, network, placed_from_network,
        currency, request_key, request_hash, discount_code_id, goods_cents, total_cents, payment_method, payment_id${charged.orderColumns}, transfer_hold_until, order_status, hold_until)
      select ${id}::uuid, ${buyer.id}, ${companyOfSql(buyer)}, ${buyer.id === null}::boolean, ${buyer.name}, ${buyerEmail}, ${buyerAddress}, ${country ?? null}, ${phone_number ?? null},
        (select counted_network from buyer), (select placed_from_network from buyer), ${currency}, ${idempotency?.key ?? null}, ${idempotency?.hash ?? null},
        discount_code_id, goods_cents, goods_cents + ${besideGoodsCents}::integer, method, case method when 'card' then ${placedWith.paymentId}::uuid end${charged.orderValues},
        now() + make_interval(days => hold_days), case method when 'on_account' then 'placed' else 'open' end,
        now() + case when hold_days is not null and ${isKnownBuyerSql(buyer)} then make_interval(days => hold_days)
          else make_interval(mins => case when (select has_paid from buyer) then ${holdMinutes}::integer else ${newBuyerHoldMinutes}::integer end) end
      from accepted, taken, payment
      returning id, company_id, order_status, payment_method, number, placed_at, hold_until, goods_cents, total_cents, currency
    ), ${insertAccountOrderSql}, lines as (
      insert into order_lines (id, order_id, position, tool_id, product_name, brand, mpn, sku, quantity, list_price_cents, offered_breaks,
        own_price_cents, unit_price_cents, price_reason, reduction_cents, reduction_reason, total_cents${charged.lineColumns})
      select line_id, placed.id, position, product_id, name, brand, mpn, sku, quantity, list_price_cents, price_breaks,
        own_cents, unit_price_cents, price_reason, reduction_cents, case when reduction_cents > 0 then ${discountCode ?? null} end, cost_cents - reduction_cents${charged.lineValues}
      from product, placed
    ), moved as (
      insert into stock_movements (tool_id, pieces, reason, order_line_id) select product_id, -quantity, 'order', line_id from product, placed
    ), noted as (
      insert into order_history (order_id, event, state, order_status, actor, user_id, mail_due_at)
      select id, 'placed', case order_status when 'placed' then 'paid' else 'open' end, order_status, 'buyer', ${buyer.id}, now() from placed
    )${placedWith.rows}
    select number, placed_at, hold_until, payment_method, goods_cents, line_id, product_id, name, brand, mpn, sku, quantity, list_price_cents, unit_price_cents,
      price_reason, reduction_cents::integer, ${placedWith.replaces} as replaces
    from placed, product order by position`,
  )
  const [placed] = rows
  if (!placed) return undefined
  if (placed.payment_method === 'on_account') return { ...(await findOrderById(db, id)), replaces: placed.replaces } // placed, and to be sent
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
    paymentMethod: placed.payment_method,
    replaces: placed.replaces,
    lines: rows.map((line, nth) => toOrderLine(line, discountCode, asked?.lines[nth])),
  }
}

/** Whether an order of this buyer that awaits a transfer may hold its pieces for days: an address that is verified, or an order that was paid. */
const isKnownBuyerSql = ({ id }: Buyer): SQL =>
  sql`((select has_paid from buyer) or exists (select from users where id = ${id}::text and email_verified))`

const toOrderLine = (
  line: PlacedRow,
  discountCode: string | undefined,
  charged: ComputedOrderCharges['lines'][number] | undefined,
): OrderLine => ({
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
  ...lineAmounts(line, charged),
  ...initialLineState,
})

function lineAmounts(
  { unit_price_cents, quantity, reduction_cents }: PlacedRow,
  charged: ComputedOrderCharges['lines'][number] | undefined,
) {
  const totalCents = lineTotal(unit_price_cents, quantity) - reduction_cents
  const { includedTaxCents = 0, taxCents = 0 } = charged ?? {}
  return { totalCents, taxCents, chargedCents: totalCents - includedTaxCents + taxCents }
}

/**
 * The CTE `product`: the lines of `priced` with what a discount code takes off each, in proportion to what they cost, by largest remainder: every piece
 * still costs a cent, so that it can be refunded. It has no lines where the code cannot be used.
 */
const reducedLinesSql = (discountCode: string | undefined) =>
  discountCode === undefined
    ? sql`product as materialized (select *, 0 as reduction_cents from priced)`
    : sql`reduction as materialized (
      select split_within(${reductionSql(sql`cost_cents`, sql`pieces`)}, costs, reducible) as shares
      from discount_codes, (
        select sum(cost_cents) as cost_cents, sum(quantity) as pieces, array_agg(cost_cents order by position) as costs,
          array_agg(cost_cents - quantity order by position) as reducible from priced
      ) as ordered
      where code = ${discountCode} and ${isUsableSql} and minimum_cents <= cost_cents
    ), product as materialized (
      select priced.*, shares[row_number() over (order by position)] as reduction_cents from priced, reduction
    )`

/** The CTE `accepted`: what is acceptable, once a discount code has counted its use. */
const acceptedSql = (buyer: { id: string | null; network: string }, discountCode: string | undefined) =>
  discountCode === undefined
    ? sql`accepted as materialized (select acceptable.*, null::uuid as discount_code_id from acceptable)`
    : sql`used as (
      update discount_codes set uses = uses + 1
      where code = ${discountCode} and ${isUsableSql} and not ${isHeldByUnpaidOrderSql(buyer)} and exists (select from acceptable)
      returning id
    ), accepted as materialized (
      select acceptable.*, used.id as discount_code_id from acceptable, used
    )`
