import { labelWithinSentence } from '#shared/label-within-sentence.ts'
import { categoryOf } from './categories.ts'
import type { ProductDetails } from './contract.ts'
import type { ProductAttribute } from './product-page-contract.ts'

const maxAttributesOfGroup = 4

/** Longer ones, such as all connectors of a board, stand in the table of attributes alone. */
const maxAttributeCharacters = 40

type Described = Pick<ProductDetails, 'name' | 'description' | 'brand' | 'mpn' | 'category'>

/**
 * The description of a product as it was written, or a few sentences from what is known of the product. An import without a description puts the
 * name there, so a description that is the name says nothing.
 * @param categoryLabel such as "Graphics cards"
 * @param attributes with their labels, texts and groups, in the order in which they are shown
 */
export function descriptionOrAttributes(product: Described, categoryLabel: string | undefined, attributes: ProductAttribute[]): string {
  const { name, description, brand, mpn, category } = product
  if (description.trim() !== name.trim()) return description
  const derived = new Set(categoryOf(category)?.attributes.flatMap((one) => (one.derived ? one.key : []))) // follow from the price, as they stand beside it
  const sentences = [
    endSentence(categoryLabel ? `${categoryLabel}${brand ? ` by ${brand}` : ''}: ${name}` : brand ? `${name}, made by ${brand}` : name),
    ...sentencesByGroup(attributes.filter(({ key, text }) => !derived.has(key) && text.length <= maxAttributeCharacters)),
    ...(mpn ? [endSentence(`The maker's part number is ${mpn}`)] : []),
  ]
  return categoryLabel || brand || sentences.length > 1 ? sentences.join(' ') : description
}

const endSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Such as "Size: height 158 mm; width 125 mm." What belongs to no group stands last. */
function sentencesByGroup(attributes: ProductAttribute[]): string[] {
  const groups = Map.groupBy(attributes, ({ group }) => group)
  const named = [...groups].flatMap(([group, members]) => (group === undefined ? [] : [{ heading: group, members }]))
  const rest = groups.get(undefined) ?? []
  return [...named, ...(rest.length > 0 ? [{ heading: named.length > 0 ? 'Further' : 'It has', members: rest }] : [])].map(
    ({ heading, members }) =>
      endSentence(
        `${heading}: ${members
          .slice(0, maxAttributesOfGroup)
          .map((one) => phraseOf(one, heading))
          .join('; ')}`,
      ),
  )
}

/** The text alone where the label is the heading: "Size: 120 mm." */
function phraseOf({ label, text }: ProductAttribute, heading: string): string {
  if (label === heading) return text
  const start = labelWithinSentence(label)
  return text === 'Yes' || text === 'No' ? `${start}: ${text.toLowerCase()}` : `${start} ${text}`
}
