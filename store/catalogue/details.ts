import * as z from 'zod'
import { inFigures } from '../in-figures.ts'
import { type Attribute, categoryOf } from './categories.ts'
import type { Detail, Part } from './contract.ts'

/** What is known of a part, in words: what its category defines first, in that order, then whatever else it carries. */
export function detailsOf({ category, specs }: Pick<Part, 'category' | 'specs'>): Detail[] {
  const defined = categoryOf(category)?.attributes ?? []
  const others = Object.keys(specs).filter((key) => !defined.some((attribute) => attribute.key === key))
  return [...defined, ...others.map(undefinedAttribute)].flatMap((attribute) => {
    const text = sayAttribute(attribute, specs[attribute.key])
    return text === undefined ? [] : [{ key: attribute.key, label: attribute.label, text }]
  })
}

/** The label of a part's category; one that no file defines is called what the parts say. */
export function shownCategory(category: string | null): { value: string; label: string } | null {
  if (!category) return null
  const known = categoryOf(category)
  return known ? { value: known.key, label: known.label } : { value: category, label: fromKey(category) }
}

/** Attributes as far as they are needed to say a value. */
type Said = Pick<Attribute, 'key' | 'label' | 'unit'>

/**
 * A value as a buyer reads it, e.g. `1,000 GB`, `Yes`, `1920 x 1080`, `3 x DisplayPort 1.4a, 1 x HDMI 2.1`.
 * @returns undefined where it is not known
 */
export function sayAttribute({ key, unit }: Said, value: unknown): string | undefined {
  if (!isKnown(value, unit)) return undefined
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return measured(inFigures(value), unit)
  if (typeof value === 'string') return sayText(key, value, unit)
  if (Array.isArray(value)) return sayList({ key, unit }, value)
  return sayObject(value, unit)
}

/** A choice as a buyer reads it. The data writes colours in capitals, and some words without one. */
export function sayChoice(key: string, value: string): string {
  const text = value.trim()
  if (key === 'color')
    return text.replace(/\b(?!A?RGB\b)([A-Z])([A-Z]+)\b/g, (_, first: string, rest: string) => first + rest.toLowerCase())
  return /^[a-z]{3,}(?![A-Z\d])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
}

/** What a visitor can choose a part by: each value of a list, and a resolution such as `[1920, 1080]` as one. */
export function choicesOf(key: string, value: unknown): string[] {
  if (isResolution(key, value)) return [value.join(' x ')]
  return [value].flat().flatMap((one) => {
    if (typeof one === 'boolean') return [one ? 'Yes' : 'No']
    return (typeof one === 'string' || typeof one === 'number') && isKnown(one) ? [`${one}`.trim()] : []
  })
}

/** Not known is also a length of -1, as some imported data says it; below nothing are only temperatures. */
export function isKnown(value: unknown, unit?: string): value is NonNullable<unknown> {
  if (typeof value === 'number') return Number.isFinite(value) && (value >= 0 || unit === '°C')
  return value !== undefined && value !== null && !/^(unknown)?$/i.test(`${value}`.trim())
}

const measured = (text: string, unit: string | undefined) => (unit ? `${text} ${unit}` : text)

function sayText(key: string, value: string, unit: string | undefined): string {
  if (key === 'front_usb') return value.replace(/(?<=[^\sx,]) *(?=USB )/g, ', ') // ports one after the other, often without a blank
  return unit && /\d$/.test(value) ? measured(value.trim(), unit) : sayChoice(key, value)
}

const isResolution = (key: string, value: unknown): value is number[] =>
  key === 'resolution' && Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'number')

