import { centsToAmount } from '#shared/money.ts'
import type { Purchase } from '#store/orders/contract.ts'
import { type Order, type OrderLine, showOrder } from '#store/orders/order-contract.ts'
import { isBeingChecked, isPaidState, owesOnAccount, purchaseState } from '#store/orders/statuses.ts'
import { accountAccess } from './order-access.ts'

/** An order as a whole, also with what a purchase says of its state and cost. */
export type DisplayedOrder = Order & Pick<Purchase, 'state' | 'checking' | 'productCost' | 'paid'>

/** @param id of the order or of one of its lines */
export const loadOrder = async (id: string, { call } = accountAccess): Promise<DisplayedOrder> =>
  toDisplayedOrder(await call(showOrder, { params: { id } }))

export function toDisplayedOrder(order: Order): DisplayedOrder {
  const state = purchaseState(order)
  return {
    ...order,
    state,
    checking: isBeingChecked(state, order),
    paid: isPaidState(state) && !owesOnAccount(order),
    productCost: centsToAmount(order.totalCents),
  }
}

/** The line of an order that has no other. */
export const getOnlyLine = ({ lines: [line, ...others] }: Pick<Order, 'lines'>): OrderLine | undefined =>
  others.length === 0 ? line : undefined

export const linesCountedInTotal = ({ lines }: Pick<Order, 'lines'>): OrderLine[] => lines.filter(({ inTotal }) => inTotal)

/** "order 1001", or "orders 1001 and 1002" */
export const formatOrderNumbers = (numbers: number[]): string =>
  numbers.length === 1 ? `order ${numbers[0]}` : `orders ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
