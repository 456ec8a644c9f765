import { formatDay } from '#shared/format-day.ts'
import type { DocumentData, Supply } from './document-data.ts'

/** The month of a day. @param day such as 2026-11-26 */
export function monthOf(day: string): Supply {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  return { from: `${day.slice(0, 8)}01`, to: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10), by: 'month' }
}

/** When the goods of a document are supplied, also where that was not kept with it. */
export const supplyOf = ({ supply, corrects, issuedOn }: Pick<DocumentData, 'supply' | 'corrects' | 'issuedOn'>): Supply =>
  supply ?? monthOf(corrects?.issuedOn ?? issuedOn)

/** As it stands on documents. */
export function supplyText({ from, to, by }: Supply): string {
  if (by === 'month') return `in ${formatDay(from).replace(/^\d+ /, '')}`
  const days = from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`
  return by === 'promise' ? `${days}, as promised` : days
}
