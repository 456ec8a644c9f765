import * as z from 'zod'
import { amountSchema } from '#shared/amount-schema.ts'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { formatNumber } from '#shared/format-number.ts'
import { imageUrlSchema } from '#shared/image-url-schema.ts'
import { centsToAmount, formatCents } from '#shared/money.ts'
import { requiredTextSchema } from '#shared/required-text.ts'
import { wholeNumberSchema } from '#shared/whole-number.ts'
import { Lowered } from './lowered-price.ts'
import { maxCardPaymentCents } from './settle-quantity.ts'

/** A product with the fields that the specification names. `price` is in the store's currency. `img` is never empty in responses. */
export const Product = z
  .object({
    _id: z.uuid(),
    name: z.string(),
    img: z.string(),
    description: z.string(),
    price: z.number().describe("in the store's currency, with at most two decimals"),
    minimum_order_quantity: z.int(),
    available_quantity: z.int(),
  })
  .meta({ id: 'Tool' })
export type Product = z.infer<typeof Product>

const PriceBreak = z
  .object({ min_quantity: z.int(), price: z.number().describe("in the store's currency, with at most two decimals") })
  .meta({ id: 'PriceBreak', description: 'from so many pieces on, each costs this' })

/** Stock that is on its way: so many pieces arrive on this day. */
export const Incoming = z.object({ quantity: z.int(), date: z.iso.date() }).meta({ id: 'Incoming' })
export type Incoming = z.infer<typeof Incoming>

/** Further fields of a product. An unknown value is null or an absent key, never zero. */
const productDetailFields = {
  order_multiple: z.int().meta({ description: 'pieces in a pack: only whole packs are sold' }),
  price_breaks: z.array(PriceBreak).meta({ description: 'quantities rise and prices fall' }),
  lowered: Lowered.nullable(),
  incoming: Incoming.nullable(),
  sku: z.string(),
  brand: z.string().nullable(),
  mpn: z.string().nullable(),
  category: z.string().nullable(),
  specs: z.record(z.string(), z.unknown()),
}

/** A product with all its data. `specs` are stored as imported; the definitions of the catalogue say what their keys mean (decision 0037). */
export const ProductDetails = Product.extend(productDetailFields).meta({ id: 'Part' })
export type ProductDetails = z.infer<typeof ProductDetails>

/** The highest price, in any currency, and the highest stock that can be stored. The total of one order is also limited to `maxPrice`. */
export const productLimits = {
  maxPrice: centsToAmount(maxCardPaymentCents),
  ...{ maxQuantity: 10_000_000, maxPriceBreaks: 10, maxWeightGrams: 1_000_000 },
}

const priceSchema = (requiredMessage: string) =>
  amountSchema(requiredMessage, (number) =>
    number
      .min(0.01, { error: () => `A product costs at least ${formatCents(1)}` })
      .max(productLimits.maxPrice, { error: () => `A product costs at most ${formatCents(maxCardPaymentCents)}` }),
  )
export const price = priceSchema('product price is required')
const minimumOrderQuantity = wholeNumberSchema('minimum order quantity is needed', (number) =>
  number
    .min(1, 'The minimum order quantity is at least 1')
    .max(productLimits.maxQuantity, `The minimum order quantity is at most ${formatNumber(productLimits.maxQuantity)}`),
)
const availableQuantity = wholeNumberSchema('available quantity is needed', (number) =>
  number
    .min(0, 'The available quantity cannot be below 0')
    .max(productLimits.maxQuantity, `The available quantity is at most ${formatNumber(productLimits.maxQuantity)}`),
)

const orderMultiple = wholeNumberSchema('order multiple is a whole number of pieces', (number) =>
  number
    .min(1, 'The order multiple is at least 1')
    .max(productLimits.maxQuantity, `The order multiple is at most ${formatNumber(productLimits.maxQuantity)}`),
)
const priceBreakQuantity = wholeNumberSchema('a price break begins at a whole number of pieces', (number) =>
  number
    .min(2, 'A price break begins at 2 pieces or more')
    .max(productLimits.maxQuantity, `A price break begins at ${formatNumber(productLimits.maxQuantity)} pieces or less`),
)
const priceBreakPrice = priceSchema('the price of a price break is an amount with at most two decimals, like 11.30')
const isFalling = (breaks: z.infer<typeof PriceBreak>[]) =>
  breaks.every(({ min_quantity, price }, nth) => {
    const previous = breaks[nth - 1]
    return !previous || (min_quantity > previous.min_quantity && price < previous.price)
  })
export const priceBreaks = z
  .array(z.object({ min_quantity: priceBreakQuantity, price: priceBreakPrice }), 'price breaks are a list of quantities and prices')
  .max(productLimits.maxPriceBreaks, `At most ${productLimits.maxPriceBreaks} price breaks`)
  .refine(isFalling, 'Each price break begins at more pieces, at a lower price, than the one before')

/** What a product with this minimum in packs of so many cannot be; undefined when it can. */
export const minimumMultipleError = (minimum: number, multiple: number): string | undefined =>
  minimum % multiple === 0 ? undefined : `Sold in packs of ${formatNumber(multiple)}: the minimum order quantity has to be a multiple of it`

