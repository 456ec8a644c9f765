import { formatNumber } from '#shared/format-number.ts'
import { type Cents, dollarsToCents, formatCents, lineTotal } from '#shared/money.ts'

// Without zod, so that public pages, which ask for a quantity too, do not load it.

/** From `min_quantity` pieces on, each piece costs `price` dollars. */
export type PriceBreak = { min_quantity: number; price: number }

/** What decides how many pieces of a product can be ordered, and at which price. */
export type QuantityTerms = {
  price: number
  minimum_order_quantity: number
  available_quantity: number
  /** pieces in a pack: only whole packs are sold. The minimum is a multiple of it */
  order_multiple: number
  price_breaks: PriceBreak[]
}

/** The least and the most that the card provider takes in one payment. */
export const orderCostLimits = { minCents: 50, maxCents: 99_999_900 }

export const quantityRequiredMessage = 'Enter a whole number of pieces'

/** The price of one piece when so many are ordered: the lowest that applies. */
export const unitPriceAt = ({ price, price_breaks }: Pick<QuantityTerms, 'price' | 'price_breaks'>, quantity: number): Cents =>
  Math.min(
    dollarsToCents(price),
    ...price_breaks.filter(({ min_quantity }) => quantity >= min_quantity).map((priceBreak) => dollarsToCents(priceBreak.price)),
  )

/** What so many pieces of a product cost. */
export const costOf = (product: Pick<QuantityTerms, 'price' | 'price_breaks'>, quantity: number): Cents =>
  lineTotal(unitPriceAt(product, quantity), quantity)

/** What one piece costs from the smallest order on, and from each quantity at which it costs less. */
export function priceSteps(product: Pick<QuantityTerms, 'price' | 'minimum_order_quantity' | 'price_breaks'>) {
  const minimum = product.minimum_order_quantity
  const quantities = [minimum, ...product.price_breaks.map(({ min_quantity }) => min_quantity).filter((quantity) => quantity > minimum)]
  const steps = quantities.map((quantity) => ({ quantity, unitPriceCents: unitPriceAt(product, quantity) }))
  return steps.filter(({ unitPriceCents }, nth) => unitPriceCents < (steps[nth - 1]?.unitPriceCents ?? Number.POSITIVE_INFINITY))
}

export type QuantityProblem = {
  code: 'not_a_whole_number' | 'below_minimum' | 'costs_too_little' | 'stock_too_low' | 'costs_too_much' | 'not_a_multiple'
  message: string
}

export type SettledQuantity = {
  /** the nearest quantity that can be ordered: the requested one, unless there is a problem. Undefined when none can be */
  quantity: number | undefined
  /** of the requested quantity */
  unitPriceCents: Cents
  /** of the requested quantity */
  totalCents: Cents
  /** why the requested quantity cannot be ordered, the most important reason first */
  problems: QuantityProblem[]
  /** a larger quantity that costs no more, because its pieces are cheaper */
  cheaper: { quantity: number; totalCents: Cents } | undefined
}

/**
 * Whether so many pieces of a product can be ordered, what they cost, and which quantity to propose instead. The same in the browser and on
 * the server. Screens propose a quantity; calls never change one.
 * @param requested pieces; NaN when no whole number was typed
 */
export function settleQuantity(product: QuantityTerms, requested: number): SettledQuantity {
  const range = orderableRange(product)
  if (!Number.isInteger(requested))
    return {
      quantity: range?.lowest,
      unitPriceCents: unitPriceAt(product, 0),
      totalCents: Number.NaN,
      problems: [{ code: 'not_a_whole_number', message: quantityRequiredMessage }],
      cheaper: undefined,
    }
  const problems = findProblems(product, requested, range)
  const totalCents = costOf(product, requested)
  return {
    quantity: problems.length === 0 ? requested : range && nearestOrderable(product, requested, range),
    unitPriceCents: unitPriceAt(product, requested),
    totalCents,
    problems,
    cheaper: problems.length === 0 ? findCheaper(product, requested, totalCents, range) : undefined,
  }
}

const roundDown = (quantity: number, multiple: number) => Math.floor(quantity / multiple) * multiple
const roundUp = (quantity: number, multiple: number) => Math.ceil(quantity / multiple) * multiple

type OrderableRange = { lowest: number; highest: number }

/** The fewest and the most pieces that can be ordered; undefined when none can be. */
function orderableRange(product: QuantityTerms): OrderableRange | undefined {
  const { minimum_order_quantity, available_quantity, order_multiple } = product
  let lowest = roundUp(minimum_order_quantity, order_multiple)
  while (costOf(product, lowest) < orderCostLimits.minCents) lowest += order_multiple
  let highest = roundDown(available_quantity, order_multiple)
  // The next guess is as many as the price at this one allows: more would cost too much at their price, or at a higher one.
  while (highest > 0 && costOf(product, highest) > orderCostLimits.maxCents)
    highest = roundDown(orderCostLimits.maxCents / unitPriceAt(product, highest), order_multiple)
  return lowest <= highest ? { lowest, highest } : undefined
}

function findProblems(product: QuantityTerms, requested: number, range: OrderableRange | undefined): QuantityProblem[] {
  const { minimum_order_quantity: min, available_quantity: available, order_multiple: multiple } = product
  const totalCents = costOf(product, requested)
  const { minCents, maxCents } = orderCostLimits
  const problems: (QuantityProblem | false)[] = [
    requested < min && { code: 'below_minimum', message: `You must have to order ${formatNumber(min)} pieces` },
    totalCents < minCents && {
      code: 'costs_too_little',
      message: `An order costs at least ${formatCents(minCents)}, the least that a card can pay`,
    },
    requested > available && { code: 'stock_too_low', message: `You can't order more than ${formatNumber(available)} pieces` },
    totalCents > maxCents && { code: 'costs_too_much', message: `An order costs at most ${formatCents(maxCents)}` },
    requested % multiple !== 0 && { code: 'not_a_multiple', message: notAMultipleMessage(requested, multiple, range) },
  ]
  return problems.filter((problem) => problem !== false)
}

function notAMultipleMessage(requested: number, multiple: number, range: OrderableRange | undefined): string {
  const neighbours = [roundDown(requested, multiple), roundUp(requested, multiple)]
    .filter((quantity) => range && quantity >= range.lowest && quantity <= range.highest)
    .map(formatNumber)
  const packs = `Sold in packs of ${formatNumber(multiple)}`
  return neighbours.length === 0 ? packs : `${packs}: order ${neighbours.join(' or ')} pieces`
}

function nearestOrderable({ order_multiple }: QuantityTerms, requested: number, { lowest, highest }: OrderableRange): number {
  return Math.min(Math.max(roundUp(requested, order_multiple), lowest), highest)
}

function findCheaper(product: QuantityTerms, requested: number, totalCents: Cents, range: OrderableRange | undefined) {
  return product.price_breaks
    .map(({ min_quantity }) => roundUp(min_quantity, product.order_multiple))
    .filter((quantity) => range && quantity > requested && quantity <= range.highest)
    .map((quantity) => ({ quantity, totalCents: costOf(product, quantity) }))
    .find((larger) => larger.totalCents <= totalCents)
}
