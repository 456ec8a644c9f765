import type { Database } from '#platform/database.ts'
import { countryCodes } from '#shared/countries.ts'
import type { Cents } from '#shared/money.ts'
import { stateCodeOf } from '#shared/states.ts'
import type { TaxClass } from '#store/catalogue/tax-class.ts'
import type { ChargeSettings } from '#store/delivery/charge-settings.ts'
import type { DeliveryOptions } from '#store/delivery/delivery-options.ts'
import { deliveryOptionsOf } from '#store/delivery/find-delivery-options.ts'
import { findDeliverySetup } from '#store/delivery/rules.ts'
import { type ComputedOrderCharges, computeOrderCharges } from '#store/orders/order-charges.ts'
import { type ComputedTax, computeTax } from '#store/tax/compute-tax.ts'
import { taxTermsFor } from '#store/tax/tax-terms.ts'
import type { CheckoutMethod } from './contract.ts'

/** A line of a cart with what it costs after reductions, and what of its product decides delivery and tax. */
export type ChargedLine = {
  productId: string
  quantity: number
  amountCents: Cents
  taxClass: TaxClass
  category: string | null
  weightGrams: number | null
}

/** Where a cart goes, and to whom. */
export type ChargedDestination = {
  country: string
  state?: string | undefined
  postalCode?: string | undefined
  vatId?: string | undefined
}

/** What an order costs besides its goods. */
export type Charges = { deliveryCents: Cents; tax: ComputedTax; pricesIncludeTax: boolean }

export type ComputedCharges = Charges & {
  /** the cheapest first; empty until the store has set up any, and where none fits */
  methods: CheckoutMethod[]
  /** the one that was asked for, if it fits, else the cheapest; null where there is none */
  method: CheckoutMethod | null
  /** what the order is placed with */
  ofOrder: ComputedOrderCharges
  /** why nothing can be delivered there; null where it can, or where delivery is not set up */
  problem: string | null
}

/**
 * Delivery and tax of these lines at a destination, by these settings. What is not set up costs nothing, and nothing is said of it.
 * @param chosenMethod the id of a method
 */
export function computeCharges(
  settings: ChargeSettings,
  lines: ChargedLine[],
  destination: ChargedDestination,
  chosenMethod: string | undefined,
): ComputedCharges {
  const { country, postalCode, vatId } = destination
  const state = stateCodeOf(country, destination.state)
  const delivery =
    lines.length > 0
      ? deliveryOptionsOf(settings.delivery, { lines, destination: { country, state, postalCode }, now: new Date() })
      : nothingToDeliver
  const terms = taxTermsFor(settings.tax, { country, state, vatId, isBusiness: Boolean(vatId) })
  const methods = delivery.options.map(({ methodId: id, ...method }) => ({ id, ...method }))
  const method = methods.find(({ id }) => id === chosenMethod) ?? methods[0] ?? null
  const deliveryCents = method?.priceCents ?? 0
  const taxed = lines.map(({ amountCents, taxClass }) => ({ amountCents, taxClass }))
  const tax = computeTax({ lines: taxed, deliveryCents }, terms)
  return {
    deliveryCents,
    tax,
    ofOrder: computeOrderCharges(taxed, deliveryCents, terms, tax),
    pricesIncludeTax: terms.pricesIncludeTax,
    methods,
    method,
    problem: delivery.isSetUp && methods.length === 0 ? delivery.refusals.map(({ message }) => message).join('. ') : null,
  }
}

const nothingToDeliver: DeliveryOptions = { isSetUp: false, options: [], refusals: [] }

/** The countries that a zone with a method reaches; all of them until there is one. */
export async function findDeliveredCountries(db: Database): Promise<string[]> {
  const { zones, methods } = await findDeliverySetup(db)
  const reached = zones.filter(({ _id }) => methods.some(({ zoneId }) => zoneId === _id))
  if (methods.length === 0 || reached.some(({ countries }) => countries.length === 0)) return [...countryCodes]
  return [...new Set(reached.flatMap(({ countries }) => countries))].sort()
}
