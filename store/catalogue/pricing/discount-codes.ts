import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { instantSql } from '#platform/instant-sql.ts'
import { enforceRateLimit, undoRateLimitAttempt } from '#platform/rate-limits.ts'
import { formatDateTime } from '#shared/format-date-time.ts'
import { formatNumber } from '#shared/format-number.ts'
import { amountToCents, type Cents, formatCents } from '#shared/money.ts'
import { endOfShopDay, shopDay, startOfShopDay } from '#shared/shop-day.ts'
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
  // least() leaves out what is null
  endsAt: sql<string | null>`least(${discountCodes.endsAt}, ${discountCodes.endedAt})`.mapWith(discountCodes.endsAt),
  periodEndsAt: discountCodes.endsAt,
  maxUses: discountCodes.maxUses,
  uses: discountCodes.uses,
}

/** What a code takes off so many pieces that cost so much, in cents rounded half up: every piece still costs a cent. */
export const discountReductionCents = ({ percentOff, amountOffCents }: Discount, costCents: Cents, pieces: number): Cents =>
  Math.min(percentOff === null ? (amountOffCents ?? 0) : Math.round((costCents * percentOff) / 100), costCents - pieces)

/** The same in SQL, of a row of `discount_codes`. */
export const reductionSql = (costCents: SQL, pieces: SQL) =>
  sql`least(coalesce(round(${costCents} * percent_off / 100.0), amount_off_cents), ${costCents} - ${pieces})`

/** Whether a row of `discount_codes` has not ended: by its period, or by an admin. */
const isOpenSql = sql`(ended_at is null and coalesce(ends_at > now(), true))`

/** Whether a row of `discount_codes` that was used so often can be used now, apart from the minimum. */
const isUsableAfterSql = (uses: SQL) => sql`(starts_at <= now() and ${isOpenSql} and coalesce(${uses} < max_uses, true))`
export const isUsableSql = isUsableAfterSql(sql`uses`)

/** Who uses a code: an account, or a guest (`id` is null), as whom all guests of their network count. */
type CodeUser = { id: string | null; network: string }

/**
 * Whether an unpaid order of this buyer uses the row of `discount_codes`, where its uses are limited: a few accounts that do not pay could
 * keep it from everybody else.
 */
export const isHeldByUnpaidOrderSql = ({ id, network }: CodeUser) =>
  sql`(max_uses is not null and ${id === null ? sql`guests_hold_code(${network}, discount_codes.id)` : sql`buyer_holds_code(${id}, discount_codes.id)`})`

/** A guessed code is worth money, so each account has few guesses, and a network with many accounts a few more. */
const wrongCodesLimits = { ofAccount: { max: 20, seconds: 3600 }, ofNetwork: { max: 100, seconds: 3600 } }

/**
 * Runs an order that uses a code, and counts it where the code cannot be used. It is counted before: otherwise many at once would be as many
 * guesses.
 * @throws {HttpError} 429 the account or its network has sent too many codes that cannot be used, whatever this one is
 */
export async function withWrongCodeLimit<Result>(db: Database, { id, network }: CodeUser, order: () => Promise<Result>): Promise<Result> {
  const [ofAccount, ofNetwork] = [`wrong discount codes of ${id ?? `guests from ${network}`}`, `wrong discount codes from ${network}`]
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
  buyer: CodeUser,
  code: string,
  replacedCode: string | null = null,
): Promise<Discount & { minimumCents: Cents }> {
  const isReplaced = sql`coalesce(${discountCodes._id} = ${replacedCode}::uuid, false)`
  const [found] = await db
    .select({
      ...columns,
      isUsable: sql<boolean>`${isUsableAfterSql(sql`uses - ${isReplaced}::integer`)}`,
      isComing: sql<boolean>`starts_at > now()`,
      isHeld: sql<boolean>`not ${isReplaced} and ${isHeldByUnpaidOrderSql(buyer)}`,
    })
    .from(discountCodes)
    .where(eq(discountCodes.code, code))
  if (!found) throw discountRefused(`There is no code ${code}`)
  if (found.isComing) throw discountRefused(`The code ${code} can be used from ${formatDateTime(found.startsAt)} on`)
  if (found.isHeld)
    throw discountRefused(
      buyer.id === null
        ? `An unpaid order of a guest in your network uses the code ${code}: order with an account`
        : `Your unpaid order uses the code ${code}: pay or cancel it first`,
    )
  if (found.isUsable) return found
  const isUsedUp = found.maxUses !== null && found.uses >= found.maxUses
  throw discountRefused(isUsedUp ? `The code ${code} is used up` : `The code ${code} has ended`)
}

