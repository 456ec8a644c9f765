import { distance } from 'fastest-levenshtein'
import type { AttributeDefinition } from '../categories.ts'
import { choiceForm, foldBrand } from '../choice-spelling.ts'
import { isMeasurable } from '../product-attributes.ts'
import type { Definitions } from './contract.ts'
import type { KnownSpellings } from './known-spellings.ts'
import { createNewChoiceFinder, type NewChoice } from './new-choices.ts'
import type { QuestionWords } from './question-words.ts'

/** A value of a file or of the catalogue that is written in another way than the definitions say. */
export type Mend = { field: string; before: unknown; after: unknown }

/** Writes values as definitions say. */
export type Mender = {
  /**
   * A maker in its one spelling: that of the definitions, else that of the catalogue. One that is met for the first time is added.
   */
  spellBrand(brand: string): string
  /**
   * The maker of the catalogue whose name is like this one, which the catalogue does not have; null if none is like it. Undefined: the catalogue
   * has it, or has no makers at all.
   */
  findLikeNewBrand(brand: string): string | null | undefined
  /**
   * The attributes of a product: numbers in the unit of the attribute, one spelling for each value, that of the definitions or else of the
   * catalogue, texts with several values as lists. What no definition is about stays as it is.
   */
  mendSpecs(category: string | null, specs: Record<string, unknown>): { specs: Record<string, unknown>; mends: Mend[] }
  /** The choices of a mended product that no product of the category has, where products share few. */
  findNewChoices(category: string | null, specs: Record<string, unknown>): NewChoice[]
}

export function createMender({ categories, questionWords }: Definitions, { brands, choices }: KnownSpellings): Mender {
  const choicesByAttribute = Map.groupBy(choices, ({ category, key }) => JSON.stringify([category, key]))
  const rulesByCategory = new Map(
    categories.flatMap(({ key, aliases, attributes }) => {
      const rules = new Map(
        attributes.map((attribute) => {
          const known = choicesByAttribute.get(JSON.stringify([key, attribute.key])) ?? []
          return [
            attribute.key,
            ruleOf(
              attribute,
              questionWords,
              known.map(({ value }) => value),
            ),
          ] as const
        }),
      )
      return [key, ...aliases].map((name) => [name, rules] as const)
    }),
  )
  return {
    spellBrand: createBrandSpeller(questionWords, brands),
    findLikeNewBrand: createBrandComparison(questionWords, brands),
    findNewChoices: createNewChoiceFinder(categories, choices),
    mendSpecs(category, specs) {
      const rules = category === null ? undefined : rulesByCategory.get(category)
      const mends: Mend[] = []
      const mended: Record<string, unknown> = {}
      for (const [key, before] of Object.entries(specs)) {
        const after = rules?.get(key)?.(before) ?? before
        mended[key] = after
        if (after !== before) mends.push({ field: `specs.${key}`, before, after })
      }
      return { specs: mends.length > 0 ? mended : specs, mends }
    },
  }
}

function createBrandSpeller({ makers }: QuestionWords, known: Iterable<string>): Mender['spellBrand'] {
  const spellings = new Map<string, string>()
  for (const { brand, words } of makers) for (const word of [brand, ...words]) spellings.set(foldBrand(word), brand)
  const spell = (brand: string) => {
    const folded = foldBrand(brand)
    if (folded === '') return brand
    const spelled = spellings.get(folded)
    if (spelled === undefined) spellings.set(folded, brand)
    return spelled ?? brand
  }
  for (const brand of known) spell(brand)
  return spell
}

/** A name of so many letters is like another that differs in two, and a shorter one like another that differs in one. */
const lettersForTwoErrors = 7

