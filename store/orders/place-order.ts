import { createHash } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { postgresErrorCode, retryAfterDeadlock } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatNumber } from '#shared/format-number.ts'
import { centsToDollars, dollarsToCents, formatCents, lineTotal } from '#shared/money.ts'
import { productLimits } from '#store/catalogue/contract.ts'
import { isForSale } from '#store/catalogue/rules.ts'
import { products } from '#store/catalogue/table.ts'
import type { User } from '#store/identity/contract.ts'
import { type BuyerLimits, buyerHoldsQuery, findExceededBuyerLimit, hashNetwork } from './buyer-limits.ts'
import { minOrderCents, orderQuantitySchema } from './contract.ts'
import type { Order } from './order-contract.ts'
import { findOrderById } from './order-queries.ts'
import { orderTotals } from './order-totals.ts'
import { orders } from './table.ts'

/** `requestKey`: the buyer's `Idempotency-Key`, if they sent one; `network`: the widest network that the client may have all of. */
export type PlacementContext = { requestKey?: string | undefined; network: string }
/** How long an order holds its pieces, `newBuyerHoldMinutes` for a buyer who has never paid, and the buyer limits. */
export type OrderTerms = { holdMinutes: number; newBuyerHoldMinutes: number; buyerLimits: BuyerLimits | undefined }

type RequestedLine = { productId: string; quantity: number }
export type OrderRequest = {
  lines: RequestedLine[]
  buyerAddress: string
  phone_number?: string | undefined
  country?: string | undefined
  /** the total that the buyer was shown; without it the order costs what the catalogue says */
  expectedTotalCents?: number | undefined
}

/** What the errors of a refused order say, for the call that it came by. */
export type RefusalWording = {
  /** the name of a line's quantity in `errors` */
  quantityField: (index: number) => string
  /** the order costs another total than the expected one */
  totalChangedError: (totalCents: number, lines: RequestedLine[]) => HttpError
  /** whether the error names the lines of which less is in stock */
  namesShortLines: boolean
}

const uniqueViolation = '23505'
/** How often an order without a promised total is placed at the catalogue's total, which may change in between. */
const maxTries = 3
const maxTotalCents = dollarsToCents(productLimits.maxPrice)

const orderRefusals: RefusalWording = {
  quantityField: (index) => `lines.${index}.quantity`,
  totalChangedError: (totalCents) =>
    new HttpError(409, `The order now costs ${formatCents(totalCents)}`, undefined, { code: 'total_changed', details: { totalCents } }),
  namesShortLines: true,
}

/**
 * Places an order: checks its total against the catalogue, takes the pieces of all its lines from stock and holds them, or takes none.
 * The same idempotency key from the same buyer returns the same order, however often it is sent and wherever the first response was lost:
 * the key is in the order's row.
 * @param hashedBody what the key stands for: the body, as it was validated
 * @returns isNew: false for such a repetition, where nothing has changed
 * @throws {HttpError} 404 no such product; 400 below a minimum, or the total is too small for the card provider; 409 the total or the stock
 *   has changed, or a buyer limit is exceeded; 422 the key was used for another order; 429 too many orders of the account or of its network
 *   within an hour or a day
 */
export async function placeOrder(
  db: Database,
  buyer: User,
  request: OrderRequest,
  terms: OrderTerms,
  { requestKey, network }: PlacementContext,
  { hashedBody = request, refusals = orderRefusals }: { hashedBody?: object; refusals?: RefusalWording } = {},
): Promise<{ order: Order; isNew: boolean }> {
  const hash = createHash('sha256').update(JSON.stringify(hashedBody)).digest('base64url')
  const idempotency = requestKey === undefined ? undefined : { key: requestKey, hash }
  const context = { idempotency, network: hashNetwork(network) }
  const lines = addUpRepeated(request.lines)
  for (let tries = 1; ; tries++)
    try {
      const isLastTry = tries === maxTries
      const totalCents = request.expectedTotalCents ?? (await catalogueTotal(db, lines))
      const sized = { ...request, lines, totalCents }
      const order = await retryAfterDeadlock(() => insertOrder(db, buyer, sized, terms, context))
      if (order) return { order, isNew: true }
      const refusal = await explainRefusal(db, buyer, sized, terms, context.network, refusals)
      if (refusal === 'total changed' && !isLastTry) continue // between the two statements, and no total was promised
      throw refusal === 'total changed' ? stockChangedError() : refusal
    } catch (error) {
      // Whatever the error: if an earlier request with this key placed an order, that order is the response.
      const placedBefore = idempotency && (await findOrderByRequest(db, buyer, idempotency))
      // After any other error, such as a lost connection, it may be the order of this very call.
      const isRefused = error instanceof HttpError || postgresErrorCode(error) === uniqueViolation
      if (placedBefore) return { order: placedBefore, isNew: !isRefused }
      throw error
    }
}

