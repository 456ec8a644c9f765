import { storeCurrency } from '#shared/currency.ts'
import { formatNumber } from '#shared/format-number.ts'
import { amountToCents, type Cents, formatCents, lineTotal } from '#shared/money.ts'

// Without zod, so that public pages, which ask for a quantity too, do not load it.

/** From `min_quantity` pieces on, each piece costs `price`. */
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

/** Why a buyer pays a price for one piece: the price of the catalogue, one of its breaks, or a price that the buyer or their group has. */
export const priceReasons = ['list', 'price break', 'customer', 'group'] as const

/** The terms of a product for a buyer with this price of their own: never more than the price of the catalogue. */
export const termsForBuyer = <Terms extends Pick<QuantityTerms, 'price'>>(product: Terms, ownPrice: number | undefined): Terms => ({
  ...product,
  price: Math.min(product.price, ownPrice ?? Infinity),
})

/** The most that the card provider takes in one payment. The least is `minCents` of the store's currency. */
export const maxCardPaymentCents: Cents = 99_999_900

export const costsTooLittleMessage = () => `An order costs at least ${formatCents(storeCurrency().minCents)}, the least that a card can pay`
export const costsTooMuchMessage = () => `An order costs at most ${formatCents(maxCardPaymentCents)}`

export const quantityRequiredMessage = 'Enter a whole number of pieces'

/** The price of one piece when so many are ordered: the lowest that applies. */
export const unitPriceAt = ({ price, price_breaks }: Pick<QuantityTerms, 'price' | 'price_breaks'>, quantity: number): Cents =>
  Math.min(
    amountToCents(price),
    ...price_breaks.filter(({ min_quantity }) => quantity >= min_quantity).map((priceBreak) => amountToCents(priceBreak.price)),
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

/** What so many pieces cost without price breaks. */
export const listCostOf = ({ price }: Pick<QuantityTerms, 'price'>, quantity: number): Cents => lineTotal(amountToCents(price), quantity)

export type QuantityProblem = {
  code: 'not_a_whole_number' | 'below_minimum' | 'costs_too_little' | 'stock_too_low' | 'costs_too_much' | 'not_a_multiple'
  message: string
}

/** The fewest and the most of a range of pieces. */
type PieceRange = { lowest: number; highest: number }

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
  /** the fewest and the most pieces that can be ordered; undefined when none can be */
  orderable: PieceRange | undefined
}

/**
 * Whether so many pieces of a product can be ordered, what they cost, and which quantity to propose instead. The same in the browser and on
 * the server. Screens propose a quantity; calls never change one.
 * @param requested pieces; NaN when no whole number was typed
 */
export function settleQuantity(product: QuantityTerms, requested: number): SettledQuantity {
  const ranges = orderableRanges(product)
  const [first, last] = [ranges[0], ranges.at(-1)]
  const orderable = first && last && { lowest: first.lowest, highest: last.highest }
  if (!Number.isInteger(requested))
    return {
      quantity: first?.lowest,
      unitPriceCents: unitPriceAt(product, 0),
      totalCents: Number.NaN,
      problems: [{ code: 'not_a_whole_number', message: quantityRequiredMessage }],
      cheaper: undefined,
      orderable,
    }
  const problems = findProblems(product, requested, ranges)
  const totalCents = costOf(product, requested)
  return {
    quantity: problems.length === 0 ? requested : nearestOrderable(product, requested, ranges),
    unitPriceCents: unitPriceAt(product, requested),
    totalCents,
    problems,
    cheaper: problems.length === 0 ? findCheaper(product, requested, totalCents, ranges) : undefined,
    orderable,
  }
}

const roundDown = (quantity: number, multiple: number) => Math.floor(quantity / multiple) * multiple
const roundUp = (quantity: number, multiple: number) => Math.ceil(quantity / multiple) * multiple

/** The pieces that can be ordered at each price, in rising order. There may be gaps: at a lower price as many may cost too little, or fewer too much. */
function orderableRanges(product: QuantityTerms): PieceRange[] {
  const { available_quantity, order_multiple } = product
  const steps = priceSteps(product)
  return steps
    .map(({ quantity, unitPriceCents }, nth) => {
      const next = steps[nth + 1]?.quantity ?? Number.POSITIVE_INFINITY
      return {
        lowest: roundUp(Math.max(quantity, Math.ceil(storeCurrency().minCents / unitPriceCents)), order_multiple),
        highest: roundDown(Math.min(next - 1, available_quantity, Math.floor(maxCardPaymentCents / unitPriceCents)), order_multiple),
      }
    })
    .filter(({ lowest, highest }) => lowest <= highest)
}

function findProblems(product: QuantityTerms, requested: number, ranges: PieceRange[]): QuantityProblem[] {
  const { minimum_order_quantity: min, available_quantity: available, order_multiple: multiple } = product
  const totalCents = costOf(product, requested)
  const { minCents } = storeCurrency()
  const problems: (QuantityProblem | false)[] = [
    requested < min && { code: 'below_minimum', message: `You must have to order ${formatNumber(min)} pieces` },
    totalCents < minCents && {
      code: 'costs_too_little',
      message: costsTooLittleMessage(),
    },
    requested > available && {
      code: 'stock_too_low',
      message: `You can't order more than ${formatNumber(roundDown(available, multiple) || available)} pieces`,
    },
    totalCents > maxCardPaymentCents && { code: 'costs_too_much', message: costsTooMuchMessage() },
    requested % multiple !== 0 && { code: 'not_a_multiple', message: notAMultipleMessage(requested, multiple, ranges) },
  ]
  return problems.filter((problem) => problem !== false)
}

function notAMultipleMessage(requested: number, multiple: number, ranges: PieceRange[]): string {
  const neighbours = [roundDown(requested, multiple), roundUp(requested, multiple)]
    .filter((quantity) => ranges.some(({ lowest, highest }) => quantity >= lowest && quantity <= highest))
    .map(formatNumber)
  const packs = `Sold in packs of ${formatNumber(multiple)}`
  return neighbours.length === 0 ? packs : `${packs}: order ${neighbours.join(' or ')} pieces`
}

/** The next larger quantity that can be ordered, else the most. */
function nearestOrderable({ order_multiple }: QuantityTerms, requested: number, ranges: PieceRange[]): number | undefined {
  const range = ranges.find(({ highest }) => highest >= requested)
  return range ? Math.max(roundUp(requested, order_multiple), range.lowest) : ranges.at(-1)?.highest
}

function findCheaper(product: QuantityTerms, requested: number, totalCents: Cents, ranges: PieceRange[]) {
  return ranges
    .filter(({ lowest }) => lowest > requested)
    .map(({ lowest }) => ({ quantity: lowest, totalCents: costOf(product, lowest) }))
    .find((larger) => larger.totalCents <= totalCents)
}
