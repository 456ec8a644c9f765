import { categoryOf } from '#store/catalogue/categories.ts'
import { attributeNumber, formatAttribute, isAllowedChoice } from '#store/catalogue/product-attributes.ts'
import { pricePerUnit } from '#store/catalogue/unit-price.ts'
import type { Facet } from '#store/search/contract.ts'
import { shownAttributes } from './facet-options.ts'
import { appendUnit, formatFacetNumber, formatIfNumber } from './facet-texts.ts'

// Separate from facet-texts.ts: only the server reads what products state.

type ShownProduct = { specs: Record<string, unknown>; price: number; category?: string | null }

/** Attribute value of a product as text without the unit; undefined if it is not known. */
export function attributeTextWithoutUnit(product: ShownProduct, facet: Facet): string | undefined {
  const { specs, price, category = null } = product
  const key = facet.key.replace('spec.', '')
  if (facet.kind === 'number') {
    const attribute = categoryOf(category)?.attributes.find((one) => one.key === key) ?? { key, unit: facet.unit }
    const number = facet.price_per === undefined ? attributeNumber(attribute, product) : pricePerUnit(price, specs[facet.price_per])
    return number === undefined ? undefined : formatFacetNumber(facet, number)
  }
  const spec = specs[key]
  if (!isAllowedChoice(spec)) return undefined
  if (typeof spec === 'number') return formatIfNumber(spec)
  const items = [spec].flat().filter((item) => isAllowedChoice(item))
  if (items.some((item) => typeof item !== 'string')) return formatAttribute({ key, label: facet.label }, spec)
  const texts = items.map((item) => facet.choices.find(({ value }) => value === item)?.label ?? `${item}`)
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
