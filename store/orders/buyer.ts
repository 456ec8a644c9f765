import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { companyMembers } from '#store/companies/table.ts'
import type { User } from '#store/identity/contract.ts'
import { orders } from './table.ts'

/** Who orders: an account, or a guest (`id` is null) with the name and e-mail that they have typed. */
export type Buyer = { id: string | null; name: string; email: string }

/**
 * The company whose order a buyer's becomes, or null. The membership is locked until the transaction ends: whoever is removed from the company at
 * this moment is so after the order, or orders alone.
 */
export const companyOfSql = ({ id }: Buyer): SQL =>
  sql`(select ${companyMembers.companyId} from ${companyMembers} where ${companyMembers.userId} = ${id}::text for key share)`

/** Whoever has the link of an order that was placed by a guest. They see and do with this one order what its buyer may. */
export type LinkHolder = { role: 'guest'; orderId: string }

/** Who looks at an order. */
export type Viewer = User | LinkHolder

/** What counts and limits the requests of a viewer. */
export const viewerKey = (viewer: Viewer): string => (viewer.role === 'guest' ? `link of ${viewer.orderId}` : viewer.id)

/** Whether the viewer has placed an order: a condition on `orders`. */
export const isPlacedBySql = (viewer: Viewer): SQL =>
  viewer.role === 'guest' ? eq(orders._id, viewer.orderId) : eq(orders.buyerId, viewer.id)

/** Whether a list of own orders has an order: that of an admin has everybody's. A condition on `orders`. */
export const isListedSql = (viewer: User): SQL => (viewer.role === 'admin' ? sql`true` : isPlacedBySql(viewer))

/** Whether an order is of the company that the account is a member of now: a condition on `orders`. */
export const isOfCompanySql = ({ id }: Pick<User, 'id'>): SQL =>
  sql`${orders.companyId} = (select ${companyMembers.companyId} from ${companyMembers} where ${companyMembers.userId} = ${id})`

/**
 * Whether the viewer may pay and cancel an order as its buyer: who has placed it, and all members of its company. A condition on `orders`, for
 * queries that look an order up: in a list it would keep PostgreSQL from reading an index in the order of the list.
 */
export const isOfBuyerSql = (viewer: Viewer): SQL =>
  viewer.role === 'guest' ? isPlacedBySql(viewer) : sql`(${isPlacedBySql(viewer)} or ${isOfCompanySql(viewer)})`

/** Whether the viewer may see an order: a condition on `orders`. Admins see all of them. */
export const isVisibleSql = (viewer: Viewer): SQL => (viewer.role === 'admin' ? sql`true` : isOfBuyerSql(viewer))

/** Whether the viewer may pay and cancel this order as its buyer, see `isOfBuyerSql`. */
export async function isBuyerOf(db: Database, viewer: Viewer, orderId: string): Promise<boolean> {
  return (await db.$count(orders, and(eq(orders._id, orderId), isOfBuyerSql(viewer)))) > 0
}
