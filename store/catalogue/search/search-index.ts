import { categories, categoryOf } from '../categories.ts'
import type { Answered, Asked, Listed } from './asked.ts'
import { foldPartNumber, wordsKept } from './fold.ts'
import { givingWay } from './give-way.ts'
import { fields, LexiconBuilder, type Lexicons } from './lexicon.ts'
import { Matcher } from './matching.ts'
import { Shelf } from './shelf.ts'
import { sift } from './sift.ts'
import { windowOf } from './window.ts'

/** So many changed products have their words in a small lexicon beside the large one; with more it is time to build anew. */
const mostBeside = 3000

/** Builds the index of these products, giving way to others all the time. */
export async function buildIndex(tools: Iterable<Listed> | AsyncIterable<Listed>): Promise<SearchIndex> {
  const giveWay = givingWay()
  const shelf = new Shelf()
  const builders = newBuilders()
  for await (const tool of tools) {
    const slot = shelf.put(tool)
    if (slot !== undefined) addTo(builders, slot, tool)
    await giveWay()
  }
  await shelf.sortNames(giveWay)
  return new SearchIndex(shelf, await finish(builders, giveWay))
}

/**
 * All products for sale, ready to be searched: words in a lexicon, what is filtered by in columns. It answers from memory alone, and at
 * once: nothing here waits. docs/decisions/0011 says why it exists.
 */
export class SearchIndex {
  readonly #shelf: Shelf
  readonly #large: Lexicons
  /** of what has changed since the large ones were built */
  #small: Lexicons | undefined
  readonly #beside = new Map<number, Listed>()
  readonly #matcher = new Matcher()
  #keys = new Float64Array()

  constructor(shelf: Shelf, lexicons: Lexicons) {
    this.#shelf = shelf
    this.#large = lexicons
  }

  /** How many products can be found. */
  get size(): number {
    return this.#shelf.onShelf
  }

  has(id: string): boolean {
    return this.#shelf.has(id)
  }

  /** Whether so much has changed that an index built anew would be better. */
  get isWorn(): boolean {
    return this.#beside.size > mostBeside
  }

