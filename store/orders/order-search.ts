import { and, or, type SQL, sql } from 'drizzle-orm'
import { containsPattern } from '#platform/like-pattern.ts'
import type { User } from '#store/identity/contract.ts'
import { orderDetails } from './details/table.ts'
import { hasPhoneNumber } from './phone-search.ts'
import { orderLines, orders, payments } from './table.ts'

/** More words than these, the longest, narrow no search down, and each is compared with every line of every order. */
const maxSearchWords = 8

/** The words of a search that are compared, the longest first. */
export const searchWords = (q: string): string[] =>
  [...new Set(q.toLowerCase().split(/\s+/))].toSorted((a, b) => b.length - a.length).slice(0, maxSearchWords)

/** Of a product, as it is called today. It is compared for each product, and not for each line. */
const skuCodeSql = sql`regexp_replace(lower(sku), '[^[:alnum:]]', '', 'g')`

/** Whether a text is in a code of a line, whatever stands between their letters; undefined for one without any, which every code has. */
export function isInCodeOfLine(text: string): SQL | undefined {
  const code = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  if (code === '') return undefined
  const pattern = containsPattern(code)
  return or(
    sql`${orderLines.mpnCode} like ${pattern}`,
    sql`${orderLines.toolId} in (select id from tools where ${skuCodeSql} like ${pattern})`,
  )
}

/**
 * What finds an order in a list of orders, as `filterAndSortRows` finds it in My Orders: each word stands in the texts of the order or of one of
 * its lines, or in a part number or SKU, of which spaces and punctuation do not count; or all words together are one such code. For an admin also
 * the phone number. A condition on `orders` with its `payments` and `order_details`.
 */
export function matchesOrderSearch(q: string, viewer: User): SQL | undefined {
  const words = searchWords(q)
  const together = words.length > 1 ? hasLine(isInCodeOfLine(q)) : undefined
  return or(and(...words.map(hasWord)), together, viewer.role === 'admin' ? hasPhoneNumber(q) : undefined)
}

function hasWord(word: string): SQL | undefined {
  const pattern = containsPattern(word)
  return or(
    sql`${orders.searchText} like ${pattern}`,
    sql`${orderDetails.searchText} like ${pattern}`,
    sql`case when ${payments.state} = 'succeeded' then lower(${payments.intentId}) like ${pattern} end`,
    hasLine(or(sql`${orderLines.searchText} like ${pattern}`, isInCodeOfLine(word))),
  )
}

const hasLine = (condition: SQL | undefined): SQL | undefined =>
  condition && sql`exists (select from ${orderLines} where ${orderLines.orderId} = ${orders._id} and ${condition})`
