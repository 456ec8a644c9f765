import { hash } from 'node:crypto'
import { distinctMembers, familyOf, maxFamilyMembers, memberLabel } from '#store/catalogue/families.ts'
import { GrowableArray } from './growable-array.ts'
import type { IndexedProduct } from './parsed-query.ts'
import { isBefore, type SortKeys } from './sorted-slice.ts'

/** Stands for every product that has no family. */
const noFamily = 0

/** Which products are of one family, by slot, with what tells each from the others. */
export class FamilyIndex {
  readonly #familyBySlot = new GrowableArray((length) => new Int32Array(length))
  readonly #familyByHash = new Map<number, number>()
  /** by family; most have one member */
  readonly #firstSlot = new GrowableArray((length) => new Int32Array(length))
  /** of families with more than one member that was ever there, deleted ones too */
  readonly #slots = new Map<number, number[]>()
  readonly #labelBySlot: string[] = []
  /** one string for each label, of which many products have the same */
  readonly #labels = new Map<string, string>()
  /** by family, for `collapse`: the place of its best product in the result, or -1 */
  #places = new Int32Array()
  /** by slot: whether its label tells it from the others of its family; reckoned again after a change */
  #isMember = new Uint8Array()
  #hasChanged = true

  constructor() {
    this.#firstSlot.push(-1) // of `noFamily`
  }

  /** Adds the product in the next slot. */
  add(slot: number, product: IndexedProduct): void {
    this.#hasChanged = true
    const found = familyOf(product)
    if (!found) {
      this.#familyBySlot.push(noFamily)
      this.#labelBySlot.push('')
      return
    }
    const key = hash('sha1', found.key, 'buffer').readUIntBE(0, 6)
    let family = this.#familyByHash.get(key)
    if (family === undefined) {
      family = this.#firstSlot.length
      this.#familyByHash.set(key, family)
      this.#firstSlot.push(slot)
    } else {
      const slots = this.#slots.get(family) ?? [this.#firstSlot.array[family] ?? slot]
      slots.push(slot)
      this.#slots.set(family, slots)
    }
    this.#familyBySlot.push(family)
    this.#labelBySlot.push(this.#intern(memberLabel(product)))
  }

  #intern(label: string): string {
    const known = this.#labels.get(label)
    if (known === undefined) this.#labels.set(label, label)
    return known ?? label
  }

  /** A product is no longer for sale. */
  remove(): void {
    this.#hasChanged = true
  }

  /**
   * One of each family: the one with the lowest key.
   * @param slots are not changed
   */
  collapse(slots: Uint32Array, sortKeys: SortKeys, isLive: Uint8Array): Uint32Array {
    if (this.#hasChanged) this.#findMembers(isLive)
    if (this.#places.length < this.#firstSlot.length) this.#places = new Int32Array(this.#firstSlot.array.length)
    this.#places.fill(-1)
    const best = new Uint32Array(slots.length)
    let count = 0
    for (const slot of slots) {
      const family = this.#isMember[slot] === 1 ? (this.#familyBySlot.array[slot] ?? noFamily) : noFamily
      const place = family === noFamily ? -1 : (this.#places[family] ?? -1)
      if (place < 0) {
        if (family !== noFamily) this.#places[family] = count
        best[count++] = slot
      } else if (isBefore(sortKeys, slot, best[place] ?? slot)) best[place] = slot
    }
    return best.subarray(0, count)
  }

  /** The slots of the family of a product, its own among them; empty where it is the only one that is left. */
  membersOf(slot: number, isLive: Uint8Array): { slot: number; label: string }[] {
    const members = this.#distinctMembers(this.#familyBySlot.array[slot] ?? noFamily, isLive)
    const own = members.find((member) => member.slot === slot)
    return own ? [own, ...members.filter((member) => member !== own)].slice(0, maxFamilyMembers) : []
  }

  #distinctMembers(family: number, isLive: Uint8Array): { slot: number; label: string }[] {
    const live = this.#slots.get(family)?.filter((slot) => isLive[slot] === 1) ?? []
    return distinctMembers(live.map((slot) => ({ slot, label: this.#labelBySlot[slot] ?? '' })))
  }

  #findMembers(isLive: Uint8Array): void {
    this.#isMember = new Uint8Array(isLive.length)
    for (const family of this.#slots.keys()) for (const { slot } of this.#distinctMembers(family, isLive)) this.#isMember[slot] = 1
    this.#hasChanged = false
  }
}