function sayList({ key, unit }: Pick<Said, 'key' | 'unit'>, values: unknown[]): string | undefined {
  if (isResolution(key, values)) return values.join(' x ')
  const numbers = values.filter((one) => typeof one === 'number')
  if (numbers.length === values.length) return measured(numbers.map(inFigures).join(', '), unit)
  const times = new Map<string, number>()
  for (const value of values) {
    const [count, text] = one(key, value)
    if (text && count > 0) times.set(text, (times.get(text) ?? 0) + count)
  }
  const counted = [...times.values()].some((count) => count > 1) || isSlots(values)
  const texts = [...times].map(([text, count]) => (counted ? `${count} x ${text}` : text))
  return texts.length > 0 ? texts.join(', ') : undefined
}

const PcieSlots = z.object({ gen: z.string().nullish(), lanes: z.int(), quantity: z.int() })
const M2Slot = z.object({ size: z.string().nullish(), key: z.string().nullish(), interface: z.string() })
const Ethernet = z.object({ speed: z.string(), controller: z.string().nullish() })
const isSlots = (values: unknown[]) => PcieSlots.safeParse(values[0]).success || M2Slot.safeParse(values[0]).success

/** One thing of a list, and how many of it. */
function one(key: string, value: unknown): [count: number, text: string | undefined] {
  const pcie = PcieSlots.safeParse(value).data
  if (pcie) return [pcie.lanes > 0 ? pcie.quantity : 0, ['PCIe', pcie.gen, `x${pcie.lanes}`].filter(Boolean).join(' ')]
  const m2 = M2Slot.safeParse(value).data
  if (m2)
    return [
      1,
      `${m2.size?.trim().replaceAll(/\/ */g, '/') ?? ''} (${[m2.key && `${m2.key} key`, m2.interface].filter(Boolean).join(', ')})`.trim(),
    ]
  const ethernet = Ethernet.safeParse(value).data
  if (ethernet) return [1, isKnown(ethernet.controller) ? `${ethernet.speed} (${ethernet.controller})` : ethernet.speed]
  return [1, sayAttribute({ key, label: '' }, value)]
}

const sides = ['length', 'width', 'height', 'depth']
const Counts = z.record(z.string(), z.number())

function sayObject(value: object, unit: string | undefined): string | undefined {
  const counts = Counts.safeParse(value).data
  const known = Object.entries(value).filter(([, one]) => isKnown(one))
  if (known.length === 0) return undefined
  if (!counts) return known.map(([key, one]) => `${fromKey(key)} ${sayAttribute({ key, label: '' }, one) ?? ''}`.trim()).join(', ')
  if (Object.keys(counts).every((key) => sides.includes(key))) {
    const given = sides.filter((side) => counts[side] !== undefined)
    return `${measured(given.map((side) => inFigures(counts[side] ?? 0)).join(' x '), unit)} (${given.join(' x ')})`
  }
  const texts = known.flatMap(([key, count]) => (count === 0 ? [] : [`${count} x ${connector(key)}`]))
  return texts.length > 0 ? texts.join(', ') : undefined
}

const connectors: [RegExp, string][] = [
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

/** A connector by its name in the data: `displayport_1_4a` is a DisplayPort 1.4a, `pcie_6_plus_2_pin` a PCIe 6+2-pin. */
function connector(key: string): string {
  const [beginning, name] = connectors.find(([pattern]) => pattern.test(key)) ?? [/^/, '']
  const rest = key.replace(beginning, '')
  if (!name && rest !== key) return key.toUpperCase()
  if (!name) return fromKey(key)
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

const units: Record<string, string> = {
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
for (const same of ['mm', 'cm', 'm', 'kg', 'g', 'ml', 'ms', 'rpm', 'nits']) units[same] = same

/** An attribute that no file defines: its label and unit are made from its key, `cable_length_mm` is "Cable length" in mm. */
function undefinedAttribute(key: string): Said {
  const [, name = key, ending = ''] = key.match(/^(.+)_([a-z]+)$/i) ?? []
  const unit = units[ending.toLowerCase()]
  return unit ? { key, label: fromKey(name), unit } : { key, label: fromKey(key) }
}

function fromKey(key: string): string {
  const words = key.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
