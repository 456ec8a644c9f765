import { customType } from 'drizzle-orm/pg-core'

/** A timestamp read as ISO 8601 in UTC: browsers do not parse PostgreSQL's own format consistently. */
export const isoTimestamp = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: (stored) => new Date(stored).toISOString(),
})
