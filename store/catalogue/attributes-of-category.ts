import type { AttributeDefinition, Category } from './categories.ts'
import type { ProductDetails } from './contract.ts'
import { attributeNumber, facetValues } from './product-attributes.ts'

/* What a product states of the attributes that its category defines. */

export const definitionOf = ({ attributes }: Category, key: string): AttributeDefinition | undefined =>
  attributes.find((one) => one.key === key)

/** Empty where the product does not state it. */
export function valuesOf({ specs }: ProductDetails, category: Category, key: string): string[] {
  const attribute = definitionOf(category, key)
  return attribute ? facetValues(attribute, specs[key]) : []
}

export function numberOf(part: ProductDetails, category: Category, key: string): number | undefined {
  const attribute = definitionOf(category, key)
  return attribute && attributeNumber(attribute, part)
}
