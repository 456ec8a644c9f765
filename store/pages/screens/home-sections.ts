import type { ProductDetails } from '#store/catalogue/contract.ts'
import { releasedYear } from '#store/catalogue/released-year.ts'
import { type ProductDetailsWithOrderFigures, withOrderFigures } from '#store/catalogue/screens/with-order-figures.ts'
import { listBestsellers } from '#store/orders/bestsellers/contract.ts'
import { type CategorySummary, searchProducts } from '#store/search/contract.ts'
import type { ApiCaller } from '#web/api-caller.ts'

/** What a tile of a product says. */
export type OfferedProduct = Pick<
  ProductDetailsWithOrderFigures,
  '_id' | 'sku' | 'name' | 'img' | 'price' | 'minimum_order_quantity' | 'available_quantity' | 'smallestOrderCents' | 'inStock' | 'lowered'
>

export type HomeSectionKind = 'sells' | 'lowered' | 'new'
export type HomeSection = { kind: HomeSectionKind; title: string; products: OfferedProduct[]; all?: { to: string; text: string } }

/** A row in a wide window. */
const maxProductsPerSection = 6
/** One that sells or is lowered says little of a shop. */
const minProductsPerSection = 3
/** New products are looked for in the first categories, so many. */
const maxCategoriesWithNew = 14
/** Of "new", so many are the ones that were added last; the others were released last. */
const maxJustAdded = 2

/**
 * What the home page offers: products that sell, whose price was lowered, and that are new, all in stock. A product stands in one section only,
 * and a section of which there is too little is left out; all are until the search index is built.
 */
export async function findHomeSections(callApi: ApiCaller, categories: CategorySummary[]): Promise<HomeSection[]> {
  if (categories.length === 0) return []
  const find = (asked: { category?: string; lowered?: 'yes'; sort?: 'newest'; limit: string }) =>
    callApi(searchProducts, { querystring: { in_stock: 'yes', facets: 'no', families: 'yes', ...asked } })
  const [sells, lowered, justAdded, ...releasedLast] = await Promise.all([
    callApi(listBestsellers, {}),
    find({ lowered: 'yes', limit: '100' }),
    find({ sort: 'newest', limit: '100' }),
    ...categories.slice(0, maxCategoriesWithNew).map(({ key }) => find({ category: key, limit: '1' })),
  ])
  const released = releasedLast.flatMap(({ tools }) => tools).toSorted((a, b) => releasedYear(b) - releasedYear(a))
  const added = firstOfEachCategory(justAdded.tools).slice(0, maxJustAdded)
  const releasedFirst = maxProductsPerSection - maxJustAdded
  return withoutRepetition([
    { kind: 'sells', title: 'What sells', products: sells, all: { to: '/allproducts?sort=bestselling', text: 'All by what sells' } },
    {
      kind: 'lowered',
      title: 'Lowered prices',
      products: lowered.tools.toSorted((a, b) => reduction(b) - reduction(a)),
      all: { to: '/allproducts?lowered=yes', text: 'All lowered prices' },
    },
    {
      kind: 'new',
      title: 'New',
      products: [...released.slice(0, releasedFirst), ...added, ...released.slice(releasedFirst)],
      all: { to: '/allproducts?sort=newest', text: 'What was added last' },
    },
  ])
}

const reduction = ({ price, lowered }: ProductDetails) => (lowered ? 1 - price / lowered.from : 0)
function withoutRepetition(candidates: (Omit<HomeSection, 'products'> & { products: ProductDetails[] })[]): HomeSection[] {
  const shown = new Set<string>()
  return candidates.flatMap((section) => {
    const others = new Map(section.products.filter(({ _id }) => !shown.has(_id)).map((product) => [product._id, product]))
    const products = [...others.values()].slice(0, maxProductsPerSection)
    if (products.length < minProductsPerSection) return []
    for (const { _id } of products) shown.add(_id)
    return [{ ...section, products: products.map(toOfferedProduct) }]
  })
}

function firstOfEachCategory(products: ProductDetails[]): ProductDetails[] {
  const categories = new Set<string | null>()
  return products.filter(({ category }) => !categories.has(category) && categories.add(category))
}

function toOfferedProduct(product: ProductDetails): OfferedProduct {
  const { _id, sku, name, img, price, minimum_order_quantity, available_quantity, smallestOrderCents, inStock, lowered } =
    withOrderFigures(product)
  return { _id, sku, name, img, price, minimum_order_quantity, available_quantity, smallestOrderCents, inStock, lowered }
}

/** Questions as a purchaser asks them. Shown are those that find something in this catalogue. */
const sampleQuestions = [
  'ddr5 32gb under $200',
  'am5 board with wifi',
  'graphics card under 320mm',
  '2tb nvme drive',
  'quiet 120mm fan',
  'multimeter under $200',
  'soldering station',
]
const maxSampleQuestions = 4

export async function findSampleQuestions(callApi: ApiCaller): Promise<string[]> {
  const found = await Promise.all(
    sampleQuestions.map(async (q) => ({ q, ...(await callApi(searchProducts, { querystring: { q, limit: '1', facets: 'no' } })) })),
  )
  return found
    .filter(({ total, exact, unread, as_words, left_out }) => total > 0 && exact && !unread && !as_words && left_out.length === 0)
    .map(({ q }) => q)
    .slice(0, maxSampleQuestions)
}
