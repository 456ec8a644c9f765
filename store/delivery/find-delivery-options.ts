import { inArray } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { Cents } from '#shared/money.ts'
import { categoryOf } from '#store/catalogue/categories.ts'
import { products } from '#store/catalogue/table.ts'
import { type DeliveredLine, type DeliveryOptions, type Destination, deliveryOptions } from './delivery-options.ts'
import { type DeliverySetup, findDeliverySetup } from './rules.ts'

/** A line of a basket or an order: `amountCents` after reductions. */
type BasketLine = { productId: string; quantity: number; amountCents: Cents }

/**
 * The methods by which these products can be delivered there, with price and days of arrival, as they are set now. Lines of unknown products
 * have no weight.
 */
export async function findDeliveryOptions(
  db: Database,
  { lines, destination, now = new Date() }: { lines: BasketLine[]; destination: Destination; now?: Date },
): Promise<DeliveryOptions> {
  const ids = [...new Set(lines.map(({ productId }) => productId))]
  const setup = await findDeliverySetup(db)
  const found = await db
    .select({ _id: products._id, category: products.category, weightGrams: products.weightGrams })
    .from(products)
    .where(inArray(products._id, ids))
  const productsById = new Map(found.map((product) => [product._id, product]))
  const delivered = lines.map(({ productId, quantity, amountCents }) => {
    const { category = null, weightGrams = null } = productsById.get(productId) ?? {}
    return { category, weightGrams, quantity, amountCents }
  })
  return deliveryOptionsOf(setup, { lines: delivered, destination, now })
}

/**
 * The same of lines whose products are known.
 * @param lines `weightGrams` of the product alone: what its category or the shop says of unknown weights is found here
 */
export const deliveryOptionsOf = (
  setup: DeliverySetup,
  { lines, destination, now }: { lines: DeliveredLine[]; destination: Destination; now: Date },
): DeliveryOptions =>
  deliveryOptions({
    ...{ zones: setup.zones, methods: setup.methods, destination, now },
    lines: lines.map((line) => ({
      ...line,
      category: categoryOf(line.category)?.key ?? line.category,
      weightGrams: knownWeight(line) ?? setup.settings.unknownWeightGrams,
    })),
    calendar: { timeZone: setup.settings.timeZone, holidays: setup.holidays.map(({ day }) => day) },
  })

/** Grams of a piece: of the product, else of its category; null where neither is known. */
export const knownWeight = ({ category, weightGrams }: { category: string | null; weightGrams: number | null }): number | null =>
  weightGrams ?? categoryOf(category)?.weightG ?? null
