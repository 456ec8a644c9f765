import type { Cents } from '#shared/money.ts'
import { splitInProportion } from '#shared/split-in-proportion.ts'
import type { TaxClass } from '#store/catalogue/tax-class.ts'

// Without zod and database: the basket in the browser and the order on the server compute the same tax.

/**
 * Why an order is taxed as it is. `none`: nothing is set, or no rate applies there, and nothing is said of tax. `reverse charge`: goods to a
 * business in another country of the EU (category K of EN 16931). `export`: goods that leave the country, or the EU (category G).
 */
export const taxKinds = ['none', 'domestic', 'EU consumer', 'reverse charge', 'export'] as const
export type TaxKind = (typeof taxKinds)[number]

/** Whether the buyer pays no tax, also where prices contain it. */
export const isUntaxed = (kind: TaxKind): boolean => kind === 'reverse charge' || kind === 'export'

/** Parts per million of the net price: 88_750 is 8.875 %. */
export type RatePpm = number

export type TaxTerms = {
  kind: TaxKind
  /** whether prices contain tax: then the tax is taken out of them, otherwise it is added to them */
  pricesIncludeTax: boolean
  /**
   * of the destination; for `reverse charge` and `export`, which are not taxed, those of the shop, as prices may contain them
   */
  rates: Record<TaxClass, RatePpm>
  /** what has to stand on the invoice, and below the total before */
  sentence: string | null
}

/** A line after reductions, net or gross as the shop's prices are. Whole cents, not negative. */
export type TaxedLine = { amountCents: Cents; taxClass: TaxClass }

export type ComputedTax = {
  kind: TaxKind
  sentence: string | null
  /** what is taxed at each rate, the highest first; empty for `none` */
  byRate: { ratePpm: RatePpm; netCents: Cents; taxCents: Cents }[]
  taxCents: Cents
  /** goods and delivery without tax */
  netCents: Cents
  /** what the buyer pays: net and tax */
  totalCents: Cents
  lineTaxCents: Cents[]
  lineNetCents: Cents[]
  deliveryTaxCents: Cents
  deliveryNetCents: Cents
}

const ppmOfWhole = 1_000_000

/**
 * The tax of an order, once per rate on the sum at that rate (EN 16931, BR-CO-17 and BT-117), rounded half up, and shared out to lines and
 * delivery by largest remainder, so that their shares add up to it. Delivery is split over the rates of the goods in proportion to the goods.
 * From prices with tax it is taken out: net and tax of a rate add up to the gross sum to the cent, so that the tax may be a cent away from
 * rate times net, where no net amount has exactly this gross one.
 */
export function computeTax(order: { lines: TaxedLine[]; deliveryCents: Cents }, terms: TaxTerms): ComputedTax {
  const { kind, pricesIncludeTax, sentence } = terms
  const { lines, deliveryCents } = order
  const groups = groupByRate(order, terms).map((group) => {
    const sumCents = sum(group.parts)
    const taxCents = kind === 'none' ? 0 : roundHalfUp(sumCents, group.ratePpm, pricesIncludeTax ? ppmOfWhole + group.ratePpm : ppmOfWhole)
    const shares = splitInProportion(taxCents, group.parts)
    return { ...group, sumCents, taxCents, lineShares: shares.slice(1), deliveryShare: shares[0] ?? 0 }
  })
  const isTaxed = !isUntaxed(kind)
  const shareByLine = new Map(groups.flatMap(({ nths, lineShares }) => nths.map((nth, at) => [nth, lineShares[at] ?? 0] as const)))
  const lineShares = lines.map((_, nth) => shareByLine.get(nth) ?? 0)
  const deliveryShare = sum(groups.map((group) => group.deliveryShare))
  const included = (cents: Cents) => (pricesIncludeTax ? cents : 0)
  const charged = (cents: Cents) => (isTaxed ? cents : 0)

  const netCents = sum(groups.map(({ sumCents, taxCents }) => sumCents - included(taxCents)))
  const taxCents = sum(groups.map((group) => charged(group.taxCents)))
  const taxedByRate = groups.map((group) => ({
    ratePpm: group.ratePpm,
    netCents: group.sumCents - included(group.taxCents),
    taxCents: group.taxCents,
  }))
  return {
    kind,
    sentence,
    byRate: kind === 'none' ? [] : isTaxed ? taxedByRate : [{ ratePpm: 0, netCents, taxCents: 0 }],
    taxCents,
    netCents,
    totalCents: netCents + taxCents,
    lineTaxCents: lineShares.map(charged),
    lineNetCents: lines.map(({ amountCents }, nth) => amountCents - included(lineShares[nth] ?? 0)),
    deliveryTaxCents: charged(deliveryShare),
    deliveryNetCents: deliveryCents - included(deliveryShare),
  }
}

/** `parts`: the share of the delivery first, then the lines with these indices. */
type RateGroup = { ratePpm: RatePpm; nths: number[]; parts: Cents[] }

function groupByRate({ lines, deliveryCents }: { lines: TaxedLine[]; deliveryCents: Cents }, { rates }: TaxTerms): RateGroup[] {
  const nthsByRate = Map.groupBy(lines.keys(), (nth) => rates[lines[nth]?.taxClass ?? 'standard'])
  if (nthsByRate.size === 0) nthsByRate.set(rates.standard, [])
  const groups = [...nthsByRate]
    .map(([ratePpm, nths]) => ({ ratePpm, nths, amounts: nths.map((nth) => lines[nth]?.amountCents ?? 0) }))
    .sort((a, b) => b.ratePpm - a.ratePpm)
  const goods = groups.map(({ amounts }) => sum(amounts))
  // Goods that cost nothing are no measure: their delivery is taxed at the highest of their rates.
  const delivery = splitInProportion(deliveryCents, sum(goods) > 0 ? goods : goods.map((_, nth) => (nth === 0 ? 1 : 0)))
  return groups.map(({ ratePpm, nths, amounts }, nth) => ({ ratePpm, nths, parts: [delivery[nth] ?? 0, ...amounts] }))
}

const sum = (cents: Cents[]): Cents => cents.reduce((total, each) => total + each, 0)

/** `amount * numerator / denominator`, rounded half up. As BigInt: the product may be above 2^53. */
const roundHalfUp = (amount: number, numerator: number, denominator: number): number =>
  Number((2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator)))
