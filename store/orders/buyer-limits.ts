import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { tooManyRequestsError } from '#platform/rate-limits.ts'
import { formatNumber } from '#shared/format-number.ts'
import { formatCents } from '#shared/money.ts'
import { buyerLimitFactors } from '#store/identity/contract.ts'
import { maxOrderLines } from './order-fields.ts'

/**
 * How much unpaid stock a buyer may hold: open orders, their pieces and their total in the store's currency; and how many orders they may place in
 * an hour, and `dayFactor` times as many in a day, with `linesPerOrder` times as many lines. These figures are for a buyer whose e-mail is not verified and who has never paid. For others they are multiplied, see
 * `buyerLimitFactors`.
 */
export type BuyerLimits = { openOrders: number; heldPieces: number; heldCents: number; ordersPerHour: number }

/**
 * Factor on the pieces and the amount of `BuyerLimits` that all buyers without a verified e-mail may hold together from one network, and on the
 * orders that they may place in an hour. So registering many accounts does not raise the limit, nor does paying one small order with each.
 */
const networkFactor = 3

/** Within a day a buyer may place so many times the orders of an hour, cancelled ones included. */
const dayFactor = 4
/** The orders of an hour, or of a day, may together have so many times as many lines; one order of the most lines always fits. */
const linesPerOrder = 10
const linesPerHour = ({ ordersPerHour }: BuyerLimits) => Math.max(ordersPerHour * linesPerOrder, maxOrderLines)
/** The largest integer that PostgreSQL counts up to here: more orders are no limit to anybody. */
const maxCountedOrders = 2_147_483_647

/** `replacedOrders`: so many open orders end before this one is placed; what they hold is taken off `pieces` and `totalCents` then. */
export type RequestedAmounts = { lines: number; pieces: number; totalCents: number; replacedOrders?: number }

/** The network as stored with an order: a hash, so that orders of one network can be counted and no IP address is stored in clear. */
export const hashBuyerNetwork = (network: string) => createHash('sha256').update(`orders from ${network}`).digest('base64url')

/** Orders per statement, so that it ends well before the statement timeout. */
const maxForgotten = 10_000

/** Forgets the networks of orders that have ended and are two days old: no limit looks further back than a day. Called every minute. */
export async function deleteOldBuyerNetworks(db: Database): Promise<void> {
  await db.execute(sql`
    update orders set network = null, placed_from_network = null where id in (
      select id from orders
      where (network is not null or placed_from_network is not null) and order_status <> 'open' and placed_at < now() - interval '2 days'
      limit ${maxForgotten})`)
}

type BuyerHoldings = {
  over:
    | 'removed'
    | 'orders'
    | 'pieces'
    | 'amount'
    | 'network'
    | 'hour'
    | 'day'
    | 'network hour'
    | 'lines hour'
    | 'lines day'
    | 'network lines'
    | null
  is_lifted: boolean
  factor: number
  /** other accounts of the buyer's mailbox hold a part of it */
  is_shared: boolean
  open_orders: number
  /** bigint, which the driver returns as text */
  held_pieces: string
  held_cents: string
  lines_lately: string
  lines_today: string
  /** until the oldest order leaves the window that is counted */
  seconds_left: number | null
  day_seconds_left: number | null
  network_seconds_left: number | null
}

/**
 * One row: what this buyer holds, together with the other verified accounts of their mailbox, and in `over` the limit that an order of
 * these pieces and this total would exceed, or null. It locks the buyer until the end of the transaction, so that concurrent orders cannot
 * all pass with the same count. All guests of a network are counted as one buyer, who is neither verified nor has ever paid: anybody can make up
 * any number of addresses.
 * Without limits nothing is counted or locked, and only `has_paid` is queried.
 * @param network hash of the network that the order comes from. Where the buyer's e-mail is not verified, it is counted and locked like the
 *   buyer, and returned as `counted_network`; otherwise `counted_network` is null. It is returned as `placed_from_network` unless the buyer's
 *   limits are lifted or off
 */
