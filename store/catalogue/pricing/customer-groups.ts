import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { isUniqueViolation } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatCents } from '#shared/money.ts'
import { products } from '#store/catalogue/table.ts'
import type { User } from '#store/identity/contract.ts'
import { users } from '#store/identity/table.ts'
import { recordingPricingChange } from './changes.ts'
import { type CustomerGroup, maxGroups, maxListedMembers, type NewCustomerGroup } from './customer-group-contract.ts'
import { buyerPrices, customerGroupMembers, customerGroups, pricingChanges } from './table.ts'

type GroupFields = z.output<typeof NewCustomerGroup>

const groupNotFoundError = () => new HttpError(404, 'There is no such group')

/** All groups by name, each with its first members. Removed accounts are left out. */
export const listGroups = (db: Database): Promise<CustomerGroup[]> =>
  selectGroups(db).orderBy(asc(customerGroups.name), asc(customerGroups._id))

const selectGroups = (db: Database) =>
  db
    .select({
      _id: customerGroups._id,
      name: customerGroups.name,
      percentOff: customerGroups.percentOff,
      memberCount: sql<number>`(select count(*) ${membersSql})::integer`,
      members: sql<string[]>`array(select email ${membersSql} order by email limit ${maxListedMembers})`,
    })
    .from(customerGroups)
    .$dynamic()

const membersSql = sql`from customer_group_members join users on users.id = user_id
  where group_id = customer_groups.id and users.removed_at is null`

/** A page of the members of a group by the alphabet. Removed accounts are left out. @param after an e-mail: the members that come after it */
export async function listMembers(db: Database, groupId: string, after?: string): Promise<{ members: string[]; hasMore: boolean }> {
  const found = await db
    .select({ email: users.email })
    .from(customerGroupMembers)
    .innerJoin(users, eq(users.id, customerGroupMembers.userId))
    .where(
      and(eq(customerGroupMembers.groupId, groupId), isNull(users.removedAt), after === undefined ? undefined : gt(users.email, after)),
    )
    .orderBy(asc(users.email))
    .limit(maxListedMembers + 1)
  return { members: found.slice(0, maxListedMembers).map(({ email }) => email), hasMore: found.length > maxListedMembers }
}

/** @throws {HttpError} 409 the name is taken, or there are as many groups as a store can have */
export function addGroup(db: Database, admin: User, fields: GroupFields): Promise<CustomerGroup> {
  return refusingTakenName(
    recordingPricingChange(db, admin, async (tx) => {
      if ((await tx.$count(customerGroups)) >= maxGroups) throw new HttpError(409, `A store has at most ${maxGroups} groups`)
      const [group] = await tx.insert(customerGroups).values(fields).returning()
      if (!group) throw new Error('The group was not returned')
      return { result: { _id: group._id, ...fields, memberCount: 0, members: [] }, what: `Group ${describe(fields)} added` }
    }),
  )
}

/** @throws {HttpError} 404 no such group; 409 the name is taken */
export function updateGroup(db: Database, admin: User, id: string, fields: GroupFields): Promise<CustomerGroup> {
  return refusingTakenName(
    recordingPricingChange(db, admin, async (tx) => {
      const before = await lockGroup(tx, id)
      await tx.update(customerGroups).set(fields).where(eq(customerGroups._id, id))
      const [changed] = await selectGroups(tx).where(eq(customerGroups._id, id))
      if (!changed) throw groupNotFoundError()
      const isToldAtOnce = before.percentOff !== fields.percentOff
      const isChanged = isToldAtOnce || before.name !== fields.name
      return { result: changed, what: isChanged ? `Group ${describe(before)} is ${describe(fields)} now` : undefined, isToldAtOnce }
    }),
  )
}

/**
 * Removes a group with its prices; who was in it and what they paid stands in the list of changes. What its members have ordered keeps its
 * price.
 * @throws {HttpError} 404 no such group
 */
