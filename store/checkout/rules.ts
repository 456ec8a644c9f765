import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import type { CartVisitor } from '#store/cart/rules.ts'
import { withWrongCodeLimit } from '#store/catalogue/pricing/discount-codes.ts'
import { listAddressesOf, toPostalAddress } from '#store/companies/addresses.ts'
import { findCompany } from '#store/companies/rules.ts'
import { chargeSettingsOf, findChargeSettings } from '#store/delivery/charge-settings.ts'
import type { User } from '#store/identity/contract.ts'
import { findLastDetails } from '#store/orders/details/rules.ts'
import { findOfferedMethods } from '#store/orders/payment-methods/rules.ts'
import { findCartToOrder } from './cart-to-order.ts'
import { type ComputedCharges, computeCharges } from './charges.ts'
import type { CheckoutDefaults, CheckoutEstimate, EstimateQuery } from './contract.ts'
import { type PricedCart, priceCart } from './priced-cart.ts'

/**
 * What the visitor's cart costs with delivery and tax at a destination, now. An unpaid order of this cart does not count against it: placing
 * the cart again would replace it.
 * @param network that the visitor comes from, hashed by `hashBuyerNetwork`: wrong discount codes are counted by it
 * @throws {HttpError} 400 the discount code cannot be used; 429 too many codes that cannot be
 */
export async function estimate(
  db: Database,
  visitor: CartVisitor,
  query: z.output<typeof EstimateQuery>,
  network: string,
): Promise<CheckoutEstimate> {
  const { discountCode, deliveryMethod, ...destination } = query
  const cart = await findCartToOrder(db, visitor)
  const codeUser = { id: cart?.userId ?? null, network }
  const price = () => priceCart(db, cart, { discountCode, network })
  const priced = await (discountCode === undefined ? price() : withWrongCodeLimit(db, codeUser, price))
  const settings = await (cart ? chargeSettingsOf(db, cart.settingsVersion) : findChargeSettings(db))
  const charges = computeCharges(settings, priced.lines, destination, deliveryMethod)
  const withoutCode = computeCharges(settings, priced.linesBeforeCode, destination, charges.method?.id)
  return {
    totals: totalsOf(priced, charges),
    pricesIncludeTax: charges.pricesIncludeTax,
    taxes: charges.tax.byRate,
    taxSentence: charges.tax.sentence,
    methods: charges.methods,
    chosenMethod: charges.method?.id ?? null,
    deliveryCentsWithoutCode: withoutCode.method?.id === charges.method?.id ? withoutCode.deliveryCents : charges.deliveryCents,
    problem: charges.problem,
    paymentMethods: await findOfferedMethods(db, { userId: cart?.userId, totalCents: charges.tax.totalCents }),
  }
}

const totalsOf = ({ goodsCents, reductionCents }: PricedCart, { deliveryCents, tax }: ComputedCharges) => ({
  goodsCents,
  reductionCents,
  deliveryCents,
  taxCents: tax.taxCents,
  totalCents: tax.totalCents,
})

/**
 * What a customer has typed at their last checkout; of a first one their name alone is known. What a member orders is the order of the company,
 * so its name and VAT id stand in the place of what was typed, and its first address where nothing was.
 */
export async function findDefaults(db: Database, user: User): Promise<CheckoutDefaults> {
  const [last, company] = await Promise.all([findLastDetails(db, user.id), findCompany(db, user)])
  const addresses = company ? await listAddressesOf(db, company._id) : []
  const first = addresses.find(({ forDelivery }) => forDelivery)
  return {
    name: last?.name ?? user.name,
    phone: last?.phone ?? null,
    deliverTo: last?.deliverTo ?? (first ? toPostalAddress(first) : null),
    billTo: last?.billTo ?? null,
    company: company?.name ?? last?.company ?? null,
    vatId: company ? company.vatId : (last?.vatId ?? null),
    buyerReference: last?.buyerReference ?? null,
    ofCompany: company ? { name: company.name, addresses } : null,
  }
}
