import { categoryOf } from '../categories.ts'
import { importLimits } from '../contract.ts'
import { isKeepable } from './columns.ts'

const deepest = 8
const spoken = /^[a-z0-9_]{1,60}$/i
export const specKeyWords = 'keys of at most 60 letters, digits and _'
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])
/** Numbers as they can be kept: digits, a point, no thousands. */
const decimal = /^[+-]?\d{1,15}(\.\d{1,15})?$/

/**
 * What is wrong with the specs of a part, or undefined.
 * @param specs as JSON has them
 */
export function faultOfSpecs(specs: unknown): string | undefined {
  if (!isObject(specs)) return 'an object such as {"tdp_w": 65}'
  const key = Object.keys(specs).find((key) => !spoken.test(key))
  if (key !== undefined) return specKeyWords
  if (Object.keys(specs).length > importLimits.attributes) return `at most ${importLimits.attributes} attributes`
  const fault = faultWithin(specs, 1)
  if (fault) return fault
  return JSON.stringify(specs).length > importLimits.cellKilobytes * 1024 ? `at most ${importLimits.cellKilobytes} kB in all` : undefined
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function faultWithin(value: unknown, depth: number): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'numbers that are not beyond all bounds'
  if (typeof value === 'string') return isKeepable(value) ? undefined : 'texts of whole characters, without NUL'
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > deepest) return `at most ${deepest} levels within one another`
  for (const key of Object.keys(value)) {
    if (forbidden.has(key)) return `no key called ${key}`
    if (!isKeepable(key)) return 'keys of whole characters, without NUL'
  }
  for (const inner of Object.values(value)) {
    const fault = faultWithin(inner, depth + 1)
    if (fault) return fault
  }
  return undefined
}

export const isSpecKey = (key: string): boolean => spoken.test(key) && !forbidden.has(key)

/** The value of a column `specs.KEY`; null when it is not known. `strange`: the category has no such attribute. */
export type Spec = { value: unknown; strange?: true } | { expected: string }

/**
 * Reads a cell of a column `specs.KEY` by what the category says of that attribute.
 * @param category of the part, as the file has it
 */
export function readSpec(category: string | null, key: string, cell: string): Spec {
  const written = cell.trim()
  if (written === '') return { value: null }
  const attribute = categoryOf(category)?.attributes.find((attribute) => attribute.key === key)
  if (!isKeepable(written)) return { expected: 'a text of whole characters, without NUL' }
  if (attribute?.kind === 'number') return decimal.test(written) ? { value: Number(written) } : { expected: 'a number such as 12 or 1.5' }
  if (attribute?.kind === 'yes/no') {
    if (/^(yes|true)$/i.test(written)) return { value: true }
    return /^(no|false)$/i.test(written) ? { value: false } : { expected: 'yes or no' }
  }
  const list = written.split('|').map((one) => one.trim())
  return { value: list.length > 1 ? list.filter((one) => one !== '') : written, ...(!attribute && { strange: true as const }) }
}
