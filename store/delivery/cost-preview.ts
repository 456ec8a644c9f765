import { and, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { lineTotal } from '#shared/money.ts'
import { isForSale, quantityTermsColumns } from '#store/catalogue/rules.ts'
import { costsTooMuchMessage, maxCardPaymentCents, unitPriceAt } from '#store/catalogue/settle-quantity.ts'
import { products } from '#store/catalogue/table.ts'
import { computeTax } from '#store/tax/compute-tax.ts'
import { findTaxTerms } from '#store/tax/rules.ts'
import { countryOfVatId } from '#store/tax/vat-id.ts'
import type { CostPreview, CostPreviewQuestion } from './cost-preview-contract.ts'
import { findDeliveryOptions, knownWeight } from './find-delivery-options.ts'

/**
 * What these products would cost there at list prices and price breaks, for each method of delivery that fits.
 * @throws {HttpError} 400 the goods cost more than an order can; 404 no product for sale has one of the SKUs
 */
export async function previewCost(db: Database, question: z.output<typeof CostPreviewQuestion>): Promise<CostPreview> {
  const { country, state, postalCode, vatId } = question
  const lines = await priceLines(db, question.lines)
  const goodsCents = lines.reduce((sum, { totalCents }) => sum + totalCents, 0)
  if (goodsCents > maxCardPaymentCents) throw new HttpError(400, costsTooMuchMessage(), { lines: costsTooMuchMessage() })
  const [delivery, terms] = await Promise.all([
    findDeliveryOptions(db, {
      lines: lines.map(({ productId, quantity, totalCents }) => ({ productId, quantity, amountCents: totalCents })),
      destination: { country, state: state ?? undefined, postalCode: postalCode ?? undefined },
    }),
    findTaxTerms(db, { country, state, vatId, isBusiness: Boolean(vatId) }),
  ])
  const taxedLines = lines.map(({ totalCents, taxClass }) => ({ amountCents: totalCents, taxClass }))
  const totalWith = (deliveryCents: number) => {
    const tax = computeTax({ lines: taxedLines, deliveryCents }, terms)
    return { deliveryCents, tax, totalCents: tax.totalCents }
  }
  return {
    lines,
    goodsCents,
    pricesIncludeTax: terms.pricesIncludeTax,
    vatIdCountry: vatId ? (countryOfVatId(vatId) ?? null) : null,
    refusals: delivery.refusals,
    totals: delivery.isSetUp
      ? delivery.options.map(({ priceCents, ...method }) => ({ method, ...totalWith(priceCents) }))
      : [{ method: null, ...totalWith(0) }],
  }
}

async function priceLines(db: Database, asked: { sku: string; quantity: number }[]) {
  const skus = asked.map(({ sku }) => sku)
  const found = await db
    .select({
      ...quantityTermsColumns,
      ...{ _id: products._id, sku: products.sku, name: products.name, category: products.category },
      ...{ taxClass: products.tax_class, weightGrams: products.weightGrams },
    })
    .from(products)
    .where(and(inArray(products.sku, skus), isForSale))
  const productsBySku = new Map(found.map((product) => [product.sku, product]))
  return asked.map(({ sku, quantity }, nth) => {
    const product = productsBySku.get(sku)
    if (!product)
      throw new HttpError(404, `No product for sale has the SKU ${sku}`, { [`lines.${nth}.sku`]: 'No product for sale has this SKU' })
    const unitPriceCents = unitPriceAt(product, quantity)
    const { _id: productId, name, taxClass } = product
    return {
      ...{ productId, sku, name, quantity, unitPriceCents, totalCents: lineTotal(unitPriceCents, quantity), taxClass },
      weightGrams: knownWeight(product),
    }
  })
}
