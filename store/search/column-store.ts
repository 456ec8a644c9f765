import { amountToCents } from '#shared/money.ts'
import { type AttributeDefinition, categoryOf } from '#store/catalogue/categories.ts'
import { loweredUntilMs } from '#store/catalogue/lowered-price.ts'
import { attributeNumber, facetValues } from '#store/catalogue/product-attributes.ts'
import { releasedYear } from '#store/catalogue/released-year.ts'
import { ChoiceColumn } from './choice-column.ts'
import { DictionaryColumn, type NumberColumn } from './dictionary-column.ts'
import { FamilyIndex } from './family-index.ts'
import { GrowableArray } from './growable-array.ts'
import type { IndexedProduct } from './parsed-query.ts'
import { serializeProduct } from './serialize.ts'
import { normalizeText } from './tokens.ts'
import { compareStrings, sortIndices } from './yield-to-event-loop.ts'

export type AttributeColumn =
  | { attribute: AttributeDefinition; numberColumn: NumberColumn; stringColumn?: never }
  | { attribute: AttributeDefinition; stringColumn: ChoiceColumn; numberColumn?: never }

/** By id of a product, how many have bought it lately. */
export type BuyersByProduct = ReadonlyMap<string, number>

/** The attribute columns of one category, with one row for each of its products. */
type CategoryColumns = { slots: GrowableArray<Uint32Array>; attributes: Map<string, AttributeColumn> }

/**
 * Column store of all products. Each product has a slot, which is its row id. A change of the terms on which it is sold (`serializeProduct`)
 * updates the slot in place. Any other change marks the slot as deleted and appends a new one.
 */
export class ColumnStore {
  readonly #slotById = new Map<string, number>()
  readonly #idBySlot: string[] = []
  /** output of `serializeProduct` */
  readonly #contentBySlot: string[] = []
  readonly #termsBySlot: string[] = []
  readonly #normalizedNames: string[] = []
  /** slots sorted by name */
  #slotsByName: number[] = []
  /** sort rank of the name; a new name gets a rank between those of its neighbours */
  readonly nameRank = new GrowableArray((length) => new Float64Array(length))
  readonly nameLength = new GrowableArray((length) => new Uint8Array(length))
  readonly isLive = new GrowableArray((length) => new Uint8Array(length))
  readonly position = new GrowableArray((length) => new Int32Array(length))
  readonly minimumOrderQuantity = new GrowableArray((length) => new Int32Array(length))
  /** 0 if it is not known */
  readonly releasedYear = new GrowableArray((length) => new Int32Array(length))
  /** how many have bought it lately */
  readonly buyerCount = new GrowableArray((length) => new Uint32Array(length))
  #buyers: BuyersByProduct = new Map()
  readonly orderMultiple = new GrowableArray((length) => new Int32Array(length))
  readonly availableQuantity = new GrowableArray((length) => new Int32Array(length))
  readonly priceCents: NumberColumn = new DictionaryColumn()
  /** until when the price is shown as lowered, in milliseconds since 1970; unknown for one that is not lowered */
  readonly loweredUntil: NumberColumn = new DictionaryColumn()
  readonly brand = new ChoiceColumn()
  readonly category = new ChoiceColumn()
  /** by category id */
  readonly categoryColumns: (CategoryColumns | undefined)[] = []
  /** row of the slot in the columns of its category */
  readonly rowInCategory = new GrowableArray((length) => new Uint32Array(length))
  readonly families = new FamilyIndex()
  liveCount = 0
  /** by category id: number of products that are not deleted */
  readonly liveCountByCategory: number[] = []
  #liveSlots: Uint32Array | undefined
  #distinctValueCount: number | undefined

  /** Number of slots, including deleted ones. */
  get slotCount(): number {
    return this.isLive.length
  }

  idAt = (slot: number): string => this.#idBySlot[slot] ?? ''

