import { countryName } from '#shared/countries.ts'
import { type Cents, formatCents } from '#shared/money.ts'
import { arrivalDays, type DeliveryTimes, type ShopCalendar } from './delivery-days.ts'

// Without zod and database: the basket in the browser and the order on the server find the same methods.

/** Where methods deliver to. Without countries: everywhere. `states` and `postalPrefixes` narrow down a zone of one country. */
export type DeliveryZone = { _id: string; name: string; countries: string[]; states: string[]; postalPrefixes: string[] }

/** Up to so many grams, or cents of goods, it costs this; null: any more. */
export type PriceStep = { upTo: number | null; priceCents: Cents }

export const pricedBy = ['weight', 'goods'] as const

export type DeliveryMethod = DeliveryTimes & {
  _id: string
  zoneId: string
  name: string
  carrier: string | null
  pricedBy: (typeof pricedBy)[number]
  /** `upTo` rises; what is above the last one cannot be sent so */
  steps: PriceStep[]
  /** goods that cost as much are delivered for nothing */
  freeFromCents: Cents | null
  /** keys of categories */
  notForCategories: string[]
}

/** What a basket has: `amountCents` after reductions, `weightGrams` of a piece, null where it is not known. */
export type DeliveredLine = { category: string | null; weightGrams: number | null; quantity: number; amountCents: Cents }

/** `country` of two letters; `state` as in ISO 3166-2, with or without the country: CA or US-CA. */
export type Destination = { country: string; state?: string | undefined; postalCode?: string | undefined }

export type DeliveryOption = {
  methodId: string
  name: string
  carrier: string | null
  priceCents: Cents
  /** the first and the last day of arrival, such as 2026-12-24 */
  earliest: string
  latest: string
}

export type DeliveryRefusal = {
  code: 'not_delivered_there' | 'too_heavy' | 'goods_cost_too_much' | 'category_excluded' | 'weight_unknown'
  /** null: of the destination, not of a method */
  method: string | null
  message: string
  /** the lines that are the reason, by index */
  lines: number[]
}

export type DeliveryOptions = {
  /** false until the shop has any method: then delivery costs nothing */
  isSetUp: boolean
  /** the cheapest first */
  options: DeliveryOption[]
  /** why the other methods of the destination do not fit */
  refusals: DeliveryRefusal[]
}

type DeliveryQuestion = {
  zones: DeliveryZone[]
  methods: DeliveryMethod[]
  lines: DeliveredLine[]
  destination: Destination
  calendar: ShopCalendar
  now: Date
}

/** The methods by which these lines can be delivered there, with price and days of arrival. */
export function deliveryOptions({ zones, methods, lines, destination, calendar, now }: DeliveryQuestion): DeliveryOptions {
  if (methods.length === 0) return { isSetUp: false, options: [], refusals: [] }
  const zoneIds = new Set(mostSpecificZones(zones, destination).map(({ _id }) => _id))
  const there = methods.filter(({ zoneId }) => zoneIds.has(zoneId))
  if (there.length === 0) return { isSetUp: true, options: [], refusals: [notDeliveredThere(destination.country)] }

  const priced = there.map((method) => ({ method, price: methodPrice(method, lines) }))
  const options = priced.flatMap(({ method, price }) => {
    if (typeof price !== 'number') return []
    const { _id: methodId, name, carrier } = method
    return [{ methodId, name, carrier, priceCents: price, ...arrivalDays(method, calendar, now) }]
  })
  return {
    isSetUp: true,
    options: options.sort(
      (a, b) =>
        a.priceCents - b.priceCents ||
        compareTexts(a.latest, b.latest) ||
        compareTexts(a.earliest, b.earliest) ||
        compareTexts(a.name, b.name),
    ),
    refusals: priced.flatMap(({ price }) => (typeof price === 'number' ? [] : [price])),
  }
}

/**
 * The zones that say most exactly where this is: one with its postal code comes before one with its state, its country and everywhere, and a
 * longer prefix before a shorter one. Several only if they say it equally exactly. The methods of wider zones do not count there.
 */
