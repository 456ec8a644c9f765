import { eq } from 'drizzle-orm'
import type { ChangeNotifier } from '#platform/change-notifier.ts'
import type { Database } from '#platform/database.ts'
import { categoryOf } from '#store/catalogue/categories.ts'
import type { ProductDetails } from '#store/catalogue/contract.ts'
import type { DeliveryOffer } from '#store/catalogue/product-page-contract.ts'
import { costOf } from '#store/catalogue/settle-quantity.ts'
import { products } from '#store/catalogue/table.ts'
import type { Topic } from '#store/topics.ts'
import { type DeliveredLine, type DeliveryMethod, methodPrice } from './delivery-options.ts'
import { knownWeight } from './find-delivery-options.ts'
import { type DeliverySetup, findDeliverySetup } from './rules.ts'

/** As the page cache has it, for a notification that was lost. */
const maxAgeMs = 60_000

/**
 * What the delivery of the smallest order of a product costs, by any method of the shop: where it goes to is unknown. The methods are read
 * once, and anew once they have changed. Null where the shop has no methods or none takes the product.
 */
export function createDeliveryOfferFinder(
  db: Database,
  changes: Pick<ChangeNotifier<Topic>, 'onChange'>,
): (product: ProductDetails) => Promise<DeliveryOffer | null> {
  let known: { setup: Promise<DeliverySetup>; readAt: number } | undefined
  changes.onChange('sale-terms', () => {
    known = undefined
  })

  function readSetup(): Promise<DeliverySetup> {
    if (known && Date.now() - known.readAt < maxAgeMs) return known.setup
    const setup = findDeliverySetup(db)
    const reading = { setup, readAt: Date.now() }
    known = reading
    setup.catch(() => {
      if (known === reading) known = undefined
    })
    return setup
  }

  return async (product) => {
    const { methods, settings } = await readSetup()
    if (methods.length === 0) return null
    const [stored] = await db.select({ weightGrams: products.weightGrams }).from(products).where(eq(products._id, product._id))
    const quantity = product.minimum_order_quantity
    const category = categoryOf(product.category)?.key ?? product.category
    const weightGrams = knownWeight({ category, weightGrams: stored?.weightGrams ?? null }) ?? settings.unknownWeightGrams
    return offerOf(methods, { category, weightGrams, quantity, amountCents: costOf(product, quantity) })
  }
}

function offerOf(methods: DeliveryMethod[], line: DeliveredLine): DeliveryOffer | null {
  const offers = methods.flatMap((method) => {
    const price = methodPrice(method, [line])
    if (typeof price !== 'number') return []
    const { handlingDays, daysFrom, daysTo } = method
    return [{ priceCents: price, daysFrom: handlingDays + daysFrom, daysTo: handlingDays + daysTo }]
  })
  const cheapest = offers.toSorted((a, b) => a.priceCents - b.priceCents || a.daysTo - b.daysTo)[0]
  if (!cheapest) return null
  const quickest = offers.toSorted((a, b) => a.daysTo - b.daysTo || a.priceCents - b.priceCents)[0]
  return { cheapest, quickest: quickest && quickest.daysTo < cheapest.daysTo ? quickest : null }
}
