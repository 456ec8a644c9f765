import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { enforceRateLimit, undoRateLimitAttempt } from '#platform/rate-limits.ts'
import { formatNumber } from '#shared/format-number.ts'
import { amountToCents, type Cents, formatCents } from '#shared/money.ts'
import type { User } from '#store/identity/contract.ts'
import { recordingPricingChange } from './changes.ts'
import { type DiscountCode, maxListedBuyerPrices, type NewDiscountCode } from './contract.ts'
import { comesAfterSql, microsecondsSql, pageKeySql, splitOffNextPage } from './page-key.ts'
import { discountCodes } from './table.ts'

/** What a code takes off the goods of an order. */
export type Discount = { percentOff: number | null; amountOffCents: Cents | null }

const columns = {
  _id: discountCodes._id,
  code: discountCodes.code,
  percentOff: discountCodes.percentOff,
  amountOffCents: discountCodes.amountOffCents,
  minimumCents: discountCodes.minimumCents,
  startsAt: discountCodes.startsAt,
  endsAt: discountCodes.endsAt,
  maxUses: discountCodes.maxUses,
  uses: discountCodes.uses,
}

/** What a code takes off so many pieces that cost so much, in cents rounded half up: every piece still costs a cent. */
export const discountReductionCents = ({ percentOff, amountOffCents }: Discount, costCents: Cents, pieces: number): Cents =>
  Math.min(percentOff === null ? (amountOffCents ?? 0) : Math.round((costCents * percentOff) / 100), costCents - pieces)

/** The same in SQL, of a row of `discount_codes`. */
export const reductionSql = (costCents: SQL, pieces: SQL) =>
  sql`least(coalesce(round(${costCents} * percent_off / 100.0), amount_off_cents), ${costCents} - ${pieces})`

/** Whether a row of `discount_codes` that was used so often can be used now, apart from the minimum. */
const isUsableAfterSql = (uses: SQL) => sql`(starts_at <= now() and coalesce(ends_at > now(), true) and coalesce(${uses} < max_uses, true))`
export const isUsableSql = isUsableAfterSql(sql`uses`)

/**
 * Whether an unpaid order of this buyer uses the row of `discount_codes`, where its uses are limited: a few accounts that do not pay could
 * keep it from everybody else.
 */
export const isHeldByUnpaidOrderSql = (buyerId: string) => sql`(max_uses is not null and buyer_holds_code(${buyerId}, discount_codes.id))`

/** A guessed code is worth money, so each account has few guesses, and a network with many accounts a few more. */
const wrongCodesLimits = { ofAccount: { max: 20, seconds: 3600 }, ofNetwork: { max: 100, seconds: 3600 } }

/**
 * Runs an order that uses a code, and counts it where the code cannot be used. It is counted before: otherwise many at once would be as many
 * guesses.
 * @param network of the buyer, as the buyer limits know it
 * @throws {HttpError} 429 the account or its network has sent too many codes that cannot be used, whatever this one is
 */
export async function withWrongCodeLimit<Result>(
  db: Database,
  buyerId: string,
  network: string,
  order: () => Promise<Result>,
): Promise<Result> {
  const [ofAccount, ofNetwork] = [`wrong discount codes of ${buyerId}`, `wrong discount codes from ${network}`]
  const what = 'Too many codes that cannot be used'
  await enforceRateLimit(db, ofAccount, wrongCodesLimits.ofAccount, what)
  let isWrong = false
  try {
    await enforceRateLimit(db, ofNetwork, wrongCodesLimits.ofNetwork, what)
    return await order()
  } catch (error) {
    isWrong = error instanceof HttpError && error.code === 'discount_refused'
    throw error
  } finally {
    if (!isWrong) for (const key of [ofAccount, ofNetwork]) await undoRateLimitAttempt(db, key)
  }
}

/**
 * The code that a buyer has typed, if it can be used now.
 * @param replacedCode the id of a code that an unpaid order uses which the new one replaces: that use does not count
 * @throws {HttpError} 400 it cannot, and why
 */