  /**
   * Takes in products that are new or have changed.
   * @returns the ids of those of which more than price, minimum and stock is new
   */
  async put(tools: Listed[]): Promise<string[]> {
    const moved: string[] = []
    for (const tool of tools) {
      const slot = this.#shelf.put(tool)
      if (slot === undefined) continue
      this.#shelf.sortName(slot)
      this.#beside.set(slot, tool)
      moved.push(tool._id)
    }
    if (moved.length > 0) {
      const giveWay = givingWay()
      const builders = newBuilders()
      for (const [slot, tool] of this.#beside) {
        if (this.#shelf.alive.numbers[slot] === 1) addTo(builders, slot, tool)
        else this.#beside.delete(slot)
        await giveWay()
      }
      this.#small = await finish(builders, giveWay)
    }
    return moved
  }

  /** @returns whether it was there */
  drop(id: string): boolean {
    return this.#shelf.drop(id)
  }

  ask(asked: Asked): Answered {
    const shelf = this.#shelf
    // Only a facet asks for what other categories would show: without any, what lies in the category is all there is.
    const onlyOne = asked.q.trim() === '' && !asked.facets
    const found = onlyOne ? shelf.occupied(asked.category) : asked.q.trim() === '' ? shelf.occupied() : this.#matching(asked.q)
    const { fitting, facets } = sift(shelf, found, onlyOne ? { ...asked, category: undefined } : asked)
    const shown = windowOf(fitting, this.#order(fitting, asked), asked.offset, asked.limit)
    return { total: fitting.length, ids: shown.map(shelf.idAt), cards: shown.map(shelf.cardAt), facets }
  }

  #matching(q: string): Uint32Array {
    return this.#matcher.over(this.#small ? [this.#large, this.#small] : [this.#large], this.#shelf.alive.numbers).find(q)
  }

  /** A number for each of these slots: the lower, the further in front. What is not known is at the end, whichever way round. */
  #order(slots: Uint32Array, { sort = '', q }: Asked): Float64Array {
    if (this.#keys.length < this.#shelf.slots) this.#keys = new Float64Array(this.#shelf.alive.numbers.length)
    const keys = this.#keys
    const { price, minimum, available, nameRank, nameLength, position, row } = this.#shelf
    const [, turned, by = ''] = sort.match(/^(-?)(.*)$/) ?? []
    const sign = turned === '-' ? -1 : 1
    const each = (key: (slot: number) => number) => {
      for (let at = 0; at < slots.length; at++) {
        const slot = slots[at] ?? 0
        keys[slot] = key(slot)
      }
      return keys
    }
    if (by === 'price') return each((slot) => sign * (price.values[price.ids[slot] ?? 0] ?? 0))
    if (by === 'minimum') return each((slot) => sign * (minimum.numbers[slot] ?? 0))
    if (by === 'available') return each((slot) => sign * (available.numbers[slot] ?? 0))
    if (by === 'name') return each((slot) => sign * (nameRank.numbers[slot] ?? 0))
    if (by === 'newest') return each((slot) => -(position.numbers[slot] ?? 0))
    if (by.startsWith('spec.')) {
      const ofCategory = this.#shelf.wards.map((ward) => ward?.attributes.get(by.slice(5))?.numbers)
      return each((slot) => {
        const column = ofCategory[this.#shelf.category.ids[slot] ?? 0]
        const value = column?.values[column.ids[row.numbers[slot] ?? 0] ?? 0]
        return value === undefined ? Number.POSITIVE_INFINITY : sign * value
      })
    }
    if (q.trim() === '') return each((slot) => position.numbers[slot] ?? 0)
    const { scores } = this.#matcher
    return each((slot) => (nameLength.numbers[slot] ?? 0) / 1024 - Math.round((scores[slot] ?? 0) * 100))
  }
}

const categoryWords = new Map(categories.map(({ key, label, words }) => [key, [key, label, ...words].join(' ')]))

/** What is said of many products is taken apart once. */
const newBuilders = () => ({ words: new LexiconBuilder(), numbers: new LexiconBuilder(), known: new Map<string, string[]>() })
type Builders = ReturnType<typeof newBuilders>

function addTo({ words, numbers, known }: Builders, slot: number, tool: Listed): void {
  words.add(slot, (keep) => tellWords(tool, known, keep))
  numbers.add(slot, (keep) => tellNumbers(tool, keep))
}

const finish = async ({ words, numbers }: Builders, giveWay: () => Promise<void> | undefined): Promise<Lexicons> => ({
  words: await words.finish(giveWay),
  numbers: await numbers.finish(giveWay),
})

/** Every part number of a product as one word, and what stands between the dashes of its sku. */
function tellNumbers({ mpn, sku }: Listed, keep: (word: string, field: number) => void): void {
  wordsKept(sku, (word) => keep(word, fields.partNumber))
  for (const number of [mpn ?? '', sku]) if (foldPartNumber(number)) keep(foldPartNumber(number), fields.partNumber)
}

/** Every other word under which a product is found, with the field where it stands. */
function tellWords(tool: Listed, known: Map<string, string[]>, keep: (word: string, field: number) => void): void {
  const tellAgain = (text: string, field: number) => {
    let words = known.get(text)
    if (!words) {
      words = []
      wordsKept(text, (word) => words?.push(word))
      known.set(text, words)
    }
    for (const word of words) keep(word, field)
  }
  const tell = (text: string, field: number) => wordsKept(text, (word) => keep(word, field))
  tell(tool.description, fields.description)
  const category = categoryOf(tool.category)
  tellAgain((category && categoryWords.get(category.key)) ?? tool.category ?? '', fields.facts)
  for (const [key, said] of Object.entries(tool.specs)) {
    const unit = category?.attributes.find((attribute) => attribute.key === key)?.unit
    for (const one of [said].flat())
      if (typeof one === 'string') tellAgain(one, fields.facts)
      else if (typeof one === 'number' && unit) for (const text of sizes(one, unit)) tellAgain(text, fields.facts)
  }
  tell(tool.name, fields.name)
  if (tool.brand) tellAgain(tool.brand, fields.name)
  if (tool.mpn) tell(tool.mpn, fields.partNumber)
}

/** A size as people say it: 1000 GB is 1 TB too. */
function* sizes(number: number, unit: string): Generator<string> {
  if (/^\p{L}+$/u.test(unit)) yield `${number}${unit}`
  if (unit === 'GB' && number >= 1000 && number % 500 === 0) yield `${number / 1000}TB`
}
