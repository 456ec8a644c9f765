import { type Facet, type Found, type Part, searchTools } from '#store/catalogue/contract.ts'
import type { Door } from '#web/door.ts'
import { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'
import { filtersOf, isAttribute, pageOf, perPage, questionOf, unreadable } from './browsing.ts'
import { onShelf, type PartOnShelf } from './on-shelf.ts'

/** What can be taken away from an address that finds nothing, and how much it would find then. */
export type Loosening = { words: string; names: string[]; total: number }

export type Browsed = Omit<Found, 'tools' | 'next'> & {
  tools: PartOnShelf[]
  /** the page in view, from 1; one beyond the last is the last */
  page: number
  pages: number
  loosenings: Loosening[]
  /** why the store could not read the address, in its words */
  refused: string | undefined
}

/** What an address of /allproducts shows. A question that cannot be read is answered in words, with nothing found. */
export async function findByAddress(search: URLSearchParams, door: Door): Promise<Browsed> {
  const refused = unreadable(search)
  if (refused !== undefined) return { ...nothing, refused }
  const pageAsked = pageOf(search)
  const show = (page: number, facets: 'yes' | 'no') => ask(search, { limit: perPage, from: (page - 1) * perPage, facets }, door)
  try {
    const { total, facets, tools } = await show(pageAsked, 'yes')
    const pages = Math.max(1, Math.ceil(total / perPage))
    const page = Math.min(pageAsked, pages)
    return {
      total,
      facets,
      tools: (page === pageAsked ? tools : (await show(page, 'no')).tools).map((tool) => onShelf(withAttributes(tool, facets))),
      page,
      pages,
      loosenings: total === 0 ? await loosen(search, door) : [],
      refused: undefined,
    }
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.status !== 400) throw refusal
    return { ...nothing, refused: refusal.message }
  }
}

/** Only what the list can show of a part travels to the browser. */
function withAttributes(tool: Part, facets: Facet[]): Part {
  const shown = facets.filter(isAttribute).map(({ key }) => key.replace('spec.', ''))
  return { ...tool, specs: Object.fromEntries(shown.flatMap((key) => (key in tool.specs ? [[key, tool.specs[key]]] : []))) }
}

const nothing = { total: 0, facets: [], tools: [], page: 1, pages: 1, loosenings: [] }

function ask(
  search: URLSearchParams,
  { limit, from = 0, facets }: { limit: number; from?: number; facets: 'yes' | 'no' },
  door: Door,
): Promise<Found> {
  const { q, category, in_stock, sort, ...others } = questionOf(search)
  const querystring = {
    ...others,
    ...(q && { q: q.join(' ') }),
    ...(category && { category: category.join() }),
    ...(in_stock && { in_stock: 'yes' as const }),
    ...(sort && { sort: sort.join() }),
    limit: `${limit}`,
    cursor: `${from}`,
    facets,
  }
  return send(searchTools, { querystring }, door)
}

/** Takes each condition away once, to see what is behind it: the filters, the words, the category. */
async function loosen(search: URLSearchParams, door: Door): Promise<Loosening[]> {
  const { q, category } = questionOf(search)
  const plain = filtersOf(search, [])
  if (plain.length + (q ? 1 : 0) + (category ? 1 : 0) < 2) return [] // without its only condition it is the whole catalogue
  // The facets of what is found have no words for filters that leave nothing; those of the whole category do.
  const { facets } = await ask(without(search, ['q', ...plain.map(({ name }) => name)]), { limit: 1, facets: 'yes' }, door)
  const filters = Map.groupBy(filtersOf(search, facets), ({ name }) => name.replace(/\.(min|max)$/, ''))
  const ways = [
    ...[...filters.values()].map((same) => ({ words: same.map(({ words }) => words).join(', '), names: same.map(({ name }) => name) })),
    ...(q ? [{ words: `"${q.join(' ')}"`, names: ['q'] }] : []),
    ...(category ? [{ words: 'the category', names: ['category'] }] : []),
  ]
  const counted = ways.slice(0, mostLoosenings).map(async (way) => {
    const { total } = await ask(without(search, way.names), { limit: 1, facets: 'no' }, door)
    return { ...way, total }
  })
  return (await Promise.all(counted)).filter(({ total }) => total > 0).sort((one, other) => other.total - one.total)
}

/** Each is a call of its own. */
const mostLoosenings = 10

const without = (search: URLSearchParams, names: string[]) => new URLSearchParams([...search].filter(([name]) => !names.includes(name)))