/** A line of one product, which may have been asked for in several; `index` is that of the first. */
type SummedLine = RequestedLine & { index: number }

/**
 * One line for each product, in the order in which they come first. Ids are compared as PostgreSQL does, which takes upper and lower case for
 * the same.
 */
function addUpRepeated(lines: RequestedLine[]): SummedLine[] {
  const summed = new Map<string, SummedLine>()
  for (const [index, { productId: written, quantity }] of lines.entries()) {
    const productId = written.toLowerCase()
    const first = summed.get(productId)
    summed.set(productId, { productId, quantity: (first?.quantity ?? 0) + quantity, index: first?.index ?? index })
  }
  return [...summed.values()]
}

/** @throws {HttpError} 404 one of the products is not for sale */
async function catalogueTotal(db: Database, lines: RequestedLine[]): Promise<number> {
  return orderTotals((await findForSale(db, lines)).map(({ quantity, product }) => ({ quantity, unitPriceCents: product.priceCents })))
    .totalCents
}

/**
 * These lines with their products.
 * @throws {HttpError} 404 one of them is not for sale
 */
async function findForSale<Line extends RequestedLine>(db: Database, lines: Line[]) {
  const ids = lines.map(({ productId }) => productId)
  const rows = await db
    .select({
      _id: products._id,
      name: products.name,
      price: sql<number>`${products.priceCents}`.mapWith(centsToDollars),
      priceCents: products.priceCents,
      minimum_order_quantity: products.minimum_order_quantity,
      available_quantity: products.available_quantity,
    })
    .from(products)
    .where(and(inArray(products._id, ids), isForSale))
  const byId = new Map(rows.map((row) => [row._id, row]))
  return lines.map((line) => {
    const product = byId.get(line.productId)
    if (!product) throw new HttpError(404, 'There is no such product')
    return { ...line, product }
  })
}

type SizedRequest = OrderRequest & { lines: SummedLine[]; totalCents: number }
type InsertContext = { idempotency: { key: string; hash: string } | undefined; network: string }
type PlacedRow = Record<'number' | 'placed_at' | 'hold_until', string> & {
  line_id: string
  product_id: string
  name: string
  brand: string | null
  mpn: string | null
  quantity: number
  price_cents: number
}

/**
 * One statement, so that the row locks on popular products are not held for a round trip between store and database. It locks the products
 * by id, takes the pieces if all products are for sale, have enough in stock and cost this total, and writes the order, its lines, the
 * stock movements and the first history event with them. Otherwise, or if a buyer limit would be exceeded, it writes nothing. The buyer's
 * holds are counted and locked first.
 */