function createBrandComparison({ makers }: QuestionWords, brands: Iterable<string>): Mender['findLikeNewBrand'] {
  const known = new Map<string, string>()
  for (const brand of brands) known.set(foldBrand(brand), brand)
  const isEmpty = known.size === 0
  for (const { brand, words } of makers) for (const word of [brand, ...words]) known.set(foldBrand(word), brand)
  const found = new Map<string, string | null | undefined>()
  const find = (folded: string) => {
    if (isEmpty || folded === '' || known.has(folded)) return undefined
    for (const [other, brand] of known) {
      const most = folded.length >= lettersForTwoErrors ? 2 : 1
      const isPart = Math.min(folded.length, other.length) >= 5 && (folded.startsWith(other) || other.startsWith(folded))
      if (isPart || (folded.length > 3 && distance(folded, other) <= most)) return brand
    }
    return null
  }
  return (brand) => {
    const folded = foldBrand(brand)
    if (!found.has(folded)) found.set(folded, find(folded))
    return found.get(folded)
  }
}

/** Returns the very same value where nothing is to be mended. */
type ValueRule = (value: unknown) => unknown

/** @param known how products spell its choices, the most frequent first */
function ruleOf(attribute: AttributeDefinition, words: QuestionWords, known: string[]): ValueRule {
  if (attribute.kind === 'number')
    return (value) => (typeof value === 'string' ? (parseNumberWithUnit(value, attribute, words) ?? value) : value)
  const spell = createValueSpeller(attribute, known)
  const { separator, kind } = attribute
  return (value) => {
    if (typeof value === 'string' && kind === 'yes/no') return readYesOrNo(value) ?? spell(value)
    if (typeof value === 'string' && separator !== undefined && value.includes(separator)) return splitList(value, separator).map(spell)
    if (typeof value === 'string') return spell(value)
    if (!Array.isArray(value)) return value
    const items = value.map((item) => (typeof item === 'string' ? spell(item) : item))
    return items.some((item, place) => item !== value[place]) ? items : value
  }
}

const splitList = (value: string, separator: string) =>
  value
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '')

function createValueSpeller({ spellings = {} }: AttributeDefinition, known: string[]): (value: string) => string {
  const byFolded = new Map(
    [...known.toReversed().map((value): [string, string[]] => [value, []]), ...Object.entries(spellings)].flatMap(([value, others]) =>
      [value, ...others].map((one) => [choiceForm(one), value] as const),
    ),
  )
  return (value) => byFolded.get(choiceForm(value)) ?? value
}

export function readYesOrNo(value: string): boolean | undefined {
  if (/^(yes|true)$/i.test(value.trim())) return true
  return /^(no|false)$/i.test(value.trim()) ? false : undefined
}

/** A unit need not be there. Without thousands separators: "1,000" may be one or a thousand. */
const numberWithUnitPattern = /^([+-]?\d{1,15}(?:\.\d{1,15})?)\s*(\D.{0,29})?$/u

/** "32 cm" as 320 for an attribute in mm. Undefined if it is no number, or has a unit that the attribute is not known in. */
export function parseNumberWithUnit(
  text: string,
  { unit, asked }: AttributeDefinition,
  { units, fileUnits }: Pick<QuestionWords, 'units' | 'fileUnits'>,
): number | undefined {
  const [, digits = '', word = ''] = text.trim().match(numberWithUnitPattern) ?? []
  const factors: Record<string, number> = {
    '': 1,
    ...(unit && { [unit.toLowerCase()]: 1, ...ownEntry(fileUnits, unit), ...ownEntry(units, unit) }),
    ...asked?.units,
  }
  const name = word.trim()
  const factor = (isBits.test(unit ?? '') ? isBytes : isBits).test(name) ? undefined : ownEntry(factors, name.toLowerCase())
  if (digits === '' || factor === undefined) return undefined
  const number = Number((Number(digits) * factor).toPrecision(12))
  return isMeasurable(number) ? number : undefined
}

/** "Gb" are bits and "GB" bytes; in small letters it is not known which. */
const isBits = /^[KMGT]b/
const isBytes = /^[KMGT]B/

const ownEntry = <T>(record: Record<string, T>, name: string): T | undefined => (Object.hasOwn(record, name) ? record[name] : undefined)
