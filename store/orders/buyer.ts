import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { User } from '#store/identity/contract.ts'
import { orders } from './table.ts'

/** Who orders: an account, or a guest (`id` is null) with the name and e-mail that they have typed. */
export type Buyer = { id: string | null; name: string; email: string }

/** Whoever has the link of an order that was placed by a guest. They see and do with this one order what its buyer may. */
export type LinkHolder = { role: 'guest'; orderId: string }

/** Who looks at an order. */
export type Viewer = User | LinkHolder

/** What counts and limits the requests of a viewer. */
export const viewerKey = (viewer: Viewer): string => (viewer.role === 'guest' ? `link of ${viewer.orderId}` : viewer.id)

/** Whether the viewer is the buyer of an order, who may pay it: a condition on `orders`. */
export const isOfBuyerSql = (viewer: Viewer): SQL =>
  viewer.role === 'guest' ? eq(orders._id, viewer.orderId) : eq(orders.buyerId, viewer.id)

/** Whether the viewer may see an order: a condition on `orders`. Admins see all of them. */
export const isVisibleSql = (viewer: Viewer): SQL => (viewer.role === 'admin' ? sql`true` : isOfBuyerSql(viewer))

/** Whether the viewer is the buyer of this order. */
export async function isBuyerOf(db: Database, viewer: Viewer, orderId: string): Promise<boolean> {
  return (await db.$count(orders, and(eq(orders._id, orderId), isOfBuyerSql(viewer)))) > 0
}