const optionalText = (maxLength: number) => z.string().trim().max(maxLength, `At most ${maxLength} characters`)
const identifyingTexts = {
  brand: optionalText(200).optional(),
  mpn: optionalText(200).optional().describe("the maker's part number"),
  category: optionalText(100).optional().describe('its key, an alias of it, or its label; any other text is a new category'),
}

export const NewProduct = z.object({
  name: requiredTextSchema('product name is required', 200),
  img: imageUrlSchema('product img is required'),
  description: requiredTextSchema('product description needed', 5000),
  price,
  minimum_order_quantity: minimumOrderQuantity,
  available_quantity: availableQuantity,
  order_multiple: orderMultiple.optional().describe('1 where it is left out'),
  price_breaks: priceBreaks.optional().describe('none where they are left out'),
  sku: requiredTextSchema('Enter a SKU', 100).optional().describe('the key of the product in files: made up where it is left out'),
  ...identifyingTexts,
})

/**
 * The fields that an admin can change. `available_quantity_seen` is the stock that the admin saw: with it, the server adds the difference,
 * so that units sold meanwhile stay deducted. Without it, the quantity is absolute.
 */
export const ProductChanges = NewProduct.pick({ price: true, minimum_order_quantity: true, available_quantity: true }).extend({
  available_quantity_seen: availableQuantity.optional(),
  order_multiple: orderMultiple.optional().describe('unchanged where it is left out'),
  price_breaks: priceBreaks.optional().describe('unchanged where they are left out'),
  details: NewProduct.pick({ name: true, img: true, description: true })
    .partial()
    .extend(identifyingTexts)
    .optional()
    .describe('unchanged where they are left out; a brand, part number or category that is empty is cleared'),
})

/** In stock means everywhere that the stock covers the minimum order quantity. */
export const isInStock = (tool: Pick<Product, 'minimum_order_quantity' | 'available_quantity'>): boolean =>
  tool.available_quantity >= tool.minimum_order_quantity

/** A product is low on stock when its stock is below this multiple of its minimum order quantity. */
export const lowStockInMinimumOrders = 3

/** The stock levels that need an admin's attention, by which they filter. */
export const stockLevels = ['out', 'low'] as const
export type StockLevel = (typeof stockLevels)[number]

export const stockLevel = (tool: Pick<Product, 'minimum_order_quantity' | 'available_quantity'>): StockLevel | 'enough' => {
  if (!isInStock(tool)) return 'out'
  return tool.available_quantity < lowStockInMinimumOrders * tool.minimum_order_quantity ? 'low' : 'enough'
}

/** A product that was removed from the catalogue; `removedAt` is an ISO 8601 timestamp. */
export const RemovedProduct = Product.pick({ _id: true, name: true, price: true })
  .extend({ sku: z.string(), removedAt: z.string() })
  .meta({ id: 'RemovedTool' })
export type RemovedProduct = z.infer<typeof RemovedProduct>
/** How many removed products are listed. An older one can still be restored by its id, or by an import with its SKU. */
export const maxRemovedProductsListed = 100

const tags = ['Catalogue']
export const ProductIdParams = z.object({ id: z.uuid('There is no such product').toLowerCase() })

export const listProducts = {
  method: 'GET',
  url: '/tools',
  schema: { tags, summary: 'All products, oldest first', response: { 200: z.array(Product), default: ErrorResponse } },
} as const satisfies Endpoint

export const showProduct = {
  method: 'GET',
  url: '/tools/:id',
  schema: { tags, summary: 'One product', params: ProductIdParams, response: { 200: Product, default: ErrorResponse } },
} as const satisfies Endpoint

export const addProduct = {
  method: 'POST',
  url: '/tools',
  schema: {
    tags,
    summary: 'Add a product; 409 `conflict` where another has its SKU',
    security: bearerAuth,
    body: NewProduct,
    response: { 201: Product, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const updateProduct = {
  method: 'PUT',
  url: '/tools/:id',
  schema: {
    tags,
    summary: 'Change price, minimum and stock, and what else is named',
    security: bearerAuth,
    params: ProductIdParams,
    body: ProductChanges,
    response: { 200: Product, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const removeProduct = {
  method: 'DELETE',
  url: '/tools/:id',
  schema: {
    tags,
    summary: 'Take a product out of the catalogue; its orders keep it',
    security: bearerAuth,
    params: ProductIdParams,
    response: { 200: Product, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const listRemovedProducts = {
  method: 'GET',
  url: '/tools/removed',
  schema: {
    tags,
    summary: `The ${maxRemovedProductsListed} products that were removed last, newest first`,
    security: bearerAuth,
    response: { 200: z.array(RemovedProduct), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const restoreProduct = {
  method: 'PUT',
  url: '/tools/restored/:id',
  schema: {
    tags,
    summary: 'Bring a removed product back into the catalogue, as it was',
    security: bearerAuth,
    params: ProductIdParams,
    response: { 200: Product, default: ErrorResponse },
  },
} as const satisfies Endpoint
