import { isNull, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { centsToAmount } from '#shared/money.ts'
import { type Category, categoryOf } from './categories.ts'
import { isInStock, type ProductDetails } from './contract.ts'
import { type QuestionWords, questionWords } from './definitions/question-words.ts'
import { formatAttributeChoice } from './product-attributes.ts'
import type { FamilyMember } from './product-page-contract.ts'
import { isForSale } from './rules.ts'
import { products } from './table.ts'

/*
 * A family: parts of one maker that differ by colour, and in some categories by size, alone. Their names are the same without the words of
 * colours, and so are all attributes that are filters; where no category is defined, all that they state. Nothing is stored: changed names, attributes or words make other families at once.
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
export function familyOf(product: FamilyFacts): { key: string; colour: string[] } | undefined {
  const { brand, category: categoryName, specs } = product
  const category = categoryOf(categoryName)
  if (!brand || category?.family === false) return undefined
  const compared = category
    ? rulesFor(category).comparedAttributes
    : Object.keys(specs)
        .filter((key) => key !== 'color')
        .sort()
  const attributes = compared.map((key) => [key, comparable(specs[key])])
  const { line, colour } = splitName(product)
  return { key: JSON.stringify([category?.key ?? categoryName, brand, line, attributes]), colour }
}

/** The words of a name without those of colours, and these. */
function splitName({ name, category }: Pick<FamilyFacts, 'name' | 'category'>): { line: string; colour: string[] } {
  const { words, notAfter, notBefore } = rulesFor(categoryOf(category))
  const all = nameWords(name)
  const isColour = (word: string, at: number) => words.has(word) && !notAfter.has(all[at - 1] ?? '') && !notBefore.has(all[at + 1] ?? '')
  return { line: all.filter((word, at) => !isColour(word, at)).join(' '), colour: all.filter(isColour) }
}

const lineOf = (product: Pick<FamilyFacts, 'name' | 'category'>): string => splitName(product).line

const comparable = (value: unknown): unknown => (Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : (value ?? null))

/** What tells a member from the others of its family: "Black / Red". */
export function memberLabel(product: FamilyFacts): string {
  const colour = familyOf(product)?.colour ?? []
  if (colour.length > 0) return colour.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' / ')
  const { color } = product.specs
  const stated = [color].flat().filter((one) => typeof one === 'string')
  return stated.length > 0 ? stated.map((one) => formatAttributeChoice({ key: 'color' }, one)).join(' / ') : 'Standard'
}

/**
 * Those members of a family that their labels tell apart. Two of one label differ in something else that no attribute says, and are products of
 * their own.
 * @returns none unless there are two
 */
export function distinctMembers<Member extends { label: string }>(members: Member[]): Member[] {
  const counts = new Map<string, number>()
  for (const { label } of members) counts.set(label, (counts.get(label) ?? 0) + 1)
  const distinct = members.filter(({ label }) => counts.get(label) === 1)
  return distinct.length > 1 ? distinct : []
}

/** Of so many products of a maker in a category, those that were added nearest to the product, the family is looked for. */
export const maxCompared = 5000

/** The family of a product, itself among them, cheapest first; empty where it is the only one. */
export async function findFamily(db: Database, product: ProductDetails): Promise<FamilyMember[]> {
  const family = familyOf(product)
  if (!family) return []
  const category = categoryOf(product.category)
  const categories = category ? [category.key, ...category.aliases] : product.category === null ? undefined : [product.category]
  // Names alone first: most of a maker's products are of other lines.
  const named = await db
    .select({ _id: products._id, name: products.name })
    .from(products)
    .where(
      sql`${categories ? sql`${products.category} = any(${sql.param(categories)}::text[])` : isNull(products.category)} and ${products.brand} = ${product.brand} and ${isForSale}`,
    )
    .orderBy(sql`abs(${products.position} - (select own.position from tools as own where own.id = ${product._id}))`)
    .limit(maxCompared)
  const line = lineOf(product)
  const ids = named.flatMap(({ _id, name }) => (lineOf({ ...product, name }) === line ? [_id] : []))
  if (ids.length < 2) return []
  const candidates = await db
    .select({
      ...{ _id: products._id, name: products.name, brand: products.brand, category: products.category, sku: products.sku },
      specs: sql<ProductDetails['specs']>`coalesce(${products.specs}, '{}')`,
      price: sql<number>`${products.priceCents}`.mapWith(centsToAmount),
      available_quantity: products.available_quantity,
      minimum_order_quantity: products.minimum_order_quantity,
    })
    .from(products)
    .where(sql`${products._id} = any(${sql.param(ids)}::uuid[])`)
    .orderBy(products.priceCents, products.position)
  const members = candidates.flatMap(({ _id, sku, price, available_quantity, ...candidate }) => {
    if (familyOf(candidate)?.key !== family.key) return []
    const in_stock = isInStock({ ...candidate, available_quantity })
    return [{ _id, sku, price, available_quantity, in_stock, label: memberLabel(candidate) }]
  })
  const distinct = distinctMembers(members)
  const own = distinct.find(({ _id }) => _id === product._id)
  if (!own) return []
  const shown = distinct.slice(0, maxFamilyMembers)
  return shown.includes(own) ? shown : [own, ...shown.slice(1)]
}