async function insertOrder(
  db: Database,
  buyer: User,
  { lines, buyerAddress, phone_number, country, totalCents }: SizedRequest,
  { holdMinutes, newBuyerHoldMinutes, buyerLimits }: OrderTerms,
  { idempotency, network }: InsertContext,
): Promise<Order | undefined> {
  if (totalCents < minOrderCents || totalCents > maxTotalCents) return undefined
  const id = crypto.randomUUID()
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const lineIds = sql.param(lines.length === 1 ? [id] : lines.map(() => crypto.randomUUID())) // an only line has the id of its order
  const productIds = sql.param(lines.map(({ productId }) => productId))
  const quantities = sql.param(lines.map(({ quantity }) => quantity))
  const { rows } = await db.execute<PlacedRow>(sql`
    with buyer as materialized (${buyerHoldsQuery(buyer.id, buyerLimits, { pieces, totalCents }, network)}), asked as materialized (
      select * from unnest(${lineIds}::uuid[], ${productIds}::uuid[], ${quantities}::integer[]) with ordinality
        as asked (line_id, product_id, quantity, position)
    ), product as materialized (
      select asked.*, name, brand, mpn, price_cents, removed_at, available_quantity, minimum_order_quantity
      from asked join tools on tools.id = product_id
      where exists (select from buyer where over is null)
      order by product_id
      for update of tools
    ), accepted as materialized (
      select from product
      having count(*) = ${lines.length} and count(distinct product_id) = ${lines.length} and sum(price_cents::bigint * quantity) = ${totalCents}
        and bool_and(removed_at is null and available_quantity >= quantity and minimum_order_quantity <= quantity)
    ), taken as (
      update tools set available_quantity = tools.available_quantity - product.quantity
      from product where tools.id = product_id and exists (select from accepted)
    ), placed as (
      insert into orders (id, buyer_id, buyer_name, buyer_email, buyer_address, country, phone_number, network, placed_from_network,
        request_key, request_hash, goods_cents, total_cents, hold_until)
      select ${id}::uuid, ${buyer.id}, ${buyer.name}, ${buyer.email}, ${buyerAddress}, ${country ?? null}, ${phone_number ?? null},
        (select counted_network from buyer), (select placed_from_network from buyer), ${idempotency?.key ?? null}, ${idempotency?.hash ?? null},
        ${totalCents}::integer, ${totalCents}::integer,
        now() + make_interval(mins => case when (select has_paid from buyer) then ${holdMinutes}::integer else ${newBuyerHoldMinutes}::integer end)
      from accepted
      returning id, number, placed_at, hold_until
    ), lines as (
      insert into order_lines (id, order_id, position, tool_id, product_name, brand, mpn, quantity, list_price_cents, unit_price_cents, total_cents)
      select line_id, placed.id, position, product_id, name, brand, mpn, quantity, price_cents, price_cents, price_cents * quantity
      from product, placed
    ), moved as (
      insert into stock_movements (tool_id, pieces, reason, order_line_id) select product_id, -quantity, 'order', line_id from product, placed
    ), noted as (
      insert into order_history (order_id, event, state, order_status, actor, user_id, mail_due_at)
      select id, 'placed', 'open', 'open', 'buyer', ${buyer.id}, now() from placed
    )
    select number, placed_at, hold_until, line_id, product_id, name, brand, mpn, quantity, price_cents from placed, product order by position`)
  const [placed] = rows
  if (!placed) return undefined
  return {
    _id: id,
    number: Number(placed.number),
    placedAt: new Date(placed.placed_at).toISOString(),
    holdUntil: new Date(placed.hold_until).toISOString(),
    buyerName: buyer.name,
    buyerEmail: buyer.email,
    buyerAddress,
    country: country ?? null,
    currency: 'usd',
    goodsCents: totalCents,
    deliveryCents: 0,
    taxCents: 0,
    totalCents,
    ...initialOrderState,
    lines: rows.map((line) => ({
      _id: line.line_id,
      productId: line.product_id,
      productName: line.name,
      brand: line.brand,
      mpn: line.mpn,
      quantity: line.quantity,
      listPriceCents: line.price_cents,
      unitPriceCents: line.price_cents,
      reductionCents: 0,
      totalCents: lineTotal(line.price_cents, line.quantity),
      ...initialLineState,
    })),
  }
}

/** What an order that was just placed has not come to yet. */
const initialOrderState = {
  orderStatus: 'open',
  paymentStatus: 'unpaid',
  fulfilmentStatus: 'to_send',
  transectionId: null,
  paidAt: null,
  card: null,
  refundedCents: 0,
  refundable: { cents: 0, pieces: 0 },
} as const
const initialLineState = {
  inTotal: true,
  ...{ packed: 0, sent: 0, cancelled: 0, returned: 0, restocked: 0, refundedCents: 0, refundedPieces: 0 },
  refundable: { cents: 0, pieces: 0 },
}