export function mostSpecificZones(zones: DeliveryZone[], destination: Destination): DeliveryZone[] {
  const found = zones.flatMap((zone) => {
    const exactness = exactnessOf(zone, destination)
    return exactness === undefined ? [] : [{ zone, exactness }]
  })
  const most = Math.max(...found.map(({ exactness }) => exactness))
  return found.filter(({ exactness }) => exactness === most).map(({ zone }) => zone)
}

/** Undefined where the zone does not contain the destination. */
function exactnessOf({ countries, states, postalPrefixes }: DeliveryZone, destination: Destination): number | undefined {
  const country = destination.country.toUpperCase()
  if (countries.length > 0 && !countries.includes(country)) return undefined
  const state = destination.state?.toUpperCase().replace(`${country}-`, '') ?? ''
  if (states.length > 0 && !states.includes(state)) return undefined
  const postalCode = normalizePostalCode(destination.postalCode ?? '')
  const prefixes = postalPrefixes.filter((prefix) => postalCode.startsWith(prefix)).map(({ length }) => length)
  if (postalPrefixes.length > 0 && prefixes.length === 0) return undefined
  return Math.max(0, ...prefixes) * 4 + (states.length > 0 ? 2 : 0) + (countries.length > 0 ? 1 : 0)
}

/** A postal code as prefixes are compared with it: "d-80 331" is D80331. */
export const normalizePostalCode = (text: string): string => text.toUpperCase().replaceAll(/[\s-]/g, '')

/** What a method costs for these lines, or why it does not take them. */
export function methodPrice(method: DeliveryMethod, lines: DeliveredLine[]): Cents | DeliveryRefusal {
  const refusal = (code: DeliveryRefusal['code'], message: string, nths: number[] = []): DeliveryRefusal => ({
    ...{ code, method: method.name, message: `${method.name}: ${message}`, lines: nths },
  })
  const excluded = nthsWhere(lines, ({ category }) => category !== null && method.notForCategories.includes(category))
  if (excluded.length > 0) return refusal('category_excluded', 'not for some of these products', excluded)
  const goodsCents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const last = method.steps.at(-1)
  if (method.pricedBy === 'goods') {
    const step = stepFor(method.steps, goodsCents)
    if (!step) return refusal('goods_cost_too_much', `for goods of up to ${formatCents(last?.upTo ?? 0)}`)
    return priceUnlessFree(method, step, goodsCents)
  }
  const unknown = nthsWhere(lines, ({ weightGrams }) => weightGrams === null)
  if (unknown.length > 0) return refusal('weight_unknown', 'the weight of some of these products is not known', unknown)
  const grams = lines.reduce((sum, { weightGrams, quantity }) => sum + (weightGrams ?? 0) * quantity, 0)
  const step = stepFor(method.steps, grams)
  if (!step) return refusal('too_heavy', `up to ${formatWeight(last?.upTo ?? 0)}, and this weighs ${formatWeight(grams)}`)
  return priceUnlessFree(method, step, goodsCents)
}

const stepFor = (steps: PriceStep[], measured: number): PriceStep | undefined => steps.find(({ upTo }) => upTo === null || measured <= upTo)

const priceUnlessFree = ({ freeFromCents }: DeliveryMethod, { priceCents }: PriceStep, goodsCents: Cents): Cents =>
  freeFromCents !== null && goodsCents >= freeFromCents ? 0 : priceCents

const nthsWhere = (lines: DeliveredLine[], holds: (line: DeliveredLine) => boolean): number[] =>
  lines.flatMap((line, nth) => (holds(line) ? [nth] : []))

function notDeliveredThere(country: string): DeliveryRefusal {
  return { code: 'not_delivered_there', method: null, message: `Nothing is delivered to ${countryName(country)}`, lines: [] }
}

/** 620 is 620 g, 31500 is 31.5 kg. */
export const formatWeight = (grams: number): string => (grams < 1000 ? `${grams} g` : `${grams / 1000} kg`)

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
