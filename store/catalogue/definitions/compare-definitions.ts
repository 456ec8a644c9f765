import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { AttributeDefinition, Category } from '../categories.ts'
import type { Definitions, DefinitionsChange } from './contract.ts'

type Change = Omit<DefinitionsChange, 'products'>

/** What is added, removed and changed, with the number of products that have it. */
export async function compareDefinitions(db: Database, before: Definitions, after: Definitions): Promise<DefinitionsChange[]> {
  const changes = [
    ...(isReordered(before.categories, after.categories)
      ? [{ category: null, attribute: null, change: 'changed' as const, fields: ['order of categories'] }]
      : []),
    ...compareCategories(before.categories, after.categories),
    ...changedFields(before.questionWords, after.questionWords).map((field) => ({
      ...{ category: null, attribute: null, change: 'changed' as const, fields: [field] },
    })),
  ]
  if (changes.length === 0) return []
  const countProducts = await prepareCounts(db, [...before.categories, ...after.categories])
  return changes.map((change) => ({ ...change, products: countProducts(change) }))
}

function compareCategories(before: Category[], after: Category[]): Change[] {
  return pairByKey(before, after).flatMap(([was, is]): Change[] => {
    const category = (is ?? was)?.key ?? ''
    if (!was || !is) return [{ category, attribute: null, change: is ? 'added' : 'removed', fields: [] }]
    const fields = changedFields({ ...was, attributes: undefined }, { ...is, attributes: undefined })
    const attributes = compareAttributes(category, was.attributes, is.attributes)
    const own = [...fields, ...(isReordered(was.attributes, is.attributes) ? ['order of attributes'] : [])]
    return [...(own.length > 0 ? [{ category, attribute: null, change: 'changed' as const, fields: own }] : []), ...attributes]
  })
}

const compareAttributes = (category: string, before: AttributeDefinition[], after: AttributeDefinition[]): Change[] =>
  pairByKey(before, after).flatMap(([was, is]): Change[] => {
    const attribute = (is ?? was)?.key ?? ''
    if (!was || !is) return [{ category, attribute, change: is ? 'added' : 'removed', fields: [] }]
    const fields = changedFields(was, is)
    return fields.length > 0 ? [{ category, attribute, change: 'changed', fields }] : []
  })

function pairByKey<T extends { key: string }>(before: T[], after: T[]): [before: T | undefined, after: T | undefined][] {
  const [was, is] = [before, after].map((all) => new Map(all.map((one) => [one.key, one])))
  return [...new Set([...before, ...after].map(({ key }) => key))].map((key) => [was?.get(key), is?.get(key)])
}

/** Whether those that both have stand in another order. */
function isReordered(before: { key: string }[], after: { key: string }[]): boolean {
  const [was, is] = [before, after].map((all) => new Set(all.map(({ key }) => key)))
  const common = (all: { key: string }[], others: Set<string> | undefined) => all.flatMap(({ key }) => (others?.has(key) ? [key] : []))
  return !isDeepStrictEqual(common(before, is), common(after, was))
}

const changedFields = (before: Record<string, unknown>, after: Record<string, unknown>): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((field) => !isDeepStrictEqual(before[field], after[field]))

/** Counts products for sale by category, under any of its names, and by attribute. */
async function prepareCounts(db: Database, categories: Category[]): Promise<(change: Change) => number> {
  const { rows } = await db.execute<{ category: string; key: string | null; products: number }>(sql`
    select category, null as key, count(*)::int as products from tools where removed_at is null and category is not null group by 1
    union all
    select category, key, count(*)::int from tools, jsonb_object_keys(specs) as key
    where removed_at is null and category is not null and jsonb_typeof(specs) = 'object' group by 1, 2`)
  const counts = new Map(rows.map(({ category, key, products }) => [JSON.stringify([category, key]), products]))
  return ({ category, attribute }) => {
    const names = new Set(categories.filter(({ key }) => key === category).flatMap(({ key, aliases }) => [key, ...aliases]))
    return [...names].reduce((sum, name) => sum + (counts.get(JSON.stringify([name, attribute])) ?? 0), 0)
  }
}
