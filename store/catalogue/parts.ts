import { and, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { Refusal } from '#platform/refusal.ts'
import { categoryOf } from './categories.ts'
import type { Comparison, Part, ShownPart } from './contract.ts'
import { detailsOf, shownCategory } from './details.ts'
import { asPart, forSale } from './rules.ts'
import { asShown } from './search/cards.ts'
import { tools } from './table.ts'

const mostRelated = 6

/** Statements are prepared once for each database: building one anew costs more than twice what the database needs for its answer. */
const prepared = new WeakMap<Database, ReturnType<typeof prepare>>()

function prepare(db: Database) {
  const parts = db.select(asPart).from(tools)
  return {
    byIds: parts.where(and(sql`${tools._id} = any(${sql.placeholder('ids')})`, forSale)).prepare('parts_by_ids'),
    inStockNear: near(db, sql`available_quantity >= minimum_order_quantity`).prepare('parts_in_stock_near'),
    near: near(db, sql`true`).prepare('parts_near'),
  }
}

/**
 * Parts of a category whose price is closest: of each key of the category a few that cost as much or more, and a few that cost less, read in
 * the order of an index, so that it costs the same in a category of a thousand.
 */
function near(db: Database, which: ReturnType<typeof sql>) {
  const price = sql`${sql.placeholder('price')}::int`
  const some = sql`from tools where category = of.key and removed_at is null and id <> ${sql.placeholder('id')}::uuid and ${which}`
  const closest = sql`select found.id from unnest(${sql.placeholder('keys')}::text[]) as of(key) cross join lateral (
    (select id ${some} and price >= ${price} order by price limit ${sql.raw(`${mostRelated}`)})
    union all (select id ${some} and price < ${price} order by price desc limit ${sql.raw(`${mostRelated}`)})
  ) as found`
  return db
    .select(asPart)
    .from(tools)
    .where(sql`${tools._id} = any(array(${closest}))`)
    .orderBy(sql`${tools.available_quantity} >= ${tools.minimum_order_quantity} desc`, sql`abs(${tools.price} - ${price})`, tools.position)
    .limit(mostRelated)
}

function statements(db: Database) {
  const known = prepared.get(db) ?? prepare(db)
  prepared.set(db, known)
  return known
}

/** Parts in the order of their ids, each with the key of its category, also where it was imported under another. One that has left is left out. */
export async function partsByIds(db: Database, ids: string[]): Promise<Part[]> {
  const rows = await statements(db).byIds.execute({ ids })
  const found = new Map(rows.map((part) => [part._id, asShown(part)]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/**
 * A part with what is known of it in words, and others of its category.
 * @throws {Refusal} 404 when it is not in the catalogue
 */
export async function show(db: Database, id: string): Promise<ShownPart> {
  const [part] = await partsByIds(db, [id])
  if (!part) throw noSuchPart()
  return { part, category: shownCategory(part.category), details: detailsOf(part), related: await related(db, part) }
}

/** Up to six others of the same category: what can be ordered first, the closest price first among them. */
async function related(db: Database, { _id, category, price }: Part): Promise<Part[]> {
  if (!category) return []
  const known = categoryOf(category)
  const wanted = { id: _id, price, keys: known ? [known.key, ...known.aliases] : [category] }
  const inStock = await statements(db).inStockNear.execute(wanted)
  return inStock.length === mostRelated ? inStock : statements(db).near.execute(wanted)
}

/**
 * Parts side by side: each attribute that is known of at least one of them.
 * @throws {Refusal} 404 when one of them is not in the catalogue, 400 when they are not of one category
 */
export async function compare(db: Database, ids: string[]): Promise<Comparison> {
  const wanted = [...new Set(ids)]
  const parts = await partsByIds(db, wanted)
  const [first] = parts
  if (!first || parts.length < wanted.length) throw noSuchPart()
  const stranger = parts.find((part) => keyOf(part) !== keyOf(first))
  if (stranger) throw new Refusal(400, `Only products of one category can be compared: ${strangers(first, stranger)}`)
  return { parts, rows: rowsOf(parts) }
}

const noSuchPart = () => new Refusal(404, 'There is no such product')
const keyOf = ({ category }: Part) => categoryOf(category)?.key ?? category
const strangers = (...parts: Part[]) =>
  parts.map(({ name, category }) => `${name} is one of ${shownCategory(category)?.label ?? 'no category'}`).join(', ')

/** In the order of the category's attributes; one that stands in no file comes where the first part that carries it has it. */
function rowsOf(parts: Part[]): Comparison['rows'] {
  const details = parts.map((part) => new Map(detailsOf(part).map((detail) => [detail.key, detail])))
  const labels = new Map(details.flatMap((known) => [...known.values()].map(({ key, label }) => [key, label] as const)))
  const attributes = categoryOf(parts[0]?.category ?? null)?.attributes ?? []
  const defined = attributes.map(({ key }) => key).filter((key) => labels.has(key))
  return [...new Set([...defined, ...labels.keys()])].map((key) => {
    const texts = details.map((known) => known.get(key)?.text ?? null)
    const better = attributes.find((attribute) => attribute.key === key)?.better
    return {
      key,
      label: labels.get(key) ?? key,
      texts,
      differs: new Set(texts.filter((text) => text !== null)).size > 1,
      best: better ? bestOf(parts, key, texts, better) : [],
    }
  })
}

/** The places of the best, all that share it. What is not known is never best, and what is known of one alone is compared with nothing. */
function bestOf(parts: Part[], key: string, texts: (string | null)[], better: 'more' | 'less'): number[] {
  const figures = parts.map(({ specs }, place) => {
    const figure = specs[key]
    return typeof figure === 'number' && texts[place] !== null ? figure : undefined
  })
  const known = figures.filter((figure) => figure !== undefined)
  if (known.length < 2) return []
  const best = better === 'more' ? Math.max(...known) : Math.min(...known)
  return figures.flatMap((figure, place) => (figure === best ? [place] : []))
}