export async function findUsableDiscount(
  db: Database,
  buyerId: string,
  code: string,
  replacedCode: string | null = null,
): Promise<Discount & { minimumCents: Cents }> {
  const isReplaced = sql`coalesce(${discountCodes._id} = ${replacedCode}::uuid, false)`
  const [found] = await db
    .select({
      ...columns,
      isUsable: sql<boolean>`${isUsableAfterSql(sql`uses - ${isReplaced}::integer`)}`,
      isComing: sql<boolean>`starts_at > now()`,
      isHeld: sql<boolean>`not ${isReplaced} and ${isHeldByUnpaidOrderSql(buyerId)}`,
    })
    .from(discountCodes)
    .where(eq(discountCodes.code, code))
  if (!found || found.isComing) throw discountRefused(`There is no code ${code}`)
  if (found.isHeld) throw discountRefused(`Your unpaid order uses the code ${code}: pay or cancel it first`)
  if (found.isUsable) return found
  const isUsedUp = found.maxUses !== null && found.uses >= found.maxUses
  throw discountRefused(isUsedUp ? `The code ${code} is used up` : `The code ${code} has ended`)
}

export const orderBelowCodeMinimumError = (code: string, minimumCents: Cents): HttpError =>
  discountRefused(`The code ${code} is for goods of ${formatCents(minimumCents)} or more`)

const discountRefused = (message: string) => new HttpError(400, message, { discountCode: message }, { code: 'discount_refused' })

const notEndedSql = sql`coalesce(ends_at > now(), true)::integer::bigint` // as a key is compared with it
const notEndedFirst = [notEndedSql, microsecondsSql(discountCodes.createdAt), discountCodes._id]

/** A page of the codes that begin so: those that have not ended first, the newest ones of each; and how many there are in all. */
export async function listCodes(
  db: Database,
  { q, cursor }: { q: string; cursor?: string | undefined },
): Promise<{ codes: DiscountCode[]; total: number; next: string | null }> {
  const beginsSo = sql`starts_with(${discountCodes.code}, ${q.toUpperCase()})`
  const found = await db
    .select({ ...columns, key: pageKeySql(notEndedFirst) })
    .from(discountCodes)
    .where(and(beginsSo, comesAfterSql(notEndedFirst, cursor)))
    .orderBy(...notEndedFirst.map(desc))
    .limit(maxListedBuyerPrices + 1)
  const { page, next } = splitOffNextPage(found, maxListedBuyerPrices)
  return { codes: page, total: await db.$count(discountCodes, beginsSo), next }
}

/** @throws {HttpError} 409 there is such a code */
export function addCode(db: Database, admin: User, fields: z.output<typeof NewDiscountCode>): Promise<DiscountCode> {
  const { code, percentOff = null, amountOff, minimum = 0, startsOn, endsOn, maxUses = null } = fields
  return recordingPricingChange(db, admin, async (tx) => {
    const [added] = await tx
      .insert(discountCodes)
      .values({
        code,
        percentOff,
        amountOffCents: amountOff === undefined ? null : amountToCents(amountOff),
        minimumCents: amountToCents(minimum),
        startsAt: startsOn === undefined ? sql`now()` : sql`${startsOn}::date::timestamp at time zone 'UTC'`,
        endsAt: endsOn === undefined ? null : sql`(${endsOn}::date + 1)::timestamp at time zone 'UTC'`,
        maxUses,
      })
      .onConflictDoNothing({ target: discountCodes.code })
      .returning(columns)
    if (!added) {
      const message = 'There is such a code already'
      throw new HttpError(409, message, { code: message })
    }
    return { result: added, what: `Code ${code} added: ${describe(added)}`, isToldAtOnce: true }
  })
}

/** Ends a code now. Orders that used it keep their reduction. @throws {HttpError} 404 no such code */
export function endCode(db: Database, admin: User, id: string): Promise<DiscountCode> {
  return recordingPricingChange(db, admin, async (tx) => {
    const [before] = await tx.select(columns).from(discountCodes).where(eq(discountCodes._id, id)).for('no key update')
    if (!before) throw new HttpError(404, 'There is no such code')
    const isOver = before.endsAt !== null && Date.parse(before.endsAt) <= Date.now()
    if (isOver) return { result: before, what: undefined }
    // A period has a length, also that of a code which has not begun.
    const [ended] = await tx
      .update(discountCodes)
      .set({ endsAt: sql`now()`, startsAt: sql`least(${discountCodes.startsAt}, now() - interval '1 second')` })
      .where(eq(discountCodes._id, id))
      .returning(columns)
    if (!ended) throw new Error('The code was not returned')
    return { result: ended, what: `Code ${ended.code} ended`, isToldAtOnce: true }
  })
}

const describe = ({ percentOff, amountOffCents, minimumCents, maxUses }: DiscountCode) =>
  [
    percentOff === null ? `${formatCents(amountOffCents ?? 0)} off` : `${percentOff} % off`,
    minimumCents > 0 && `for goods of ${formatCents(minimumCents)} or more`,
    maxUses !== null && `${formatNumber(maxUses)} uses`,
  ]
    .filter(Boolean)
    .join(', ')
