import { and, asc, desc, gte, inArray, isNull, lt, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { categoryOf } from '#store/catalogue/categories.ts'
import { lowStockInMinimumOrders } from '#store/catalogue/contract.ts'
import { findProductsByIds } from '#store/catalogue/product-pages.ts'
import { releaseYears } from '#store/catalogue/released-year.ts'
import { isForSale } from '#store/catalogue/rules.ts'
import { isLoweredSql, products } from '#store/catalogue/table.ts'
import { attributeConditions, isSpelledAsOneOf, orderNumberSql } from './attributes-in-sql.ts'
import type { ParsedQuery, SearchResult } from './parsed-query.ts'
import { opensStockFirst } from './question/answer-question.ts'
import { normalizePartNumber, queryTokens } from './tokens.ts'

/**
 * Fallback until the index is built, also after the import of a first catalogue. The filters and orders are the same, except that it does not know
 * buyers, and that names are in the order of the database. It reads no questions: their words match as exact substrings, without typing errors. It
 * has no facets and no families. It scans all products, which is acceptable for the seconds until then but too slow for regular use.
 */
export async function searchInSql(db: Database, query: ParsedQuery): Promise<SearchResult> {
  const { q, sort = '', offset, limit } = query
  const where = and(...conditionsOf(query))
  const by = sort.replace(/^-/, '')
  const columns: Record<string, SQL> = {
    price: sql`${products.priceCents}`,
    name: sql`lower(${products.name})`,
    minimum: sql`${products.minimum_order_quantity}`,
    available: sql`${products.available_quantity}`,
  }
  const order = by.startsWith('spec.') ? orderNumberSql(by.slice(5)) : columns[by]
  const found = await db
    .select({ id: products._id, total: sql<number>`count(*) over ()::integer` })
    .from(products)
    .where(where)
    .orderBy(
      ...(by === 'newest' ? [desc(products.position)] : []),
      ...(by === '' && opensStockFirst(query) && q.trim() === '' ? stockFirstOrder : []),
      ...(order ? [sort.startsWith('-') ? sql`${order} desc nulls last` : sql`${order} nulls last`] : []),
      asc(products.position),
    )
    .offset(offset)
    .limit(limit)
  const ids = found.map(({ id }) => id)
  const parts = await findProductsByIds(db, ids)
  const words = { isExact: true, isPartNumber: false, leftOut: [] }
  const total = found[0]?.total ?? (offset > 0 ? await db.$count(products, where) : 0) // beyond the last page no row has it
  return { total, rows: total, families: [], words, ids, productsJson: parts.map((part) => JSON.stringify(part)), facets: [] }
}

function conditionsOf(query: ParsedQuery): (SQL | undefined)[] {
  const { q, excludedWords, category, brands, excludedBrands, isBrandUnknown, priceCents, inStock, lowered, stock, pieces } = query
  const defined = categoryOf(category ?? null)
  const contains = (text: SQL, part: string) => sql`strpos(${text}, ${part}) > 0`
  const text = sql`lower(concat_ws(' ', ${products.name}, ${products.brand}, ${products.mpn}, ${products.sku}, ${products.category}, ${products.description}, ${products.specs}))`
  const partNumber = sql`regexp_replace(lower(concat_ws(' ', ${products.mpn}, ${products.sku})), '[^a-z0-9 ]', '', 'g')`
  const tokens = queryTokens(q)
  return [
    isForSale,
    q.trim() === ''
      ? undefined
      : tokens.length === 0
        ? sql`false`
        : sql`(${and(...tokens.map((token) => contains(text, token)))} or ${contains(partNumber, normalizePartNumber(q))})`,
    ...excludedWords.map((words) => not(isNamedSql(queryTokens(words)))),
    category === undefined ? undefined : inArray(products.category, defined ? [defined.key, ...defined.aliases] : [category]),
    brands.length > 0 || isBrandUnknown
      ? or(isSpelledAsOneOf(products.brand, brands), isBrandUnknown ? isNull(products.brand) : undefined)
      : undefined,
    excludedBrands.length > 0 ? or(isNull(products.brand), not(isSpelledAsOneOf(products.brand, excludedBrands))) : undefined,
    priceCents.min === undefined ? undefined : gte(products.priceCents, sql`${priceCents.min}::float8`),
    priceCents.max === undefined ? undefined : lte(products.priceCents, sql`${priceCents.max}::float8`),
    inStock ? gte(products.available_quantity, products.minimum_order_quantity) : undefined,
    lowered ? isLoweredSql : undefined,
    stock === undefined ? undefined : stockLevelConditions[stock],
    pieces === undefined ? undefined : canBeOrderedSql(pieces),
    ...attributeConditions(query),
  ]
}

/** Whether the name, maker or part number has all of these tokens as whole words; of none it is false. */
const isNamedSql = (tokens: string[]): SQL =>
  tokens.length === 0
    ? sql`false`
    : sql`(${and(...tokens.map((token) => sql`lower(concat_ws(' ', ${products.name}, ${products.brand}, ${products.mpn}, ${products.sku})) ~ ${wholeWordPattern(token)}`))})`

/** As the tokens of the index are: "5070" and "ti" are words of "5070Ti", too. */
function wholeWordPattern(token: string): string {
  const [before, behind] = /^\d/.test(token) ? ['[:alnum:]', '([a-z]{1,4}|x\\d[a-z]\\d?)?'] : ['[:alpha:]', '']
  return `(?<![${before}])${token.replaceAll('.', '\\.')}${behind}(?![[:alnum:]])`
}

const canBeOrderedSql = (pieces: number): SQL =>
  sql`${pieces}::bigint between ${products.minimum_order_quantity} and ${products.available_quantity} and ${pieces}::bigint % ${products.order_multiple} = 0`

/** Same order as `bestMatchKey` without words and buyers. */
const stockFirstOrder = [
  sql`${products.available_quantity} < ${products.minimum_order_quantity}`,
  sql`case when jsonb_typeof(${products.specs} -> 'released_year') = 'number' and (${products.specs} ->> 'released_year')::float8
    between ${releaseYears.first} and ${releaseYears.last} then (${products.specs} ->> 'released_year')::float8 end desc nulls last`,
]

/** Same conditions as `stockLevel` in `catalogue/contract.ts`. */
const stockLevelConditions = {
  out: lt(products.available_quantity, products.minimum_order_quantity),
  low: and(
    gte(products.available_quantity, products.minimum_order_quantity),
    sql`${products.available_quantity} < ${lowStockInMinimumOrders} * ${products.minimum_order_quantity}`,
  ),
}
