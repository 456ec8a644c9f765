import { categoryOf } from '../categories.ts'
import type { Facet, Part, Question } from '../contract.ts'

/** A product as the index takes it. */
export type Listed = Part & {
  /** the order in which products were added */
  position: number
}

/** A question with its filters sorted out: a part must fit them all, and of each list of choices one. */
export type Asked = {
  q: string
  /** a key of `content/categories.json`, or whatever parts carry */
  category: string | undefined
  brands: string[]
  inStock: boolean
  stock: 'out' | 'low' | undefined
  pieces: number | undefined
  price: Range
  /** by key */
  choices: Map<string, string[]>
  ranges: Map<string, Range>
  sort: string | undefined
  offset: number
  limit: number
  facets: boolean
}
export type Range = { min?: number | undefined; max?: number | undefined }
export type Answered = {
  total: number
  ids: string[]
  /** the products of these ids, each as `writtenCard` has it */
  cards: string[]
  facets: Facet[]
}

/** The filters of an address or a call. What nobody can mean is left out. */
export function readQuestion(question: Question): Asked {
  const choices = new Map<string, string[]>()
  const ranges = new Map<string, Range>()
  for (const [name, value] of Object.entries(question)) {
    const [, key, bound] = name.match(/^spec\.([a-z0-9_]{1,60})(?:\.(min|max))?$/i) ?? []
    if (!key || !Array.isArray(value)) continue
    const said = value.filter((one) => one !== '')
    if (!bound && said.length > 0) choices.set(key, said)
    const limit = Number(said[0])
    if (bound && said.length > 0 && Number.isFinite(limit)) ranges.set(key, { ...ranges.get(key), [bound]: limit })
  }
  return {
    q: question.q ?? '',
    category: categoryOf(question.category || null)?.key ?? (question.category || undefined),
    brands: (question.brand ?? []).filter((brand) => brand !== ''),
    inStock: question.in_stock === 'yes',
    stock: question.stock,
    pieces: question.pieces,
    price: { min: question['price.min'], max: question['price.max'] },
    choices,
    ranges,
    sort: question.sort,
    offset: question.cursor ?? 0,
    limit: question.limit,
    facets: question.facets !== 'no',
  }
}
