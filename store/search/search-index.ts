import { categories, categoryOf } from '#store/catalogue/categories.ts'
import { ColumnStore } from './column-store.ts'
import { filterWithFacets } from './filter-with-facets.ts'
import { fieldRanks, InvertedIndexBuilder, type InvertedIndexes } from './inverted-index.ts'
import { Matcher } from './matcher.ts'
import type { IndexedProduct, ParsedQuery, SearchResult } from './parsed-query.ts'
import { sliceSortedByKey } from './sorted-slice.ts'
import { forEachIndexToken, normalizePartNumber } from './tokens.ts'
import { createEventLoopYielder } from './yield-to-event-loop.ts'

/** Above this number of changed products in the delta indexes, the index should be rebuilt. */
const maxDeltaProducts = 3000

/** Builds the index of these products and yields to the event loop regularly. */
export async function buildIndex(products: Iterable<IndexedProduct> | AsyncIterable<IndexedProduct>): Promise<SearchIndex> {
  const yieldToEventLoop = createEventLoopYielder()
  const store = new ColumnStore()
  const builders = createIndexBuilders()
  for await (const product of products) {
    const slot = store.put(product)
    if (slot !== undefined) indexProduct(builders, slot, product)
    await yieldToEventLoop()
  }
  await store.sortNames(yieldToEventLoop)
  return new SearchIndex(store, await buildIndexes(builders, yieldToEventLoop))
}

/**
 * Search index of all products for sale: inverted indexes for text search and a column store for filters and sorting. `search` is
 * synchronous and reads only memory. docs/decisions/0011 gives the reasons.
 */
export class SearchIndex {
  readonly #store: ColumnStore
  readonly #mainIndexes: InvertedIndexes
  /** products that changed after the main indexes were built */
  #deltaIndexes: InvertedIndexes | undefined
  readonly #changedProducts = new Map<number, IndexedProduct>()
  readonly #matcher = new Matcher()
  #sortKeys = new Float64Array()

  constructor(store: ColumnStore, indexes: InvertedIndexes) {
    this.#store = store
    this.#mainIndexes = indexes
  }

  /** Number of products in the index. */
  get size(): number {
    return this.#store.liveCount
  }

  has(id: string): boolean {
    return this.#store.has(id)
  }

  /** Whether more than `maxDeltaProducts` products have changed since the main indexes were built. */
  get needsRebuild(): boolean {
    return this.#changedProducts.size > maxDeltaProducts
  }

