import type { Mend, Mender } from '#store/catalogue/definitions/mend-values.ts'
import type { NewChoice } from '#store/catalogue/definitions/new-choices.ts'
import { abbreviateCellValue, stringifyJson } from './cell-text.ts'
import type { ParsedRow, RowWarning } from './parse-products.ts'

/** A valid row with its values as the definitions write them, and a warning for each that the file writes otherwise. */
export function mendRow(row: ParsedRow, { spellBrand, findLikeNewBrand, mendSpecs, findNewChoices }: Mender): ParsedRow {
  const { product } = row
  if (!product) return row
  const category = typeof product.category === 'string' ? product.category : null
  const brand = typeof product.brand === 'string' ? spellBrand(product.brand) : product.brand
  const [specs, known] = [product.specs, product.specs_known].map((values) => values && mendSpecs(category, values))
  const mends = [
    ...(brand === product.brand ? [] : [{ field: 'brand', before: product.brand, after: brand }]),
    ...[specs, known].flatMap((mended) => mended?.mends ?? []),
  ]
  const like = typeof brand === 'string' ? findLikeNewBrand(brand) : undefined
  const newChoices = [specs, known].flatMap((mended) => (mended ? findNewChoices(category, mended.specs) : []))
  if (mends.length === 0 && newChoices.length === 0 && like === undefined) return row
  const ofMaker =
    like === undefined
      ? []
      : [
          {
            column: 'brand',
            found: abbreviateCellValue(brand),
            message: `a maker that the catalogue does not have${like === null ? '' : `; it has ${like}`}`,
          },
        ]
  return {
    ...row,
    product: {
      ...product,
      ...(brand !== undefined && { brand }),
      ...(specs && { specs: specs.specs }),
      ...(known && { specs_known: known.specs }),
      warnings: [...(product.warnings ?? []), ...ofMaker, ...newChoices.map(newChoiceWarning), ...mends.map(mendWarning)],
    },
  }
}

const newChoiceWarning = ({ field, value, like }: NewChoice): RowWarning => ({
  column: field,
  found: abbreviateCellValue(value),
  message: `a value that no product of the category has so far; the nearest is ${abbreviateCellValue(like)}`,
})

export const mendWarning = ({ field, before, after }: Mend): RowWarning => ({
  column: field,
  found: abbreviateCellValue(`${asText(before)} → ${asText(after)}`),
  message: 'written as the catalogue writes it',
  isMend: true,
})

const asText = (value: unknown) => (typeof value === 'string' ? value : stringifyJson(value))
