import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { tooMany } from '#platform/limits.ts'
import { Refusal } from '#platform/refusal.ts'
import { inFigures } from '#store/in-figures.ts'
import { overBuyerLimit } from './contract.ts'

/**
 * What a buyer may have waiting for payment: open orders, their pieces and their cost in whole dollars, and how many orders they may place
 * in an hour. These figures are for a buyer whose e-mail is not verified and who has never paid; `factors` is for the others.
 */
export type BuyerLimits = { openOrders: number; heldPieces: number; heldDollars: number; ordersAnHour: number }

/**
 * How many times as much others may: a verified e-mail, and who has at least one order that is paid and not wholly refunded. These have as
 * much as a verified e-mail, and more by what they have paid for: so many times as much can wait, up to the last factor. One small order
 * paid does not let a buyer hold the stock.
 */
export const factors = { verified: 4, ofPaidAndKept: 10, returning: 20 } as const

/**
 * How many times the pieces and dollars of one such newcomer all whose e-mail is not verified hold together from one network: more accounts do
 * not help who registers many, nor does one small order paid with each.
 */
const networkFactor = 3

type Wanted = { productQuantity: number; productCost: number }

/** A network as orders keep it: the same for the same network, and no address that could be read. */
export const hashedNetwork = (network: string) => createHash('sha256').update(`orders from ${network}`).digest('base64url')

type Held = {
  over: 'removed' | 'orders' | 'pieces' | 'dollars' | 'network' | 'hour' | null
  is_lifted: boolean
  factor: number
  /** some of it is held by other accounts of the buyer's mailbox */
  is_shared: boolean
  open_orders: number
  /** bigint, which the driver leaves as text */
  held_pieces: string
  held_dollars: string
  seconds_left: number | null
}

/**
 * One row: what this buyer holds, all accounts of their mailbox together where its e-mails are verified, and in `over` the limit that an order
 * of these pieces and this cost would break, or null. From here until the end of the transaction no other order of the buyer is placed, so
 * that orders sent at once cannot all pass under the same count.
 * Without limits nothing is counted or locked, and `has_paid` alone is asked.
 * @param network where the order comes from, as a hash. It is `counted_network` in the row, and counted and locked like the buyer, where the
 *   buyer has not verified their e-mail, and null for others
 */
export function askWhatIsHeld(
  buyerId: string,
  limits: BuyerLimits | undefined,
  { productQuantity, productCost }: Wanted,
  network?: string,
): SQL {
  if (!limits)
    return sql`select exists (select from orders where buyer_id = ${buyerId} and state in ('paid', 'packed', 'shipped')) as has_paid,
      null as over, null as counted_network`
  return sql`
    select held.*, factor, ceil(extract(epoch from lately_since + interval '1 hour' - now()))::integer as seconds_left,
      case when is_removed then 'removed' when is_lifted then null
        when open_orders >= ${limits.openOrders}::bigint * factor then 'orders'
        when held_pieces + ${productQuantity} > ${limits.heldPieces}::bigint * factor then 'pieces'
        when held_dollars + ${productCost} > ${limits.heldDollars}::bigint * factor then 'dollars'
        when counted_network is not null and (network_pieces + ${productQuantity} > ${limits.heldPieces}::bigint * ${networkFactor}
          or network_dollars + ${productCost} > ${limits.heldDollars}::bigint * ${networkFactor}) then 'network'
        when placed_lately >= ${limits.ordersAnHour}::bigint * factor then 'hour' end as over
    from buyer_holds(${buyerId}, ${limits.ordersAnHour * factors.returning}, ${network ?? null}) held, lateral ${factorOfBuyer(limits)}`
}

/** From `has_paid`, `kept_cents` and `is_verified` of the row beside it. */
const factorOfBuyer = ({ heldDollars }: BuyerLimits) => sql`(select case
  when has_paid then greatest(${factors.verified}::bigint,
    least(${factors.returning}::bigint, kept_cents * ${factors.ofPaidAndKept}::bigint / (${heldDollars}::bigint * 100)))::integer
  when is_verified then ${factors.verified}::integer else 1 end as factor) as of_buyer`

