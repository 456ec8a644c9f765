import { canonicalProductListQuery, preferredLookParam } from '#shared/canonical-product-list-query.ts'
import { formatDay } from '#shared/format-day.ts'
import type { Cents } from '#shared/money.ts'
import type { ProductDetails } from '#store/catalogue/contract.ts'
import { expectedArrival } from '#store/catalogue/incoming-stock.ts'
import { type ProductDetailsWithOrderFigures, withOrderFigures } from '#store/catalogue/screens/with-order-figures.ts'
import { costOf, unitPriceAt } from '#store/catalogue/settle-quantity.ts'
import { type Facet, type Family, type SearchResponse, searchProducts, type UnderstoodPiece } from '#store/search/contract.ts'
import type { ApiCaller } from '#web/api-caller.ts'
import { ApiError } from '#web/api-error.ts'
import { describeInvalidNumber, findInvalidNumberParams } from './amount-errors.ts'
import { attributeTextWithoutUnit, keyFacts } from './attribute-texts.ts'
import { describeQuestion, type QuestionNotes } from './describe-question.ts'
import { type SortOption, sortOptions, tableAttributes } from './facet-options.ts'
import { type AppliedFilter, listAppliedFilters } from './list-applied-filters.ts'
import { type PageFacet, toPageFacets } from './page-facets.ts'
import { chosenLook, type ListLook, perPage, readLook, readPageNumber, readSearchParams } from './search-url.ts'

/** A filter to remove from a search without results, and the number of results without it. */
export type FilterRelaxation = { label: string; params: string[]; total: number }

export type ShownProduct = ProductDetailsWithOrderFigures & {
  /** on cards: the first attributes of the category as short texts */
  facts: string[]
  /** in the table: attributes without their unit, by the key of their column */
  texts: Record<string, string>
  /** what the pieces that are asked for cost */
  askedPieces: { pieces: number; unitPriceCents: Cents; totalCents: Cents } | undefined
  /** when more arrives of what is out of stock */
  arrivesOn: string | undefined
  /** the same in other colours or sizes */
  versions: Family['members']
}

/** A column of the table for an attribute. By numbers it can be sorted. */
export type AttributeColumn = { key: string; label: string; unit: string | undefined; isNumeric: boolean }

export type ProductListPageData = Pick<SearchResponse, 'total' | 'rows'> & {
  facets: PageFacet[]
  products: ShownProduct[]
  look: ListLook
  columns: AttributeColumn[]
  /** orders to choose from */
  sorts: SortOption[]
  /** page shown, from 1; page numbers beyond the last show the last */
  page: number
  pages: number
  relaxations: FilterRelaxation[]
  /** the filters of the URL and of what was understood of its question */
  filters: AppliedFilter[]
  /** the query with what was understood of its question as filters; undefined if that is nothing */
  asked: string | undefined
  understood: UnderstoodPiece[]
  questionNotes: QuestionNotes | undefined
  /** message for an invalid URL */
  errorMessage: string | undefined
}

