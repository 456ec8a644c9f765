import { desc, eq, lt } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { addToCount } from '#platform/rate-limits.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { User } from '#store/identity/contract.ts'
import { recordAdminActivityNotice, recordOwnerNotices } from '#store/identity/owner-notices.ts'
import { isOwner } from '#store/identity/rules.ts'
import { users } from '#store/identity/table.ts'
import { maxListedBuyerPrices } from './contract.ts'
import { pricingChanges } from './table.ts'

/** Owners are told of an admin who makes more changes than this within an hour. */
const unnoticedChanges = 10
/** Of changes of all prices by one admin within an hour, so many are told one by one. */
const toldOneByOne = 10

type Change<Result> = {
  result: Result
  /** what was done, as a sentence; undefined when nothing was */
  what: string | undefined
  /** owners are told at once: it changes what all products cost, or cannot be taken back */
  isToldAtOnce?: boolean
}

/**
 * Runs a change of prices in a transaction and writes down who has changed what. Owners are told of an admin who is none of them and makes
 * many, or one that changes the prices of all products or cannot be taken back.
 */
export function recordingPricingChange<Result>(
  db: Database,
  admin: User,
  change: (tx: Database) => Promise<Change<Result>>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    const { result, what, isToldAtOnce = false } = await change(tx)
    if (what === undefined) return result
    await tx.insert(pricingChanges).values({ what, userId: admin.id })
    if (await isOwner(tx, admin.email)) return result
    const added = isToldAtOnce ? unnoticedChanges + 1 : 1
    const extent = await addToCount(tx, `price changes by ${admin.id}`, { seconds: 3600, added })
    const notice = { event: 'price rules changed', by: admin.email, extent, detail: what } as const
    if (isToldAtOnce && extent <= toldOneByOne * added) await recordOwnerNotices(tx, { ...notice, about: admin.email })
    else if (extent > unnoticedChanges) await recordAdminActivityNotice(tx, notice)
    return result
  })
}

/** Awaits such a change, and then has the mails sent that tell of it. */
export const announcingPriceChanges =
  ({ ownerNoticesRecorded }: Pick<DomainEvents, 'ownerNoticesRecorded'>) =>
  async <Done>(change: Promise<Done>): Promise<Done> => {
    const done = await change
    ownerNoticesRecorded()
    return done
  }

/** Awaits a change of tax or delivery, and then has pages say what is charged now. */
export const announcingSaleTermsChanges = (events: Pick<DomainEvents, 'ownerNoticesRecorded' | 'saleTermsChanged'>) => {
  const announcing = announcingPriceChanges(events)
  return async <Done>(change: Promise<Done>): Promise<Done> => {
    const done = await announcing(change)
    events.saleTermsChanged()
    return done
  }
}

/** The newest changes first, at most `maxListedBuyerPrices`. @param before the id of a change: those that were made before it */
export const listPricingChanges = (db: Database, before?: number) =>
  db
    .select({ _id: pricingChanges._id, what: pricingChanges.what, at: pricingChanges.at, by: users.email })
    .from(pricingChanges)
    .innerJoin(users, eq(users.id, pricingChanges.userId))
    .where(before === undefined ? undefined : lt(pricingChanges._id, before))
    .orderBy(desc(pricingChanges._id))
    .limit(maxListedBuyerPrices)
