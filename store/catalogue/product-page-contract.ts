import * as z from 'zod'
import { type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { ProductDetails, ProductIdParams } from './contract.ts'
import { knownThingNames } from './drawing-contract.ts'

/** A product attribute formatted for display. */
export const ProductAttribute = z.object({
  ...{ key: z.string(), label: z.string(), text: z.string() },
  group: z.string().optional().describe('what it is about, such as "Size"'),
})
export type ProductAttribute = z.infer<typeof ProductAttribute>

/** A document about a product at its maker's site or elsewhere. */
export const ProductDocument = z.object({
  label: z.string().describe('what it is, such as "Datasheet"'),
  ...{ url: z.string().describe('an https address'), host: z.string() },
})
export type ProductDocument = z.infer<typeof ProductDocument>

/** A part of a family: the same in another colour or size. */
export const FamilyMember = z.object({
  ...{ _id: z.uuid(), sku: z.string(), price: z.number(), available_quantity: z.int(), in_stock: z.boolean() },
  label: z.string().describe('what tells it from the others, such as "Black / Red"'),
})
export type FamilyMember = z.infer<typeof FamilyMember>

/** A product as it is shown beside another. */
const ProductBeside = ProductDetails.pick({
  ...{ _id: true, name: true, img: true, price: true, minimum_order_quantity: true, available_quantity: true },
  ...{ order_multiple: true, price_breaks: true, lowered: true, sku: true },
})

/** A product that can be bought instead of another, which the definition of their category says (`replacedBy`). */
export const Replacement = z.object({
  part: ProductBeside,
  advantage: z.enum(['cheaper', 'better', 'in_stock']),
  differences: z.array(z.string()).describe('the price and what is better, such as "$12 less" and "Capacity 32 GB instead of 16 GB"'),
  losses: z.array(z.string()).describe('what is worse or not stated'),
})
export type Replacement = z.infer<typeof Replacement>

/** Products of a category that are used with another, which the definition of its category says (`goesWith`). */
export const GoesWith = z.object({
  category: z.object({ value: z.string(), label: z.string() }),
  fits: z.array(z.string()).describe('why they fit, such as "AM5" and "Longest graphics card from 305 mm"'),
  ...{ total: z.int(), query: z.string().describe('the parameters that find all of them') },
  parts: z.array(ProductBeside),
})
export type GoesWith = z.infer<typeof GoesWith>

const DeliveryPrice = z.object({
  priceCents: z.int(),
  daysFrom: z.int(),
  daysTo: z.int().describe('working days from the order to arrival'),
})

/** What delivery costs at least, where it goes to being unknown. */
export const DeliveryOffer = z.object({
  cheapest: DeliveryPrice,
  quickest: DeliveryPrice.nullable().describe('null: none is quicker than the cheapest'),
})
export type DeliveryOffer = z.infer<typeof DeliveryOffer>

/** The reviews of a product that are shown. `rating` is out of 5, in steps of 0.5. */
export const ProductRatings = z.object({
  count: z.int(),
  average: z.number().nullable().describe('null: there is no review'),
  stars: z.array(z.int()).describe('how many have one star, two stars and so on; half a star more stays with the whole one'),
})
export type ProductRatings = z.infer<typeof ProductRatings>

/** A review of a product by who has bought it here. */
export const ProductReview = z
  .object({
    ...{ _id: z.uuid(), name: z.string(), about: z.string(), rating: z.number(), postedAt: z.iso.datetime() },
    bought: z.boolean().meta({ description: 'its author has paid for the product here, in an order that still stands' }),
  })
  .meta({ id: 'ProductReview' })
export type ProductReview = z.infer<typeof ProductReview>

/** How many reviews the page of a product shows. */
export const maxReviewsOnProductPage = 3

/** What the page of a product says of its reviews. */
export const ReviewsOnProductPage = ProductRatings.extend({
  newest: z.array(ProductReview).describe(`at most ${maxReviewsOnProductPage}, newest first`),
})
export type ReviewsOnProductPage = z.infer<typeof ReviewsOnProductPage>

export const ProductPage = z.object({
  part: ProductDetails,
  description: z.string().meta({ description: 'as it was written, or sentences from the attributes where nothing but the name was' }),
  category: z.object({ value: z.string(), label: z.string() }).nullable(),
  details: z.array(ProductAttribute),
  documents: z.array(ProductDocument).meta({ description: 'attributes that are https addresses, such as `datasheet_url`' }),
  drawing: z
    .object({ dimensions: z.array(z.string()), beside: z.array(z.enum(knownThingNames)) })
    .nullable()
    .meta({
      description: 'of its drawing: the lengths that it says, and beside what it can be drawn; null if it is not drawn from its specs',
    }),
  family: z
    .array(FamilyMember)
    .meta({ description: 'the same part in other colours or sizes, itself among them; empty where it is the only one' }),
  related: z.array(ProductDetails).meta({
    description: 'others of its category at about its price, or at any where there is none; empty where there are replacements',
  }),
  replacements: z.array(Replacement).meta({ description: 'others in stock that can be bought instead of it' }),
  goes_with: z.array(GoesWith).meta({ description: 'others in stock that are used with it, by category' }),
  qr_code: z.string().meta({ description: 'of the address of its page, for paper: an image as a data URL in which a module is a pixel' }),
  delivery: DeliveryOffer.nullable().meta({ description: 'of its smallest order; null where the shop charges no delivery, or sends none' }),
  reviews: ReviewsOnProductPage,
})
export type ProductPage = z.infer<typeof ProductPage>

export const showProductPage = {
  method: 'GET',
  url: '/products/:id',
  schema: {
    tags: ['Catalogue'],
    summary: 'One product with all that is known of it, and others of its category',
    params: ProductIdParams,
    response: { 200: ProductPage, default: ErrorResponse },
  },
} as const satisfies Endpoint
