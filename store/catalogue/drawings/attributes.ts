import { type Tone, tones } from './palette.ts'

/** `specs` of a product as drawings read them: a value of another type than expected, or that no part can have, is not known. */
export class Attributes {
  readonly #specs: Record<string, unknown>
  readonly #sizes: Record<string, readonly [least: number, most: number]>

  /** @param sizes by key, the least and the most that a part of this kind can have (`plausible-sizes.ts`) */
  constructor(specs: Record<string, unknown>, sizes: Record<string, readonly [number, number]> = {}) {
    this.#specs = specs
    this.#sizes = sizes
  }

  number(key: string): number | undefined {
    const value = this.#specs[key]
    const [least, most] = this.#sizes[key] ?? [0, Number.MAX_VALUE]
    return typeof value === 'number' && value >= least && value <= most ? value : undefined
  }

  /** A number of pieces that are drawn one by one. */
  count(key: string, most: number): number | undefined {
    const value = this.number(key)
    return value === undefined ? undefined : Math.min(Math.round(value), most)
  }

  text(key: string): string {
    const value = this.#specs[key]
    return typeof value === 'string' ? value.trim() : ''
  }

  /** What a table says of the text of an attribute, which may be any text. */
  lookUp<T>(table: Record<string, T>, key: string): T | undefined {
    const text = this.text(key)
    return Object.hasOwn(table, text) ? table[text] : undefined
  }

  is(key: string): boolean {
    return this.#specs[key] === true
  }

  /** Whether it is said that the part has this, or that it has not. */
  isKnown(key: string): boolean {
    return this.#specs[key] !== undefined && this.#specs[key] !== null
  }

  texts(key: string): string[] {
    return [this.#specs[key]].flat().filter((one) => typeof one === 'string')
  }

  /** What is counted by name, `{ "hdmi_2_1": 1 }`, as one name per piece; at most `most`. */
  counted(key: string, most: number): string[] {
    const value = this.#specs[key]
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
    return Object.entries(value)
      .flatMap(([name, count]) =>
        typeof count === 'number' && count > 0 ? Array<string>(Math.min(Math.round(count), most)).fill(name) : [],
      )
      .slice(0, most)
  }

  objects(key: string): Record<string, unknown>[] {
    return [this.#specs[key]].flat().filter((one) => typeof one === 'object' && one !== null) as Record<string, unknown>[]
  }

  /** The colours that the part is said to have, the main one first. */
  get colours(): Tone[] {
    return this.texts('color').flatMap((text) => toneOf(text) ?? [])
  }

  /** Whether it shines in many colours, or in one. */
  light(key: string): 'rainbow' | Tone | undefined {
    const text = this.texts(key).join(' ')
    if (/rgb|multi/i.test(text)) return 'rainbow'
    return toneOf(text)
  }
}

const toneOf = (text: string): Tone | undefined => tones.find((tone) => new RegExp(`\\b${tone}\\b`, 'i').test(text))
