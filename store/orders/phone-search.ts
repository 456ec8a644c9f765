import { type SQL, sql } from 'drizzle-orm'
import { orders } from './table.ts'

/** A search with fewer digits is an order number, a postcode or a quantity, and no phone number. */
const minPhoneDigits = 5

/**
 * Whether an order has this phone number, in any format, with or without country code: +44 (0)20 7946 and 0044 20 7946 are 44207946, and
 * 020 7946 is its end.
 */
export function hasPhoneNumber(q: string): SQL {
  const digits = q.replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '')
  if (digits.length < minPhoneDigits || !/^[\d\s()+./-]+$/.test(q)) return sql`false`
  const known = orders.phoneDigits
  return sql`coalesce(length(${known}) >= ${minPhoneDigits} and (strpos(${known}, ${digits}) > 0 or right(${digits}, length(${known})) = ${known}), false)`
}
