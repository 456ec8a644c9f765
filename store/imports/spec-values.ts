import { type AttributeDefinition, categoryOf } from '#store/catalogue/categories.ts'
import { parseNumberWithUnit, readYesOrNo } from '#store/catalogue/definitions/mend-values.ts'
import { questionWords } from '#store/catalogue/definitions/question-words.ts'
import { isStorableText } from './column-rules.ts'
import { importLimits } from './contract.ts'

const maxNestingDepth = 8
const specKeyPattern = /^[a-z0-9_]{1,60}$/i
export const specKeyRule = 'keys of at most 60 letters, digits and _'
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])
/** Number format without thousands separators. */
const decimalPattern = /^[+-]?\d{1,15}(\.\d{1,15})?$/

/**
 * Validates the specs of a product.
 * @param specs parsed JSON
 * @returns the expected format, or undefined if they are valid
 */
export function findSpecsError(specs: unknown): string | undefined {
  if (!isObject(specs)) return 'an object such as {"tdp_w": 65}'
  const key = Object.keys(specs).find((key) => !specKeyPattern.test(key))
  if (key !== undefined) return specKeyRule
  if (Object.keys(specs).length > importLimits.attributes) return `at most ${importLimits.attributes} attributes`
  const expected = findNestedError(specs, 1)
  if (expected) return expected
  return JSON.stringify(specs).length > importLimits.cellKilobytes * 1024 ? `at most ${importLimits.cellKilobytes} kB in all` : undefined
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function findNestedError(value: unknown, depth: number): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'numbers that are not beyond all bounds'
  if (typeof value === 'string') return isStorableText(value) ? undefined : 'texts of whole characters, without NUL'
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > maxNestingDepth) return `at most ${maxNestingDepth} levels within one another`
  for (const key of Object.keys(value)) {
    if (forbiddenKeys.has(key)) return `no key called ${key}`
    if (!isStorableText(key)) return 'keys of whole characters, without NUL'
  }
  for (const inner of Object.values(value)) {
    const expected = findNestedError(inner, depth + 1)
    if (expected) return expected
  }
  return undefined
}

export const isSpecKey = (key: string): boolean => specKeyPattern.test(key) && !forbiddenKeys.has(key)

/** The attributes of a JSON object whose values are not what the category says of them. */
export const findWrongSpecs = (category: string | null, specs: Record<string, unknown>): { key: string; expected: string }[] =>
  (categoryOf(category)?.attributes ?? []).flatMap((attribute) => {
    const expected = Object.hasOwn(specs, attribute.key) ? findValueError(attribute, specs[attribute.key]) : undefined
    return expected === undefined ? [] : [{ key: attribute.key, expected }]
  })

/** What a value of the attribute has to be, where it is something else: the same in each format. Null and a blank text say nothing. */
function findValueError(attribute: AttributeDefinition, value: unknown): string | undefined {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return undefined
  if (attribute.kind === 'number') return findNumberError(attribute, value)
  const isYesOrNo = typeof value === 'boolean' || (typeof value === 'string' && readYesOrNo(value) !== undefined)
  return attribute.kind === 'yes/no' && !isYesOrNo ? 'yes or no' : undefined
}

function findNumberError(attribute: AttributeDefinition, value: unknown): string | undefined {
  const { unit } = attribute
  const number = typeof value === 'string' ? parseNumberWithUnit(value, attribute, questionWords()) : value
  if (typeof number !== 'number') return `a number such as 12 or 1.5${unit ? `, or with its unit: 12 ${unit}` : ''}`
  return number < 0 && unit !== '°C' ? 'a number of 0 or more, as only temperatures are below it' : undefined
}

/** The value of a column `specs.KEY`; null if unknown. `strange`: the category has no such attribute. */
type ParsedSpec = { value: unknown; strange?: true } | { expected: string }

/**
 * Parses a cell of a column `specs.KEY` by the kind of the attribute in the category.
 * @param category category of the product in the file
 */
export function parseSpecValue(category: string | null, key: string, cell: string): ParsedSpec {
  const text = cell.trim()
  if (text === '') return { value: null }
  const attribute = categoryOf(category)?.attributes.find((attribute) => attribute.key === key)
  if (!isStorableText(text)) return { expected: 'a text of whole characters, without NUL' }
  const expected = attribute && findValueError(attribute, text)
  if (expected !== undefined) return { expected }
  if (attribute?.kind === 'number') return { value: decimalPattern.test(text) ? Number(text) : text }
  if (attribute?.kind === 'yes/no') return { value: readYesOrNo(text) }
  const list = text.split('|').map((item) => item.trim())
  return { value: list.length > 1 ? list.filter((item) => item !== '') : text, ...(!attribute && { strange: true as const }) }
}