  /** A reduction ends by time alone, without a change of the product. */
  jsonAt = (slot: number): string => {
    const json = (this.#contentBySlot[slot] ?? '') + (this.#termsBySlot[slot] ?? '')
    const until = this.loweredUntil.values[this.loweredUntil.ids[slot] ?? 0]
    return until === undefined || until > Date.now() || json === '' ? json : JSON.stringify({ ...JSON.parse(json), lowered: null })
  }

  /** The slots of all products that are not deleted; the caller may change the array. */
  liveSlots(): Uint32Array {
    if (!this.#liveSlots) {
      this.#liveSlots = new Uint32Array(this.liveCount)
      let count = 0
      for (let slot = 0; slot < this.slotCount; slot++) if (this.isLive.array[slot] === 1) this.#liveSlots[count++] = slot
    }
    return this.#liveSlots.slice()
  }

  /** @returns the new slot, or undefined if the product was updated in place */
  put(product: IndexedProduct): number | undefined {
    const { content, terms } = serializeProduct(product)
    const priceCents = amountToCents(product.price)
    const loweredUntil = loweredUntilMs(product.lowered)
    const oldSlot = this.#slotById.get(product._id)
    if (oldSlot !== undefined && this.#contentBySlot[oldSlot] === content) {
      this.priceCents.set(oldSlot, priceCents, priceCents)
      this.loweredUntil.set(oldSlot, loweredUntil, loweredUntil)
      this.#setDerivedNumbers(product, oldSlot)
      this.minimumOrderQuantity.array[oldSlot] = product.minimum_order_quantity
      this.availableQuantity.array[oldSlot] = product.available_quantity
      this.#termsBySlot[oldSlot] = terms
      return undefined
    }
    this.remove(product._id)
    this.#distinctValueCount = undefined
    const slot = this.slotCount
    this.#slotById.set(product._id, slot)
    this.#idBySlot.push(product._id)
    this.#contentBySlot.push(content)
    this.#termsBySlot.push(terms)
    this.isLive.push(1)
    this.liveCount++
    this.#liveSlots = undefined
    this.position.push(product.position)
    this.minimumOrderQuantity.push(product.minimum_order_quantity)
    this.orderMultiple.push(product.order_multiple)
    this.releasedYear.push(releasedYear(product))
    this.buyerCount.push(this.#buyers.get(product._id) ?? 0)
    this.availableQuantity.push(product.available_quantity)
    this.priceCents.push(priceCents, priceCents)
    this.loweredUntil.push(loweredUntil, loweredUntil)
    this.brand.push(product.brand ?? undefined, product.brand === null ? undefined : [product.brand])
    this.#addToCategory(product, slot)
    this.families.add(slot, product)
    const name = normalizeText(product.name)
    this.#normalizedNames.push(name)
    this.nameLength.push(Math.min(name.length, 255))
    this.nameRank.push(0)
    return slot
  }

  setBuyers(buyers: BuyersByProduct): void {
    this.#buyers = buyers
    this.buyerCount.array.fill(0)
    for (const [id, count] of buyers) {
      const slot = this.#slotById.get(id)
      if (slot !== undefined) this.buyerCount.array[slot] = count
    }
  }

  /** @returns whether the store contained it */
  remove(id: string): boolean {
    const slot = this.#slotById.get(id)
    if (slot === undefined) return false
    this.#slotById.delete(id)
    this.isLive.array[slot] = 0
    this.families.remove()
    this.#contentBySlot[slot] = ''
    this.#termsBySlot[slot] = ''
    this.liveCount--
    this.#liveSlots = undefined
    const category = this.category.ids[slot] ?? 0
    this.liveCountByCategory[category] = (this.liveCountByCategory[category] ?? 1) - 1
    return true
  }

  has(id: string): boolean {
    return this.#slotById.has(id)
  }

  /** The columns of a category, undefined if no product has ever been in it. */
  columnsOf(category: string): CategoryColumns | undefined {
    return this.categoryColumns[this.category.values.findIndex((value) => value?.[0] === category)]
  }

  /** How many distinct values the columns have, without those that follow from prices: another number when there are new ones. */
  countDistinctValues(): number {
    if (this.#distinctValueCount !== undefined) return this.#distinctValueCount
    let count = this.brand.values.length + this.category.values.length
    for (const columns of this.categoryColumns)
      for (const { attribute, numberColumn, stringColumn } of columns?.attributes.values() ?? [])
        if (!attribute.derived) count += (numberColumn ?? stringColumn).values.length
    this.#distinctValueCount = count
    return count
  }

  #addToCategory(product: IndexedProduct, slot: number): void {
    const defined = categoryOf(product.category)
    const key = defined?.key ?? product.category ?? undefined
    this.category.push(key, key === undefined ? undefined : [key])
    const id = this.category.ids[this.category.length - 1] ?? 0
    this.categoryColumns[id] ??= {
      slots: new GrowableArray((length) => new Uint32Array(length), 64),
      attributes: new Map((defined?.attributes ?? []).flatMap(createAttributeColumn)),
    }
    const { slots, attributes } = this.categoryColumns[id]
    this.liveCountByCategory[id] = (this.liveCountByCategory[id] ?? 0) + 1
    this.rowInCategory.push(slots.length)
    slots.push(slot)
    for (const [name, { numberColumn, stringColumn, attribute }] of attributes) {
      if (numberColumn) {
        const number = attributeNumber(attribute, product)
        numberColumn.push(number, number)
      } else {
        const list = [...new Set(facetValues(attribute, product.specs[name]))]
        stringColumn.push(list.length > 0 ? list.join('\n') : undefined, list)
      }
    }
  }

  /** The numbers that follow from the price, after it has changed. */
  #setDerivedNumbers(product: IndexedProduct, slot: number): void {
    const row = this.rowInCategory.array[slot] ?? 0
    for (const { attribute, numberColumn } of this.categoryColumns[this.category.ids[slot] ?? 0]?.attributes.values() ?? []) {
      const number = attribute.derived && attributeNumber(attribute, product)
      if (number !== undefined) numberColumn?.set(row, number, number)
    }
  }

  /** Sorts all names. Called once, after the initial load. */
  async sortNames(yieldToEventLoop: () => Promise<void> | undefined): Promise<void> {
    this.#slotsByName = await sortIndices(this.#normalizedNames, yieldToEventLoop)
    this.#numberNames()
  }

  /** Inserts the name of a new slot into the sorted order. */
  insertInNameOrder(slot: number): void {
    const name = this.#normalizedNames[slot] ?? ''
    let [low, high] = [0, this.#slotsByName.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareStrings(this.#normalizedNames[this.#slotsByName[middle] ?? 0] ?? '', name) <= 0) low = middle + 1
      else high = middle
    }
    const rankAt = (place: number) => this.nameRank.array[this.#slotsByName[place] ?? 0] ?? 0
    const { length } = this.#slotsByName
    const [before, after] = [low === 0 ? rankAt(0) - 2 : rankAt(low - 1), low === length ? rankAt(length - 1) + 2 : rankAt(low)]
    const rank = (before + after) / 2
    this.nameRank.array[slot] = rank
    this.#slotsByName.splice(low, 0, slot)
    // After some fifty names at one place there is no number between the neighbours any more.
    if (rank <= before || rank >= after) this.#numberNames()
  }

  #numberNames(): void {
    for (const [place, slot] of this.#slotsByName.entries()) this.nameRank.array[slot] = place
  }
}

function createAttributeColumn(attribute: AttributeDefinition): [string, AttributeColumn][] {
  if (attribute.kind === 'text') return []
  return [
    [
      attribute.key,
      attribute.kind === 'number' ? { attribute, numberColumn: new DictionaryColumn() } : { attribute, stringColumn: new ChoiceColumn() },
    ],
  ]
}