export function buyerHoldsQuery(
  buyerId: string | null,
  limits: BuyerLimits | undefined,
  { lines, pieces, totalCents, replacedOrders = 0 }: RequestedAmounts,
  network?: string,
): SQL {
  if (!limits)
    return sql`select exists (select from orders where buyer_id = ${buyerId}::text and is_paid) as has_paid,
      null as over, null as counted_network, null as placed_from_network`
  const maxCounted = Math.min(limits.ordersPerHour * dayFactor * buyerLimitFactors.returning, maxCountedOrders)
  const secondsUntil = (end: SQL) => sql`ceil(extract(epoch from ${end} - now()))::integer`
  return sql`
    select held.*, factor, windows.*, case when not is_lifted then ${network ?? null}::text end as placed_from_network,
      case when is_removed then 'removed' when is_lifted then null
        when open_orders - ${replacedOrders}::integer >= ${limits.openOrders}::bigint * factor then 'orders'
        when held_pieces + ${pieces} > ${limits.heldPieces}::bigint * factor then 'pieces'
        when held_cents + ${totalCents} > ${limits.heldCents}::bigint * factor then 'amount'
        when counted_network is not null and (network_pieces + ${pieces} > ${limits.heldPieces}::bigint * ${networkFactor}
          or network_cents + ${totalCents} > ${limits.heldCents}::bigint * ${networkFactor}) then 'network'
        when placed_lately >= ${limits.ordersPerHour}::bigint * factor then 'hour'
        when placed_today >= ${limits.ordersPerHour}::bigint * ${dayFactor} * factor then 'day'
        when counted_network is not null and network_lately >= ${limits.ordersPerHour}::bigint * ${networkFactor} then 'network hour'
        when lines_lately + ${lines} > ${linesPerHour(limits)}::bigint * factor then 'lines hour'
        when lines_today + ${lines} > ${linesPerHour(limits)}::bigint * ${dayFactor} * factor then 'lines day'
        when counted_network is not null and network_lines + ${lines} > ${linesPerHour(limits)}::bigint * ${networkFactor} then 'network lines'
        end as over
    from ${buyerId === null ? sql`guest_holds(${network ?? null}, ${maxCounted})` : sql`buyer_holds(${buyerId}, ${maxCounted}, ${network ?? null})`} held,
      lateral ${buyerFactorSql(limits)},
      lateral (select ${secondsUntil(sql`lately_since + interval '1 hour'`)} as seconds_left,
        ${secondsUntil(sql`today_since + interval '1 day'`)} as day_seconds_left,
        ${secondsUntil(sql`network_since + interval '1 hour'`)} as network_seconds_left) as windows`
}

/** Computes `factor` from the columns `has_paid`, `kept_cents` and `is_verified` of the joined row. */
const buyerFactorSql = ({ heldCents }: BuyerLimits) => sql`(select case
  when has_paid then greatest(${buyerLimitFactors.verified}::bigint,
    least(${buyerLimitFactors.returning}::bigint, kept_cents * ${buyerLimitFactors.perPaidAmount}::bigint / ${heldCents}::bigint))::integer
  when is_verified then ${buyerLimitFactors.verified}::integer else 1 end as factor) as of_buyer`

const queryBuyerHoldings = async (
  db: Database,
  buyerId: string | null,
  limits: BuyerLimits,
  requested: RequestedAmounts,
  network?: string,
): Promise<BuyerHoldings | undefined> => (await db.execute<BuyerHoldings>(buyerHoldsQuery(buyerId, limits, requested, network))).rows[0]

/**
 * This buyer's factor on `BuyerLimits`. It locks nothing, so that a request to the card provider does not wait for a concurrent order.
 * @returns null when an admin has lifted the buyer's limits
 */
export async function buyerLimitFactor(db: Database, limits: BuyerLimits, buyerId: string): Promise<number | null> {
  const { rows } = await db.execute<{ is_lifted: boolean; factor: number }>(sql`
    select is_lifted, factor
    from (select limits_lifted_at is not null as is_lifted, email_verified as is_verified,
        exists (select from orders where buyer_id = ${buyerId} and is_paid) as has_paid,
        kept_cents_of(${buyerId}) as kept_cents
      from users where id = ${buyerId}) as buyer, lateral ${buyerFactorSql(limits)}`)
  const [buyer] = rows
  return buyer?.is_lifted ? null : (buyer?.factor ?? 1)
}