const held = async (db: Database, buyerId: string, limits: BuyerLimits, wish: Wanted, network?: string): Promise<Held | undefined> =>
  (await db.execute<Held>(askWhatIsHeld(buyerId, limits, wish, network))).rows[0]

/**
 * How many times as much as an unverified newcomer this buyer may. It locks nothing, so that a question to the card provider waits for no order.
 * @returns null for whom an admin has lifted the limits
 */
export async function factorOf(db: Database, limits: BuyerLimits, buyerId: string): Promise<number | null> {
  const { rows } = await db.execute<{ is_lifted: boolean; factor: number }>(sql`
    select is_lifted, factor
    from (select limits_lifted_at is not null as is_lifted, email_verified as is_verified,
        exists (select from orders where buyer_id = ${buyerId} and state in ('paid', 'packed', 'shipped')) as has_paid,
        kept_cents_of(${buyerId}) as kept_cents
      from users where id = ${buyerId}) as buyer, lateral ${factorOfBuyer(limits)}`)
  const [standing] = rows
  return standing?.is_lifted ? null : (standing?.factor ?? 1)
}

/** No order of this buyer is placed from here until the end of the transaction, nor by a removed account ever after. */
export const keepFromOrdering = (tx: Database, buyerId: string) => tx.execute(sql`select from buyer_holds(${buyerId}, 0)`)

/**
 * Why an order of these pieces and this cost would be more than its buyer may have, in words that say what to do.
 * @returns a refusal with 409, or 429 when too many were placed within an hour; undefined when it would not
 */
export async function overLimit(
  db: Database,
  buyerId: string,
  limits: BuyerLimits,
  wish: Wanted,
  network?: string,
): Promise<Refusal | undefined> {
  const standing = await held(db, buyerId, limits, wish, network)
  if (!standing?.over) return undefined
  const { over, factor, open_orders, seconds_left } = standing
  if (over === 'removed') return new Refusal(401, 'Sign in first')
  const { openOrders, heldPieces, heldDollars, ordersAnHour } = limits
  const [pieces, dollars] = [Number(standing.held_pieces), Number(standing.held_dollars)]
  const next = (first: string | false) => {
    const verify =
      factor === 1 ? `verify your e-mail to have ${factors.verified} times as much` : over === 'network' && 'verify your e-mail'
    const ways = [first, verify, 'write to us']
    const [begin = '', ...others] = ways.filter((way) => way !== false)
    const all = [begin.charAt(0).toUpperCase() + begin.slice(1), ...others]
    return `${all.slice(0, -1).join(', ')}${all.length > 1 ? ' or ' : ''}${all.at(-1)}.`
  }
  const free = next(open_orders > 0 && 'pay or cancel an open order')
  const together = standing.is_shared ? ' Accounts of one mailbox, such as me@ and me+1@, count together.' : ''
  const refuse = (said: string) => new Refusal(409, `${said}${together} ${free}`, undefined, { code: overBuyerLimit })
  switch (over) {
    case 'orders':
      return refuse(
        `You have ${inFigures(open_orders)} unpaid orders, and your account can have ${inFigures(openOrders * factor)} at a time.`,
      )
    case 'pieces':
      return refuse(
        `Your unpaid orders hold ${inFigures(pieces)} pieces, and your account can hold ${inFigures(heldPieces * factor)} at a time: ${inFigures(wish.productQuantity)} more are too many.`,
      )
    case 'dollars':
      return refuse(
        `Your unpaid orders come to $${inFigures(dollars)}, and your account can have $${inFigures(heldDollars * factor)} unpaid at a time: $${inFigures(wish.productCost)} more is too much.`,
      )
    case 'network': // without what is held: that is what others have ordered
      return refuse(
        `Accounts in your network whose e-mail is not verified can together have ${inFigures(heldPieces * networkFactor)} pieces and $${inFigures(heldDollars * networkFactor)} unpaid at a time, and this order would be more.`,
      )
    case 'hour': {
      const { message, status, retryAfterSeconds } = tooMany(
        `You have placed ${inFigures(ordersAnHour * factor)} orders within an hour, which is as many as your account can`,
        seconds_left ?? 0,
      )
      return new Refusal(status, `${message}. ${next(false)}`, undefined, {
        code: overBuyerLimit,
        ...(retryAfterSeconds && { retryAfterSeconds }),
      })
    }
  }
}
