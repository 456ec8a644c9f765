import * as z from 'zod'
import { countrySchema, stateSchema } from '#shared/country-schema.ts'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { formatNumber } from '#shared/format-number.ts'
import { requiredTextSchema } from '#shared/required-text.ts'
import { wholeNumberSchema } from '#shared/whole-number.ts'
import { productLimits } from '#store/catalogue/contract.ts'
import { taxClasses } from '#store/catalogue/tax-class.ts'
import { taxKinds } from '#store/tax/compute-tax.ts'

/** The most lines that are previewed, as an order has. */
export const maxPreviewedLines = 100

export const CostPreviewQuestion = z.object({
  lines: z
    .array(
      z.object({
        sku: requiredTextSchema('Enter the SKU of a product', 100),
        quantity: wholeNumberSchema('Enter a whole number of pieces', (number) =>
          number.min(1, 'At least 1 piece').max(productLimits.maxQuantity, `At most ${formatNumber(productLimits.maxQuantity)} pieces`),
        ),
      }),
    )
    .min(1, 'Enter a product')
    .max(maxPreviewedLines, `At most ${maxPreviewedLines} products`),
  country: countrySchema,
  state: stateSchema.nullish(),
  postalCode: z.string().trim().max(20, 'At most 20 characters').nullish(),
  vatId: z.string().trim().max(30, 'At most 30 characters').nullish().meta({ description: 'of a business' }),
})

const ComputedTax = z
  .object({
    kind: z.enum(taxKinds),
    sentence: z.string().nullable().meta({ description: 'that has to stand on the invoice' }),
    byRate: z.array(z.object({ ratePpm: z.int(), netCents: z.int(), taxCents: z.int() })),
    taxCents: z.int(),
    netCents: z.int(),
  })
  .meta({ id: 'ComputedTax' })

export const CostPreview = z
  .object({
    lines: z.array(
      z.object({
        sku: z.string(),
        name: z.string(),
        quantity: z.int(),
        unitPriceCents: z.int(),
        totalCents: z.int(),
        taxClass: z.enum(taxClasses),
        weightGrams: z.int().nullable().meta({ description: 'of a piece' }),
      }),
    ),
    goodsCents: z.int(),
    pricesIncludeTax: z.boolean(),
    vatIdCountry: z.string().nullable().meta({ description: 'whose VAT id has this form; null: none is asked of, or it is wrong' }),
    refusals: z.array(z.object({ code: z.string(), message: z.string() })).meta({ description: 'why other methods do not fit' }),
    totals: z
      .array(
        z.object({
          method: z
            .object({
              methodId: z.uuid(),
              name: z.string(),
              carrier: z.string().nullable(),
              earliest: z.iso.date(),
              latest: z.iso.date(),
            })
            .nullable()
            .meta({ description: 'null: no method is set up, so delivery costs nothing' }),
          deliveryCents: z.int(),
          tax: ComputedTax,
          totalCents: z.int(),
        }),
      )
      .meta({ description: 'one for each method that fits, the cheapest first' }),
  })
  .meta({ id: 'CostPreview' })
export type CostPreview = z.infer<typeof CostPreview>

export const previewCost = {
  method: 'POST',
  url: '/cost-preview',
  schema: {
    tags: ['Delivery'],
    summary: 'What these products cost with delivery and tax, to this country, at list prices (admins)',
    description: 'Changes nothing, and asks neither stock nor minimum quantities.',
    security: bearerAuth,
    body: CostPreviewQuestion,
    response: { 200: CostPreview, default: ErrorResponse },
  },
} as const satisfies Endpoint