  /**
   * Adds new products and replaces changed ones.
   * @returns the ids of products that are new or changed in more than price, minimum order quantity and stock
   */
  async put(products: IndexedProduct[]): Promise<string[]> {
    const reindexed: string[] = []
    for (const product of products) {
      const slot = this.#store.put(product)
      if (slot === undefined) continue
      this.#store.insertInNameOrder(slot)
      this.#changedProducts.set(slot, product)
      reindexed.push(product._id)
    }
    if (reindexed.length > 0) {
      const yieldToEventLoop = createEventLoopYielder()
      const builders = createIndexBuilders()
      for (const [slot, product] of this.#changedProducts) {
        if (this.#store.isLive.array[slot] === 1) indexProduct(builders, slot, product)
        else this.#changedProducts.delete(slot)
        await yieldToEventLoop()
      }
      this.#deltaIndexes = await buildIndexes(builders, yieldToEventLoop)
    }
    return reindexed
  }

  /** @returns whether the index contained it */
  remove(id: string): boolean {
    return this.#store.remove(id)
  }

  search(query: ParsedQuery): SearchResult {
    const store = this.#store
    // The category facet counts all categories. Without facets, scanning the slots of the chosen category is enough.
    const scansOneCategory = query.q.trim() === '' && !query.facets
    const found = scansOneCategory ? store.liveSlots(query.category) : query.q.trim() === '' ? store.liveSlots() : this.#match(query.q)
    const { matches, facets } = filterWithFacets(store, found, scansOneCategory ? { ...query, category: undefined } : query)
    const shown = sliceSortedByKey(matches, this.#computeSortKeys(matches, query), query.offset, query.limit)
    return { total: matches.length, ids: shown.map(store.idAt), productsJson: shown.map(store.jsonAt), facets }
  }

  #match(q: string): Uint32Array {
    return this.#matcher
      .setIndexes(this.#deltaIndexes ? [this.#mainIndexes, this.#deltaIndexes] : [this.#mainIndexes], this.#store.isLive.array)
      .find(q)
  }

  /**
   * Writes a sort key for each of these slots into an array indexed by slot; the lowest key sorts first. Products without the attribute
   * sort last in both directions.
   */
  #computeSortKeys(slots: Uint32Array, { sort = '', q }: ParsedQuery): Float64Array {
    if (this.#sortKeys.length < this.#store.slotCount) this.#sortKeys = new Float64Array(this.#store.isLive.array.length)
    const keys = this.#sortKeys
    const { priceCents, minimumOrderQuantity, availableQuantity, nameRank, nameLength, position, rowInCategory } = this.#store
    const [, direction, by = ''] = sort.match(/^(-?)(.*)$/) ?? []
    const sign = direction === '-' ? -1 : 1
    const each = (key: (slot: number) => number) => {
      for (let at = 0; at < slots.length; at++) {
        const slot = slots[at] ?? 0
        keys[slot] = key(slot)
      }
      return keys
    }
    if (by === 'price') return each((slot) => sign * (priceCents.values[priceCents.ids[slot] ?? 0] ?? 0))
    if (by === 'minimum') return each((slot) => sign * (minimumOrderQuantity.array[slot] ?? 0))
    if (by === 'available') return each((slot) => sign * (availableQuantity.array[slot] ?? 0))
    if (by === 'name') return each((slot) => sign * (nameRank.array[slot] ?? 0))
    if (by === 'newest') return each((slot) => -(position.array[slot] ?? 0))
    if (by.startsWith('spec.')) {
      const columnByCategory = this.#store.categoryColumns.map((columns) => columns?.attributes.get(by.slice(5))?.numberColumn)
      return each((slot) => {
        const column = columnByCategory[this.#store.category.ids[slot] ?? 0]
        const value = column?.values[column.ids[rowInCategory.array[slot] ?? 0] ?? 0]
        return value === undefined ? Number.POSITIVE_INFINITY : sign * value
      })
    }
    if (q.trim() === '') return each((slot) => position.array[slot] ?? 0)
    const { scores } = this.#matcher
    return each((slot) => (nameLength.array[slot] ?? 0) / 1024 - Math.round((scores[slot] ?? 0) * 100))
  }
}

const categorySearchText = new Map(categories.map(({ key, label, words }) => [key, [key, label, ...words].join(' ')]))

/** `tokenCache`: the tokens of texts that many products share, such as brands and category names. */
const createIndexBuilders = () => ({
  text: new InvertedIndexBuilder(),
  partNumbers: new InvertedIndexBuilder(),
  tokenCache: new Map<string, string[]>(),
})
type IndexBuilders = ReturnType<typeof createIndexBuilders>

function indexProduct({ text, partNumbers, tokenCache }: IndexBuilders, slot: number, product: IndexedProduct): void {
  text.add(slot, (emit) => forEachTextToken(product, tokenCache, emit))
  partNumbers.add(slot, (emit) => forEachPartNumberToken(product, emit))
}

const buildIndexes = async (
  { text, partNumbers }: IndexBuilders,
  yieldToEventLoop: () => Promise<void> | undefined,
): Promise<InvertedIndexes> => ({
  text: await text.build(yieldToEventLoop),
  partNumbers: await partNumbers.build(yieldToEventLoop),
})

/** The part number tokens of a product: mpn and SKU, each normalized to one token, and the tokens of the SKU. */
function forEachPartNumberToken({ mpn, sku }: IndexedProduct, emit: (token: string, field: number) => void): void {
  forEachIndexToken(sku, (token) => emit(token, fieldRanks.partNumber))
  for (const number of [mpn ?? '', sku]) if (normalizePartNumber(number)) emit(normalizePartNumber(number), fieldRanks.partNumber)
}

/** All other tokens of a product, each with the rank of its field. */
function forEachTextToken(product: IndexedProduct, tokenCache: Map<string, string[]>, emit: (token: string, field: number) => void): void {
  const emitCached = (text: string, field: number) => {
    let tokens = tokenCache.get(text)
    if (!tokens) {
      tokens = []
      forEachIndexToken(text, (token) => tokens?.push(token))
      tokenCache.set(text, tokens)
    }
    for (const token of tokens) emit(token, field)
  }
  const emitTokens = (text: string, field: number) => forEachIndexToken(text, (token) => emit(token, field))
  emitTokens(product.description, fieldRanks.description)
  const category = categoryOf(product.category)
  emitCached((category && categorySearchText.get(category.key)) ?? product.category ?? '', fieldRanks.attributes)
  for (const [key, value] of Object.entries(product.specs)) {
    const unit = category?.attributes.find((attribute) => attribute.key === key)?.unit
    for (const item of [value].flat())
      if (typeof item === 'string') emitCached(item, fieldRanks.attributes)
      else if (typeof item === 'number' && unit) for (const text of sizeSynonyms(item, unit)) emitCached(text, fieldRanks.attributes)
  }
  emitTokens(product.name, fieldRanks.name)
  if (product.brand) emitCached(product.brand, fieldRanks.name)
  if (product.mpn) emitTokens(product.mpn, fieldRanks.partNumber)
}

/** Search spellings of a number with a unit: 1000 GB yields "1000GB" and "1TB". */
function* sizeSynonyms(number: number, unit: string): Generator<string> {
  if (/^\p{L}+$/u.test(unit)) yield `${number}${unit}`
  if (unit === 'GB' && number >= 1000 && number % 500 === 0) yield `${number / 1000}TB`
}