/** The order of an earlier request with this key, as it was answered then. */
async function findOrderByRequest(db: Database, buyer: User, { key, hash }: { key: string; hash: string }): Promise<Order | undefined> {
  const [placed] = await db
    .select({ _id: orders._id, hash: orders.requestHash })
    .from(orders)
    .where(and(eq(orders.buyerId, buyer.id), eq(orders.requestKey, key)))
  if (!placed) return undefined
  if (placed.hash !== hash)
    throw new HttpError(422, 'This Idempotency-Key was used for another order', undefined, { code: 'idempotency_key_reused' })
  const order = await findOrderById(db, placed._id)
  const lines = order.lines.map((line) => ({ ...line, ...initialLineState }))
  return { ...order, ...initialOrderState, ...orderTotals(lines, order.deliveryCents, order.taxCents), lines }
}

/**
 * The error for an order that was not inserted, with the form's messages. Too few pieces is the buyer's mistake (400). Too many, or another
 * total, means that stock or price has changed meanwhile (409).
 * @returns 'total changed' where the total is not the catalogue's and was not promised to the buyer either
 */
async function explainRefusal(
  db: Database,
  buyer: User,
  { lines, totalCents, expectedTotalCents }: SizedRequest,
  { buyerLimits }: OrderTerms,
  network: string,
  { quantityField, totalChangedError, namesShortLines }: RefusalWording,
): Promise<HttpError | 'total changed'> {
  const asked = await findForSale(db, lines)
  const wrong = asked.flatMap((line) => {
    const message = orderQuantitySchema(line.product).safeParse(line.quantity).error?.issues[0]?.message
    return message ? [{ ...line, message }] : []
  })
  const [first] = wrong
  if (first) {
    const errors = Object.fromEntries(wrong.map(({ index, message }) => [quantityField(index), message]))
    const short = wrong.filter(({ quantity, product }) => quantity > product.available_quantity)
    if (short.length > 0) return stockTooLowError(short, errors, namesShortLines)
    const isBelowMinimum = first.quantity < first.product.minimum_order_quantity
    return new HttpError(400, first.message, errors, isBelowMinimum ? { code: 'below_minimum' } : {})
  }
  const catalogueCents = orderTotals(asked.map(({ quantity, product }) => ({ quantity, unitPriceCents: product.priceCents }))).totalCents
  if (catalogueCents !== totalCents) return expectedTotalCents === undefined ? 'total changed' : totalChangedError(catalogueCents, lines)
  if (totalCents < minOrderCents)
    return new HttpError(400, `An order costs at least ${formatCents(minOrderCents)}, which is the least that a card can pay`)
  if (totalCents > maxTotalCents) return new HttpError(400, `An order costs at most ${formatCents(maxTotalCents)}`)
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const over = buyerLimits && (await findExceededBuyerLimit(db, buyer.id, buyerLimits, { pieces, totalCents }, network))
  return over ?? stockChangedError()
}

const stockChangedError = () => new HttpError(409, 'The stock is changing at this moment: try again', undefined, { code: 'stock_changed' })

type ShortLine = RequestedLine & { message: string; product: { name: string; available_quantity: number } }

/** Names every line that is short, so that one answer is enough to mend the order. */
function stockTooLowError(short: ShortLine[], errors: Record<string, string>, namesShortLines: boolean): HttpError {
  const [first] = short
  const names = short.map(
    ({ product, quantity }) => `${product.name} (${formatNumber(product.available_quantity)} of ${formatNumber(quantity)})`,
  )
  const message = short.length === 1 && first ? first.message : `Less is in stock than you ask for: ${names.join(', ')}`
  const lines = short.map(({ productId, quantity, product }) => ({ productId, asked: quantity, available: product.available_quantity }))
  return new HttpError(409, message, errors, { code: 'stock_too_low', ...(namesShortLines && { details: { lines } }) })
}
