import { formatNumber } from '#shared/format-number.ts'
import { formatUnitPrice, pricePerUnit } from '#store/catalogue/unit-price.ts'
import type { Facet } from '#store/search/contract.ts'
import { shownAttributes } from './facet-options.ts'

export const appendUnit = (figure: string, unit: string | undefined): string => (unit ? `${figure} ${unit}` : figure)

/** Formats a number as "4,680"; other text is returned as it is. */
export function formatIfNumber(value: string | number): string {
  const number = Number(value)
  return Number.isFinite(number) ? formatNumber(number) : `${value}`
}

/** A number of a facet without its unit: years are not grouped, amounts have the symbol of the currency. */
export function formatFacetNumber({ key, price_per }: { key: string; price_per?: string | undefined }, value: string | number): string {
  const number = Number(value)
  if (key.endsWith('_year') || !Number.isFinite(number)) return `${value}`
  return key === 'price' || price_per !== undefined ? formatUnitPrice(number) : formatNumber(number)
}

type ShownProduct = { specs: Record<string, unknown>; price: number }

/** Attribute value of a product as text without the unit; undefined if unknown or too complex for one line. */
export function attributeTextWithoutUnit({ specs, price }: ShownProduct, facet: Facet): string | undefined {
  if (facet.kind === 'number' && facet.price_per !== undefined) {
    const amount = pricePerUnit(price, specs[facet.price_per])
    return amount === undefined ? undefined : formatUnitPrice(amount)
  }
  const spec = specs[facet.key.replace('spec.', '')]
  if (typeof spec === 'number')
    return facet.kind !== 'number' ? formatIfNumber(spec) : spec < 0 && facet.unit !== '°C' ? undefined : formatFacetNumber(facet, spec)
  const labels = facet.kind === 'choice' ? facet.choices : []
  const texts = [spec].flat().flatMap((item) => {
    if (typeof item === 'boolean') return item ? 'Yes' : 'No'
    if (typeof item !== 'string' && typeof item !== 'number') return []
    return labels.find(({ value }) => value === `${item}`)?.label ?? `${item}`
  })
  return texts.length > 0 ? texts.join(', ') : undefined
}

/** The first attributes of the category as short texts: "32 GB", "DDR5". Unknown values are left out. */
export function keyFacts(product: ShownProduct, facets: Facet[]): string[] {
  const factsOf = (shown: Facet[]) =>
    shown.flatMap((facet) => {
      const text = attributeTextWithoutUnit(product, facet)
      if (text === undefined || text === 'Yes' || text === 'No') return []
      if (facet.kind === 'number' && !facet.unit) return `${facet.label} ${text}`
      return appendUnit(text, facet.kind === 'number' ? facet.unit : undefined)
    })
  const { stated, derived } = shownAttributes(facets)
  const facts = factsOf(stated).filter((fact) => fact.length <= maxFactCharacters)
  return [...facts.slice(0, maxFacts), ...factsOf(derived)]
}
const maxFacts = 3
const maxFactCharacters = 28
