import { distance } from 'fastest-levenshtein'
import type { Category } from '../categories.ts'
import { choiceForm } from '../choice-spelling.ts'
import type { KnownSpellings } from './known-spellings.ts'

/** A choice that no product of the category has, with the nearest one that products have. */
export type NewChoice = { field: string; value: string; like: string }

/** An attribute has few values if it has no more than these, and on average so many products state each: another one is rarely meant. */
const few = { values: 30, productsPerValue: 10 }

/** A longer text is no spelling of a value, and a file may have thousands of long ones to compare. */
const maxComparedCharacters = 200

/** Finds the choices of a product that are new to an attribute with few values. */
export function createNewChoiceFinder(
  categories: readonly Category[],
  choices: KnownSpellings['choices'],
): (category: string | null, specs: Record<string, unknown>) => NewChoice[] {
  const choicesByCategory = Map.groupBy(choices, ({ category }) => category)
  const knownByCategory = new Map(
    categories.flatMap((category) => {
      const known = findFewValues(category, choicesByCategory.get(category.key) ?? [])
      return [category.key, ...category.aliases].map((name) => [name, known] as const)
    }),
  )
  return (category, specs) => {
    const known = category === null ? undefined : knownByCategory.get(category)
    return [...(known ?? [])].flatMap(([key, valuesByForm]) =>
      [specs[key]].flat().flatMap((value) => {
        if (typeof value !== 'string' || value.trim() === '' || value.length > maxComparedCharacters || valuesByForm.has(choiceForm(value)))
          return []
        return { field: `specs.${key}`, value, like: findNearest(choiceForm(value), valuesByForm) }
      }),
    )
  }
}

/** The values of the attributes that have few, by their forms: those of products and those of the definitions. */
function findFewValues({ attributes }: Category, choices: KnownSpellings['choices']): Map<string, Map<string, string>> {
  const choicesByKey = Map.groupBy(choices, ({ key }) => key)
  return new Map(
    attributes.flatMap(({ key, spellings = {} }) => {
      const known = choicesByKey.get(key) ?? []
      const products = known.reduce((sum, choice) => sum + choice.products, 0)
      const values = [...known.map(({ value }) => value).toReversed(), ...Object.keys(spellings)]
      const valuesByForm = new Map(values.map((value) => [choiceForm(value), value]))
      const hasFew = known.length > 0 && known.length <= few.values && products >= few.productsPerValue * known.length
      return hasFew ? [[key, valuesByForm] as const] : []
    }),
  )
}

const findNearest = (form: string, valuesByForm: Map<string, string>): string =>
  [...valuesByForm].reduce(
    (nearest, [other, value]) => {
      const far = distance(form, other)
      return far < nearest.far ? { far, value } : nearest
    },
    { far: Number.POSITIVE_INFINITY, value: '' },
  ).value
