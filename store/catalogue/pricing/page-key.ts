import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/*
 * Pages of the newest rows by key: a row that is added or removed meanwhile moves no other to another page, as a page number would.
 */

/** A column of the time at which a row was added, as a whole number: microseconds, as the database keeps it. */
export const microsecondsSql = (createdAt: SQLWrapper) => sql`(extract(epoch from ${createdAt}) * 1000000)::bigint`

/** The key of a row in a list that is sorted by these expressions, all descending: numbers, and an id last. */
export const pageKeySql = (order: SQLWrapper[]) => sql<string>`concat_ws('.', ${sql.join(order, sql`, `)})`

/** Whether a row comes after the one with this key; undefined without a key, for the first page. */
export const comesAfterSql = (order: SQLWrapper[], key: string | undefined): SQL | undefined =>
  key === undefined
    ? undefined
    : sql`(${sql.join(order, sql`, `)}) < (${sql.join(
        key.split('.').map((part) => sql`${part}`),
        sql`, `,
      )})`

/** The rows of a page and the key of its last row if there are more. @param found one row more than a page has, if there is one */
export function splitOffNextPage<Row extends { key: string }>(found: Row[], pageSize: number): { page: Row[]; next: string | null } {
  const page = found.slice(0, pageSize)
  return { page, next: found.length > pageSize ? (page.at(-1)?.key ?? null) : null }
}
