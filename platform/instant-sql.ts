import { type SQL, sql } from 'drizzle-orm'

/** A moment in a statement. Not as text, which PostgreSQL does not read above the year 9999. */
export const instantSql = (at: Date): SQL => sql`to_timestamp(${at.getTime() / 1000}::double precision)`
