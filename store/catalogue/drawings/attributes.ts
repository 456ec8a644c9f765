import { countEach, isAllowedChoice } from '../product-attributes.ts'
import { type Tone, tones } from './palette.ts'

/** What a drawing is made from: the attributes of a product, and its name and maker, which stand on its label. */
export type DrawnPart = { category: string | null; specs: Record<string, unknown>; name?: string; brand?: string | null }

/** `specs` of a product as drawings read them: a value of another type than expected, or that no part can have, is not known. */
export class Attributes {
  /** '' if it is not known */
  readonly name: string
  readonly brand: string
  readonly #specs: Record<string, unknown>
  readonly #sizes: Record<string, readonly [least: number, most: number]>
  /** The colours that the part is said to have, the main one first; those at the end of its name, if no attribute tells them. */
  readonly colours: Tone[]

  /**
   * @param sizes by key, the least and the most that a part of this kind can have (`plausible-sizes.ts`)
   * @param coloursOfName those that the end of a name tells of the part, and of nothing else, in this kind
   */
  constructor(
    { specs, name, brand }: Omit<DrawnPart, 'category'>,
    sizes: Record<string, readonly [number, number]> = {},
    coloursOfName: readonly Tone[] = [],
  ) {
    this.#specs = specs
    this.#sizes = sizes
    this.name = readableText(name) ?? ''
    this.brand = readableText(brand) ?? ''
    const said = this.texts('color')
    const named = said.length > 0 || coloursOfName.length === 0 ? [] : tonesOf(colourAtEnd(this.name))
    this.colours = [...new Set([...said.flatMap(tonesOf), ...(named.every((tone) => coloursOfName.includes(tone)) ? named : [])])]
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

  /** At most `maxTextLength` characters, without those that XML forbids. */
  text(key: string): string {
    return readableText(this.#specs[key]) ?? ''
  }

  /** Whether it is said that the part has one, also in words such as `Wi-Fi 7`, or that it has none, such as `None`; undefined if neither is. */
  has(key: string): boolean | undefined {
    const value = this.#specs[key]
    if (typeof value === 'boolean') return value
    const text = this.text(key)
    return isAllowedChoice(text) ? !noneText.test(text) : undefined
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
    return this.#items(key).flatMap((one) => readableText(one) ?? [])
  }

  /**
   * What is counted by name, `{ "hdmi_2_1": 1 }` or "2 x HDMI, 1 x VGA", as one name per piece in its `choiceForm`: `hdmi2 1`; at most `most`.
   * Empty if it is said that there is none; undefined if it is not known.
   */
  counted(key: string, most: number): string[] | undefined {
    const said = this.#said(key)
    if (!said) return undefined
    const names = [...countEach(said)]
      .flatMap(([name, count]) => Array<string>(Math.min(Math.round(count), most)).fill(name))
      .slice(0, most)
    const isNone = said.every((one) => typeof one === 'object' && Object.values(one).every((count) => count === 0))
    return names.length > 0 || isNone ? names : undefined
  }

  /** How many things are listed, each as an object or in a text such as "2 x 2.5 Gb/s"; 0 if it is said that there is none, undefined if it is not known. */
  listed(key: string): number | undefined {
    const times = (one: string | object) =>
      typeof one === 'string' ? [...countEach(one).values()].reduce((sum, count) => sum + count, 0) : 1
    return this.#said(key)?.reduce<number>((sum, one) => sum + times(one), 0)
  }

  /** The texts and objects of an attribute without those that say "none"; undefined if it says nothing. */
  #said(key: string): (string | object)[] | undefined {
    const items = this.#specs[key] === false ? [] : this.#items(key)
    const said = items.flatMap((one): string | object | [] => {
      if (typeof one === 'object' && one !== null) return Object.fromEntries(Object.entries(one).slice(0, maxItems))
      const text = readableText(one) ?? ''
      return isAllowedChoice(text) ? text : []
    })
    if (items.length > 0 && said.length === 0) return undefined
    return said.filter((one) => typeof one === 'object' || !noneText.test(one))
  }

  objects(key: string): Record<string, unknown>[] {
    return this.#items(key).filter((one) => typeof one === 'object' && one !== null) as Record<string, unknown>[]
  }

  #items(key: string): unknown[] {
    const value = this.#specs[key]
    return Array.isArray(value) ? value.slice(0, maxItems) : [value]
  }

  /** The colours in the text of an attribute. */
  tones(key: string): Tone[] {
    return this.texts(key).flatMap(tonesOf)
  }

  /** What the name says of lights: ARGB, blue LED. */
  get lightOfName(): 'rainbow' | Tone | undefined {
    if (/(?:\b|\b[AD]-?)RGB\b/i.test(this.name)) return /\b(no|non|without)[ -][AD]?-?RGB\b/i.test(this.name) ? undefined : 'rainbow'
    return tonesOf(/\b(\w+) LEDs?\b/i.exec(this.name)?.[1] ?? '')[0]
  }

  /** Whether it shines in many colours, or in one: white, if it is not said in which. */
  light(key: string): 'rainbow' | Tone | undefined {
    const text = this.texts(key).join(' ')
    if (/\b(no|non|none|without)\b/i.test(text)) return undefined
    return /rgb|multi/i.test(text) ? 'rainbow' : (tonesOf(text)[0] ?? (/single/i.test(text) ? 'white' : undefined))
  }
}

/** "No", "None", "Non-Modular", "without Wi-Fi". */
const noneText = /^(no|non|none|false|without)\b/i

/** What an import may say is far longer and more than what a drawing can show. */
const maxTextLength = 200
const maxItems = 40

const readableText = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
        .slice(0, maxTextLength)
        .toWellFormed()
        .replace(/[\p{Cc}\p{Cf}\uFFFE\uFFFF]/gu, '')
        .trim()
    : undefined

const tonePattern = new RegExp(`\\b(${[...tones, 'gray', 'silver'].join('|')})\\b`, 'gi')

const colourEnd = new RegExp(`(\\S+)?[\\s/-]((?:${tonePattern.source}[ /-]*)+)$`, 'i')
/** Before a colour: it is that of switches or of lights. */
const ofOtherThing = /^(cherry|MX|kailh|gateron|outemu|switch(es)?|linear|tactile|clicky|silent|box|LEDs?|lights?|lighting|backlight|ice)$/i

/** So much of a name is looked at: the pattern takes the longer for it. */
const endLength = 40

/** The words of colours at the end of a name: "White" of `Viper V3 White`, '' of `One 3 Cherry MX Red`. */
function colourAtEnd(name: string): string {
  const [, before = '', colours = ''] = colourEnd.exec(name.slice(-endLength)) ?? []
  return ofOtherThing.test(before) ? '' : colours
}

/** The colours of a text in its order. */
const tonesOf = (text: string): Tone[] =>
  [...text.matchAll(tonePattern)].flatMap(([, word = '']) => {
    const name = /^(gray|silver)$/i.test(word) ? 'grey' : word.toLowerCase()
    return tones.find((tone) => tone === name) ?? []
  })
