import * as z from 'zod'
import { formatNumber } from '#shared/format-number.ts'
import { type AttributeDefinition, categoryOf } from './categories.ts'
import { choiceForm } from './choice-spelling.ts'
import type { ProductDetails } from './contract.ts'
import { labelFromKey } from './label-from-key.ts'
import { m2SizesOf } from './m2-sizes.ts'
import { isDocumentValue } from './product-documents.ts'
import type { ProductAttribute } from './product-page-contract.ts'
import { formatUnitPrice, pricePerUnit } from './unit-price.ts'

/** Known attributes of a product as text: those that its category defines first, in that order, then all others but its documents. */
export function productAttributes(product: Pick<ProductDetails, 'category' | 'specs' | 'price'>): ProductAttribute[] {
  const { category, specs } = product
  const defined = categoryOf(category)?.attributes ?? []
  const others: (AttributeFormat & { derived?: undefined; group?: undefined })[] = Object.keys(specs)
    .filter((key) => !defined.some((attribute) => attribute.key === key))
    .map(attributeFromKey)
  return [...defined, ...others].flatMap((attribute) => {
    if (isDocumentValue(specs[attribute.key])) return []
    const text = attribute.derived ? formatDerived(attribute, product) : formatAttribute(attribute, specs[attribute.key])
    if (text === undefined) return []
    const { key, label, group } = attribute
    return [{ key, label, text, ...(group && { group }) }]
  })
}

/**
 * The number that a product has for an attribute, in the unit of the attribute, or for the one that stands for it (`orElse`); of a derived one, the
 * amount that follows from its price.
 * @returns undefined if it is not known
 */
export function attributeNumber(
  { key, unit, orElse, derived }: Pick<AttributeDefinition, 'key' | 'unit' | 'orElse' | 'derived'>,
  { price, specs }: Pick<ProductDetails, 'price' | 'specs'>,
): number | undefined {
  if (derived) return pricePerUnit(price, specs[derived.price_per])
  const [stated] = [specs[key], orElse && specs[orElse]].filter((value) => typeof value === 'number' && isAllowedChoice(value, unit))
  return typeof stated === 'number' ? stated : undefined
}

function formatDerived(attribute: AttributeDefinition, product: Pick<ProductDetails, 'price' | 'specs'>): string | undefined {
  const amount = attributeNumber(attribute, product)
  return amount === undefined ? undefined : formatUnitPrice(amount)
}

/** The key and label of a category. The label of an undefined category is derived from the product's category text. */
export function categoryOption(category: string | null): { value: string; label: string } | null {
  if (!category) return null
  const known = categoryOf(category)
  return known ? { value: known.key, label: known.label } : { value: category, label: labelFromKey(category) }
}

/** The parts of an attribute definition that formatting needs. */
type AttributeFormat = Pick<AttributeDefinition, 'key' | 'label' | 'unit'>

/**
 * A value as display text, e.g. `1,000 GB`, `Yes`, `1920 x 1080`, `3 x DisplayPort 1.4a, 1 x HDMI 2.1`.
 * @returns undefined if it is not known
 */
export function formatAttribute({ key, unit }: AttributeFormat, value: unknown): string | undefined {
  if (!isAllowedChoice(value, unit)) return undefined
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return key.endsWith('_year') ? `${value}` : appendUnit(formatNumber(value), unit)
  if (typeof value === 'string') return formatText(key, value, unit)
  if (Array.isArray(value)) return formatList({ key, unit }, value)
  return formatObject(value, unit)
}

/** A choice value as display text. In the data, colours are in capitals and some words have no initial capital. */
export function formatAttributeChoice({ key, counted }: ChoiceAttribute, value: string): string {
  const text = value.trim()
  if (counted && /^[a-z\d]+(_[a-zA-Z\d]+)*$/.test(text)) return formatConnector(text)
  if (key === 'color')
    return text.replace(/\b(?!A?RGB\b)([A-Z])([A-Z]+)\b/g, (_, first: string, rest: string) => first + rest.toLowerCase())
  return /^[a-z]{3,}(?![A-Z\d])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
}

/**
 * Facet values of an attribute: each item of a list, a resolution such as `[1920, 1080]` as one value, of what is counted each name, the speed
 * of a network connection, and the drives that an M.2 slot takes.
 */
