import { allCategories, type Category, categoryOf } from '#store/catalogue/categories.ts'
import { isDocumentValue } from '#store/catalogue/product-documents.ts'
import { type BuyersByProduct, ColumnStore } from './column-store.ts'
import type { Family } from './contract.ts'
import { filterWithFacets } from './filter-with-facets.ts'
import { fieldRanks, InvertedIndexBuilder, type InvertedIndexes } from './inverted-index.ts'
import { Matcher } from './matcher.ts'
import type { Found, IndexedProduct, ParsedQuery, SearchResult, WordOptions } from './parsed-query.ts'
import { buildVocabulary, type KnownValues, type Vocabulary } from './question/vocabulary.ts'
import { writeSortKeys } from './sort-keys.ts'
import { sliceSortedByKey } from './sorted-slice.ts'
import { normalizePartNumber } from './tokens.ts'
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
  #vocabulary: { distinctValues: number; categories: readonly Category[]; vocabulary: Vocabulary } | undefined
  #sortKeys = new Float64Array()
  /** of one question the same texts are excluded in several searches */
  #recentlyNamed: { key: string; named: Uint8Array } | undefined

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
   * Whether so many of these products are not in the index that it should be rebuilt rather than changed, and whether it lacks more than it has.
   */
  countNew(ids: string[]): { areTooMany: boolean; areMost: boolean } {
    const count = ids.length > maxDeltaProducts ? ids.reduce((sum, id) => sum + (this.has(id) ? 0 : 1), 0) : 0
    return { areTooMany: count > maxDeltaProducts, areMost: count > maxDeltaProducts && count > this.size }
  }

  /**
   * Adds new products and replaces changed ones.
   * @returns the ids of products that are new or changed in more than the terms on which they are sold
   */
  async put(products: IndexedProduct[]): Promise<string[]> {
    const reindexed: string[] = []
    this.#matcher.forget()
    this.#recentlyNamed = undefined
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

  setBuyers(buyers: BuyersByProduct): void {
    this.#store.setBuyers(buyers)
  }

  /** @returns whether the index contained it */
  remove(id: string): boolean {
    this.#matcher.forget()
    this.#recentlyNamed = undefined
    return this.#store.remove(id)
  }

  search(query: ParsedQuery, options: WordOptions = {}): SearchResult {
    const { writePage, ...counts } = this.find(query, options)
    return { ...counts, ...writePage() }
  }

  find(query: ParsedQuery, options: WordOptions = {}): Found {
    const store = this.#store
    const hasWords = query.q.trim() !== ''
    const excludedSlots = this.#slotsNamed(query.excludedWords)
    const found = hasWords ? this.#preparedMatcher().find(query.q, options) : undefined
    const { matches, countFacets } = filterWithFacets(store, found?.slots, excludedSlots, query)
    if (this.#sortKeys.length < store.slotCount) this.#sortKeys = new Float64Array(store.isLive.array.length)
    writeSortKeys(this.#sortKeys, { store, slots: matches, sort: query.sort, scores: found?.scores, ...options })
    const sortKeys = { keys: this.#sortKeys, position: store.position.array }
    const rows = query.collapsesFamilies ? store.families.collapse(matches, sortKeys, store.isLive.array) : matches
    const shown = sliceSortedByKey(rows, sortKeys, query.offset, query.limit)
    const words = { isExact: found?.isExact ?? true, isPartNumber: !!found?.isPartNumber, leftOut: found?.leftOut ?? [] }
    const writePage = () => ({
      ...{ ids: shown.map(store.idAt), productsJson: shown.map(store.jsonAt), facets: countFacets() },
      families: query.collapsesFamilies ? shown.flatMap((slot) => this.#familyOf(slot)) : [],
    })
    return { total: matches.length, rows: rows.length, words, writePage }
  }

  /** By slot: whether the name or part number has all words of one of the texts. Undefined for no texts. To be called before other words are looked for. */
  #slotsNamed(texts: string[]): Uint8Array | undefined {
    if (texts.length === 0) return undefined
    const key = JSON.stringify(texts)
    if (this.#recentlyNamed?.key === key) return this.#recentlyNamed.named
    const named = new Uint8Array(this.#store.slotCount)
    for (const text of texts) for (const slot of this.#preparedMatcher().find(text, { isInName: true }).slots) named[slot] = 1
    this.#recentlyNamed = { key, named }
    return named
  }

  #familyOf(slot: number): Family[] {
    const { families, isLive, availableQuantity, minimumOrderQuantity, idAt } = this.#store
    const members = families.membersOf(slot, isLive.array)
    if (members.length === 0) return []
    const isInStock = (one: number) => (availableQuantity.array[one] ?? 0) >= (minimumOrderQuantity.array[one] ?? 0)
    return [
      {
        of: idAt(slot),
        members: members.map((member) => ({ _id: idAt(member.slot), label: member.label, in_stock: isInStock(member.slot) })),
      },
    ]
  }

  /** What the products have, as words of questions; kept until there are values or definitions that it lacks. */
  vocabulary(): Vocabulary {
    const distinctValues = this.#store.countDistinctValues()
    const categories = allCategories()
    if (this.#vocabulary?.distinctValues !== distinctValues || this.#vocabulary.categories !== categories)
      this.#vocabulary = { distinctValues, categories, vocabulary: buildVocabulary(knownValues(this.#store)) }
    return this.#vocabulary.vocabulary
  }

  /** Whether a product has this word. */
  hasTerm(term: string): boolean {
    return this.#preparedMatcher().hasTerm(term)
  }

  /** Whether this is the part number of a product, in any spelling. */
  hasPartNumber(text: string): boolean {
    return this.#preparedMatcher().hasPartNumber(text)
  }

  /** The categories that have products, those with the most first. */
  categoryCounts(): { key: string; count: number }[] {
    const { category, liveCountByCategory } = this.#store
    return category.values
      .flatMap((value, id) => {
        const count = liveCountByCategory[id] ?? 0
        return value?.[0] !== undefined && count > 0 ? [{ key: value[0], count }] : []
      })
      .sort((one, other) => other.count - one.count)
  }

  #preparedMatcher(): Matcher {
    const indexes = this.#deltaIndexes ? [this.#mainIndexes, this.#deltaIndexes] : [this.#mainIndexes]
    return this.#matcher.setIndexes(indexes, this.#store.isLive.array)
  }
}

/** What products have, for the vocabulary of questions. */
const knownValues = (store: ColumnStore): KnownValues => ({
  brands: store.brand.values.flatMap((value) => value?.[0] ?? []),
  choices: (category, key) => store.columnsOf(category)?.attributes.get(key)?.stringColumn?.commonSpellings() ?? [],
  hasNumbers: (category, key) => (store.columnsOf(category)?.attributes.get(key)?.numberColumn?.values.length ?? 0) > 1,
  areWhole: (category, key) => {
    const stated =
      store
        .columnsOf(category)
        ?.attributes.get(key)
        ?.numberColumn?.values.filter((one) => one !== undefined) ?? []
    return stated.length > 0 && stated.filter((one) => !Number.isInteger(one)).length <= Math.min(1, stated.length / 10)
  },
})

const searchTextOf = ({ key, label, words }: Category): string => [key, label, ...words].join(' ')

const createIndexBuilders = () => ({ text: new InvertedIndexBuilder(), partNumbers: new InvertedIndexBuilder() })
type IndexBuilders = ReturnType<typeof createIndexBuilders>

function indexProduct({ text, partNumbers }: IndexBuilders, slot: number, product: IndexedProduct): void {
  addTexts(text, product)
  text.finish(slot)
  addPartNumbers(partNumbers, product)
  partNumbers.finish(slot)
}

const buildIndexes = async (
  { text, partNumbers }: IndexBuilders,
  yieldToEventLoop: () => Promise<void> | undefined,
): Promise<InvertedIndexes> => ({
  text: await text.build(yieldToEventLoop),
  partNumbers: await partNumbers.build(yieldToEventLoop),
})

/** The part number tokens of a product: mpn and SKU, each normalized to one token, and the tokens of the SKU. */
function addPartNumbers(index: InvertedIndexBuilder, { mpn, sku }: IndexedProduct): void {
  index.addText(sku, fieldRanks.partNumber)
  for (const number of [mpn ?? '', sku]) if (normalizePartNumber(number)) index.addToken(normalizePartNumber(number), fieldRanks.partNumber)
}

/** All other texts of a product, each with the rank of its field. */
function addTexts(index: InvertedIndexBuilder, product: IndexedProduct): void {
  index.addText(product.description, fieldRanks.description)
  const category = categoryOf(product.category)
  index.addText(category ? searchTextOf(category) : (product.category ?? ''), fieldRanks.attributes)
  for (const [key, value] of Object.entries(product.specs)) {
    const unit = category?.attributes.find((attribute) => attribute.key === key)?.unit
    if (isDocumentValue(value)) continue
    for (const item of [value].flat())
      if (typeof item === 'string') index.addText(item, fieldRanks.attributes)
      else if (typeof item === 'number' && unit) for (const text of sizeSynonyms(item, unit)) index.addText(text, fieldRanks.attributes)
  }
  index.addText(product.name, fieldRanks.name)
  if (product.brand) index.addText(product.brand, fieldRanks.name)
  if (product.mpn) index.addText(product.mpn, fieldRanks.partNumber)
}

/** Search spellings of a number with a unit: 1000 GB yields "1000GB" and "1TB". */
function* sizeSynonyms(number: number, unit: string): Generator<string> {
  if (/^\p{L}+$/u.test(unit)) yield `${number}${unit}`
  if (unit === 'GB' && number >= 1000 && number % 500 === 0) yield `${number / 1000}TB`
}
