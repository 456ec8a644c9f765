import type { Cents } from '#shared/money.ts'
import { splitInProportion } from '#shared/split-in-proportion.ts'
import type { ComputedTax, TaxTerms } from '#store/tax/compute-tax.ts'
import type { Order } from './order-contract.ts'
import type { LineRow } from './rules.ts'

type RefundedOrder = Pick<Order, 'taxes' | 'refundedCents'> & { refundedDeliveryCents: Cents }
type RefundedLine = Pick<Order['lines'][number], 'chargedCents' | 'refundedCents' | 'inTotal'> & Pick<LineRow, 'taxClass'>

/**
 * The tax that goes back with the money of an order, by rate. What goes back of a line is of the line's rate, of the delivery of the rates that
 * it was taxed at; an amount that is for neither is split over what is left of each rate. The tax is the same share of it that it is of all
 * that was paid at the rate, so that with all of the money all of the tax goes back, to the cent.
 * @param terms null: nothing was taxed
 */
export function taxesOfRefunds(order: RefundedOrder, lines: RefundedLine[], terms: TaxTerms | null): ComputedTax['byRate'] {
  if (order.refundedCents === 0 || terms === null || order.taxes.every(({ taxCents }) => taxCents === 0)) return []
  const counted = lines.filter(({ inTotal }) => inTotal)
  const atRates = order.taxes.map(({ ratePpm, netCents, taxCents }) => {
    const ofRate = counted.filter(({ taxClass }) => terms.rates[taxClass ?? 'standard'] === ratePpm)
    return {
      ratePpm,
      taxCents,
      paidCents: netCents + taxCents,
      chargedCents: sumOf(ofRate, 'chargedCents'),
      ofLines: sumOf(ofRate, 'refundedCents'),
    }
  })
  const ofDelivery = splitInProportion(
    order.refundedDeliveryCents,
    atRates.map(({ paidCents, chargedCents }) => paidCents - chargedCents),
  )
  const left = atRates.map(({ paidCents, ofLines }, nth) => Math.max(0, paidCents - ofLines - (ofDelivery[nth] ?? 0)))
  const ofNeither = order.refundedCents - sumOf(counted, 'refundedCents') - order.refundedDeliveryCents
  const free = splitInProportion(Math.max(0, ofNeither), left)
  return atRates
    .map(({ ratePpm, taxCents, paidCents, ofLines }, nth) => {
      const backCents = ofLines + (ofDelivery[nth] ?? 0) + (free[nth] ?? 0)
      const taxBackCents = paidCents === 0 ? 0 : Math.round((backCents * taxCents) / paidCents)
      return { ratePpm, netCents: backCents - taxBackCents, taxCents: taxBackCents }
    })
    .filter(({ netCents, taxCents }) => netCents + taxCents > 0)
}

const sumOf = <Field extends string>(lines: Record<Field, Cents>[], field: Field): Cents =>
  lines.reduce((sum, line) => sum + line[field], 0)
