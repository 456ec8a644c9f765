import type { Mender } from '#store/catalogue/definitions/mend-values.ts'
import { abbreviateCellValue, stringifyJson } from './cell-text.ts'
import type { ParsedRow } from './parse-products.ts'

/** A valid row with its values as the definitions write them, and a warning for each that the file writes otherwise. */
export function mendRow(row: ParsedRow, { spellBrand, findLikeNewBrand, mendSpecs }: Mender): ParsedRow {
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
  if (mends.length === 0 && like === undefined) return row
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
  const warnings = mends.map(({ field, before, after }) => ({
    column: field,
    found: abbreviateCellValue(`${asText(before)} → ${asText(after)}`),
    message: 'written as the catalogue writes it',
    isMend: true as const,
  }))
  return {
    ...row,
    product: {
      ...product,
      ...(brand !== undefined && { brand }),
      ...(specs && { specs: specs.specs }),
      ...(known && { specs_known: known.specs }),
      warnings: [...(product.warnings ?? []), ...ofMaker, ...warnings],
    },
  }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : stringifyJson(value))