export function facetValues({ key, counted }: ChoiceAttribute, value: unknown): string[] {
  if (isResolution(key, value)) return [value.join(' x ')]
  return [value].flat().flatMap((one) => {
    if (typeof one === 'boolean') return [one ? 'Yes' : 'No']
    if (typeof one === 'object' && one !== null) return counted ? countedNames(one) : [...speedOf(one), ...m2SizesOf(one)]
    if (typeof one === 'string' && counted)
      return one
        .split(',')
        .map(withoutCount)
        .filter((name) => isAllowedChoice(name))
    return (typeof one === 'string' || typeof one === 'number') && isAllowedChoice(one) ? [`${one}`.trim()] : []
  })
}

/** How many of each name a product says that it has, by the name's `choiceForm`: of `{ "hdmi_2_1": 1 }` or "2 x HDMI, 1 x VGA". */
export function countEach(value: unknown): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (name: string, count: number) => {
    if (count > 0 && isAllowedChoice(name)) counts.set(choiceForm(name), (counts.get(choiceForm(name)) ?? 0) + count)
  }
  for (const one of [value].flat()) {
    if (typeof one === 'string')
      for (const text of one.split(',')) add(withoutCount(text), Number(text.trim().match(/^\d+(?= ?x ?)/i)?.[0] ?? 1))
    else if (typeof one === 'object' && one !== null)
      for (const [name, count] of Object.entries(one)) if (typeof count === 'number') add(name, count)
  }
  return counts
}

/** Beyond these bounds a number measures nothing, and calculations with it overflow. */
export const numberBounds = { least: 1e-9, most: 1e15 }

/** Some imported data writes -1 for an unknown length, so negative numbers count as unknown except temperatures, and so do absurd ones. */
export function isAllowedChoice(value: unknown, unit?: string): value is NonNullable<unknown> {
  if (typeof value === 'number') return isMeasurable(value) && (value >= 0 || unit === '°C')
  return value !== undefined && value !== null && !/^(unknown)?$/i.test(`${value}`.trim())
}

export const isMeasurable = (number: number): boolean =>
  number === 0 || (Math.abs(number) >= numberBounds.least && Math.abs(number) <= numberBounds.most)

type ChoiceAttribute = Pick<AttributeDefinition, 'key' | 'counted'>

const countedNames = (counts: object): string[] =>
  Object.entries(counts).flatMap(([name, count]) => (typeof count === 'number' && count > 0 && isAllowedChoice(name) ? [name] : []))

const speedOf = (connection: object): string[] =>
  'speed' in connection && typeof connection.speed === 'string' && isAllowedChoice(connection.speed) ? [connection.speed.trim()] : []

/** "2 x HDMI" is "HDMI". */
const withoutCount = (text: string): string => text.trim().replace(/^\d+ ?x ?/i, '')

const appendUnit = (text: string, unit: string | undefined) => (unit ? `${text} ${unit}` : text)

function formatText(key: string, value: string, unit: string | undefined): string {
  if (key === 'front_usb') return value.replace(/(?<=[^\sx,]) *(?=USB )/g, ', ') // ports are concatenated, often without a space
  return unit && /\d$/.test(value) ? appendUnit(value.trim(), unit) : formatAttributeChoice({ key }, value)
}

const isResolution = (key: string, value: unknown): value is number[] =>
  key === 'resolution' && Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'number')

function formatList({ key, unit }: Pick<AttributeFormat, 'key' | 'unit'>, values: unknown[]): string | undefined {
  if (isResolution(key, values)) return values.join(' x ')
  const numbers = values.filter((one) => typeof one === 'number')
  if (numbers.length === values.length) return appendUnit(numbers.map(formatNumber).join(', '), unit)
  const times = new Map<string, number>()
  for (const value of values) {
    const [count, text] = formatListItem(key, value)
    if (text && count > 0) times.set(text, (times.get(text) ?? 0) + count)
  }
  const counted = [...times.values()].some((count) => count > 1) || isSlotList(values)
  const texts = [...times].map(([text, count]) => (counted ? `${count} x ${text}` : text))
  return texts.length > 0 ? texts.join(', ') : undefined
}

const PcieSlots = z.object({ gen: z.string().nullish(), lanes: z.int(), quantity: z.int() })
const M2Slot = z.object({ size: z.string().nullish(), key: z.string().nullish(), interface: z.string() })
const Ethernet = z.object({ speed: z.string(), controller: z.string().nullish() })
const isSlotList = (values: unknown[]) => PcieSlots.safeParse(values[0]).success || M2Slot.safeParse(values[0]).success

