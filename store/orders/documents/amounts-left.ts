import { splitInProportion } from '#shared/split-in-proportion.ts'
import { amountsOf, type DocumentAmounts, type DocumentLine, grossOf, isAt, isOfLine, priceOfPart, sumOf } from './document-data.ts'

type Rate = DocumentAmounts['taxes'][number]

/**
 * What is left of billed amounts after credit notes, row by row. Tax and total are those that are left, to the cent. Money that went back for
 * nothing in particular is taken off all rows of its rate in proportion.
 * @returns null where nothing is left
 */
export function amountsLeft(billed: DocumentAmounts, notes: DocumentAmounts[]): DocumentAmounts | null {
  const totalCents = billed.totalCents - sumOf(notes, 'totalCents')
  if (totalCents <= 0) return null
  const credited = notes.flatMap(({ lines }) => lines)
  const taxes = ratesLeft(billed, notes, totalCents)
  const left = new Map(taxes.flatMap((rate) => rowsLeft(rate, billed.lines.filter(isAt(rate.ratePpm)), credited)))
  return amountsOf(
    billed.lines.flatMap((line) => left.get(line) ?? []),
    taxes,
  )
}

/**
 * By rate. More may have gone back at one rate than was billed at it, by refunds in the provider's dashboard: then the other rates share what is
 * left of all.
 */
function ratesLeft(billed: DocumentAmounts, notes: DocumentAmounts[], totalCents: number): Rate[] {
  const rates = billed.taxes.map(({ ratePpm, netCents, taxCents }) => {
    const back = notes.flatMap(({ taxes }) => taxes).filter(isAt(ratePpm))
    const grossCents = Math.max(0, netCents + taxCents - back.reduce((sum, rate) => sum + grossOf(rate), 0))
    return { ratePpm, grossCents, taxCents: Math.min(grossCents, Math.max(0, taxCents - sumOf(back, 'taxCents'))) }
  })
  const shares = splitInProportion(
    totalCents,
    rates.map(({ grossCents }) => grossCents),
  )
  return rates.flatMap(({ ratePpm, grossCents, taxCents }, nth) => {
    const shareCents = shares[nth] ?? 0
    if (shareCents === 0) return []
    const shareOfTax = Math.round((taxCents * shareCents) / grossCents)
    return [{ ratePpm, netCents: shareCents - shareOfTax, taxCents: shareOfTax }]
  })
}

/** What is left of each row of a rate, which adds up to what is left of the rate. */
function rowsLeft(rate: Rate, rows: DocumentLine[], credited: DocumentLine[]): [of: DocumentLine, left: DocumentLine][] {
  const grosses = splitInProportion(
    grossOf(rate),
    rows.map((row) => Math.max(0, grossOf(row) - credited.filter(isPartOf(row)).reduce((sum, each) => sum + grossOf(each), 0))),
  )
  const shares = splitInProportion(rate.taxCents, grosses)
  return rows.flatMap((row, nth) => {
    const [grossCents = 0, taxCents = 0] = [grosses[nth], shares[nth]]
    if (grossCents === 0) return []
    const pieces = credited.filter((each) => each.kind === 'goods' && isPartOf(row)(each)).reduce((sum, each) => sum + each.quantity, 0)
    return [[row, rowLeft(row, row.quantity - pieces, { netCents: grossCents - taxCents, taxCents })]]
  })
}

const isPartOf =
  (row: DocumentLine) =>
  (each: DocumentLine): boolean =>
    each.ratePpm === row.ratePpm && (row.kind === 'delivery' ? each.kind === 'delivery' : isOfLine(row.orderLineId)(each))

function rowLeft(row: DocumentLine, quantity: number, amounts: Pick<DocumentLine, 'netCents' | 'taxCents'>): DocumentLine {
  if (row.kind !== 'goods') return { ...row, ...amounts }
  if (quantity > 0) return { ...row, quantity, ...amounts, ...priceOfPart(row, { quantity, ...amounts }) }
  const none = { unitPriceCents: null, reductionCents: 0, reductionReason: null }
  return { ...row, kind: 'price', name: `Rest of the price of ${row.name}`, quantity: 1, ...none, ...amounts }
}
