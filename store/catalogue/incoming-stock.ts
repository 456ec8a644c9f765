import { formatDay } from '#shared/format-day.ts'
import { formatNumber } from '#shared/format-number.ts'
import { shopDay } from '#shared/shop-day.ts'
import type { Incoming, ProductDetails } from './contract.ts'

type WithIncoming = Pick<ProductDetails, 'incoming'>

/** What is on its way, unless its day is over (in the shop's time zone): nobody has to clear it when the stock has come. */
export const expectedArrival = ({ incoming }: WithIncoming): Incoming | undefined =>
  incoming && incoming.date >= shopDay(new Date()) ? incoming : undefined

/** "200 more arrive on 12 Dec 2026" */
export const formatArrival = ({ quantity, date }: Incoming): string =>
  `${formatNumber(quantity)} more ${quantity === 1 ? 'arrives' : 'arrive'} on ${formatDay(date)}`

/** Adds when more arrives, where that is known, to what is said of a quantity beyond the stock. */
export function withArrival(message: string, product: WithIncoming): string {
  const arrival = expectedArrival(product)
  return arrival ? `${message}. ${formatArrival(arrival)}` : message
}
