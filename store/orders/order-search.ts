import { and, or, type SQL, sql } from 'drizzle-orm'
import { containsPattern } from '#platform/like-pattern.ts'
import type { User } from '#store/identity/contract.ts'
import { orderDetails } from './details/table.ts'
import { hasPhoneNumber } from './phone-search.ts'
import { orderLines, orders, payments } from './table.ts'

/** The most words of a search that are compared, since each is compared with every line of every order. The longest narrow it down most. */
const maxSearchWords = 8

/** The words of a search that are compared, the longest first. */
const searchWords = (q: string): string[] =>
  [...new Set(q.toLowerCase().split(/\s+/))].toSorted((a, b) => b.length - a.length).slice(0, maxSearchWords)

/**
 * Whether a text is in a code of a line, whatever stands between their letters; undefined for one without any, which every code has.
 * @param skuCodeHas whether the SKU of the line's product, as the catalogue has it today, is like a pattern
 */
function isInCodeOfLine(text: string, skuCodeHas: (pattern: string) => SQL): SQL | undefined {
  const code = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  if (code === '') return undefined
  const pattern = containsPattern(code)
  return or(sql`${orderLines.mpnCode} like ${pattern}`, skuCodeHas(pattern))
}

/** Looks the product of each line up: for the few lines of one viewer, where all products would be many more. */
const skuOfLineIsLike = (pattern: string) => sql`(select sku_code from tools where tools.id = ${orderLines.toolId}) like ${pattern}`
/** Compares all products once, and none for each line. */
const skuIsAmong = (pattern: string) => sql`${orderLines.toolId} in (select id from tools where sku_code like ${pattern})`

/**
 * What finds an order in a list of orders, as `filterAndSortRows` finds it in My Orders: each word stands in the texts of the order or of one of
 * its lines, or in a part number or SKU, of which spaces and punctuation do not count; or all words together are one such code. An admin, whose
 * list has all orders, finds what the page of all orders finds. A condition on `orders` with its `payments` and `order_details`.
 */
export function matchesOrderSearch(q: string, viewer: User): SQL | undefined {
  if (viewer.role === 'admin')
    return sql`${orders._id} in (select ${orders._id} from ${orders} join ${orderLines} on ${orderLines.orderId} = ${orders._id}
      left join ${payments} on ${payments._id} = ${orders.paymentId} left join ${orderDetails} on ${orderDetails.orderId} = ${orders._id}
      where ${isFoundAmongAllOrders(q)})`
  const words = searchWords(q)
  const together = words.length > 1 ? hasLine(isInCodeOfLine(q, skuOfLineIsLike)) : undefined
  return or(and(...words.map(hasWord)), together)
}

function hasWord(word: string): SQL | undefined {
  const pattern = containsPattern(word)
  return or(
    sql`${orders.searchText} like ${pattern}`,
    sql`${orderDetails.searchText} like ${pattern}`,
    sql`${intentSql} like ${pattern}`,
    hasLine(or(sql`${orderLines.searchText} like ${pattern}`, isInCodeOfLine(word, skuOfLineIsLike))),
  )
}

const intentSql = sql`case when ${payments.state} = 'succeeded' then lower(${payments.intentId}) end`

const hasLine = (condition: SQL | undefined): SQL | undefined =>
  condition && sql`exists (select from ${orderLines} where ${orderLines.orderId} = ${orders._id} and ${condition})`

/**
 * Of all orders, joined with their lines: each word has to be in the texts of the order and of one of its lines, or in one of that line's codes,
 * whatever stands between their letters; or all are one code, or a phone number.
 */
export function isFoundAmongAllOrders(q: string): SQL | undefined {
  const words = searchWords(q)
  const texts = [orders.searchText, orderLines.searchText, orderDetails.searchText, intentSql]
  const isInTexts = (word: string) => or(...texts.map((column) => sql`${column} like ${containsPattern(word)}`))
  const everyWord = and(...words.map((word) => or(isInTexts(word), isInCodeOfLine(word, skuIsAmong))))
  const together = words.length > 1 ? isInCodeOfLine(q, skuIsAmong) : undefined // one word was compared with the codes already
  return or(everyWord, together, hasPhoneNumber(q))
}