export function removeGroup(db: Database, admin: User, id: string): Promise<void> {
  return recordingPricingChange(db, admin, async (tx) => {
    const group = await lockGroup(tx, id)
    const members = await tx
      .select({ email: users.email })
      .from(customerGroupMembers)
      .innerJoin(users, eq(users.id, customerGroupMembers.userId))
      .where(eq(customerGroupMembers.groupId, id))
      .orderBy(asc(users.email))
    const prices = await tx
      .select({ sku: products.sku, priceCents: buyerPrices.priceCents })
      .from(buyerPrices)
      .innerJoin(products, eq(products._id, buyerPrices.productId))
      .where(eq(buyerPrices.groupId, id))
      .orderBy(asc(products.position))
    const lost = [
      ...inParts(members.map(({ email }) => email)).map((emails) => `In the group ${group.name}, removed: ${emails}`),
      ...inParts(prices.map(({ sku, priceCents }) => `${sku} ${formatCents(priceCents)}`)).map(
        (part) => `Prices of the group ${group.name}, removed: ${part}`,
      ),
    ]
    if (lost.length > 0) await tx.insert(pricingChanges).values(lost.map((what) => ({ what, userId: admin.id })))
    await tx.delete(customerGroupMembers).where(eq(customerGroupMembers.groupId, id))
    await tx.delete(buyerPrices).where(eq(buyerPrices.groupId, id))
    await tx.delete(customerGroups).where(eq(customerGroups._id, id))
    const what = `Group ${describe(group)} removed, with ${members.length} members and ${prices.length} prices`
    return { result: undefined, what, isToldAtOnce: true }
  })
}

/** Puts a customer into a group, out of the one before, or into none. @throws {HttpError} 404 no such account or group */
export function setGroupOfCustomer(
  db: Database,
  admin: User,
  email: string,
  groupId: string | null,
): Promise<{ email: string; groupId: string | null }> {
  return recordingPricingChange(db, admin, async (tx) => {
    const userId = await findCustomer(tx, email)
    const group = groupId === null ? undefined : await lockGroup(tx, groupId)
    const [before] = await tx
      .delete(customerGroupMembers)
      .where(eq(customerGroupMembers.userId, userId))
      .returning({ groupId: customerGroupMembers.groupId })
    if (group) await tx.insert(customerGroupMembers).values({ userId, groupId: group._id })
    const isChanged = before?.groupId !== group?._id
    return {
      result: { email, groupId },
      what: isChanged
        ? `${email} is in ${group ? `the group ${group.name}` : 'no group'} now${await describeGroupBefore(tx, before)}`
        : undefined,
    }
  })
}

/** The id of an account, for a change that is for this customer. @throws {HttpError} 404 there is none */
export async function findCustomer(tx: Database, email: string): Promise<string> {
  const [user] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), isNull(users.removedAt)))
    .for('no key update')
  if (!user) throw new HttpError(404, 'There is no such account', { email: 'There is no account with this e-mail' })
  return user.id
}

/** Keeps others from removing the group until the transaction ends. @throws {HttpError} 404 no such group */
export async function lockGroup(tx: Database, id: string): Promise<{ _id: string } & GroupFields> {
  const [group] = await tx
    .select({ _id: customerGroups._id, name: customerGroups.name, percentOff: customerGroups.percentOff })
    .from(customerGroups)
    .where(eq(customerGroups._id, id))
    .for('no key update')
  if (!group) throw groupNotFoundError()
  return group
}

async function describeGroupBefore(tx: Database, before: { groupId: string } | undefined): Promise<string> {
  if (!before) return ''
  const [group] = await tx.select({ name: customerGroups.name }).from(customerGroups).where(eq(customerGroups._id, before.groupId))
  return group ? `, was in ${group.name}` : ''
}

/** So many at a time as a sentence can name. */
function inParts(named: string[]): string[] {
  const size = 50
  return Array.from({ length: Math.ceil(named.length / size) }, (_, part) => named.slice(part * size, (part + 1) * size).join(', '))
}

const describe = ({ name, percentOff }: GroupFields) => `${name} (${percentOff} % off)`

async function refusingTakenName<Result>(change: Promise<Result>): Promise<Result> {
  return change.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error
    const message = 'Another group has this name'
    throw new HttpError(409, message, { name: message })
  })
}