export const orderBelowCodeMinimumError = (code: string, minimumCents: Cents): HttpError =>
  discountRefused(`The code ${code} is for goods of ${formatCents(minimumCents)} or more`)

const discountRefused = (message: string) => new HttpError(400, message, { discountCode: message }, { code: 'discount_refused' })

const notEndedSql = sql`${isOpenSql}::integer::bigint` // as a key is compared with it
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
        startsAt: startsOn === undefined ? sql`now()` : instantSql(startOfShopDay(startsOn)),
        endsAt: endsOn === undefined ? null : instantSql(endOfShopDay(endsOn)),
        maxUses,
      })
      .onConflictDoNothing({ target: discountCodes.code })
      .returning(columns)
    if (!added) throw await codeExistsError(tx, code)
    return { result: added, what: `Code ${code} added: ${describe(added)}`, isToldAtOnce: true }
  })
}

/** Ends a code now. Orders that used it keep their reduction. @throws {HttpError} 404 no such code */
export function endCode(db: Database, admin: User, id: string): Promise<DiscountCode> {
  return recordingPricingChange(db, admin, async (tx) => {
    const { code, hasEnded } = await lockCode(tx, id)
    if (hasEnded) return { result: code, what: undefined }
    const ended = await updateCode(tx, id, { endedAt: sql`now()` })
    return { result: ended, what: `Code ${ended.code} ended`, isToldAtOnce: true }
  })
}

/**
 * Lets an ended code be used again, with the uses that were counted.
 * @param endsOn its last day from now on, in the shop's time zone; without it the code keeps the period that it had before it was ended
 * @throws {HttpError} 404 no such code; 409 it has not ended; 400 the last day is over, or before the first
 */
export function restoreCode(db: Database, admin: User, id: string, endsOn?: string): Promise<DiscountCode> {
  return recordingPricingChange(db, admin, async (tx) => {
    const { code, hasEnded, isPeriodOver } = await lockCode(tx, id)
    if (!hasEnded) throw new HttpError(409, `The code ${code.code} has not ended`)
    if (endsOn === undefined && isPeriodOver) throw lastDayError('Its last day is over: enter another one')
    if (endsOn !== undefined && endsOn < shopDay(new Date(code.startsAt))) throw lastDayError('The last day is before the first')
    const restored = await updateCode(tx, id, { endedAt: null, ...(endsOn !== undefined && { endsAt: instantSql(endOfShopDay(endsOn)) }) })
    const end = restored.endsAt === null ? 'without an end' : `until ${formatDateTime(restored.endsAt)}`
    return { result: restored, what: `Code ${restored.code} brought back, ${end}: ${describe(restored)}`, isToldAtOnce: true }
  })
}

/** The code, which no other change can end or bring back until the transaction ends. @throws {HttpError} 404 no such code */
async function lockCode(tx: Database, id: string): Promise<{ code: DiscountCode; hasEnded: boolean; isPeriodOver: boolean }> {
  const [found] = await tx
    .select({ code: columns, hasEnded: sql<boolean>`not ${isOpenSql}`, isPeriodOver: sql<boolean>`coalesce(ends_at <= now(), false)` })
    .from(discountCodes)
    .where(eq(discountCodes._id, id))
    .for('no key update')
  if (!found) throw new HttpError(404, 'There is no such code')
  return found
}

async function updateCode(tx: Database, id: string, change: PgUpdateSetSource<typeof discountCodes>): Promise<DiscountCode> {
  const [changed] = await tx.update(discountCodes).set(change).where(eq(discountCodes._id, id)).returning(columns)
  if (!changed) throw new Error('The code was not returned')
  return changed
}

const lastDayError = (message: string) => new HttpError(400, message, { endsOn: message })

async function codeExistsError(tx: Database, code: string): Promise<HttpError> {
  const hasEnded = (await tx.$count(discountCodes, and(eq(discountCodes.code, code), sql`not ${isOpenSql}`))) > 0
  const message = hasEnded ? 'This code has ended: bring it back, or choose another' : 'There is such a code already'
  return new HttpError(409, message, { code: message })
}

const describe = ({ percentOff, amountOffCents, minimumCents, maxUses }: DiscountCode) =>
  [
    percentOff === null ? `${formatCents(amountOffCents ?? 0)} off` : `${percentOff} % off`,
    minimumCents > 0 && `for goods of ${formatCents(minimumCents)} or more`,
    maxUses !== null && `${formatNumber(maxUses)} uses`,
  ]
    .filter(Boolean)
    .join(', ')