/** Locks the buyer: no order is placed until the end of the transaction, and none after it once the transaction has removed the account. */
export const lockBuyerForPlacing = (tx: Database, buyerId: string) => tx.execute(sql`select from buyer_holds(${buyerId}, 0)`)

/**
 * The error for an order of these pieces and this total that would exceed a buyer limit. Its message says what the buyer can do.
 * @returns 409, or 429 when too many orders were placed within an hour or a day; 401 for a removed account; undefined when no limit is exceeded
 */
export async function findExceededBuyerLimit(
  db: Database,
  buyerId: string | null,
  limits: BuyerLimits,
  requested: RequestedAmounts,
  network?: string,
): Promise<HttpError | undefined> {
  const holdings = await queryBuyerHoldings(db, buyerId, limits, requested, network)
  if (!holdings?.over) return undefined
  const { over } = holdings
  if (over === 'removed') return new HttpError(401, 'Sign in first')
  return buyerId === null ? guestLimitError(over, limits, holdings) : accountLimitError(over, limits, holdings, requested)
}

type ExceededLimit = Exclude<BuyerHoldings['over'], 'removed' | null>

function accountLimitError(over: ExceededLimit, limits: BuyerLimits, holdings: BuyerHoldings, requested: RequestedAmounts): HttpError {
  const { factor, open_orders } = holdings
  const { openOrders, heldPieces, heldCents, ordersPerHour } = limits
  const [pieces, cents] = [Number(holdings.held_pieces), Number(holdings.held_cents)]
  const nextSteps = (first: string | false) => accountNextSteps(first, over, factor)
  const free = nextSteps(open_orders > 0 && 'pay or cancel an open order')
  const together = holdings.is_shared ? ' Accounts of one mailbox, such as me@ and me+1@, count together.' : ''
  const limitError = (message: string) => new HttpError(409, `${message}${together} ${free}`, undefined, { code: 'over_buyer_limit' })
  const rateError = (what: string, secondsLeft: number | null, first: string | false = false) =>
    orderRateError(what, secondsLeft, nextSteps(first))
  const linesError = (within: string, placed: number, most: number, secondsLeft: number | null) =>
    rateError(
      `Your orders within ${within}, cancelled ones included, have ${formatNumber(placed)} lines, and your account can place ${formatNumber(most)}: ${formatNumber(requested.lines)} more are too many`,
      secondsLeft,
      placed < most && `order at most ${formatNumber(most - placed)} lines`,
    )
  switch (over) {
    case 'orders':
      return limitError(
        `You have ${formatNumber(open_orders)} unpaid orders, and your account can have ${formatNumber(openOrders * factor)} at a time.`,
      )
    case 'pieces':
      return limitError(
        `Your unpaid orders hold ${formatNumber(pieces)} pieces, and your account can hold ${formatNumber(heldPieces * factor)} at a time: ${formatNumber(requested.pieces)} more are too many.`,
      )
    case 'amount':
      return limitError(
        `Your unpaid orders come to ${formatCents(cents)}, and your account can have ${formatCents(heldCents * factor)} unpaid at a time: ${formatCents(requested.totalCents)} more is too much.`,
      )
    case 'network': // does not say how much is held: those are other people's orders
      return limitError(
        `Accounts in your network whose e-mail is not verified can together have ${formatNumber(heldPieces * networkFactor)} pieces and ${formatCents(heldCents * networkFactor)} unpaid at a time, and this order would be more.`,
      )
    case 'hour':
      return rateError(
        `You have placed ${formatNumber(ordersPerHour * factor)} orders within an hour, which is as many as your account can`,
        holdings.seconds_left,
      )
    case 'day':
      return rateError(
        `You have placed ${formatNumber(ordersPerHour * dayFactor * factor)} orders within a day, cancelled ones included, which is as many as your account can`,
        holdings.day_seconds_left,
      )
    case 'lines hour':
      return linesError('an hour', Number(holdings.lines_lately), linesPerHour(limits) * factor, holdings.seconds_left)
    case 'lines day':
      return linesError('a day', Number(holdings.lines_today), linesPerHour(limits) * dayFactor * factor, holdings.day_seconds_left)
    case 'network lines':
      return rateError(
        `Accounts in your network whose e-mail is not verified can together place ${formatNumber(linesPerHour(limits) * networkFactor)} lines of orders within an hour, and this order would be more`,
        holdings.network_seconds_left,
      )
    case 'network hour':
      return rateError(
        `Accounts in your network whose e-mail is not verified have placed ${formatNumber(ordersPerHour * networkFactor)} orders within an hour, which is as many as they can together`,
        holdings.network_seconds_left,
      )
  }
}