/** The listing for a URL of /allproducts. An invalid URL gives an error message and no products. */
export async function searchByUrl(search: URLSearchParams, callApi: ApiCaller): Promise<ProductListPageData> {
  const invalidAmount = describeInvalidNumber(search)
  const requestedPage = readPageNumber(search)
  const show = (page: number, facets: 'yes' | 'no') =>
    searchProductsPage(search, { limit: perPage, from: (page - 1) * perPage, facets }, callApi)
  try {
    if (invalidAmount !== undefined) {
      // The filters stay, with their choices, so that the wrong one can be mended.
      const { facets } = await searchProductsPage(
        withoutParams(search, findInvalidNumberParams(search)),
        { limit: 1, facets: 'yes' },
        callApi,
      )
      return {
        ...emptyListing,
        facets: toPageFacets(facets, search),
        sorts: offeredSorts(facets, search),
        filters: listAppliedFilters(search, facets),
        errorMessage: invalidAmount,
      }
    }
    const answer = await show(requestedPage, 'yes')
    const { total, rows, facets, understood } = answer
    const asked = understood.length > 0 ? askedSearch(search, answer) : undefined
    const pages = Math.max(1, Math.ceil(rows / perPage))
    const page = Math.min(requestedPage, pages)
    const shown = page === requestedPage ? answer : await show(page, 'no')
    const look = chosenLook(search) ?? readLook(search.get(preferredLookParam)) ?? defaultLook(asked ?? search)
    const pieces = Number(readSearchParams(asked ?? search).pieces?.[0])
    const attributes = look === 'table' ? tableAttributes(facets, { total, search: asked ?? search, products: shown.tools }) : []
    return {
      total,
      rows,
      facets: toPageFacets(facets, asked ?? search),
      products: shown.tools.map((product) => toShownProduct(product, { facets, attributes, families: shown.families, look, pieces })),
      look,
      columns: attributes.map(toColumn),
      sorts: offeredSorts(facets, asked ?? search),
      page,
      pages,
      relaxations: total === 0 ? await findRelaxations(asked ?? search, callApi) : [],
      filters: listAppliedFilters(asked ?? search, facets),
      asked: asked?.toString(),
      understood,
      questionNotes: describeQuestion(search.get('q') ?? '', answer),
      errorMessage: undefined,
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_request') throw error
    return { ...emptyListing, sorts: offeredSorts([], search), filters: listAppliedFilters(search, []), errorMessage: error.message }
  }
}

const toColumn = (facet: Facet): AttributeColumn => {
  const isNumeric = facet.kind === 'number'
  return { key: facet.key, label: facet.label, unit: isNumeric ? facet.unit : undefined, isNumeric }
}

function offeredSorts(facets: Facet[], search: URLSearchParams): SortOption[] {
  const { sort, q, category } = readSearchParams(search)
  return sortOptions(facets, !!q, sort?.[0], !!category)
}

/** Rows where all is of one kind, chosen or understood, since its attributes are the columns; cards where kinds are mixed. */
const defaultLook = (search: URLSearchParams): ListLook => (search.get('category') ? 'table' : 'cards')

/** A product with the texts of its attributes. `specs` are emptied, to keep the page small. */
function toShownProduct(
  product: ProductDetails,
  {
    facets,
    attributes,
    families,
    look,
    pieces,
  }: Pick<SearchResponse, 'facets' | 'families'> & { attributes: Facet[]; look: ListLook; pieces: number },
): ShownProduct {
  const isTable = look === 'table'
  const texts = attributes.flatMap((facet) => {
    const text = attributeTextWithoutUnit(product, facet)
    return text === undefined ? [] : [[facet.key, text] as const]
  })
  const members = families.find((family) => family.of === product._id)?.members ?? []
  const versions = members.filter(({ _id }) => _id !== product._id)
  const facts = isTable ? [] : keyFacts(product, facets)
  const askedPieces = pieces > 0 ? { pieces, unitPriceCents: unitPriceAt(product, pieces), totalCents: costOf(product, pieces) } : undefined
  const shown = withOrderFigures(product)
  const arrival = shown.inStock ? undefined : expectedArrival(product)
  return {
    ...shown,
    // a row has no description, and no room for a brand with which the name begins
    ...(isTable && { description: '', brand: product.mpn && startsWithBrand(product) ? null : product.brand }),
    specs: {},
    facts,
    texts: Object.fromEntries(texts),
    askedPieces,
    arrivesOn: arrival && formatDay(arrival.date),
    versions,
  }
}

const startsWithBrand = ({ name, brand }: ProductDetails) => !!brand && name.toLowerCase().startsWith(brand.toLowerCase())

/** The query with what was understood as filters, and the rest of the question as words. */
function askedSearch(search: URLSearchParams, { understood, left }: SearchResponse): URLSearchParams {
  const asked = withoutParams(search, ['q'])
  if (left) asked.set('q', left)
  for (const { params } of understood) for (const { name, value } of params) asked.append(name, value)
  return canonicalProductListQuery(asked)
}

const emptyListing = {
  ...{ total: 0, rows: 0, facets: [], products: [], look: 'cards' as const, page: 1, pages: 1, relaxations: [] },
  ...{ columns: [], sorts: [], filters: [], asked: undefined, understood: [], questionNotes: undefined },
}

function searchProductsPage(
  search: URLSearchParams,
  { limit, from = 0, facets }: { limit: number; from?: number; facets: 'yes' | 'no' },
  callApi: ApiCaller,
): Promise<SearchResponse> {
  const { q, category, in_stock, lowered, sort, read, ...others } = readSearchParams(search)
  const querystring = {
    ...others,
    ...(q && { q: q.join(' ') }),
    ...(category && { category: category.join() }),
    ...(in_stock && { in_stock: 'yes' as const }),
    ...(lowered && { lowered: 'yes' as const }),
    ...(sort && { sort: sort.join() }),
    ...(read?.[0] === 'no' && { read: 'no' as const }),
    limit: `${limit}`,
    cursor: `${from}`,
    facets,
    families: 'yes' as const,
  }
  return callApi(searchProducts, { querystring })
}

/** Counts the results without each single condition: filters, search text, category. */
async function findRelaxations(search: URLSearchParams, callApi: ApiCaller): Promise<FilterRelaxation[]> {
  const { q, category } = readSearchParams(search)
  const applied = listAppliedFilters(search, [])
  if (applied.length + (q ? 1 : 0) + (category ? 1 : 0) < 2) return [] // removing the only condition would show the whole catalogue
  // The facets of an empty result have no labels for the filters; those of the whole category do.
  const { facets } = await searchProductsPage(
    withoutParams(search, ['q', ...applied.map(({ name }) => name)]),
    { limit: 1, facets: 'yes' },
    callApi,
  )
  const filters = Map.groupBy(listAppliedFilters(search, facets), ({ name }) => name.replace(/\.(min|max|unknown|stated)$/, ''))
  const candidates = [
    ...[...filters.values()].map((group) => ({
      label: group.map(({ label }) => label).join(', '),
      params: group.map(({ name }) => name),
    })),
    ...(q ? [{ label: `"${q.join(' ')}"`, params: ['q'] }] : []),
    ...(category ? [{ label: 'the category', params: ['category'] }] : []),
  ]
  const counted = candidates.slice(0, maxRelaxations).map(async (candidate) => {
    const { total } = await searchProductsPage(withoutParams(search, candidate.params), { limit: 1, facets: 'no' }, callApi)
    return { ...candidate, total }
  })
  return (await Promise.all(counted)).filter(({ total }) => total > 0).sort((one, other) => other.total - one.total)
}

/** Each costs one search request. */
const maxRelaxations = 10

const withoutParams = (search: URLSearchParams, names: string[]) =>
  new URLSearchParams([...search].filter(([name]) => !names.includes(name)))
