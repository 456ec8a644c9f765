import { HttpError } from '#platform/http-error.ts'
import { type Cart, maxCartLines } from '#store/cart/contract.ts'

/**
 * Refuses a cart that cannot be ordered as it stands. What only the whole order can say, such as the least that a card can pay, is left to
 * placing it.
 * @param isTotalExpected the buyer has said which total they were shown, so that a changed price is no surprise to them
 * @throws {HttpError} 409
 */
export function assertCartCanBePlaced(cart: Cart, { isTotalExpected }: { isTotalExpected: boolean }): void {
  if (cart.lines.length === 0) throw cartEmptyError()
  const blocked = cart.lines.filter(({ notices }) => notices.some(({ isBlocking }) => isBlocking))
  if (blocked.length > 0)
    throw cartChangedError(
      `${cart.problem}: ${blocked
        .slice(0, 3)
        .map(({ productName, notices }) => `${productName} (${notices[0]?.message})`)
        .join(', ')}${blocked.length > 3 ? ` and ${blocked.length - 3} more` : ''}`,
      shortLinesOf(blocked),
    )
  if (cart.lines.length > maxCartLines) throw cartChangedError(`An order has at most ${maxCartLines} lines: take some out`)
  const changed = cart.lines.flatMap(({ productName, notices }) => notices.map(({ message }) => `${productName}: ${message}`))
  if (changed.length > 0 && !isTotalExpected)
    throw cartChangedError(`Your basket has changed: ${changed.slice(0, 3).join(', ')}${changed.length > 3 ? ' and more' : ''}`)
}

export const cartEmptyError = () => new HttpError(409, 'Your basket is empty', undefined, { code: 'cart_empty' })

const cartChangedError = (message: string, lines: object[] = []) =>
  new HttpError(409, message, undefined, { code: 'cart_changed', ...(lines.length > 0 && { details: { lines } }) })

const shortLinesOf = (blocked: Cart['lines']) =>
  blocked
    .filter(({ notices }) => notices.some(({ code }) => code === 'stock_too_low'))
    .map(({ productId, quantity, availableQuantity }) => ({ productId, asked: quantity, available: availableQuantity }))