/** What the buyer can do about a limit, in a sentence. `first`: what helps at once. */
function accountNextSteps(first: string | false, over: ExceededLimit, factor: number): string {
  const verify =
    factor === 1
      ? `verify your e-mail to have ${buyerLimitFactors.verified} times as much`
      : over.startsWith('network') && 'verify your e-mail'
  const options = [first, verify, 'write to us']
  const [begin = '', ...others] = options.filter((way) => way !== false)
  const all = [begin.charAt(0).toUpperCase() + begin.slice(1), ...others]
  return `${all.slice(0, -1).join(', ')}${all.length > 1 ? ' or ' : ''}${all.at(-1)}.`
}

function orderRateError(what: string, secondsLeft: number | null, nextSteps: string): HttpError {
  const { message, status, retryAfterSeconds } = tooManyRequestsError(what, secondsLeft ?? 0)
  return new HttpError(status, `${message}. ${nextSteps}`, undefined, {
    code: 'over_buyer_limit',
    ...(retryAfterSeconds && { retryAfterSeconds }),
  })
}

/** Does not say how much is held: those are other people's orders. */
function guestLimitError(over: ExceededLimit, limits: BuyerLimits, holdings: BuyerHoldings): HttpError {
  const nextSteps = 'Order with an account whose e-mail is verified, or write to us.'
  const limitError = (who: string, together: string) =>
    new HttpError(409, `${who} can together have ${together} unpaid at a time, and this order would be more. ${nextSteps}`, undefined, {
      code: 'over_buyer_limit',
    })
  const amounts = (factor: number) => `${formatNumber(heldPieces * factor)} pieces and ${formatCents(heldCents * factor)}`
  const rateError = (who: string, count: number, window: string, secondsLeft: number | null) =>
    orderRateError(
      `${who} have placed ${formatNumber(count)} orders within ${window}, which is as many as they can together`,
      secondsLeft,
      nextSteps,
    )
  const linesError = (who: string, most: number, window: string, secondsLeft: number | null) =>
    orderRateError(
      `${who} can together order ${formatNumber(most)} lines within ${window}, cancelled ones included, and this order would be more`,
      secondsLeft,
      nextSteps,
    )
  const guests = 'Guests in your network'
  const allUnverified = 'Guests and accounts in your network whose e-mail is not verified'
  const { openOrders, heldPieces, heldCents, ordersPerHour } = limits
  switch (over) {
    case 'orders':
      return limitError(guests, `${formatNumber(openOrders)} orders`)
    case 'hour':
      return rateError(guests, ordersPerHour, 'an hour', holdings.seconds_left)
    case 'day':
      return rateError(guests, ordersPerHour * dayFactor, 'a day', holdings.day_seconds_left)
    case 'network hour':
      return rateError(allUnverified, ordersPerHour * networkFactor, 'an hour', holdings.network_seconds_left)
    case 'lines hour':
      return linesError(guests, linesPerHour(limits), 'an hour', holdings.seconds_left)
    case 'lines day':
      return linesError(guests, linesPerHour(limits) * dayFactor, 'a day', holdings.day_seconds_left)
    case 'network lines':
      return linesError(allUnverified, linesPerHour(limits) * networkFactor, 'an hour', holdings.network_seconds_left)
    case 'network':
      return limitError(allUnverified, amounts(networkFactor))
    default:
      return limitError(guests, amounts(1))
  }
}
