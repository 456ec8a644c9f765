import { hash } from 'node:crypto'
import { type Attribute, categoryOf } from '../categories.ts'
import { choicesOf, isKnown } from '../details.ts'
import type { Listed } from './asked.ts'
import { writtenCard } from './cards.ts'
import { Column, type NumberColumn, type WordsColumn } from './column.ts'
import { fold } from './fold.ts'
import { compareTexts, sortedPlaces } from './give-way.ts'
import { Growing } from './growing.ts'

export type AttributeColumn =
  | { attribute: Attribute; numbers: NumberColumn; words?: never }
  | { attribute: Attribute; words: WordsColumn; numbers?: never }

/** The parts of one category: each has a row of its own in the columns of its attributes. */
export type Ward = { slots: Growing<Uint32Array>; attributes: Map<string, AttributeColumn> }

/**
 * What is known of every product, in columns. Each product has a slot. One whose words change leaves its slot and gets a new one at the
 * end; price, minimum and stock change where they are.
 */
export class Shelf {
  readonly #slotOf = new Map<string, number>()
  readonly #idOf: string[] = []
  /** as `writtenCard` has them */
  readonly #cards: string[] = []
  readonly #textOf = new Growing((length) => new Float64Array(length))
  readonly #names: string[] = []
  /** slots in the order of their names */
  #byName: number[] = []
  /** grows with the name: a new one gets a number between those of its neighbours */
  readonly nameRank = new Growing((length) => new Float64Array(length))
  readonly nameLength = new Growing((length) => new Uint8Array(length))
  readonly alive = new Growing((length) => new Uint8Array(length))
  readonly position = new Growing((length) => new Int32Array(length))
  readonly minimum = new Growing((length) => new Int32Array(length))
  readonly available = new Growing((length) => new Int32Array(length))
  readonly price: NumberColumn = new Column()
  readonly brand: WordsColumn = new Column()
  readonly category: WordsColumn = new Column()
  /** by the id of the category */
  readonly wards: (Ward | undefined)[] = []
  /** the row of a slot in the columns of its category */
  readonly row = new Growing((length) => new Uint32Array(length))
  onShelf = 0

  /** How many slots there are, the empty ones too. */
  get slots(): number {
    return this.alive.length
  }

  idAt = (slot: number): string => this.#idOf[slot] ?? ''
  cardAt = (slot: number): string => this.#cards[slot] ?? ''

  /** The slots of what is on the shelf: of everything, or of one category. */
  occupied(category?: string): Uint32Array {
    const ward =
      category === undefined ? undefined : (this.wards[this.category.values.findIndex((value) => value?.[0] === category)] ?? emptyWard)
    const taken = new Uint32Array(ward ? ward.slots.length : this.onShelf)
    let count = 0
    for (let at = 0, many = ward ? ward.slots.length : this.slots; at < many; at++) {
      const slot = ward ? (ward.slots.numbers[at] ?? 0) : at
      if (this.alive.numbers[slot] === 1) taken[count++] = slot
    }
    return taken.subarray(0, count)
  }

  /** @returns its new slot, or undefined when its words are as they were and it stays where it is */
  put(tool: Listed): number | undefined {
    const text = digest(tool)
    const before = this.#slotOf.get(tool._id)
    if (before !== undefined && this.#textOf.numbers[before] === text) {
      this.price.set(before, tool.price, tool.price)
      this.minimum.numbers[before] = tool.minimum_order_quantity
      this.available.numbers[before] = tool.available_quantity
      this.#cards[before] = writtenCard(tool)
      return undefined
    }
    this.drop(tool._id)
    const slot = this.slots
    this.#slotOf.set(tool._id, slot)
    this.#idOf.push(tool._id)
    this.#cards.push(writtenCard(tool))
    this.#textOf.push(text)
    this.alive.push(1)
    this.onShelf++
    this.position.push(tool.position)
    this.minimum.push(tool.minimum_order_quantity)
    this.available.push(tool.available_quantity)
    this.price.push(tool.price, tool.price)
    this.brand.push(tool.brand ?? undefined, tool.brand === null ? undefined : [tool.brand])
    this.#putInWard(tool, slot)
    const name = fold(tool.name)
    this.#names.push(name)
    this.nameLength.push(Math.min(name.length, 255))
    this.nameRank.push(0)
    return slot
  }

  /** @returns whether it was there */
  drop(id: string): boolean {
    const slot = this.#slotOf.get(id)
    if (slot === undefined) return false
    this.#slotOf.delete(id)
    this.alive.numbers[slot] = 0
    this.#cards[slot] = ''
    this.onShelf--
    return true
  }

  has(id: string): boolean {
    return this.#slotOf.has(id)
  }

  #putInWard(tool: Listed, slot: number): void {
    const defined = categoryOf(tool.category)
    const key = defined?.key ?? tool.category ?? undefined
    this.category.push(key, key === undefined ? undefined : [key])
    const id = this.category.ids[this.category.length - 1] ?? 0
    this.wards[id] ??= {
      slots: new Growing((length) => new Uint32Array(length), 64),
      attributes: new Map((defined?.attributes ?? []).flatMap(columnOf)),
    }
    const { slots, attributes } = this.wards[id]
    this.row.push(slots.length)
    slots.push(slot)
    for (const [name, { numbers, words, attribute }] of attributes) {
      const said = tool.specs[name]
      if (numbers) {
        const number = typeof said === 'number' && isKnown(said, attribute.unit) ? said : undefined
        numbers.push(number, number)
      } else {
        const list = [...new Set(choicesOf(name, said))]
        words.push(list.length > 0 ? list.join('\n') : undefined, list)
      }
    }
  }

  /** Sorts all names: once, after the first products were put here. */
  async sortNames(giveWay: () => Promise<void> | undefined): Promise<void> {
    this.#byName = await sortedPlaces(this.#names, giveWay)
    for (const [place, slot] of this.#byName.entries()) this.nameRank.numbers[slot] = place
  }

  /** Finds the place of one more name among the sorted ones. */
  sortName(slot: number): void {
    const name = this.#names[slot] ?? ''
    let [low, high] = [0, this.#byName.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareTexts(this.#names[this.#byName[middle] ?? 0] ?? '', name) <= 0) low = middle + 1
      else high = middle
    }
    const rankAt = (place: number) => this.nameRank.numbers[this.#byName[place] ?? 0] ?? 0
    const { length } = this.#byName
    this.nameRank.numbers[slot] =
      length === 0 ? 0 : low === 0 ? rankAt(0) - 1 : low === length ? rankAt(length - 1) + 1 : (rankAt(low - 1) + rankAt(low)) / 2
    this.#byName.splice(low, 0, slot)
  }
}

const emptyWard: Ward = { slots: new Growing((length) => new Uint32Array(length), 1), attributes: new Map() }

function columnOf(attribute: Attribute): [string, AttributeColumn][] {
  if (attribute.kind === 'text') return []
  return [[attribute.key, attribute.kind === 'number' ? { attribute, numbers: new Column() } : { attribute, words: new Column() }]]
}

/** A number of 48 bits that changes with any word of a product: whoever has the same has the same words. */
const digest = ({ price: _, available_quantity: __, minimum_order_quantity: ___, ...words }: Listed): number =>
  hash('sha1', JSON.stringify(words), 'buffer').readUIntBE(0, 6)
