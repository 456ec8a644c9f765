import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { centsToAmount } from '#shared/money.ts'
import { type Category, categoryOf } from './categories.ts'
import type { FamilyMember, ProductDetails } from './contract.ts'
import { type QuestionWords, questionWords } from './definitions/question-words.ts'
import { formatAttributeChoice } from './product-attributes.ts'
import { isForSale } from './rules.ts'
import { products } from './table.ts'

/*
 * A family: parts of one maker that differ by colour, and in some categories by size, alone. Their names are the same without the words of
 * colours, and so are all attributes that are filters. Nothing is stored: changed names, attributes or words make other families at once.
 */

type FamilyFacts = Pick<ProductDetails, 'name' | 'brand' | 'category' | 'specs'>

/** Most members that a product page or a list shows. */
export const maxFamilyMembers = 24

/** By the words that they were made from, which are others once the definitions have changed. */
const rulesByWords = new WeakMap<QuestionWords, Map<string, FamilyRules>>()
type FamilyRules = { words: Set<string>; notAfter: Set<string>; notBefore: Set<string>; comparedAttributes: string[] }

function rulesFor(category: Category | undefined): FamilyRules {
  const all = questionWords()
  const rules = rulesByWords.get(all) ?? new Map<string, FamilyRules>()
  rulesByWords.set(all, rules)
  const key = category?.key ?? ''
  const known = rules.get(key)
  if (known) return known
  const { words, notAfter, notBefore } = all.colours
  const own = category?.family || {}
  const made = {
    words: new Set([...words, ...(own.words ?? [])]),
    notAfter: new Set(notAfter),
    notBefore: new Set(notBefore),
    comparedAttributes: (category?.attributes ?? []).flatMap(({ key, filter, asked }) =>
      filter && asked?.sharedValues !== 'colours' && !own.differsIn?.includes(key) ? [key] : [],
    ),
  }
  rules.set(key, made)
  return made
}

/** The words of a name, in lower case: runs of letters and digits with what stands within them, such as "80+" and "2.4". */
const nameWords = (name: string): string[] => name.toLowerCase().match(/[\p{L}\p{N}.+]+/gu) ?? []

/**
 * The family of a product: products with the same key are of one family. `colour` has what its name says besides.
 * @returns undefined where the category has no families
 */
export function familyOf({ name, brand, category: categoryName, specs }: FamilyFacts): { key: string; colour: string[] } | undefined {
  const category = categoryOf(categoryName)
  if (!brand || category?.family === false) return undefined
  const { words, notAfter, notBefore, comparedAttributes } = rulesFor(category)
  const all = nameWords(name)
  const isColour = (word: string, at: number) => words.has(word) && !notAfter.has(all[at - 1] ?? '') && !notBefore.has(all[at + 1] ?? '')
  const line = all.filter((word, at) => !isColour(word, at))
  const attributes = comparedAttributes.map((key) => comparable(specs[key]))
  return { key: JSON.stringify([category?.key ?? categoryName, brand, line.join(' '), attributes]), colour: all.filter(isColour) }
}

const comparable = (value: unknown): unknown => (Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : (value ?? null))

/** What tells a member from the others of its family: "Black / Red". */
export function memberLabel(product: FamilyFacts): string {
  const colour = familyOf(product)?.colour ?? []
  if (colour.length > 0) return colour.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' / ')
  const { color } = product.specs
  const stated = [color].flat().filter((one) => typeof one === 'string')
  return stated.length > 0 ? stated.map((one) => formatAttributeChoice({ key: 'color' }, one)).join(' / ') : 'Standard'
}

/** The letters and digits of a name without any word of a colour: equal for all members of a family, and for few others. */
const lineSql = (name: SQL): SQL => {
  const words = [...questionWords().colours.words]
  return sql`regexp_replace(regexp_replace(lower(${name}), ${`\\m(${words.join('|')})\\M`}, '', 'g'), '[^[:alnum:]]', '', 'g')`
}

/** The family of a product, itself among them, cheapest first; empty where it is the only one. */
export async function findFamily(db: Database, product: ProductDetails): Promise<FamilyMember[]> {
  const family = familyOf(product)
  if (!family) return []
  const hasOwnWords = !!categoryOf(product.category)?.family
  const isOfLine = hasOwnWords ? sql`true` : sql`${lineSql(sql`${products.name}`)} = ${lineSql(sql`${product.name}::text`)}`
  const candidates = await db
    .select({
      ...{ _id: products._id, name: products.name, brand: products.brand, category: products.category, sku: products.sku },
      specs: sql<ProductDetails['specs']>`coalesce(${products.specs}, '{}')`,
      price: sql<number>`${products.priceCents}`.mapWith(centsToAmount),
      available_quantity: products.available_quantity,
    })
    .from(products)
    .where(sql`${products.category} = ${product.category} and ${products.brand} = ${product.brand} and ${isOfLine} and ${isForSale}`)
    .orderBy(products.priceCents, products.position)
    .limit(500)
  const members = candidates.filter((candidate) => familyOf(candidate)?.key === family.key)
  if (members.length < 2) return []
  return members
    .slice(0, maxFamilyMembers)
    .map(({ _id, sku, price, available_quantity, ...facts }) => ({ _id, sku, price, available_quantity, label: memberLabel(facts) }))
}