/** One list item as text, and its count. */
function formatListItem(key: string, value: unknown): [count: number, text: string | undefined] {
  const pcie = PcieSlots.safeParse(value).data
  if (pcie) return [pcie.lanes > 0 ? pcie.quantity : 0, ['PCIe', pcie.gen, `x${pcie.lanes}`].filter(Boolean).join(' ')]
  const m2 = M2Slot.safeParse(value).data
  if (m2)
    return [
      1,
      `${m2.size?.trim().replaceAll(/\/ */g, '/') ?? ''} (${[m2.key && `${m2.key} key`, m2.interface].filter(Boolean).join(', ')})`.trim(),
    ]
  const ethernet = Ethernet.safeParse(value).data
  if (ethernet) return [1, isAllowedChoice(ethernet.controller) ? `${ethernet.speed} (${ethernet.controller})` : ethernet.speed]
  return [1, formatAttribute({ key, label: '' }, value)]
}

const dimensionKeys = ['length', 'width', 'height', 'depth']
const CountsByKey = z.record(z.string(), z.number())

function formatObject(value: object, unit: string | undefined): string | undefined {
  const counts = CountsByKey.safeParse(value).data
  const known = Object.entries(value).filter(([, one]) => isAllowedChoice(one))
  if (known.length === 0) return undefined
  if (!counts) return known.map(([key, one]) => `${labelFromKey(key)} ${formatAttribute({ key, label: '' }, one) ?? ''}`.trim()).join(', ')
  if (Object.keys(counts).every((key) => dimensionKeys.includes(key))) {
    const given = dimensionKeys.filter((side) => counts[side] !== undefined)
    return `${appendUnit(given.map((side) => formatNumber(counts[side] ?? 0)).join(' x '), unit)} (${given.join(' x ')})`
  }
  const texts = known.flatMap(([key, count]) => (count === 0 ? [] : [`${count} x ${formatConnector(key)}`]))
  return texts.length > 0 ? texts.join(', ') : undefined
}

const connectorPatterns: [RegExp, string][] = [
  [/^pcie_12vhpwr$/i, '12VHPWR'],
  [/^pcie_12v_2x6$/i, '12V-2x6'],
  [/^hdmi_/, 'HDMI '],
  [/^displayport_/, 'DisplayPort '],
  [/^pcie_/, 'PCIe '],
  [/^atx_/, 'ATX '],
  [/^eps_/, 'EPS '],
  [/^molex_/, 'Molex '],
  [/^floppy_/, 'Floppy '],
  [/^(hdmi|vga|sata)$/, ''],
  [/^dvi_/, 'DVI-'],
  [/^usb_c$/, 'USB-C'],
]

/** Formats a connector key of the data: `displayport_1_4a` is "DisplayPort 1.4a", `pcie_6_plus_2_pin` is "PCIe 6+2-pin". */
function formatConnector(key: string): string {
  const [beginning, name] = connectorPatterns.find(([pattern]) => pattern.test(key)) ?? [/^/, '']
  const rest = key.replace(beginning, '')
  if (!name && rest !== key) return key.toUpperCase()
  if (!name) return labelFromKey(key)
  return (
    name +
    (name === 'DVI-'
      ? rest.toUpperCase()
      : rest
          .replace('_plus_', '+')
          .replace(/_pin$/, '-pin')
          .replace(/(\d)_(\d)/, '$1.$2')
          .replaceAll('_', ''))
  )
}

const unitsByKeySuffix: Record<string, string> = {
  gb: 'GB',
  mb: 'MB',
  mhz: 'MHz',
  ghz: 'GHz',
  hz: 'Hz',
  w: 'W',
  v: 'V',
  a: 'A',
  db: 'dB',
  c: '°C',
  in: 'in',
}
for (const same of ['mm', 'cm', 'm', 'kg', 'g', 'ml', 'ms', 'rpm', 'nits']) unitsByKeySuffix[same] = same

/** An attribute that no category defines. Label and unit are derived from the key: `cable_length_mm` is "Cable length" in mm. */
function attributeFromKey(key: string): AttributeFormat {
  const [, name = key, ending = ''] = key.match(/^(.+)_([a-z]+)$/i) ?? []
  const unit = unitsByKeySuffix[ending.toLowerCase()]
  return unit ? { key, label: labelFromKey(name), unit } : { key, label: labelFromKey(key) }
}
