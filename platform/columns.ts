import { customType } from 'drizzle-orm/pg-core'

/** A moment as the wire tells it, in ISO 8601 and UTC: PostgreSQL's own spelling is none that browsers agree on. */
export const moment = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: (stored) => new Date(stored).toISOString(),
})
